//! Game records in SGF, file formats 3 and 4: the content of a record. The modules `read` and
//! `write` convert records from and to text.
//!
//! The crate `sgf-parse` reads and writes properties. It holds a game as nodes inside nodes, so a
//! file of millions of nodes would cause a recursion of that depth. Therefore omnigo reads the
//! outline of the file (brackets and semicolons) itself. Only the main line of the first game goes
//! to the library, node by node.

mod corrections;
mod encoding;
mod komi;
mod notes;
mod outline;
mod properties;
mod read;
mod tree;
mod write;

pub use super::tree::TreeNode;
pub use notes::{GameText, Note, Variation};
pub use read::{decode, parse, read};
pub use tree::tree;

use sgf_parse::go::Point;

use crate::color::Color;
use crate::contents::ReadError;
use crate::rules::Points;
use crate::vertex::{Move, Vertex};

/// Maximum side of a board, for which SGF has letters.
pub const LONGEST: usize = 52;

/// Main line of a game on a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Points for White, rounded to halves, if the record gives them.
    pub komi: Option<Points>,
    /// Name of the rules, if the record gives it.
    pub rules: Option<String>,
    /// Result, if the record gives it.
    pub result: Option<String>,
    /// Position before the first move, in index order: row by row from A1.
    pub start: Vec<Option<Color>>,
    /// Number of Black's stones in `start` that are a handicap. `None` if the record does not give
    /// it, so that the stones decide.
    pub handicap: Option<u32>,
    /// Player of the first move, if the record gives it.
    pub to_move: Option<Color>,
    /// Moves and setups after the start.
    pub steps: Vec<Step>,
    /// One-line warnings about values that were read differently than written.
    pub warnings: Vec<String>,
}

/// Event in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Move.
    Play(Color, Move),
    /// Stones are added or removed outside of play, so a new position starts here.
    Setup {
        /// Vertices that change, and their new content.
        points: Vec<(Vertex, Option<Color>)>,
        /// Next player, if the record gives it.
        to_move: Option<Color>,
    },
}

/// Error: a file is not a record that can be read.
#[derive(Debug, thiserror::Error)]
pub enum SgfError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] ReadError),
    /// There is no game.
    #[error("no game, expected text that starts with (;")]
    NoGame,
    /// There are fewer games.
    #[error("no game {number}, expected a number from 1 to {games}")]
    Missing {
        /// Number of the game, from 1.
        number: usize,
        /// Number of games in the file.
        games: usize,
    },
    /// A node cannot be read.
    #[error("node {node}: {problem}")]
    Node {
        /// Number of the node in the main line, from 1.
        node: usize,
        /// Problem of the node.
        problem: String,
    },
    /// A property has an invalid value.
    #[error("node {node}: {property}[{value}], expected {expected}")]
    Value {
        /// Number of the node in the main line, from 1.
        node: usize,
        /// Name of the property.
        property: String,
        /// Value of the property.
        value: String,
        /// Expected value.
        expected: String,
    },
}

/// Changes a position as a setup says.
pub fn set_up(position: &mut [Option<Color>], points: &[(Vertex, Option<Color>)]) {
    for (vertex, point) in points {
        if let Some(place) = position.get_mut(vertex.index()) {
            *place = *point;
        }
    }
}

/// Returns a point in the letters of SGF.
fn letters(point: Point) -> String {
    let letter = |side: u8| {
        if side < 26 {
            char::from(b'a' + side)
        } else {
            char::from(b'A' + side % 26)
        }
    };
    format!("{}{}", letter(point.x), letter(point.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(game: &GameRecord, column: usize, row_from_top: usize) -> Move {
        Move::Place(Vertex::at(
            (game.height - 1 - row_from_top) * game.width + column,
        ))
    }

    #[test]
    fn reads_the_main_line_of_the_first_game() {
        let text = "garbage [not a value\n(;FF[4]GM[1]SZ[9:7]KM[0.5]RU[Chinese]C[(;\\];B[aa\\\\\\](no)]AB[aa][ba:bb]PL[W]\n\
                    ;W[ig](;B[tt];W[])(;B[cc]))(;SZ[19];B[aa])";
        let game = parse(text).unwrap();
        assert_eq!((game.width, game.height), (9, 7));
        assert_eq!(game.komi, Some(Points::from_halves(1)));
        assert_eq!(game.rules.as_deref(), Some("Chinese"));
        assert_eq!(game.to_move, Some(Color::WHITE));
        let stones: Vec<usize> = (0..63).filter(|&i| game.start[i].is_some()).collect();
        assert_eq!(stones, [46, 54, 55], "B6, A7, B7");
        assert_eq!(
            game.steps,
            [
                Step::Play(Color::WHITE, place(&game, 8, 6)),
                Step::Play(Color::BLACK, Move::Pass),
                Step::Play(Color::WHITE, Move::Pass),
            ]
        );
    }

    #[test]
    fn reads_old_files_with_small_deviations() {
        let game =
            parse("(;GaMe[1]SiZe[19]KoMi[]HA[2]AddBlack[dd][pp];White[tt];Black[qd])").unwrap();
        assert_eq!(game.komi, None);
        assert_eq!(game.to_move, Some(Color::WHITE));
        assert_eq!(game.start.iter().flatten().count(), 2);
        assert_eq!(
            game.steps,
            [
                Step::Play(Color::WHITE, Move::Pass),
                Step::Play(Color::BLACK, place(&game, 16, 3))
            ]
        );
        let game = parse("(;PL[white];B[aa])").unwrap();
        assert_eq!((game.width, game.to_move), (19, Some(Color::WHITE)));
        let game = parse("(;SZ[21];B[tt])").unwrap();
        assert_eq!(game.steps, [Step::Play(Color::BLACK, place(&game, 19, 19))]);
        let game = parse("(;SZ[52];B[ZZ])").unwrap();
        assert_eq!(game.steps, [Step::Play(Color::BLACK, place(&game, 51, 51))]);
    }

    #[test]
    fn handicap_counts_if_root_and_start_agree() {
        for (text, stones) in [
            ("(;SZ[9]HA[2]AB[cc][gg];W[ee])", Some(2)),
            ("(;SZ[9]HA[1]AB[cc];W[ee])", Some(1)),
            ("(;SZ[9]HA[2];AB[cc][gg];W[ee])", Some(2)),
            ("(;SZ[9]HA[2]AB[cc][gg]AW[ee])", Some(2)),
            ("(;SZ[9]HA[0]AB[cc][gg];W[ee])", Some(0)),
            // Handicap stones that are moves, or that are missing.
            ("(;SZ[9]HA[2];B[cc];B[gg];W[ee])", Some(0)),
            ("(;SZ[9]HA[1];B[cc])", Some(0)),
            ("(;SZ[9]HA[3]AB[cc][gg];W[ee])", Some(0)),
            ("(;SZ[9]HA[2]AB[cc][gg];AE[gg];W[ee])", Some(0)),
            // No number.
            ("(;SZ[9]HA[-2]AB[cc];W[ee])", None),
            ("(;SZ[9]HA[x]AB[cc];W[ee])", None),
            ("(;SZ[9]HA[]AB[cc];W[ee])", None),
            ("(;SZ[9]AB[cc][gg];W[ee])", None),
        ] {
            let game = parse(text).unwrap();
            assert_eq!(game.handicap, stones, "{text}");
            let again = parse(&game.write().unwrap()).unwrap();
            assert_eq!(again.handicap, stones, "{text}");
            assert_eq!(again.start, game.start, "{text}");
        }
    }

    #[test]
    fn set_up_within_a_game_is_a_step() {
        let game = parse("(;SZ[5];B[aa];AE[aa]AW[bb]PL[B];B[cc])").unwrap();
        let points = vec![(Vertex::at(20), None), (Vertex::at(16), Some(Color::WHITE))];
        let Step::Setup {
            points: read,
            to_move,
        } = &game.steps[1]
        else {
            panic!("{:?}", game.steps)
        };
        assert_eq!((read, to_move), (&points, &Some(Color::BLACK)));
        assert_eq!(game.steps.len(), 3);
    }

    /// The second bytes of these letters are those of `\\` and `]`.
    #[test]
    fn encoded_letters_do_not_hide_moves() {
        let cases: [(&str, &[u8]); 8] = [
            ("CA[Shift_JIS]", b"\x83\x5c"),
            ("CA[Shift_JIS]", b"\x83\x5d\x83\x5c"),
            ("CA[GBK]", b"\x81\x5d"),
            ("CA[gb18030]", b"\x81\x5c"),
            ("CA[Big5]", b"\xa5\x5c"),
            ("CA[ISO-8859-1]", b"Andr\xe9"),
            ("", b"Andr\xe9"),
            ("", b"\x83\x5c"),
        ];
        for (encoding, comment) in cases {
            let mut bytes = format!("(;GM[1]FF[4]{encoding}SZ[9]C[").into_bytes();
            bytes.extend_from_slice(comment);
            bytes.extend_from_slice(b"];B[aa];W[bb]C[");
            bytes.extend_from_slice(comment);
            bytes.extend_from_slice(b"];B[cc])");
            let (game, _) = read::decode(bytes).unwrap();
            assert_eq!(
                (game.width, game.steps.len()),
                (9, 3),
                "{encoding} {comment:x?}"
            );
        }
        // No letter swallows a setup stone or the size either.
        for (text, start, steps) in [
            (&b"(;SZ[9]C[\x83\x5c]AB[aa][bb]AW[cc][dd])"[..], 4, 0),
            (b"(;SZ[9]C[\x83\x5c]AB[aa][bb][cc];W[ee];B[ff])", 3, 2),
            (b"(;C[\x83\x5c]SZ[9]KM[6.5];B[ee];W[cc])", 0, 2),
            (
                b"(;CA[UTF-8]SZ[9]C[\x83\x5c]AW[aa];B[bb]C[\x83\x5c];W[cc])",
                1,
                2,
            ),
            (
                b"(;CA[ISO-2022-JP]SZ[9]C[\x1b$B%]\x1b(B]AB[aa];W[bb])",
                1,
                1,
            ),
        ] {
            let (game, _) = read::decode(text.to_vec()).unwrap();
            let stones = game.start.iter().flatten().count();
            assert_eq!((game.width, stones, game.steps.len()), (9, start, steps));
        }
        let text = "(;SZ[9];B[aa])".encode_utf16().flat_map(u16::to_le_bytes);
        let marked: Vec<u8> = [0xff, 0xfe].into_iter().chain(text).collect();
        assert_eq!(read::decode(marked).unwrap().0.steps.len(), 1);
    }

    #[test]
    fn invalid_games_are_rejected_with_one_line() {
        for (text, part) in [
            ("", "no game"),
            ("B[aa]", "no game"),
            ("()", "no game"),
            ("(;SZ[0])", "SZ[0:0]"),
            ("(;SZ[53])", "SZ[53:53]"),
            ("(;SZ[9:60])", "SZ[9:60]"),
            ("(;SZ[300])", "SZ[300]"),
            ("(;SZ[x\ny])", "SZ[x"),
            (
                "(;SZ[9];B[jj])",
                "node 2: B[jj], expected a vertex of a 9x9 board",
            ),
            ("(;SZ[9];B[e5x])", "B[e5x]"),
            ("(;GM[2])", "node 1: GM[2], expected GM[1] (Go)"),
            ("(;SZ[9];B)", "node 2: B without a value"),
            ("(;SZ[9];B C[x])", "node 2: B without a value"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn reads_komi_in_the_forms_of_programs_and_servers() {
        for (written, halves, warned) in [
            ("6.5", 13, false),
            ("375", 15, true),
            ("650", 13, true),
            ("0", 0, false),
            ("6,5", 13, true),
            ("100", 200, false),
            ("6.5 points", 13, true),
            ("6 1/2", 13, true),
            ("5½", 11, true),
            ("7目半", 15, true),
            ("-1/2", -1, true),
            ("半目", 1, true),
            ("黑贴半目", 1, true),
            ("komi 1/2", 1, true),
            ("3.75", 15, true),
            ("3又3/4子", 15, true),
        ] {
            let game = parse(&format!("(;SZ[9]KM[{written}])")).unwrap();
            assert_eq!(game.komi.map(Points::halves), Some(halves), "{written}");
            assert_eq!(!game.warnings.is_empty(), warned, "{written}");
        }
        assert_eq!(parse("(;SZ[9]KM[])").unwrap().komi, None);
        for written in ["six", "nan", "inf", "6/5", "5-6", "六目半", "6.5目半"] {
            let game = parse(&format!("(;SZ[9]KM[{written}])")).unwrap();
            assert_eq!((game.komi, game.warnings.len()), (None, 1), "{written}");
        }
    }

    #[test]
    fn flawed_files_with_a_clear_meaning_are_read_with_a_warning() {
        for (text, steps, part) in [
            ("(;SZ[9](B[fc];W[cc])(W[fc];B[cc]))", 2, "starts without ;"),
            ("(SZ[9];B[cc])", 1, "starts without ;"),
            ("(;SZ[9];B[cc];W[dd]\n", 2, "a parenthesis is missing"),
            (
                "(;SZ[9];B[cc](;W[dd])(;W[ee])",
                2,
                "a parenthesis is missing",
            ),
            ("(;SZ[9];B[cc];W[dd]C[unfin", 2, "inside a value"),
            ("(;SZ[9];B[cc];W[d", 1, "inside a value"),
            ("(;GM[1]FF[4]SZ[9]GM[1];B[cc])", 1, "duplicate GM"),
            ("(;SZ[9]SZ[13]KM[5]KM[6];B[cc])", 1, "duplicate SZ, KM,"),
            ("(;GM[1]SZ[9];B[cc];W", 1, "inside a property"),
            ("(;GM[1]SZ[9];B[cc];W[dd]\nC", 2, "inside a property"),
            ("(;GM[1]SZ[9];B[cc];", 1, "a parenthesis is missing"),
            ("(;SZ[9];B[cc]\n---\n;W[dd]\n---\n;B[ee])", 3, "'---'"),
            ("(;SZ[9];N;B[cc])", 1, "'N'"),
            ("(;SZ[9];é[aa];B[cc])", 1, "does not belong to a property"),
            ("(;SZ[9]AB[];B[cc])", 1, "AB[]"),
            ("(;SZ[18];B[aa];W[ss])", 2, "is read as a pass"),
            ("(;SZ[9];b[aa];w[bb])", 2, "node 2: 'b' is read as B"),
            ("(;SZ[9];B[aa];W[bb]KM[5])", 2, "node 3: KM after the first"),
            ("(;SZ[9]KM[5];KM[6];B[aa])", 1, "node 2: duplicate KM"),
            ("(;AB[aa];SZ[9];B[bb])", 1, "node 2: SZ after stones"),
            ("(;SZ[9];B[cc])(;SZ[9];W[dd])", 1, "2 games, only the first"),
            (
                "(;SZ[9];AB[cc];W[dd];AE[cc];B[ee])",
                3,
                "node 4: the position is changed after the first move, and the game restarts",
            ),
            ("(;SZ[9];W[dd];PL[W];W[ee])", 3, "game restarts there"),
            (
                "(;SZ[9]AB[aa]AW[aa];B[cc])",
                1,
                "node 1: AW[aa] after AB[aa], the last one counts",
            ),
            ("(;SZ[9]AB[ab:ac]AE[ac];B[cc])", 1, "AE[ac] after AB[ac]"),
            (
                "(;SZ[9]PL[red];B[cc])",
                1,
                "node 1: PL[red] is not a player",
            ),
            ("(;SZ[9]PL[blue];B[cc])", 1, "PL[blue] is not a player"),
            ("(;SZ[9]HA[x];B[cc])", 1, "HA[x] is not a number of stones"),
            (
                "(;SZ[9]HA[-2];B[cc])",
                1,
                "HA[-2] is not a number of stones",
            ),
            (
                "(;SZ[9]HA[100]AB[cc];W[dd])",
                1,
                "HA[100] differs from the number of black stones at the start, 1: the handicap is 0",
            ),
            (
                "(;SZ[9]HA[2]AB[cc][dd][ee];W[aa])",
                1,
                "start, 3: the handicap is 2",
            ),
            (
                "(;CA[klingon]SZ[9];B[cc])",
                1,
                "CA[klingon] is not a known encoding",
            ),
            ("(;SZ[9];B[cc]W[dd])", 2, "node 2: 2 moves in one node"),
            (
                "(;SZ[9];B[cc]);W[dd])",
                1,
                "nodes after the end of the game",
            ),
        ] {
            let game = parse(text).unwrap();
            assert_eq!(game.steps.len(), steps, "{text}");
            assert_eq!(game.warnings.len(), 1, "{text}: {:?}", game.warnings);
            assert!(
                game.warnings[0].contains(part),
                "{text}: {:?}",
                game.warnings
            );
        }
        for text in [
            "(;SZ[ 9 ];B[ cc ])",
            "(;SZ[9x9];B[cc\n])",
            "(see below) (;SZ[9]AB[ ][aa]AW[ bb ];B[cc])",
            "((;SZ[9];B[cc]))",
            "(;CA[]SZ[9]HA[]PL[Black];B[cc])",
            "(;CA[ utf8 ]SZ[9]HA[1]PL[2];B[cc])",
            "(;SZ[9]HA[0]AB[dd][ee][dd];B[cc])",
            "(;SZ[9];B[cc])\nSent from a phone (with regards) by [a friend]",
        ] {
            let game = parse(text).unwrap();
            assert_eq!((game.width, game.height), (9, 9), "{text}");
            assert_eq!(game.steps.len(), 1, "{text}");
            assert!(game.warnings.is_empty(), "{text}: {:?}", game.warnings);
        }
        assert_eq!(parse("(;SZ[];B[cc])").unwrap().width, 19);
    }

    #[test]
    fn the_game_is_described_by_any_node_before_its_first_move() {
        let text = "(;GM[1];SZ[9]HA[2]C[x];KM[0.5]RU[AGA]RE[W+R]AB[cc][gg];W[ee])";
        let game = parse(text).unwrap();
        assert_eq!((game.width, game.komi.map(Points::halves)), (9, Some(1)));
        assert_eq!(game.rules.as_deref(), Some("AGA"));
        assert_eq!(game.result.as_deref(), Some("W+R"));
        assert_eq!((game.handicap, game.to_move), (Some(2), Some(Color::WHITE)));
        assert!(game.warnings.is_empty(), "{:?}", game.warnings);
        // The node of the first move counts, too.
        let game = parse("(;;B[aa]SZ[9]KM[5])").unwrap();
        assert_eq!((game.width, game.komi.map(Points::halves)), (9, Some(10)));
    }

    #[test]
    fn line_breaks_of_all_systems_are_one() {
        let text = "(;SZ[9]C[a\\\r\nb\\\n\rc\\\rd\r\ne\rf\n\ng])";
        let nodes = tree(text, &parse(text).unwrap());
        assert_eq!(nodes[0].comment, "abcd\ne\nf\n\ng");
    }

    #[test]
    fn the_first_of_several_values_counts() {
        let game = parse("(;SZ[9]SZ[13]KM[5]KM[6]RE[B+T]RE[0])").unwrap();
        assert_eq!((game.width, game.komi.unwrap().halves()), (9, 10));
        assert_eq!(game.result.as_deref(), Some("B+T"));
    }

    #[test]
    fn every_beginning_of_a_file_is_read_or_rejected_in_one_line() {
        for text in [
            "(;GM[1]FF[4]CA[UTF-8]SZ[9:7]KM[6.5]HA[2]AB[aa][bb]AW[cc:dd]PL[W]C[a\\]b \u{e9}];W[ee]BL[1.5];B[];W[ff](;B[gg])(;B[hh]))",
            "(;GM[1]SZ[9];B[cc];W[dd]\nC [x];B[ee])",
            "(GaMe[1]SiZe[9];Black[cc];White[dd])",
        ] {
            let whole = parse(text).unwrap();
            let mut most = 0;
            for length in 0..=text.len() {
                let bytes = text.as_bytes()[..length].to_vec();
                match read::decode(bytes) {
                    Ok((game, _)) => {
                        // No move is lost on the way.
                        assert!(game.steps.len() >= most, "{:?}", &text.as_bytes()[..length]);
                        most = game.steps.len();
                        assert!(
                            whole
                                .steps
                                .starts_with(&game.steps[..most.min(whole.steps.len())])
                                || game.width != whole.width
                        );
                        assert!(length == text.len() || !game.warnings.is_empty());
                    }
                    Err(error) => {
                        assert!(
                            length <= 7 && !error.to_string().contains('\n'),
                            "{length} {error}"
                        );
                    }
                }
            }
            assert_eq!(most, whole.steps.len());
        }
    }

    #[test]
    fn deeply_nested_files_do_not_overflow_the_stack() {
        assert!(parse(&format!("({})", ";".repeat(1_000_000))).is_ok());
        assert!(parse(&"(;".repeat(500_000)).is_ok());
        let nested = format!("{}{}", "(;".repeat(500_000), ")".repeat(500_000));
        assert!(parse(&nested).is_ok());
    }

    #[test]
    fn records_round_trip() {
        let game =
            parse("(;SZ[9:7]KM[-3.5]RE[W+2.5]RU[a:b\\]]AB[aa][ba]AW[cc]PL[W];W[dd];B[];AE[aa]PL[W];W[aa])")
                .unwrap();
        let text = game.write().unwrap();
        assert!(text.starts_with("(;GM[1]FF[4]"), "{text}");
        assert!(
            text.contains("SZ[9:7]") && text.contains(";B[]\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| !line.trim().is_empty()));
        assert_eq!(parse(&text).unwrap(), game);
        let wide = parse("(;SZ[52:30]AB[ZD][zA]AW[Aa];W[Dc];B[ZZ])");
        assert!(wide.is_err(), "the board has 30 rows");
        let wide = parse("(;SZ[52:30]AB[ZD][zA]AW[Aa];W[Dc];B[Zd])").unwrap();
        assert_eq!(parse(&wide.write().unwrap()).unwrap(), wide);
        let square = parse("(;SZ[9])").unwrap().write().unwrap();
        assert!(square.contains("SZ[9]"), "{square}");
    }
}
