/**
 * Session of the page: connection, state, settings, and all commands. Panes call it and listen to
 * it; it draws nothing.
 */

import { Connection } from "./connection.js";
import { blankUi } from "./picture.js";
import { boardSentence, capturedBy, moveSentence, nextSentence, reasonText } from "./sentences.js";
import { load, save } from "./settings.js";
import { play as sound, wake } from "./sound.js";
import { Store } from "./store.js";
import { title } from "./stones.js";

const GAME_KEY = "omnigo-game";
/** Sentence after the program was told to end. */
export const ENDED = "omnigo has ended. This window can be closed.";

/** Fires `say`, `ui`, `settings`, `connected`, and the parts of the store. */
export class Session extends EventTarget {
  constructor() {
    super();
    this.store = new Store();
    this.settings = load();
    this.ui = blankUi();
    this.text = "";
    /** Errors and warnings that no command asked for. The next sentence starts with them. */
    this.notice = "";
    /** Sentences about the last move and the next one. */
    this.moveText = "";
    this.news = "";
    /** Link in the address when the page was opened. */
    this.wanted = linkOf(location.hash);
    this.fresh = this.wanted !== "" && stored() === null;
    this.asNew = false;
    /** Number of the game that the latest greeting asked for. @type {number | null} */
    this.asked = null;
    /** True if this page started the running analysis. */
    this.analyzes = false;
    /** Link that this page has written to the address. */
    this.written = this.wanted;
    /** @type {import("./types.js").State | null} */
    this.before = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.addressTimer = undefined;
    const address = new URL("ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    this.connection = new Connection(address.href);
    this.connection.greeting = () => this.greeting();
    this.connection.addEventListener("message", (event) => {
      this.receive(/** @type {CustomEvent} */ (event).detail);
    });
    this.connection.addEventListener("connected", () => this.connectionChanged());
    addEventListener("hashchange", () => this.addressChanged());
    addEventListener("pointerdown", () => this.settings.sound && wake(), { capture: true });
  }

  get model() {
    return this.store.model;
  }

  get state() {
    return this.store.model.state;
  }

  get board() {
    return this.store.model.board;
  }

  /** True if this page may change the game. */
  get isOwner() {
    return this.model.welcome?.role === "owner";
  }

  greeting() {
    const link = this.wanted === "" ? {} : { link: this.wanted };
    this.asked = null;
    if (this.asNew) return { game: "new", ...link };
    const game = this.state?.game ?? stored();
    this.asked = game;
    return game === null ? link : { game, ...link };
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "welcome") {
      if (this.isMissing(message)) return;
      store(message.game);
      this.asNew = false;
      this.before = null;
      this.analyzes = false;
    }
    if (message.type === "bye" && !this.connection.ended) this.say(message.line);
    if (["error", "refused"].includes(message.type) && message.id === null) {
      this.notice = `${title(message.line ?? message.text)}.`;
      this.say(this.notice);
      if (message.type === "refused" && this.asNew) this.joinAny();
    }
    const before = this.before;
    this.store.receive(message);
    if (message.type === "state" && this.state === message) this.stateChanged(before, message);
    if (message.type === "board" && this.board) {
      this.before = null;
      this.ui = blankUi();
      this.notice = [this.notice, boardSentence(this.board)].filter(Boolean).join(" ");
      this.changed("ui");
    }
  }

  /**
   * Handles a welcome to another game than the one that was asked for, because that game was
   * released. Returns true if the page opens its own game again from its link.
   * @param {{game: number, role: string}} welcome
   */
  isMissing(welcome) {
    const { asked } = this;
    this.asked = null;
    if (asked === null || asked === welcome.game) return false;
    if (welcome.role === "owner" && this.wanted !== "") {
      this.notice = `Game ${asked} was released. Its link opens it again, without variations.`;
      this.asNew = true;
      this.fresh = false;
      this.connection.restart();
      return true;
    }
    this.notice = `Game ${asked} was released. This is game ${welcome.game}.`;
    return false;
  }

  /** Joins an open game, because the server opens no other one. */
  joinAny() {
    this.asNew = false;
    this.fresh = false;
    this.connection.greet();
    // Any game is welcome, so none is missing.
    this.asked = null;
  }

  /**
   * @param {import("./types.js").State | null} before
   * @param {import("./types.js").State} state
   */
  stateChanged(before, state) {
    this.before = state;
    if (!state.analysis) this.analyzes = false;
    if (this.fresh) {
      this.fresh = false;
      if (this.isOwner && !continues(this.wanted, state.link)) {
        // Another game runs in the program. The link in the address opens a game of its own.
        this.asNew = true;
        this.connection.restart();
        return;
      }
    }
    const moved = before?.node !== state.node || before?.game !== state.game;
    this.ui.pending = null;
    if (moved) {
      this.ui.ghost = null;
      this.ui.estimate = null;
      this.ui.variation = -1;
      this.ui.chosen = [];
    }
    if (moved) this.moveText = moveSentence(before, state);
    const news = nextSentence(state);
    if (moved || news !== this.news) {
      this.say([this.notice, this.moveText, news].filter(Boolean).join(" "));
      this.notice = "";
    }
    this.news = news;
    if (this.settings.sound && moved && before && state.turns > before.turns) {
      const pass = state.last?.vertex === "pass";
      sound(pass ? "pass" : capturedBy(before, state) > 0 ? "capture" : "stone");
    }
    this.changed("ui");
    this.writeAddress();
  }

  connectionChanged() {
    const { connected } = this.connection;
    document.body.dataset.connected = String(connected);
    if (!connected) {
      this.ui.pending = null;
      this.changed("ui");
      if (this.connection.ended) this.say(ENDED);
      else if (this.connection.opened) this.say("Connection lost, trying again.");
    }
    this.changed("connected");
  }

  /** Writes the link of the game to the address, at most twice a second. */
  writeAddress() {
    if (this.addressTimer !== undefined) return;
    this.addressTimer = setTimeout(() => {
      this.addressTimer = undefined;
      const link = this.state?.link;
      const hash = link ? `#${link}` : "";
      this.written = link ?? "";
      this.wanted = link ?? "";
      if (location.hash !== hash) {
        history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
      }
    }, 500);
  }

  addressChanged() {
    const link = linkOf(location.hash);
    if (link === "" || link === this.written) return;
    this.written = link;
    void this.command({ type: "new", link });
  }

  /** @param {string} part */
  changed(part) {
    this.dispatchEvent(new Event(part));
  }

  /**
   * Shows a sentence in the status line.
   * @param {string} text
   */
  say(text) {
    this.text = text;
    this.changed("say");
  }

  /**
   * Changes settings and stores them.
   * @param {Partial<import("./types.js").Settings>} change
   */
  set(change) {
    Object.assign(this.settings, change);
    save(this.settings);
    this.changed("settings");
  }

  /**
   * Sends a command with the present revision. Refusals and errors appear in the status line.
   * @param {Record<string, any>} message
   * @returns {Promise<any>}
   */
  async command(message) {
    const rev = this.state ? { rev: this.state.rev } : {};
    const answer = await this.connection.ask({ ...rev, ...message });
    if (answer.type === "refused" || answer.type === "error") {
      this.ui.pending = null;
      this.changed("ui");
      if (answer.reason !== "stale") this.say(this.refusal(message, answer));
    }
    return answer;
  }

  /**
   * @param {Record<string, any>} message
   * @param {any} answer
   */
  refusal(message, answer) {
    if (answer.type === "error") return answer.line;
    const reason = reasonText(answer);
    if (message.type === "play") return `${message.vertex} is not allowed: ${reason}.`;
    return answer.text || `Not allowed: ${reason}.`;
  }

  /**
   * Color for which this page may move now, or `null`.
   */
  myColor() {
    const { state, model } = this;
    if (!state || state.phase !== "play" || state.thinking || !this.connection.connected)
      return null;
    const role = model.welcome?.role;
    if (role === "watch") return null;
    if (role === "player" && model.welcome.color !== state.to_move) return null;
    return state.to_move;
  }

  /** Reason for which this page may not move now. */
  idleReason() {
    const { state } = this;
    if (this.connection.ended) return ENDED;
    if (!this.connection.connected) return "Connection lost, trying again.";
    if (state?.thinking) return `${title(state.thinking)} thinks.`;
    if (state?.phase === "over") return "The game is over.";
    if (this.model.welcome?.role === "watch") return "You are watching this game.";
    return "It is not your turn.";
  }

  /**
   * Plays a stone, or says why that is not allowed.
   * @param {number} vertex
   */
  async play(vertex) {
    const { state, board, ui } = this;
    if (!state || !board) return;
    const color = this.myColor();
    const alias = board.aliases[vertex];
    if (!color) {
      this.say(this.idleReason());
      return;
    }
    ui.ghost = null;
    if (state.legal[vertex] !== "1") {
      this.changed("ui");
      const answer = await this.connection.ask({ type: "why", vertex: alias });
      if (answer.type === "result" && answer.legal !== true) {
        this.say(`${alias} is not allowed: ${reasonText(answer)}.`);
        return;
      }
    }
    ui.pending = { vertex, color };
    this.changed("ui");
    await this.command({ type: "play", vertex: alias, color });
  }

  /** Starts or stops the analysis. */
  async toggleAnalysis() {
    const on = !this.state?.analysis;
    const answer = await this.command({
      type: "analyze",
      on,
      interval: this.settings.interval,
      ownership: true,
      moves: 8,
    });
    this.analyzes = on && answer.type === "done";
  }

  /** Estimates the score of the present position, or hides the estimate. */
  async estimate() {
    if (this.ui.estimate) {
      this.ui.estimate = null;
      this.changed("ui");
      return;
    }
    const answer = await this.command({ type: "score" });
    if (answer.type !== "result") return;
    this.ui.estimate = { locked: [], accepted: [], ...answer };
    this.changed("ui");
    const scores = Object.entries(answer.scores ?? {})
      .map(([color, points]) => `${title(color)} ${points}`)
      .join(", ");
    this.say(`If the game ended here: ${answer.result ?? "no result"} (${scores}).`);
  }

  /** Ends the program. */
  async quit() {
    const answer = await this.command({ type: "quit" });
    if (answer.type === "done") this.connection.end();
  }

  /** @param {number} node */
  goto(node) {
    if (node !== this.state?.node) void this.command({ type: "goto", node });
  }
}

/** Link in the hash of an address. @param {string} hash */
function linkOf(hash) {
  return hash.replace(/^#/, "");
}

function stored() {
  try {
    const text = sessionStorage.getItem(GAME_KEY);
    return text === null ? null : Number(text);
  } catch {
    return null;
  }
}

/** @param {number} game */
function store(game) {
  try {
    sessionStorage.setItem(GAME_KEY, String(game));
  } catch {
    // Without storage a reload joins the latest game.
  }
}

/**
 * Tells whether a link in the address is the present game or an earlier position of it.
 * @param {string} wanted
 * @param {string | null} link
 */
export function continues(wanted, link) {
  if (!link) return false;
  const [a, b] = [new URLSearchParams(wanted), new URLSearchParams(link)];
  const [before, now] = [a.get("moves") ?? "", b.get("moves") ?? ""];
  a.delete("moves");
  b.delete("moves");
  a.sort();
  b.sort();
  return (
    a.toString() === b.toString() &&
    (now === before || before === "" || now.startsWith(`${before}.`))
  );
}
