//! `omnigo atlas`: exact values of every small connected graph, as a CSV table and an HTML page
//! with plots.

mod bounds;
mod plots;
mod rows;

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use rayon::prelude::*;

use super::end::{CliError, Report};
use super::output;
use crate::exact::atlas::{Effort, row};
use crate::graph::Graph;
use crate::graph::connected::connected_graphs;
use crate::graph::formats::graph6;
use crate::graph::isomorphism::form;
use crate::graph::spec::Spec;
use crate::progress::Task;
use crate::system::ctrl_c::raise_on_ctrl_c;
use crate::text::printable;

/// Default memory of the tables per value, in MiB.
const MEMORY: u32 = 1024;

/// Arguments of `omnigo atlas`.
#[derive(Debug, Args)]
pub struct AtlasArgs {
    /// Maximum number of vertices, from 1 to 7; all connected graphs up to this size are included.
    #[arg(long, value_name = "N", value_parser = crate::arguments::atlas_vertices)]
    vertices: u8,
    /// Output folder for atlas.csv and atlas.html. Existing rows of atlas.csv are kept, and missing
    /// rows are added one by one.
    #[arg(long, visible_alias = "output", value_name = "DIR")]
    out: PathBuf,
    /// Maximum seconds per value; values not proved in this time are given as bounds.
    #[arg(long, value_name = "S", default_value = "10", value_parser = crate::arguments::seconds)]
    seconds: f64,
    /// Maximum seconds for the whole run; the same command continues from there [default:
    /// unlimited].
    #[arg(long, value_name = "S", value_parser = crate::arguments::seconds)]
    total_seconds: Option<f64>,
    /// Maximum memory of the tables per value in MiB.
    #[arg(long, value_name = "MIB", default_value_t = MEMORY, value_parser = crate::arguments::whole::<u32>(16..=1_048_576))]
    memory: u32,
    /// Recompute rows that contain bounds instead of a value, and keep the narrower bounds.
    #[arg(long)]
    retry: bool,
}

/// Returns names for the graphs of known families with this number of vertices, by canonical form.
fn names(vertices: usize) -> BTreeMap<u32, String> {
    let n = vertices;
    let mut specs = vec![
        format!("path:{n}"),
        format!("complete:{n}"),
        format!("star:{}", n.saturating_sub(1)),
    ];
    if n >= 3 {
        specs.push(format!("cycle:{n}"));
    }
    if n >= 4 {
        specs.push(format!("wheel:{}", n - 1));
    }
    for side in 2..n {
        if n.is_multiple_of(side) && n / side >= side {
            specs.push(format!("grid:{side}x{}", n / side));
        }
        if n - side >= side {
            specs.push(format!("bipartite:{side}x{}", n - side));
        }
    }
    let mut names = BTreeMap::new();
    for text in specs {
        let built = text.parse::<Spec>().and_then(|spec| spec.build());
        if let Some(form) = built.ok().and_then(|goban| form(&goban.graph)) {
            names.entry(form).or_insert(text);
        }
    }
    names
}

/// A graph of the table: its graph6 text, the graph, and its name.
type Listed = (String, Arc<Graph>, String);

/// Returns all graphs with up to this number of vertices.
fn graphs(most: usize) -> Vec<Listed> {
    let mut graphs = Vec::new();
    for vertices in 1..=most {
        let names = names(vertices);
        for graph in connected_graphs(vertices) {
            let name = form(&graph).and_then(|form| names.get(&form));
            let name = name.cloned().unwrap_or_default();
            graphs.push((graph6(&graph), Arc::new(graph), name));
        }
    }
    graphs
}

/// Computes the missing rows and writes the files.
pub fn run(arguments: &AtlasArgs) -> Result<Report, CliError> {
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(|e| trouble("create", folder, &e))?;
    let path = folder.join("atlas.csv");
    let mut rows = rows::read(&path)?;
    let earlier = rows.clone();
    if arguments.retry {
        rows.retain(|_, line| !line.contains(".."));
    }
    let page = folder.join("atlas.html");
    output::check(Some(&page))?;
    // Rewrite the file without the partial line that a killed run may have left.
    rows::write(&path, earlier.values().cloned())?;
    let mut graphs = graphs(usize::from(arguments.vertices));
    let order: Vec<String> = graphs.iter().map(|(text, ..)| text.clone()).collect();
    graphs.retain(|(text, ..)| !rows.contains_key(text));

    let stop = Arc::new(AtomicBool::new(false));
    raise_on_ctrl_c(Arc::clone(&stop));
    let late = Arc::new(AtomicBool::new(false));
    if let Some(seconds) = arguments.total_seconds {
        stop_after(seconds, Arc::clone(&stop), Arc::clone(&late))?;
    }
    let file = OpenOptions::new().append(true).open(&path);
    let file = Mutex::new(file.map_err(|e| trouble("write", &path, &e))?);
    let effort = Effort {
        time: Duration::from_secs_f64(arguments.seconds.min(1e9)),
        memory: (arguments.memory as usize) << 20,
        stop: &stop,
    };
    let done = AtomicUsize::new(0);
    let task = Task::of_steps();
    task.step(0, graphs.len());
    let work = |(text, graph, name): &Listed| {
        if stop.load(Ordering::Relaxed) {
            return Err(stopped(&late));
        }
        let row = row(graph, name.clone(), effort);
        let row = row.map_err(|error| match stop.load(Ordering::Relaxed) {
            true => stopped(&late),
            false => CliError::failed(error),
        })?;
        let line = row.fields().join(",");
        let line = earlier
            .get(text)
            .map_or_else(|| line.clone(), |old| bounds::narrower(old, &line));
        append(&file, &line).map_err(|e| trouble("write", &path, &e))?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        task.step(done, graphs.len());
        Ok((text.clone(), line))
    };
    let found: Vec<Result<(String, String), CliError>> = graphs.par_iter().map(work).collect();
    drop(task);
    let mut problem = None;
    for found in found {
        match found {
            Ok((text, line)) => {
                rows.insert(text, line);
            }
            Err(error) => problem = Some(error),
        }
    }
    if let Some(error) = problem {
        return Err(match error {
            CliError::Failed(why) => CliError::Failed(format!(
                "{why}: {} of {} rows are done, the same command continues from there",
                rows.len(),
                order.len()
            )),
            other => other,
        });
    }
    // Write the rows in their final order. Rows of larger graphs from earlier runs come last.
    let mut lines: Vec<String> = order.iter().filter_map(|text| rows.remove(text)).collect();
    lines.extend(rows.into_values());
    rows::write(&path, lines.iter().cloned())?;
    let html = plots::page(&lines, &command(arguments));
    output::write(Some(&page), html)?;
    let open = lines.iter().filter(|line| line.contains("..")).count();
    Ok(Report::from(format!(
        "{} graphs, {open} with unsettled values: {} and {}",
        lines.len(),
        printable(&path.display().to_string()),
        printable(&page.display().to_string())
    )))
}

/// Returns the reason of an early end.
fn stopped(late: &AtomicBool) -> CliError {
    CliError::failed(match late.load(Ordering::Relaxed) {
        true => "the time is up",
        false => "interrupted",
    })
}

/// Sets `stop` and `late` after that time, in a thread of its own. The end of the program ends the
/// thread.
fn stop_after(seconds: f64, stop: Arc<AtomicBool>, late: Arc<AtomicBool>) -> Result<(), CliError> {
    // A time beyond the range of `Duration` counts as unlimited.
    let Ok(time) = Duration::try_from_secs_f64(seconds) else {
        return Ok(());
    };
    let wait = move || {
        thread::sleep(time);
        late.store(true, Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
    };
    thread::Builder::new()
        .spawn(wait)
        .map(drop)
        .map_err(CliError::failed)
}

/// Returns the command that recreates the table.
fn command(arguments: &AtlasArgs) -> String {
    let (vertices, seconds) = (arguments.vertices, arguments.seconds);
    let memory = match arguments.memory {
        MEMORY => String::new(),
        memory => format!(" --memory {memory}"),
    };
    let retry = if arguments.retry { " --retry" } else { "" };
    format!("omnigo atlas --vertices {vertices} --seconds {seconds}{memory}{retry} --out DIR")
}

fn trouble(what: &str, path: &Path, error: &io::Error) -> CliError {
    CliError::Failed(format!(
        "cannot {what} '{}': {error}",
        printable(&path.display().to_string())
    ))
}

fn append(file: &Mutex<File>, line: &str) -> io::Result<()> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.write_all(format!("{line}\n").as_bytes())?;
    file.flush()
}
