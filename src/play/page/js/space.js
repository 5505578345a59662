/**
 * View of a board in space: it rotates, and vertices behind are smaller and paler.
 */

import { median } from "./geometry.js";
import { drag, lift, matrix, multiply, normalize, turn } from "./quaternion.js";
import { MOST_STEP, Scene, stroke } from "./scene.js";

/** Distance of the eye from the middle, in radii of the board. */
const EYE = 4;
/** Maximum number of layers that can be chosen one by one. */
const MOST_LAYERS = 40;
/** Starting view: slightly from above and from the side. */
const START = multiply(turn([1, 0, 0], 0.38), turn([0, 1, 0], -0.5));

export class SpaceScene extends Scene {
  /** @param {import("./types.js").Board} board */
  constructor(board) {
    super(board);
    this.kind = "space";
    const solid = /** @type {import("./quaternion.js").Vector[]} */ (board.solid);
    const n = Math.max(solid.length, 1);
    const sum = solid.reduce((s, p) => [s[0] + p[0], s[1] + p[1], s[2] + p[2]], [0, 0, 0]);
    const moved = solid.map((p) => [0, 1, 2].map((a) => p[a] - sum[a] / n));
    const far = Math.max(1e-9, ...moved.map((p) => Math.hypot(...p)));
    /** Places with the middle at 0 and the farthest vertex at distance 1. */
    this.unit = moved.map(
      (p) => /** @type {[number, number, number]} */ (p.map((value) => value / far)),
    );
    const lengths = board.edges.map(([a, b]) => this.distance(a, b));
    this.length = Math.min(median(lengths), ...(lengths.length ? lengths : [1]).slice(0, 5000));
    this.body = this.isBody();
    /** Layer of each vertex of a lattice, and the number of layers. */
    this.layers = layersOf(solid.map((p) => p[2]));
    /** Chosen layer, or -1 for all. */
    this.layer = -1;
    /** Factor by which layers are pulled apart. */
    this.spread = 1;
    /** @type {import("./quaternion.js").Quaternion} */
    this.q = START;
    /** Pixels from the middle to the farthest vertex, without and with pulled layers. */
    this.room = 1;
    this.scale = 1;
  }

  /** @param {Scene} before */
  resume(before) {
    super.resume(before);
    if (before instanceof SpaceScene) this.q = before.q;
  }

  /** @param {number} a @param {number} b */
  distance(a, b) {
    return Math.hypot(...[0, 1, 2].map((axis) => this.unit[a][axis] - this.unit[b][axis]));
  }

  /** Returns true if all vertices lie near one sphere: a solid whose back is hidden. */
  isBody() {
    const distances = this.unit.map((p) => Math.hypot(...p));
    return distances.length > 3 && Math.min(...distances) > 0.6;
  }

  get turns() {
    return true;
  }

  get crowded() {
    return !this.body && this.layer < 0;
  }

  /** True if layers can be chosen and pulled apart. */
  get isLattice() {
    return !this.body && this.layers.count > 1 && this.layers.count <= MOST_LAYERS;
  }

  arrange() {
    const room = Math.min(this.width, this.height) / 2;
    this.room = Math.min(room * 0.82, (MOST_STEP * 2.2) / Math.max(this.length, 1e-9));
    this.step = this.room * this.length;
    this.project();
  }

  /** Computes the sites of the present rotation, those behind first. */
  project() {
    const m = matrix(this.q);
    const far = Math.max(1, ...this.unit.map((p) => Math.hypot(p[0], p[1], p[2] * this.spread)));
    this.scale = this.room / far;
    const r = Math.min((this.body ? 0.37 : 0.3) * this.length, 0.16) * this.scale;
    const sites = this.unit.map((p, vertex) => {
      const depth = p[2] * this.spread;
      const x = m[0] * p[0] + m[1] * p[1] + m[2] * depth;
      const y = m[3] * p[0] + m[4] * p[1] + m[5] * depth;
      // The eye stays in front of everything, also when layers are pulled apart.
      const z = Math.min(EYE / 2, m[6] * p[0] + m[7] * p[1] + m[8] * depth);
      const s = EYE / (EYE - z);
      const hidden = this.body && z < -0.02;
      return {
        key: `v${vertex}`,
        vertex,
        x: this.width / 2 + x * s * this.scale,
        y: this.height / 2 - y * s * this.scale,
        r: r * s * (hidden ? 0.62 : 1),
        image: false,
        tile: "",
        z,
        hidden,
        faded: this.layer >= 0 && this.layers.of[vertex] !== this.layer,
      };
    });
    this.byVertex = sites;
    this.sites = [...sites].sort((a, b) => a.z - b.z || a.vertex - b.vertex);
  }

  /** Edges behind the middle, or in front of it. @param {boolean} front */
  edgesAt(front) {
    /** @type {string[]} */
    const parts = [];
    this.eachEdge(front, (p, q) => parts.push(stroke(p, q)));
    return parts.join("");
  }

  /**
   * Calls a function with the ends of each edge behind the middle, or in front of it.
   * @param {boolean} front
   * @param {(p: import("./scene.js").Site, q: import("./scene.js").Site) => void} visit
   */
  eachEdge(front, visit) {
    const at = this.byVertex ?? [];
    for (const edge of this.board.edges) {
      const p = at[edge[0]];
      const q = at[edge[1]];
      const near = this.layer < 0 ? p.z + q.z >= -0.04 : !p.faded && !q.faded;
      if (near === front) visit(p, q);
    }
  }

  lines() {
    return this.edgesAt(true);
  }

  backLines() {
    return this.edgesAt(false);
  }

  /**
   * @param {{x: number, y: number}} from
   * @param {{x: number, y: number}} to
   */
  rotate(from, to) {
    const r = this.scale * this.view.k;
    const middle = {
      x: (this.width / 2) * this.view.k + this.view.x,
      y: (this.height / 2) * this.view.k + this.view.y,
    };
    const a = lift(from.x - middle.x, -(from.y - middle.y), r);
    const b = lift(to.x - middle.x, -(to.y - middle.y), r);
    this.q = multiply(drag(a, b), this.q);
    this.project();
    return true;
  }

  /**
   * Turns about an axis of the screen.
   * @param {"x" | "y"} axis
   * @param {number} angle
   */
  spin(axis, angle) {
    this.q = normalize(multiply(turn(axis === "x" ? [1, 0, 0] : [0, 1, 0], angle), this.q));
    this.project();
    return true;
  }

  fit() {
    this.view = { x: 0, y: 0, k: 1 };
    this.q = START;
    this.project();
  }

  attributes() {
    return { "data-view": this.kind, "data-q": this.q.map((part) => part.toFixed(9)).join(" ") };
  }
}

/**
 * Layer of each vertex, by its third coordinate.
 * @param {number[]} depths
 */
function layersOf(depths) {
  const rounded = depths.map((depth) => Math.round(depth * 1e4));
  const values = [...new Set(rounded)].sort((a, b) => a - b);
  return { of: rounded.map((value) => values.indexOf(value)), count: values.length };
}
