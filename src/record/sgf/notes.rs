//! Notes on the main line of a game: comments, values, marks, and variations, added to the text of
//! a file.
//!
//! The text itself is edited, not written anew. Every property and variation of the file therefore
//! stays as it is, including those that omnigo does not know.

use std::collections::BTreeMap;
use std::ops::Range;

use super::outline::{self, Signs, Warnings};
use super::properties::{self, Property};
use super::read::{parse_counted, with_likeliest_encoding};
use super::{GameRecord, SgfError, Step, TreeNode, letters, tree};
use crate::color::Color;
use crate::vertex::{Move, Vertex};

/// Text of one game of a file, with its main line.
#[derive(Clone, Debug)]
pub struct GameText {
    /// Main line.
    pub record: GameRecord,
    /// Number of games in the file.
    pub games: usize,
    text: String,
    /// Nodes of the main line.
    nodes: Vec<Place>,
    /// End of each tree on the main line, from the outermost, in bytes.
    ends: Vec<usize>,
    /// Number of steps of the record up to the end of each node.
    steps: Vec<usize>,
}

/// Node of the main line in the text.
#[derive(Clone, Debug)]
struct Place {
    /// Bytes of the node without its semicolon.
    bytes: Range<usize>,
    /// Number of open parentheses.
    depth: usize,
}

/// Additions to a node of the main line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    /// Index in [`GameRecord::steps`], or `None` for the root.
    pub step: Option<usize>,
    /// Text after the comment of the file (`C`).
    pub comment: String,
    /// Value in points, above 0 if Black leads (`V`). A value in the file stays instead.
    pub value: Option<f64>,
    /// 1 for a bad move, 2 for a very bad move (`BM`). A judgment in the file stays instead.
    pub bad: Option<u8>,
    /// Vertex with a triangle (`TR`). Marks in the file stay instead.
    pub mark: Option<Vertex>,
    /// Alternative to the move of the step. Left out if the node also sets up stones, has other
    /// moves, or is the root.
    pub variation: Option<Variation>,
}

/// Moves that could have been played instead of those of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variation {
    /// Comment on the first move.
    pub comment: String,
    /// Moves in order.
    pub moves: Vec<(Color, Move)>,
}

/// Properties that judge a move. A node has at most one of them.
const JUDGMENTS: &[&str] = &["BM", "DO", "IT", "TE"];
/// Properties that mark vertices. A vertex has at most one of them.
const MARKS: &[&str] = &["CR", "MA", "SL", "SQ", "TR"];
/// Properties that change the position outside of play.
const SETUPS: &[&str] = &["AB", "AE", "AW", "PL"];

/// Replacement of a part of the text.
struct Edit {
    bytes: Range<usize>,
    text: String,
}

impl Edit {
    fn insert(at: usize, text: String) -> Edit {
        Edit {
            bytes: at..at,
            text,
        }
    }
}

impl GameText {
    /// Reads a game of a file, counted from 1.
    ///
    /// # Errors
    /// If the file has no such game, or if it cannot be read.
    pub fn read(bytes: Vec<u8>, number: usize) -> Result<GameText, SgfError> {
        with_likeliest_encoding(bytes, |text| {
            let games = outline::games(text);
            if games.is_empty() {
                return Err(SgfError::NoGame);
            }
            let range = number.checked_sub(1).and_then(|index| games.get(index));
            let game = range.and_then(|range| text.get(range.clone()));
            let missing = SgfError::Missing {
                number,
                games: games.len(),
            };
            GameText::new(game.ok_or(missing)?, games.len())
        })
    }

    /// Returns the text of a record whose steps are the main line of a tree.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn of(record: &GameRecord, nodes: &[TreeNode]) -> Result<GameText, SgfError> {
        GameText::new(&record.write_tree(nodes)?, 1).map(|(text, _)| text)
    }

    /// Returns all nodes of the game.
    pub fn tree(&self) -> Vec<TreeNode> {
        tree(&self.text, &self.record)
    }

    /// Returns the text of a game, and the measure of [`parse_counted`].
    fn new(text: &str, games: usize) -> Result<(GameText, usize), SgfError> {
        let counted = parse_counted(text)?;
        let text = completed(text);
        let mut nodes = Vec::new();
        outline::main_line(&text, &mut Warnings::default(), |node, _| {
            nodes.push(Place {
                bytes: node.at..node.at + node.text.len(),
                depth: node.depth,
            });
            Ok(())
        })?;
        let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
        for sign in Signs::of(&text).filter(|sign| sign.byte == b')') {
            // The first tree of each depth that ends is that of the main line.
            ends.entry(sign.depth).or_insert(sign.at);
        }
        let game = GameText {
            record: counted.record,
            games,
            text,
            nodes,
            ends: ends.into_values().collect(),
            steps: counted.steps,
        };
        Ok((game, counted.found))
    }

    /// Returns the game with these notes, as text in UTF-8.
    pub fn with(&self, notes: &[Note]) -> String {
        let mut by_node: BTreeMap<usize, Vec<&Note>> = BTreeMap::new();
        for note in notes {
            let node = match note.step {
                None => 0,
                Some(step) => self.steps.partition_point(|&steps| steps <= step),
            };
            by_node.entry(node).or_default().push(note);
        }
        let tree = self.tree();
        let mut edits = Vec::new();
        let mut alternatives = Vec::new();
        edits.extend(self.encoding());
        for (&node, notes) in &by_node {
            let Some(place) = self.nodes.get(node) else {
                continue;
            };
            let properties = self.properties(node);
            edits.extend(self.additions(place, &properties, notes));
            let is_setup = properties.iter().any(|p| SETUPS.contains(&p.name.as_str()));
            let before = node.checked_sub(1).and_then(|node| self.steps.get(node));
            let own = self.steps.get(node).zip(before).map(|(to, from)| to - from);
            if let [note] = notes.as_slice()
                && let Some(variation) = &note.variation
                && !variation.moves.is_empty()
                && !is_setup
                && own == Some(1)
                && !self.has_variation(&tree, node, variation)
            {
                alternatives.push((node, variation));
            }
        }
        edits.extend(self.variations(&alternatives));
        self.edited(edits)
    }

    /// Returns true if the file has these moves instead of the move of a node of the main line.
    fn has_variation(&self, tree: &[TreeNode], node: usize, variation: &Variation) -> bool {
        // The tree has a node for each move. The main line comes first.
        let mut from = 0;
        let places = self.steps.iter().take(node).map(|&to| {
            let steps = self.record.steps.get(from..to).unwrap_or_default();
            from = to;
            let moves = steps.iter().filter(|step| matches!(step, Step::Play(..)));
            moves.count().max(1)
        });
        let own = places.sum::<usize>();
        let mut parent = tree.get(own).and_then(|own| own.parent);
        variation.moves.iter().all(|&mv| {
            let is_next = |next: &TreeNode| next.parent == parent && next.mv == Some(mv);
            parent = match parent {
                Some(_) => tree.iter().position(is_next),
                None => None,
            };
            parent.is_some()
        })
    }

    /// Returns the edits that add notes to a node with these properties, except for comments that
    /// it has.
    fn additions(&self, place: &Place, properties: &[Property], notes: &[&Note]) -> Vec<Edit> {
        let has = |names: &[&str]| properties.iter().any(|p| names.contains(&p.name.as_str()));
        let start = place.bytes.start;
        let own = properties.iter().find(|property| property.name == "C");
        let old = own.and_then(|property| property.values.first());
        let old = old.and_then(|value| self.text.get(start + value.start..));
        let old = properties::value(old.unwrap_or_default());
        let comments: Vec<String> = notes
            .iter()
            .filter(|note| !note.comment.is_empty() && !old.contains(&note.comment))
            .map(|note| escaped(&note.comment))
            .collect();
        let comment = comments.join("\n");
        let mut edits = Vec::new();
        let mut added = String::new();
        match own.and_then(|property| property.values.first()) {
            _ if comment.is_empty() => {}
            Some(value) => {
                let value = start + value.start..start + value.end;
                let blank = self
                    .text
                    .get(value.clone())
                    .unwrap_or_default()
                    .trim()
                    .is_empty();
                let gap = if blank { "" } else { "\n\n" };
                edits.push(Edit::insert(value.end, format!("{gap}{comment}")));
            }
            None => added.push_str(&format!("C[{comment}]")),
        }
        let value = notes.iter().rev().find_map(|note| note.value);
        if let Some(value) = value.filter(|value| value.is_finite() && !has(&["V"])) {
            // Adding 0 turns -0 into 0.
            added.push_str(&format!("V[{}]", (10.0 * value).round() / 10.0 + 0.0));
        }
        if let Some(bad) = notes.iter().filter_map(|note| note.bad).max()
            && !has(JUDGMENTS)
        {
            added.push_str(&format!("BM[{bad}]"));
        }
        let mark = notes.iter().rev().find_map(|note| note.mark);
        if let Some(point) = mark.and_then(|vertex| self.record.point(vertex))
            && !has(MARKS)
        {
            added.push_str(&format!("TR[{}]", letters(point)));
        }
        let last = properties
            .iter()
            .flat_map(|property| &property.values)
            .last();
        let end = last.map_or(start, |value| start + value.end + 1);
        edits.push(Edit::insert(end, added));
        edits
    }

    /// Returns the edits that add alternatives to nodes, which are in order. A node inside a
    /// sequence begins a tree of its own then.
    fn variations(&self, alternatives: &[(usize, &Variation)]) -> Vec<Edit> {
        let mut edits = Vec::new();
        for &(node, _) in alternatives {
            if let Some(place) = self.nodes.get(node).filter(|_| !self.is_head(node)) {
                edits.push(Edit::insert(place.bytes.start - 1, "(".to_string()));
            }
        }
        // The trees that begin last end first.
        for &(node, variation) in alternatives.iter().rev() {
            let Some(place) = self.nodes.get(node) else {
                continue;
            };
            let (close, parent) = match self.is_head(node) {
                true => ("", place.depth - 1),
                false => (")", place.depth),
            };
            let end = parent.checked_sub(1).and_then(|tree| self.ends.get(tree));
            if let Some(&end) = end {
                let text = format!("{close}\n{}", self.variation_text(variation));
                edits.push(Edit::insert(end, text));
            }
        }
        edits
    }

    /// Returns true if a node is the first of its tree.
    fn is_head(&self, node: usize) -> bool {
        let depth = |node: usize| self.nodes.get(node).map(|place| place.depth);
        node == 0 || depth(node) != depth(node - 1)
    }

    /// Returns a variation as a tree of its own.
    fn variation_text(&self, variation: &Variation) -> String {
        let mut text = String::from("(");
        for (number, &(color, mv)) in variation.moves.iter().enumerate() {
            let (name, value) = self.record.played(color, mv);
            text.push_str(&format!(";{name}[{value}]"));
            if number == 0 && !variation.comment.is_empty() {
                text.push_str(&format!("C[{}]", escaped(&variation.comment)));
            }
        }
        text + ")"
    }

    /// Returns the edit that names UTF-8 as the encoding of a text that has letters beyond ASCII.
    fn encoding(&self) -> Option<Edit> {
        const NAME: &str = "UTF-8";
        let root = self.nodes.first().filter(|_| !self.text.is_ascii())?;
        let properties = self.properties(0);
        let own = properties.iter().find(|property| property.name == "CA");
        Some(match own.and_then(|property| property.values.first()) {
            Some(value) => Edit {
                bytes: root.bytes.start + value.start..root.bytes.start + value.end,
                text: NAME.to_string(),
            },
            None => Edit::insert(root.bytes.start, format!("CA[{NAME}]")),
        })
    }

    fn properties(&self, node: usize) -> Vec<Property<'_>> {
        let place = self.nodes.get(node);
        let text = place.and_then(|place| self.text.get(place.bytes.clone()));
        properties::find(text.unwrap_or_default())
    }

    /// Returns the text after these edits, which do not overlap. Edits at the same place keep their
    /// order.
    fn edited(&self, mut edits: Vec<Edit>) -> String {
        edits.sort_by_key(|edit| edit.bytes.start);
        let mut out = String::with_capacity(self.text.len());
        let mut done = 0;
        for edit in &edits {
            out.push_str(self.text.get(done..edit.bytes.start).unwrap_or_default());
            out.push_str(&edit.text);
            done = done.max(edit.bytes.end);
        }
        out.push_str(self.text.get(done..).unwrap_or_default());
        out
    }
}

/// Returns a game whose open trees are closed. A value or a name at the end of the file is dropped.
fn completed(text: &str) -> String {
    let mut signs = Signs::of(text);
    while signs.next().is_some() {}
    if signs.depth == 0 {
        return text.to_string();
    }
    let kept = text.get(..signs.end()).unwrap_or_default();
    properties::without_name(kept).to_string() + &")".repeat(signs.depth)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sgf::parse;

    fn game(text: &str) -> GameText {
        GameText::read(text.as_bytes().to_vec(), 1).unwrap()
    }

    /// Returns a note on a step, with a variation of one move at A1.
    fn note(step: usize, text: &str) -> Note {
        Note {
            step: Some(step),
            comment: text.to_string(),
            variation: Some(Variation {
                comment: String::new(),
                moves: vec![(Color::BLACK, Move::Place(Vertex::at(0)))],
            }),
            ..Note::default()
        }
    }

    #[test]
    fn without_notes_the_text_stays() {
        for text in [
            "(;GM[1]SZ[5]C[a\\]b\\\\];B[aa] (;W[bb]XY[1][2])\n(;W[cc];B[dd]))",
            "(;SZ[5];B[aa])",
            "(;SZ[5](B[aa];W[bb])(;W[cc]))",
        ] {
            assert_eq!(game(text).with(&[]), text);
        }
    }

    #[test]
    fn comments_follow_those_of_the_file() {
        let text = game("(;SZ[5]C[hello [x\\]];B[aa]LB[bb:1]FOO[x];W[bb]C[])");
        let root = Note {
            comment: "a]b\\".to_string(),
            ..Note::default()
        };
        let bare = |step, comment: &str| Note {
            variation: None,
            ..note(step, comment)
        };
        assert_eq!(
            text.with(&[root, bare(0, "one"), bare(1, "two")]),
            "(;SZ[5]C[hello [x\\]\n\na\\]b\\\\];B[aa]LB[bb:1]FOO[x]C[one];W[bb]C[two])"
        );
    }

    #[test]
    fn the_same_notes_are_added_once() {
        let first = "(;SZ[5];B[aa]C[own \\] words\r\n];W[bb]W[dd];B[cc](;W[ee])(;W[de]))";
        let notes = [note(0, "a]b\nc"), note(3, "x"), note(4, "y\\")];
        let once = game(first).with(&notes);
        assert_eq!(once.matches("B[ae]").count(), 3, "{once}");
        assert_eq!(game(&once).with(&notes), once);
        let other = game(&once).with(&[note(3, "z")]);
        assert!(other.contains("C[x\n\nz]"), "{other}");
    }

    #[test]
    fn variations_branch_before_their_move() {
        let text = game("(;SZ[5];B[aa];W[bb];B[cc])");
        assert_eq!(
            text.with(&[note(0, ""), note(2, "")]),
            "(;SZ[5](;B[aa];W[bb](;B[cc])\n(;B[ae]))\n(;B[ae]))"
        );
        // The variations of the file come first.
        let text = game("(;SZ[5];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))");
        assert_eq!(
            text.with(&[note(1, ""), note(2, "")]),
            "(;SZ[5];B[aa](;W[bb](;B[cc])(;B[dd])\n(;B[ae]))(;W[ee])\n(;B[ae]))"
        );
        for (text, step) in [
            // The root, a node that also sets up stones, and a node of two moves.
            ("(;SZ[5]B[aa])", 0),
            ("(;SZ[5];AW[ee]B[aa])", 0),
            ("(;SZ[5];B[aa]W[bb])", 0),
        ] {
            assert_eq!(game(text).with(&[note(step, "")]), text);
        }
    }

    #[test]
    fn results_are_read_with_the_same_main_line() {
        let text = "(;SZ[9]KM[6.5];B[ee];W[cc];B[](;W[gg];B[dd])(;W[aa];B[bb]))";
        let game = game(text);
        let notes: Vec<Note> = (0..5).map(|step| note(step, "x")).collect();
        let again = parse(&game.with(&notes)).unwrap();
        assert_eq!(again, game.record);
        assert_eq!(again.steps.len(), 5);
        assert_eq!(game.with(&notes).matches("B[ai]").count(), 5);
    }

    #[test]
    fn judgments_and_marks_of_the_file_stay() {
        let judged = Note {
            value: Some(-0.04),
            bad: Some(2),
            mark: Some(Vertex::at(0)),
            variation: None,
            ..note(0, "")
        };
        let with = |text: &str| game(text).with(std::slice::from_ref(&judged));
        assert_eq!(with("(;SZ[5];B[aa])"), "(;SZ[5];B[aa]V[0]BM[2]TR[ae])");
        let own = "(;SZ[5];B[aa]V[3]TE[1]SQ[cc])";
        assert_eq!(with(own), own);
    }

    #[test]
    fn incomplete_files_are_completed() {
        for (text, whole) in [
            ("(;SZ[5];B[aa];W[b", "(;SZ[5];B[aa];)"),
            ("(;SZ[5];B[aa];W", "(;SZ[5];B[aa];)"),
            ("(;SZ[5];B[aa](;W[bb]", "(;SZ[5];B[aa](;W[bb]))"),
            (
                "(;SZ[5];B[aa](;W[bb])(;W[cc]C[x",
                "(;SZ[5];B[aa](;W[bb])(;W[cc]))",
            ),
        ] {
            let game = game(text);
            assert_eq!(game.with(&[]), whole);
            assert_eq!(game.record.steps, parse(whole).unwrap().steps);
        }
    }

    #[test]
    fn a_game_of_a_collection_is_read_alone() {
        let text = "x (;SZ[5];B[aa]) y (;SZ[7];W[bb];B[cc])(;SZ[60])";
        let nth = |number| GameText::read(text.as_bytes().to_vec(), number);
        assert_eq!(nth(2).unwrap().with(&[]), "(;SZ[7];W[bb];B[cc])");
        assert_eq!(nth(2).unwrap().games, 3);
        assert_eq!(nth(1).unwrap().record.steps.len(), 1);
        assert!(matches!(nth(3), Err(SgfError::Value { .. })));
        let missing = nth(4).unwrap_err().to_string();
        assert_eq!(missing, "no game 4, expected a number from 1 to 3");
        assert!(nth(0).is_err());
        assert!(matches!(
            GameText::read(b"no game".to_vec(), 1),
            Err(SgfError::NoGame)
        ));
    }

    #[test]
    fn other_encodings_become_utf8() {
        let text = b"(;SZ[5]CA[GB2312]PB[\xcb\xab\xd3\xea];B[aa])".to_vec();
        let game = GameText::read(text, 1).unwrap();
        assert_eq!(
            game.with(&[]),
            "(;SZ[5]CA[UTF-8]PB[\u{53cc}\u{96e8}];B[aa])"
        );
        assert_eq!(game.record.steps.len(), 1);
        assert!(matches!(game.record.steps.as_slice(), [Step::Play(..)]));
    }
}
