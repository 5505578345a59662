//! Tree of a file: all nodes of the main line and of variations, with their moves and texts.

use sgf_parse::SgfProp;
use sgf_parse::go::Prop;

use super::outline::{self, Warnings};
use super::properties;
use super::{GameRecord, SgfError, TreeNode};
use crate::color::Color;
use crate::vertex::Move;

/// Returns all nodes of the first game of a text, from which `record` was read. The first child of
/// a node is its main line.
///
/// ```
/// use omnigo::record::sgf::{parse, tree};
/// let text = "(;SZ[9]C[start];B[ee](;W[cc])(;W[gg]C[also]))";
/// let nodes = tree(text, &parse(text).unwrap());
/// assert_eq!(nodes.len(), 4);
/// assert_eq!((nodes[3].parent, nodes[3].comment.as_str()), (Some(1), "also"));
/// ```
pub fn tree(text: &str, record: &GameRecord) -> Vec<TreeNode> {
    let mut nodes: Vec<TreeNode> = Vec::new();
    // Index in `nodes` for each node of the file.
    let mut places: Vec<usize> = Vec::new();
    // True in the main line up to its first move. Stones that are set up there are the start of the
    // record.
    let mut is_start = true;
    for (number, (parent, text)) in (1usize..).zip(outline::nodes(text)) {
        let parent = parent.and_then(|parent| places.get(parent).copied());
        let mut one = TreeNode {
            parent,
            ..TreeNode::default()
        };
        let mut more = Vec::new();
        is_start &= parent == nodes.len().checked_sub(1);
        match read(record, number, text, &mut one, &mut more) {
            Ok(is_setup) => one.is_odd |= is_setup && !is_start,
            Err(_) => one.is_odd = true,
        }
        is_start &= one.mv.is_none();
        nodes.push(one);
        // Some programs write several moves into one node.
        for mv in more {
            nodes.push(TreeNode {
                parent: Some(nodes.len() - 1),
                mv: Some(mv),
                ..TreeNode::default()
            });
        }
        places.push(nodes.len() - 1);
    }
    nodes
}

/// Reads the properties of a node. Its second and later moves go to `more`. Returns true if the
/// node sets up stones or the player to move.
fn read(
    record: &GameRecord,
    number: usize,
    text: &str,
    node: &mut TreeNode,
    more: &mut Vec<(Color, Move)>,
) -> Result<bool, SgfError> {
    // The reader of the main line has told about all of these.
    let mut warnings = Warnings::default();
    let mut is_setup = false;
    for (name, values) in properties::read(text, number, &mut warnings)? {
        let first = values.first().map_or("", String::as_str);
        match name.as_str() {
            "C" => node.comment = first.to_string(),
            "N" => node.name = first.trim().to_string(),
            "AB" | "AW" | "AE" | "PL" => is_setup = true,
            "B" | "W" => {
                let value = vec![first.trim().to_string()];
                let color = if name == "B" {
                    Color::BLACK
                } else {
                    Color::WHITE
                };
                let (Prop::B(mv) | Prop::W(mv)) = Prop::new(name.clone(), value) else {
                    node.is_odd = true;
                    continue;
                };
                let mv = (color, record.mv(mv, &name, number, &mut warnings)?);
                match node.mv {
                    None => node.mv = Some(mv),
                    Some(_) => more.push(mv),
                }
            }
            _ => {}
        }
    }
    Ok(is_setup)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::vertex::Vertex;

    #[test]
    fn variations_and_texts_round_trip() {
        let text = "(;GM[1]SZ[3]C[start \\] (;B[aa\\]) \\\\ end];B[ba]N[first](;W[bb]C[two\nlines](;B[cc])(;B[]))(;W[cb];B[aa]C[deep]))";
        let record = parse(text).unwrap();
        let nodes = tree(text, &record);
        let parents: Vec<_> = nodes.iter().map(|node| node.parent).collect();
        assert_eq!(
            parents,
            [None, Some(0), Some(1), Some(2), Some(2), Some(1), Some(5)]
        );
        assert_eq!(nodes[0].comment, "start ] (;B[aa]) \\ end");
        assert_eq!(nodes[1].name, "first");
        assert_eq!(nodes[2].comment, "two\nlines");
        assert_eq!(nodes[4].mv, Some((Color::BLACK, Move::Pass)));
        assert_eq!(
            nodes[6].mv.map(|(_, mv)| mv),
            Some(Move::Place(Vertex::at(6)))
        );
        let written = record.write_tree(&nodes).unwrap();
        let again = parse(&written).unwrap();
        assert_eq!(again.steps, record.steps, "the main line");
        assert_eq!(tree(&written, &again), nodes, "{written}");
        assert!(written.lines().all(|line| !line.trim().is_empty()));
    }

    #[test]
    fn odd_nodes_are_marked_and_cut_files_are_read() {
        let text = "(;SZ[3];B[aa](;AW[bb];W[cc])(;W[zz])(;B[bb]W[cb]C[cut";
        let record = parse(text).unwrap();
        let nodes = tree(text, &record);
        assert_eq!(nodes.len(), 7);
        let odd: Vec<bool> = nodes.iter().map(|node| node.is_odd).collect();
        assert_eq!(odd, [false, false, true, false, true, false, false]);
        assert_eq!(nodes[6].parent, Some(5), "two moves in one node");
        let problem = "(;SZ[3]AB[aa];AW[bb];B[cc];AW[ca])";
        let nodes = tree(problem, &parse(problem).unwrap());
        let odd: Vec<bool> = nodes.iter().map(|node| node.is_odd).collect();
        assert_eq!(odd, [false, false, false, true], "the start is none");
        // Variations have no part in the start, even if the main line has no move.
        let text = "(;SZ[5](;N[a])(;AB[cc];B[bb])(;B[zz]))";
        let nodes = tree(text, &parse(text).unwrap());
        let odd: Vec<bool> = nodes.iter().map(|node| node.is_odd).collect();
        assert_eq!(odd, [false, false, true, false, true]);
        assert!(tree("(;", &record).len() <= 1);
        assert!(tree(&"(;".repeat(100_000), &record).len() <= 100_000);
    }

    #[test]
    fn trees_of_any_depth_are_written() {
        let record = parse("(;SZ[3])").unwrap();
        let node = |i: usize| TreeNode {
            parent: i.checked_sub(1),
            mv: (i > 0).then_some((Color::BLACK, Move::Pass)),
            ..TreeNode::default()
        };
        let nodes: Vec<TreeNode> = (0..100_000).map(node).collect();
        let text = record.write_tree(&nodes).unwrap();
        assert_eq!(text.matches(";B[]").count(), 99_999);
        assert_eq!(record.write_tree(&[]).unwrap(), record.write().unwrap());
    }
}
