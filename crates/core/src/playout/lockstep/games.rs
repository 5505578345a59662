//! Games in lock step, and the steps that play them.

use super::Sample;
use super::lanes::{Lanes, MOST};
use super::packed::PackedStart;
use crate::playout::Random;

/// Games side by side. `L` holds one word of each game, and `W` words form a set.
///
/// Each game has a *pending move*: it is on the board, but not yet checked for captures and
/// suicide. A game is in one of two states. A *ready* game has checked its pending move; it commits
/// the move and chooses the next one. A *busy* game is spreading a set through the stones of a
/// chain. This is a chain next to the pending move that may have lost its last liberty, or the
/// chain of the pending move. Games do not wait for each other: spreading continues until enough
/// games are ready.
pub(super) struct Games<'a, L: Lanes, const W: usize> {
    packed: &'a PackedStart,
    /// Number of bits per row.
    row: u32,
    /// All points.
    board: [L; W],
    /// Points on the edge.
    edge: [L; W],
    /// Stones of the player to move, including the pending move.
    own: [L; W],
    /// Stones of the other player.
    opp: [L; W],
    /// Points that the player to move may not play in this turn: ko, and points found to be
    /// suicide.
    barred: [L; W],
    /// The pending move. Empty if there was no move to choose.
    bit: [L; W],
    /// Neighbors of points that are empty after the pending move.
    air: [L; W],
    /// Stones next to the pending move whose chains are still to be checked.
    suspects: [L; W],
    /// Stones known to be captured by the pending move.
    dead: [L; W],
    /// The part reached so far of the chain being checked.
    chain: [L; W],
    /// Games in which a chain is spreading.
    busy: u32,
    /// Busy games in which the spreading chain belongs to the other player.
    capturing: u32,
    /// Games whose pending move has no empty neighbor.
    tight: u32,
    /// Games that have just begun and have no pending move.
    fresh: u32,
    /// Games in which White is to move.
    white: u32,
    /// Games in which the latest turn was a pass.
    passed: u32,
    /// Games in progress.
    live: u32,
    /// Number of placements in each game.
    made: L,
    /// Generator states (xoroshiro128+, Blackman and Vigna 2018), one per game.
    random: [L; 2],
    /// Number of playouts still to begin.
    waiting: usize,
    /// Number of playouts begun.
    begun: usize,
    sample: Sample,
}

/// Minimum number of ready games for a turn of all games. A turn costs as much as a few steps of
/// spreading.
const ENOUGH: u32 = 6;

/// Runs an expression for each word of a set. It is unrolled for vectors, so that sets can stay in
/// registers. Plain words fit in no register, and a loop builds a minute faster.
macro_rules! each {
    ($w:ident => $do:expr) => {
        each!(@ $w $do; 0 1 2 3 4 5 6 7 8 9 10)
    };
    (@ $w:ident $do:expr; $($number:literal)*) => {
        if const { L::UNROLLED } {
            $(if const { $number < W } {
                let $w = $number;
                $do;
            })*
        } else {
            for $w in 0..W {
                $do;
            }
        }
    };
}

/// Builds a set by evaluating an expression for each word.
macro_rules! words {
    ($w:ident => $word:expr) => {{
        let mut set = [L::splat(0); W];
        each!($w => set[$w] = $word);
        set
    }};
}

impl<'a, L: Lanes, const W: usize> Games<'a, L, W> {
    #[inline(always)]
    pub(super) fn new(
        packed: &'a PackedStart,
        count: usize,
        random: &mut Random,
    ) -> Games<'a, L, W> {
        let zero = L::splat(0);
        let mut seeds = || {
            let mut words = [0; MOST];
            words.iter_mut().for_each(|word| *word = random.word());
            L::load(&words)
        };
        let random = [seeds(), seeds()];
        let (right, top) = (packed.width - 1, packed.height - 1);
        let points = packed.points();
        let mut games = Games {
            packed,
            row: packed.width as u32 + 1,
            board: packed.set(|_, _| true),
            edge: packed.set(|x, y| x == 0 || y == 0 || x == right || y == top),
            own: [zero; W],
            opp: [zero; W],
            barred: [zero; W],
            bit: [zero; W],
            air: [zero; W],
            suspects: [zero; W],
            dead: [zero; W],
            chain: [zero; W],
            busy: 0,
            capturing: 0,
            tight: 0,
            fresh: 0,
            white: 0,
            passed: 0,
            live: 0,
            made: zero,
            random,
            waiting: count,
            begun: 0,
            sample: Sample {
                margins: Vec::with_capacity(count),
                moves: 0,
                owned: [vec![0; points], vec![0; points]],
            },
        };
        games.begin((1 << L::GAMES) - 1);
        games
    }

    /// Plays all playouts to the end.
    #[inline(always)]
    pub(super) fn finish(mut self) -> Sample {
        let cap = L::splat(3 * self.packed.points() as u64 + 16);
        while self.live != 0 {
            let suicides = self.spread();
            let over = self.commit(suicides, cap);
            if over != 0 {
                self.settle(over);
                self.begin(over);
            }
            self.choose();
        }
        self.sample
    }

    /// Returns the neighbors of a set, and possibly bits outside the board.
    #[inline(always)]
    fn around(&self, set: &[L; W]) -> [L; W] {
        let zero = L::splat(0);
        words!(w => {
            let low = if w > 0 { set[w - 1] } else { zero };
            let high = if w + 1 < W { set[w + 1] } else { zero };
            let sides = set[w].up(low, 1).or(set[w].down(high, 1));
            let rows = set[w].up(low, self.row).or(set[w].down(high, self.row));
            sides.or(rows)
        })
    }

    /// Returns the games in which a set is not empty.
    #[inline(always)]
    fn any(set: &[L; W]) -> u32 {
        let mut all = L::splat(0);
        each!(w => all = all.or(set[w]));
        all.any()
    }

    /// Returns the number of set bits in each game.
    #[inline(always)]
    fn size(set: &[L; W]) -> L {
        let mut sum = L::splat(0);
        each!(w => sum = sum.plus(set[w].count()));
        sum
    }

    /// Returns the eyes of the player to move: empty points surrounded by own stones, with at most
    /// one hostile diagonal, or none at the edge.
    #[inline(always)]
    fn eyes(&self, empty: &[L; W]) -> [L; W] {
        let zero = L::splat(0);
        let others = words!(w => self.board[w].less(self.own[w]));
        let open = self.around(&others);
        let walled = words!(w => empty[w].less(open[w]));
        if Self::any(&walled) == 0 {
            return walled;
        }
        let opp = &self.opp;
        words!(w => {
            let low = if w > 0 { opp[w - 1] } else { zero };
            let high = if w + 1 < W { opp[w + 1] } else { zero };
            let a = opp[w].up(low, self.row + 1);
            let b = opp[w].up(low, self.row - 1);
            let c = opp[w].down(high, self.row + 1);
            let d = opp[w].down(high, self.row - 1);
            let (ab, cd) = (a.or(b), c.or(d));
            let two = a.and(b).or(c.and(d)).or(ab.and(cd));
            walled[w].less(two.or(ab.or(cd).and(self.edge[w])))
        })
    }

    /// Draws one point of a set in each game, all with equal probability. Empty if the set is
    /// empty.
    // The values that the last word passes on are not used.
    #[allow(unused_assignments)]
    #[inline(always)]
    fn draw(&mut self, set: &[L; W]) -> [L; W] {
        let zero = L::splat(0);
        let [s, t] = self.random;
        let word = s.plus(t);
        let t = t.xor(s);
        self.random = [s.up(s, 24).xor(t).xor(t.up(zero, 16)), t.up(t, 37)];
        // Lemire's multiplication.
        let counts = words!(w => set[w].count());
        let mut total = zero;
        each!(w => total = total.plus(counts[w]));
        let mut rank = word.down(zero, 32).times(total).down(zero, 32);
        let mut holder = zero;
        let mut within = zero;
        let mut found = 0u32;
        let mut here = [0u32; W];
        each!(w => {
            here[w] = rank.below(counts[w]) & !found;
            holder = set[w].pick(here[w], holder);
            within = rank.pick(here[w], within);
            found |= here[w];
            rank = rank.minus(counts[w].pick(!found, zero));
        });
        let bit = holder.nth(within);
        words!(w => bit.pick(here[w], zero))
    }

    /// Returns the first point of a set in each game.
    #[allow(unused_assignments)]
    #[inline(always)]
    fn first(set: &[L; W]) -> [L; W] {
        let zero = L::splat(0);
        let mut found = 0u32;
        words!(w => {
            let low = set[w].and(zero.minus(set[w])).pick(!found, zero);
            found |= low.any();
            low
        })
    }

    /// Grows a part of a chain within the stones `through`: adds all neighbors, and the stones that
    /// follow them in their rows.
    #[inline(always)]
    fn reach(&self, chain: &[L; W], through: &[L; W]) -> [L; W] {
        let more = self.around(chain);
        words!(w => {
            let grown = chain[w].or(more[w].and(through[w]));
            // The carry of the addition runs through the following stones of the row.
            let carried = through[w].plus(grown);
            grown.or(carried.xor(through[w]).and(through[w]))
        })
    }

    /// Spreads the chains being checked until enough games are ready. Returns the games whose
    /// pending move is suicide.
    #[inline(always)]
    fn spread(&mut self) -> u32 {
        let mut open = self.busy;
        let mut has_liberty = 0;
        let enough = ENOUGH.min(self.live.count_ones());
        let through = words!(w => self.opp[w].pick(self.capturing, self.own[w]));
        while open != 0 && (self.live & !open).count_ones() < enough {
            // A check for completion costs half as much as a step, so check after every two steps.
            let grown = self.reach(&self.reach(&self.chain, &through), &through);
            has_liberty = Self::any(&words!(w => grown[w].and(self.air[w])));
            let grew = Self::any(&words!(w => grown[w].xor(self.chain[w])));
            self.chain = grown;
            open &= !has_liberty & grew;
        }
        let done = self.busy & !open;
        if done == 0 {
            return 0;
        }
        let (theirs, ours) = (done & self.capturing, done & !self.capturing);
        let captured = theirs & !has_liberty;
        let zero = L::splat(0);
        each!(w => {
            let chain = self.chain[w];
            self.dead[w] = self.dead[w].or(chain.pick(captured, zero));
            self.suspects[w] = self.suspects[w].less(chain.pick(theirs, zero));
        });
        // Check the next suspect chain of the other player. If none is left, nothing was captured,
        // and the move has no empty neighbor, check the chain of the move itself.
        let another = theirs & Self::any(&self.suspects);
        let itself = theirs & !another & self.tight & !Self::any(&self.dead);
        let next = Self::first(&self.suspects);
        each!(w => {
            self.chain[w] = next[w].pick(another, self.bit[w].pick(itself, self.chain[w]));
        });
        self.capturing &= !itself;
        self.busy = open | another | itself;
        ours & !has_liberty
    }

    /// Ends the turn of every ready game, or bars the point if the move is suicide. Returns the
    /// games that are over.
    #[inline(always)]
    fn commit(&mut self, suicides: u32, cap: L) -> u32 {
        let zero = L::splat(0);
        let ready = self.live & !self.busy & !self.fresh;
        if ready == 0 {
            return 0;
        }
        let turned = ready & !suicides;
        let moves = Self::any(&self.bit);
        let captures = Self::any(&self.dead) & turned;
        let mut ko = [zero; W];
        if captures != 0 {
            // Ko: the move captured one stone, and it has neither own nor empty neighbors. So the
            // captured point is its only liberty.
            let one = Self::size(&self.dead).below(L::splat(2)) & captures;
            if one != 0 {
                let next = self.around(&self.bit);
                let company = Self::any(&words!(w => next[w].and(self.board[w].less(self.opp[w]))));
                ko = words!(w => self.dead[w].pick(one & !company, zero));
            }
        }
        each!(w => {
            let (own, opp) = (self.own[w], self.opp[w].less(self.dead[w]));
            let barred = self.barred[w].or(self.bit[w].pick(suicides, zero));
            self.barred[w] = ko[w].pick(turned, barred);
            self.own[w] = opp.pick(turned, own.less(self.bit[w].pick(suicides, zero)));
            self.opp[w] = own.pick(turned, self.opp[w]);
        });
        self.white ^= turned;
        let played = moves & turned;
        let idle = turned & !moves;
        self.made = self.made.plus(L::splat(1).pick(played, zero));
        let over = idle & self.passed | played & !self.made.below(cap);
        self.passed = self.passed & !played | idle;
        over
    }

    /// Chooses the next move of every ready game.
    #[inline(always)]
    fn choose(&mut self) {
        let ready = self.live & !self.busy;
        if ready == 0 {
            return;
        }
        self.fresh &= !ready;
        let zero = L::splat(0);
        let empty = words!(w => self.board[w].less(self.own[w].or(self.opp[w])));
        let eyes = self.eyes(&empty);
        let open = words!(w => empty[w].less(eyes[w].or(self.barred[w])));
        let bit = self.draw(&open);
        let left = words!(w => empty[w].less(bit[w]));
        let air = self.around(&left);
        let next = self.around(&bit);
        let suspects = words!(w => next[w].and(self.opp[w]).less(air[w]));
        // A stone with an empty neighbor has a liberty.
        let free = Self::any(&words!(w => next[w].and(left[w])));
        let tight = Self::any(&bit) & !free & ready;
        let doubted = Self::any(&suspects) & ready;
        let first = Self::first(&suspects);
        each!(w => {
            self.bit[w] = bit[w].pick(ready, self.bit[w]);
            self.own[w] = self.own[w].or(bit[w].pick(ready, zero));
            self.air[w] = air[w].pick(ready, self.air[w]);
            self.suspects[w] = suspects[w].pick(ready, self.suspects[w]);
            self.dead[w] = zero.pick(ready, self.dead[w]);
            self.chain[w] = first[w].pick(doubted, bit[w].pick(ready, self.chain[w]));
        });
        self.tight = self.tight & !ready | tight;
        self.capturing = self.capturing & !ready | doubted;
        self.busy |= doubted | tight;
    }

    /// Adds the finished games to the sample.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn settle(&mut self, over: u32) {
        let empty = words!(w => self.board[w].less(self.own[w].or(self.opp[w])));
        // White's stones are in `own` if White is to move.
        let black = words!(w => self.opp[w].pick(self.white, self.own[w]));
        let white = words!(w => self.own[w].pick(self.white, self.opp[w]));
        let owned = [black, white].map(|stones| {
            let others = words!(w => self.board[w].less(stones[w]));
            let open = self.around(&others);
            words!(w => stones[w].or(empty[w].less(open[w])))
        });
        let mut words = [[[0u64; MOST]; W]; 2];
        for color in 0..2 {
            for w in 0..W {
                owned[color][w].store(&mut words[color][w]);
            }
        }
        let mut made = [0; MOST];
        self.made.store(&mut made);
        let (width, row) = (self.packed.width, self.packed.width + 1);
        for game in (0..L::GAMES).filter(|game| over >> game & 1 != 0) {
            let mut areas = [0i32; 2];
            for color in 0..2 {
                for w in 0..W {
                    let mut word = words[color][w][game];
                    areas[color] += word.count_ones() as i32;
                    while word != 0 {
                        let bit = w * 64 + word.trailing_zeros() as usize;
                        self.sample.owned[color][bit / row * width + bit % row] += 1;
                        word &= word - 1;
                    }
                }
            }
            self.sample.margins.push(areas[0] - areas[1]);
            self.sample.moves += made[game];
        }
    }

    /// Begins a playout in each of the games, as long as playouts are waiting. Games without one
    /// stop.
    #[inline(always)]
    fn begin(&mut self, games: u32) {
        let zero = L::splat(0);
        let mut second = 0;
        for game in (0..L::GAMES).filter(|game| games >> game & 1 != 0) {
            if self.waiting == 0 {
                self.live &= !(1 << game);
                continue;
            }
            self.waiting -= 1;
            second |= (self.packed.first.unwrap_or(self.begun % 2) as u32) << game;
            self.begun += 1;
            self.live |= 1 << game;
        }
        let stones = |color: usize, w: usize| {
            L::splat(self.packed.stones[color].get(w).copied().unwrap_or(0))
        };
        each!(w => {
            let (black, white) = (stones(0, w), stones(1, w));
            self.own[w] = white.pick(second, black).pick(games, self.own[w]);
            self.opp[w] = black.pick(second, white).pick(games, self.opp[w]);
            let ko = L::splat(self.packed.ko.get(w).copied().unwrap_or(0));
            self.barred[w] = ko.pick(games, self.barred[w]);
        });
        self.white = self.white & !games | second;
        self.passed &= !games;
        self.fresh |= games;
        self.made = zero.pick(games, self.made);
    }
}
