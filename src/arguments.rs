//! Values of command line options.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::engine::Guidance;
use crate::net::Network;
use crate::net::kernels::Kernel;
use crate::rules::Points;
use crate::search::Variety;

/// Komi in halves; a warning tells of rounding.
///
/// # Errors
/// When the text is no finite number.
pub fn komi(text: &str) -> Result<Points, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    let (komi, rounded) = Points::round_from(value).ok_or("expected a finite number")?;
    if rounded {
        eprintln!("warning: komi {text} is taken as {komi}");
    }
    Ok(komi)
}

/// Seconds above 0.
///
/// # Errors
/// When the text is no such number.
pub fn seconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected seconds".to_owned())?;
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err("expected seconds above 0".into())
    }
}

/// How many there may be before somebody gives up.
///
/// # Errors
/// When the text is no whole number from 0.
pub fn limit(text: &str) -> Result<u128, String> {
    let wrong = "expected a whole number from 0";
    text.parse().map_err(|_| wrong.to_owned())
}

/// The vertices of the graphs of an atlas.
///
/// # Errors
/// When the text is no number of vertices for which all graphs can be listed.
pub fn atlas_vertices(text: &str) -> Result<u8, String> {
    let most = crate::graph::connected::MOST_VERTICES;
    let vertices = text.parse().ok();
    vertices
        .filter(|&n: &u8| (1..=most).contains(&usize::from(n)))
        .ok_or(format!(
            "expected 1 to {most}: 853 connected graphs have 7 vertices, 11117 have 8, 261080 have 9"
        ))
}

/// A chance from 0 to 1.
///
/// # Errors
/// When the text is no such number.
pub fn chance(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err("expected a chance from 0 to 1".into())
    }
}

/// Seconds of each move that are kept for what happens outside the search.
pub fn lag(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected seconds".to_owned())?;
    if (0.0..=3600.0).contains(&value) {
        Ok(value)
    } else {
        Err("expected seconds from 0 to 3600".into())
    }
}

/// The network that a player asks for.
#[derive(Debug, Args)]
pub struct NetworkArgs {
    /// Network for rectangles: a file, used on all from 5x5 to 19x19, or none [default: the built-in one where it helps].
    #[arg(long, value_name = "none|FILE")]
    net: Option<PathBuf>,
    /// What the network is computed with: portable, neon, avx2, avx2int16, avx512, avx512bf16 or amx [default: the fastest here].
    #[arg(long, value_name = "KERNEL")]
    net_kernel: Option<Kernel>,
}

impl NetworkArgs {
    /// What guides searches; a kernel that this machine lacks is an error rather than a slower one.
    ///
    /// # Errors
    /// A sentence, when the kernel or the file cannot be used.
    pub fn guidance(&self) -> Result<Option<Guidance>, String> {
        guidance(self.net.as_deref(), self.net_kernel)
    }
}

/// The network at a path, no network for `none`, the built-in one without a path.
///
/// # Errors
/// A sentence, when the kernel or the file cannot be used.
pub fn guidance(net: Option<&Path>, kernel: Option<Kernel>) -> Result<Option<Guidance>, String> {
    let kernel = kernel.unwrap_or_else(Kernel::best);
    if !kernel.is_available() {
        return Err(format!("this machine cannot run the kernel '{kernel}'"));
    }
    let everywhere = net.is_some();
    let network = match net {
        Some(none) if none.as_os_str() == "none" => None,
        Some(file) => Some(Arc::new(Network::read(file).map_err(|e| e.to_string())?)),
        None => Network::built_in(),
    };
    Ok(network.map(|network| Guidance {
        network,
        kernel,
        everywhere,
    }))
}

/// A seed: a number, or `random` for another one at each start, which is told on standard error.
///
/// # Errors
/// When the text is neither.
pub fn seed(text: &str) -> Result<u64, String> {
    if text == "random" {
        // The library draws the keys of its hash maps from the system.
        let seed = RandomState::new().build_hasher().finish();
        eprintln!("seed {seed}");
        return Ok(seed);
    }
    text.parse()
        .map_err(|_| "expected a whole number, 0 or more, or random".to_owned())
}

/// A temperature of the opening.
///
/// # Errors
/// When the text is no such number.
pub fn temperature(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=Variety::HOTTEST).contains(&value) {
        Ok(value)
    } else {
        Err(format!("expected a number from 0 to {}", Variety::HOTTEST))
    }
}

/// Yes or no.
///
/// # Errors
/// When the text is neither.
pub fn yes(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".into()),
    }
}
