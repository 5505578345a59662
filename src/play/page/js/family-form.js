/**
 * Fields for the arguments of a family of boards, one for each.
 */

import { el, labeled } from "./dom.js";

/**
 * @typedef {object} Argument
 * @property {string} name
 * @property {string} meaning
 * @property {string | null} example
 * @property {string} before Text before the value in a spec.
 * @property {string} after Text after the value in a spec.
 * @property {boolean} optional
 * @property {"number" | "spec" | "text" | "word"} kind
 */

/**
 * @typedef {object} Family
 * @property {string} name
 * @property {string} form
 * @property {string} sentence
 * @property {string[]} synonyms
 * @property {string | null} example
 * @property {Argument[]} arguments
 */

/** @type {Promise<Family[]> | null} */
let known = null;

/**
 * Returns all families. They are the same for every game of the server.
 * @param {import("./session.js").Session} session
 * @returns {Promise<Family[]>}
 */
export function families(session) {
  known ??= session.connection.ask({ type: "gallery" }).then((answer) => {
    if (answer.type === "result") return answer.families;
    known = null;
    return [];
  });
  return known;
}

/**
 * Joins values to the spec of a family. A missing optional value leaves out its argument.
 * @param {Family} family
 * @param {string[]} values
 */
export function specOf(family, values) {
  const parts = family.arguments.map(({ before, after, optional }, i) => {
    const value = (values[i] ?? "").trim();
    return optional && value === "" ? "" : `${before}${value}${after}`;
  });
  return `${family.name}${parts.join("")}`;
}

/**
 * Builds the fields, and the sentence about the family above them.
 * @param {import("./session.js").Session} session
 * @param {(spec: string) => void} changed Called with the new spec after each change of a field.
 */
export function familyForm(session, changed) {
  const about = el("p", { class: "note" });
  const title = el("legend", {});
  const fields = el("div", { class: "arguments" });
  const frame = el("fieldset", { class: "family-form", id: "family-form" }, title, fields);
  const body = el("div", { class: "stack", hidden: true }, about, frame);
  /** @type {Family | null} */
  let family = null;
  /** @type {HTMLInputElement[]} */
  let inputs = [];

  const spec = () => {
    const values = inputs.map((input) => {
      if (input.type === "checkbox") return input.checked ? input.value : "";
      return input.value;
    });
    return family ? specOf(family, values) : "";
  };

  /** Shows a family with these values. @param {Family} wanted @param {string[]} values */
  const show = (wanted, values) => {
    if (family !== wanted) {
      family = wanted;
      about.textContent = `${wanted.form}: ${wanted.sentence}`;
      title.textContent = `Arguments of ${wanted.name}`;
      const rows = wanted.arguments.map((argument, i) =>
        argumentField(argument, i, () => changed(spec())),
      );
      inputs = rows.map((row) => row.input);
      fields.replaceChildren(...rows.map((row) => row.label));
    }
    inputs.forEach((input, i) => {
      const value = values[i] ?? "";
      if (input.type === "checkbox") input.checked = value !== "";
      else if (input.value !== value) input.value = value;
    });
    frame.hidden = inputs.length === 0;
    body.hidden = false;
  };
  const hide = () => {
    body.hidden = true;
  };

  return {
    body,
    hide,
    /** Shows a family with its example, and returns the spec. @param {Family} wanted */
    start(wanted) {
      const values = wanted.arguments.map(({ example }) => example ?? "");
      show(wanted, values);
      return wanted.example ?? specOf(wanted, values);
    },
    /**
     * Shows the family of a valid spec. While a spec is wrong, the fields stay as they are.
     * @param {any} answer Answer of `validate`, or null for a wrong spec.
     * @param {() => boolean} isPresent Tells whether the spec has not changed in the meantime.
     */
    async follow(answer, isPresent) {
      if (!answer) return;
      const list = await families(session);
      if (!isPresent()) return;
      const found = list.find(({ name }) => name === answer.family);
      if (!found) return hide();
      // Values that were typed into the fields stay as they were typed.
      const typed = !body.hidden && family === found && fields.contains(document.activeElement);
      if (!typed) show(found, answer.values);
    },
  };
}

/**
 * Builds the field of an argument.
 * @param {Argument} argument
 * @param {number} index
 * @param {() => void} changed
 */
function argumentField({ name, meaning, optional, kind }, index, changed) {
  const isWord = kind === "word";
  const input = el("input", {
    type: isWord ? "checkbox" : "text",
    id: `argument-${index}`,
    "data-argument": name,
    value: isWord ? name : "",
    inputmode: kind === "number" ? "decimal" : null,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: isWord ? null : "false",
    "aria-describedby": "spec-note",
    input: changed,
  });
  const title = `${meaning} (${name})`;
  if (isWord) return { input, label: el("label", { class: "check" }, input, title) };
  const label = labeled(optional ? `${title}, optional` : title, input);
  if (kind !== "number") label.classList.add("long");
  return { input, label };
}
