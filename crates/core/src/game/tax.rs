//! Group tax: points that living groups lose from the empty points they enclose.

use crate::board::region::flood;
use crate::board::{BareBoard, Census};
use crate::rules::{Points, Tax};
use omnigo_base::color::Color;
use omnigo_base::union_find::UnionFind;
use omnigo_base::vertex::Vertex;

/// Tax of a group under [`Tax::All`], in points: its two eyes.
const EYES: Points = Points::whole(2);

/// Subtracts the tax from a census of `board`. `seki` holds the stones of chains in seki.
///
/// A region of empty points enclosed by a single color belongs to that color, unless a chain around
/// it is in seki. Under [`Tax::All`], chains of one color that enclose a region together form a
/// group. Each group pays two points of the points it encloses, or all of them if there are fewer.
pub fn levy<B: BareBoard>(tax: Tax, board: &B, seki: &[Vertex], census: &mut Census) {
    let each_group = match tax {
        Tax::None => return,
        Tax::Seki if seki.is_empty() => return,
        Tax::Seki => false,
        Tax::All => true,
    };
    let points = board.points();
    let mut in_seki = vec![false; points];
    for &stone in seki.iter().filter(|stone| stone.index() < points) {
        in_seki[stone.index()] = true;
    }
    let mut groups = match each_group {
        true => connected(board),
        false => UnionFind::new(0),
    };
    let mut enclosed = vec![0i64; points];
    let mut seen = vec![false; points];
    for start in 0..points {
        if seen[start] || board.at(Vertex::at(start)).is_some() {
            continue;
        }
        let (mut region, mut border) = (Vec::new(), Vec::new());
        let is_empty = |point| board.at(point).is_none();
        let start = Vertex::at(start);
        flood(board, start, &mut region, &mut seen, is_empty, |stone| {
            border.push(stone);
        });
        let Some(color) = only_color(board, &border) else {
            continue;
        };
        let weight: i64 = region.iter().map(|&point| board.weight(point)).sum();
        if border.iter().any(|stone| in_seki[stone.index()]) {
            census.enclosed[color.index()] -= weight;
        } else if each_group {
            let first = border[0].index();
            for &stone in &border {
                groups.join(first, stone.index());
            }
            enclosed[first] += weight;
        }
    }
    if each_group {
        let most = EYES.in_units(board.unit()).unwrap_or(i64::MAX);
        let mut sums = vec![0i64; points];
        for (stone, weight) in enclosed.into_iter().enumerate() {
            sums[groups.top(stone)] += weight;
        }
        for (top, sum) in sums.into_iter().enumerate() {
            if let Some(color) = board.at(Vertex::at(top)) {
                census.enclosed[color.index()] -= sum.clamp(0, most);
            }
        }
    }
}

/// Subtracts the tax from a census of `board` by KataGo's written rule, for rules without judgment
/// of stones.
///
/// A realm is a component of the points that are empty or of one color. It is independent life if
/// it holds no empty region that touches another color, and no chain in atari. Points enclosed in
/// other realms count for no player. Under [`Tax::All`], each realm with independent life pays two
/// points.
pub(super) fn levy_unjudged<B: BareBoard>(tax: Tax, board: &B, census: &mut Census) {
    let due = match tax {
        Tax::None => return,
        Tax::Seki => 0,
        Tax::All => EYES.in_units(board.unit()).unwrap_or(i64::MAX),
    };
    let points = board.points();
    let in_atari = in_atari(board);
    let mut seen = vec![false; points];
    for start in (0..points).map(Vertex::at) {
        let Some(color) = board.at(start) else {
            continue;
        };
        if std::mem::replace(&mut seen[start.index()], true) {
            continue;
        }
        // `seen` holds only stones, because an empty point can belong to realms of several colors.
        let mut empty = std::collections::BTreeSet::new();
        let (mut open, mut independent) = (vec![start], true);
        while let Some(point) = open.pop() {
            let is_empty = board.at(point).is_none();
            independent &= is_empty || !in_atari[point.index()];
            for near in board.around(point) {
                match board.at(near) {
                    Some(stone) if stone == color => {
                        if !std::mem::replace(&mut seen[near.index()], true) {
                            open.push(near);
                        }
                    }
                    Some(_) => independent &= !is_empty,
                    None => {
                        if empty.insert(near.index()) {
                            open.push(near);
                        }
                    }
                }
            }
        }
        let enclosed = enclosed_by(board, color, empty);
        census.enclosed[color.index()] -= if independent {
            enclosed.clamp(0, due)
        } else {
            enclosed
        };
    }
}

/// Returns the total weight of those points of `empty` that lie in regions enclosed by `color`
/// alone.
fn enclosed_by<B: BareBoard>(
    board: &B,
    color: Color,
    mut empty: std::collections::BTreeSet<usize>,
) -> i64 {
    let mut sum = 0;
    while let Some(first) = empty.pop_first() {
        let (mut open, mut weight, mut alone) = (vec![Vertex::at(first)], 0, true);
        while let Some(point) = open.pop() {
            weight += board.weight(point);
            for near in board.around(point) {
                match board.at(near) {
                    Some(stone) => alone &= stone == color,
                    None => {
                        if empty.remove(&near.index()) {
                            open.push(near);
                        }
                    }
                }
            }
        }
        if alone {
            sum += weight;
        }
    }
    sum
}

/// Returns, for each point, true if it holds a stone of a chain with exactly one liberty. All false
/// if the board has no chains.
fn in_atari<B: BareBoard>(board: &B) -> Vec<bool> {
    let points = board.points();
    if !board.has_chains() {
        return vec![false; points];
    }
    let mut chains = connected(board);
    let mut liberties = vec![0u32; points];
    for empty in (0..points)
        .map(Vertex::at)
        .filter(|&at| board.at(at).is_none())
    {
        let stones = board.around(empty).filter(|&near| board.at(near).is_some());
        let mut tops: Vec<usize> = stones.map(|stone| chains.top(stone.index())).collect();
        tops.sort_unstable();
        tops.dedup();
        for top in tops {
            liberties[top] += 1;
        }
    }
    (0..points)
        .map(|point| board.at(Vertex::at(point)).is_some() && liberties[chains.top(point)] == 1)
        .collect()
}

/// Returns sets of points in which adjacent stones of one color are joined. These are the chains,
/// if the board has chains.
fn connected<B: BareBoard>(board: &B) -> UnionFind {
    let mut sets = UnionFind::new(board.points());
    for point in (0..board.points()).map(Vertex::at) {
        let Some(color) = board.at(point) else {
            continue;
        };
        for near in board.around(point) {
            if board.at(near) == Some(color) {
                sets.join(point.index(), near.index());
            }
        }
    }
    sets
}

/// Returns the common color of these stones, or `None` if they differ.
fn only_color<B: BareBoard>(board: &B, stones: &[Vertex]) -> Option<Color> {
    let color = board.at(*stones.first()?)?;
    let same = |&stone: &Vertex| board.at(stone) == Some(color);
    stones.iter().all(same).then_some(color)
}

#[cfg(test)]
mod tests {
    use crate::board::BareBoard;
    use crate::board::grid::{Grid, GridBoard};
    use crate::game::{Agreement, Game};
    use crate::rules::{Points, RulesetText};
    use omnigo_base::color::Color;
    use omnigo_base::vertex::Vertex;

    fn game(width: usize, rules: &str, rows: &[&str]) -> Game<GridBoard> {
        let grid = Grid::new(width, rows.len()).unwrap();
        let mut board = GridBoard::new(grid, 2).unwrap();
        let position: Vec<Option<Color>> = rows.concat().chars().map(Color::from_symbol).collect();
        board.set_position(&position);
        let rules = rules.parse::<RulesetText>().unwrap().rules;
        Game::new(board, rules, Points::ZERO, Color::BLACK)
    }

    fn scores(game: &Game<GridBoard>, seki: &[usize]) -> String {
        let agreement = Agreement {
            dead: Vec::new(),
            seki: seki.iter().map(|&v| Vertex::at(v)).collect(),
        };
        let scores = game.agreed_scores(&agreement).unwrap();
        format!("{} {}", scores[0], scores[1])
    }

    /// Black has an eye of one point and an eye of two points. White has one of two points and one
    /// of three.
    const ROWS: &[&str] = &[".XX..XO..O", "XXXXXXOOOO", "OOOOOOOOOO", "...O..O..."];

    #[test]
    fn groups_pay_their_eyes() {
        let at = |rules: &str| scores(&game(10, rules, ROWS), &[]);
        assert_eq!(at("tromp-taylor"), "12 28");
        assert_eq!(at("chinese tax=seki"), "12 28");
        assert_eq!(at("chinese tax=all"), "10 26");
        assert_eq!(at("japanese"), "3 10");
        assert_eq!(at("ancient-territory"), "1 8");
    }

    /// A position with eyes in seki: only regions without points that touch both colors count.
    #[test]
    fn without_judgment_independent_life_decides_the_tax() {
        let rows = [
            ".X.XO.O.X",
            "...XOOOX.",
            ".XXXXXXOO",
            "XOOOOOXO.",
            "XO.O.OXOO",
            "XOOOOOXXX",
            "XXXO...OO",
            ".XXXOOOO.",
            ".X.XO.O.O",
        ];
        let lead = |rules: &str| {
            let mut game = game(9, rules, &rows);
            game.set_komi(Points::from_halves(1));
            game.outcome(&[]).unwrap().to_string()
        };
        for (rules, result) in [
            ("tromp-taylor suicide=no tax=seki", "W+6.5"),
            ("tromp-taylor suicide=no tax=all", "W+6.5"),
            ("tromp-taylor suicide=no score=territory tax=seki", "W+0.5"),
        ] {
            assert_eq!(lead(rules), result, "{rules}");
        }
    }

    #[test]
    fn regions_enclosed_in_seki_belong_to_neither_color() {
        let stones = [6, 10];
        let at = |rules: &str| scores(&game(10, rules, ROWS), &stones);
        assert_eq!(at("tromp-taylor"), "12 28");
        // Only the regions that touch a listed stone are affected, not other regions of its chain.
        assert_eq!(at("japanese"), "2 8");
    }
}
