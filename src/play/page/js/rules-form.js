/**
 * Fields of a new game: rules, komi, handicap, players, and clock.
 */

import { el, labeled, select } from "./dom.js";
import { labeledChip } from "./stones.js";
import { COLORS } from "./store.js";

/** Titles of the options of a ruleset. Others appear by their key. */
const TITLES = /** @type {Record<string, string>} */ ({
  ko: "Ko",
  suicide: "Suicide",
  pass: "Passing",
  end: "End of the game",
  score: "Score",
  neutral: "Neutral points",
  first: "First player",
  stuck: "Without a placement",
  dead: "Dead stones",
  tax: "Group tax",
  play: "Illegal moves",
  button: "Button",
});

/**
 * Options of a ruleset: a select for each one with fixed values, and a field for the others. The
 * empty choice keeps the value of the ruleset.
 * @param {string[]} words Options that are set, as `key=value`.
 */
function optionFields(words) {
  const fixed = el("div", { class: "pair" });
  const extra = el("input", {
    type: "text",
    id: "rule-options",
    value: words.join(","),
    placeholder: "black-passes=0,white-passes=3",
    autocomplete: "off",
  });
  /** @type {{key: string, field: HTMLSelectElement}[]} */
  let axes = [];
  return {
    body: el("div", { class: "stack" }, fixed, labeled("More options", extra)),
    /** @param {{key: string, values: string[]}[]} list */
    fill(list) {
      axes = list.map(({ key, values }) => {
        const set = words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1) ?? "";
        const choices = values.map((value) => /** @type {[string, string]} */ ([value, value]));
        const field = select([["", "as the ruleset says"], ...choices], set, { id: `axis-${key}` });
        return { key, field };
      });
      const keys = new Set(axes.map((axis) => axis.key));
      extra.value = words.filter((word) => !keys.has(word.split("=")[0])).join(",");
      fixed.replaceChildren(...axes.map(({ key, field }) => labeled(TITLES[key] ?? key, field)));
    },
    values() {
      const changes = axes.filter(({ field }) => field.value !== "");
      return [
        ...changes.map(({ key, field }) => `${key}=${field.value}`),
        ...extra.value.split(/[\s,]+/).filter(Boolean),
      ];
    },
  };
}

/**
 * @param {import("./session.js").Session} session
 */
export function rulesForm(session) {
  const { board, state } = session;
  const current = board?.ruleset ?? "tromp-taylor";
  const [present, ...words] = current.split(/[ ,]+/);
  const ruleset = select([[present, present]], present, { id: "ruleset", name: "ruleset" });
  const sentence = el("small", { class: "note" });
  const komi = el("input", {
    type: "number",
    step: 0.5,
    id: "komi",
    name: "komi",
    value: board?.komi ?? 0,
  });
  const handicap = el("input", { type: "number", min: 0, value: 0, id: "handicap" });
  const handicapNote = el("small", { class: "note" });
  /** @param {number | undefined} most Largest number of stones, if it is known. */
  const limitHandicap = (most) => {
    if (most === undefined) handicap.removeAttribute("max");
    else handicap.max = String(most);
    handicap.disabled = most !== undefined && most < 2;
    if (handicap.disabled) handicap.value = "0";
    handicapNote.textContent =
      most === undefined ? "" : most < 2 ? "This board has none." : `2 to ${most}`;
  };
  limitHandicap(board?.handicap);
  // The fields of komi and of teams set these.
  const options = optionFields(words.filter((word) => !/^(komi|sides)=/.test(word)));
  let komiTouched = false;
  komi.addEventListener("input", () => (komiTouched = true));
  handicap.addEventListener("input", () => {
    if (!komiTouched && Number(handicap.value) > 1) komi.value = "0.5";
  });
  const komiField = labeled("Komi", komi);
  /** @type {Map<string, any>} */
  const known = new Map();
  const describe = () => {
    const row = known.get(ruleset.value);
    sentence.textContent = row?.sentence ?? "";
    komiField.hidden = row?.rules?.komi === false;
  };
  ruleset.addEventListener("change", describe);
  void session.connection.ask({ type: "rules" }).then((answer) => {
    if (answer.type !== "result") return;
    for (const row of answer.rulesets) known.set(row.name, row);
    fillRulesets(ruleset, [...known.keys()], present);
    if (answer.axes) options.fill(answer.axes);
    describe();
  });

  const players = playersForm(state?.players ?? [], session.model.welcome?.levels ?? 10);
  const numbers = [2, 3, 4, 5, 6, 7, 8].map(
    (n) => /** @type {[string, string]} */ ([`${n}`, `${n}`]),
  );
  const count = select(numbers, String(state?.players.length ?? 2), { id: "colors" });
  count.addEventListener("change", () => players.resize(Number(count.value)));
  const clock = clockForm();

  return {
    body: el(
      "div",
      { class: "stack" },
      el("label", { class: "field" }, el("span", {}, "Rules"), ruleset, sentence),
      el(
        "div",
        { class: "pair" },
        komiField,
        el("label", { class: "field" }, el("span", {}, "Handicap stones"), handicap, handicapNote),
      ),
      el("details", {}, el("summary", {}, "Rules in detail"), options.body),
      labeled("Colors", count),
      players.body,
      clock.body,
    ),
    limitHandicap,
    /** Keys of `new`. */
    values() {
      const stones = Number(handicap.value) || 0;
      return {
        ruleset: [ruleset.value, ...options.values()].join(","),
        komi: Number(komi.value) || 0,
        colors: Number(count.value),
        players: players.values(),
        clock: clock.value(),
        ...(stones > 1 ? { handicap: stones } : {}),
      };
    },
  };
}

/**
 * @param {HTMLSelectElement} field
 * @param {string[]} names
 * @param {string} present
 */
function fillRulesets(field, names, present) {
  const all = names.includes(present) ? names : [present, ...names];
  field.replaceChildren(
    ...all.map((name) => el("option", { value: name, selected: name === present }, name)),
  );
}

/**
 * One row for each color: person or engine, its strength, and its team.
 * @param {import("./types.js").Player[]} players
 * @param {number} levels
 */
export function playersForm(players, levels) {
  const body = el("div", { class: "stack" });
  /** @type {{color: string, values: () => import("./types.js").Player}[]} */
  let rows = [];
  /** @param {number} count */
  const resize = (count) => {
    const before = rows.map((row) => row.values());
    rows = COLORS.slice(0, count).map((color, i) =>
      playerRow(
        color,
        before[i] ?? players[i] ?? { kind: i === 0 ? "person" : "engine" },
        levels,
        count,
      ),
    );
    body.replaceChildren(...rows.map((row) => /** @type {any} */ (row).body));
  };
  resize(Math.max(2, players.length));
  return {
    body,
    resize,
    values: () => Object.fromEntries(rows.map((row) => [row.color, row.values()])),
  };
}

/**
 * Strength of a player as the value of a choice: its limits, joined by commas.
 * @param {import("./types.js").Player} player
 */
export function strengthOf(player) {
  const keys = /** @type {const} */ (["level", "playouts", "seconds"]);
  return keys
    .filter((key) => player[key])
    .map((key) => `${key} ${player[key]}`)
    .join(",");
}

/**
 * Player that the fields of a row describe.
 * @param {string} kind
 * @param {string} strength
 * @param {string} name
 * @param {string} team
 * @returns {import("./types.js").Player}
 */
export function playerOf(kind, strength, name, team) {
  const limits = strength.split(",").filter(Boolean);
  return {
    kind: kind === "engine" ? "engine" : "person",
    ...Object.fromEntries(
      limits.map((limit) => [limit.split(" ")[0], Number(limit.split(" ")[1])]),
    ),
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(team ? { team: Number(team) } : {}),
  };
}

/**
 * @param {string} color
 * @param {import("./types.js").Player} player
 * @param {number} levels
 * @param {number} count
 */
function playerRow(color, player, levels, count) {
  const kind = select(
    [
      ["person", "Person"],
      ["engine", "Engine"],
    ],
    player.kind,
    { "data-player": color, "aria-label": `Player of ${color}` },
  );
  const start = strengthOf(player);
  const list = /** @type {[string, string][]} */ ([["", "Full strength"]]);
  for (let level = levels; level >= 1; level--) list.push([`level ${level}`, `Level ${level}`]);
  for (const seconds of [0.2, 1, 2, 5, 10, 30])
    list.push([`seconds ${seconds}`, `${seconds} s a move`]);
  for (const playouts of [20, 100, 1000, 10000, 100000]) {
    list.push([`playouts ${playouts}`, `${playouts} playouts`]);
  }
  if (!list.some(([value]) => value === start)) list.push([start, start.replaceAll(",", " and")]);
  const strength = select(list, start, { "aria-label": `Strength of ${color}` });
  const name = el("input", {
    type: "text",
    value: player.kind === "person" ? (player.name ?? "") : "",
    maxlength: 40,
    placeholder: "Name",
    "aria-label": `Name of ${color}`,
  });
  const team = select(
    [
      ["", "No team"],
      ...[1, 2, 3, 4].map((n) => /** @type {[string, string]} */ ([String(n), `Team ${n}`])),
    ],
    player.team ? String(player.team) : "",
    { "aria-label": `Team of ${color}` },
  );
  const show = () => {
    strength.hidden = kind.value !== "engine";
    name.hidden = kind.value === "engine";
  };
  kind.addEventListener("change", show);
  show();
  const body = el(
    "div",
    { class: "player-form" },
    labeledChip(color),
    kind,
    el("div", {}, strength, name),
    count > 2 ? el("div", { class: "team" }, team) : null,
  );
  return {
    color,
    body,
    values() {
      // The form has no field for the name of an engine, so that one stays.
      const engine = player.kind === "engine" ? (player.name ?? "") : "";
      const called = kind.value === "engine" ? engine : name.value;
      // Two colors play without teams, and their rows do not show one.
      return playerOf(kind.value, strength.value, called, count > 2 ? team.value : "");
    },
  };
}

/** Fields of the clock. */
function clockForm() {
  const kind = select(
    [
      ["none", "No clock"],
      ["absolute", "Main time only"],
      ["fischer", "Main time and increment"],
      ["byoyomi", "Main time, then periods"],
      ["canadian", "Main time, then stones in a period"],
    ],
    "none",
    { id: "clock-kind" },
  );
  /** @param {number} value @param {string} id */
  const number = (value, id) => el("input", { type: "number", min: 0, max: 86400, value, id });
  const fields = {
    main: number(300, "clock-main"),
    increment: number(10, "clock-increment"),
    count: number(3, "clock-count"),
    period: number(30, "clock-period"),
  };
  const main = labeled("Main time in seconds", fields.main);
  const increment = labeled("Seconds added for each move", fields.increment);
  const count = labeled("Periods, or stones", fields.count);
  const period = labeled("Seconds of a period", fields.period);
  const show = () => {
    main.hidden = kind.value === "none";
    increment.hidden = kind.value !== "fischer";
    count.hidden = !["byoyomi", "canadian"].includes(kind.value);
    period.hidden = count.hidden;
  };
  kind.addEventListener("change", show);
  show();
  return {
    body: el(
      "div",
      { class: "stack" },
      labeled("Clock", kind),
      el("div", { class: "pair" }, main, increment, count, period),
    ),
    value() {
      const seconds = Number(fields.main.value) || 0;
      const [n, length] = [Number(fields.count.value) || 1, Number(fields.period.value) || 1];
      switch (kind.value) {
        case "absolute":
          return { main: seconds };
        case "fischer":
          return { main: seconds, increment: Number(fields.increment.value) || 0 };
        case "byoyomi":
          return { main: seconds, periods: n, period: length };
        case "canadian":
          return { main: seconds, stones: n, period: length };
        default:
          return null;
      }
    },
  };
}
