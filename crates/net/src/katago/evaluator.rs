//! Evaluator of positions with a network of KataGo.

use std::slice;
use std::sync::Arc;

use super::KataGo;
use super::batch::{Batches, Request, Seat};
use super::execute::{Executor, PassInputs, Raw};
use super::frame::{Frame, TRANSPOSED, Turned};
use super::inputs::{Facts, GLOBALS};
use super::output::Output;
use super::profile::Profile;
use crate::evaluator::Evaluation;
use crate::kernels::Kernel;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Symmetry and optimism of an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Number of the symmetry, less than [`SYMMETRIES`].
    ///
    /// [`SYMMETRIES`]: super::SYMMETRIES
    pub symmetry: usize,
    /// Weight of the optimistic policy, if the network has one, 0…1.
    pub optimism: f32,
}

impl KataGo {
    /// Computes the weights in the format of a kernel. Otherwise, the first evaluation would do so.
    pub fn prepare(&self, kernel: Kernel) {
        // A pass on any board uses all layers.
        let (width, height) = (3, 3);
        let planes = vec![0; width * height];
        let mut executor = Executor::new(&self.plan, kernel, width, height);
        let inputs = PassInputs {
            planes: &planes,
            globals: &[0.0; GLOBALS],
            facts: None,
        };
        executor.pass(&self.plan, &[inputs], &mut [Raw::default()]);
    }
}

/// Place where passes are computed.
enum Place {
    /// On this thread, with another executor for boards whose sides a symmetry exchanges.
    Own(Box<Executor>, Option<Box<Executor>>),
    /// Together with positions of other threads.
    Shared(Seat),
}

/// Evaluator for one thread and one rectangle.
pub struct Evaluator<B: Board> {
    frame: Frame<B>,
    kernel: Kernel,
    place: Place,
    /// Inputs of the encoder with Black to move and with White to move, if the network has one.
    players: Option<[Vec<f32>; 2]>,
    raw: Raw,
}

/// Returns the inputs of the encoder with Black to move and with White to move, on a board of
/// `points` points. `Some(None)` if the network has no encoder, and `None` if it has one and there
/// is no profile.
#[expect(clippy::option_option, reason = "both are options")]
fn facts_of(
    network: &KataGo,
    profile: Option<&Profile>,
    points: usize,
) -> Option<Option<[Vec<f32>; 2]>> {
    match (network.imitates(), profile) {
        (false, _) => Some(None),
        (true, None) => None,
        (true, Some(profile)) => {
            let colors = [Color::BLACK, Color::WHITE];
            Some(Some(colors.map(|color| profile.facts(color, points))))
        }
    }
}

impl<B: Board> Evaluator<B> {
    /// Returns an evaluator for boards like `board`. `None` if the network cannot evaluate them, or
    /// if it imitates players and there is no profile. Other networks ignore the profile.
    pub fn new(
        network: Arc<KataGo>,
        board: &B,
        kernel: Kernel,
        profile: Option<&Profile>,
    ) -> Option<Evaluator<B>> {
        let (width, height) = board.rectangle()?;
        let players = facts_of(&network, profile, width * height)?;
        let frame = Frame::new(network, board)?;
        let executor = Executor::new(&frame.network().plan, kernel, width, height);
        Some(Evaluator {
            place: Place::Own(Box::new(executor), None),
            frame,
            kernel,
            players,
            raw: Raw::default(),
        })
    }

    /// Returns an evaluator whose positions are computed together with those of other threads. The
    /// others wait for it, so a thread without further positions must drop its evaluator. It does
    /// not exchange columns and rows of rectangles, whatever the symmetry. `None` as for
    /// [`Evaluator::new`], or if the batches are for boards of other sides.
    pub fn with_batches(
        batches: &Arc<Batches>,
        board: &B,
        profile: Option<&Profile>,
    ) -> Option<Evaluator<B>> {
        let (width, height) = board.rectangle()?;
        if batches.sides() != (width, height) {
            return None;
        }
        let network = Arc::clone(batches.network());
        let players = facts_of(&network, profile, width * height)?;
        Some(Evaluator {
            frame: Frame::new(network, board)?,
            kernel: batches.kernel(),
            place: Place::Shared(batches.join()),
            players,
            raw: Raw::default(),
        })
    }

    /// Runs the network on a position. The optimistic policy has the weight `optimism`, if there is
    /// one. The output stays valid until the next call.
    pub fn run(&mut self, facts: &Facts<'_, B>, symmetry: usize, optimism: f32) -> &Output {
        self.extract(facts);
        self.pass(facts, symmetry, optimism)
    }

    /// Computes the inputs of a position.
    pub fn extract(&mut self, facts: &Facts<'_, B>) {
        self.frame.extract(facts);
    }

    /// Runs the network on the latest inputs, which must be those of these facts. A network that
    /// imitates players ignores `optimism`, as in KataGo.
    pub fn pass(&mut self, facts: &Facts<'_, B>, symmetry: usize, optimism: f32) -> &Output {
        let network = Arc::clone(self.frame.network());
        let plan = &network.plan;
        let symmetry = match &self.place {
            // All boards of a batch have the same sides.
            Place::Shared(_) if !self.frame.is_square() => symmetry & !TRANSPOSED,
            Place::Own(..) | Place::Shared(_) => symmetry,
        };
        let Turned {
            width,
            height,
            planes,
            globals,
        } = self.frame.turn(symmetry);
        let players = self.players.as_ref();
        let player = players.map(|[black, white]| match facts.to_move {
            Color::WHITE => &white[..],
            _ => &black[..],
        });
        let optimism = if player.is_some() { 0.0 } else { optimism };
        match &mut self.place {
            Place::Own(executor, turned) => {
                let executor = match symmetry & TRANSPOSED != 0 && width != height {
                    true => turned.get_or_insert_with(|| {
                        Box::new(Executor::new(plan, self.kernel, width, height))
                    }),
                    false => executor,
                };
                let inputs = PassInputs {
                    planes,
                    globals,
                    facts: player,
                };
                executor.pass(plan, &[inputs], slice::from_mut(&mut self.raw));
            }
            Place::Shared(seat) => {
                self.raw = seat.pass(Request {
                    planes: planes.to_vec(),
                    globals: *globals,
                    facts: player.map(<[f32]>::to_vec),
                });
            }
        }
        self.frame
            .finish(&self.raw, facts.rules, symmetry, optimism)
    }

    /// Returns the latest output.
    pub fn output(&self) -> &Output {
        self.frame.output()
    }

    /// Evaluates a position with these legal placements, turned by a symmetry. The policy includes
    /// the pass if `can_pass` is true. Outputs that are not finite become neutral.
    pub fn evaluate(
        &mut self,
        facts: &Facts<'_, B>,
        legal: &[Vertex],
        can_pass: bool,
        view: View,
        evaluation: &mut Evaluation,
    ) {
        self.run(facts, view.symmetry, view.optimism);
        self.frame.neutralize();
        let output = self.frame.output();
        evaluation.distribute(&output.policy, legal, can_pass);
        evaluation.win = output.win + 0.5 * output.no_result;
        evaluation.score = output.lead;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Collector;
    use super::super::sample::{Kind, Recipe};
    use super::*;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::{Game, Line};
    use omnigo_core::rules::{Points, presets};
    use std::io::Cursor;

    #[test]
    fn prepared_networks_have_the_weights_of_all_layers() {
        let recipe = Recipe {
            version: 15,
            blocks: vec![Kind::Bottleneck, Kind::Pooling, Kind::FeedForward],
            ..Recipe::default()
        };
        let file = recipe.write(3);
        for kernel in [Kernel::Avx2Int16, Kernel::Avx512Int16] {
            let network = KataGo::read(Cursor::new(&file), file.len() as u64).unwrap();
            let known = || {
                let layers = network.plan.layers().into_iter();
                layers.filter(|product| product.layer.transforms.is_known())
            };
            assert_eq!(known().count(), 0);
            if kernel.is_available() {
                network.prepare(kernel);
                // The first layer adds up its weights as they are.
                assert_eq!(known().count() + 1, network.plan.layers().len());
            }
        }
    }

    #[test]
    fn extreme_weights_give_a_neutral_evaluation() {
        let recipe = Recipe {
            version: 15,
            activation: "MISH",
            strength: 1e30,
            ..Recipe::default()
        };
        let bytes = recipe.write(1);
        let network = KataGo::read(Cursor::new(&bytes), bytes.len() as u64).unwrap();
        let board = GridBoard::new(Grid::new(5, 4).unwrap(), 2).unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let game = Game::new(board, rules, Points::whole(7), Color::BLACK);
        let line = Line::new(&game, Color::BLACK);
        let legal: Vec<_> = line.placements().collect();
        let mut collector = Collector::new(&game);
        let facts = collector.collect(&line, &[], &legal);
        let network = Arc::new(network);
        // Overflow on matrix tiles was never tried.
        for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::Amx) {
            let mut evaluator =
                Evaluator::new(Arc::clone(&network), game.board(), kernel, None).unwrap();
            assert!(!evaluator.run(&facts, 0, 0.0).is_finite(), "{kernel}");
            let mut evaluation = Evaluation::default();
            evaluator.evaluate(&facts, &legal, true, View::default(), &mut evaluation);
            let even = |prior: &f32| (prior - 1.0 / 21.0).abs() < 1e-6;
            assert!(evaluation.priors.iter().all(even), "{kernel}");
            assert_eq!((evaluation.win, evaluation.score), (0.5, 0.0));
            let output = evaluator.output();
            assert!(output.is_finite() && output.value_error.is_none());
            assert_eq!(output.ownership, [0.0; 20]);
        }
    }
}
