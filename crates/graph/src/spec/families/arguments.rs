//! Arguments of families one by one, for forms with a field for each.

use super::{Family, find, table};

/// Kind of the value of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A board spec.
    Spec,
    /// Any text, such as a list.
    Text,
    /// The name of the argument itself, or nothing.
    Word,
}

impl Kind {
    /// Returns the name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Spec => "spec",
            Kind::Text => "text",
            Kind::Word => "word",
        }
    }
}

/// Argument of a family. A spec is the name of the family, and then `before`, value, and `after` of
/// each argument. An optional argument without a value leaves out all three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Name in the form of the spec, such as `N` or `J,...`.
    pub name: &'static str,
    /// Meaning in a few words.
    pub meaning: &'static str,
    /// Text before the value.
    pub before: String,
    /// Text after the value.
    pub after: &'static str,
    /// True if the argument may be missing.
    pub is_optional: bool,
    /// Kind of the value.
    pub kind: Kind,
}

/// Meanings of the arguments of a family, in order. [`usual_meaning`] has the missing ones.
const MEANINGS: &[(&str, &[&str])] = &[
    (
        "grid3d",
        &["Points along x", "Points along y", "Points along z"],
    ),
    (
        "bipartite",
        &["Vertices of the first side", "Vertices of the second side"],
    ),
    ("star", &["Leaves"]),
    ("wheel", &["Vertices of the ring"]),
    ("tree", &["Children per inner vertex", "Height"]),
    (
        "gpetersen",
        &["Vertices per ring", "Step of the inner ring"],
    ),
    ("prism", &["Vertices per ring"]),
    ("antiprism", &["Vertices per ring"]),
    ("circulant", &["Vertices", "Distances of neighbors"]),
    ("hexhex", &["Vertices per side"]),
    ("triangle", &["Vertices per side"]),
    ("triangular", &["Vertices per row", "Rows"]),
    ("honeycomb", &["Cells per side"]),
    ("kagome", &["Hexagons per side"]),
    ("rhombitrihexagonal", &["Hexagons per side"]),
    ("snubhexagonal", &["Hexagons per side"]),
    ("truncatedhexagonal", &["Dodecagons per side"]),
    ("truncatedtrihexagonal", &["Dodecagons per side"]),
    ("truncatedsquare", &["Octagons per row", "Rows"]),
    ("snubsquare", &["Vertices per row", "Rows"]),
    ("elongatedtriangular", &["Vertices per row", "Rows"]),
    ("rings", &["Rings", "Spokes"]),
    ("cubesurface", &["Vertices per side of a face"]),
    (
        "diamond",
        &["Cells along x", "Cells along y", "Cells along z"],
    ),
    ("sierpinski", &["Level"]),
    ("penrose", &["Radius in edges"]),
    ("sunflower", &["Seeds"]),
    ("delaunay", &["Random points"]),
    ("gabriel", &["Random points"]),
    ("voronoi", &["Random points"]),
    ("gnp", &["Vertices", "Probability of an edge"]),
    ("gnm", &["Vertices", "Edges"]),
    ("regular", &["Vertices", "Neighbors per vertex"]),
    (
        "smallworld",
        &["Vertices", "Nearest neighbors", "Probability of rewiring"],
    ),
    ("barabasi", &["Vertices", "Edges of a new vertex"]),
    (
        "thinned",
        &["Width", "Height", "Probability of a missing edge"],
    ),
    ("edges", &["Edges and vertices"]),
    ("graph6", &["Text in the graph6 format"]),
    ("sparse6", &["Text in the sparse6 format"]),
    ("file", &["Path of a file"]),
    (
        "space",
        &[
            "Graph",
            "Stones on an edge and its ends",
            "Stones on two ends",
        ],
    ),
    ("product", &["First graph", "Second graph"]),
    ("strong", &["First graph", "Second graph"]),
    ("lexicographic", &["First graph", "Second graph"]),
    ("remove", &["Graph", "Vertices and edges to remove"]),
    ("quotient", &["Graph", "Pairs of vertices to merge"]),
    ("komi", &["Graph", "Vertices of the komi path"]),
    ("pick", &["File of graphs", "Number of the graph"]),
];

/// Returns the meaning that an argument of this name has in most families, or an empty text.
fn usual_meaning(name: &str) -> &'static str {
    match name {
        "N" => "Vertices",
        "W" => "Width",
        "H" => "Height",
        "D" => "Dimensions",
        "SEED" => "Random seed",
        "SPEC" => "Graph",
        _ => "",
    }
}

/// Returns the arguments of the family with this name or synonym. They are empty if it has none.
pub fn of(name: &str) -> Vec<Argument> {
    find(name).map(arguments).unwrap_or_default()
}

fn arguments(family: &Family) -> Vec<Argument> {
    let row = MEANINGS.iter().find(|(name, _)| *name == family.name);
    let meanings = row.map_or(&[][..], |(_, meanings)| meanings);
    let mut found: Vec<Argument> = Vec::new();
    let mut before = String::from(if family.operator { "" } else { ":" });
    let mut is_optional = false;
    let mut rest = family.arguments;
    while let Some(sign) = rest.chars().next() {
        let length = match sign {
            '(' | ',' | 'x' => {
                before.push(sign);
                1
            }
            '[' | ']' => {
                is_optional = sign == '[';
                1
            }
            ')' => {
                if let Some(last) = found.last_mut() {
                    last.after = ")";
                }
                1
            }
            _ => {
                let name = first_name(rest);
                let meaning = meanings.get(found.len()).copied();
                found.push(Argument {
                    name,
                    meaning: meaning.unwrap_or_else(|| usual_meaning(name)),
                    before: std::mem::take(&mut before),
                    after: "",
                    is_optional,
                    kind: kind(name),
                });
                name.len()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

/// Returns the name at the start of the rest of a form. All parts of a list are one name.
fn first_name(rest: &str) -> &str {
    let end = rest.find(['(', ')', ',', '[', ']', 'x']);
    let name = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
    let list = rest.find("...").and_then(|dots| rest.get(..dots + 3));
    // Only a number or a graph comes before a list.
    list.filter(|_| !["N", "SPEC"].contains(&name))
        .unwrap_or(name)
}

fn kind(name: &str) -> Kind {
    match name {
        "SPEC" => Kind::Spec,
        "TEXT" | "PATH" => Kind::Text,
        _ if name.ends_with("...") => Kind::Text,
        _ if name.starts_with(|sign: char| sign.is_ascii_lowercase()) => Kind::Word,
        _ => Kind::Number,
    }
}

/// Returns the family of a canonical spec, and the values of its arguments: empty texts for missing
/// ones. `None` if the spec joins several boards.
pub fn values(spec: &str) -> Option<(&'static str, Vec<String>)> {
    if ends(spec, "+").next().is_some() {
        return None;
    }
    let name = spec.split([':', '(']).next()?;
    let family = table().find(|family| family.name == name)?;
    let list = arguments(family);
    let mut rest = spec.get(name.len()..)?;
    let mut found = Vec::new();
    for (i, argument) in list.iter().enumerate() {
        let Some(text) = rest.strip_prefix(argument.before.as_str()) else {
            if !argument.is_optional {
                return None;
            }
            found.push(String::new());
            continue;
        };
        if argument.kind == Kind::Word {
            let Some(behind) = text.strip_prefix(argument.name) else {
                found.push(String::new());
                continue;
            };
            found.push(argument.name.to_string());
            rest = behind;
            continue;
        }
        let next = list.get(i + 1).map_or("", |next| next.before.as_str());
        let signs = if argument.after.is_empty() {
            next
        } else {
            argument.after
        };
        let end = ends(text, signs).next().unwrap_or(text.len());
        let (value, behind) = text.split_at(end);
        found.push(value.to_string());
        rest = behind.strip_prefix(argument.after)?;
    }
    rest.is_empty().then_some((family.name, found))
}

/// Returns the byte offsets of these signs outside of parentheses.
fn ends<'a>(text: &'a str, signs: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut depth = 0i64;
    text.char_indices().filter_map(move |(place, sign)| {
        let is_end = depth == 0 && signs.contains(sign);
        depth += i64::from(sign == '(') - i64::from(sign == ')');
        is_end.then_some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_boards::SMALL;
    use super::*;
    use crate::spec::Spec;

    fn joined(name: &str, values: &[String]) -> String {
        let parts = of(name).into_iter().zip(values);
        let parts = parts.filter(|(argument, value)| !argument.is_optional || !value.is_empty());
        let parts =
            parts.map(|(argument, value)| format!("{}{value}{}", argument.before, argument.after));
        format!("{name}{}", parts.collect::<String>())
    }

    #[test]
    fn every_argument_has_a_meaning() {
        for family in table() {
            let arguments = arguments(family);
            assert_eq!(arguments.is_empty(), family.arguments.is_empty());
            for argument in &arguments {
                assert_ne!(argument.meaning, "", "{} {}", family.name, argument.name);
            }
        }
        for (name, meanings) in MEANINGS {
            assert!(of(name).len() >= meanings.len(), "{name}");
            assert!(table().any(|family| family.name == *name), "{name}");
        }
    }

    #[test]
    fn values_are_those_of_the_spec() {
        for (spec, name, wanted) in [
            ("petersen", "petersen", &[][..]),
            ("tree:3,2", "tree", &["3", "2"]),
            ("grid3d:3x4x5", "grid3d", &["3", "4", "5"]),
            ("delaunay:60,1", "delaunay", &["60", "1"]),
            ("randomtree:9", "randomtree", &["9", ""]),
            ("thinned:6x5,0.3,1", "thinned", &["6", "5", "0.3", "1"]),
            ("circulant:12,1,3", "circulant", &["12", "1,3"]),
            ("edges:a-b,c@1/2", "edges", &["a-b,c@1/2"]),
            ("sparse6::Fa@x^", "sparse6", &[":Fa@x^"]),
            ("line(tree:3,2)", "line", &["tree:3,2"]),
            (
                "product((tree:3,2),path:3)",
                "product",
                &["(tree:3,2)", "path:3"],
            ),
            ("komi(grid:5x5+path:2,7)", "komi", &["grid:5x5+path:2", "7"]),
            (
                "remove(grid:5x5,C3,A1-A2)",
                "remove",
                &["grid:5x5", "C3,A1-A2"],
            ),
            ("space:(tree:3,2)", "space", &["tree:3,2", "", ""]),
            (
                "space:(grid:3x3),pairs",
                "space",
                &["grid:3x3", "", "pairs"],
            ),
            (
                "space:(grid:3x3),edges,pairs",
                "space",
                &["grid:3x3", "edges", "pairs"],
            ),
        ] {
            let (family, found) = values(spec).unwrap_or_else(|| panic!("{spec}"));
            assert_eq!((family, &found[..]), (name, &strings(wanted)[..]));
            assert_eq!(joined(family, &found), spec);
        }
        for spec in ["path:3+path:4", "line(cube)+cube", "nonsense", "tree:3"] {
            assert_eq!(values(spec), None, "{spec}");
        }
    }

    #[test]
    fn small_boards_have_values() {
        for text in SMALL {
            let spec = text.parse::<Spec>().unwrap().to_string();
            let (family, found) = values(&spec).unwrap_or_else(|| panic!("{spec}"));
            assert_eq!(joined(family, &found), spec);
        }
    }

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }
}
