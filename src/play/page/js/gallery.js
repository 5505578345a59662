/**
 * Gallery of all families of boards. Pictures are asked for when they scroll into view.
 */

import { el } from "./dom.js";
import { families } from "./family-form.js";

/** Pictures that were made before, by spec and theme. @type {Map<string, string>} */
const pictures = new Map();

/**
 * @param {import("./session.js").Session} session
 * @param {(family: import("./family-form.js").Family) => void} chosen
 */
export function gallery(session, chosen) {
  const box = el("div", { class: "gallery", tabindex: 0, role: "group", "aria-label": "Families" });
  const search = el("input", { type: "search", id: "gallery-search" });
  const waiting = /** @type {HTMLElement[]} */ ([]);
  let busy = false;

  // One picture at a time keeps the connection free for the game.
  const work = async () => {
    if (busy) return;
    busy = true;
    for (let button = waiting.shift(); button; button = waiting.shift()) {
      if (!button.isConnected) continue;
      await load(button);
    }
    busy = false;
  };

  /** @param {HTMLElement} button */
  const load = async (button) => {
    const spec = button.dataset.example ?? "";
    const { theme } = session.settings;
    const key = `${theme} ${spec}`;
    let address = pictures.get(key);
    if (!address) {
      const answer = await session.connection.ask({ type: "thumbnail", spec, width: 168, theme });
      if (answer.type !== "result" || !answer.svg) return;
      address = URL.createObjectURL(new Blob([answer.svg], { type: "image/svg+xml" }));
      pictures.set(key, address);
    }
    const image = button.querySelector("img");
    if (image) image.src = address;
  };

  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        waiting.push(/** @type {HTMLElement} */ (entry.target));
      }
      void work();
    },
    { root: box, rootMargin: "120px" },
  );

  const fill = async () => {
    for (const family of await families(session)) {
      if (!family.example || family.name === "file") continue;
      const button = el(
        "button",
        {
          type: "button",
          title: family.sentence,
          "data-example": family.example,
          "data-words": [family.name, family.form, ...(family.synonyms ?? [])]
            .join(" ")
            .toLowerCase(),
          click: () => chosen(family),
        },
        el("img", { class: "thumb", alt: "", src: "data:," }),
        family.name,
      );
      box.append(button);
      observer.observe(button);
    }
  };
  search.addEventListener("input", () => {
    const words = search.value.trim().toLowerCase();
    for (const button of box.querySelectorAll("button")) {
      const text = `${button.dataset.words} ${button.title.toLowerCase()}`;
      button.hidden = words !== "" && !text.includes(words);
    }
  });
  void fill();
  return el(
    "div",
    { class: "stack" },
    el("label", { class: "field" }, el("span", {}, "Find a family"), search),
    box,
  );
}
