/**
 * Sentences of the status line. Each one is whole, so that a screen reader says it at once.
 */

import { title } from "./stones.js";
import { COLORS } from "./store.js";

/** Words at a point that is forbidden by ko or superko. */
export const KO = "ko or superko, may not be played now";

/**
 * Result of a game as a sentence.
 * @param {string} result
 * @param {import("./types.js").Player[]} [players] In the order of colors.
 */
export function resultSentence(result, players = []) {
  if (result === "0") return "The game is a draw.";
  const found = /^([A-Z]|[a-z]+)\+(.*)$/.exec(result);
  if (!found) return `Result: ${result}.`;
  const color = { B: "black", W: "white" }[found[1]] ?? found[1];
  const team = players.length > 2 ? players[COLORS.indexOf(color)]?.team : null;
  const winner = team ? `Team ${team}` : title(color);
  const by = found[2];
  if (by === "") return `${winner} wins.`;
  if (by === "R") return `${winner} wins by resignation.`;
  if (by === "T") return `${winner} wins on time.`;
  return `${winner} wins by ${by}.`;
}

/**
 * Warnings about a new board, and a hint if it is too large to draw.
 * @param {import("./types.js").Board} board
 */
export function boardSentence(board) {
  const parts = board.warnings.map((line) => `Warning: ${line}.`);
  if (!board.drawable) {
    parts.push(`The board has ${board.aliases.length} points, too many to draw.`);
    parts.push("Use the list of points.");
  }
  return parts.join(" ");
}

/**
 * Reason of a refusal in words.
 * @param {{reason: string, text?: string}} answer
 */
export function reasonText({ reason, text }) {
  const texts = /** @type {Record<string, string>} */ ({
    occupied: "occupied",
    suicide: "suicide",
    ko: "ko",
    superko: "superko, the position would repeat",
    "no-effect": "it has no effect",
    "no-vertex": "no such point",
    "game-over": "the game is over",
    "not-yours": "it is not your turn",
    "no-pass": "passing is not allowed",
    "no-prisoner": "no prisoner is left to pay for a pass",
  });
  return texts[reason] ?? text ?? reason;
}

/**
 * Number of stones that a move captured, from two states.
 * @param {import("./types.js").State | null} before
 * @param {import("./types.js").State} state
 */
export function capturedBy(before, state) {
  const color = state.last?.color;
  if (!color || !before) return 0;
  return Math.max(0, (state.captured?.[color] ?? 0) - (before.captured?.[color] ?? 0));
}

/**
 * Sentence about the move that led to a state, or an empty text at the start.
 * @param {import("./types.js").State | null} before
 * @param {import("./types.js").State} state
 */
export function moveSentence(before, state) {
  if (!state.last || state.last.vertex === "resign") return "";
  const color = title(state.last.color);
  if (state.last.vertex === "pass") return `Move ${state.turns}: ${color} passes.`;
  const forward = !before || before.game !== state.game || state.turns > before.turns;
  const taken = forward ? capturedBy(before, state) : 0;
  const tail = taken > 0 ? `, captures ${taken}` : "";
  return `Move ${state.turns}: ${color} ${state.last.vertex}${tail}.`;
}

/**
 * Sentence about the part of the game that comes next.
 * @param {import("./types.js").State} state
 */
export function nextSentence(state) {
  if (state.phase === "over") {
    return state.result ? resultSentence(state.result, state.players) : "The game is over.";
  }
  if (state.phase === "score") return "Mark dead stones, then accept.";
  if (state.thinking) return `${title(state.thinking)} thinks.`;
  return `${title(state.to_move)} to move.`;
}
