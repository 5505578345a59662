/**
 * Pane with all points as a table that can be sorted, for readers who do not see the board and for
 * boards that are too large to draw.
 */

import { el, refill } from "./dom.js";
import { COLORS } from "./store.js";

/** Maximum number of rows. The search field narrows longer lists. */
const MOST_ROWS = 400;

/**
 * Number of liberties of the chain at each vertex; 0 on empty ones.
 * @param {string[]} stones
 * @param {number[][]} neighbors
 */
export function liberties(stones, neighbors) {
  const found = stones.map(() => 0);
  const seen = new Set();
  stones.forEach((color, start) => {
    if (color === "empty" || seen.has(start)) return;
    const chain = [start];
    const free = new Set();
    seen.add(start);
    for (let at = 0; at < chain.length; at++) {
      for (const next of neighbors[chain[at]] ?? []) {
        if (stones[next] === "empty") free.add(next);
        else if (stones[next] === color && !seen.has(next)) {
          seen.add(next);
          chain.push(next);
        }
      }
    }
    for (const vertex of chain) found[vertex] = free.size;
  });
  return found;
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("./board-view.js").BoardView} view
 */
export function pointsPane(session, view) {
  const search = el("input", { type: "search", placeholder: "Name, label, or color" });
  const body = el("tbody");
  const note = el("p", { class: "note" });
  /** @type {"index" | "label" | "color" | "liberties"} */
  let key = "index";
  const keys = /** @type {const} */ ([
    ["index", "Point"],
    ["label", "Label"],
    ["color", "Stone"],
    ["liberties", "Liberties"],
  ]);
  const heads = keys.map(([name, text]) =>
    el(
      "th",
      { scope: "col" },
      el(
        "button",
        {
          type: "button",
          click: () => {
            key = name;
            draw();
          },
        },
        text,
      ),
    ),
  );
  let open = false;

  const draw = () => {
    const { board, state } = session;
    if (!open || !board || !state) return;
    const stones = view.picture.stones;
    const counts = liberties(stones, board.neighbors);
    const words = search.value.trim().toLowerCase();
    const rows = board.aliases.map((alias, index) => ({
      index,
      alias,
      label: board.labels[index] ?? alias,
      color: stones[index] ?? "empty",
      liberties: counts[index],
    }));
    const kept = rows.filter(
      (row) =>
        words === "" ||
        row.alias.toLowerCase() === words ||
        row.label.toLowerCase().includes(words) ||
        row.color === words,
    );
    kept.sort(order(key));
    note.textContent =
      kept.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${kept.length} points.` : "";
    for (const [i, head] of heads.entries()) {
      head.setAttribute("aria-sort", keys[i][0] === key ? "ascending" : "none");
    }
    refill(
      body,
      kept.slice(0, MOST_ROWS).map((row) => rowOf(view, row)),
    );
  };
  search.addEventListener("input", draw);
  session.store.on(["state", "board"], () => requestAnimationFrame(draw));
  return {
    body: el(
      "div",
      { class: "stack" },
      el("label", { class: "field" }, el("span", {}, "Find a point"), search),
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "group", "aria-label": "Points" },
        el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body),
      ),
      note,
    ),
    shown: () => {
      open = true;
      draw();
    },
  };
}

/** @typedef {{index: number, alias: string, label: string, color: string, liberties: number}} Row */

/**
 * Row of a point. Its button does what a click on the board does: it plays, marks dead stones, or
 * sets up a stone.
 * @param {import("./board-view.js").BoardView} view
 * @param {Row} row
 */
function rowOf(view, row) {
  const choose = (/** @type {MouseEvent} */ event) =>
    view.tell("choose", { vertex: row.index, touch: false, shift: event.shiftKey });
  return el(
    "tr",
    {},
    el("td", {}, el("button", { type: "button", click: choose }, row.alias)),
    el("td", {}, row.label),
    el("td", {}, row.color),
    el("td", {}, row.liberties ? String(row.liberties) : ""),
  );
}

/**
 * Returns the comparison of rows by a column.
 * @param {"index" | "label" | "color" | "liberties"} key
 * @returns {(a: Row, b: Row) => number}
 */
function order(key) {
  /** @param {string} color */
  const rank = (color) => (color === "empty" ? 99 : COLORS.indexOf(color));
  return (a, b) => {
    if (key === "label") return a.label.localeCompare(b.label, "en", { numeric: true });
    if (key === "color") return rank(a.color) - rank(b.color) || a.index - b.index;
    if (key === "liberties") {
      const [x, y] = [a.liberties || Infinity, b.liberties || Infinity];
      return x === y ? a.index - b.index : x - y;
    }
    return a.index - b.index;
  };
}
