/**
 * Card of the end of a game: dead stones, acceptance, and the result as a table.
 */

import { byId, el, refill } from "./dom.js";
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
    if (result) parts.push(el("p", {}, resultSentence(result, state.players)));
    const scores = over ? (state.scores ?? scoring?.scores) : scoring?.scores;
    if (scores && board.rules.scoring !== "none") {
      const teams = teamSentence(teamsOf(state.players, scores));
      if (teams) parts.push(el("p", {}, teams));
      parts.push(table(session, scores, scoring));
    }
    if (asking && scoring?.objection) parts.push(el("p", {}, `${title(scoring.objection)}.`));
    if (asking) parts.push(agreement(session));
    else if (over && isResigned(state.result))
      parts.push(el("div", { class: "row" }, playOn(session)));
    refill(card, parts);
  };
  session.store.on(["state", "board"], draw);
  session.addEventListener("ui", draw);
}

/**
 * Teams of at least one color with the sum of their scores, the best first. Empty without two teams.
 * @param {import("./types.js").Player[]} players In the order of colors.
 * @param {Record<string, number>} scores
 */
export function teamsOf(players, scores) {
  /** @type {Map<number, {team: number, colors: string[], points: number}>} */
  const teams = new Map();
  players.forEach(({ team }, i) => {
    const color = COLORS[i];
    if (!team || !(color in scores)) return;
    const entry = teams.get(team) ?? { team, colors: [], points: 0 };
    entry.colors.push(color);
    entry.points += scores[color];
    teams.set(team, entry);
  });
  return teams.size < 2 ? [] : [...teams.values()].sort((a, b) => b.points - a.points);
}

/**
 * Sentence about the scores of teams.
 * @param {ReturnType<typeof teamsOf>} teams
 */
export function teamSentence(teams) {
  const [first, second] = teams;
  if (!first || !second) return "";
  const lead = first.points - second.points;
  return lead === 0
    ? `Team ${first.team} and team ${second.team} are level.`
    : `Team ${first.team} is ahead of team ${second.team} by ${lead}.`;
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
  const teams = teamsOf(state?.players ?? [], scores).map(({ team, colors, points }) =>
    el(
      "tr",
      { "data-team": team },
      el("td", { colspan: 4 }, `Team ${team}: ${colors.join(", ")}`),
      el("td", {}, String(points)),
      el("td", {}, ""),
    ),
  );
  const head = ["Color", "Owned", "Captured", "Komi", "Score", ""];
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...head.map((text) => el(text ? "th" : "td", {}, text)))),
    el("tbody", {}, ...rows, ...teams),
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
  return el("div", { class: "row" }, ...buttons, playOn(session));
}

/** True for a result by resignation, which the owner may take back. @param {string | null} result */
function isResigned(result) {
  return result?.endsWith("+R") === true;
}

/** Button of the owner to play on. @param {import("./session.js").Session} session */
function playOn(session) {
  if (!session.isOwner) return null;
  const click = () => void session.command({ type: "resume" });
  return el("button", { type: "button", "data-resume": true, click }, "Play on");
}
