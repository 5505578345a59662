//! Command that draws the position.

use std::path::Path;

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::engine::{AnalysisRequest, Engine};
use crate::files::replace;
use crate::graph::handicap::star_points;
use crate::gtp::arguments::Arguments;
use crate::notation::{label_suggestion, vertex, vertex_problem};
use crate::render::format::PictureFormat;
use crate::render::svg::{Labels, Position, Shading, Style, picture};
use crate::text::quote;
use crate::vertex::{Move, Vertex};

pub(super) const COMMANDS: &[Command] = &[Command::new(
    "write_svg",
    "FILE [labels=…] [theme=…] [mark=…] [shade=…]",
    "Draws the position into an SVG file, or PNG or PDF if the name ends in `.png` or `.pdf`. `-` answers the SVG instead. `labels=alias|label|index|none` (labels of the board, if it was given some) and `theme=light|dark|paper` set the style. `mark=VERTEX,…` marks chains. `shade=visits|ownership` searches first and shades the vertices by the result.",
    write_svg,
)
.searching()];

/// Options after the file.
const OPTIONS: &str = "labels=, theme=, mark= or shade= with a value";

/// Extensions of pictures in formats that omnigo does not write.
const UNWRITTEN: [&str; 13] = [
    "avif", "bmp", "emf", "eps", "gif", "heic", "jpeg", "jpg", "ps", "svgz", "tif", "tiff", "webp",
];

/// Shading under the stones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shade {
    None,
    Visits,
    Ownership,
}

fn write_svg(session: &mut Session, arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "the path of a picture";
    let (path, words) = arguments.file_and_words(EXPECTED)?;
    let path = path.as_str();
    if is_option(path) {
        let expected = format!("{EXPECTED} before '{}'", quote(path));
        return Err(Failure::missing("file", &expected));
    }
    let mut style = Style {
        labels: Labels::of(session.engine.goban()),
        ..Style::default()
    };
    let mut chains = Vec::new();
    let mut shade = Shade::None;
    for word in &words {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| not_an_option(path, &words, word))?;
        match key {
            "labels" => style.labels = value.parse().map_err(Failure::Syntax)?,
            "theme" => style.theme = value.parse().map_err(Failure::Syntax)?,
            "mark" => chains.extend(vertices(session, value)?),
            "shade" => shade = read_shade(value)?,
            _ => return Err(Failure::expected("option", word, OPTIONS)),
        }
    }
    let fail = |problem: String| Failure::CannotSave(format!("'{}': {problem}", quote(path)));
    let format = format(path)?;
    let fits = format.fits(session.engine.goban(), 1);
    fits.map_err(|e| fail(e.to_string()))?;
    let shading = shading(session, shade);
    let engine = &session.engine;
    let goban = engine.goban();
    let position = Position {
        points: engine.position(),
        stars: star_points(goban),
        last: latest(engine),
        chains,
        shading,
        ..Position::default()
    };
    let svg = picture(goban, &position, style).map_err(|e| fail(e.to_string()))?;
    if path == "-" {
        return Ok(svg.trim_end().to_string());
    }
    if let Some(warning) = format.warning(&svg) {
        session.warn(&warning);
    }
    let bytes = format.encode(&svg, None);
    let bytes = bytes.map_err(|e| fail(e.to_string()))?;
    replace(Path::new(path), bytes).map_err(|e| fail(e.to_string()))?;
    Ok(String::new())
}

/// Returns true if a word has the form of an option, such as `theme=dark`.
fn is_option(word: &str) -> bool {
    let key = word.split_once('=').map(|(key, _)| key);
    key.is_some_and(|key| ["labels", "theme", "mark", "shade"].contains(&key))
}

/// Returns the failure for a word without `=`. One that looks like a part of a path may belong to a
/// name with spaces.
fn not_an_option(path: &str, words: &[&str], word: &str) -> Failure {
    if !word.contains(['.', '/', '\\']) {
        return Failure::expected("option", word, OPTIONS);
    }
    let rest = words.iter().take_while(|word| !is_option(word));
    let name: Vec<&str> = std::iter::once(path).chain(rest.copied()).collect();
    let name = quote(&name.join(" "));
    let expected = format!("{OPTIONS}, or quotes around a file name with spaces: \"{name}\"");
    Failure::expected("option", word, &expected)
}

/// Returns the format for the extension of a path: SVG, unless the extension names a format. One
/// that names a format that omnigo does not write would give a file that no program can open.
fn format(path: &str) -> Result<PictureFormat, Failure> {
    let extension = Path::new(path).extension().and_then(|end| end.to_str());
    let extension = extension.unwrap_or_default();
    if UNWRITTEN
        .iter()
        .any(|other| other.eq_ignore_ascii_case(extension))
    {
        let expected = format!("a name that ends in {}", PictureFormat::EXTENSIONS);
        return Err(Failure::expected("file", path, &expected));
    }
    Ok(PictureFormat::find(extension).unwrap_or(PictureFormat::Svg))
}

/// Returns the points that the latest move covered.
fn latest(engine: &Engine) -> Vec<Vertex> {
    let moves = engine.moves();
    let vertex = moves.last().and_then(|(_, mv)| mv.vertex());
    vertex.map_or_else(Vec::new, |vertex| engine.goban().covered(vertex))
}

fn read_shade(text: &str) -> Result<Shade, Failure> {
    match text {
        "none" => Ok(Shade::None),
        "visits" => Ok(Shade::Visits),
        "ownership" => Ok(Shade::Ownership),
        other => Err(Failure::expected(
            "shade",
            other,
            "visits, ownership or none",
        )),
    }
}

/// Returns the vertices of a comma-separated list.
fn vertices(session: &Session, text: &str) -> Result<Vec<Vertex>, Failure> {
    let goban = session.engine.goban();
    let find = |name| {
        let problem = || vertex_problem(goban, name) + &label_suggestion(goban, name);
        vertex(goban, name).ok_or_else(|| Failure::Syntax(problem()))
    };
    text.split(',').map(find).collect()
}

/// Searches the position, and returns the shading.
fn shading(session: &mut Session, shade: Shade) -> Shading {
    let engine = &mut session.engine;
    let color = engine.to_move();
    match shade {
        Shade::None => Shading::None,
        Shade::Visits => {
            let result = engine.think(color).result;
            let mut shares = vec![0.0; engine.goban().graph.vertices()];
            let most = result.candidates.iter().map(|c| c.visits).max();
            let most = f64::from(most.unwrap_or(0).max(1));
            for candidate in &result.candidates {
                if let Move::Place(at) = candidate.mv
                    && let Some(share) = shares.get_mut(at.index())
                {
                    *share = f64::from(candidate.visits) / most;
                }
            }
            Shading::Visits(shares)
        }
        Shade::Ownership => Shading::Ownership(owners(engine, color)),
    }
}

/// Returns the owner of each vertex and a strength from 0 to 1, or `None` without an owner. With
/// two colors, the strength is the absolute mean ownership. With more colors, it is the owner's
/// share.
fn owners(engine: &mut Engine, color: Color) -> Vec<Option<(Color, f64)>> {
    let colors = engine.rules().colors;
    let analysis_request = AnalysisRequest {
        ownership: true,
        ..AnalysisRequest::for_color(color)
    };
    let mut owners = Vec::new();
    engine.analyze(&analysis_request, &mut |analysis, _| {
        let of_two = |mean: f64| {
            let owner = if mean > 0.0 { color } else { color.other() };
            (mean != 0.0).then_some((owner, mean.abs()))
        };
        let of_many = |vertex| {
            let share = |owner| (owner, analysis.result.ownership.share(vertex, owner));
            let shares = Color::all(colors).map(share);
            shares.max_by(|(_, a), (_, b)| a.total_cmp(b))
        };
        owners = if colors == 2 {
            analysis
                .ownership()
                .iter()
                .map(|owned| of_two(owned.mean))
                .collect()
        } else {
            analysis.goban.graph.all().map(of_many).collect()
        };
    });
    owners
}
