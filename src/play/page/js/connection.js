/**
 * Connection to the server: one WebSocket, answers by id, and reconnecting.
 */

/** Pauses before another attempt, in seconds. The last one repeats. */
const PAUSES = [0.25, 0.5, 1, 2, 4, 5];
/** Close code of the server when the program ends. */
const PROGRAM_ENDED = 4000;
/** Seconds without an answer after which a slow connection is given up. */
const PATIENCE = 20;

/**
 * Commands that are sent again after a reconnect. The server carries out each of them once, and
 * refuses it if the game has changed.
 */
const REPEATED = new Set(
  "play pass resign genmove undo redo dead accept resume comment name promote delete".split(" "),
);

/**
 * @typedef {object} Waiter
 * @property {Record<string, any>} message
 * @property {(answer: any) => void} resolve
 * @property {(text: string) => void} [report]
 * @property {WebSocket} socket Socket on which it was sent last.
 */

/** Text that names this page across reconnects. */
function pageName() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Fires `message` with each message of the server, and `connected` when the connection comes or
 * goes.
 */
export class Connection extends EventTarget {
  /** @param {string} address */
  constructor(address) {
    super();
    this.address = address;
    this.page = pageName();
    this.count = 0;
    this.attempts = 0;
    this.connected = false;
    this.opened = false;
    /** True once the program has ended. */
    this.ended = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** Commands without an answer, in their order. @type {Map<number, Waiter>} */
    this.waiting = new Map();
    /** Number of the present game. @type {number | null} */
    this.game = null;
    /** Keys of `hello`, asked for at each connection. @type {() => object} */
    this.greeting = () => ({});
    const again = () => {
      if (!document.hidden) this.connect();
    };
    addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
  }

  connect() {
    if (this.ended || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    const late = setTimeout(() => socket.close(), PATIENCE * 1000);
    socket.addEventListener("open", () => {
      clearTimeout(late);
      this.greet();
    });
    socket.addEventListener("message", (event) => {
      if (this.socket === socket) this.read(event.data);
    });
    socket.addEventListener("close", (event) => {
      clearTimeout(late);
      // There is nothing left to connect to.
      if (event.code === PROGRAM_ENDED) this.ended = true;
      if (this.socket === socket) this.lost();
    });
  }

  /** Says hello, and again after a refusal. */
  greet() {
    this.send({ type: "hello", protocol: 1, page: this.page, ...this.greeting() });
  }

  /** Opens another socket, for another greeting. */
  restart() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.drop(() => true);
    this.connect();
  }

  /** Ends the connection for good, because the program has ended. */
  end() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
    this.drop(() => true);
  }

  lost() {
    this.socket = null;
    this.tell(false);
    this.drop(
      ({ message }) => this.ended || message.rev === undefined || !REPEATED.has(message.type),
    );
    if (this.ended) return;
    const pause = PAUSES[Math.min(this.attempts, PAUSES.length - 1)];
    this.attempts += 1;
    this.timer = setTimeout(() => this.connect(), pause * 1000 * (0.8 + 0.4 * Math.random()));
  }

  /**
   * Gives up waiting commands.
   * @param {(waiter: Waiter) => boolean} isLost
   */
  drop(isLost) {
    for (const [id, waiter] of [...this.waiting]) {
      if (!isLost(waiter)) continue;
      this.waiting.delete(id);
      waiter.resolve({ type: "error", id, line: "the connection was lost" });
    }
  }

  /** Sends the waiting commands again, unless the game is another one. @param {number} game */
  repeat(game) {
    const { socket } = this;
    if (!socket) return;
    if (this.game !== game) this.drop((waiter) => waiter.socket !== socket);
    this.game = game;
    for (const waiter of this.waiting.values()) {
      if (waiter.socket === socket) continue;
      waiter.socket = socket;
      this.send(waiter.message);
    }
  }

  /** @param {boolean} connected */
  tell(connected) {
    this.connected = connected;
    this.dispatchEvent(new Event("connected"));
  }

  /** @param {string} data */
  read(data) {
    const message = JSON.parse(data);
    const { socket } = this;
    if (message.type === "welcome") {
      this.attempts = 0;
      this.opened = true;
      this.tell(true);
    }
    this.dispatchEvent(new CustomEvent("message", { detail: message }));
    // The session may have opened another socket because of the welcome.
    if (message.type === "welcome" && this.socket === socket) this.repeat(message.game);
    const waiter = this.waiting.get(message.id);
    if (!waiter) return;
    if (message.type === "progress") {
      waiter.report?.(message.text);
    } else if (["done", "result", "refused", "error"].includes(message.type)) {
      this.waiting.delete(message.id);
      waiter.resolve(message);
    }
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Sends a command and waits for its answer: `done`, `result`, `refused`, or `error`.
   * @param {Record<string, any>} message
   * @param {(text: string) => void} [report] Called with each `progress`.
   * @returns {Promise<any>}
   */
  ask(message, report) {
    this.count += 1;
    const id = this.count;
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) {
      return Promise.resolve({ type: "error", id, line: "there is no connection" });
    }
    return new Promise((resolve) => {
      const waiter = { message: { ...message, id }, resolve, report, socket };
      this.waiting.set(id, waiter);
      this.send(waiter.message);
    });
  }
}
