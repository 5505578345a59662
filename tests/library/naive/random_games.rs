//! Random games of the crate: games to their end, and pairs of games of which one is the image of
//! the other.

use omnigo::board::Board;
use omnigo::color::Color;
use omnigo::game::Game;
use omnigo::vertex::Move;

use super::random::Random;

/// Returns the player to move and a random legal move, or `None` if none is legal.
pub fn turn<B: Board>(game: &Game<B>, random: &mut Random) -> Option<(Color, Move)> {
    let color = game.to_move();
    let moves = game.legal_moves(color);
    (!moves.is_empty()).then(|| (color, random.pick(&moves)))
}

/// Plays random moves until none is legal, and returns the number of turns. Fails after `most`
/// turns. Calls `each` after every turn.
pub fn to_the_end<B: Board>(
    game: &mut Game<B>,
    most: usize,
    random: &mut Random,
    mut each: impl FnMut(&Game<B>),
) -> usize {
    let mut turns = 0;
    while let Some((color, mv)) = turn(game, random) {
        game.play(color, mv).unwrap();
        turns += 1;
        let start = super::text(game.start());
        assert!(
            turns <= most,
            "{}: {turns} turns of {most} from {start}",
            game.rules()
        );
        each(game);
    }
    assert!(game.is_over(), "{}", game.rules());
    turns
}

/// Plays one random game of at most `most` turns on both boards, and returns the number of turns.
/// `image` maps moves of the first game to the second. At the start and after every turn, legal
/// moves and counters must agree. `compare` compares the rest.
pub fn same_game<B: Board>(
    first: &mut Game<B>,
    second: &mut Game<B>,
    most: usize,
    random: &mut Random,
    image: impl Fn(Color, Move) -> (Color, Move),
    compare: impl Fn(&Game<B>, &Game<B>),
) -> usize {
    let mut turns = 0;
    loop {
        correspond(first, second, &image);
        compare(first, second);
        let color = first.to_move();
        let moves = first.legal_moves(color);
        if turns == most || moves.is_empty() {
            return turns;
        }
        let mv = random.pick(&moves);
        let (other, theirs) = image(color, mv);
        first.play(color, mv).unwrap();
        second.play(other, theirs).unwrap();
        turns += 1;
    }
}

/// Checks that legal moves and counters of two games correspond.
fn correspond<B: Board>(
    first: &Game<B>,
    second: &Game<B>,
    image: &impl Fn(Color, Move) -> (Color, Move),
) {
    for color in [Color::BLACK, Color::WHITE] {
        let (other, _) = image(color, Move::Pass);
        let legal = first.legal_moves(color).into_iter();
        let mut images: Vec<Move> = legal.map(|mv| image(color, mv).1).collect();
        images.sort_unstable();
        let mut legal = second.legal_moves(other);
        legal.sort_unstable();
        let position = super::text(&first.board().position());
        let context = format!("{} {position}, {color}", first.rules());
        assert_eq!(images, legal, "{context}");
        assert_eq!(first.counter(color), second.counter(other), "{context}");
    }
}
