/**
 * Graph of win rate and score over the game, from Black's view, with the worst moves marked.
 */

import { counted, el, oncePerFrame, svg } from "./dom.js";
import { rankOf, signed } from "./candidates.js";
import { mainLine } from "./store.js";

/** Number of moves that are marked as worst. */
const WORST = 5;
/** Smallest loss of win probability that is marked. */
const LEAST_LOSS = 0.05;
const SIZE = { width: 380, height: 132, left: 30, right: 34, top: 8, bottom: 18 };

/**
 * Moves with the largest loss, from the win rates of a line of nodes.
 * @param {import("./types.js").TreeNode[]} line
 */
export function worstMoves(line) {
  const found = [];
  for (let i = 1; i < line.length; i++) {
    const [before, after] = [line[i - 1].winrate, line[i].winrate];
    if (before === undefined || after === undefined) continue;
    const loss = line[i].color === "black" ? before - after : after - before;
    if (loss >= LEAST_LOSS) found.push({ index: i, loss, rank: rankOf(loss) });
  }
  return found.sort((a, b) => b.loss - a.loss).slice(0, WORST);
}

/**
 * Builds the pane of the graph.
 * @param {import("./session.js").Session} session
 */
export function plotPane(session) {
  const picture = svg("svg", {
    class: "plot",
    viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": "Win rate and score of Black over the game",
  });
  const table = el("div", { class: "hidden-text" });
  const note = el("p", { class: "note" });
  /** @type {import("./types.js").TreeNode[]} */
  let line = [];

  /** @param {number} index */
  const x = (index) =>
    SIZE.left + ((SIZE.width - SIZE.left - SIZE.right) * index) / Math.max(line.length - 1, 1);
  /** @param {number} share */
  const y = (share) => SIZE.top + (SIZE.height - SIZE.top - SIZE.bottom) * (1 - share);

  const draw = () => {
    const { model, state } = session;
    if (!state) return;
    line = mainLine(model);
    const most = Math.ceil(Math.max(5, ...line.map((node) => Math.abs(node.lead ?? 0))));
    const lead = (/** @type {number} */ value) => y(0.5 + value / most / 2);
    const worst = worstMoves(line);
    const now = line.findIndex((node) => node.id === state.node);
    const [left, right] = [SIZE.left, SIZE.width - SIZE.right];
    const parts = [
      svg("path", { class: "axis", d: `M${left} ${y(1)}V${y(0)}H${right}V${y(1)}`, fill: "none" }),
      svg("path", { class: "half", d: `M${left} ${y(0.5)}H${right}` }),
      text(left - 4, y(1) + 4, "100", "end"),
      text(left - 4, y(0.5) + 4, "50", "end"),
      text(left - 4, y(0), "0", "end"),
      text(right + 4, y(1) + 4, signed(most).replace(/\.0$/, ""), "start"),
      text(right + 4, y(0), signed(-most).replace(/\.0$/, ""), "start"),
      path(
        "lead",
        line.map((node, i) => point(node.lead, x(i), lead)),
      ),
      path(
        "rate",
        line.map((node, i) => point(node.winrate, x(i), y)),
      ),
    ];
    for (const { index, rank } of worst) {
      const at = { x: x(index), y: y(line[index].winrate ?? 0.5) };
      parts.push(worstMark(at.x, at.y, rank));
      parts.push(text(at.x, Math.max(at.y - 8, 12), String(index), "middle", "worst-text"));
    }
    if (now >= 0) parts.push(svg("path", { class: "now", d: `M${x(now)} ${y(1)}V${y(0)}` }));
    parts.push(
      text((left + right) / 2, SIZE.height - 3, counted(line.length - 1, "move"), "middle"),
    );
    picture.replaceChildren(...parts);
    table.replaceChildren(numbers(line, worst));
    note.textContent = line.some((node) => node.winrate !== undefined)
      ? "Black's view: win rate in percent (solid, left), score (dashed, right). Numbers mark " +
        "the worst moves."
      : "Turn on Analyze to see win rate and score here.";
  };

  /** @param {PointerEvent} event */
  const scrub = (event) => {
    const box = picture.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * SIZE.width;
    const part = (share - SIZE.left) / (SIZE.width - SIZE.left - SIZE.right);
    const index = Math.round(part * (line.length - 1));
    const node = line[Math.min(Math.max(index, 0), line.length - 1)];
    if (node) session.goto(node.id);
  };
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    scrub(event);
  });
  picture.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) scrub(event);
  });
  session.store.on(["state", "tree"], oncePerFrame(draw));
  return el("div", {}, picture, table, note);
}

/**
 * @param {number | undefined} value
 * @param {number} x
 * @param {(value: number) => number} y
 */
function point(value, x, y) {
  return value === undefined ? null : { x, y: y(value) };
}

/**
 * @param {string} look
 * @param {({x: number, y: number} | null)[]} points
 */
function path(look, points) {
  let pen = "M";
  let d = "";
  for (const at of points) {
    if (!at) continue;
    d += `${pen}${at.x.toFixed(1)} ${at.y.toFixed(1)}`;
    pen = "L";
  }
  return svg("path", { class: look, d });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} anchor
 * @param {string} [look]
 */
function text(x, y, words, anchor, look = "") {
  return svg("text", { x, y, "text-anchor": anchor, class: look }, words);
}

/** @param {number} x @param {number} y @param {string} rank */
function worstMark(x, y, rank) {
  const d = rank === "blunder" ? "M0-6L6 0L0 6L-6 0Z" : "M-4-4H4V4H-4Z";
  return svg("path", { class: "worst", d, transform: `translate(${x} ${y})` });
}

/**
 * The same figures as a table, for readers of the page who cannot see the graph.
 * @param {import("./types.js").TreeNode[]} line
 * @param {{index: number, loss: number}[]} worst
 */
function numbers(line, worst) {
  const marked = new Map(worst.map((one) => [one.index, one.loss]));
  const head = ["Move", "Play", "Win rate of Black", "Score of Black", "Loss"];
  const rows = line.flatMap((node, i) => {
    if (node.winrate === undefined) return [];
    const loss = marked.get(i);
    const cells = [
      String(i),
      node.vertex ? `${node.color} ${node.vertex}` : "start",
      `${Math.round(100 * node.winrate)} %`,
      node.lead === undefined ? "" : signed(node.lead),
      loss === undefined ? "" : `${Math.round(100 * loss)} %`,
    ];
    return [el("tr", {}, ...cells.map((cell) => el("td", {}, cell)))];
  });
  return el(
    "table",
    {},
    el("caption", {}, "Win rate and score over the game"),
    el("thead", {}, el("tr", {}, ...head.map((cell) => el("th", { scope: "col" }, cell)))),
    el("tbody", {}, ...rows),
  );
}
