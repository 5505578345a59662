import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../src/play/page/js/settings.js";

/** Settings of a browser that stores a text and prefers the dark theme. */
function stored(text) {
  globalThis.matchMedia = () => ({ matches: true });
  globalThis.localStorage = { getItem: () => text };
  return load();
}

test("unknown values of stored settings are replaced by defaults", () => {
  const known = stored('{"theme":"paper","names":"index","numbers":"all","sound":true}');
  assert.deepEqual(
    [known.theme, known.names, known.numbers, known.sound],
    ["paper", "index", "all", true],
  );
  const unknown = stored('{"theme":"pink","names":"x","numbers":7,"sound":"loud","other":1}');
  assert.deepEqual(unknown, stored(null));
  assert.deepEqual(stored("null"), stored("{"));
  assert.equal(unknown.theme, "dark");
});
