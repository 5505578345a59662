//! Which moves a game allows: against a naive game that keeps every situation, and with hashes that collide.

mod naive;

use std::sync::Arc;

use naive::chance::Chance;
use naive::game::NaiveGame;
use naive::spec::{goban, graph_board, grid_board};
use naive::{Naive, color, coloring, text};
use omnigo::board::Board;
use omnigo::color::Color;
use omnigo::game::{Game, IllegalMove, Line};
use omnigo::graph::Graph;
use omnigo::rules::{Ko, Points, Referee, Ruleset, RulesetText};
use omnigo::vertex::{Move, Vertex};
use omnigo::zobrist::Zobrist;

/// Boards so small that superko decides.
const BOARDS: &[&str] = &[
    "grid:1x1",
    "grid:2x1",
    "grid:1x3",
    "grid:5x1",
    "grid:2x2",
    "grid:2x3",
    "grid:3x3",
    "path:4",
    "cycle:3",
    "cycle:4",
    "cycle:5",
    "complete:3",
    "complete:4",
    "star:3",
    "star:4",
    "wheel:4",
    "bipartite:2x3",
    "path:2+path:2",
    "cycle:4+path:1",
    "edges:0-1,1-2,2-0,2-3",
    "petersen",
];

const BLACK: Color = Color::BLACK;
const WHITE: Color = Color::WHITE;

fn rules(text: &str) -> Ruleset {
    let read = text.parse::<RulesetText>();
    read.unwrap_or_else(|error| panic!("{text}: {error}")).rules
}

/// Every repetition rule with and without suicide; then passes that are paid, or impossible.
fn rulesets() -> Vec<Ruleset> {
    let mut all = Vec::new();
    for ko in ["positional", "situational", "simple"] {
        for suicide in ["yes", "no"] {
            all.push(rules(&format!("formal ko={ko} suicide={suicide}")));
        }
    }
    let more = [
        "conway",
        "conway ko=situational suicide=no",
        "conway pass=prisoners black-passes=1 white-passes=1.5",
        "conway pass=prisoners stuck=move-only white-passes=2 ko=situational",
    ];
    all.extend(more.into_iter().map(rules));
    all
}

fn place(v: usize) -> Move {
    Move::Place(Vertex::at(v))
}

/// What undoing has to bring back.
#[derive(Debug, PartialEq)]
struct Snapshot {
    position: String,
    hash: u64,
    counters: [i64; 2],
    to_move: Color,
    over: (bool, bool),
    legal: [Vec<Move>; 2],
    passable: [bool; 2],
    moves: Vec<(Color, Move)>,
}

impl Snapshot {
    fn of<B: Board>(game: &Game<B>) -> Snapshot {
        let both = [BLACK, WHITE];
        Snapshot {
            position: text(&game.board().position()),
            hash: game.board().hash(),
            counters: both.map(|c| game.counter(c).halves()),
            to_move: game.to_move(),
            over: (game.ended_by_passes(), game.is_over()),
            legal: both.map(|c| game.legal_moves(c)),
            passable: both.map(|c| game.can_pass(c)),
            moves: game.moves().collect(),
        }
    }
}

/// A game, the naive one, and the ways back.
struct Table<B: Board> {
    game: Game<B>,
    naive: NaiveGame,
    past: Vec<(Snapshot, NaiveGame)>,
}

impl<B: Board> Table<B> {
    fn new(mut board: B, mut naive: Naive, rules: Ruleset, position: &naive::Coloring) -> Self {
        board.set_position(position);
        naive.cells = position.clone();
        let first = rules.first;
        let komi = Points::whole(0);
        Table {
            game: Game::new(board, rules.clone(), komi, first),
            naive: NaiveGame::new(naive, rules, komi, first),
            past: Vec::new(),
        }
    }

    /// Everything the game says about legality is what the naive game says.
    fn compare(&self) {
        let (game, naive) = (&self.game, &self.naive);
        let context = format!("{} under {}", text(&naive.board.cells), game.rules());
        assert_eq!(game.board().position(), naive.board.cells, "{context}");
        assert_eq!(game.to_move(), naive.to_move(), "{context}");
        assert_eq!(game.ended_by_passes(), naive.ended_by_passes(), "{context}");
        for color in [BLACK, WHITE] {
            let legal = naive.legal_moves(color);
            assert_eq!(game.legal_moves(color), legal, "{color}: {context}");
            assert_eq!(game.counter(color).halves(), naive.counter(color));
            for v in 0..naive.board.cells.len() {
                let allowed = legal.contains(&place(v));
                let verdict = game.check(color, place(v));
                assert_eq!(verdict.is_ok(), allowed, "{color} {v}: {context}");
                if naive.board.cells[v].is_some() {
                    assert_eq!(verdict, Err(IllegalMove::Occupied));
                }
            }
            // Passing once more changes nothing and is never refused.
            let again = naive.latest == Some((color, Move::Pass));
            let pass = game.check(color, Move::Pass).is_ok();
            assert_eq!(pass, again || legal.contains(&Move::Pass), "{context}");
            let placeable = !naive.placements(color).is_empty();
            let stuck = !placeable
                && (game.rules().stuck == omnigo::rules::Stuck::MoveOnly || !game.can_pass(color));
            assert_eq!(game.is_stuck(color), stuck, "{color}: {context}");
        }
    }

    fn play(&mut self, color: Color, mv: Move) {
        self.past
            .push((Snapshot::of(&self.game), self.naive.clone()));
        let turns = self.game.moves().len();
        self.game.play(color, mv).unwrap();
        self.naive.play(color, mv);
        if self.game.moves().len() == turns {
            self.past.pop();
        }
    }

    fn undo(&mut self) {
        let (snapshot, naive) = self.past.pop().unwrap();
        // Rules may have been changed since: legality is restored under the rules of then.
        let now = self.game.rules().clone();
        assert!(self.game.undo());
        self.game.set_rules(naive.rules.clone());
        assert_eq!(Snapshot::of(&self.game), snapshot);
        self.game.set_rules(now.clone());
        self.naive = naive;
        self.naive.rules = now;
    }
}

/// Random play with many captures, passes, moves out of turn, ways back and changes of rules.
fn play<B: Board>(table: &mut Table<B>, chance: &mut Chance, plies: usize, switch: &[Ruleset]) {
    table.compare();
    for _ in 0..plies {
        let color = match chance.percent(15) {
            true => table.game.to_move().other(),
            false => table.game.to_move(),
        };
        let moves = table.game.legal_moves(color);
        let places: Vec<Move> = moves.iter().copied().filter(|m| *m != Move::Pass).collect();
        if moves.is_empty() || chance.percent(8) {
            for _ in 0..chance.below(4).min(table.past.len()) {
                table.undo();
                table.compare();
            }
        } else if chance.percent(12) || places.is_empty() {
            table.play(color, chance.pick(&moves));
        } else {
            table.play(color, chance.pick(&places));
        }
        if !switch.is_empty() && chance.percent(10) {
            let rules = Ruleset {
                first: table.game.rules().first,
                ..switch[chance.below(switch.len())].clone()
            };
            table.game.set_rules(rules.clone());
            table.naive.rules = rules;
        }
        table.compare();
    }
    while !table.past.is_empty() {
        table.undo();
    }
    table.compare();
    assert!(!table.game.undo());
}

fn keys(vertices: usize) -> Zobrist {
    Zobrist::new(vertices, 2)
}

fn graph_table(graph: &Arc<Graph>, rules: &Ruleset, start: &naive::Coloring) -> Table<impl Board> {
    let board = graph_board(graph, 2, &keys(graph.vertices()));
    Table::new(board, naive::spec::naive(graph), rules.clone(), start)
}

/// An empty start mostly, else any colouring, groups without liberties included.
fn start(chance: &mut Chance, vertices: usize) -> naive::Coloring {
    let percent = chance.pick(&[0, 0, 0, 50, 80]);
    chance.coloring(vertices, 2, percent)
}

#[test]
fn every_ruleset_allows_what_the_naive_game_allows() {
    let mut chance = Chance::new(1);
    for spec in BOARDS {
        let goban = goban(spec);
        let n = goban.graph.vertices();
        for rules in rulesets() {
            for _ in 0..10 {
                let start = start(&mut chance, n);
                let plies = 12 + 4 * n;
                play(
                    &mut graph_table(&goban.graph, &rules, &start),
                    &mut chance,
                    plies,
                    &[],
                );
                if let Some((width, height)) = goban.rectangle {
                    let board = grid_board(width, height, &keys(n));
                    let naive = naive::spec::naive_grid(width, height);
                    let mut table = Table::new(board, naive, rules.clone(), &start);
                    play(&mut table, &mut chance, plies, &[]);
                }
            }
        }
    }
}

#[test]
fn changes_of_rules_judge_the_same_history_anew() {
    let mut chance = Chance::new(2);
    for spec in BOARDS {
        let graph = goban(spec).graph;
        for rules in rulesets() {
            for _ in 0..4 {
                let start = start(&mut chance, graph.vertices());
                let mut table = graph_table(&graph, &rules, &start);
                play(&mut table, &mut chance, 40, &rulesets());
            }
        }
    }
}

/// Long games under superko on boards where hundreds of positions are seen.
#[test]
fn long_games() {
    let mut chance = Chance::new(3);
    for spec in ["grid:2x2", "grid:5x1", "grid:2x3", "star:4", "complete:5"] {
        let graph = goban(spec).graph;
        for ko in ["positional", "situational"] {
            let rules = rules(&format!("formal ko={ko}"));
            for _ in 0..4 {
                let empty = vec![None; graph.vertices()];
                let mut table = graph_table(&graph, &rules, &empty);
                for _ in 0..250 {
                    let color = match chance.percent(30) {
                        true => table.game.to_move().other(),
                        false => table.game.to_move(),
                    };
                    let moves = table.game.legal_moves(color);
                    let Some(&last) = moves.last() else { break };
                    let mv = match moves.len() {
                        1 => last,
                        many => moves[chance.below(many - 1)],
                    };
                    table.play(color, mv);
                    table.compare();
                }
                while !table.past.is_empty() {
                    table.undo();
                }
            }
        }
    }
}

/// Boards whose keys have so few bits that nearly all hashes collide give the same verdicts, reason for reason.
#[test]
fn a_collision_never_changes_a_verdict() {
    let mut chance = Chance::new(4);
    for spec in BOARDS {
        let goban = goban(spec);
        let n = goban.graph.vertices();
        for rules in rulesets() {
            for bits in [0, 1, 2, 3, 5] {
                let few = Zobrist::with_bits(n, 2, bits);
                let start = start(&mut chance, n);
                let mut narrow = graph_board(&goban.graph, 2, &few);
                narrow.set_position(&start);
                let mut narrow = Game::new(narrow, rules.clone(), Points::ZERO, rules.first);
                let mut wide = graph_table(&goban.graph, &rules, &start).game;
                let mut grid = goban.rectangle.map(|(width, height)| {
                    let mut board = grid_board(width, height, &few);
                    board.set_position(&start);
                    Game::new(board, rules.clone(), Points::ZERO, rules.first)
                });
                for _ in 0..6 + 3 * n {
                    for color in [BLACK, WHITE] {
                        let legal = wide.legal_moves(color);
                        assert_eq!(narrow.legal_moves(color), legal, "{bits} bits, {spec}");
                        for v in 0..n {
                            let verdict = wide.check(color, place(v));
                            assert_eq!(narrow.check(color, place(v)), verdict);
                            if let Some(grid) = &grid {
                                assert_eq!(grid.check(color, place(v)), verdict);
                            }
                        }
                    }
                    let color = wide.to_move();
                    let moves = wide.legal_moves(color);
                    if moves.is_empty() {
                        break;
                    }
                    let mv = chance.pick(&moves);
                    wide.play(color, mv).unwrap();
                    narrow.play(color, mv).unwrap();
                    if let Some(grid) = &mut grid {
                        grid.play(color, mv).unwrap();
                    }
                    if chance.percent(10) {
                        assert!(wide.undo() && narrow.undo());
                        grid.iter_mut().for_each(|g| assert!(g.undo()));
                    }
                }
            }
        }
    }
}

/// What a search plays forwards obeys the same rules as the game it continues; under simple ko it keeps out of longer cycles
/// as well, as positional superko does.
#[test]
fn a_line_allows_what_the_game_after_it_allows() {
    let mut chance = Chance::new(5);
    for spec in BOARDS {
        let graph = goban(spec).graph;
        for rules in rulesets() {
            let start = start(&mut chance, graph.vertices());
            let mut game = graph_table(&graph, &rules, &start).game;
            for _ in 0..chance.below(10) {
                let moves = game.legal_moves(game.to_move());
                if !moves.is_empty() {
                    game.play(game.to_move(), chance.pick(&moves)).unwrap();
                }
            }
            let mut line = Line::new(&game, game.to_move());
            for round in 0..4 {
                if round > 0 {
                    line.reset(game.to_move());
                }
                let mut then = game.clone();
                for _ in 0..12 {
                    let color = then.to_move();
                    assert_eq!(line.to_move(), color);
                    assert_eq!(line.board().position(), then.board().position());
                    assert_eq!(line.ended_by_passes(), then.ended_by_passes());
                    assert_eq!(line.can_pass(), then.can_pass(color));
                    assert_eq!(line.counter(color), then.counter(color));
                    if then.ended_by_passes() {
                        break;
                    }
                    let mut judge = then.clone();
                    if rules.ko == Ko::Simple {
                        judge.set_rules(Ruleset {
                            ko: Ko::Positional,
                            ..rules.clone()
                        });
                    }
                    for &v in then.board().vacant() {
                        let allowed = judge.check(color, Move::Place(v)).is_ok();
                        assert!(!allowed || then.check(color, Move::Place(v)).is_ok());
                        assert_eq!(line.is_legal(v), allowed, "{spec} under {rules}");
                    }
                    let moves = then.legal_moves(color);
                    if moves.is_empty() {
                        break;
                    }
                    let mv = chance.pick(&moves);
                    let again = then.moves().last() == Some((color, Move::Pass));
                    if mv == Move::Pass && again {
                        break;
                    }
                    line.play(mv);
                    then.play(color, mv).unwrap();
                }
            }
        }
    }
}

fn game(spec: &str, text: &str, position: &str) -> Game<impl Board + use<>> {
    let graph = goban(spec).graph;
    let board = graph_board(&graph, 2, &keys(graph.vertices()));
    let rules = rules(text);
    let first = rules.first;
    let mut game = Game::new(board, rules, Points::ZERO, first);
    game.restart(&coloring(position), first);
    game
}

#[test]
fn simple_ko_forbids_the_colouring_before_the_last_turn_only() {
    // Rows from the bottom: `.XO.` below `XO.O`.
    let position = ".XO.XO.O";
    for (ko, after_passes) in [
        ("simple", true),
        ("positional", false),
        ("situational", false),
    ] {
        let mut game = game("grid:4x2", &format!("formal ko={ko}"), position);
        game.play(BLACK, place(6)).unwrap();
        assert_eq!(text(&game.board().position()), ".XO.X.XO", "{ko}");
        let verdict = game.check(WHITE, place(5));
        let reason = match ko {
            "simple" => IllegalMove::Ko,
            _ => IllegalMove::Superko,
        };
        assert_eq!(verdict, Err(reason), "{ko}");
        game.play(WHITE, Move::Pass).unwrap();
        game.play(BLACK, Move::Pass).unwrap();
        assert!(game.legal_moves(WHITE).is_empty(), "the game is over");
        assert!(game.undo());
        // After one pass the colouring before the last turn is the present one.
        let verdict = game.check(WHITE, place(5));
        assert_eq!(verdict.is_ok(), after_passes, "{ko}");
    }
}

/// Suicide brings back the empty board, but with the other player to move.
#[test]
fn situational_superko_compares_who_is_to_move() {
    for (ko, verdict) in [
        ("situational", Ok(())),
        ("positional", Err(IllegalMove::Superko)),
        ("simple", Ok(())),
    ] {
        let mut game = game("path:2", &format!("formal ko={ko}"), "..");
        game.play(BLACK, place(0)).unwrap();
        game.play(WHITE, Move::Pass).unwrap();
        assert_eq!(game.check(BLACK, place(1)), verdict, "{ko}");
    }
}

/// White's suicide of two restores the start with Black to move, which is new unless White's pass came first.
#[test]
fn situational_superko_knows_the_situations_after_passes() {
    for (pass_first, verdict) in [(false, Ok(())), (true, Err(IllegalMove::Superko))] {
        let mut game = game("path:6", "formal ko=situational first=white", ".X..X.");
        if pass_first {
            game.play(WHITE, Move::Pass).unwrap();
        }
        game.play(WHITE, place(2)).unwrap();
        game.play(BLACK, Move::Pass).unwrap();
        assert_eq!(game.check(WHITE, place(3)), verdict);
        game.set_rules(rules("formal ko=positional"));
        assert_eq!(game.check(WHITE, place(3)), Err(IllegalMove::Superko));
    }
}

/// What situational superko allows contains what positional superko allows, and is more.
#[test]
fn positional_superko_is_the_stricter_one() {
    let mut chance = Chance::new(6);
    let graph = goban("path:4").graph;
    let mut differences = 0;
    for _ in 0..400 {
        let empty = vec![None; 4];
        let mut table = graph_table(&graph, &rules("formal ko=situational"), &empty);
        for _ in 0..20 {
            let color = table.game.to_move();
            let moves = table.game.legal_moves(color);
            if moves.is_empty() {
                break;
            }
            let mut strict = table.game.clone();
            strict.set_rules(rules("formal ko=positional"));
            let narrower = strict.legal_moves(color);
            assert!(narrower.iter().all(|mv| moves.contains(mv)));
            differences += usize::from(narrower.len() < moves.len());
            let mv = chance.pick(&moves);
            table.play(color, mv);
        }
    }
    assert!(differences > 0);
}

#[test]
fn the_reasons_of_refusals() {
    let mut game = game("path:3", "formal suicide=no", "...");
    assert_eq!(game.check(BLACK, place(3)), Err(IllegalMove::NoVertex));
    assert_eq!(game.check(color(2), place(0)), Err(IllegalMove::NoPlayer));
    assert_eq!(game.check(color(2), Move::Pass), Err(IllegalMove::NoPlayer));
    game.play(BLACK, place(1)).unwrap();
    assert_eq!(game.check(WHITE, place(1)), Err(IllegalMove::Occupied));
    assert_eq!(game.check(WHITE, place(0)), Err(IllegalMove::NoEffect));
    game.play(WHITE, Move::Pass).unwrap();
    game.play(BLACK, Move::Pass).unwrap();
    assert_eq!(game.check(WHITE, place(0)), Err(IllegalMove::GameOver));
    assert_eq!(game.check(WHITE, place(1)), Err(IllegalMove::Occupied));

    let game = self::game("path:5", "formal suicide=no", "XX.O.");
    assert_eq!(game.check(BLACK, place(2)), Err(IllegalMove::Suicide));
    let game = self::game("path:5", "conway", "XX.O.");
    assert_eq!(game.check(BLACK, place(2)), Ok(()));
    assert_eq!(game.check(BLACK, Move::Pass), Err(IllegalMove::NoPass));
    let game = self::game("path:5", "conway pass=prisoners", "XX.O.");
    assert_eq!(game.check(BLACK, Move::Pass), Err(IllegalMove::NoPrisoner));
}

/// The field's referee lets repetition, suicide of several stones and moves after the end through; the rest never.
#[test]
fn a_tolerant_referee_refuses_only_what_has_no_meaning() {
    let strict = "formal suicide=no";
    let tolerant = "formal suicide=no play=tolerant";
    for (text, referee) in [(strict, Referee::Strict), (tolerant, Referee::Tolerant)] {
        let lets_through = referee == Referee::Tolerant;
        let mut suicide = game("path:5", text, "XX.O.");
        assert_eq!(suicide.rules().referee, referee);
        assert_eq!(suicide.play(BLACK, place(2)).is_ok(), lets_through);

        let mut repetition = game("path:2", text, "..");
        repetition.play(BLACK, place(0)).unwrap();
        repetition.play(WHITE, place(1)).unwrap();
        assert_eq!(repetition.play(BLACK, place(0)).is_ok(), lets_through);

        let mut over = game("path:3", text, "...");
        over.play(BLACK, Move::Pass).unwrap();
        over.play(WHITE, Move::Pass).unwrap();
        assert!(over.is_over());
        assert_eq!(over.play(BLACK, place(1)).is_ok(), lets_through);

        let mut empty_gesture = game("path:3", text, ".X.");
        assert_eq!(
            empty_gesture.play(WHITE, place(0)),
            Err(IllegalMove::NoEffect)
        );
        assert_eq!(
            empty_gesture.play(WHITE, place(1)),
            Err(IllegalMove::Occupied)
        );
        assert_eq!(
            empty_gesture.play(WHITE, place(9)),
            Err(IllegalMove::NoVertex)
        );
    }
}

/// A refused move leaves everything as it was.
#[test]
fn refusals_change_nothing() {
    let mut game = game("path:5", "conway", "XX.O.");
    game.play(BLACK, place(2)).unwrap();
    let before = Snapshot::of(&game);
    for mv in [place(0), place(3), place(77), Move::Pass] {
        for color in [BLACK, WHITE, color(5)] {
            if game.check(color, mv).is_err() {
                game.play(color, mv).unwrap_err();
                assert_eq!(Snapshot::of(&game), before);
            }
        }
    }
}

/// A second pass in a row by one colour changes nothing and costs nothing, and does not end the game.
#[test]
fn passing_twice_in_a_row_is_passing_once() {
    let mut game = game("path:3", "formal", "...");
    game.play(BLACK, Move::Pass).unwrap();
    let once = Snapshot::of(&game);
    game.play(BLACK, Move::Pass).unwrap();
    assert_eq!(Snapshot::of(&game), once);
    assert!(!game.is_over());
    game.play(WHITE, Move::Pass).unwrap();
    assert!(game.is_over());

    let paid = "conway pass=prisoners black-passes=1";
    let mut game = self::game("path:3", paid, "...");
    game.play(BLACK, Move::Pass).unwrap();
    assert_eq!(game.counter(BLACK), Points::ZERO);
    game.play(BLACK, Move::Pass).unwrap();
    assert_eq!(game.counter(BLACK), Points::ZERO);
}

/// Before the first move another first player changes whose turn the start was, also for situational superko.
#[test]
fn another_first_player_counts_from_the_start() {
    let mut game = game("path:2", "formal ko=situational", "X.");
    assert_eq!(game.to_move(), BLACK);
    game.set_rules(rules("formal ko=situational first=white"));
    assert_eq!(game.to_move(), WHITE);
    game.play(WHITE, place(1)).unwrap();
    // Black's capture restores `X.` with White to move, which the start was.
    assert_eq!(game.check(BLACK, place(0)), Err(IllegalMove::Superko));
    // Had Black been first, `X.` with White to move would be new.
    let mut game = self::game("path:2", "formal ko=situational", "X.");
    game.play(WHITE, place(1)).unwrap();
    assert_eq!(game.check(BLACK, place(0)), Ok(()));
    game.set_rules(rules("formal ko=positional"));
    assert_eq!(game.check(BLACK, place(0)), Err(IllegalMove::Superko));
}

/// Three colours: three passes end the game, each by another colour, and captures are everybody's against everybody.
#[test]
fn three_colors() {
    let graph = goban("star:3").graph;
    let board = graph_board(&graph, 3, &Zobrist::new(4, 3));
    let three = Ruleset {
        colors: 3,
        ..rules("formal")
    };
    let mut game = Game::new(board, three, Points::ZERO, BLACK);
    let red = color(2);
    game.play(BLACK, place(1)).unwrap();
    assert_eq!(game.to_move(), WHITE);
    game.play(WHITE, place(2)).unwrap();
    game.play(red, place(3)).unwrap();
    assert_eq!(game.to_move(), BLACK);
    game.play(BLACK, Move::Pass).unwrap();
    game.play(WHITE, Move::Pass).unwrap();
    assert!(!game.is_over());
    game.play(red, place(0)).unwrap();
    assert_eq!(text(&game.board().position()), "3..3");
    assert_eq!(game.counter(red), Points::whole(2));
    for color in [BLACK, WHITE, red] {
        assert!(!game.is_over());
        game.play(color, Move::Pass).unwrap();
    }
    assert!(game.is_over());
    assert_eq!(game.outcome(&[]).unwrap().winner(), Some(red));
}
