//! Small networks that `training/tests/samples.py` wrote, with the outputs of PyTorch for them.
//!
//! The reader and the layers there are separate code in Python. So the expected outputs do not
//! share mistakes of this crate.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::execute::{Executor, Raw};
use super::inputs::GLOBALS;
use super::model::{Block, Model, Tip};
use super::reference;
use super::tests::{assert_same, one_pass};
use crate::kernels::Kernel;
use crate::kernels::products::checks::tolerance;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/twin");

/// A position with the outputs of a network.
struct Sample {
    sides: [usize; 2],
    planes: Vec<u32>,
    globals: [f32; GLOBALS],
    expected: Raw,
}

fn numbers<T: std::str::FromStr>(line: &str, name: &str) -> Vec<T> {
    let (found, values) = line.split_once(' ').unwrap();
    assert_eq!(found, name);
    let read = |word: &str| {
        let value = word.parse().ok();
        value.unwrap_or_else(|| panic!("{name}: '{word}'"))
    };
    values.split(' ').map(read).collect()
}

fn samples(name: &str) -> Vec<Sample> {
    let text = std::fs::read_to_string(Path::new(FOLDER).join(format!("{name}.txt"))).unwrap();
    let mut lines = text.lines();
    let mut samples = Vec::new();
    while let Some(line) = lines.next() {
        let sides: Vec<usize> = numbers(line, "board");
        let planes = numbers(lines.next().unwrap(), "planes");
        let mut next = |name| numbers::<f32>(lines.next().unwrap(), name);
        let globals = next("globals");
        samples.push(Sample {
            sides: [sides[0], sides[1]],
            planes,
            globals: globals.try_into().unwrap(),
            expected: Raw {
                policy: next("policy"),
                pass: next("pass"),
                outcome: next("outcome"),
                scores: next("scores"),
                ownership: next("ownership"),
            },
        });
    }
    samples
}

fn model(name: &str) -> Model {
    let file = File::open(Path::new(FOLDER).join(format!("{name}.bin.gz"))).unwrap();
    let size = file.metadata().unwrap().len();
    Model::read(BufReader::new(file), size).unwrap()
}

/// Allowed gap between single precision in PyTorch and double precision here.
const ROUNDING: f32 = 2e-4;

fn check(name: &str) {
    let model = model(name);
    for sample in samples(name) {
        let [width, height] = sample.sides;
        let exact = reference::pass(&model, sample.sides, &sample.planes, &sample.globals, None);
        assert_same(&exact, &sample.expected, ROUNDING, name);
        for kernel in Kernel::available() {
            let plan = model.clone().plan();
            let mut executor = Executor::new(&plan, kernel, width, height);
            let inputs = (&sample.planes[..], &sample.globals, None);
            let mut raw = Raw::default();
            one_pass(&mut executor, &plan, inputs, &mut raw);
            let what = format!("{name} {width}x{height} {kernel}");
            assert_same(&raw, &sample.expected, tolerance(kernel), &what);
        }
    }
}

#[test]
fn convolutions_and_pooling_agree_with_pytorch() {
    check("ordinary-8");
}

#[test]
fn bottlenecks_agree_with_pytorch() {
    check("bottleneck-14");
}

#[test]
fn transformers_with_fixed_rotations_agree_with_pytorch() {
    check("spatial-15");
}

#[test]
fn transformers_with_learned_rotations_agree_with_pytorch() {
    check("pointwise-16");
}

#[test]
fn transformers_without_rotations_agree_with_pytorch() {
    check("unrotated-17");
}

/// Fails if the files lose a kind of block, for which nothing would be compared then.
#[test]
fn all_kinds_of_layers_are_compared() {
    let mut found = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(FOLDER).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = file.strip_suffix(".bin.gz") else {
            continue;
        };
        let trunk = model(name).trunk;
        found.insert(match trunk.tip {
            Tip::Batch(_) => "norm",
            Tip::Rms { spatial: true, .. } => "spatial norm",
            Tip::Rms { .. } => "norm of each point",
        });
        found.extend(trunk.blocks.iter().map(|block| match block {
            Block::Ordinary { .. } => "ordinary",
            Block::Pooling { .. } => "pooling",
            Block::Bottleneck { .. } => "bottleneck",
            Block::Attention(_) => "attention",
            Block::FeedForward(_) => "feed-forward",
        }));
    }
    assert_eq!(found.len(), 8, "{found:?}");
}
