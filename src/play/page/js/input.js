/**
 * Play by mouse, finger, and keyboard on the drawn board: ghost stones, two-step placing by touch,
 * set-up mode, and marking dead stones.
 */

import { byId, el } from "./dom.js";
import { reasonText } from "./sentences.js";
import { sprite } from "./stones.js";
import { COLORS } from "./store.js";

/** Delay in milliseconds before the reason of an illegal point is shown. */
const REASON_DELAY = 300;
/** Delay in milliseconds before a variation appears under the pointer. */
const VARIATION_DELAY = 150;
/** Distance between points in pixels from which one tap plays. */
const ONE_TAP = 36;

export class Input {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./board-view.js").BoardView} view
   */
  constructor(session, view) {
    this.session = session;
    this.view = view;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.confirm = byId("confirm");
    /** @type {(() => void) | null} */
    this.confirmed = null;
    /** @param {string} name @param {(detail: any) => void} listener */
    const on = (name, listener) =>
      view.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
    on("press", ({ vertex, touch }) => this.press(vertex, touch));
    on("second", () => this.ghostBefore < 0 && this.dropGhost());
    on("choose", (detail) => this.choose(detail.vertex, detail));
    on("hover", ({ vertex }) => this.hover(vertex));
    on("ground", () => this.dropGhost());
    on("carry", ({ vertex }) => this.carry(vertex));
    on("back", ({ vertex, shift }) => this.back(vertex, shift));
    on("cursor", ({ vertex }) => this.hoverVariation(vertex));
    view.carries = () => session.ui.ghost?.asks === true;
    byId("confirm-yes").addEventListener("click", () => this.answer(true));
    byId("confirm-no").addEventListener("click", () => this.answer(false));
    session.addEventListener("ui", () => this.offer());
    view.frame.addEventListener("pointerdown", () => (view.frame.dataset.pointer = "true"));
    view.frame.addEventListener("keydown", () => (view.frame.dataset.pointer = "false"));
  }

  /** Vertex of the ghost before the present touch, or -1. */
  ghostBefore = -1;

  /** True if points are so close that a finger may miss one. */
  isClose() {
    const { scene } = this.view;
    return scene ? scene.step * scene.view.k < ONE_TAP : true;
  }

  /**
   * A finger is down: the ghost shows at once, magnified, because the finger hides the point.
   * @param {number} vertex
   * @param {boolean} touch
   */
  press(vertex, touch) {
    const { ui, state } = this.session;
    this.ghostBefore = ui.ghost?.asks ? ui.ghost.vertex : -1;
    if (!touch || vertex < 0 || ui.setup || state?.phase !== "play" || !this.isClose()) return;
    if (vertex !== this.ghostBefore) this.setGhost(vertex);
  }

  /**
   * A vertex was clicked, tapped, or chosen by key.
   * @param {number} vertex
   * @param {{touch: boolean, shift: boolean}} how
   */
  choose(vertex, { touch, shift }) {
    const { session, view } = this;
    const { ui, state, board } = session;
    if (!state || !board) return;
    view.moveCursor(vertex, view.frame.contains(document.activeElement));
    if (ui.setup) return this.setStone(vertex);
    if (state.phase === "score") {
      const alias = board.aliases[vertex];
      const dead = !state.scoring?.dead.includes(alias);
      void session.command({ type: "dead", vertex: alias, dead, alone: shift });
      return;
    }
    if (touch && this.isClose() && session.myColor()) {
      if (this.ghostBefore === vertex) void session.play(vertex);
      else this.setGhost(vertex);
      return;
    }
    void session.play(vertex);
  }

  /** @param {number} vertex */
  setGhost(vertex) {
    const { session } = this;
    const color = session.myColor();
    if (!color || vertex < 0) return;
    session.ui.ghost = { vertex, color, asks: true };
    session.changed("ui");
    const alias = session.board?.aliases[vertex] ?? "";
    session.say(`${alias}: tap again to play.`);
  }

  dropGhost() {
    const { session } = this;
    this.confirmed = null;
    if (!session.ui.ghost) return this.offer();
    session.ui.ghost = null;
    session.changed("ui");
  }

  /** Moves the ghost under a finger. @param {number} vertex */
  carry(vertex) {
    if (vertex >= 0 && vertex !== this.session.ui.ghost?.vertex) this.setGhost(vertex);
  }

  /** Shows or hides the question below the board. */
  offer() {
    const { ghost } = this.session.ui;
    this.confirm.hidden = !ghost?.asks && !this.confirmed;
    byId("confirm-yes").textContent = this.confirmed ? this.question : "Play";
  }

  /** @param {boolean} yes */
  answer(yes) {
    const { ghost } = this.session.ui;
    const confirmed = this.confirmed;
    this.confirmed = null;
    if (yes && confirmed) confirmed();
    else if (yes && ghost?.asks) void this.session.play(ghost.vertex);
    this.dropGhost();
  }

  /**
   * Asks before an action that a finger may have started by mistake.
   * @param {string} question
   * @param {() => void} action
   */
  ask(question, action) {
    this.question = question;
    this.confirmed = action;
    this.offer();
    byId("confirm-yes").focus();
  }

  question = "";

  /** @param {number} vertex */
  hover(vertex) {
    const { session, view } = this;
    const { ui, state, board } = session;
    if (vertex === ui.hover || !state || !board) return;
    clearTimeout(this.timer);
    ui.hover = vertex;
    const color = session.myColor();
    const legal = state.legal[vertex] === "1";
    const playing = state.phase === "play" && !ui.setup && color !== null;
    // A ghost stone that asks for a second tap stays, also when a pen is lifted after the first.
    if (!ui.ghost?.asks) {
      ui.ghost = playing && vertex >= 0 && legal ? { vertex, color, asks: false } : null;
    }
    view.root.dataset.forbidden = String(playing && vertex >= 0 && !legal);
    view.root.dataset.open = String(vertex >= 0 && (!playing || legal));
    session.changed("ghost");
    this.hoverVariation(vertex);
    if (playing && vertex >= 0 && !legal && state.stones[vertex] === ".") {
      this.timer = setTimeout(() => void this.explain(vertex), REASON_DELAY);
    }
  }

  /** @param {number} vertex */
  async explain(vertex) {
    const { session } = this;
    const alias = session.board?.aliases[vertex];
    const answer = await session.connection.ask({ type: "why", vertex: alias });
    if (session.ui.hover === vertex && answer.type === "result" && answer.legal !== true) {
      session.say(`${alias} is not allowed: ${reasonText(answer)}.`);
    }
  }

  /** @param {number} vertex */
  hoverVariation(vertex) {
    const { session } = this;
    const set = (/** @type {number} */ value) => {
      if (session.ui.variation === value) return;
      session.ui.variation = value;
      session.changed("ghost");
    };
    clearTimeout(this.variationTimer);
    const { analysis } = session.model;
    const alias = session.board?.aliases[vertex];
    if (!analysis?.moves.some((move) => move.vertex === alias)) return set(-1);
    this.variationTimer = setTimeout(() => set(vertex), VARIATION_DELAY);
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  variationTimer = undefined;

  /**
   * Right click: one move back, or with Shift to the move that placed a stone.
   * @param {number} vertex
   * @param {boolean} shift
   */
  back(vertex, shift) {
    const { session } = this;
    const { model, state, board } = session;
    if (!state || !board) return;
    const node = model.nodes.get(state.node);
    if (!shift || vertex < 0) {
      if (node && node.parent !== null) session.goto(node.parent);
      return;
    }
    const alias = board.aliases[vertex];
    let at = node;
    while (at && at.vertex !== alias) {
      at = at.parent === null ? undefined : model.nodes.get(at.parent);
    }
    if (at) session.goto(at.id);
  }

  /** Cycles the stone of a vertex in the set-up mode. @param {number} vertex */
  setStone(vertex) {
    const { ui, board } = this.session;
    if (!ui.setup || !board) return;
    const targets = board.points ? board.points.covers[vertex] : [vertex];
    const color = targets.every((at) => ui.setup?.[at] === ui.setupColor) ? "empty" : ui.setupColor;
    for (const at of targets) ui.setup[at] = color;
    this.session.changed("ui");
  }
}

/**
 * Magnified ghost above a finger, where the finger hides the point.
 * @param {HTMLElement} lens
 * @param {import("./board-view.js").BoardView} view
 * @param {import("./session.js").Session} session
 */
export function lensOf(lens, view, session) {
  const canvas = el("canvas", { width: 240, height: 240 });
  canvas.style.width = "120px";
  canvas.style.height = "120px";
  lens.append(canvas);
  let touching = false;
  const show = () => {
    const { scene, picture } = view;
    const { ghost } = session.ui;
    const site = ghost && scene?.sites.find((one) => one.vertex === ghost.vertex && !one.image);
    lens.hidden = !touching || !site;
    const context = canvas.getContext("2d");
    if (!touching || !site || !scene || !context) return;
    const { x, y, k } = scene.view;
    const at = { x: site.x * k + x, y: site.y * k + y };
    lens.style.left = `${Math.min(Math.max(at.x - 60, 2), scene.width - 122)}px`;
    lens.style.top = `${at.y > 170 ? at.y - 160 : at.y + 50}px`;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, 240, 240);
    const zoom = 2 * k * 2;
    context.setTransform(zoom, 0, 0, zoom, 120 - site.x * zoom, 120 - site.y * zoom);
    context.strokeStyle = getComputedStyle(lens).getPropertyValue("--wood-line");
    context.lineWidth = 1;
    context.stroke(new Path2D(scene.lines()));
    context.setTransform(1, 0, 0, 1, 0, 0);
    const plain = session.settings.theme === "paper";
    for (const one of scene.sites) {
      const [px, py] = [(one.x - site.x) * zoom + 120, (one.y - site.y) * zoom + 120];
      if (Math.abs(px - 120) > 200 || Math.abs(py - 120) > 200) continue;
      const color = one === site ? ghost.color : (picture.stones[one.vertex] ?? "empty");
      if (!COLORS.includes(color)) continue;
      context.globalAlpha = one === site ? 0.7 : 1;
      const stone = sprite(color, one.r * zoom, plain);
      context.drawImage(stone, px - stone.width / 2, py - stone.height / 2);
    }
    context.globalAlpha = 1;
  };
  // The capture phase comes before the listener that sets the ghost.
  view.root.addEventListener(
    "pointerdown",
    (event) => {
      touching = event.pointerType === "touch";
    },
    { capture: true },
  );
  const end = () => {
    touching = false;
    lens.hidden = true;
  };
  view.root.addEventListener("pointerup", end);
  view.root.addEventListener("pointercancel", end);
  session.addEventListener("ui", show);
}
