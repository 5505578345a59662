/**
 * View of a board that wraps: copies continue past every seam, and the picture scrolls without end.
 */

import { MOST_STEP, Scene, keep } from "./scene.js";
import { backward, copies, period } from "./surface.js";

/** Maximum number of drawn copies: it limits the zoom-out. */
const MOST_COPIES = 4000;
/** Maximum number of boards that fit side by side in the window. */
const MOST_BOARDS = 5;
/** Lattice steps around one board at zoom 1, so that the copies can be seen. */
const BESIDE = 3;

export class WrapScene extends Scene {
  /** @param {import("./types.js").Board} board */
  constructor(board) {
    super(board);
    this.kind = "wrap";
    this.surface = /** @type {import("./surface.js").Surface} */ (board.surface);
    this.range = "";
  }

  arrange() {
    const { width, height } = this.surface;
    const [beyondX, beyondY] = [
      this.surface.acrossX ? BESIDE : 1.2,
      this.surface.acrossY ? BESIDE : 1.2,
    ];
    this.step = Math.min(
      this.width / (width - 1 + 2 * beyondX),
      this.height / (height - 1 + 2 * beyondY),
      MOST_STEP,
    );
    const zoomed = Math.sqrt((this.width * this.height) / (MOST_COPIES * this.step * this.step));
    const boards = Math.max(
      this.width / (MOST_BOARDS * width * this.step),
      this.height / (MOST_BOARDS * height * this.step),
    );
    this.least = Math.min(1, Math.max(zoomed, boards, 0.25));
    this.range = "";
    this.settle();
  }

  /**
   * Location in pixels at zoom 1 of a lattice point.
   * @param {number} X
   * @param {number} Y
   */
  screen(X, Y) {
    const { width, height } = this.surface;
    return {
      x: this.width / 2 + (X - (width - 1) / 2) * this.step,
      y: this.height / 2 - (Y - (height - 1) / 2) * this.step,
    };
  }

  /** Lattice point of a location in pixels at zoom 1. @param {number} x @param {number} y */
  lattice(x, y) {
    const { width, height } = this.surface;
    return {
      X: (x - this.width / 2) / this.step + (width - 1) / 2,
      Y: (height - 1) / 2 - (y - this.height / 2) / this.step,
    };
  }

  clamp() {
    const { view, surface, step } = this;
    const length = period(surface);
    // The picture repeats after a period, so the offset stays small.
    const over = { x: length.x * step * view.k, y: length.y * step * view.k };
    if (over.x > 0) view.x -= over.x * Math.round((view.x - this.rest().x) / over.x);
    else view.x = keep(view.x, this.width, view.k);
    if (over.y > 0) view.y -= over.y * Math.round((view.y - this.rest().y) / over.y);
    else view.y = keep(view.y, this.height, view.k);
  }

  /** Offset that leaves the middle of the board in the middle of the window. */
  rest() {
    return { x: (this.width / 2) * (1 - this.view.k), y: (this.height / 2) * (1 - this.view.k) };
  }

  settle() {
    const low = this.inside(0, 0);
    const high = this.inside(this.width, this.height);
    const a = this.lattice(low.x, high.y);
    const b = this.lattice(high.x, low.y);
    const window = {
      left: Math.floor(a.X),
      right: Math.ceil(b.X),
      low: Math.floor(a.Y),
      high: Math.ceil(b.Y),
    };
    const range = Object.values(window).join();
    if (range === this.range) return false;
    this.range = range;
    this.window = window;
    this.sites = copies(this.surface, window).map(({ X, Y, vertex, i, j, principal }) => ({
      key: principal ? `v${vertex}` : `${X},${Y}`,
      vertex,
      ...this.screen(X, Y),
      r: 0.47 * this.step,
      image: !principal,
      tile: `${i},${j}`,
      z: 0,
      hidden: false,
    }));
    return true;
  }

  fit() {
    this.view = { x: 0, y: 0, k: 1 };
    this.range = "";
    this.settle();
  }

  lines() {
    const { surface } = this;
    const window = this.window ?? { left: 0, right: 0, low: 0, high: 0 };
    const [left, right] = surface.acrossX
      ? [window.left - 1, window.right + 1]
      : [0, surface.width - 1];
    const [low, high] = surface.acrossY
      ? [window.low - 1, window.high + 1]
      : [0, surface.height - 1];
    const parts = [];
    for (let X = left; X <= right; X++) {
      const [p, q] = [this.screen(X, low), this.screen(X, high)];
      parts.push(`M${p.x} ${p.y}L${q.x} ${q.y}`);
    }
    for (let Y = low; Y <= high; Y++) {
      const [p, q] = [this.screen(left, Y), this.screen(right, Y)];
      parts.push(`M${p.x} ${p.y}L${q.x} ${q.y}`);
    }
    return parts.join("");
  }

  /**
   * Sides of the tiles in the window, each with its direction.
   * @returns {{a: {x: number, y: number}, b: {x: number, y: number}}[]}
   */
  sides() {
    const { surface } = this;
    const { width, height } = surface;
    const window = this.window ?? { left: 0, right: 0, low: 0, high: 0 };
    const tiles = {
      left: surface.acrossX ? Math.floor(window.left / width) : 0,
      right: surface.acrossX ? Math.ceil(window.right / width) : 1,
      low: surface.acrossY ? Math.floor(window.low / height) : 0,
      high: surface.acrossY ? Math.ceil(window.high / height) : 1,
    };
    const odd = (/** @type {number} */ value) => Math.abs(value) % 2 === 1;
    /** @param {number} i @param {number} j */
    const corner = (i, j) => this.screen(i * width - 0.5, j * height - 0.5);
    const found = [];
    for (let i = tiles.left; surface.acrossX && i <= tiles.right; i++) {
      for (let j = tiles.low; j < tiles.high; j++) {
        const [a, b] = [corner(i, j), corner(i, j + 1)];
        found.push(surface.mirrorsY && odd(i) ? { a: b, b: a } : { a, b });
      }
    }
    for (let j = tiles.low; surface.acrossY && j <= tiles.high; j++) {
      for (let i = tiles.left; i < tiles.right; i++) {
        const [a, b] = [corner(i, j), corner(i + 1, j)];
        found.push(surface.mirrorsX && odd(j) ? { a: b, b: a } : { a, b });
      }
    }
    return found;
  }

  outline() {
    return this.sides()
      .map(({ a, b }) => `M${a.x} ${a.y}L${b.x} ${b.y}`)
      .join("");
  }

  /** Arrows on the sides, as in textbooks: sides with equal direction are glued. */
  arrows() {
    const size = 0.13 * this.step;
    return this.sides()
      .map(({ a, b }) => {
        const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
        const d = { x: ((b.x - a.x) / length) * size, y: ((b.y - a.y) / length) * size };
        const tip = { x: (a.x + b.x) / 2 + d.x, y: (a.y + b.y) / 2 + d.y };
        const back = { x: tip.x - 2.2 * d.x, y: tip.y - 2.2 * d.y };
        return (
          `M${back.x - d.y} ${back.y + d.x}L${tip.x} ${tip.y}` + `L${back.x + d.y} ${back.y - d.x}Z`
        );
      })
      .join("");
  }

  rulers() {
    const { surface, view, board } = this;
    const window = this.window ?? { left: 0, right: 0, low: 0, high: 0 };
    /** @type {import("./scene.js").Ruler[]} */
    const found = [];
    /** @param {number} X @param {number} Y */
    const on = (X, Y) => {
      const at = this.screen(X, Y);
      return { x: at.x * view.k + view.x, y: at.y * view.k + view.y };
    };
    const gap = 0.75 * this.step * view.k;
    const sides = { left: 11, right: this.width - 11, top: 11, bottom: this.height - 11 };
    const [columns, rows] = [
      surface.acrossX ? [window.left, window.right] : [0, surface.width - 1],
      surface.acrossY ? [window.low, window.high] : [0, surface.height - 1],
    ];
    if (!surface.acrossX) {
      sides.left = Math.max(11, on(0, 0).x - gap);
      sides.right = Math.min(this.width - 11, on(surface.width - 1, 0).x + gap);
    }
    if (!surface.acrossY) {
      sides.bottom = Math.min(this.height - 11, on(0, 0).y + gap);
      sides.top = Math.max(11, on(0, surface.height - 1).y - gap);
    }
    for (let X = columns[0]; X <= columns[1]; X++) {
      const x = on(X, 0).x;
      for (const [Y, side] of /** @type {const} */ ([
        [rows[0], "bottom"],
        [rows[1], "top"],
      ])) {
        const cell = backward(surface, X, Y);
        if (cell) found.push({ text: letters(board.aliases[cell.x]), x, y: sides[side], side });
      }
    }
    for (let Y = rows[0]; Y <= rows[1]; Y++) {
      const y = on(0, Y).y;
      for (const [X, side] of /** @type {const} */ ([
        [columns[0], "left"],
        [columns[1], "right"],
      ])) {
        const cell = backward(surface, X, Y);
        if (!cell) continue;
        const text = digits(board.aliases[cell.y * surface.width]);
        found.push({ text, x: sides[side], y, side });
      }
    }
    return found;
  }

  /**
   * Moves the window so that a copy of a vertex is in it. Returns true if the sites changed.
   * @param {number} x
   * @param {number} y
   */
  reveal(x, y) {
    const at = { x: x * this.view.k + this.view.x, y: y * this.view.k + this.view.y };
    const rim = 1.5 * this.step * this.view.k;
    const dx = Math.max(rim - at.x, 0) + Math.min(this.width - rim - at.x, 0);
    const dy = Math.max(rim - at.y, 0) + Math.min(this.height - rim - at.y, 0);
    return dx !== 0 || dy !== 0 ? this.pan(dx, dy) : false;
  }
}

/** @param {string} alias */
const letters = (alias) => alias.replace(/\d+$/, "");
/** @param {string} alias */
const digits = (alias) => alias.replace(/^\D+/, "");
