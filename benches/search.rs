//! Benchmark of a search of 1,000 playouts on one thread: `cargo bench --bench search`.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use omnigo::board::grid::{Grid, GridBoard};
use omnigo::color::Color;
use omnigo::game::Game;
use omnigo::playout::Style;
use omnigo::rules::{Points, presets};
use omnigo::search::{Limits, Searcher, Settings};

fn all(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search of 1000 playouts");
    group.sample_size(10);
    for side in [9, 13, 19] {
        let Some(board) = Grid::new(side, side).and_then(|grid| GridBoard::new(grid, 2)) else {
            continue;
        };
        let Some(preset) = presets::find("tromp-taylor") else {
            continue;
        };
        let game = Game::new(
            board,
            preset.rules.clone(),
            Points::from_halves(15),
            Color::BLACK,
        );
        let stop = AtomicBool::new(false);
        group.bench_function(format!("{side}x{side}"), |bencher| {
            bencher.iter(|| {
                let settings = Settings {
                    threads: 1,
                    seed: 1,
                    memory: 1 << 28,
                    style: Style::Tactical,
                    guidance: None,
                };
                let limits = Limits {
                    playouts: Some(1000),
                    ..Limits::default()
                };
                Searcher::new(settings).think(&game, Color::BLACK, limits, &stop, Instant::now())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, all);
criterion_main!(benches);
