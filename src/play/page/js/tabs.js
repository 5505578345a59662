/**
 * Tabs of the side panel.
 */

import { byId, el } from "./dom.js";

/**
 * Shows panes as tabs. Arrow keys, Home, and End move between the tabs.
 * @param {{id: string, title: string, body: HTMLElement, shown?: () => void}[]} panes
 * @returns {(id: string) => void} Function that opens a pane.
 */
export function tabs(panes) {
  const list = byId("tabs");
  const frame = byId("panes");
  /** @param {string} id */
  const open = (id) => {
    for (const pane of panes) {
      const chosen = pane.id === id;
      const tab = byId(`tab-${pane.id}`);
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      byId(`pane-${pane.id}`).hidden = !chosen;
      if (chosen) pane.shown?.();
    }
  };
  for (const pane of panes) {
    const tab = el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${pane.id}`,
        "aria-controls": `pane-${pane.id}`,
        "aria-selected": "false",
        click: () => open(pane.id),
      },
      pane.title,
    );
    list.append(tab);
    frame.append(
      el(
        "div",
        {
          class: "pane",
          id: `pane-${pane.id}`,
          role: "tabpanel",
          "aria-labelledby": `tab-${pane.id}`,
          hidden: true,
        },
        pane.body,
      ),
    );
  }
  list.addEventListener("keydown", (event) => {
    const at = panes.findIndex((pane) => byId(`tab-${pane.id}`) === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    const next = panes[(to + panes.length) % panes.length];
    open(next.id);
    byId(`tab-${next.id}`).focus();
    event.preventDefault();
    event.stopPropagation();
  });
  open(panes[0].id);
  return open;
}
