/**
 * Drawn board: it joins a scene, its layers, the gestures, and the keyboard cursor. It tells others
 * about vertices by the events `choose`, `hover`, `back`, and `view`.
 */

import { Painter } from "./canvas.js";
import { set } from "./dom.js";
import { FlatScene } from "./flat.js";
import { Index, around, step } from "./geometry.js";
import { listen } from "./gestures.js";
import { BARE, Layers } from "./layers.js";
import { overlay, shade } from "./overlay.js";
import { SpaceScene } from "./space.js";
import { WrapScene } from "./wrap.js";

/** Smallest reach of a click in pixels of the screen. */
const LEAST_REACH = 12;
/** Number of vertices above which a canvas paints while the board rotates. */
const MOST_MOVING = 300;
/** Angle of one key press in space. */
const TURN = Math.PI / 12;

/** @returns {import("./layers.js").Picture} */
export function blankPicture() {
  return {
    stones: [],
    points: null,
    legal: "",
    last: -1,
    covered: new Set(),
    ko: new Set(),
    dead: new Set(),
    locked: new Set(),
    ghost: null,
    pending: null,
    candidates: [],
    variation: [],
    shades: [],
    numbers: new Map(),
    chosen: [],
    cursor: 0,
    hover: -1,
    names: "alias",
  };
}

export class BoardView extends EventTarget {
  /**
   * @param {HTMLElement} frame
   * @param {SVGSVGElement} root
   * @param {HTMLCanvasElement} canvas
   */
  constructor(frame, root, canvas) {
    super();
    this.frame = frame;
    this.root = root;
    this.layers = new Layers(root);
    this.painter = new Painter(canvas);
    this.picture = blankPicture();
    /** @type {import("./scene.js").Scene | null} */
    this.scene = null;
    /** Index of the sites at the last hit. @type {Index | null} */
    this.index = null;
    this.moving = false;
    this.dirty = new Set();
    /** @type {number | undefined} */
    this.rest = undefined;
    this.pressed = -1;
    this.lastTap = 0;
    this.carrying = false;
    /** Tells whether a finger carries a ghost stone. @type {(() => boolean) | null} */
    this.carries = null;
    /** True if the focus was on a vertex of the board before the present one. */
    this.refocus = false;
    /** Vertex from which the cursor came by `[` or `]`. */
    this.cameFrom = -1;
    listen(root, this.handlers());
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("focusin", (event) => this.focused(event));
    new ResizeObserver(() => this.resize()).observe(frame);
  }

  /**
   * Shows a board in a view.
   * @param {import("./types.js").Board} board
   * @param {string} kind `flat`, `wrap`, or `space`.
   * @param {boolean} [keep] Keeps zoom, pan, and rotation.
   */
  show(board, kind, keep = false) {
    const before = this.scene;
    this.refocus ||= this.root.contains(document.activeElement);
    this.layers.clear();
    if (!board.drawable) {
      this.scene = null;
      this.refocus = false;
      return;
    }
    if (kind === "space" && board.solid) this.scene = new SpaceScene(board);
    else if (kind === "wrap" && board.surface) this.scene = new WrapScene(board);
    else this.scene = new FlatScene(board);
    if (keep && before) this.scene.resume(before);
    if (this.picture.cursor >= board.aliases.length) this.picture.cursor = 0;
    set(this.root, "data-bare", board.aliases.length > BARE ? "true" : null);
    this.resize();
    this.tell("shown", {});
  }

  resize() {
    if (!this.scene) return;
    const { clientWidth, clientHeight } = this.frame;
    this.root.setAttribute("width", String(clientWidth));
    this.root.setAttribute("height", String(clientHeight));
    this.scene.resize(clientWidth, clientHeight);
    this.refresh("sites");
  }

  /**
   * Asks for a new picture before the next frame.
   * @param {"sites" | "view" | "stones" | "marks"} part
   */
  refresh(part) {
    if (this.dirty.size === 0) requestAnimationFrame(() => this.flush());
    this.dirty.add(part);
  }

  flush() {
    const { scene, layers, picture, dirty } = this;
    const parts = new Set(dirty);
    dirty.clear();
    if (!scene) return this.tell("painted", {});
    const large = scene.board.aliases.length > MOST_MOVING && scene.turns;
    const bare = scene.board.aliases.length > BARE;
    set(this.root, "data-painted", this.moving && large ? "true" : null);
    if (this.moving && large) {
      set(this.root, "data-moving", "true");
      for (const [name, value] of Object.entries(scene.attributes())) set(this.root, name, value);
      this.painter.paint(scene, picture, true);
      return;
    }
    set(this.root, "data-moving", this.moving ? "true" : null);
    if (parts.has("sites")) {
      layers.place(scene, picture);
      shade(layers, scene, picture);
      overlay(layers, scene, picture);
      if (this.refocus) this.regain();
    } else {
      if (parts.has("stones")) {
        layers.paint(scene, picture);
        shade(layers, scene, picture);
      }
      if (parts.has("view")) layers.transform(scene, picture);
      else if (parts.has("stones")) layers.name(scene, picture);
      if (parts.has("stones") || parts.has("marks") || parts.has("view")) {
        overlay(layers, scene, picture);
      }
    }
    if (bare) this.painter.paint(scene, picture);
    else this.painter.clear();
    this.tell("painted", {});
  }

  /**
   * Vertex at a location of the window, or -1.
   * @param {{x: number, y: number}} at
   * @returns {number}
   */
  hit(at) {
    const { scene } = this;
    if (!scene) return -1;
    if (this.index?.points !== scene.sites) this.index = new Index(scene.sites);
    const { x, y } = scene.inside(at.x, at.y);
    const reach = Math.max(0.5 * scene.step, LEAST_REACH / scene.view.k);
    const { sites } = scene;
    if (scene.kind === "space") {
      // The front vertex whose disc holds the pointer wins.
      const open = (/** @type {number} */ i) => !sites[i].hidden && !sites[i].faded;
      let best = -1;
      for (let i = sites.length - 1; i >= 0 && best < 0; i--) {
        if (open(i) && Math.hypot(sites[i].x - x, sites[i].y - y) <= sites[i].r) best = i;
      }
      if (best < 0) best = this.index.nearest(x, y, reach, open);
      if (best < 0) best = this.index.nearest(x, y, reach);
      return best < 0 ? -1 : sites[best].vertex;
    }
    const found = this.index.nearest(x, y, reach);
    return found < 0 ? -1 : sites[found].vertex;
  }

  /** @param {string} name @param {object} detail */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @returns {import("./gestures.js").Handlers} */
  handlers() {
    return {
      press: (at, event) => {
        this.pressed = this.hit(at);
        this.tell("press", { vertex: this.pressed, touch: event.pointerType === "touch" });
      },
      second: () => this.tell("second", {}),
      tap: (at, event) => {
        const vertex = this.hit(at);
        this.lastTap = performance.now();
        if (vertex >= 0 && vertex === this.pressed) {
          const touch = event.pointerType === "touch" || event.pointerType === "pen";
          this.tell("choose", { vertex, touch, shift: event.shiftKey });
        } else if (vertex < 0) {
          this.tell("ground", {});
        }
      },
      hover: (at) => this.tell("hover", { vertex: this.hit(at) }),
      leave: () => this.tell("hover", { vertex: -1 }),
      drag: (from, to, event, count) => this.drag(from, to, event, count),
      release: (at, event) => {
        this.still();
        if (event.pointerType === "touch" && this.carrying) {
          this.carrying = false;
          this.tell("carry", { vertex: this.hit(at) });
        }
      },
      zoom: (at, factor) => this.zoom(at, factor),
      menu: (event) => {
        const box = this.root.getBoundingClientRect();
        const at = { x: event.clientX - box.left, y: event.clientY - box.top };
        this.tell("back", { vertex: this.hit(at), shift: event.shiftKey });
      },
    };
  }

  /**
   * @param {{x: number, y: number}} from
   * @param {{x: number, y: number}} to
   * @param {PointerEvent} event
   * @param {number} count Number of fingers.
   */
  drag(from, to, event, count) {
    const { scene } = this;
    if (!scene) return;
    const touch = event.pointerType === "touch";
    if (touch && count === 1 && this.carries?.()) {
      this.carrying = true;
      this.tell("carry", { vertex: this.hit(to) });
      return;
    }
    this.moving = true;
    const changed = scene.turns ? scene.rotate(from, to) : scene.pan(to.x - from.x, to.y - from.y);
    this.refresh(changed ? "sites" : "view");
  }

  /** Ends a movement: elements take their final places. */
  still() {
    clearTimeout(this.rest);
    if (!this.moving) return;
    this.moving = false;
    this.refresh("sites");
    this.tell("view", {});
  }

  /** @param {{x: number, y: number}} at @param {number} factor */
  zoom(at, factor) {
    if (!this.scene) return;
    const changed = this.scene.zoom(at.x, at.y, factor);
    this.refresh(changed ? "sites" : "view");
    // Names appear or vanish by size, so the sites are drawn again once the zoom rests.
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.refresh("sites"), 120);
  }

  /** @param {number} factor */
  zoomMiddle(factor) {
    const { scene } = this;
    if (scene) this.zoom({ x: scene.width / 2, y: scene.height / 2 }, factor);
  }

  fit() {
    this.scene?.fit();
    this.refresh("sites");
  }

  /**
   * Pans by points, or rotates, by a key.
   * @param {number} dx
   * @param {number} dy
   */
  shift(dx, dy) {
    const { scene } = this;
    if (!scene) return;
    if (scene.turns) {
      const space = /** @type {SpaceScene} */ (scene);
      if (dx !== 0) space.spin("y", dx * TURN);
      if (dy !== 0) space.spin("x", dy * TURN);
      this.refresh("sites");
    } else {
      const length = 2 * scene.step * scene.view.k;
      const changed = scene.pan(-dx * length, -dy * length);
      this.refresh(changed ? "sites" : "view");
    }
  }

  /**
   * Click of a screen reader or a script, which has no pointer events before it.
   * @param {MouseEvent} event
   */
  click(event) {
    if (performance.now() - this.lastTap < 700 || event.detail > 0) return;
    const target = /** @type {Element} */ (event.target);
    const alias = target.getAttribute("data-vertex") ?? target.getAttribute("data-image");
    const vertex = alias === null ? undefined : this.scene?.board.indices.get(alias);
    if (vertex !== undefined) this.tell("choose", { vertex, touch: false, shift: event.shiftKey });
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const alias = /** @type {Element} */ (event.target).getAttribute("data-vertex");
    const vertex = alias === null ? undefined : this.scene?.board.indices.get(alias);
    if (vertex === undefined || vertex === this.picture.cursor) return;
    this.moveCursor(vertex, false);
  }

  /** Puts the focus on the cursor, unless it has moved elsewhere in the meantime. */
  regain() {
    this.refocus = false;
    if (document.activeElement !== document.body) return;
    this.layers.of(this.picture.cursor)?.focus({ preventScroll: true });
  }

  /**
   * Moves the keyboard cursor to a vertex.
   * @param {number} vertex
   * @param {boolean} [focus]
   */
  moveCursor(vertex, focus = true) {
    const before = this.layers.of(this.picture.cursor);
    this.picture.cursor = vertex;
    const element = this.layers.of(vertex);
    if (before && before !== element) {
      set(before, "tabindex", "-1");
      this.layers.looks.delete(before);
    }
    if (element) {
      set(element, "tabindex", "0");
      this.layers.looks.delete(element);
      if (focus) element.focus({ preventScroll: true });
    }
    this.refresh("marks");
    this.tell("cursor", { vertex });
  }

  /**
   * Moves the cursor by an arrow key. Returns false at the edge of the board.
   * @param {number} dx
   * @param {number} dy
   */
  arrow(dx, dy) {
    const { scene, picture } = this;
    if (!scene) return false;
    if (scene.kind === "wrap") return this.arrowAcross(dx, dy);
    /** @type {import("./geometry.js").Point[]} */
    const points = [];
    for (const site of scene.sites) points[site.vertex] = site;
    const neighbors = scene.board.neighbors[picture.cursor] ?? [];
    const found = step(points, picture.cursor, { x: dx, y: dy }, neighbors);
    if (found < 0) return false;
    this.moveCursor(found);
    return true;
  }

  /**
   * Steps over the lattice of a wrapped board, across its seams. The view follows.
   * @param {number} dx
   * @param {number} dy
   */
  arrowAcross(dx, dy) {
    const scene = /** @type {WrapScene} */ (this.scene);
    const from = scene.sites.find((site) => !site.image && site.vertex === this.picture.cursor);
    if (!from) return false;
    const [x, y] = [from.x + dx * scene.step, from.y + dy * scene.step];
    const near = scene.sites.find((site) => Math.hypot(site.x - x, site.y - y) < 0.25 * scene.step);
    if (!near) return false;
    if (scene.reveal(x, y)) {
      layersNow(this);
    }
    this.moveCursor(near.vertex);
    return true;
  }

  /** Moves the cursor to the next neighbor by angle. @param {number} by */
  turnCursor(by) {
    const { scene, picture } = this;
    if (!scene) return;
    const neighbors = scene.board.neighbors[picture.cursor] ?? [];
    if (neighbors.length === 0) return;
    /** @type {import("./geometry.js").Point[]} */
    const points = [];
    for (const site of scene.sites) if (!site.image) points[site.vertex] = site;
    const list = around(points, picture.cursor, neighbors);
    const came = list.indexOf(this.cameFrom);
    const next = list[(came + by + list.length) % list.length];
    this.cameFrom = picture.cursor;
    this.moveCursor(next);
  }
}

/** Draws the sites at once, so that an element can take the focus. @param {BoardView} view */
function layersNow(view) {
  if (view.scene) view.layers.place(view.scene, view.picture);
  view.refresh("marks");
}
