/**
 * Card of the end of a game: dead stones, acceptance, and the result as a table.
 */

import { byId, el } from "./dom.js";
import { resultSentence } from "./sentences.js";
import { labeledChip, title } from "./stones.js";
import { COLORS, stonesOf } from "./store.js";

/** @param {import("./session.js").Session} session */
export function scoringCard(session) {
  const card = byId("scoring");

  const draw = () => {
    const { state, ui, board } = session;
    const scoring = state?.scoring ?? ui.estimate;
    const over = state?.phase === "over";
    card.hidden = !state || (state.phase === "play" && !ui.estimate);
    if (card.hidden || !state || !board) return;
    const asking = state.phase === "score";
    const heading = asking ? "Dead stones" : over ? "Result" : "Score if the game ended here";
    const result = over ? state.result : scoring?.result;
    const parts = [el("h2", {}, heading)];
    if (asking) {
      parts.push(
        el("p", { class: "note" }, "Click a chain to mark it dead or alive; Shift marks it alone."),
      );
    }
    if (result) parts.push(el("p", {}, resultSentence(result)));
    const scores = over ? (state.scores ?? scoring?.scores) : scoring?.scores;
    if (scores && board.rules.scoring !== "none") parts.push(table(session, scores, scoring));
    if (asking && scoring?.objection) parts.push(el("p", {}, `${title(scoring.objection)}.`));
    if (asking) parts.push(agreement(session));
    card.replaceChildren(...parts);
  };
  session.store.on(["state", "board"], draw);
  session.addEventListener("ui", draw);
}

/**
 * @param {import("./session.js").Session} session
 * @param {Record<string, number>} scores
 * @param {import("./types.js").Scoring | null} scoring
 */
function table(session, scores, scoring) {
  const { state, board } = session;
  const owners = stonesOf(scoring?.owners ?? "");
  const rows = COLORS.filter((color) => color in scores).map((color) => {
    const owned = owners.filter((owner) => owner === color).length;
    const accepted = scoring?.accepted?.includes(color) ? "accepts" : "";
    return el(
      "tr",
      {},
      el("td", {}, labeledChip(color)),
      el("td", {}, scoring?.owners ? String(owned) : ""),
      el("td", {}, String(state?.captured?.[color] ?? 0)),
      el("td", {}, color === "white" && board?.komi ? String(board.komi) : ""),
      el("td", {}, String(scores[color])),
      el("td", {}, accepted),
    );
  });
  const head = ["Color", "Points owned", "Captured", "Komi", "Score", ""];
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...head.map((text) => el(text ? "th" : "td", {}, text)))),
    el("tbody", {}, ...rows),
  );
}

/** Buttons to accept the marks or to play on. @param {import("./session.js").Session} session */
function agreement(session) {
  const { state } = session;
  const accepted = new Set(state?.scoring?.accepted ?? []);
  const role = session.model.welcome?.role;
  const mine = (state?.players ?? [])
    .map((player, i) => ({ player, color: COLORS[i] }))
    .filter(({ player, color }) => {
      if (player.kind !== "person" || accepted.has(color)) return false;
      return role === "owner" || (role === "player" && session.model.welcome.color === color);
    });
  const buttons = mine.map(({ color }) =>
    el(
      "button",
      {
        type: "button",
        class: "primary",
        "data-accept": color,
        click: () => void session.command({ type: "accept", color }),
      },
      mine.length > 1 ? `Accept for ${color}` : "Accept",
    ),
  );
  const resume = el(
    "button",
    { type: "button", "data-resume": true, click: () => void session.command({ type: "resume" }) },
    "Play on",
  );
  return el("div", { class: "row" }, ...buttons, role === "watch" ? null : resume);
}
