//! Random noise in the root policy of a search (Silver et al. 2017).
//!
//! It makes games of a player against itself differ. It also gives results for moves that the
//! network considers unlikely.

use rand_distr::{Distribution, Gamma};

use omnigo_base::vertex::Move;
use omnigo_core::playout::Random;
use omnigo_core::policy::Prior;

/// Dirichlet noise mixed into the move probabilities at the root of a guided search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Fraction of the noise in the mixed probabilities, 0…1.
    pub share: f32,
    /// Concentration of the Dirichlet distribution, summed over all moves. Each of `n` moves gets
    /// 1/`n` of it.
    pub concentration: f32,
}

impl Noise {
    /// Mixes noise into the probabilities of these moves. Changes nothing if the concentration is
    /// not positive, or if all draws are zero.
    pub(crate) fn mix(self, moves: &mut [(Move, Prior)], random: &mut Random) {
        let shape = self.concentration / moves.len().max(1) as f32;
        let Ok(gamma) = Gamma::new(f64::from(shape), 1.0) else {
            return;
        };
        // Gamma variates, divided by their sum, form a Dirichlet variate.
        let drawn: Vec<f64> = moves
            .iter()
            .map(|_| gamma.sample(random.generator()))
            .collect();
        let sum: f64 = drawn.iter().sum();
        if sum <= 0.0 {
            return;
        }
        for ((_, prior), drawn) in moves.iter_mut().zip(drawn) {
            let own = prior.wins as f32 / Prior::CERTAIN as f32;
            *prior =
                Prior::probability((1.0 - self.share) * own + self.share * (drawn / sum) as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::vertex::Vertex;

    #[test]
    fn noisy_priors_sum_to_one_and_seeds_repeat_them() {
        let noise = Noise {
            share: 0.25,
            concentration: 10.0,
        };
        let mixed = |seed| {
            let move_at = |at| (Move::Place(Vertex::at(at)), Prior::probability(0.02));
            let mut moves: Vec<(Move, Prior)> = (0..50).map(move_at).collect();
            noise.mix(&mut moves, &mut Random::new(seed));
            moves.iter().map(|(_, p)| p.wins).collect::<Vec<u32>>()
        };
        let first = mixed(1);
        let sum = first.iter().sum::<u32>();
        assert!(
            (Prior::CERTAIN - 100..=Prior::CERTAIN).contains(&sum),
            "{sum}"
        );
        let (least, most) = (first.iter().min(), first.iter().max());
        assert!(least < most);
        assert_eq!(first, mixed(1));
        assert_ne!(first, mixed(2));
    }
}
