import assert from "node:assert/strict";
import test from "node:test";

const globals = /** @type {any} */ (globalThis);
globals.location = { href: "http://host/token/", protocol: "http:", hash: "#board=grid%3A9" };
globals.document = Object.assign(new EventTarget(), { hidden: false, body: { dataset: {} } });
globals.addEventListener = () => {};
globals.matchMedia = () => ({ matches: false });
globals.history = { replaceState() {} };
const { Session } = await import("../../../src/play/page/js/session.js");

test("a page that cannot open another game joins an open one", () => {
  const session = new Session();
  /** @type {any[]} */
  const hellos = [];
  session.connection.send = (message) => hellos.push(message);
  session.asNew = true;
  session.connection.greet();
  assert.equal(hellos[0].game, "new");
  const text = "8 games are open, the most at once";
  session.receive({ type: "refused", id: null, rev: null, reason: "limit", text });
  assert.equal(hellos.length, 2);
  assert.notEqual(hellos[1].game, "new");
  assert.equal(session.text, `${text}.`);
  session.receive({ type: "welcome", game: 3, role: "owner" });
  assert.equal(session.model.welcome.game, 3, "no game is missing");
  assert.equal(hellos.length, 2);
});
