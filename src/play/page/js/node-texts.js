/**
 * Fields for the name and the comment of the current node. They send what was written, and show
 * what others write.
 */

import { el, labeled } from "./dom.js";

/** Delay in milliseconds after the last key before a text is sent. */
const PAUSE = 600;
/** Maximum number of times that a text is sent while the game changes. */
const TRIES = 5;

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/**
 * Builds the fields. `show` fills them for the current node.
 * @param {import("./session.js").Session} session
 */
export function nodeTexts(session) {
  const name = el("input", { type: "text", maxlength: 200, "aria-label": "Name of the branch" });
  const comment = el("textarea", { rows: 3, maxlength: 65000 });
  const all = /** @type {const} */ ([
    ["comment", comment],
    ["name", name],
  ]);
  /** Node whose texts the fields show, or -1. */
  let shown = -1;
  /** Number of games so far. A text belongs to the game that it was written in. */
  let games = 0;
  /** Game and revision of the latest state. */
  const seen = { game: -1, rev: -1 };
  /** Fields with a text that the server has not confirmed. @type {Set<Field>} */
  const edited = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const rest = () => {
    clearTimeout(timer);
    timer = undefined;
  };

  /**
   * Sends a text. The game may change on the way, and the text is sent again then. Returns true
   * once the server has it.
   * @param {"comment" | "name"} type
   * @param {number} node
   * @param {string} text
   */
  const write = async (type, node, text) => {
    const game = games;
    let answer = await session.command({ type, node, text });
    for (let i = 1; i < TRIES && answer.reason === "stale"; i++) {
      if (game !== games || !session.model.nodes.has(node)) break;
      answer = await session.command({ type, node, text, rev: answer.rev });
    }
    return answer.type === "done";
  };
  /** Sends what was written, one text after the other, because each raises the revision. */
  const send = async () => {
    rest();
    const [game, at] = [games, shown];
    const node = session.model.nodes.get(at);
    if (!node || !session.isOwner) return;
    // Another node may be shown before the answers come.
    const texts = all.map(([type, field]) => ({ type, field, text: field.value }));
    for (const { type, field, text } of texts) {
      if (game !== games) return;
      const kept = (node[type] ?? "") === text || (await write(type, at, text));
      if (kept && game === games && at === shown && field.value === text) edited.delete(field);
    }
  };
  for (const [, field] of all) {
    field.addEventListener("input", () => {
      edited.add(field);
      clearTimeout(timer);
      timer = setTimeout(() => void send(), PAUSE);
    });
    field.addEventListener("change", () => void send());
  }
  session.store.on(["state"], () => {
    if (session.state) [seen.game, seen.rev] = [session.state.game, session.state.rev];
  });
  session.store.on(["board"], () => {
    const { board } = session;
    // After a reconnect, the board of an unchanged game comes again.
    if (board?.game === seen.game && board.rev === seen.rev) return;
    // Otherwise, what was written belongs to the game before.
    rest();
    games += 1;
    shown = -1;
  });
  return {
    fields: [labeled("Name of the branch", name), labeled("Comment", comment)],
    show() {
      const { model, state } = session;
      if (!state) return;
      const isOther = shown !== state.node;
      if (isOther) {
        if (timer !== undefined) void send();
        shown = state.node;
        edited.clear();
      }
      const node = model.nodes.get(shown);
      for (const [type, field] of all) {
        const isBusy = edited.has(field) || document.activeElement === field;
        if (isOther || !isBusy) field.value = node?.[type] ?? "";
        // Only the owner writes: a text of others would be refused and lost.
        field.readOnly = !session.isOwner;
      }
    },
  };
}
