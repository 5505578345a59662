/**
 * Set-up mode: clicks place stones of a chosen color, and a new game starts from the result.
 */

import { byId, el, select } from "./dom.js";
import { COLORS, stonesOf, textOf } from "./store.js";
import { title } from "./stones.js";

/** Starts the set-up mode. @param {import("./session.js").Session} session */
export function startSetup(session) {
  const { board, state, ui } = session;
  if (!board || !state) return;
  ui.setup = stonesOf(board.points ? (state.points ?? "") : state.stones);
  ui.setupColor = "black";
  ui.ghost = null;
  ui.estimate = null;
  session.changed("ui");
  session.say("Set-up: click points to place stones, then start.");
}

/** @param {import("./session.js").Session} session */
export function setupCard(session) {
  const card = byId("setup");
  let first = "black";

  const build = () => {
    const colors = COLORS.slice(0, session.state?.players.length ?? 2);
    // The game before may have had more colors.
    if (!colors.includes(first)) first = colors[0];
    const choices = [...colors, "empty"].map((color) =>
      el(
        "label",
        { class: "color-choice" },
        el("input", {
          type: "radio",
          name: "setup-color",
          value: color,
          checked: color === session.ui.setupColor,
          change: () => (session.ui.setupColor = color),
        }),
        title(color),
      ),
    );
    const options = colors.map((color) => /** @type {[string, string]} */ ([color, title(color)]));
    const move = select(options, first, { id: "setup-first" });
    move.addEventListener("change", () => (first = move.value));
    card.replaceChildren(
      el("h2", {}, "Set-up"),
      el("div", { class: "row", role: "radiogroup", "aria-label": "Stone to place" }, ...choices),
      el("label", { class: "field" }, el("span", {}, "To move"), move),
      el(
        "div",
        { class: "row" },
        el(
          "button",
          { type: "button", class: "primary", id: "setup-start", click: () => void start() },
          "Start from here",
        ),
        el("button", { type: "button", click: clear }, "Clear board"),
        el("button", { type: "button", click: leave }, "Cancel"),
      ),
    );
  };
  const clear = () => {
    session.ui.setup = session.ui.setup?.map(() => "empty") ?? null;
    session.changed("ui");
  };
  const leave = () => {
    session.ui.setup = null;
    session.changed("ui");
  };
  const start = async () => {
    const stones = textOf(session.ui.setup ?? []);
    const answer = await session.command({ type: "setup", stones, to_move: first });
    if (answer.type === "done") leave();
  };
  session.addEventListener("ui", () => {
    const open = session.ui.setup !== null;
    if (open && card.hidden) build();
    card.hidden = !open;
  });
}
