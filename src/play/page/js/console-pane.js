/**
 * Console: lines of GTP and their answers.
 */

import { el } from "./dom.js";

/** Maximum number of answers that stay visible. */
const MOST_ANSWERS = 200;

/** @param {import("./session.js").Session} session */
export function consolePane(session) {
  const output = el("pre", {
    class: "console",
    tabindex: 0,
    "aria-label": "Answers",
    role: "log",
  });
  const line = el("input", {
    type: "text",
    id: "console-line",
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "none",
  });
  /** @type {string[]} */
  const past = [];
  let at = 0;
  const form = el(
    "form",
    { class: "stack" },
    el("label", { class: "field" }, el("span", {}, "GTP command"), line),
    el("p", { class: "note" }, "For example showboard, list_vertices, or help. Arrow up repeats."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = line.value.trim();
    if (text === "") return;
    past.push(text);
    at = past.length;
    line.value = "";
    void run(text);
  });
  line.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || past.length === 0) return;
    at = Math.min(Math.max(at + by, 0), past.length);
    line.value = past[at] ?? "";
    event.preventDefault();
  });

  /** @param {string} text */
  const run = async (text) => {
    const answer = await session.connection.ask({ type: "console", line: text });
    const ok = answer.type === "result" && answer.ok;
    const words = answer.text ?? answer.line ?? "";
    output.append(el("span", { class: "asked" }, `> ${text}\n`), `${ok ? "=" : "?"} ${words}\n\n`);
    while (output.childNodes.length > 2 * MOST_ANSWERS) output.firstChild?.remove();
    output.scrollTop = output.scrollHeight;
  };
  return el("div", { class: "stack" }, output, form);
}
