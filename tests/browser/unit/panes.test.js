import assert from "node:assert/strict";
import test from "node:test";
import { FakeElement, frame, install } from "./fake-dom.js";

install();
const { Input } = await import("../../../src/play/page/js/input.js");
const { blankUi } = await import("../../../src/play/page/js/picture.js");
const { playersForm } = await import("../../../src/play/page/js/rules-form.js");
const { scoringCard } = await import("../../../src/play/page/js/scoring.js");
const { Store, boardOf } = await import("../../../src/play/page/js/store.js");
const { treePane } = await import("../../../src/play/page/js/tree.js");

/** @param {number} rev */
const board = (rev) => ({
  type: "board",
  game: 1,
  rev,
  alias: ["A1"],
  label: ["A1"],
  x: [0],
  y: [0],
  edges: [],
  spec: "path:1",
  ruleset: "x",
  rules: { scoring: "none" },
  komi: 0,
});
/** @param {number} rev @param {string} [comment] */
const tree = (rev, comment) => ({
  type: "tree",
  game: 1,
  rev,
  root: 0,
  nodes: [{ id: 0, parent: null, ...(comment ? { comment } : {}) }],
});
/** @param {number} rev @param {object} [more] */
const state = (rev, more = {}) => ({
  type: "state",
  game: 1,
  rev,
  node: 0,
  players: [{}, {}],
  stones: ".",
  phase: "play",
  scoring: null,
  ...more,
});

/**
 * Session without a server. `answer` gives the answer to each command.
 * @param {(message: any) => any} [answer]
 */
function fakeSession(answer = () => ({ type: "done" })) {
  const store = new Store();
  /** @type {any[]} */
  const sent = [];
  const session = Object.assign(new EventTarget(), {
    store,
    sent,
    isOwner: true,
    ui: blankUi(),
    model: store.model,
    /** @param {any} message */
    async command(message) {
      sent.push({ rev: store.model.state?.rev, ...message });
      return answer(message);
    },
  });
  for (const name of /** @type {const} */ (["state", "board"])) {
    Object.defineProperty(session, name, { get: () => store.model[name] });
  }
  return /** @type {any} */ (session);
}

/** @param {any} session @param {any[]} messages */
async function receive(session, ...messages) {
  for (const message of messages) session.store.receive(message);
  await frame();
}

/** @param {any} session */
function textFields(session) {
  const pane = /** @type {any} */ (treePane(session));
  return { comment: pane.all("textarea")[0], name: pane.all("input")[0] };
}

/** @param {FakeElement} field @param {string} text */
function type(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input"));
}

test("a new game does not show the comment of the game before", async () => {
  const session = fakeSession();
  const { comment, name } = textFields(session);
  await receive(session, board(1), tree(1, "plan"), state(1));
  assert.equal(comment.value, "plan");
  type(comment, "plan of the first game");
  await receive(session, board(2), tree(2), state(2));
  assert.equal(comment.value, "");
  name.value = "main";
  name.dispatchEvent(new Event("change"));
  await frame();
  assert.deepEqual(session.sent, [{ rev: 2, type: "name", node: 0, text: "main" }]);
});

test("a text of the same game stays after a reconnect", async () => {
  const session = fakeSession();
  const { comment } = textFields(session);
  await receive(session, board(1), tree(1), state(1));
  type(comment, "long thought");
  await receive(session, board(1), tree(1), state(1));
  assert.equal(comment.value, "long thought");
});

test("texts of other pages appear, except in a field that is edited", async () => {
  const session = fakeSession();
  const { comment, name } = textFields(session);
  await receive(session, board(1), tree(1), state(1));
  type(comment, "mine");
  const node = { id: 0, parent: null, comment: "theirs", name: "branch" };
  await receive(session, { type: "node", game: 1, rev: 2, node }, state(2));
  assert.equal(comment.value, "mine");
  assert.equal(name.value, "branch");
});

test("a stale text is sent again, and name and comment one after the other", async () => {
  let old = 2;
  const stale = { type: "refused", reason: "stale", rev: 5 };
  const session = fakeSession(() => (old-- > 0 ? stale : { type: "done" }));
  const { comment, name } = textFields(session);
  await receive(session, board(1), tree(1), state(1));
  comment.value = "a";
  name.value = "b";
  comment.dispatchEvent(new Event("change"));
  await frame();
  const found = session.sent.map((/** @type {any} */ one) => [one.type, one.rev]);
  assert.deepEqual(found, [
    ["comment", 1],
    ["comment", 5],
    ["comment", 5],
    ["name", 1],
  ]);
});

test("a pen that hovers plays with the second tap", () => {
  /** @type {number[]} */
  const played = [];
  const view = Object.assign(new EventTarget(), {
    frame: new FakeElement("div"),
    root: new FakeElement("svg"),
    scene: { step: 1, view: { k: 20 } },
    moveCursor() {},
  });
  const session = fakeSession();
  Object.assign(session, {
    myColor: () => "black",
    changed() {},
    say() {},
    /** @param {number} vertex */
    play: (vertex) => played.push(vertex),
  });
  session.model.state = { phase: "play", legal: "111", stones: "..." };
  session.model.board = { aliases: ["A1", "B1", "C1"], indices: new Map() };
  new Input(session, /** @type {any} */ (view));
  /** @param {string} name @param {object} detail */
  const tell = (name, detail) => view.dispatchEvent(new CustomEvent(name, { detail }));
  for (let tap = 0; tap < 2; tap++) {
    tell("hover", { vertex: 1 });
    tell("press", { vertex: 1, touch: false });
    tell("choose", { vertex: 1, touch: true, shift: false });
    tell("hover", { vertex: -1 });
  }
  assert.deepEqual(played, [1]);
});

test("only the owner can play on, also after a resignation", async () => {
  const session = fakeSession();
  scoringCard(session);
  const card = /** @type {any} */ (document.getElementById("scoring"));
  const texts = () => card.all("button").map((/** @type {any} */ one) => one.children[0]);
  const over = (/** @type {string} */ result) => state(2, { phase: "over", result, scores: null });
  await receive(session, board(2), over("B+R"));
  assert.deepEqual(texts(), ["Play on"]);
  await receive(session, over("B+T"));
  assert.deepEqual(texts(), []);
  session.isOwner = false;
  await receive(session, over("B+R"));
  assert.deepEqual(texts(), []);
  await receive(session, state(2, { phase: "score", players: [] }));
  assert.deepEqual(texts(), []);
});

test("two colors have no teams", () => {
  const player = /** @type {const} */ ({ kind: "person", team: 2 });
  const form = playersForm([player, player, player], 10);
  assert.equal(form.values().white.team, 2);
  form.resize(2);
  assert.equal(form.values().white.team, undefined);
});

test("a go-space that is too large to draw has no places", () => {
  const points = { label: ["0", "1"], covers: [[0, 1]] };
  const message = { ...board(1), points, x: undefined, y: undefined, drawable: false };
  const found = boardOf(/** @type {any} */ (message));
  assert.deepEqual(found.points, { labels: ["0", "1"], places: [], covers: [[0, 1]], edges: [] });
  assert.equal(found.drawable, false);
});
