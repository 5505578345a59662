/**
 * Parts that all views of a board share: the window, zoom and pan, and the sites of vertices.
 */

/**
 * Drawn copy of a vertex. Locations are in pixels at zoom 1.
 * @typedef {object} Site
 * @property {string} key Text that is the same as long as the element of the site can stay.
 * @property {number} vertex
 * @property {number} x
 * @property {number} y
 * @property {number} r Radius of a stone.
 * @property {boolean} image True for a copy past a seam.
 * @property {string} tile Tile of a copy, as `i,j`.
 * @property {number} z Depth from -1, behind, to 1, in front; 0 in the plane.
 * @property {boolean} hidden True behind the body of a solid.
 * @property {boolean} [faded] True outside the chosen layer of a lattice.
 */

/** @typedef {"left" | "right" | "top" | "bottom"} Side */

/**
 * Name of a column or row, in pixels of the screen.
 * @typedef {object} Ruler
 * @property {string} text
 * @property {number} x
 * @property {number} y
 * @property {Side} side
 */

/** Zoom limits: factors of the picture that fits the window. */
const LEAST_ZOOM = 0.25;
const MOST_ZOOM = 8;
/** Maximum distance in pixels between neighbors at zoom 1, so that small boards stay calm. */
export const MOST_STEP = 96;

/**
 * Returns an offset along one axis that leaves part of the picture in the window.
 * @param {number} offset
 * @param {number} size
 * @param {number} k
 */
export function keep(offset, size, k) {
  return Math.min(Math.max(offset, size * 0.1 - size * 0.9 * k), size * 0.9);
}

/**
 * Rounds a coordinate of an edge: a tenth of a pixel cannot be seen in a line.
 * @param {number} value
 */
export function cut(value) {
  return Math.round(value * 10) / 10;
}

/**
 * Returns the path of a straight edge.
 * @param {import("./geometry.js").Point} p
 * @param {import("./geometry.js").Point} q
 */
export function stroke(p, q) {
  return `M${cut(p.x)} ${cut(p.y)}L${cut(q.x)} ${cut(q.y)}`;
}

/** Window with an affine view. Subclasses say where vertices are. */
export class Scene {
  /** @param {import("./types.js").Board} board */
  constructor(board) {
    this.board = board;
    this.width = 300;
    this.height = 300;
    this.view = { x: 0, y: 0, k: 1 };
    /** @type {Site[]} */
    this.sites = [];
    /** Usual distance between neighbors, in pixels at zoom 1. */
    this.step = 40;
    this.kind = "flat";
    /** Largest zoom-out. */
    this.least = LEAST_ZOOM;
  }

  /**
   * Fits the picture into a window.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.width = Math.max(width, 50);
    this.height = Math.max(height, 50);
    this.arrange();
  }

  /**
   * Takes over zoom and pan of an earlier scene.
   * @param {Scene} before
   */
  resume(before) {
    if (before.kind === this.kind) this.view = { ...before.view };
  }

  /** Computes all sites. */
  arrange() {}

  /** Returns the path of all edges, in pixels at zoom 1. */
  lines() {
    return "";
  }

  /** Returns the path of the border of the fundamental rectangle, or an empty one. */
  outline() {
    return "";
  }

  /** Returns the path of the arrows on that border, or an empty one. */
  arrows() {
    return "";
  }

  /** Returns the names of columns and rows on each side of the board. */
  rulers() {
    return /** @type {Ruler[]} */ ([]);
  }

  /**
   * Returns the sides of the window at which points reach below the rulers.
   * @param {Ruler[]} rulers
   */
  crossed(rulers) {
    const { x: left, y: top, k } = this.view;
    const gaps = /** @type {[Side, (p: {x: number, y: number}) => number][]} */ ([
      ["left", ({ x }) => x],
      ["right", ({ x }) => this.width - x],
      ["top", ({ y }) => y],
      ["bottom", ({ y }) => this.height - y],
    ]);
    return gaps
      .filter(([side, gap]) => {
        const ruler = rulers.find((one) => one.side === side);
        if (!ruler) return false;
        const least = gap(ruler);
        return this.sites.some(
          ({ x, y, r }) => gap({ x: x * k + left, y: y * k + top }) - r * k < least,
        );
      })
      .map(([side]) => side);
  }

  /**
   * Moves the picture by pixels of the screen. Returns true if the sites changed.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.clamp();
    return this.settle();
  }

  /** Keeps at least part of the picture in the window. */
  clamp() {
    const { view, width, height } = this;
    view.x = keep(view.x, width, view.k);
    view.y = keep(view.y, height, view.k);
  }

  /** Brings the sites up to date after a change of the view. Returns true if they changed. */
  settle() {
    return false;
  }

  /**
   * Zooms about a point of the screen.
   * @param {number} x
   * @param {number} y
   * @param {number} factor
   */
  zoom(x, y, factor) {
    const { view } = this;
    const k = Math.min(MOST_ZOOM, Math.max(this.least, view.k * factor));
    view.x = x - ((x - view.x) * k) / view.k;
    view.y = y - ((y - view.y) * k) / view.k;
    view.k = k;
    this.clamp();
    return this.settle();
  }

  fit() {
    this.view = { x: 0, y: 0, k: 1 };
    this.settle();
  }

  /**
   * Turns the picture, where that is possible. Returns true if the sites changed.
   * @param {{x: number, y: number}} _from
   * @param {{x: number, y: number}} _to
   */
  rotate(_from, _to) {
    return false;
  }

  /** True if a drag rotates instead of panning. */
  get turns() {
    return false;
  }

  /** True if vertices lie above each other, so that names would cover each other. */
  get crowded() {
    return false;
  }

  /** Attributes of the view for tests and scripts. */
  attributes() {
    return /** @type {Record<string, string>} */ ({ "data-view": this.kind });
  }

  /**
   * Location on the screen as one in pixels at zoom 1.
   * @param {number} x
   * @param {number} y
   */
  inside(x, y) {
    const { view } = this;
    return { x: (x - view.x) / view.k, y: (y - view.y) / view.k };
  }
}
