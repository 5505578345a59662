/**
 * Builders for HTML and SVG elements. Text enters the page only as text nodes and attributes.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Attributes of an element. Functions become event listeners, `true` an empty attribute, and
 * `false`, `null` and `undefined` are left out.
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>}
 *   Attributes
 */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
}

/**
 * Builds an HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  for (const child of children) {
    if (child !== null) element.append(child);
  }
  return element;
}

/**
 * Builds an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
  dress(element, attributes);
  for (const child of children) {
    if (child !== null) element.append(child);
  }
  return element;
}

/**
 * Returns the element with an id that the page is known to have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element '${id}' in the page`);
  return found;
}

/**
 * Sets an attribute only if it differs, or removes it for `null`. Unchanged elements cost no
 * layout.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function set(element, name, value) {
  if (value === null) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}

/**
 * Replaces the children of an element. If one of them had the focus of the keyboard, its successor
 * with the same text gets it, else the first button or field, else the frame around the element.
 * @param {HTMLElement} box
 * @param {Node[]} children
 */
export function refill(box, children) {
  const before = box.querySelector(":focus-visible");
  box.replaceChildren(...children);
  if (!before) return;
  /** @type {NodeListOf<HTMLElement>} */
  const fields = box.querySelectorAll("button:not(:disabled), input, select, textarea");
  const able = [...fields];
  const same = able.find(
    (one) => one.tagName === before.tagName && one.textContent === before.textContent,
  );
  /** @type {HTMLElement | null} */
  const frame = box.closest("[tabindex]");
  (same ?? able[0] ?? frame)?.focus({ preventScroll: true });
}

/**
 * Rounds a coordinate for an attribute: a hundredth of a pixel cannot be seen.
 * @param {number} value
 * @returns {string}
 */
export function px(value) {
  return String(Math.round(value * 100) / 100);
}

/**
 * Returns a function that draws in the next frame, once for all calls before it.
 * @param {() => void} draw
 * @returns {() => void}
 */
export function oncePerFrame(draw) {
  let queued = false;
  return () => {
    if (queued) return;
    queued = true;
    requestAnimationFrame(() => {
      queued = false;
      draw();
    });
  };
}

/**
 * Builds a labeled field of a form.
 * @param {string} label
 * @param {HTMLElement} field
 * @param {string} [hint]
 * @returns {HTMLLabelElement}
 */
export function labeled(label, field, hint) {
  return el(
    "label",
    { class: "field" },
    el("span", {}, label),
    field,
    hint ? el("small", {}, hint) : null,
  );
}

/**
 * Builds a select element from pairs of value and text.
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {Attributes} [attributes]
 * @returns {HTMLSelectElement}
 */
export function select(options, chosen, attributes = {}) {
  const list = options.map(([value, text]) =>
    el("option", { value, selected: value === chosen }, text),
  );
  return el("select", attributes, ...list);
}

/**
 * Opens a dialog with a title, a button that closes it, and this content.
 * @param {HTMLDialogElement} dialog
 * @param {string} id Id of the title.
 * @param {string} title
 * @param {...(Node | null)} content
 */
export function openSheet(dialog, id, title, ...content) {
  dialog.replaceChildren(
    el(
      "div",
      { class: "sheet" },
      el(
        "div",
        { class: "head" },
        el("h2", { id }, title),
        el("button", { type: "button", click: () => dialog.close() }, "Close"),
      ),
      ...content,
    ),
  );
  dialog.showModal();
}

/**
 * Returns a number and what it counts, such as `1 point` or `2 points`.
 * @param {number} count
 * @param {string} noun In the singular.
 * @returns {string}
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
