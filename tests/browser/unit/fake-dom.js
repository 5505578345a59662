/** Smallest document for the modules of the page that build elements. */

export class FakeElement extends EventTarget {
  /** @param {string} tag */
  constructor(tag) {
    super();
    this.tag = tag;
    /** @type {any[]} */
    this.children = [];
    /** @type {Map<string, string>} */
    this.attributes = new Map();
    /** @type {any} */
    this.style = {};
    /** @type {any} */
    this.dataset = {};
    this.value = "";
    this.hidden = false;
    this.textContent = "";
    this.clientWidth = 100;
    this.clientHeight = 100;
  }

  /** @param {any[]} children */
  append(...children) {
    this.children.push(...children);
    // A select element has the value of its chosen option.
    const chosen = children.find(
      (child) => this.tag === "select" && child.hasAttribute("selected"),
    );
    if (chosen) this.value = chosen.value;
  }

  /** @param {any[]} children */
  replaceChildren(...children) {
    this.children = children;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes.set(name, value);
    if (name === "value") this.value = value;
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  /** @param {string} name */
  removeAttribute(name) {
    this.attributes.delete(name);
  }

  /** @param {string} name */
  hasAttribute(name) {
    return this.attributes.has(name);
  }

  querySelector() {
    return null;
  }

  contains() {
    return false;
  }

  /** All elements with a tag. @param {string} tag @returns {FakeElement[]} */
  all(tag) {
    const inner = this.children.filter((child) => child instanceof FakeElement);
    const found = inner.flatMap((child) => child.all(tag));
    return this.tag === tag ? [this, ...found] : found;
  }
}

/** Puts a document into the global names. */
export function install() {
  /** @type {Map<string, FakeElement>} */
  const named = new Map();
  const globals = /** @type {any} */ (globalThis);
  globals.document = {
    activeElement: null,
    /** @param {string} tag */
    createElement: (tag) => new FakeElement(tag),
    /** @param {string} _ @param {string} tag */
    createElementNS: (_, tag) => new FakeElement(tag),
    /** @param {string} id */
    getElementById(id) {
      const element = named.get(id) ?? new FakeElement("div");
      named.set(id, element);
      return element;
    },
  };
  /** @param {() => void} call */
  globals.requestAnimationFrame = (call) => setTimeout(call, 0);
}

/** Waits until queued frames and promises have run. */
export function frame() {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
