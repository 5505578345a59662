//! Columns of a table of edges, as its header names them.
//!
//! Words such as `node1` and `node2` can also be the names of an edge. So the rest of a file
//! decides whether its first line is a header.

use super::Input;
use super::edgelist::edge;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::separator::Separator;
use super::words::end;

/// Number of words of each end in [`HEADS`] that hardly any vertex has as its name.
const CLEAR: usize = 2;

/// Content of a column of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Source,
    Target,
    Weight,
    Kind,
    Other,
}

/// Words that identify a column in a header, in any case. The first [`CLEAR`] words of both ends
/// are clear, and the others may be names of vertices.
const HEADS: &[(Column, &[&str])] = &[
    (
        Column::Source,
        &["source", "from", "src", "start", "node1", "vertex1", "u"],
    ),
    (
        Column::Target,
        &[
            "target",
            "to",
            "dst",
            "dest",
            "destination",
            "end",
            "node2",
            "vertex2",
            "v",
        ],
    ),
    (Column::Weight, &["weight", "value", "w"]),
    (Column::Kind, &["type", "directed"]),
    (
        Column::Other,
        &[
            "id", "label", "name", "edge", "timeset", "kind", "color", "interval",
        ],
    ),
];

/// Returns true if these are the columns of a table of nodes, such as that of Gephi.
pub(super) fn is_node_table(heads: &[&str]) -> bool {
    let has = |name: &str| heads.iter().any(|head| head.eq_ignore_ascii_case(name));
    has("id") && has("label") && Columns::of(heads).is_none()
}

/// Columns of a table with a header.
pub(super) struct Columns {
    columns: Vec<Column>,
    /// Number of weights so far that are not numbers.
    pub(super) unread: usize,
}

impl Columns {
    /// Returns the columns if `first` is the header of the text. Adds a warning if it may be an
    /// edge.
    pub(super) fn header(
        input: &Input<'_>,
        first: &str,
        separator: Separator,
    ) -> Option<(Columns, Option<String>)> {
        let fields = separator.fields(first);
        let columns = Columns::of(&fields)?;
        let place = |column| columns.columns.iter().position(|other| *other == column);
        let places = [place(Column::Source)?, place(Column::Target)?];
        let is_clear = places.iter().all(|&place| {
            let words = HEADS
                .iter()
                .take(2)
                .flat_map(|(_, words)| words.iter().take(CLEAR));
            let field = fields.get(place).copied().unwrap_or_default();
            words
                .into_iter()
                .any(|word| word.eq_ignore_ascii_case(field))
        });
        let lines = input.text.lines().map(|line| separator.content(line, true));
        let rows = lines.filter(|line| !line.trim().is_empty()).skip(1);
        let (mut recurs, mut numbers) = (false, true);
        for row in rows {
            let row = separator.fields(row);
            for name in places.iter().filter_map(|&place| row.get(place)) {
                recurs |= places.iter().any(|&place| fields.get(place) == Some(name));
                numbers &= name.bytes().all(|c| c.is_ascii_digit());
            }
        }
        let (first, source) = (first.trim(), input.source);
        let warning = format!(
            "'{first}' at the beginning of {source} is read as the header of a table: move the line down if it is an edge"
        );
        // An edge has two names, and its weight may follow.
        let weight = fields.get(2).map(|field| separator.weight(field));
        let weighs = weight.flatten().is_some_and(f64::is_finite);
        let may_be_edge = fields.len() < 3 || fields.len() == 3 && weighs;
        let is_header = match (may_be_edge, is_clear, weighs) {
            (false, _, _) => return Some((columns, None)),
            (true, true, true) => !recurs,
            (true, true, false) => true,
            (true, false, true) => false,
            (true, false, false) => !recurs,
        };
        let is_certain = !weighs && if is_clear { !recurs } else { numbers };
        is_header.then(|| (columns, (!is_certain).then_some(warning)))
    }

    /// Returns the columns of a header, or `None` if its words do not name both ends of an edge.
    fn of(fields: &[&str]) -> Option<Columns> {
        let column = |field: &&str| {
            let is_head = |head: &&str| head.eq_ignore_ascii_case(field);
            let found = HEADS.iter().find(|(_, heads)| heads.iter().any(&is_head));
            found.map_or(Column::Other, |(column, _)| *column)
        };
        let columns: Vec<Column> = fields.iter().map(column).collect();
        let count = |column| columns.iter().filter(|other| **other == column).count();
        // `u v` could also be an edge, so a header of two columns needs longer words.
        let short = fields.iter().any(|field| field.len() == 1);
        (count(Column::Source) == 1 && count(Column::Target) == 1 && !(short && fields.len() == 2))
            .then_some(Columns { columns, unread: 0 })
    }

    /// Reads a line below the header.
    pub(super) fn row(
        &mut self,
        input: &Input<'_>,
        draft: &mut RawGraph,
        line: &str,
        separator: Separator,
    ) -> Result<(), ParseError> {
        let text = input.text;
        let fields = separator.fields(line);
        let field = |column: Column| {
            let place = self.columns.iter().position(|other| *other == column)?;
            fields.get(place).copied().filter(|field| !field.is_empty())
        };
        if let Some(extra) = fields.get(self.columns.len()) {
            let expected = format!("{} columns, as in the header", self.columns.len());
            return Err(ParseError::found(text, extra, &expected));
        }
        let need = |column| {
            let expected = "both ends of an edge, in the columns named by the header";
            field(column).ok_or_else(|| ParseError::found(text, end(line), expected))
        };
        let ends = [need(Column::Source)?, need(Column::Target)?];
        if let Some(kind) = field(Column::Kind)
            && ["directed", "true"]
                .iter()
                .any(|word| kind.eq_ignore_ascii_case(word))
        {
            input.directed(kind)?;
            draft.allow_both_ends();
        }
        let word = field(Column::Weight);
        let weight = word.and_then(|word| separator.weight(word));
        self.unread += usize::from(word.is_some() && weight.is_none());
        edge(text, draft, ends, weight)
    }
}
