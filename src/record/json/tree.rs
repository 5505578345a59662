//! The key `tree` of a record: all moves and variations with their names and comments.
//!
//! Nodes stand in one list, so the text of a deep tree is not nested. Programs that do not know the
//! key read the moves alone.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{GameError, by_label, wrong};
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::graph::names::Names;
use crate::notation::move_label;
use crate::record::tree::{Growth, TreeNode};
use crate::rules::Ruleset;
use crate::text::quote;

/// Name of the key.
const KEY: &str = "tree";
/// Maximum number of nodes that are read. A file of maximum size holds fewer nodes with moves.
const MOST_NODES: usize = 500_000;
const LIST: &str =
    r#"a list of nodes such as {"parent":0,"move":["black","D4"],"comment":"a text"}"#;

/// Keys of a node. Others are ignored.
#[derive(Deserialize)]
struct NodeKeys {
    #[serde(default)]
    parent: Option<usize>,
    #[serde(default, rename = "move")]
    mv: Option<(String, String)>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    comment: Option<String>,
}

/// Reads the tree of a record. Each node but the first has a move then, and comes after its parent.
///
/// # Errors
/// If it is not a list of nodes, or if a move is none of the board or of the game's colors.
pub(super) fn read(
    raw: &RawValue,
    goban: &Goban,
    rules: &Ruleset,
) -> Result<Vec<TreeNode>, GameError> {
    let list: Vec<&RawValue> =
        serde_json::from_str(raw.get()).map_err(|_| wrong(KEY, raw.get(), LIST))?;
    if list.len() > MOST_NODES {
        let found = format!("a list of {} nodes", list.len());
        return Err(wrong(KEY, &found, format!("at most {MOST_NODES} nodes")));
    }
    let mut nodes = Vec::with_capacity(list.len());
    for (number, raw) in list.into_iter().enumerate() {
        let one = node(raw.get(), number, goban, rules);
        nodes.push(one.map_err(|expected| GameError::Node {
            number,
            value: quote(raw.get()),
            expected,
        })?);
    }
    if nodes.is_empty() {
        return Ok(nodes);
    }
    let mut tree = Growth::default();
    tree.add(&nodes);
    Ok(tree.nodes())
}

/// Reads a node. An error is the expected form.
fn node(text: &str, number: usize, goban: &Goban, rules: &Ruleset) -> Result<TreeNode, String> {
    let keys: NodeKeys = serde_json::from_str(text).map_err(|_| {
        r#"an object such as {"parent":0,"move":["black","D4"],"comment":"a text"}"#.to_string()
    })?;
    match (number, keys.parent, &keys.mv) {
        (0, None, None) => {}
        (0, _, _) => return Err("the start, without parent and move".to_string()),
        (_, Some(parent), _) if parent < number => {}
        _ => return Err(format!("a parent from 0 to {}", number - 1)),
    }
    let mv = match &keys.mv {
        None => None,
        Some((color, word)) => {
            let color: Option<Color> = color.parse().ok();
            let color = color.filter(|color| color.index() < rules.colors);
            let color = color.ok_or_else(|| {
                let colors = rules.colors;
                format!("one of the {colors} colors of the game, such as black")
            })?;
            let mv = by_label(goban, word).ok_or("the label of a vertex, or pass")?;
            Some((color, mv))
        }
    };
    Ok(TreeNode {
        parent: keys.parent,
        mv,
        name: keys.name.unwrap_or_default(),
        comment: keys.comment.unwrap_or_default(),
        is_odd: false,
    })
}

/// Returns the value of the key, with one node per line.
pub fn write(nodes: &[TreeNode], names: &Names) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let one = |node: &TreeNode| {
        let parent = node.parent.map(|parent| format!("\"parent\":{parent}"));
        let mv = node.mv.map(|(color, mv)| {
            let word = text(&move_label(names, mv));
            format!("\"move\":[\"{color}\",{word}]")
        });
        let texts = [("name", &node.name), ("comment", &node.comment)];
        let texts = texts.into_iter().filter(|(_, value)| !value.is_empty());
        let texts = texts.map(|(key, value)| format!("\"{key}\":{}", text(value)));
        let keys: Vec<String> = parent.into_iter().chain(mv).chain(texts).collect();
        format!("\n{{{}}}", keys.join(","))
    };
    let lines: Vec<String> = nodes.iter().map(one).collect();
    format!("[{}]", lines.join(","))
}
