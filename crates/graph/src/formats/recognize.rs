//! Recognition of formats: by the first words of a text, else by the extension of its path, else by
//! a guess.

use std::borrow::Cow;

use super::{Format, GAME, adjlist, dl, edgelist, mtx, obj, off, pajek, ply, rows, stl, tgf};

/// Extensions and names of formats that are not read. As edge lists, their lines would give edges
/// between wrong names.
const FOREIGN: &[(&str, &str)] = &[
    ("xgmml", "XGMML"),
    ("gdf", "GDF"),
    ("vna", "VNA"),
    ("gw", "LEDA"),
    ("leda", "LEDA"),
    ("stp", "SteinLib"),
    ("yml", "YAML"),
    ("yaml", "YAML"),
    ("nwk", "Newick"),
    ("newick", "Newick"),
    ("nhx", "Newick"),
    ("tre", "Newick"),
    ("nex", "NEXUS"),
    ("nexus", "NEXUS"),
];

/// First words of texts in formats that are not read, in lower case, and the names of the formats.
const FOREIGN_STARTS: &[(&str, &str)] = &[
    ("nodedef>", "GDF"),
    ("nodedef >", "GDF"),
    ("*node data", "VNA"),
    ("*node properties", "VNA"),
    ("*tie data", "VNA"),
    ("leda.graph", "LEDA"),
    ("33d32945 stp", "SteinLib"),
    (">>planar_code", "planar_code"),
    ("#nexus", "NEXUS"),
];

/// Problem of a file whose lines are edges or lists of neighbors.
const UNCLEAR: &str = "a name stands alone on its line but is a neighbor in another line, so lines of three names can be edges with weights or lists of neighbors; expected --from edgelist or --from adjlist";

/// Returns the format of a text, by default an edge list.
///
/// # Errors
/// If the first words or the extension are those of a known format that is not read. Also if the
/// text is a game in SGF.
pub(super) fn format(text: &str, path: &str) -> Result<&'static Format, String> {
    let start = text.trim_start();
    if start
        .strip_prefix('(')
        .is_some_and(|rest| rest.trim_start().starts_with(';'))
    {
        return Err(GAME.to_string());
    }
    let expected = || {
        let names: Vec<&str> = Format::names().collect();
        format!(
            "expected {}; --from reads the file as one of these",
            names.join(", ")
        )
    };
    let begins = |word: &str| {
        let start = start.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let refused = |name: &str| format!("the text is in the format {name}, {}", expected());
    if let Some((_, name)) = FOREIGN_STARTS.iter().find(|(word, _)| begins(word)) {
        return Err(refused(name));
    }
    if let Some(found) = by_content(text).and_then(Format::find) {
        return Ok(found);
    }
    let named = Format::of_path(path);
    // Other formats never have an extension of edge lists and of lists of neighbors.
    if named.is_none_or(|format| is_list(format.name)) {
        let is_foreign = [
            ("YAML", rows::is_yaml(text)),
            ("Newick", rows::is_newick(text)),
        ];
        if let Some((name, _)) = is_foreign.iter().find(|(_, found)| *found) {
            return Err(refused(name));
        }
    }
    if let Some((_, ending)) = path.rsplit_once('.')
        && let Some((_, name)) = FOREIGN
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(ending))
    {
        return Err(format!("the extension means {name}, {}", expected()));
    }
    let name = named.map_or_else(|| by_guess(text), |format| format.name);
    let name = match name {
        "edgelist" if rows::have_colons(text) => "adjlist",
        "edgelist" if !edgelist::is_konect(first_line(text)) => match rows::reading(text) {
            rows::Reading::Edges => name,
            rows::Reading::Neighbors => "adjlist",
            rows::Reading::Unclear => return Err(UNCLEAR.to_string()),
        },
        name => name,
    };
    Format::find(name).ok_or_else(|| "unknown format".to_string())
}

/// Returns true if the lines of a format are names alone.
fn is_list(format: &str) -> bool {
    matches!(format, "edgelist" | "adjlist")
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns the format of a file that is not text, its part that is text, and its other bytes.
/// `None` for text.
pub(super) fn binary<'a>(
    bytes: &'a [u8],
    path: &str,
    from: Option<&'static Format>,
) -> Option<(&'static Format, Cow<'a, str>, &'a [u8])> {
    let named = from.or_else(|| Format::of_path(path));
    let allows = |name: &str| from.is_none_or(|format| format.name == name);
    if allows("ply")
        && let Some(length) = ply::binary_head(bytes)
    {
        let (head, body) = bytes.split_at_checked(length)?;
        return Some((Format::find("ply")?, String::from_utf8_lossy(head), body));
    }
    let is_named = named.is_some_and(|format| format.name == "stl");
    // No text has this length by chance: its bytes would count more triangles than a file holds.
    let fits = stl::length(bytes) == Some(bytes.len());
    if allows("stl") && (fits || is_named && bytes.contains(&0)) {
        return Some((Format::find("stl")?, Cow::Borrowed(""), bytes));
    }
    None
}

/// Returns the format whose typical beginning the text has, or `None`.
fn by_content(text: &str) -> Option<&'static str> {
    let start = text.trim_start();
    if start.starts_with('{') {
        return Some("json");
    }
    if start.starts_with('<') {
        return match root(start) {
            "gexf" => Some("gexf"),
            _ => Some("graphml"),
        };
    }
    if start
        .get(..mtx::MAGIC.len())
        .is_some_and(|magic| magic.eq_ignore_ascii_case(mtx::MAGIC))
    {
        return Some("mtx");
    }
    if start.starts_with(">>graph6<<") || start.starts_with(">>digraph6<<") {
        return Some("graph6");
    }
    if start.starts_with(">>sparse6<<") {
        return Some("sparse6");
    }
    if start.starts_with(adjlist::HEADER) {
        return Some("adjlist");
    }
    if edgelist::is_marked(text) {
        return Some("edgelist");
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let plain = lines
        .clone()
        .find(|line| !line.starts_with(['#', '%']) && !line.starts_with("//"));
    let first = plain.unwrap_or_default();
    let word = first.split([' ', '\t']).next().unwrap_or_default();
    if off::is_magic(word) {
        return Some("off");
    }
    if ply::is_ply(text) {
        return Some("ply");
    }
    if stl::is_stl(text) {
        return Some("stl");
    }
    if dl::is_dl(text) {
        return Some("dl");
    }
    if pajek::begins(first) {
        return Some("pajek");
    }
    if adjlist::has_lines_of_neighbors(text) {
        return Some("adjlist");
    }
    if tgf::is_tgf(text) {
        return Some("tgf");
    }
    // In DIMACS files, comments come first, then the problem line.
    if lines
        .find(|line| !is_dimacs_comment(line))
        .is_some_and(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some("p") && words.nth(2).is_some_and(is_number)
        })
    {
        return Some("dimacs");
    }
    let mut signs = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(|line| line.split_inclusive(['{', '[']))
        .filter(|piece| !piece.trim().is_empty());
    let head = signs.next().unwrap_or_default().trim();
    let first_word = head
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    let is_word = |words: &[&str]| {
        words
            .iter()
            .any(|word| first_word.eq_ignore_ascii_case(word))
    };
    // The opening brace or bracket may stand on the next line.
    let opening = head.chars().last().filter(|c| matches!(c, '{' | '['));
    let opening = opening.or_else(|| signs.next().and_then(|piece| piece.trim().chars().next()));
    match opening {
        Some('{') if is_word(&["graph", "digraph", "strict"]) => Some("dot"),
        Some('[') if is_word(&["graph"]) => Some("gml"),
        _ if is_word(&["Creator", "Version"]) && text.contains('[') => Some("gml"),
        _ if head.starts_with("/*") || head.starts_with("//") => Some("dot"),
        _ => None,
    }
}

/// Returns the name of the outermost element of XML, without its prefix.
fn root(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") || rest.starts_with("<!") {
            ">"
        } else {
            break;
        };
        rest = rest.split_once(end).map_or("", |(_, rest)| rest);
    }
    let name = rest.strip_prefix('<').unwrap_or_default();
    let end = |c: char| c.is_whitespace() || matches!(c, '>' | '/');
    let name = name.split(end).next().unwrap_or_default();
    name.rsplit(':').next().unwrap_or_default()
}

fn is_dimacs_comment(line: &str) -> bool {
    line == "c" || line.starts_with("c ")
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit())
}

/// Guesses the format of a text without a typical beginning or extension.
fn by_guess(text: &str) -> &'static str {
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next().unwrap_or_default();
    let one_word = !first.contains(char::is_whitespace);
    if one_word && first.starts_with(':') && first.len() > 1 {
        return "sparse6";
    }
    // Names without quotes cannot contain these characters, which are common in graph6.
    if one_word
        && !first.starts_with('"')
        && first.contains(['?', '@', '`', '~', '^', '\\'])
        && !first.contains(',')
    {
        return "graph6";
    }
    if edgelist::is_konect(first) {
        return "edgelist";
    }
    if first.starts_with('%') {
        return "metis";
    }
    if obj::is_obj(text) {
        return "obj";
    }
    if rows::split_at_colon(first).is_some() {
        return "adjlist";
    }
    "edgelist"
}
