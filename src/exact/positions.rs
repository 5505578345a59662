//! The colourings that can come up, numbered, and what a placement makes of each.
//!
//! A colouring is two bits a point. What a placement does is asked of the [`Board`]; nothing here knows how stones die.

use super::contest::Reading;
use super::limits::{Meter, Stopped};
use super::symmetry::Symmetry;
use crate::board::Board;
use crate::board::life::{Vital, dead_stone, unconditional_life};
use crate::color::Color;
use crate::hash::FastMap;
use crate::rules::{Ruleset, Scoring, Suicide};
use crate::vertex::Vertex;

/// A placement from a numbered colouring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The colouring that it leads to.
    pub(super) to: u32,
    /// Stones of the opponent that it removes.
    pub(super) captured: u8,
    /// Own stones that it removes.
    pub(super) lost: u8,
}

/// A run in the list of steps.
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

/// Colourings by number, each with its steps once somebody has asked for them.
pub(super) struct Positions<B: Board> {
    board: B,
    suicide: Suicide,
    scoring: Scoring,
    reading: Reading,
    /// Maps of the board on itself; colorings that they map on each other share a number.
    symmetries: Vec<Symmetry>,
    numbers: FastMap<u128, u32>,
    codes: Vec<u128>,
    rows: [Vec<Row>; 2],
    steps: Vec<Step>,
    margins: Vec<i64>,
}

/// A colouring whose margin was not asked for yet.
const UNCOUNTED: i64 = i64::MIN;

impl<B: Board> Positions<B> {
    /// The most points: two bits each.
    pub(super) const MOST_POINTS: usize = 64;
    /// Bytes that a colouring takes with its steps, more or less, without counting the steps.
    const BYTES: usize = 80;

    /// No colourings yet, of boards like this one.
    pub(super) fn new(board: &B, rules: &Ruleset, reading: Reading) -> Positions<B> {
        Positions {
            reading,
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

    /// Number of colourings so far.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.codes.len() * Self::BYTES + self.steps.len() * size_of::<Step>()
    }

    /// The number of a colouring.
    pub(super) fn number(&mut self, position: &[Option<Color>]) -> u32 {
        let code = position.iter().enumerate().fold(0u128, |code, (i, stone)| {
            code | stone.map_or(0, |color| bits(color, i))
        });
        self.intern(code)
    }

    /// Gives one number to colorings that these maps of the board on itself carry into each other.
    pub(super) fn fold(&mut self, symmetries: Vec<Symmetry>) {
        self.symmetries = symmetries;
    }

    /// Whether all colorings of this number are one.
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

    /// The colouring with this number.
    pub(super) fn position(&self, number: u32) -> Vec<Option<Color>> {
        let code = self.codes[number as usize];
        (0..self.board.points())
            .map(|i| match code >> (2 * i) & 3 {
                0 => None,
                digit => Color::from_index(digit as usize - 1),
            })
            .collect()
    }

    /// What `color` can make of a colouring, repetition aside, in the order of vertices.
    pub(super) fn steps(&mut self, number: u32, color: Color) -> &[Step] {
        let row = self.rows[color.index()][number as usize];
        let row = if row.start == Row::UNKNOWN.start {
            self.expand(number, color)
        } else {
            row
        };
        self.row(row)
    }

    /// The same where they have been asked for before; none otherwise.
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
            // A move without effect is none.
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

    /// Black's points less White's on the board as it stands, in the board's units, komi and prisoners aside.
    pub(super) fn margin(&mut self, number: u32) -> i64 {
        let known = self.margins[number as usize];
        if known != UNCOUNTED {
            return known;
        }
        let margin = self.count_position(self.position(number));
        self.margins[number as usize] = margin;
        margin
    }

    /// The margin of stones on at most 32 points, Black's and White's, without giving them a number.
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
        // Dead stones are the opponent's prisoners, Black's less White's.
        let mut prisoners = 0;
        match self.reading {
            Reading::Stands => {}
            Reading::Worst(color) => {
                let vital = match self.suicide {
                    Suicide::Allowed => Vital::EveryPoint,
                    Suicide::Forbidden => Vital::EmptyPoints,
                };
                let mut lives = vec![false; position.len()];
                // Where a stone has no liberty nothing is known to live.
                if dead_stone(&self.board).is_none() {
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

    /// No margin is greater than this.
    pub(super) fn most_margin(&self) -> i64 {
        let points = (0..self.board.points()).map(Vertex::at);
        // A dead stone is a prisoner and leaves a point that may be enclosed.
        let each = match self.scoring {
            Scoring::Territory => 1,
            Scoring::Area | Scoring::Stones | Scoring::None => 0,
        };
        // A point that counts nothing while it is empty may be a stone.
        points
            .map(|point| self.board.weight(point).abs().max(1) + each)
            .sum()
    }

    /// The margins of all colourings so far, ascending, each once.
    pub(super) fn margins(&mut self) -> Vec<i64> {
        let numbers = 0..self.codes.len() as u32;
        let mut margins: Vec<i64> = numbers.map(|number| self.margin(number)).collect();
        margins.sort_unstable();
        margins.dedup();
        margins
    }

    /// Finds every colouring that can follow those numbered so far, with both players' steps and the margin of each.
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

/// A stone of `color` on the point with this index.
fn bits(color: Color, index: usize) -> u128 {
    (color.index() as u128 + 1) << (2 * index)
}
