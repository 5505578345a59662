/**
 * Start of the page: it joins the session, the board, the panes, and the controls.
 */

import { analysisPane } from "./analysis-pane.js";
import { BoardView } from "./board-view.js";
import { consolePane } from "./console-pane.js";
import { byId, el } from "./dom.js";
import { exactPane } from "./exact-pane.js";
import { acceptDrops } from "./files.js";
import { Input, lensOf } from "./input.js";
import { keyboard, showKeys, typeMove } from "./keys.js";
import { copyLink, openMore } from "./more.js";
import { newGame } from "./new-game.js";
import { compose, reused } from "./picture.js";
import { playersPanel } from "./players.js";
import { plotPane } from "./plot.js";
import { pointsPane } from "./points-pane.js";
import { scoringCard } from "./scoring.js";
import { ENDED, Session } from "./session.js";
import { NAMES, NUMBERS, THEMES, next, save } from "./settings.js";
import { setupCard } from "./setup.js";
import { spaceTools } from "./space-tools.js";
import { COLORS, mainLine, pathTo } from "./store.js";
import { tabs } from "./tabs.js";
import { branch, treePane } from "./tree.js";

const session = new Session();
save(session.settings);
const drawing = /** @type {any} */ (byId("drawing"));
const canvas = /** @type {any} */ (byId("canvas"));
const view = new BoardView(byId("board"), drawing, canvas);
const input = new Input(session, view);
lensOf(byId("lens"), view, session);
spaceTools(view);

/** Views of the present board, the first one shown at the start. */
let kinds = ["flat"];
let kind = "flat";

/** Brings the picture up to date. @param {"sites" | "stones" | "marks"} part */
function redraw(part) {
  compose(view.picture, session.model, session.ui, session.settings);
  view.refresh(part);
}

function showBoard() {
  const { board } = session;
  if (!board) return;
  kinds = ["flat"];
  if (board.surface) kinds = ["wrap", "flat"];
  if (board.solid) kinds.push("space");
  const same = view.scene?.board.spec === board.spec;
  if (!same || !kinds.includes(kind)) kind = kinds[0];
  compose(view.picture, session.model, session.ui, session.settings);
  // After a reconnect, or a new game on the same board, the view stays as it was.
  view.show(board, kind, same);
  const named = board.spec.length > 60 ? `${board.spec.slice(0, 59)}…` : board.spec;
  byId("title").textContent =
    `${named} · ${board.ruleset}${board.rules.komi ? ` · komi ${board.komi}` : ""}`;
  document.title = `${named} · omnigo`;
  byId("board").setAttribute("aria-label", `Board ${named}`);
  byId("view-button").hidden = kinds.length < 2;
  if (!board.drawable) openPane("points");
}

function changeView() {
  const { board } = session;
  if (!board || kinds.length < 2) return;
  kind = next(kinds, kind);
  view.show(board, kind);
  const words = {
    flat: "Flat view.",
    wrap: "Endless view.",
    space: "View in space: drag to rotate.",
  };
  session.say(words[/** @type {keyof typeof words} */ (kind)]);
}

const exact = exactPane(session);
const points = pointsPane(session, view);
const openPane = tabs([
  {
    id: "game",
    title: "Game",
    body: el("div", { class: "stack" }, plotPane(session), treePane(session)),
  },
  { id: "analysis", title: "Analysis", body: analysisPane(session) },
  { id: "exact", title: "Exact", body: exact.body },
  { id: "points", title: "Points", body: points.body, shown: points.shown },
  { id: "console", title: "Console", body: consolePane(session) },
]);
playersPanel(session);
scoringCard(session);
setupCard(session);
acceptDrops(session);

/**
 * Acts at once, or asks first after a tap that may be a mistake.
 * @param {Event} event
 * @param {string} question
 * @param {() => void} act
 */
function guarded(event, question, act) {
  const touch = /** @type {PointerEvent} */ (event).pointerType === "touch";
  if (touch) input.ask(question, act);
  else act();
}

/** @param {string} type */
const send = (type) => void session.command({ type });

const actions = /** @type {Record<string, (event: Event) => void>} */ ({
  new: () => newGame(session),
  pass: (event) => guarded(event, "Pass", () => send("pass")),
  undo: () => send("undo"),
  redo: () => send("redo"),
  resign: (event) => guarded(event, "Resign", () => send("resign")),
  genmove: () => send("genmove"),
  analyze: () => void session.toggleAnalysis(),
  score: () => void session.estimate(),
  solve: () => {
    openPane("exact");
    void exact.solve();
  },
});
for (const button of document.querySelectorAll("[data-action]")) {
  const action = actions[button.getAttribute("data-action") ?? ""];
  button.addEventListener("click", (event) => action(event));
}
byId("view-button").addEventListener("click", changeView);
byId("names-button").addEventListener("click", cycleNames);
byId("theme-button").addEventListener("click", cycleTheme);
byId("share-button").addEventListener("click", () => void copyLink(session));
byId("more-button").addEventListener("click", () => openMore(session));

function cycleNames() {
  session.set({ names: next(NAMES, session.settings.names) });
  session.say(`Names: ${session.settings.names}.`);
}

function cycleTheme() {
  session.set({ theme: next(THEMES, session.settings.theme) });
}

/** @param {number} by */
function stepGame(by) {
  const { model, state } = session;
  if (!state) return;
  const line = mainLine(model);
  const at = line.findIndex((node) => node.id === state.node);
  const node = line[Math.min(Math.max(at + by, 0), line.length - 1)];
  if (node) session.goto(node.id);
}

/** @param {boolean} end */
function jump(end) {
  const { model, state } = session;
  if (!state) return;
  const line = end ? mainLine(model) : pathTo(model, state.node);
  const node = line[end ? line.length - 1 : 0];
  if (node) session.goto(node.id);
}

/** Best move of the analysis, or a sentence that there is none. */
function bestMove() {
  const moves = session.model.analysis?.moves ?? [];
  const best = moves.find((move) => move.best) ?? moves[0];
  if (!best) session.say("Turn on the analysis first.");
  return best;
}

function sayBest() {
  const { board } = session;
  const best = bestMove();
  if (!best || !board) return;
  session.ui.variation = board.indices.get(best.vertex) ?? -1;
  session.changed("ghost");
  session.say(
    `Best: ${best.pv.slice(0, 8).join(" ")}, win rate ${Math.round(100 * best.winrate)} %.`,
  );
}

function playBest() {
  const { board } = session;
  const best = bestMove();
  if (!best || !board) return;
  const vertex = board.indices.get(best.vertex);
  if (vertex === undefined) send("pass");
  else void session.play(vertex);
}

function escape() {
  exact.stop();
  input.dropGhost();
  if (session.ui.estimate) void session.estimate();
}

keyboard(view, {
  letters: {
    p: () => send("pass"),
    u: () => send("undo"),
    r: () => send("redo"),
    a: () => void session.toggleAnalysis(),
    o: () => session.set({ ownership: !session.settings.ownership }),
    g: () => send("genmove"),
    c: cycleNames,
    m: () => session.set({ numbers: next(NUMBERS, session.settings.numbers) }),
    v: changeView,
    t: cycleTheme,
    "+": () => view.zoomMiddle(1.25),
    "=": () => view.zoomMiddle(1.25),
    "-": () => view.zoomMiddle(1 / 1.25),
    0: () => view.fit(),
    "/": () => typeMove(session),
    ",": playBest,
    ".": sayBest,
    "?": showKeys,
  },
  step: stepGame,
  branch: (by) => branch(session, by),
  jump,
  escape,
  enabled: () => session.settings.shortcuts,
});
let wheel = 0;
document.querySelector(".plot")?.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    // Trackpads send many small values, so a step needs a sum of 60 pixels.
    wheel += /** @type {WheelEvent} */ (event).deltaY;
    const steps = Math.trunc(wheel / 60);
    wheel -= 60 * steps;
    if (steps !== 0) stepGame(steps);
  },
  { passive: false },
);
/** Lists the moves that later stones cover, beside the numbers of all moves. */
function showReused() {
  const list = session.settings.numbers === "all" ? reused(session.model) : [];
  byId("reused").textContent = list.join(", ");
}
view.addEventListener("edge", () => session.say("Edge of the board."));

// Scripts wait for these attributes, so they change only when the board shows the same state.
view.addEventListener("painted", () => {
  const { state } = session;
  if (!state) return;
  document.body.dataset.rev = String(state.rev);
  // The engine starts a moment after the state that gives it the turn.
  const player = state.players[COLORS.indexOf(state.to_move)];
  const isDue = state.phase === "play" && player?.kind === "engine" && !state.waits;
  document.body.dataset.thinking = state.thinking ?? (isDue ? state.to_move : "");
});
session.store.on(["board"], showBoard);
session.store.on(["analysis"], () => redraw("stones"));
session.addEventListener("ui", () => redraw("stones"));
session.addEventListener("ghost", () => redraw("marks"));
session.addEventListener("settings", () => {
  redraw("sites");
  showReused();
});
session.addEventListener("say", () => (byId("status").textContent = session.text));
session.store.on(["state"], () => {
  const { state } = session;
  if (!state) return;
  const analyze = document.querySelector('[data-action="analyze"]');
  analyze?.setAttribute("aria-pressed", String(state.analysis));
  const idle = { undo: state.undo === false, redo: state.redo === false };
  for (const [name, none] of Object.entries(idle)) {
    document.querySelector(`[data-action="${name}"]`)?.setAttribute("data-idle", String(none));
  }
  showReused();
});
session.addEventListener("connected", () => {
  const { connection } = session;
  const banner = byId("banner");
  banner.hidden = connection.connected || !connection.opened;
  const line = connection.ended ? ENDED : "Connection lost. Trying again.";
  banner.textContent = banner.hidden ? "" : line;
});
document.addEventListener("visibilitychange", () => {
  // The engine does not analyze for a page that is not shown. Other pages keep their analysis.
  if (document.hidden && session.analyzes && session.state?.analysis) void session.toggleAnalysis();
});
session.connection.connect();
