/**
 * Rows of the players: color, name, stones captured, clock, and the mark of the player to move.
 */

import { byId, el } from "./dom.js";
import { chip, title } from "./stones.js";
import { COLORS } from "./store.js";
import { play as sound } from "./sound.js";

/** Seconds below which a clock is shown as low. */
const LOW = 30;
/** Seconds left at which a clock is announced. */
const ANNOUNCED = [60, 30, 10];

/**
 * Name of a player.
 * @param {import("./types.js").Player | undefined} player
 */
export function nameOf(player) {
  if (!player) return "Person";
  if (player.kind === "person") return player.name || "Person";
  const name = player.name || "omnigo";
  const parts = [];
  if (player.playouts) parts.push(`${player.playouts} playouts`);
  if (player.seconds) parts.push(`${player.seconds} s a move`);
  if (parts.length === 0 && player.level) parts.push(`level ${player.level}`);
  return parts.length ? `${name}, ${parts.join(", ")}` : name;
}

/**
 * Time as minutes and seconds.
 * @param {number} seconds
 */
export function clockText(seconds) {
  const whole = Math.max(0, seconds < 10 ? Math.floor(seconds * 10) / 10 : Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  const rest = whole - 60 * minutes;
  const tail = whole < 10 ? rest.toFixed(1) : String(Math.floor(rest));
  return `${minutes}:${tail.padStart(whole < 10 ? 4 : 2, "0")}`;
}

/** @param {import("./session.js").Session} session */
export function playersPanel(session) {
  const box = byId("players");
  /** @type {{clock: HTMLElement, ends: number, spoken: number, tail: string, color: string}[]} */
  let running = [];

  const draw = () => {
    const { state, board } = session;
    running = [];
    if (!state || !board) return;
    const teams = new Set(state.players.map((player) => player.team).filter(Boolean));
    const rows = state.players.map((player, i) => {
      const color = COLORS[i];
      const turn = state.phase === "play" && state.to_move === color;
      const clock = el("span", { class: "clock" });
      const time = state.clocks?.[i];
      if (time) {
        clock.textContent = time.text;
        const ends = performance.now() + time.left * 1000;
        const tail = time.count ? ` (${time.count})` : "";
        clock.dataset.low = String(time.left < LOW);
        if (time.running) running.push({ clock, ends, spoken: time.left, tail, color });
      }
      const team = teams.size > 0 && player.team ? `, team ${player.team}` : "";
      const thinks = state.thinking === color ? " (thinks)" : "";
      return el(
        "div",
        { class: "player", "data-turn": turn ? "true" : "false", "data-color": color },
        el(
          "span",
          { class: "with-chip" },
          el("span", { class: "turn-mark", "aria-hidden": "true" }, turn ? "▸" : ""),
          chip(color),
        ),
        el(
          "span",
          { class: "who" },
          el("b", {}, title(color)),
          el("span", {}, ` ${nameOf(player)}${team}${thinks}`),
          turn ? el("span", { class: "hidden-text" }, ", to move") : null,
        ),
        el("span", { class: "taken" }, countersOf(state, color)),
        clock,
      );
    });
    box.replaceChildren(...rows);
  };

  setInterval(() => {
    // The server pauses the clock of a player who is cut off.
    if (!session.connection.connected) return;
    for (const entry of running) {
      const left = (entry.ends - performance.now()) / 1000;
      entry.clock.textContent = clockText(left) + entry.tail;
      entry.clock.dataset.low = String(left < LOW);
      const due = ANNOUNCED.find((limit) => left <= limit && entry.spoken > limit);
      if (due !== undefined) {
        session.say(`${title(entry.color)} has ${due} seconds left.`);
        if (session.settings.sound && due <= 30) sound("low");
      }
      entry.spoken = left;
    }
  }, 200);
  session.store.on(["state", "board"], draw);
}

/**
 * Stones captured, and the counter of the ruleset where it differs.
 * @param {import("./types.js").State} state
 * @param {string} color
 */
function countersOf(state, color) {
  const captured = state.captured?.[color] ?? 0;
  const counter = state.counters?.[color];
  const parts = [`${captured} captured`];
  if (counter !== undefined && counter !== captured) parts.push(`${counter} for passes`);
  return parts.join(", ");
}
