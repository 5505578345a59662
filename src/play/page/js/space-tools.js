/**
 * Controls of lattices in space: one layer at a time, and layers pulled apart.
 */

import { byId, el } from "./dom.js";

/** @param {import("./board-view.js").BoardView} view */
export function spaceTools(view) {
  const box = byId("space-tools");
  const layer = el("input", { type: "range", id: "layer", min: 0, max: 1, step: 1, value: 0 });
  const name = el("span", { class: "layer-name" });
  const spread = el("input", { type: "range", id: "spread", min: 1, max: 3, step: 0.1, value: 1 });
  box.append(
    el("label", {}, el("span", {}, "Layer"), layer, name),
    el("label", {}, el("span", {}, "Spread"), spread),
  );
  const scene = () =>
    /** @type {import("./space.js").SpaceScene | null} */ (
      view.scene?.kind === "space" ? view.scene : null
    );
  const apply = () => {
    const space = scene();
    if (!space) return;
    space.layer = Number(layer.value) - 1;
    space.spread = Number(spread.value);
    name.textContent = space.layer < 0 ? "all" : `${layer.value} of ${space.layers.count}`;
    layer.setAttribute("aria-valuetext", name.textContent);
    space.project();
    view.refresh("sites");
  };
  layer.addEventListener("input", apply);
  spread.addEventListener("input", apply);
  view.addEventListener("shown", () => {
    const space = scene();
    box.hidden = !space?.isLattice;
    if (box.hidden || !space) return;
    layer.max = String(space.layers.count);
    layer.value = "0";
    spread.value = "1";
    apply();
  });
}
