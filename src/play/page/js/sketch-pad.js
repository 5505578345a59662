/**
 * Editor for graphs drawn by hand: a click adds a vertex, a drag between vertices adds an edge.
 */

import { el, px, svg } from "./dom.js";
import { Sketch } from "./sketch.js";

/** Pixels of one step of the grid, which has length 1 in the spec. */
const GRID = 44;
/** Radius of a vertex in pixels. */
const RADIUS = 13;
/** Distance in pixels within which a pointer is on a vertex. */
const REACH = 18;
/** Travel of the pointer in pixels from which a press is no click. */
const SLACK = 10;

/** @typedef {{x: number, y: number}} Point */

class Pad {
  /** @param {(spec: string) => void} changed Called with the spec after each change. */
  constructor(changed) {
    this.changed = changed;
    this.sketch = new Sketch();
    this.root = svg("svg", {
      class: "pad-board",
      role: "application",
      tabindex: 0,
      "aria-label": "Drawing of a graph",
      "aria-describedby": "sketch-help",
    });
    this.snap = el("input", { type: "checkbox", checked: true, id: "sketch-snap" });
    this.name = el("input", { type: "text", id: "sketch-name", disabled: true, maxlength: 30 });
    this.error = el("p", { class: "error", role: "status" });
    /** Sentence about the location of the keyboard, for screen readers. */
    this.spoken = el("p", { class: "hidden-text", role: "status" });
    /** Vertex and location at which the present press began. */
    this.action = /** @type {{from: number, start: Point, now: Point} | null} */ (null);
    this.chosen = -1;
    this.joinFrom = -1;
    /** Location of the keyboard, in steps of the grid. */
    this.aim = { x: 2, y: 2 };
    this.byKeys = false;
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  height() {
    return this.root.clientHeight || 352;
  }

  /** Location in pixels of a vertex. @param {Point} dot */
  screen(dot) {
    return { x: (dot.x + 1) * GRID, y: this.height() - (dot.y + 1) * GRID };
  }

  /** @param {PointerEvent} event */
  at(event) {
    const box = this.root.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Location in steps of the grid, snapped. @param {Point} p */
  place(p) {
    const unit = this.snap.checked ? 2 : 20;
    return {
      x: Math.round((p.x / GRID - 1) * unit) / unit,
      y: Math.round(((this.height() - p.y) / GRID - 1) * unit) / unit,
    };
  }

  /** Vertex at a location in pixels, or -1. @param {Point} p */
  hit(p) {
    let [best, least] = [-1, REACH];
    this.sketch.now.dots.forEach((dot, i) => {
      const s = this.screen(dot);
      const distance = Math.hypot(s.x - p.x, s.y - p.y);
      if (distance <= least) [best, least] = [i, distance];
    });
    return best;
  }

  listen() {
    const { root, name } = this;
    root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.byKeys = false;
      const start = this.at(event);
      root.setPointerCapture(event.pointerId);
      this.action = { from: this.hit(start), start, now: start };
    });
    root.addEventListener("pointermove", (event) => {
      if (!this.action || this.action.from < 0) return;
      this.action.now = this.at(event);
      this.draw();
    });
    root.addEventListener("pointerup", (event) => this.release(this.at(event)));
    root.addEventListener("pointercancel", () => {
      this.action = null;
      this.draw();
    });
    root.addEventListener("keydown", (event) => this.key(event));
    name.addEventListener("change", () => {
      if (this.chosen < 0) return;
      this.error.textContent = this.sketch.rename(this.chosen, name.value.trim());
      this.update();
    });
  }

  /** @param {Point} p */
  release(p) {
    const { action, sketch } = this;
    this.action = null;
    if (!action) return;
    const found = this.hit(p);
    const { from, start } = action;
    if (from >= 0 && found >= 0 && found !== from) {
      sketch.join(from, found);
    } else if (from >= 0) {
      this.chosen = this.chosen === from ? -1 : from;
    } else if (found < 0 && Math.hypot(p.x - start.x, p.y - start.y) < SLACK) {
      const spot = this.place(p);
      sketch.add(spot.x, spot.y);
      this.chosen = -1;
    }
    this.update();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { sketch, aim } = this;
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      event.key
    ];
    const letter = event.key.toLowerCase();
    const under = this.hit(this.screen(aim));
    if (by) {
      const step = this.snap.checked ? 0.5 : 0.25;
      aim.x += by[0] * step;
      aim.y += by[1] * step;
    } else if (event.key === "Enter" || event.key === " ") {
      if (under < 0) sketch.add(aim.x, aim.y);
      else this.chosen = this.chosen === under ? -1 : under;
    } else if (letter === "e" && under >= 0) {
      const joins = this.joinFrom >= 0 && this.joinFrom !== under;
      if (joins) sketch.join(this.joinFrom, under);
      this.joinFrom = joins || this.joinFrom === under ? -1 : under;
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.removeChosen();
    } else if (event.ctrlKey && letter === "z") {
      sketch.undo();
    } else if (event.ctrlKey && letter === "y") {
      sketch.redo();
    } else {
      return;
    }
    this.byKeys = true;
    event.preventDefault();
    event.stopPropagation();
    this.update();
    this.speak();
  }

  /** Says where the keyboard is, and what is there. */
  speak() {
    const { sketch, aim } = this;
    const under = this.hit(this.screen(aim));
    const words = [`${aim.x}, ${aim.y}`];
    if (under >= 0) words.push(`vertex ${sketch.now.dots[under].name}`);
    if (under >= 0 && under === this.chosen) words.push("chosen");
    if (under >= 0 && under === this.joinFrom) words.push("to be joined");
    this.spoken.textContent = words.join(", ");
  }

  removeChosen() {
    if (this.chosen < 0) return;
    this.sketch.remove(this.chosen);
    this.chosen = -1;
    this.joinFrom = -1;
  }

  draw() {
    const { sketch, root, chosen, action, name } = this;
    const [width, height] = [root.clientWidth || 500, this.height()];
    const parts = [];
    /** @param {string} look @param {Point} p @param {Point} q */
    const line = (look, p, q) =>
      parts.push(svg("path", { class: look, d: `M${px(p.x)} ${px(p.y)}L${px(q.x)} ${px(q.y)}` }));
    for (let x = GRID; x < width; x += GRID) line("grid", { x, y: 0 }, { x, y: height });
    for (let y = height - GRID; y > 0; y -= GRID) line("grid", { x: 0, y }, { x: width, y });
    const { dots, edges } = sketch.now;
    for (const [a, b] of edges) line("link", this.screen(dots[a]), this.screen(dots[b]));
    if (action && action.from >= 0) line("new-link", this.screen(dots[action.from]), action.now);
    dots.forEach((dot, i) => {
      const { x, y } = this.screen(dot);
      parts.push(
        svg("circle", {
          class: "dot",
          cx: px(x),
          cy: px(y),
          r: RADIUS,
          "data-chosen": i === chosen || i === this.joinFrom ? "true" : null,
          "data-sketch": dot.name,
        }),
        svg("text", { x: px(x), y: px(y) }, dot.name.slice(0, 4)),
      );
    });
    if (this.byKeys) {
      const { x, y } = this.screen(this.aim);
      const r = RADIUS + 4;
      parts.push(svg("circle", { class: "new-link", cx: px(x), cy: px(y), r, fill: "none" }));
    }
    root.replaceChildren(...parts);
    name.disabled = chosen < 0;
    name.value = chosen < 0 ? "" : dots[chosen].name;
  }

  update() {
    const { dots } = this.sketch.now;
    if (this.chosen >= dots.length) this.chosen = -1;
    if (this.joinFrom >= dots.length) this.joinFrom = -1;
    this.draw();
    this.changed(dots.length > 0 ? this.sketch.spec() : "");
  }
}

/**
 * Builds the editor.
 * @param {(spec: string) => void} changed Called with the spec after each change.
 */
export function sketchPad(changed) {
  const pad = new Pad(changed);
  /** @param {string} text @param {() => void} act */
  const button = (text, act) =>
    el(
      "button",
      {
        type: "button",
        click: () => {
          act();
          pad.update();
        },
      },
      text,
    );
  return el(
    "div",
    { class: "stack" },
    el(
      "p",
      { class: "note", id: "sketch-help" },
      "Click to add a vertex. Drag from one to another to join or separate them. Click a vertex " +
        "to choose it. By keyboard: arrows, Enter adds or chooses, E joins, Delete removes.",
    ),
    pad.root,
    el(
      "div",
      { class: "row" },
      button("Undo", () => pad.sketch.undo()),
      button("Redo", () => pad.sketch.redo()),
      button("Delete vertex", () => pad.removeChosen()),
      button("Clear", () => pad.sketch.clear()),
      el("label", { class: "check" }, pad.snap, "Snap to grid"),
    ),
    el("label", { class: "field" }, el("span", {}, "Name of the chosen vertex"), pad.name),
    pad.error,
    pad.spoken,
  );
}
