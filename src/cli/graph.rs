//! `omnigo graph`: converts a board to another format or to a picture, or describes it.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::args::BoardArgs;
use super::end::{CliError, Report};
use super::output::{check, write};
use super::picture::{PictureArgs, check_target};
use crate::graph::formats::{FORMATS, Format};
use crate::graph::goban::Goban;
use crate::graph::measures::Measures;
use crate::progress::Task;
use crate::render::format::PictureFormat;
use crate::system::tell;
use crate::text::{did_you_mean, quote};

/// Arguments of `omnigo graph`.
#[derive(Debug, Args)]
pub struct GraphArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Format to write: graph6, sparse6, edgelist, adjlist, dimacs, graphml, gml, dot, json, metis,
    /// mtx, off, svg, png or pdf [default: from the file extension].
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Option<Target>,
    /// File to write [default: standard output].
    #[arg(long, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print degrees, components, girth, diameter, automorphisms, and whether the graph is
    /// bipartite or planar.
    #[arg(long, conflicts_with = "to")]
    info: bool,
    /// Print one JSON object instead of lines.
    #[arg(long, requires = "info")]
    json: bool,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Output format of a board.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// Text format that omnigo can read again.
    Text(&'static Format),
    /// Picture format.
    Picture(PictureFormat),
}

/// Returns the format with this name. An error lists the formats that can be written.
fn target(name: &str) -> Result<Target, String> {
    let picture = PictureFormat::find(name).map(Target::Picture);
    let found = picture.or_else(|| Format::find(name).map(Target::Text));
    found.ok_or_else(|| {
        let written = FORMATS.iter().filter(|format| format.is_written());
        let mut names: Vec<&str> = written.map(|format| format.name).collect();
        names.extend(PictureFormat::ALL.map(PictureFormat::name));
        let near = did_you_mean(name, names.iter().copied());
        format!("expected one of {}{near}", names.join(" "))
    })
}

/// Writes the board in the chosen format, or prints its size.
///
/// # Errors
/// If the board cannot be read, or cannot be written in that format.
pub fn run(arguments: &GraphArgs) -> Result<Report, CliError> {
    let target = match arguments.info {
        true => None,
        false => format(arguments)?,
    };
    if let Some(Target::Picture(format)) = target {
        check_target(format, arguments.out.as_deref(), io::stdout().is_terminal())?;
    }
    check(arguments.out.as_deref())?;
    let goban = arguments.board.build()?;
    let bytes = match target {
        Some(Target::Picture(format)) => {
            let task = Task::open(None);
            task.note("drawing".to_owned());
            arguments.picture.draw(&goban, format)?
        }
        Some(Target::Text(format)) => {
            let (text, left_out) = format.write(&goban)?;
            for line in left_out {
                tell::warn(line);
            }
            text.into_bytes()
        }
        None if arguments.info => info(&goban, arguments.json)?.into_bytes(),
        None => size(&goban).into_bytes(),
    };
    write(arguments.out.as_deref(), &bytes)?;
    Ok(Report::done())
}

/// Returns the format chosen by `--to` or by the file extension, or `None` without either.
fn format(arguments: &GraphArgs) -> Result<Option<Target>, CliError> {
    if arguments.to.is_some() {
        return Ok(arguments.to);
    }
    let Some(path) = &arguments.out else {
        return Ok(None);
    };
    let path = path.to_string_lossy();
    let picture = PictureFormat::of_path(&path).map(Target::Picture);
    match picture.or_else(|| Format::of_path(&path).map(Target::Text)) {
        Some(target) => Ok(Some(target)),
        None => Err(CliError::Arguments(format!(
            "the file extension of '{}' does not name a format, expected --to FORMAT",
            quote(&path)
        ))),
    }
}

/// Output of `--info`.
#[derive(Serialize)]
struct Info {
    spec: String,
    vertices: usize,
    edges: usize,
    #[serde(flatten)]
    measures: Measures,
}

fn info(goban: &Goban, json: bool) -> Result<String, String> {
    let info = Info {
        spec: goban.spec.to_string(),
        vertices: goban.graph.vertices(),
        edges: goban.graph.edges(),
        measures: Measures::of(&goban.graph),
    };
    if json {
        let text = serde_json::to_string_pretty(&info).map_err(|error| error.to_string())?;
        return Ok(text + "\n");
    }
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let Measures {
        degrees,
        components,
        girth,
        diameter,
        bipartite,
        planar,
        automorphisms,
    } = &info.measures;
    // A graph without cycles has as many edges as vertices beyond one per component.
    let girth = match girth {
        Some(girth) => girth.to_string(),
        None if info.edges + components > info.vertices => "not computed".to_string(),
        None => "none".to_string(),
    };
    // Only a connected graph has a diameter; that of a very large one is not computed.
    let diameter = match diameter {
        Some(diameter) => diameter.to_string(),
        None if *components == 1 => "not computed".to_string(),
        None => "none".to_string(),
    };
    let degrees: Vec<String> = degrees.iter().map(|(d, n)| format!("{d} ({n}x)")).collect();
    let automorphisms = automorphisms.as_deref().unwrap_or("not computed");
    Ok(format!(
        "{}degrees: {}\ncomponents: {components}\ngirth: {girth}\ndiameter: {}\nbipartite: {}\nplanar: {}\nautomorphisms: {automorphisms}\n",
        size(goban),
        degrees.join(", "),
        diameter,
        yes(*bipartite),
        yes(*planar),
    ))
}

fn size(goban: &Goban) -> String {
    let (vertices, edges) = (goban.graph.vertices(), goban.graph.edges());
    format!("{}: {vertices} vertices {edges} edges\n", goban.spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found_in_any_case() {
        assert!(matches!(
            target("SVG"),
            Ok(Target::Picture(PictureFormat::Svg))
        ));
        assert!(matches!(target("GML"), Ok(Target::Text(_))));
        let problem = target("xyz").unwrap_err();
        assert!(problem.ends_with("mtx off svg png pdf"), "{problem}");
        assert!(!problem.contains("gexf"), "{problem}");
    }
}
