/**
 * Flat view: the drawing of a board in the plane.
 */

import { Index, bounds, median, radii, spacing } from "./geometry.js";
import { MOST_STEP, Scene, cut, stroke } from "./scene.js";

/** Distance, in usual distances, within which an edge runs into a foreign vertex. */
const CLEARANCE = 0.3;
/** Radius of a placement, as a fraction of the radius of a point. */
const PAD = 0.7;
/** Maximum number of edges that are checked for foreign vertices in their way. */
const MOST_CHECKED = 3000;

/**
 * Returns a column letter and a row number of an alias.
 * @param {string} alias
 */
function coordinates(alias) {
  const found = /^([A-Za-z]+)(\d+)$/.exec(alias);
  return found ? { column: found[1], row: found[2] } : { column: alias, row: alias };
}

export class FlatScene extends Scene {
  /** @param {import("./types.js").Board} board */
  constructor(board) {
    super(board);
    this.kind = "flat";
    this.distances = spacing(board.places);
    this.unit = median(this.distances);
    this.radii = radii(this.distances);
    if (board.points) {
      // Placements are discs inside the points, so that stones on the points stay visible.
      const sizes = radii(spacing(board.points.places));
      const { covers } = board.points;
      this.radii = this.radii.map((r, vertex) =>
        Math.min(r, ...covers[vertex].map((point) => PAD * sizes[point])),
      );
    }
    /** @type {import("./geometry.js").Point[]} */
    this.at = [];
    this.scale = 1;
    this.across = new Set();
    for (const { ends } of board.wraps) {
      this.across.add(`${Math.min(...ends)},${Math.max(...ends)}`);
    }
    /** @type {({x: number, y: number} | null)[]} */
    this.bends = this.detours();
  }

  arrange() {
    const { board, width, height } = this;
    const extras = board.points ? board.points.places : [];
    const stubs = board.wraps.flatMap((wrap) =>
      wrap.ends.map((end, k) => middle(board.places[end], wrap.beside[k])),
    );
    const box = bounds([...board.places, ...extras, ...stubs]);
    const rim = (board.rectangle ? 1.15 : 0.75) * this.unit;
    const scale = Math.min(
      (width - 8) / (box.width + 2 * rim),
      (height - 8) / (box.height + 2 * rim),
      MOST_STEP / this.unit,
    );
    const shift = {
      x: width / 2 - scale * (box.x + box.width / 2),
      y: height / 2 - scale * (box.y + box.height / 2),
    };
    this.scale = scale;
    this.shift = shift;
    this.step = scale * this.unit;
    this.at = board.places.map((place) => this.screen(place));
    this.sites = this.at.map(({ x, y }, vertex) => ({
      key: `v${vertex}`,
      vertex,
      x,
      y,
      r: this.radii[vertex] * scale,
      image: false,
      tile: "",
      z: 0,
      hidden: false,
    }));
  }

  /** @param {import("./geometry.js").Point} place */
  screen(place) {
    const shift = this.shift ?? { x: 0, y: 0 };
    return { x: place.x * this.scale + shift.x, y: place.y * this.scale + shift.y };
  }

  lines() {
    const { points } = this.board;
    if (points) {
      const at = points.places.map((place) => this.screen(place));
      return points.edges.map(([a, b]) => stroke(at[a], at[b])).join("");
    }
    const parts = [];
    this.board.edges.forEach(([a, b], i) => {
      if (this.across.has(`${Math.min(a, b)},${Math.max(a, b)}`)) return;
      const [p, q] = [this.at[a], this.at[b]];
      const bend = this.bends[i];
      const via = bend ? this.screen(bend) : null;
      parts.push(
        via
          ? `M${cut(p.x)} ${cut(p.y)}Q${cut(via.x)} ${cut(via.y)} ${cut(q.x)} ${cut(q.y)}`
          : stroke(p, q),
      );
    });
    for (const { ends, beside } of this.board.wraps) {
      for (const k of [0, 1]) {
        const from = this.at[ends[k]];
        const to = middle(from, this.screen(beside[k]));
        parts.push(stroke(from, to));
      }
    }
    return parts.join("");
  }

  /** Control points of the edges that would run into a foreign vertex if they were straight. */
  detours() {
    const { board, unit } = this;
    if (board.edges.length > MOST_CHECKED || board.places.length === 0) return [];
    const index = new Index(board.places);
    return board.edges.map(([a, b]) => {
      const [p, q] = [board.places[a], board.places[b]];
      /** @param {{x: number, y: number}} via */
      const blocked = (via) => {
        const length = Math.hypot(q.x - p.x, q.y - p.y);
        const steps = Math.max(8, Math.min(64, Math.ceil((length / unit) * 6)));
        for (let s = 1; s < steps; s++) {
          const t = s / steps;
          const [u, v, w] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
          const x = u * p.x + v * via.x + w * q.x;
          const y = u * p.y + v * via.y + w * q.y;
          if (index.nearest(x, y, CLEARANCE * unit, (i) => i !== a && i !== b) >= 0) return true;
        }
        return false;
      };
      const straight = middle(p, q);
      if (Math.hypot(q.x - p.x, q.y - p.y) < 1.2 * unit || !blocked(straight)) return null;
      for (const share of [0.25, -0.25, 0.5, -0.5, 0.8, -0.8]) {
        const via = {
          x: straight.x - share * (q.y - p.y),
          y: straight.y + share * (q.x - p.x),
        };
        if (!blocked(via)) return via;
      }
      return null;
    });
  }

  rulers() {
    const { board, view } = this;
    if (!board.rectangle) return [];
    const { width, height } = board.rectangle;
    /** @type {import("./scene.js").Ruler[]} */
    const found = [];
    const gap = 0.78 * this.step * view.k;
    /** @param {number} vertex */
    const on = (vertex) => ({
      x: this.at[vertex].x * view.k + view.x,
      y: this.at[vertex].y * view.k + view.y,
    });
    const first = on(0);
    const last = on(width * height - 1);
    const sides = {
      left: Math.max(first.x - gap, 12),
      right: Math.min(last.x + gap, this.width - 12),
      bottom: Math.min(first.y + gap, this.height - 12),
      top: Math.max(last.y - gap, 12),
    };
    for (let x = 0; x < width; x++) {
      const text = coordinates(board.aliases[x]).column;
      const at = on(x).x;
      found.push({ text, x: at, y: sides.bottom, side: "bottom" });
      found.push({ text, x: at, y: sides.top, side: "top" });
    }
    for (let y = 0; y < height; y++) {
      const text = coordinates(board.aliases[y * width]).row;
      const at = on(y * width).y;
      found.push({ text, x: sides.left, y: at, side: "left" });
      found.push({ text, x: sides.right, y: at, side: "right" });
    }
    return found;
  }
}

/**
 * @param {import("./geometry.js").Point} a
 * @param {import("./geometry.js").Point} b
 */
function middle(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
