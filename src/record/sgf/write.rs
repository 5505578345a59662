//! Conversion of records to text.

use sgf_parse::go::{Point, Prop};
use sgf_parse::{Color as SgfColor, SgfNode, SgfProp};

use super::{GameRecord, LONGEST, SgfError, Step, TreeNode, letters};
use crate::color::Color;
use crate::vertex::{Move, Vertex};

impl GameRecord {
    /// Returns the point of a vertex, or `None` if it is off the board.
    pub(super) fn point(&self, vertex: Vertex) -> Option<Point> {
        let row = vertex
            .index()
            .checked_div(self.width)
            .filter(|&row| row < self.height)?;
        let x = u8::try_from(vertex.index() % self.width).ok()?;
        let y = u8::try_from(self.height - 1 - row).ok()?;
        Some(Point { x, y })
    }

    /// Returns the record as the text of a file in format 4, with one node per line and without
    /// blank lines.
    ///
    /// # Errors
    /// If a side is longer than [`LONGEST`] or zero.
    pub fn write(&self) -> Result<String, SgfError> {
        let mut text = format!("({}", node(self.root()?));
        for step in &self.steps {
            let properties: Vec<Prop> = match step {
                Step::Play(color, mv) => vec![self.mv_property(*color, *mv)],
                Step::Setup { points, to_move } => self
                    .setup_properties(points.iter().copied())
                    .chain(to_move.and_then(player))
                    .collect(),
            };
            text.push('\n');
            text.push_str(&node(properties));
        }
        text.push(')');
        Ok(text)
    }

    /// Returns the settings and the start of the record, followed by these nodes instead of its
    /// steps, as [`GameRecord::write`] does. The first node is the root.
    ///
    /// # Errors
    /// If a side is longer than [`LONGEST`] or zero.
    pub fn write_tree(&self, nodes: &[TreeNode]) -> Result<String, SgfError> {
        /// Text to write next. A list of them avoids a recursion as deep as the game.
        enum Next {
            Node(usize),
            /// First node of a tree in parentheses.
            Tree(usize),
            End,
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (index, one) in nodes.iter().enumerate() {
            if let Some(list) = one.parent.and_then(|parent| children.get_mut(parent)) {
                list.push(index);
            }
        }
        let mut root = self.root()?;
        root.extend(nodes.first().into_iter().flat_map(texts));
        let mut text = format!("({}", node(root));
        let mut open = vec![Next::End];
        let follow = |open: &mut Vec<Next>, index: usize| match children.get(index) {
            Some(only) if only.len() == 1 => open.extend(only.iter().copied().map(Next::Node)),
            Some(list) => open.extend(list.iter().rev().copied().map(Next::Tree)),
            None => {}
        };
        follow(&mut open, 0);
        while let Some(next) = open.pop() {
            let index = match next {
                Next::End => {
                    text.push(')');
                    continue;
                }
                Next::Tree(index) => {
                    open.push(Next::End);
                    text.push_str("\n(");
                    index
                }
                Next::Node(index) => {
                    text.push('\n');
                    index
                }
            };
            if let Some(one) = nodes.get(index) {
                let mv = one.mv.map(|(color, mv)| self.mv_property(color, mv));
                text.push_str(&node(mv.into_iter().chain(texts(one)).collect()));
            }
            follow(&mut open, index);
        }
        Ok(text)
    }

    /// Returns the property of a move.
    fn mv_property(&self, color: Color, mv: Move) -> Prop {
        let (name, value) = self.played(color, mv);
        // In a known property, the library would write wrong characters for columns after z.
        Prop::Unknown(name.to_string(), vec![value])
    }

    /// Returns the properties of the root.
    fn root(&self) -> Result<Vec<Prop>, SgfError> {
        if ![self.width, self.height]
            .iter()
            .all(|side| (1..=LONGEST).contains(side))
        {
            return Err(SgfError::Value {
                node: 1,
                property: "SZ".to_string(),
                value: format!("{}:{}", self.width, self.height),
                expected: "sides from 1 to 52".to_string(),
            });
        }
        let size = if self.width == self.height {
            self.width.to_string()
        } else {
            format!("{}:{}", self.width, self.height)
        };
        let one = |name: &str, value: String| Prop::new(name.to_string(), vec![value]);
        let mut root = vec![
            one("GM", "1".to_string()),
            one("FF", "4".to_string()),
            one("CA", "UTF-8".to_string()),
            one(
                "AP",
                concat!("omnigo:", env!("CARGO_PKG_VERSION")).to_string(),
            ),
            // The library writes a square as WIDTH:HEIGHT, which the format forbids.
            Prop::Unknown("SZ".to_string(), vec![size]),
        ];
        root.extend(self.komi.map(|komi| one("KM", komi.to_string())));
        root.extend(
            self.rules
                .as_ref()
                .map(|rules| Prop::RU(rules.as_str().into())),
        );
        root.extend(
            self.result
                .as_ref()
                .map(|result| Prop::RE(result.as_str().into())),
        );
        root.extend(self.handicap.map(|stones| one("HA", stones.to_string())));
        let setup = self
            .start
            .iter()
            .enumerate()
            .map(|(index, &point)| (Vertex::at(index), point));
        root.extend(self.setup_properties(setup.filter(|(_, point)| point.is_some())));
        root.extend(self.to_move.and_then(player));
        Ok(root)
    }

    /// Returns the name and the value of the property of a move.
    pub(super) fn played(&self, color: Color, mv: Move) -> (&'static str, String) {
        let value = match mv {
            Move::Pass => String::new(),
            Move::Place(vertex) => self.point(vertex).map(letters).unwrap_or_default(),
        };
        (if color == Color::BLACK { "B" } else { "W" }, value)
    }

    /// Returns one property for each color that occurs (black, white, or empty), with its points in
    /// the given order.
    fn setup_properties(
        &self,
        points: impl Iterator<Item = (Vertex, Option<Color>)>,
    ) -> impl Iterator<Item = Prop> {
        let mut lists = [("AB", Vec::new()), ("AW", Vec::new()), ("AE", Vec::new())];
        for (vertex, point) in points {
            let place = match point {
                Some(Color::BLACK) => 0,
                Some(_) => 1,
                None => 2,
            };
            if let (Some((_, list)), Some(point)) = (lists.get_mut(place), self.point(vertex)) {
                list.push(letters(point));
            }
        }
        // The library would write the points of a known property in random order. As text they keep
        // their order.
        lists
            .into_iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| Prop::Unknown(name.to_string(), list))
    }
}

fn player(color: Color) -> Option<Prop> {
    match color {
        Color::BLACK => Some(Prop::PL(SgfColor::Black)),
        Color::WHITE => Some(Prop::PL(SgfColor::White)),
        _ => None,
    }
}

/// Returns the properties of the texts of a node.
fn texts(node: &TreeNode) -> impl Iterator<Item = Prop> {
    let name = Some(&node.name).filter(|name| !name.is_empty());
    let comment = Some(&node.comment).filter(|comment| !comment.is_empty());
    let name = name.map(|name| Prop::N(name.as_str().into()));
    name.into_iter()
        .chain(comment.map(|comment| Prop::C(comment.as_str().into())))
}

/// Returns the text of a node with its semicolon.
fn node(properties: Vec<Prop>) -> String {
    SgfNode::new(properties, Vec::new(), false).to_string()
}
