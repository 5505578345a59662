/**
 * Picture of the present position: it joins the state of the game with marks and choices.
 */

import { candidates } from "./candidates.js";
import { COLORS, pathTo, stonesOf } from "./store.js";

/** Maximum number of stones of a variation that are shown at once. */
const MOST_VARIATION = 8;

/**
 * Marks and modes of this page, which the server does not know.
 * @typedef {object} Ui
 * @property {{vertex: number, color: string, asks: boolean} | null} ghost Stone before it is
 *   played; `asks` after the first of two taps.
 * @property {{vertex: number, color: string} | null} pending
 * @property {number} hover
 * @property {number} variation Vertex of the candidate whose variation is shown, or -1.
 * @property {string[] | null} setup Stones of the set-up mode, or null.
 * @property {string} setupColor
 * @property {import("./types.js").Scoring | null} estimate Answer of *Score* during play.
 * @property {string[]} chosen Vertices of an answer.
 */

/** @returns {Ui} */
export function blankUi() {
  return {
    ghost: null,
    pending: null,
    hover: -1,
    variation: -1,
    setup: null,
    setupColor: "black",
    estimate: null,
    chosen: [],
  };
}

/**
 * Number of the move that placed each stone, for the stones that a mode shows.
 * @param {import("./store.js").Model} model
 * @param {string[]} stones
 * @param {"none" | "last" | "five" | "all"} mode
 */
export function moveNumbers(model, stones, mode) {
  const numbers = new Map();
  const { board, state } = model;
  if (!board || !state || mode === "none" || mode === "last") return numbers;
  const path = pathTo(model, state.node);
  const least = mode === "five" ? path.length - 5 : 1;
  path.forEach((node, number) => {
    const vertex = node.vertex ? board.indices.get(node.vertex) : undefined;
    if (vertex === undefined) return;
    numbers.delete(vertex);
    if (number >= least && stones[vertex] === node.color) numbers.set(vertex, number);
  });
  return numbers;
}

/**
 * Moves that were played at a point with a later stone, such as "20 at 112".
 * @param {import("./store.js").Model} model
 */
export function reused(model) {
  const { state } = model;
  if (!state) return [];
  /** @type {Map<string, number[]>} */
  const turns = new Map();
  pathTo(model, state.node).forEach((node, number) => {
    if (!node.vertex || node.vertex === "pass" || node.vertex === "resign") return;
    const list = turns.get(node.vertex);
    if (list) list.push(number);
    else turns.set(node.vertex, [number]);
  });
  return [...turns.values()].flatMap((list) =>
    list.slice(0, -1).map((number) => `${number} at ${list[list.length - 1]}`),
  );
}

/**
 * Owner and certainty of each vertex.
 * @param {import("./store.js").Model} model
 * @param {Ui} ui
 * @param {import("./types.js").Settings} settings
 */
function shadesOf(model, ui, settings) {
  const { board, state, ownership, analysis } = model;
  if (!board || !state || ui.setup) return [];
  const scoring = state.scoring ?? ui.estimate;
  if (scoring && (state.phase !== "play" || ui.estimate)) {
    return stonesOf(scoring.owners).map((color) =>
      color === "empty" ? null : { color, share: 1 },
    );
  }
  if (!ownership || !settings.ownership || !analysis) return [];
  const mine = analysis.color;
  const other = state.players.length === 2 ? (mine === "black" ? "white" : "black") : null;
  return ownership.map((share) => {
    const color = share > 0 ? mine : other;
    return color ? { color, share: Math.abs(share) } : null;
  });
}

/**
 * Stones of the principal variation of a candidate, numbered from 1.
 * @param {import("./store.js").Model} model
 * @param {string[]} pv
 */
function variationOf(model, pv) {
  const { board, state } = model;
  if (!board || !state) return [];
  const colors = state.players.length;
  let at = Math.max(0, COLORS.indexOf(state.to_move));
  /** @type {{vertex: number, color: string, number: number}[]} */
  const stones = [];
  const taken = new Set();
  pv.slice(0, MOST_VARIATION).forEach((move, i) => {
    const vertex = board.indices.get(move);
    if (vertex !== undefined && !taken.has(vertex)) {
      taken.add(vertex);
      stones.push({ vertex, color: COLORS[at % colors], number: i + 1 });
    }
    at += 1;
  });
  return stones;
}

/**
 * Updates a picture.
 * @param {import("./layers.js").Picture} picture
 * @param {import("./store.js").Model} model
 * @param {Ui} ui
 * @param {import("./types.js").Settings} settings
 */
export function compose(picture, model, ui, settings) {
  const { board, state } = model;
  if (!board || !state) return;
  const indexed = (/** @type {string[]} */ aliases) =>
    new Set(aliases.map((alias) => board.indices.get(alias) ?? -1));
  const plain = ui.setup === null;
  picture.stones = ui.setup && !board.points ? ui.setup : stonesOf(state.stones);
  picture.points = board.points ? (ui.setup ?? stonesOf(state.points ?? "")) : null;
  picture.legal = state.legal;
  const last = plain && state.last ? board.indices.get(state.last.vertex) : undefined;
  picture.last = last ?? -1;
  picture.covered = new Set(plain ? (state.last?.covered ?? []) : []);
  picture.ko = new Set(plain ? state.ko : []);
  const scoring = state.scoring ?? ui.estimate;
  picture.dead = scoring && plain ? indexed(scoring.dead) : new Set();
  picture.locked = scoring && plain ? indexed(scoring.locked ?? []) : new Set();
  picture.ghost = ui.ghost;
  picture.pending = ui.pending;
  picture.hover = ui.hover;
  const shown = settings.candidates && plain && state.phase !== "score";
  const all = shown ? candidates(model.analysis, board.indices) : [];
  const candidate = all.find((one) => one.vertex === ui.variation);
  picture.variation = candidate && settings.variation ? variationOf(model, candidate.pv) : [];
  picture.candidates = picture.variation.length > 0 ? [] : all;
  picture.shades = shadesOf(model, ui, settings);
  picture.numbers = plain ? moveNumbers(model, picture.stones, settings.numbers) : new Map();
  picture.chosen = ui.chosen
    .map((alias) => board.indices.get(alias))
    .filter((vertex) => vertex !== undefined);
  picture.names = settings.names;
}
