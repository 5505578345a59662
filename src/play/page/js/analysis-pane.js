/**
 * Pane of the analysis: figures of the position and a table of candidates.
 */

import { candidates, signed } from "./candidates.js";
import { el } from "./dom.js";
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
  const draw = () => {
    const { model, board, state } = session;
    const { analysis } = model;
    if (!board || !analysis) {
      summary.textContent = state?.analysis
        ? "The engine is about to analyze."
        : "Analyze shows the engine's candidates, their lines, and who owns which points.";
      body.replaceChildren();
      return;
    }
    const { root, color } = analysis;
    summary.textContent =
      `${title(color)}: win rate ${Math.round(100 * root.winrate)} %, ` +
      `score ${signed(root.lead)}, ${root.visits} visits`;
    body.replaceChildren(...candidates(analysis, board.indices).map((one) => rowOf(session, one)));
  };
  session.store.on(["analysis", "state", "board"], draw);
  draw();
  return el("div", { class: "stack" }, summary, table, legend);
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("./candidates.js").Candidate} one
 */
function rowOf(session, one) {
  const show = (/** @type {number} */ vertex) => {
    session.ui.variation = vertex;
    session.changed("ghost");
  };
  const button = el(
    "button",
    {
      type: "button",
      title: "Play this move",
      click: () => void session.play(one.vertex),
      focus: () => show(one.vertex),
      blur: () => show(-1),
    },
    one.alias,
  );
  const row = el(
    "tr",
    {},
    el("td", {}, el("span", { class: `rank rank-${one.rank}`, title: one.rank }), button),
    el("td", {}, one.rate),
    el("td", {}, one.lead),
    el("td", {}, one.visits),
    el("td", { class: "line", title: one.pv.join(" ") }, one.pv.slice(1, 8).join(" ")),
  );
  row.addEventListener("mouseenter", () => show(one.vertex));
  row.addEventListener("mouseleave", () => show(-1));
  return row;
}
