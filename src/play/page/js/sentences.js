/**
 * Sentences of the status line. Each one is whole, so that a screen reader says it at once.
 */

import { title } from "./stones.js";

/**
 * Result of a game as a sentence.
 * @param {string} result
 */
export function resultSentence(result) {
  if (result === "0") return "The game is a draw.";
  const found = /^([A-Z])\+(.*)$/.exec(result);
  if (!found) return `Result: ${result}.`;
  const winner = { B: "Black", W: "White" }[found[1]] ?? found[1];
  const by = found[2];
  if (by === "") return `${winner} wins.`;
  if (by === "R") return `${winner} wins by resignation.`;
  if (by === "T") return `${winner} wins on time.`;
  return `${winner} wins by ${by}.`;
}

/**
 * Reason of a refusal in words.
 * @param {string} reason
 */
export function reasonText(reason) {
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
  return texts[reason] ?? reason;
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
 * Sentence for a new state, or an empty text if nothing happened that is worth saying.
 * @param {import("./types.js").State | null} before
 * @param {import("./types.js").State} state
 */
export function stateSentence(before, state) {
  const parts = [];
  const same = before && before.game === state.game && before.node === state.node;
  const forward = !before || before.game !== state.game || state.turns > before.turns;
  if (!same && state.last) {
    const color = title(state.last.color);
    if (state.last.vertex === "pass") {
      parts.push(`Move ${state.turns}: ${color} passes.`);
    } else if (state.last.vertex !== "resign") {
      const taken = forward ? capturedBy(before, state) : 0;
      const tail = taken > 0 ? `, captures ${taken}` : "";
      parts.push(`Move ${state.turns}: ${color} ${state.last.vertex}${tail}.`);
    }
  } else if (!same && state.turns === 0) {
    parts.push("Start of the game.");
  }
  if (state.phase === "over") {
    parts.push(state.result ? resultSentence(state.result) : "The game is over.");
  } else if (state.phase === "score") {
    parts.push("Mark dead stones, then accept.");
  } else if (state.thinking) {
    parts.push(`${title(state.thinking)} thinks.`);
  } else {
    parts.push(`${title(state.to_move)} to move.`);
  }
  return parts.join(" ");
}
