//! Ladders on open boards, some of them broken by a single stone.

use crate::board::grid::{Grid, GridBoard};
use crate::board::{BareBoard, Chains};
use crate::color::Color;
use crate::playout::Random;
use crate::tactics::ladder::Ladders;
use crate::training::boards::Size;
use crate::vertex::Vertex;

/// Minimum length of the sides of the board.
const SIDE: usize = 7;
/// Minimum number of stones that the chain adds before it is captured.
const LONG: usize = 4;
/// Minimum number of points of the board for each stone outside the ladder.
const POINTS_PER_STONE: usize = 12;
/// Percentage of ladders that a stone breaks.
const BROKEN: usize = 50;

/// Draws a board with a chain of `prey` in a ladder, and the player to move.
pub fn draw(size: Size, prey: Color, random: &mut Random) -> Option<(GridBoard, Color)> {
    let Size { width, height } = size;
    if width.min(height) < SIDE {
        return None;
    }
    let hunter = prey.other();
    let mut stones = vec![None; width * height];
    for _ in 0..random.below(width * height / POINTS_PER_STONE + 1) {
        let color = [prey, hunter][random.below(2)];
        stones[random.below(width * height)] = Some(color);
    }
    // One stone, and the points around it.
    let (x, y) = (1 + random.below(width - 2), 1 + random.below(height - 2));
    let start = Vertex::at(y * width + x);
    for around_y in y - 1..=y + 1 {
        for around_x in x - 1..=x + 1 {
            stones[around_y * width + around_x] = random.percent(45).then_some(hunter);
        }
    }
    stones[start.index()] = Some(prey);
    let mut board = GridBoard::new(Grid::new(width, height)?, 2)?;
    board.set_position(&stones);
    let path = path(&board, start)?;
    if random.percent(BROKEN) {
        let breaker = path[random.below(path.len())];
        board.place(prey, breaker, |_, _| {});
        let mut ladders = Ladders::default();
        ladders.set_board(&board);
        let holds = ladders.capture(start).is_some();
        let mut found = [Vertex::NONE; 8];
        if holds || ladders.gave_up() || board.liberties(start, 3, &mut found) != 2 {
            return None;
        }
    }
    let every_chain_has_a_liberty = (0..stones.len()).map(Vertex::at).all(|point| {
        board.at(point).is_none() || board.liberties(point, 1, &mut [Vertex::NONE; 8]) > 0
    });
    let to_move = [hunter, prey][random.below(2)];
    every_chain_has_a_liberty.then_some((board, to_move))
}

/// Returns the points of a ladder that captures the chain of the stone on `start`. `None` if there
/// is none, or if it is short.
pub fn path(board: &GridBoard, start: Vertex) -> Option<Vec<Vertex>> {
    let mut board = board.clone();
    let prey = board.at(start)?;
    let mut ladders = Ladders::default();
    let mut path = Vec::new();
    let mut added = 0;
    while board.at(start) == Some(prey) {
        ladders.set_board(&board);
        let atari = match board.sole_liberty(start) {
            Some(last) => last,
            None => ladders.capture(start)?,
        };
        board.place(prey.other(), atari, |_, _| {});
        path.push(atari);
        if let Some(last) = board
            .sole_liberty(start)
            .filter(|_| board.at(start) == Some(prey))
        {
            if board.preview(prey, last).suicide {
                break;
            }
            board.place(prey, last, |_, _| {});
            path.push(last);
            added += 1;
        }
    }
    (added >= LONG).then_some(path)
}
