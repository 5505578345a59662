//! Several positions per pass of a network: `--net-batch`.

use std::path::Path;

use omnigo::engine::{Engine, Guidance, Options};
use omnigo::graph::spec::Spec;
use omnigo::net::Weights;
use omnigo::net::kernels::Kernel;
use omnigo::points::Points;
use omnigo::rules::presets;

use super::human_style::network;
use super::process::{run_in, text};

/// Runs the program with wrong arguments and returns its message.
fn problem(folder: &Path, line: &str) -> String {
    let output = run_in(folder, line, "quit\n");
    let told = text(&output.stderr);
    assert!(
        !output.status.success() && output.stdout.is_empty(),
        "{line}: {told}"
    );
    told
}

/// Returns an engine with a small network of KataGo.
fn engine(folder: &Path, threads: usize, batch: usize, playouts: u64) -> Engine {
    let path = folder.join("plain.txt");
    network(&path, false);
    let guidance = Guidance {
        batch,
        ..Guidance::new(Weights::read(&path).unwrap(), Kernel::Portable, true)
    };
    let goban = "grid:7x5".parse::<Spec>().unwrap().build().unwrap();
    let rules = presets::find("tromp-taylor").unwrap().rules.clone();
    let options = Options {
        playouts: Some(playouts),
        threads,
        guidance: Some(guidance),
        ..Options::default()
    };
    Engine::new(goban, rules, Points::from_halves(13), options).unwrap()
}

#[test]
fn searches_in_batches_respect_their_limits_and_end_their_games() {
    let folder = tempfile::tempdir().unwrap();
    for (threads, batch) in [(1, 2), (1, 5), (2, 3)] {
        let mut engine = engine(folder.path(), threads, batch, 30);
        for _ in 0..300 {
            if engine.is_over() {
                break;
            }
            let color = engine.to_move();
            engine.genmove(color);
        }
        assert!(engine.is_over(), "{threads} {batch}");
    }
    // A first search has exactly as many visits as it may.
    for playouts in [1, 2, 7, 64] {
        let mut engine = engine(folder.path(), 2, 4, playouts);
        let color = engine.to_move();
        let result = engine.think(color).result;
        assert_eq!(u64::from(result.visits), playouts);
    }
}

#[test]
fn sessions_take_the_option_and_wrong_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("plain.txt"), false);
    let line = "gtp --net plain.txt --net-kernel portable --net-batch 3 --threads 2 --time 0.2";
    let input = "boardsize 5\ngenmove b\nkata-raw-nn 0\nset_graph torus:5\ngenmove w\n\
                 set_graph grid:5x4\nkata-search_analyze w 5 maxmoves 1\n\ngenmove b\nquit\n";
    let output = run_in(folder.path(), line, input);
    let answers = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!answers.contains('?'), "{answers}");
    let models = run_in(folder.path(), line, "kata-get-models\nquit\n");
    assert!(text(&models.stdout).contains("\"maxBatchSize\":3"));
    for value in ["0", "17", "x", "-1"] {
        let told = problem(
            folder.path(),
            &format!("gtp --net plain.txt --net-batch {value}"),
        );
        assert!(told.contains("'--net-batch <N>'"), "{told}");
    }
    for other in ["", "--net none"] {
        let told = problem(folder.path(), &format!("gtp {other} --net-batch 2"));
        assert_eq!(told, "error: --net-batch needs a network of KataGo\n");
    }
}

#[test]
fn the_benchmark_tries_batches() {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("plain.txt"), false);
    let line = "benchmark --net plain.txt --net-kernel portable --time 0.05 --threads 1";
    let rows = |options: &str| {
        let output = run_in(folder.path(), &format!("{line} {options} --json"), "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        let rows = report["rows"].as_array().unwrap();
        let batches: Vec<u64> = rows
            .iter()
            .map(|row| row["batch"].as_u64().unwrap())
            .collect();
        assert!(batches.contains(&report["batch"].as_u64().unwrap()));
        batches
    };
    assert_eq!(rows("grid:5"), [1, 2, 4]);
    assert_eq!(rows("grid:5 --net-batch 3"), [3]);
    // No network guides searches on a torus.
    assert_eq!(rows("torus:5"), [1]);
    assert_eq!(rows("torus:5 --net-batch 3"), [1]);
    let table = text(&run_in(folder.path(), &format!("{line} grid:5"), "").stdout);
    assert!(table.contains("batch"), "{table}");
}

/// Networks of KataGo replace a kernel by another one, which would be measured twice.
#[test]
fn the_benchmark_measures_each_kernel_once() {
    let folder = tempfile::tempdir().unwrap();
    network(&folder.path().join("plain.txt"), false);
    let kernels = |options: &str| {
        let line = format!("benchmark --net plain.txt --time 0.02 --threads 1 --json {options}");
        let output = run_in(folder.path(), &line, "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        let rows = report["rows"].as_array().unwrap().iter();
        let alone = rows.filter(|row| row["batch"] == 1);
        alone
            .map(|row| row["kernel"].as_str().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    let weights = Weights::read(&folder.path().join("plain.txt")).unwrap();
    let computing = |kernel| weights.kernel_for(kernel);
    let expected = Kernel::available().filter(|&kernel| computing(kernel) == kernel);
    let expected: Vec<String> = expected.map(|kernel| kernel.to_string()).collect();
    assert!(!expected.contains(&Kernel::Avx512Bf16.to_string()));
    assert_eq!(kernels("grid:5"), expected);
    for asked in Kernel::available() {
        let found = kernels(&format!("grid:5 --net-kernel {asked}"));
        assert_eq!(found, [computing(asked).to_string()], "{asked}");
    }
}
