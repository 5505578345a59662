/**
 * Types that several modules share. docs/play-protocol.md describes the messages.
 */

/** @typedef {import("./geometry.js").Point} Point */

/**
 * Rules of the game as far as the page needs them.
 * @typedef {object} Rules
 * @property {number} colors
 * @property {boolean} dead True if players agree on dead stones.
 * @property {boolean} passes
 * @property {"area" | "territory" | "stones" | "none"} scoring
 * @property {boolean} komi
 */

/**
 * Board of the present game, as the server sends it.
 * @typedef {object} BoardMessage
 * @property {number} game
 * @property {number} rev
 * @property {string} spec
 * @property {string[]} alias
 * @property {string[]} label
 * @property {number[]} [x]
 * @property {number[]} [y]
 * @property {number[]} [z]
 * @property {number[]} [sx]
 * @property {number[]} [sy]
 * @property {[number, number][]} [edges]
 * @property {{ends: [number, number], beside: [number, number][]}[]} [wraps]
 * @property {{kind: string, surface?: string, width?: number, height?: number,
 *   generators?: number[][]}} [view]
 * @property {number[]} [stars]
 * @property {{label: string[], x?: number[], y?: number[], covers: number[][],
 *   edges?: [number, number][]}} [points]
 * @property {number[]} [weights]
 * @property {string} [threshold]
 * @property {number} [handicap]
 * @property {string} ruleset
 * @property {Rules} rules
 * @property {number} komi
 * @property {string[]} [warnings]
 * @property {boolean} [drawable]
 */

/**
 * Board as the page draws it. The y axis points downward.
 * @typedef {object} Board
 * @property {number} game
 * @property {number} rev
 * @property {string} spec
 * @property {string[]} aliases
 * @property {string[]} labels
 * @property {Map<string, number>} indices Index of each alias.
 * @property {Point[]} places
 * @property {import("./quaternion.js").Vector[] | null} solid
 * @property {[number, number][]} edges
 * @property {number[][]} neighbors
 * @property {{ends: [number, number], beside: Point[]}[]} wraps
 * @property {import("./surface.js").Surface | null} surface
 * @property {{width: number, height: number} | null} rectangle Columns and rows of a full grid.
 * @property {Set<number>} stars
 * @property {{labels: string[], places: Point[], covers: number[][],
 *   edges: [number, number][]} | null} points
 * @property {number[] | null} weights
 * @property {string} threshold
 * @property {number} handicap
 * @property {string} ruleset
 * @property {Rules} rules
 * @property {number} komi
 * @property {string[]} warnings
 * @property {boolean} drawable
 */

/**
 * @typedef {object} Player
 * @property {"person" | "engine"} kind
 * @property {number} [level]
 * @property {number} [playouts]
 * @property {number} [seconds]
 * @property {string} [name]
 * @property {number} [team]
 */

/**
 * @typedef {object} Scoring
 * @property {string[]} dead
 * @property {string[]} locked
 * @property {string} owners
 * @property {Record<string, number>} scores
 * @property {string} result
 * @property {string[]} accepted
 * @property {string | null} [objection] Reason for which the engine does not accept.
 */

/**
 * @typedef {object} State
 * @property {number} game
 * @property {number} rev
 * @property {number} node
 * @property {"play" | "score" | "over"} phase
 * @property {string} stones
 * @property {string} [points]
 * @property {string} to_move
 * @property {string} legal
 * @property {boolean} pass
 * @property {number[]} ko
 * @property {{color: string, vertex: string, covered?: number[]} | null} last
 * @property {number} turns
 * @property {Record<string, number>} captured
 * @property {Record<string, number>} counters
 * @property {Player[]} players
 * @property {string | null} thinking
 * @property {boolean} waits
 * @property {{left: number, count?: number, running: boolean, text: string}[] | null} clocks
 * @property {boolean} analysis
 * @property {Scoring | null} scoring
 * @property {string | null} result
 * @property {Record<string, number> | null} scores
 * @property {string | null} link
 * @property {boolean} [undo]
 * @property {boolean} [redo]
 */

/**
 * Node of the game tree.
 * @typedef {object} TreeNode
 * @property {number} id
 * @property {number | null} parent
 * @property {string | null} [color]
 * @property {string | null} [vertex]
 * @property {string} [name]
 * @property {string} [comment]
 * @property {number} [winrate]
 * @property {number} [lead]
 * @property {number} [visits]
 */

/**
 * @typedef {object} AnalyzedMove
 * @property {string} vertex
 * @property {number} winrate
 * @property {number} lead
 * @property {number} visits
 * @property {number} [prior]
 * @property {number} order
 * @property {boolean} [best]
 * @property {string[]} pv
 */

/**
 * @typedef {object} Analysis
 * @property {number} game
 * @property {number} node
 * @property {number} seq
 * @property {number} time
 * @property {string} color
 * @property {{winrate: number, lead: number, visits: number}} root
 * @property {AnalyzedMove[]} moves
 * @property {number[]} [ownership]
 */

/**
 * Choices of this person, kept in the browser.
 * @typedef {object} Settings
 * @property {"light" | "dark" | "paper"} theme
 * @property {"alias" | "label" | "index" | "none"} names
 * @property {"none" | "last" | "five" | "all"} numbers
 * @property {boolean} sound
 * @property {boolean} ownership
 * @property {boolean} candidates
 * @property {boolean} variation
 * @property {boolean} images Full strength of the copies of a wrapped board if false.
 * @property {boolean} shortcuts
 * @property {number} interval
 */

export {};
