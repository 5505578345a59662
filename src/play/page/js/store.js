/**
 * State of the page: the board, the position, the tree, and the analysis, as the server sent them.
 * `reduce` is pure, so that tests need no page.
 */

import { surfaceOf } from "./surface.js";

/** Names of the colors in the order of their characters in a position. */
export const COLORS = ["black", "white", "red", "blue", "green", "yellow", "purple", "orange"];
const SIGNS = "XO345678";

/**
 * @typedef {object} Model
 * @property {import("./types.js").Board | null} board
 * @property {import("./types.js").State | null} state
 * @property {Map<number, import("./types.js").TreeNode>} nodes
 * @property {Map<number, number[]>} children Children of each node, the main line first.
 * @property {number} root
 * @property {import("./types.js").Analysis | null} analysis
 * @property {number[] | null} ownership Share of the color to move, from -1 to 1.
 * @property {any} welcome
 */

/** @returns {Model} */
export function initial() {
  return {
    board: null,
    state: null,
    nodes: new Map(),
    children: new Map(),
    root: 0,
    analysis: null,
    ownership: null,
    welcome: null,
  };
}

/**
 * Returns the color of each point of a position text, `empty` where there is no stone.
 * @param {string} text
 */
export function stonesOf(text) {
  return [...text].map((sign) => COLORS[SIGNS.indexOf(sign)] ?? "empty");
}

/**
 * Returns the position text of colors.
 * @param {string[]} stones
 */
export function textOf(stones) {
  return stones.map((color) => SIGNS[COLORS.indexOf(color)] ?? ".").join("");
}

/**
 * Returns the places with these coordinates, with y downward.
 * @param {number[]} [x]
 * @param {number[]} [y]
 */
function zip(x = [], y = []) {
  return x.map((value, i) => ({ x: value, y: -y[i] }));
}

/**
 * Returns the board of a message, with y downward and the neighbors of each vertex.
 * @param {import("./types.js").BoardMessage} message
 * @returns {import("./types.js").Board}
 */
export function boardOf(message) {
  const { alias, x = [], y = [], z, view } = message;
  const edges = message.edges ?? [];
  const places = zip(x, y);
  /** @type {number[][]} */
  const neighbors = alias.map(() => []);
  for (const [a, b] of edges) {
    neighbors[a].push(b);
    neighbors[b].push(a);
  }
  const { sx = x, sy = y } = message;
  const surface =
    view?.kind === "wrap" ? surfaceOf(view.generators, view.width ?? 0, view.height ?? 0) : null;
  const points = message.points;
  return {
    game: message.game,
    rev: message.rev,
    spec: message.spec,
    aliases: alias,
    labels: message.label,
    indices: new Map(alias.map((name, i) => [name, i])),
    places,
    solid: z ? z.map((depth, i) => [sx[i], sy[i], depth]) : null,
    edges,
    neighbors,
    wraps: (message.wraps ?? []).map(({ ends, beside }) => ({
      ends,
      beside: beside.map(([bx, by]) => ({ x: bx, y: -by })),
    })),
    surface,
    rectangle: rectangleOf(places, message),
    stars: new Set(message.stars ?? []),
    points: points
      ? {
          labels: points.label,
          // A go-space that is too large to draw has no places.
          places: zip(points.x, points.y),
          covers: points.covers,
          edges: points.edges ?? [],
        }
      : null,
    weights: message.weights ?? null,
    threshold: message.threshold ?? "",
    handicap: message.handicap ?? 0,
    ruleset: message.ruleset,
    rules: message.rules,
    komi: message.komi,
    warnings: message.warnings ?? [],
    drawable: message.drawable !== false && x.length === alias.length,
  };
}

/**
 * Returns the columns and rows of a board whose vertices fill an upright grid in index order.
 * @param {import("./types.js").Point[]} places
 * @param {import("./types.js").BoardMessage} message
 */
function rectangleOf(places, message) {
  if (message.points || message.z || places.length < 4) return null;
  const found = /^(grid|torus|cylinder|mobius|klein|projective|king):/.test(message.spec);
  if (!found || /[+(]/.test(message.spec)) return null;
  const width = places.findIndex((place) => Math.abs(place.y - places[0].y) > 1e-9);
  if (width < 2 || places.length % width !== 0) return null;
  const height = places.length / width;
  const fits = places.every(
    (place, i) =>
      Math.abs(place.x - places[i % width].x) < 1e-9 &&
      Math.abs(place.y - places[i - (i % width)].y) < 1e-9,
  );
  return fits ? { width, height } : null;
}

/**
 * Children of each node, in the order in which the nodes are listed.
 * @param {Map<number, import("./types.js").TreeNode>} nodes
 */
function childrenOf(nodes) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const node of nodes.values()) {
    if (node.parent === null || node.parent === undefined) continue;
    const list = children.get(node.parent);
    if (list) list.push(node.id);
    else children.set(node.parent, [node.id]);
  }
  return children;
}

/**
 * Applies a message of the server. Returns the names of the parts that changed. Analysis of a node
 * that is not shown is dropped.
 * @param {Model} model
 * @param {any} message
 * @returns {string[]}
 */
export function reduce(model, message) {
  switch (message.type) {
    case "welcome":
      model.welcome = message;
      return ["welcome"];
    case "board":
      model.board = boardOf(message);
      model.state = null;
      model.analysis = null;
      model.ownership = null;
      return ["board"];
    case "tree":
      model.root = message.root;
      model.nodes = new Map(message.nodes.map((/** @type {any} */ node) => [node.id, node]));
      model.children = childrenOf(model.nodes);
      return ["tree"];
    case "node": {
      const known = model.nodes.has(message.node.id);
      model.nodes.set(message.node.id, message.node);
      if (!known && message.node.parent !== null) {
        const list = model.children.get(message.node.parent);
        if (list) list.push(message.node.id);
        else model.children.set(message.node.parent, [message.node.id]);
      }
      return ["tree"];
    }
    case "state": {
      if (model.state && model.state.game === message.game && message.rev < model.state.rev) {
        return [];
      }
      const moved = model.state?.node !== message.node || model.state?.game !== message.game;
      model.state = message;
      if (moved || !message.analysis) {
        model.analysis = null;
        model.ownership = null;
      }
      return ["state"];
    }
    case "analysis": {
      const { state } = model;
      if (!state || state.node !== message.node || state.game !== message.game) return [];
      model.analysis = message;
      if (message.ownership) {
        model.ownership = message.ownership.map((/** @type {number} */ share) => share / 100);
      }
      return ["analysis"];
    }
    default:
      return [];
  }
}

/**
 * Returns the nodes from the root to a node, the root first.
 * @param {Model} model
 * @param {number} node
 */
export function pathTo(model, node) {
  const path = [];
  /** @type {import("./types.js").TreeNode | undefined} */
  let at = model.nodes.get(node);
  while (at && path.length <= model.nodes.size) {
    path.push(at);
    at = at.parent === null || at.parent === undefined ? undefined : model.nodes.get(at.parent);
  }
  return path.reverse();
}

/**
 * Returns the path through the current node, continued along first children.
 * @param {Model} model
 */
export function mainLine(model) {
  const path = pathTo(model, model.state?.node ?? model.root);
  for (;;) {
    const next = model.children.get(path[path.length - 1]?.id ?? -1)?.[0];
    const node = next === undefined ? undefined : model.nodes.get(next);
    if (!node || path.length > model.nodes.size) return path;
    path.push(node);
  }
}

/** Model with listeners for each part. */
export class Store extends EventTarget {
  constructor() {
    super();
    this.model = initial();
  }

  /** @param {any} message */
  receive(message) {
    for (const part of reduce(this.model, message)) this.changed(part);
  }

  /** @param {string} part */
  changed(part) {
    this.dispatchEvent(new Event(part));
  }

  /**
   * Calls a function whenever one of the parts changes.
   * @param {string[]} parts
   * @param {() => void} listener
   */
  on(parts, listener) {
    for (const part of parts) this.addEventListener(part, listener);
  }
}
