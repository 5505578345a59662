//! Numbered positions, and the effect of each placement on them.
//!
//! A position takes two bits per point. A [`BareBoard`] computes the effects of placements, so
//! this module does not depend on the rules of capture.

use super::limits::{Meter, Stopped};
use super::solver_rules::ScoredPosition;
use super::symmetry::Symmetry;
use omnigo_base::color::Color;
use omnigo_base::hash::FastMap;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::BareBoard;
use omnigo_core::board::life::{Vital, stone_without_liberty, unconditional_life};
use omnigo_core::rules::{Ruleset, Scoring, Suicide};

/// A placement from a numbered position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Number of the resulting position.
    pub(super) to: u32,
    /// Number of the opponent's stones that it removes.
    pub(super) captured: u8,
    /// Number of the player's own stones that it removes.
    pub(super) lost: u8,
}

/// A range in the list of steps.
#[derive(Clone, Copy, Debug)]
struct Row {
    start: u32,
    len: u16,
}

impl Row {
    const UNKNOWN: Row = Row {
        start: u32::MAX,
        len: 0,
    };
}

/// Positions by number. Steps are computed on demand.
pub(super) struct Positions<B: BareBoard> {
    board: B,
    suicide: Suicide,
    scoring: Scoring,
    scored_position: ScoredPosition,
    /// Automorphisms of the board. Positions that they map to each other share a number.
    symmetries: Vec<Symmetry>,
    numbers: FastMap<u128, u32>,
    codes: Vec<u128>,
    rows: [Vec<Row>; 2],
    steps: Vec<Step>,
    margins: Vec<i64>,
}

/// Margin of a position that is not counted yet.
const UNCOUNTED: i64 = i64::MIN;

impl<B: BareBoard> Positions<B> {
    /// Maximum number of points, at two bits each in a `u128`.
    pub(super) const MOST_POINTS: usize = 64;
    /// Creates an empty table for boards like this one.
    pub(super) fn new(board: &B, rules: &Ruleset, scored_position: ScoredPosition) -> Positions<B> {
        Positions {
            scored_position,
            symmetries: Vec::new(),
            board: board.clone(),
            suicide: rules.suicide,
            scoring: rules.scoring,
            numbers: FastMap::default(),
            codes: Vec::new(),
            rows: [Vec::new(), Vec::new()],
            steps: Vec::new(),
            margins: Vec::new(),
        }
    }

    /// Returns the number of positions so far.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        // The table of numbers has a byte of its own per entry.
        self.numbers.capacity() * (size_of::<(u128, u32)>() + 1)
            + self.codes.capacity() * size_of::<u128>()
            + self.margins.capacity() * size_of::<i64>()
            + 2 * self.rows[0].capacity() * size_of::<Row>()
            + self.steps.capacity() * size_of::<Step>()
    }

    /// Returns the number of a position, which may be new.
    pub(super) fn number(&mut self, position: &[Option<Color>]) -> u32 {
        let code = position.iter().enumerate().fold(0u128, |code, (i, stone)| {
            code | stone.map_or(0, |color| bits(color, i))
        });
        self.intern(code)
    }

    /// Assigns one number to all positions that these automorphisms map to each other.
    pub(super) fn fold(&mut self, symmetries: Vec<Symmetry>) {
        self.symmetries = symmetries;
    }

    /// Returns true if only one position has this number.
    pub(super) fn is_single(&self, number: u32) -> bool {
        let code = self.codes[number as usize];
        self.symmetries.iter().all(|map| map.apply(code) == code)
    }

    fn intern(&mut self, code: u128) -> u32 {
        let images = self.symmetries.iter().map(|map| map.apply(code));
        let code = images.min().map_or(code, |least| least.min(code));
        let next = self.codes.len() as u32;
        let number = *self.numbers.entry(code).or_insert(next);
        if number == next {
            self.codes.push(code);
            self.margins.push(UNCOUNTED);
            for rows in &mut self.rows {
                rows.push(Row::UNKNOWN);
            }
        }
        number
    }

    /// Returns a position with this number.
    pub(super) fn position(&self, number: u32) -> Vec<Option<Color>> {
        let code = self.codes[number as usize];
        (0..self.board.points())
            .map(|i| match code >> (2 * i) & 3 {
                0 => None,
                digit => Color::from_index(digit as usize - 1),
            })
            .collect()
    }

    /// Returns the placements of `color` from a position, in the order of vertices. Repetition is
    /// not checked.
    pub(super) fn steps(&mut self, number: u32, color: Color) -> &[Step] {
        let row = self.rows[color.index()][number as usize];
        let row = if row.start == Row::UNKNOWN.start {
            self.expand(number, color)
        } else {
            row
        };
        self.row(row)
    }

    /// Returns the same list if it was computed before, else an empty one.
    pub(super) fn known_steps(&self, number: u32, color: Color) -> &[Step] {
        match self.rows[color.index()].get(number as usize) {
            Some(&row) if row.start != Row::UNKNOWN.start => self.row(row),
            Some(_) | None => &[],
        }
    }

    fn row(&self, row: Row) -> &[Step] {
        &self.steps[row.start as usize..row.start as usize + usize::from(row.len)]
    }

    fn expand(&mut self, number: u32, color: Color) -> Row {
        let code = self.codes[number as usize];
        let position = self.position(number);
        self.board.set_position(&position);
        let mut vacant: Vec<Vertex> = self.board.vacant().to_vec();
        vacant.sort_unstable();
        let start = self.steps.len() as u32;
        for at in vacant {
            if self.suicide == Suicide::Forbidden && self.board.preview(color, at).suicide {
                continue;
            }
            let mut after = code;
            self.board
                .covered(at, |point| after |= bits(color, point.index()));
            let (mut captured, mut lost) = (0u8, 0u8);
            let mut board = self.board.clone();
            board.place(color, at, |point, stone| {
                after &= !bits(stone, point.index());
                *(if stone == color {
                    &mut lost
                } else {
                    &mut captured
                }) += 1;
            });
            // A placement that changes nothing is not a move.
            if after != code {
                let to = self.intern(after);
                self.steps.push(Step { to, captured, lost });
            }
        }
        let row = Row {
            start,
            len: (self.steps.len() - start as usize) as u16,
        };
        self.rows[color.index()][number as usize] = row;
        row
    }

    /// Returns Black's points minus White's for a position, in the board's units, without komi and
    /// prisoners.
    pub(super) fn margin(&mut self, number: u32) -> i64 {
        let known = self.margins[number as usize];
        if known != UNCOUNTED {
            return known;
        }
        let margin = self.count_position(self.position(number));
        self.margins[number as usize] = margin;
        margin
    }

    /// Returns the margin of a position with at most 32 points without numbering it. `stones` are
    /// Black's and White's.
    pub(super) fn count(&mut self, stones: [u32; 2]) -> i64 {
        let stone = |i: usize| match (stones[0] >> i & 1, stones[1] >> i & 1) {
            (0, 0) => None,
            (0, _) => Some(Color::WHITE),
            (_, _) => Some(Color::BLACK),
        };
        self.count_position((0..self.board.points()).map(stone).collect())
    }

    fn count_position(&mut self, mut position: Vec<Option<Color>>) -> i64 {
        self.board.set_position(&position);
        // Dead stones become the opponent's prisoners. This counts Black's prisoners minus White's.
        let mut prisoners = 0;
        match self.scored_position {
            ScoredPosition::Stands => {}
            ScoredPosition::Worst(color) => {
                let vital = match self.suicide {
                    Suicide::Allowed => Vital::EveryPoint,
                    Suicide::Forbidden => Vital::EmptyPoints,
                };
                let mut lives = vec![false; position.len()];
                // If any stone has no liberty, no chain counts as unconditionally alive.
                if stone_without_liberty(&self.board).is_none() {
                    let life = unconditional_life(&self.board, color, vital);
                    for stone in life.chains.iter().flatten() {
                        lives[stone.index()] = true;
                    }
                }
                for (stone, lives) in position.iter_mut().zip(lives) {
                    if *stone == Some(color) && !lives {
                        *stone = None;
                        prisoners += if color == Color::WHITE { 1 } else { -1 };
                    }
                }
                self.board.set_position(&position);
            }
        }
        let census = self.board.census();
        let area = |i: usize| match self.scoring {
            Scoring::Area => census.stones[i] + census.enclosed[i],
            Scoring::Stones => census.stones[i],
            Scoring::Territory => census.enclosed[i],
            Scoring::None => 0,
        };
        let prisoners = match self.scoring {
            Scoring::Territory => prisoners,
            Scoring::Area | Scoring::Stones | Scoring::None => 0,
        };
        area(0) - area(1) + prisoners
    }

    /// Returns an upper bound of all margins.
    pub(super) fn most_margin(&self) -> i64 {
        let points = (0..self.board.points()).map(Vertex::at);
        // A dead stone counts as a prisoner, and its point may become territory.
        let each = match self.scoring {
            Scoring::Territory => 1,
            Scoring::Area | Scoring::Stones | Scoring::None => 0,
        };
        // A point of weight 0 still counts if it holds a stone.
        points
            .map(|point| self.board.weight(point).abs().max(1) + each)
            .sum()
    }

    /// Returns the margins of all positions so far, sorted, without duplicates.
    pub(super) fn margins(&mut self) -> Vec<i64> {
        let numbers = 0..self.codes.len() as u32;
        let mut margins: Vec<i64> = numbers.map(|number| self.margin(number)).collect();
        margins.sort_unstable();
        margins.dedup();
        margins
    }

    /// Finds all positions that can follow those numbered so far, with both players' steps and all
    /// margins.
    pub(super) fn explore(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let mut next = 0;
        while next < self.codes.len() {
            meter.tick()?;
            if self.bytes() > meter.memory() || self.steps.len() > u32::MAX as usize / 2 {
                return Err(Stopped::Memory);
            }
            for color in [Color::BLACK, Color::WHITE] {
                self.steps(next as u32, color);
            }
            self.margin(next as u32);
            next += 1;
        }
        Ok(())
    }
}

/// Returns the bits of a stone of `color` on the point with this index.
fn bits(color: Color, index: usize) -> u128 {
    (color.index() as u128 + 1) << (2 * index)
}
