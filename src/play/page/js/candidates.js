/**
 * Candidate moves of an analysis as discs: their class, shape, and texts.
 */

/** Maximum number of discs. */
const MOST = 8;
/** Moves with a smaller share of the most visits are dots without text. */
const LEAST_SHARE = 0.02;
/** Loss of win probability up to which a move is good, doubtful, or a mistake. */
const LOSSES = [0.02, 0.05, 0.15];

/**
 * @typedef {object} Candidate
 * @property {number} vertex
 * @property {string} alias
 * @property {"best" | "good" | "doubtful" | "mistake" | "blunder"} rank
 * @property {string} rate Win rate in whole percent.
 * @property {string} visits
 * @property {string} lead
 * @property {boolean} small True for a dot without text.
 * @property {string[]} pv
 * @property {number} count Number of visits.
 */

/**
 * Number of visits in at most four characters.
 * @param {number} visits
 */
export function short(visits) {
  if (visits < 1000) return String(visits);
  if (visits < 9950) return `${(visits / 1000).toFixed(1)}k`;
  if (visits < 999_500) return `${Math.round(visits / 1000)}k`;
  return `${Math.round(visits / 1_000_000)}M`;
}

/**
 * Score lead with its sign.
 * @param {number} lead
 */
export function signed(lead) {
  const text = lead.toFixed(1);
  return lead >= 0.05 ? `+${text}` : text.replace("-", "−");
}

/**
 * Class of a move by its loss of win probability.
 * @param {number} loss
 * @returns {"good" | "doubtful" | "mistake" | "blunder"}
 */
export function rankOf(loss) {
  const names = /** @type {const} */ (["good", "doubtful", "mistake", "blunder"]);
  const at = LOSSES.findIndex((most) => loss < most);
  return names[at < 0 ? 3 : at];
}

/**
 * Returns the discs of an analysis, in the order of the engine.
 * @param {import("./types.js").Analysis | null} analysis
 * @param {Map<string, number>} indices
 * @returns {Candidate[]}
 */
export function candidates(analysis, indices) {
  if (!analysis || analysis.moves.length === 0) return [];
  const moves = [...analysis.moves].sort((a, b) => a.order - b.order);
  const most = Math.max(1, ...moves.map((move) => move.visits));
  const best = moves.find((move) => move.best) ?? moves[0];
  /** @type {Candidate[]} */
  const found = [];
  for (const move of moves.slice(0, MOST)) {
    const vertex = indices.get(move.vertex);
    if (vertex === undefined) continue;
    found.push({
      vertex,
      alias: move.vertex,
      rank: move === best ? "best" : rankOf(best.winrate - move.winrate),
      rate: String(Math.round(100 * move.winrate)),
      visits: short(move.visits),
      lead: signed(move.lead),
      small: move !== best && move.visits < LEAST_SHARE * most,
      pv: move.pv,
      count: move.visits,
    });
  }
  return found;
}
