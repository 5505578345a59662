import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, rankOf, short, signed } from "../../../src/play/page/js/candidates.js";
import { contentOf } from "../../../src/play/page/js/files.js";
import { moveNumbers, reused } from "../../../src/play/page/js/picture.js";
import { worstMoves } from "../../../src/play/page/js/plot.js";
import { playerOf, strengthOf } from "../../../src/play/page/js/rules-form.js";
import { teamSentence, teamsOf } from "../../../src/play/page/js/scoring.js";
import {
  boardSentence,
  moveSentence,
  nextSentence,
  reasonText,
  resultSentence,
} from "../../../src/play/page/js/sentences.js";
import { isName, Sketch } from "../../../src/play/page/js/sketch.js";
import {
  boardOf,
  initial,
  mainLine,
  pathTo,
  reduce,
  stonesOf,
  textOf,
} from "../../../src/play/page/js/store.js";
import { arrange } from "../../../src/play/page/js/tree.js";

const board = {
  type: "board",
  game: 1,
  rev: 1,
  spec: "path:3",
  alias: ["A1", "B1", "C1"],
  label: ["0", "1", "2"],
  x: [0, 1, 2],
  y: [0, 0, 0],
  edges: [
    [0, 1],
    [1, 2],
  ],
  view: { kind: "flat" },
  ruleset: "tromp-taylor",
  rules: { colors: 2, dead: false, passes: true, scoring: "area", komi: true },
  komi: 0,
};
const state = (rev, node, more = {}) => ({
  type: "state",
  game: 1,
  rev,
  node,
  phase: "play",
  stones: "...",
  to_move: "black",
  turns: 0,
  last: null,
  captured: {},
  players: [{ kind: "person" }, { kind: "engine" }],
  analysis: true,
  ...more,
});

test("stale states are dropped", () => {
  const model = initial();
  reduce(model, board);
  reduce(model, state(5, 1));
  assert.deepEqual(reduce(model, state(4, 0)), []);
  assert.equal(model.state.rev, 5);
});

test("analysis of another node is dropped, and a move forgets the old one", () => {
  const model = initial();
  reduce(model, board);
  reduce(model, state(5, 1));
  const report = {
    type: "analysis",
    game: 1,
    node: 1,
    color: "black",
    moves: [],
    ownership: [50, 0, -100],
  };
  assert.deepEqual(reduce(model, { ...report, node: 2 }), []);
  reduce(model, report);
  assert.deepEqual(model.ownership, [0.5, 0, -1]);
  reduce(model, state(6, 2));
  assert.equal(model.analysis, null);
  assert.equal(model.ownership, null);
});

test("positions are read and written", () => {
  assert.deepEqual(stonesOf("XO.3"), ["black", "white", "empty", "red"]);
  assert.equal(textOf(stonesOf("XO.38")), "XO.38");
});

function tree() {
  const model = initial();
  reduce(model, board);
  const nodes = [
    { id: 0, parent: null },
    { id: 1, parent: 0, color: "black", vertex: "A1", winrate: 0.5 },
    { id: 2, parent: 1, color: "white", vertex: "B1", winrate: 0.6 },
    { id: 3, parent: 1, color: "white", vertex: "C1" },
    { id: 4, parent: 2, color: "black", vertex: "A1", winrate: 0.3 },
  ];
  reduce(model, { type: "tree", root: 0, nodes });
  return model;
}

test("paths and lines follow the tree", () => {
  const model = tree();
  reduce(model, state(2, 1));
  assert.deepEqual(
    pathTo(model, 4).map((node) => node.id),
    [0, 1, 2, 4],
  );
  assert.deepEqual(
    mainLine(model).map((node) => node.id),
    [0, 1, 2, 4],
  );
  const spots = arrange(model);
  assert.deepEqual(spots.get(4), { column: 3, row: 0 });
  assert.equal(spots.get(3).row, 1);
});

test("a tree of many branches is arranged in a moment", () => {
  const nodes = [{ id: 0, parent: null }];
  // A long main line, and at each of its nodes and at the start another branch.
  for (let i = 1; i <= 15_000; i++) nodes.push({ id: i, parent: i - 1 });
  for (let i = 1; i <= 15_000; i++) nodes.push({ id: 15_000 + i, parent: i % 2 ? 0 : i });
  const model = initial();
  reduce(model, { type: "tree", game: 1, rev: 1, root: 0, nodes });
  const start = performance.now();
  const spots = arrange(model);
  assert.ok(performance.now() - start < 3000, `${performance.now() - start} ms`);
  assert.equal(spots.size, nodes.length);
  const used = new Set([...spots.values()].map(({ column, row }) => `${column} ${row}`));
  assert.equal(used.size, nodes.length, "no two nodes share a place");
});

test("players keep what their row does not show", () => {
  const engine = { kind: "engine", level: 3, playouts: 77, seconds: 1.5, team: 2 };
  const strength = strengthOf(engine);
  assert.deepEqual(playerOf("engine", strength, "", "2"), engine);
  assert.deepEqual(playerOf("person", "", " Ann ", ""), { kind: "person", name: "Ann" });
});

test("results name the winner or its team", () => {
  const team = (...teams) => teams.map((number) => ({ kind: "person", team: number }));
  for (const [result, players, sentence] of [
    ["B+3.5", [], "Black wins by 3.5."],
    ["W+R", team(1, 2), "White wins by resignation."],
    ["red+5", team(null, null, null), "Red wins by 5."],
    ["W+2", team(2, 4, 4), "Team 4 wins by 2."],
    ["red+1", team(1, 1, null), "Red wins by 1."],
    ["0", team(1, 2, 1), "The game is a draw."],
    ["red lost", team(1, 2, 1), "Result: red lost."],
  ]) {
    assert.equal(resultSentence(result, players), sentence);
  }
});

test("scores of teams are added", () => {
  const players = [{ team: 1 }, { team: 2 }, { team: 1 }, {}];
  const scores = { black: 5, white: 9, red: 7, blue: 1 };
  const teams = teamsOf(players, scores);
  assert.deepEqual(
    teams.map(({ team, points }) => [team, points]),
    [
      [1, 12],
      [2, 9],
    ],
  );
  assert.equal(teamSentence(teams), "Team 1 is ahead of team 2 by 3.");
  assert.deepEqual(teamsOf([{ team: 1 }, {}], scores), []);
});

test("files go as text or bytes within the size of a message", () => {
  const bytes = (text) => new TextEncoder().encode(text);
  assert.deepEqual(contentOf(bytes("(;SZ[9])"), 100), { text: "(;SZ[9])" });
  // Quotes double in JSON, so base64 is shorter.
  assert.deepEqual(Object.keys(contentOf(bytes('"'.repeat(90)), 150) ?? {}), ["base64"]);
  assert.deepEqual(Object.keys(contentOf(new Uint8Array([255, 1]), 100) ?? {}), ["base64"]);
  assert.equal(contentOf(bytes("x".repeat(200)), 100), null);
});

test("move numbers count only stones that stand, and reused points are listed", () => {
  const model = tree();
  reduce(model, state(2, 4));
  const numbers = moveNumbers(model, ["black", "white", "empty"], "all");
  assert.deepEqual(
    [...numbers],
    [
      [1, 2],
      [0, 3],
    ],
  );
  assert.deepEqual(reused(model), ["1 at 3"]);
});

test("the worst moves are marked by their loss for their own color", () => {
  const model = tree();
  reduce(model, state(2, 4));
  const worst = worstMoves(mainLine(model));
  assert.deepEqual(
    worst.map((one) => one.index),
    [3, 2],
  );
  assert.equal(worst[0].rank, "blunder");
});

test("candidates are ranked by loss, and rare ones are dots", () => {
  const move = (vertex, winrate, visits, order) => ({
    vertex,
    winrate,
    visits,
    order,
    lead: 0,
    pv: [vertex],
  });
  const analysis = {
    moves: [
      move("A1", 0.5, 1000, 0),
      move("B1", 0.4, 10, 1),
      move("C1", 0.49, 500, 2),
      move("pass", 0.1, 5, 3),
    ],
  };
  const found = candidates(
    analysis,
    new Map([
      ["A1", 0],
      ["B1", 1],
      ["C1", 2],
    ]),
  );
  assert.deepEqual(
    found.map((one) => one.rank),
    ["best", "mistake", "good"],
  );
  assert.deepEqual(
    found.map((one) => one.small),
    [false, true, false],
  );
  assert.equal(rankOf(0.2), "blunder");
  assert.equal(short(850), "850");
  assert.equal(short(1234), "1.2k");
  assert.equal(short(3_100_000), "3M");
  assert.equal(signed(-2), "−2.0");
  assert.equal(signed(2), "+2.0");
});

test("sentences are whole", () => {
  const before = state(1, 0, { captured: { white: 0 } });
  const after = state(2, 1, {
    turns: 12,
    last: { color: "white", vertex: "D4" },
    captured: { white: 2 },
    to_move: "black",
  });
  assert.equal(moveSentence(before, after), "Move 12: White D4, captures 2.");
  assert.equal(nextSentence(after), "Black to move.");
  assert.equal(resultSentence("B+3.5"), "Black wins by 3.5.");
  assert.equal(resultSentence("W+R"), "White wins by resignation.");
  assert.equal(resultSentence("B+"), "Black wins.");
  assert.equal(resultSentence("0"), "The game is a draw.");
  const large = boardOf({ ...board, warnings: ["2 loops ignored"], drawable: false });
  assert.equal(
    boardSentence(large),
    "Warning: 2 loops ignored. The board has 3 points, too many to draw. Use the list of points.",
  );
  assert.equal(boardSentence(boardOf(board)), "");
  assert.equal(reasonText({ reason: "not-yours" }), "it is not your turn");
  assert.equal(reasonText({ reason: "phase", text: "not now" }), "not now");
});

test("a drawing becomes a spec, and undo restores it", () => {
  const sketch = new Sketch();
  for (const [x, y] of [
    [0, 0],
    [1, 0.5],
    [2, 0],
  ])
    sketch.add(x, y);
  sketch.join(0, 1);
  sketch.join(2, 1);
  const spec = "edges:a@0/0,b@1/0.5,c@2/0,a-b,b-c";
  assert.equal(sketch.spec(), spec);
  sketch.remove(1);
  assert.equal(sketch.spec(), "edges:a@0/0,c@2/0");
  sketch.undo();
  assert.equal(sketch.spec(), spec);
  assert.equal(sketch.add(0, 0), -1);
  assert.match(sketch.rename(0, "a-b"), /expected/);
  assert.match(sketch.rename(0, "b"), /duplicate/);
  assert.equal(sketch.rename(0, "x'1"), "");
  assert.ok(!isName("pass") && isName("é_1.'"));
});
