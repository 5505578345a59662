import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, rankOf, short, signed } from "../../../src/play/page/js/candidates.js";
import { moveNumbers, reused } from "../../../src/play/page/js/picture.js";
import { worstMoves } from "../../../src/play/page/js/plot.js";
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
