import assert from "node:assert/strict";
import test from "node:test";

/** Sockets in the order in which the page opened them. @type {FakeSocket[]} */
const sockets = [];

class FakeSocket extends EventTarget {
  static OPEN = 1;

  /** @param {string} address */
  constructor(address) {
    super();
    this.address = address;
    this.readyState = 0;
    /** @type {any[]} */
    this.sent = [];
    sockets.push(this);
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  /** @param {any} message */
  tell(message) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  close(code = 1000) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

const globals = /** @type {any} */ (globalThis);
globals.WebSocket = FakeSocket;
globals.document = Object.assign(new EventTarget(), { hidden: false });
globals.addEventListener = () => {};
const { Connection } = await import("../../../src/play/page/js/connection.js");

/** Opens a connection in a game. @param {number} game */
function connected(game) {
  sockets.length = 0;
  const connection = new Connection("ws://host/ws");
  connection.connect();
  welcome(game);
  return connection;
}

/** @param {number} game */
function welcome(game) {
  const socket = sockets[sockets.length - 1];
  socket.open();
  socket.tell({ type: "welcome", game });
  return socket;
}

/** Types of the messages of a socket. @param {FakeSocket} socket */
const types = (socket) => socket.sent.map((message) => message.type);

test("a move without an answer is sent again with its id", async () => {
  const connection = connected(7);
  const move = connection.ask({ type: "play", vertex: "D4", rev: 3 });
  const question = connection.ask({ type: "solve", rev: 3 });
  const plain = connection.ask({ type: "why", vertex: "D4" });
  const [before] = sockets[0].sent.slice(1);
  sockets[0].close();
  assert.equal((await question).line, "the connection was lost");
  assert.equal((await plain).type, "error");
  connection.connect();
  const socket = welcome(7);
  assert.deepEqual(types(socket), ["hello", "play"]);
  assert.deepEqual(socket.sent[1], before);
  assert.equal(socket.sent[0].page, sockets[0].sent[0].page);
  socket.tell({ type: "done", id: before.id, repeated: true });
  assert.equal((await move).repeated, true);
  socket.close();
  connection.connect();
  assert.deepEqual(types(welcome(7)), ["hello"], "it was answered");
  connection.end();
});

test("a move for a game that is gone is not played in another one", async () => {
  const connection = connected(7);
  const move = connection.ask({ type: "play", vertex: "D4", rev: 3 });
  sockets[0].close();
  connection.connect();
  assert.deepEqual(types(welcome(8)), ["hello"]);
  assert.equal((await move).type, "error");
  connection.end();
});

test("a page that hears of the end of the program opens no other socket", async () => {
  const connection = connected(7);
  const move = connection.ask({ type: "play", vertex: "D4", rev: 3 });
  sockets[0].close(4000);
  assert.equal((await move).type, "error");
  assert.equal(connection.ended, true);
  connection.connect();
  assert.equal(sockets.length, 1);
});

test("commands end with the connection and at another greeting", async () => {
  const connection = connected(7);
  const first = connection.ask({ type: "undo", rev: 3 });
  connection.restart();
  assert.equal((await first).type, "error");
  welcome(7);
  const second = connection.ask({ type: "undo", rev: 3 });
  connection.end();
  assert.equal((await second).type, "error");
  assert.equal((await connection.ask({ type: "undo" })).line, "there is no connection");
});

test("a command before the welcome is sent once", async () => {
  sockets.length = 0;
  const connection = new Connection("ws://host/ws");
  connection.connect();
  const [socket] = sockets;
  socket.open();
  const answer = connection.ask({ type: "rules" });
  socket.tell({ type: "welcome", game: 7 });
  assert.deepEqual(types(socket), ["hello", "rules"]);
  socket.tell({ type: "result", id: socket.sent[1].id });
  assert.equal((await answer).type, "result");
  connection.end();
});
