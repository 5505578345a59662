//! Benchmarks of placements and playouts on grid and graph boards: `cargo bench --bench boards`.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use omnigo::board::Board;
use omnigo::board::graph::{Adjacency, GraphBoard};
use omnigo::board::grid::{Grid, GridBoard};
use omnigo::graph::spec::Spec;
use omnigo::playout::{Random, Style, Trace, scored};

/// Measures whole playouts from the empty board, light and tactical.
fn playouts<B: Board>(criterion: &mut Criterion, name: &str, board: &B) {
    for (style, label) in [(Style::Light, "light"), (Style::Tactical, "tactical")] {
        let mut random = Random::new(1);
        let mut end = board.clone();
        let mut trace = Trace::new();
        criterion.bench_function(&format!("{label} playout/{name}"), |bencher| {
            bencher.iter(|| {
                scored::from_start(board, &mut end, style, &mut random, &mut trace);
                black_box(end.census())
            });
        });
    }
}

/// Measures the placements of one recorded playout, replayed without choosing moves.
fn placements<B: Board>(criterion: &mut Criterion, name: &str, board: &B) {
    let mut trace = Trace::new();
    let mut end = board.clone();
    scored::from_start(
        board,
        &mut end,
        Style::Light,
        &mut Random::new(3),
        &mut trace,
    );
    let mut group = criterion.benchmark_group("placement");
    group.throughput(Throughput::Elements(trace.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            end.clone_from(board);
            for &(color, at) in &trace {
                end.place(color, at, |_, _| {});
            }
            black_box(end.hash())
        });
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    for side in [5, 9, 13, 19] {
        let Some(grid) = Grid::new(side, side).and_then(|grid| GridBoard::new(grid, 2)) else {
            continue;
        };
        let Ok(goban) = Spec::grid(side, side).and_then(|spec| spec.build()) else {
            continue;
        };
        let Some(graph) = GraphBoard::new(Adjacency::new(Arc::clone(&goban.graph)), 2) else {
            continue;
        };
        playouts(criterion, &format!("grid {side}x{side}"), &grid);
        playouts(criterion, &format!("graph {side}x{side}"), &graph);
        placements(criterion, &format!("grid {side}x{side}"), &grid);
        placements(criterion, &format!("graph {side}x{side}"), &graph);
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
