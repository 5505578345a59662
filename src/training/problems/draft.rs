//! Position in the making: a fight, the safe stones around it, and the territories.

use std::ops::RangeInclusive;

use crate::board::BareBoard;
use crate::board::Chains;
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::playout::Random;
use crate::training::boards::Size;
use crate::vertex::Vertex;

/// Minimum number of liberties outside the fight of each safe chain. With fewer, its enemy could
/// threaten it from inside the fight.
const LIBERTIES: usize = 2;
/// Minimum number of empty points of a territory, so that its owner lives there.
const ROOM: usize = 8;
/// Percentages of points of a territory that get a stone of its owner. Each position draws its
/// percentage. With fewer stones, an invader could live in a large territory.
const FILLED: RangeInclusive<usize> = 55..=70;
/// Maximum number of points of a small territory, which may have fewer stones.
const SMALL: usize = 16;
/// Percentage of points of a territory that get a dead stone of the opponent.
const DEAD: usize = 2;

/// Use of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Not decided yet.
    Free,
    /// Outside the fight.
    Outside,
    /// Point of the fight.
    Fight,
}

/// A position in the making, on a board numbered row by row.
#[derive(Clone, Debug)]
pub struct Draft {
    size: Size,
    stones: Vec<Option<Color>>,
    roles: Vec<Role>,
}

impl Draft {
    /// Returns an empty position.
    pub fn new(size: Size) -> Draft {
        let points = size.width * size.height;
        Draft {
            size,
            stones: vec![None; points],
            roles: vec![Role::Free; points],
        }
    }

    /// Returns the number of points.
    pub fn points(&self) -> usize {
        self.roles.len()
    }

    /// Returns the index of a point. `None` outside the board.
    pub fn at(&self, [x, y]: [isize; 2]) -> Option<usize> {
        let x = usize::try_from(x).ok().filter(|&x| x < self.size.width)?;
        let y = usize::try_from(y).ok().filter(|&y| y < self.size.height)?;
        Some(y * self.size.width + x)
    }

    fn shifted(&self, point: usize, [dx, dy]: [isize; 2]) -> Option<usize> {
        let (x, y) = (point % self.size.width, point / self.size.width);
        self.at([x as isize + dx, y as isize + dy])
    }

    /// Returns the adjacent points.
    pub fn around(&self, point: usize) -> Vec<usize> {
        let steps = [[0, 1], [1, 0], [0, -1], [-1, 0]];
        steps
            .into_iter()
            .filter_map(|step| self.shifted(point, step))
            .collect()
    }

    /// Returns the points that touch a point only at its corners.
    pub fn diagonal(&self, point: usize) -> Vec<usize> {
        let steps = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
        steps
            .into_iter()
            .filter_map(|step| self.shifted(point, step))
            .collect()
    }

    /// Returns the stone of a point.
    pub fn stone(&self, point: usize) -> Option<Color> {
        self.stones[point]
    }

    /// Returns the use of a point.
    pub fn role(&self, point: usize) -> Role {
        self.roles[point]
    }

    /// Decides about a point.
    pub fn set(&mut self, point: usize, role: Role, stone: Option<Color>) {
        self.roles[point] = role;
        self.stones[point] = stone;
    }

    /// Decides about a point, unless that has happened before.
    pub fn set_if_free(&mut self, point: usize, role: Role, stone: Option<Color>) {
        if self.roles[point] == Role::Free {
            self.set(point, role, stone);
        }
    }

    /// Returns the points with this use.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        (0..self.roles.len()).filter(move |&point| self.roles[point] == role)
    }

    /// Fills the free points: territories with some stones, and walls where they meet. `owner`
    /// returns the owner of a point.
    pub fn fill(&mut self, owner: impl Fn(usize) -> Color, random: &mut Random) {
        let free: Vec<usize> = self.with_role(Role::Free).collect();
        let filled = [Color::BLACK, Color::WHITE].map(|color| {
            let points = free.iter().filter(|&&point| owner(point) == color).count();
            let least = if points > SMALL { *FILLED.start() } else { 0 };
            least + random.below(FILLED.end() - least + 1)
        });
        for point in free {
            let color = owner(point);
            let filled = filled[color.index()];
            let faces = |&near: &usize| self.roles[near] != Role::Fight && owner(near) != color;
            let is_wall = self.around(point).iter().any(faces);
            let stone = if is_wall || random.percent(filled) {
                Some(color)
            } else {
                random.percent(DEAD).then(|| color.other())
            };
            self.set(point, Role::Outside, stone);
        }
    }

    /// Returns the board. `None` if a chain has no liberty, or if a safe chain or a territory is
    /// not safe.
    pub fn board(&self, owner: impl Fn(usize) -> Color) -> Option<GridBoard> {
        let Size { width, height } = self.size;
        let mut board = GridBoard::new(Grid::new(width, height)?, 2)?;
        board.set_position(&self.stones);
        let mut room = [0; 2];
        for point in 0..self.stones.len() {
            let outside = self.roles[point] == Role::Outside;
            let color = owner(point);
            let Some(stone) = self.stones[point] else {
                room[color.index()] += usize::from(outside);
                continue;
            };
            let mut found = [Vertex::NONE; 8];
            let count = board.liberties(Vertex::at(point), 8, &mut found);
            let outer = found[..count]
                .iter()
                .filter(|at| self.roles[at.index()] == Role::Outside);
            let needed = if outside && stone == color {
                LIBERTIES
            } else {
                0
            };
            if count == 0 || outer.count() < needed {
                return None;
            }
        }
        let owners: Vec<Color> = self.with_role(Role::Outside).map(owner).collect();
        let lives = |color: Color| room[color.index()] >= ROOM || !owners.contains(&color);
        (lives(Color::BLACK) && lives(Color::WHITE)).then_some(board)
    }

    /// Returns the largest chain of a color on the points of the fight, as its first stone and its
    /// size. `None` without stones of the color.
    pub fn largest_chain(&self, board: &GridBoard, color: Color) -> Option<(Vertex, usize)> {
        let stones = self.with_role(Role::Fight).map(Vertex::at);
        let own = stones.filter(|&at| board.at(at) == Some(color));
        let chains = own.map(|at| (at, board.chain_size(at)));
        chains.max_by_key(|&(at, size)| (size, std::cmp::Reverse(at.index())))
    }
}
