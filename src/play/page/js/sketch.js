/**
 * Model of the graph that is drawn by hand: vertices with names and places, edges, and undo.
 */

/** @typedef {{name: string, x: number, y: number}} Dot */
/** @typedef {{dots: Dot[], edges: [number, number][]}} Drawing */

/** Maximum number of steps that can be undone. */
const MOST_STEPS = 200;

/** @returns {Drawing} */
const blank = () => ({ dots: [], edges: [] });

/** @param {Drawing} drawing */
const copy = (drawing) => ({
  dots: drawing.dots.map((dot) => ({ ...dot })),
  edges: drawing.edges.map(([a, b]) => /** @type {[number, number]} */ ([a, b])),
});

/**
 * Tells whether a text can be the name of a vertex in an `edges:` spec.
 * @param {string} name
 */
export function isName(name) {
  return /^[\p{L}\p{N}_.']+$/u.test(name) && !["pass", "resign"].includes(name.toLowerCase());
}

/** Drawing by hand with its history. The unit is one step of the grid, y upward. */
export class Sketch {
  constructor() {
    this.now = blank();
    /** @type {Drawing[]} */
    this.past = [];
    /** @type {Drawing[]} */
    this.future = [];
  }

  /** Remembers the present drawing before a change. */
  remember() {
    this.past.push(copy(this.now));
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.future = [];
  }

  /**
   * Adds a vertex unless another one is there. Returns its index, or -1.
   * @param {number} x
   * @param {number} y
   */
  add(x, y) {
    if (this.now.dots.some((dot) => Math.hypot(dot.x - x, dot.y - y) < 1e-6)) return -1;
    this.remember();
    this.now.dots.push({ name: this.freeName(), x, y });
    return this.now.dots.length - 1;
  }

  /** Returns the first letter, or letter and number, that no vertex has. */
  freeName() {
    const used = new Set(this.now.dots.map((dot) => dot.name));
    for (let i = 0; ; i++) {
      const round = Math.floor(i / 26);
      const name = String.fromCharCode(97 + (i % 26)) + (round ? String(round) : "");
      if (!used.has(name)) return name;
    }
  }

  /**
   * Joins two vertices, or separates them if they are joined.
   * @param {number} a
   * @param {number} b
   */
  join(a, b) {
    if (a === b) return;
    this.remember();
    const pair = /** @type {[number, number]} */ (a < b ? [a, b] : [b, a]);
    const at = this.now.edges.findIndex((edge) => edge[0] === pair[0] && edge[1] === pair[1]);
    if (at >= 0) this.now.edges.splice(at, 1);
    else this.now.edges.push(pair);
  }

  /**
   * Deletes a vertex and its edges.
   * @param {number} index
   */
  remove(index) {
    this.remember();
    this.now.dots.splice(index, 1);
    /** @param {number} i */
    const shifted = (i) => (i > index ? i - 1 : i);
    this.now.edges = this.now.edges
      .filter(([a, b]) => a !== index && b !== index)
      .map(([a, b]) => [shifted(a), shifted(b)]);
  }

  /**
   * Renames a vertex. Returns an error text, or an empty one.
   * @param {number} index
   * @param {string} name
   */
  rename(index, name) {
    if (name === this.now.dots[index].name) return "";
    if (!isName(name)) return `name '${name}', expected letters, digits, and _ . '`;
    if (this.now.dots.some((dot) => dot.name === name)) return `duplicate name '${name}'`;
    this.remember();
    this.now.dots[index].name = name;
    return "";
  }

  clear() {
    this.remember();
    this.now = blank();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.future.push(this.now);
    this.now = before;
  }

  redo() {
    const after = this.future.pop();
    if (!after) return;
    this.past.push(this.now);
    this.now = after;
  }

  /** Returns the board spec: vertices with their places, in order, then edges. */
  spec() {
    const { dots, edges } = this.now;
    const places = dots.map((dot) => `${dot.name}@${decimal(dot.x)}/${decimal(dot.y)}`);
    const pairs = edges.map(([a, b]) => `${dots[a].name}-${dots[b].name}`);
    return `edges:${[...places, ...pairs].join(",")}`;
  }
}

/** @param {number} value */
function decimal(value) {
  return String(Math.round(value * 100) / 100 + 0);
}
