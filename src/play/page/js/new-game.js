/**
 * Dialog of a new game: the board from the gallery, as a spec, drawn by hand, or from a file; then
 * rules, players, and clock.
 */

import { byId, el } from "./dom.js";
import { familyForm } from "./family-form.js";
import { filePicker } from "./files.js";
import { gallery } from "./gallery.js";
import { rulesForm } from "./rules-form.js";
import { sketchPad } from "./sketch-pad.js";
import { specField } from "./spec-field.js";

/**
 * Opens the dialog.
 * @param {import("./session.js").Session} session
 */
export function newGame(session) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog-new"));
  const start = el("button", { type: "submit", class: "primary", id: "start" }, "Start");
  const error = el("p", { class: "error", role: "alert" });
  const present = session.board?.spec ?? "";
  const field = specField(session, present.startsWith("file:") ? "" : present, (answer) => {
    const spec = field.input.value.trim();
    start.disabled = !answer && spec !== "";
    const stays = spec === "" || spec === present;
    rules.limitHandicap(stays ? session.board?.handicap : answer?.handicap);
    if (spec === "") fields.hide();
    else void fields.follow(answer, () => field.input.value.trim() === spec);
  });
  const fields = familyForm(session, (spec) => field.type(spec));
  const rules = rulesForm(session);
  let drawn = "";
  /** Puts a drawing into the field, and takes it out once it is cleared. @param {string} spec */
  const draw = (spec) => {
    if (spec !== "" || field.input.value === drawn) field.set(spec);
    drawn = spec;
  };
  const sources = sourceTabs([
    [
      "Gallery",
      () => {
        const pictures = gallery(session, (family) => {
          field.set(fields.start(family));
          fields.body.scrollIntoView({ block: "nearest" });
        });
        return el("div", { class: "stack" }, fields.body, pictures);
      },
    ],
    ["Draw", () => sketchPad((spec) => draw(spec))],
    ["File", () => filePicker(session, () => dialog.close())],
  ]);
  const form = el(
    "form",
    {},
    el(
      "div",
      { class: "head" },
      el("h2", { id: "new-title" }, "New game"),
      el(
        "div",
        { class: "row" },
        start,
        el("button", { type: "button", click: () => dialog.close() }, "Cancel"),
      ),
    ),
    error,
    el(
      "div",
      { class: "columns" },
      el(
        "div",
        { class: "stack" },
        el("label", { class: "field" }, el("span", {}, "Board"), field.input),
        field.note,
        sources,
      ),
      el("div", { class: "stack" }, field.preview, rules.body),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  const send = async () => {
    start.disabled = true;
    const spec = field.input.value.trim();
    const answer = await session.command({
      type: "new",
      ...(spec === "" || spec === present ? {} : { spec }),
      ...rules.values(),
    });
    start.disabled = false;
    if (answer.type === "done" || answer.type === "result") dialog.close();
    else error.textContent = answer.line ?? answer.text ?? "The game was refused.";
  };
  dialog.replaceChildren(form);
  dialog.showModal();
  field.input.focus();
  field.input.select();
  void field.check();
}

/**
 * Tabs whose content is built when first opened.
 * @param {[string, () => HTMLElement][]} entries
 */
function sourceTabs(entries) {
  const frame = el("div", {});
  /** @type {Map<string, HTMLElement>} */
  const built = new Map();
  const buttons = entries.map(([title, build]) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        click: (event) => {
          for (const button of buttons) button.setAttribute("aria-pressed", "false");
          event.currentTarget.setAttribute("aria-pressed", "true");
          let body = built.get(title);
          if (!body) {
            body = build();
            built.set(title, body);
          }
          frame.replaceChildren(body);
        },
      },
      title,
    ),
  );
  queueMicrotask(() => buttons[0].click());
  return el(
    "div",
    { class: "stack" },
    el("div", { class: "row", role: "group", "aria-label": "Source of the board" }, ...buttons),
    frame,
  );
}
