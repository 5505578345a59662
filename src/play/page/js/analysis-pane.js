/**
 * Pane of the analysis: figures of the position and a table of candidates.
 */

import { candidates, signed } from "./candidates.js";
import { counted, el, refill } from "./dom.js";
import { title } from "./stones.js";

const LEGEND = [
  ["best", "the move that the engine would play now"],
  ["good", "loses less than 2 % against it"],
  ["doubtful", "loses 2 to 5 %"],
  ["mistake", "loses 5 to 15 %"],
  ["blunder", "loses more than 15 %"],
];

/**
 * @param {import("./session.js").Session} session
 */
export function analysisPane(session) {
  const summary = el("p", { "aria-live": "off" });
  const head = ["Move", "Win %", "Score", "Visits", "Line"].map((text) =>
    el("th", { scope: "col", class: text === "Line" ? "line" : null }, text),
  );
  const body = el("tbody");
  const table = el(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": "Candidate moves" },
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), body),
  );
  const legend = el(
    "details",
    {},
    el("summary", {}, "Meaning of the colors"),
    el(
      "ul",
      { class: "legend" },
      ...LEGEND.map(([rank, text]) =>
        el("li", {}, el("span", { class: `rank rank-${rank}` }), `${rank}: ${text}`),
      ),
      el("li", {}, "Large number: win rate in percent of the color to move. Small number: visits."),
      el("li", {}, "The order is the engine's own. It weighs visits above the win rate."),
    ),
  );
  /** Rows by the name of their move, and the node that they belong to. */
  let rows = new Map();
  let shown = -1;
  /** The latest analysis. @type {import("./types.js").Analysis | null} */
  let latest = null;
  const draw = () => {
    const { model, board, state } = session;
    const { analysis } = model;
    if (!board || !analysis) {
      shown = -1;
      const { node, game } = latest ?? {};
      // After a stop, the figures of the position stay.
      if (board && latest && state?.node === node && state?.game === game && !state?.analysis) {
        summary.textContent = `Stopped. ${figures(latest)}`;
        return;
      }
      latest = null;
      summary.textContent = state?.analysis
        ? "The engine is about to analyze."
        : "Analyze shows the engine's candidates, their lines, and who owns which points.";
      refill(body, []);
      return;
    }
    latest = analysis;
    summary.textContent = figures(analysis);
    const list = candidates(analysis, board.indices);
    // While the keyboard is on a button of the table, rows keep their places.
    if (shown === analysis.node && body.querySelector(":focus-visible")) {
      for (const one of list) rows.get(one.alias)?.update(one);
      return;
    }
    shown = analysis.node;
    rows = new Map(list.map((one) => [one.alias, rowOf(session, one)]));
    refill(
      body,
      [...rows.values()].map(({ row }) => row),
    );
  };
  session.store.on(["analysis", "state", "board"], draw);
  draw();
  return el("div", { class: "stack" }, summary, table, legend);
}

/**
 * Returns the figures of the whole position as text.
 * @param {import("./types.js").Analysis} analysis
 */
function figures({ root, color }) {
  const rate = Math.round(100 * root.winrate);
  return `${title(color)}: win rate ${rate} %, score ${signed(root.lead)}, ${counted(root.visits, "visit")}`;
}

/**
 * Row of a candidate, with a function that brings its figures up to date.
 * @param {import("./session.js").Session} session
 * @param {import("./candidates.js").Candidate} first
 */
function rowOf(session, { vertex, alias, ...first }) {
  const show = (/** @type {number} */ shown) => {
    session.ui.variation = shown;
    session.changed("ghost");
  };
  const button = el(
    "button",
    {
      type: "button",
      title: "Play this move",
      click: () => void session.play(vertex),
      focus: () => show(vertex),
      blur: () => show(-1),
    },
    alias,
  );
  const rank = el("span");
  const [rate, lead, visits] = [el("td"), el("td"), el("td")];
  const line = el("td", { class: "line" });
  const row = el("tr", {}, el("td", {}, rank, button), rate, lead, visits, line);
  row.addEventListener("mouseenter", () => show(vertex));
  row.addEventListener("mouseleave", () => show(-1));
  /** @param {Omit<import("./candidates.js").Candidate, "vertex" | "alias">} one */
  const update = (one) => {
    rank.className = `rank rank-${one.rank}`;
    rank.title = one.rank;
    rate.textContent = one.rate;
    lead.textContent = one.lead;
    visits.textContent = one.visits;
    line.title = one.pv.join(" ");
    line.textContent = one.pv.slice(1, 8).join(" ");
  };
  update(first);
  return { row, update };
}
