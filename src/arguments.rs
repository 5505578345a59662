//! Parsers for values of command-line options.

pub mod command_line;

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::engine::{Guidance, Level, Parameter, Parameters};
use crate::files::networks::read_network;
use crate::net::Weights;
use crate::net::katago::{Batches, Profile, ProfileError};
use crate::net::kernels::Kernel;
use crate::rules::Points;
use crate::search::Variety;
use crate::system::tell;
use crate::text::quote;

/// Parses a komi and rounds it to the nearest half point, with a warning on standard error.
///
/// # Errors
/// If the text is not a finite number.
pub fn komi(text: &str) -> Result<Points, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    let (komi, rounded) = Points::round_from(value).ok_or("expected a finite number")?;
    if rounded {
        tell::warn(format_args!(
            "komi {text} was rounded to {komi}, the nearest allowed value"
        ));
    }
    Ok(komi)
}

/// Parses a number of seconds above 0.
///
/// # Errors
/// If the text is not a finite number above 0.
pub fn seconds(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|seconds| *seconds > 0.0 && seconds.is_finite())
        .ok_or_else(|| "expected seconds above 0".to_owned())
}

/// Returns true for a whole number of any size, also beyond every type.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns the largest number up to `u64::MAX` that the type holds.
fn largest<T: TryFrom<u64>>() -> u64 {
    let mut all_ones = (0..u64::BITS).map(|shift| u64::MAX >> shift);
    let fits = |number: &u64| T::try_from(*number).is_ok();
    all_ones.find(fits).unwrap_or(0)
}

/// Returns a parser of whole numbers in `range`. Its errors name the range. Without an end, they
/// name the largest number of the type to users who exceed it.
pub fn whole<T: TryFrom<u64> + 'static>(
    range: impl RangeBounds<u64> + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    let least = match range.start_bound() {
        Bound::Included(least) => *least,
        Bound::Excluded(below) => below.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let most = match range.end_bound() {
        Bound::Included(most) => Some(*most),
        Bound::Excluded(above) => Some(above.saturating_sub(1)),
        Bound::Unbounded => None,
    };
    move |text: &str| {
        let number: Option<u64> = text.parse().ok();
        let fits = |number: &u64| *number >= least && most.is_none_or(|most| *number <= most);
        let value = number.filter(fits).and_then(|n| T::try_from(n).ok());
        value.ok_or_else(|| match most {
            Some(most) => format!("expected a whole number from {least} to {most}"),
            None if is_whole(text) && number.is_none_or(|number| number >= least) => {
                format!("expected a whole number from {least} to {}", largest::<T>())
            }
            None => format!("expected a whole number, {least} or more"),
        })
    }
}

/// Parses an upper limit.
///
/// # Errors
/// If the text is not a whole number, 0 or more.
pub fn limit(text: &str) -> Result<u128, String> {
    text.parse().map_err(|_| match is_whole(text) {
        true => format!("expected a whole number from 0 to {}", u128::MAX),
        false => "expected a whole number, 0 or more".to_owned(),
    })
}

/// Parses the number of vertices of the graphs in an atlas.
///
/// # Errors
/// If omnigo cannot list all graphs with that number of vertices, or the text is not a number.
pub fn atlas_vertices(text: &str) -> Result<u8, String> {
    let most = crate::graph::connected::MOST_VERTICES;
    let vertices = text.parse().ok();
    vertices
        .filter(|&n: &u8| (1..=most).contains(&usize::from(n)))
        .ok_or(format!("expected 1 to {most} vertices"))
}

/// Parses a level of play.
///
/// # Errors
/// If the text is not the number of a level.
pub fn level(text: &str) -> Result<usize, String> {
    let level = text.parse().ok();
    level
        .filter(|&level| Level::new(level).is_some())
        .ok_or_else(|| format!("expected a level from 1 to {}", Level::MOST))
}

/// Parses a number of points above 0.
///
/// # Errors
/// If the text is not a finite number above 0.
pub fn points_above_0(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|points| *points > 0.0 && points.is_finite())
        .ok_or_else(|| "expected points above 0".to_owned())
}

/// Parses a probability from 0 to 1.
///
/// # Errors
/// If the text is not such a number.
pub fn probability(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|value| (0.0..=1.0).contains(value))
        .ok_or_else(|| "expected a probability from 0 to 1".to_owned())
}

/// Parses a temperature of training games.
///
/// # Errors
/// If the text is not a number above 0, at most 10.
pub fn above_0_to_10(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= 10.0 => Ok(value),
        _ => Err("expected a number above 0, at most 10".into()),
    }
}

/// Parses the seconds reserved per move for delays outside the search, 0 to 3600.
///
/// # Errors
/// If the text is not such a number.
pub fn lag(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|seconds| (0.0..=3600.0).contains(seconds))
        .ok_or_else(|| "expected seconds from 0 to 3600".to_owned())
}

/// Option for a file with further options. The command line reads the file before it parses the
/// words, so nothing else uses the path.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Read options from this TOML file, as omnigo config writes it. Typed options win.
    #[arg(long, help_heading = "Bots and option files", value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Option for the komi of a game. A group of options with another default changes the help text.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct KomiOption {
    /// Points added to White's score, in steps of 0.5 [default: the komi given with --ruleset, or
    /// 0].
    #[arg(long = "komi", id = "komi", help_heading = "Rules", value_name = "K", allow_hyphen_values = true, value_parser = komi)]
    pub value: Option<Points>,
}

/// Options that select the network of a player.
#[derive(Debug, Args)]
pub struct NetworkArgs {
    /// Network for rectangles: none, or a file of omnigo, KataGo or Leela Zero [default: the
    /// built-in network on the boards where it helps].
    #[arg(long, help_heading = "Network", value_name = "none|FILE")]
    net: Option<PathBuf>,
    /// Kernel (implementation of the network).
    #[arg(
        long,
        help_heading = "Network",
        value_name = "KERNEL",
        help = kernel_help("Kernel (implementation of the network)")
    )]
    net_kernel: Option<Kernel>,
    /// Players whom a human-style network imitates: rank_RANK, preaz_RANK (before AlphaZero) or
    /// proyear_YEAR, for example rank_5k, preaz_3d or proyear_1990.
    #[arg(long, help_heading = "Network", value_name = "PROFILE")]
    human_profile: Option<Profile>,
    /// Folder for packed copies of KataGo's networks, which later starts read instead. A copy takes
    /// about three to six times the size of the file, or about its size with amx.
    #[arg(long, help_heading = "Network", value_name = "DIR")]
    net_cache: Option<PathBuf>,
    /// Positions that a network of KataGo evaluates at once, 1 to 16. With large
    /// convolutional networks, 2 to 4 are faster, but each thread then searches that many lines at
    /// once [default: 1].
    #[arg(long, help_heading = "Network", value_name = "N", value_parser = whole::<u8>(1..=Batches::MOST as u64))]
    net_batch: Option<u8>,
    /// Parameters of searches that the network guides, under KataGo's names, for example
    /// useLcbForSelection=true,cpuctExploration=0.9 [default: those for the kind of network].
    #[arg(
        long,
        help_heading = "Network",
        value_name = "NAME=VALUE",
        value_parser = net_parameters
    )]
    net_parameters: Option<NetParameters>,
}

/// Problem of `--net-batch` without a network that evaluates several positions at once.
const NO_BATCHES: &str = "--net-batch needs a network of KataGo";

/// Search parameters that replace those for the kind of network.
#[derive(Clone, Debug)]
pub struct NetParameters(Vec<(&'static Parameter, String)>);

/// Parses `NAME=VALUE,NAME=VALUE`. Of several values of a name, the last one counts.
///
/// # Errors
/// If a name is unknown or a value is out of range.
pub fn net_parameters(text: &str) -> Result<NetParameters, String> {
    let items = text.split(',').map(|item| {
        let (name, value) = item
            .split_once('=')
            .ok_or_else(|| format!("'{}' has no '=', expected NAME=VALUE", quote(item.trim())))?;
        let (name, value) = (name.trim(), value.trim());
        let parameter = Parameter::find(name).ok_or_else(|| {
            format!(
                "unknown parameter '{}', expected a name that kata-list-params lists",
                quote(name)
            )
        })?;
        check_parameter(parameter, value)?;
        Ok((parameter, value.to_owned()))
    });
    items.collect::<Result<_, String>>().map(NetParameters)
}

/// Checks a value of a search parameter.
///
/// # Errors
/// If it is out of range.
fn check_parameter(parameter: &Parameter, value: &str) -> Result<(), String> {
    let checked = parameter.set(&mut Parameters::katago(), value);
    checked.map_err(|expected| {
        let name = parameter.name;
        format!("{name} '{}', expected {expected}", quote(value))
    })
}

impl NetworkArgs {
    /// Returns the network and kernel that guide searches, or `None` without a network.
    ///
    /// # Errors
    /// One sentence, if the file cannot be read, if this machine cannot run the kernel, or if
    /// network and profile do not belong together. A missing kernel is never replaced by a slower
    /// one.
    pub fn guidance(&self) -> Result<Option<Guidance>, String> {
        let profile = self.human_profile;
        let (net, cache) = (self.net.as_deref(), self.net_cache.as_deref());
        let Some(mut guidance) = cached_guidance(net, self.net_kernel, cache)? else {
            return match (profile, self.net_batch) {
                (Some(_), _) => Err(ProfileError::Unused.to_string()),
                (None, Some(2..)) => Err(NO_BATCHES.to_owned()),
                (None, _) => Ok(None),
            };
        };
        let checked = guidance.network.check_profile(profile.as_ref());
        checked.map_err(|error| error.to_string())?;
        guidance.profile = profile;
        if let Some(batch) = self.net_batch {
            if batch > 1 && !guidance.knows_batches() {
                return Err(NO_BATCHES.to_owned());
            }
            guidance.batch = usize::from(batch);
        }
        if let Some(NetParameters(items)) = &self.net_parameters {
            for (parameter, value) in items {
                parameter.set(&mut guidance.parameters, value)?;
            }
        }
        Ok(Some(guidance))
    }

    /// Returns the kernel that the user chose.
    pub fn kernel(&self) -> Option<Kernel> {
        self.net_kernel
    }
}

/// Returns the help text of an option that selects a kernel: `what`, the names of all kernels, and
/// the default.
pub fn kernel_help(what: &str) -> String {
    let names = Kernel::names();
    format!("{what}: {names} [default: depends on the processor]")
}

/// Checks that this machine can run a kernel.
///
/// # Errors
/// One sentence, if it cannot.
pub fn check_kernel(kernel: Kernel) -> Result<(), String> {
    match kernel.is_available() {
        true => Ok(()),
        false => Err(format!("this machine cannot run the kernel '{kernel}'")),
    }
}

/// Returns the network in the file `net`. Without `net`, returns the built-in network, if any.
/// Returns `None` for the path `none`. The guidance has no profile.
///
/// # Errors
/// One sentence, if the file cannot be read or this machine cannot run the kernel.
pub fn guidance(net: Option<&Path>, kernel: Option<Kernel>) -> Result<Option<Guidance>, String> {
    cached_guidance(net, kernel, None)
}

/// Returns the network as [`guidance`] does. With `cache`, a network of KataGo has a packed copy in
/// that folder. Problems with the copy are warnings on standard error.
fn cached_guidance(
    net: Option<&Path>,
    kernel: Option<Kernel>,
    cache: Option<&Path>,
) -> Result<Option<Guidance>, String> {
    let kernel = kernel.unwrap_or_else(Kernel::best);
    check_kernel(kernel)?;
    let everywhere = net.is_some();
    let network = match net {
        Some(none) if none.as_os_str() == "none" => None,
        Some(file) => Some(match cache {
            None => Weights::read(file).map_err(|e| e.to_string())?,
            Some(folder) => {
                let read = read_network(file, folder, kernel);
                let (network, warnings) = read.map_err(|e| e.to_string())?;
                for warning in warnings {
                    tell::warn(&warning);
                }
                network
            }
        }),
        None => Weights::built_in(),
    };
    if let Some(network) = &network {
        network.prepare(kernel);
    }
    Ok(network.map(|network| Guidance::new(network, kernel, everywhere)))
}

/// Parses a seed: a number, or `random` for a different seed at each start, which is printed on
/// standard error.
///
/// # Errors
/// If the text is neither.
pub fn seed(text: &str) -> Result<u64, String> {
    if text == "random" {
        // The standard library takes the keys of its hash maps from the system's random source.
        let seed = RandomState::new().build_hasher().finish();
        tell!("seed {seed}");
        return Ok(seed);
    }
    text.parse().map_err(|_| match is_whole(text) {
        true => format!("expected a whole number from 0 to {}, or random", u64::MAX),
        false => "expected a whole number, 0 or more, or random".to_owned(),
    })
}

/// Parses an opening temperature, 0 to [`Variety::HOTTEST`].
///
/// # Errors
/// If the text is not such a number.
pub fn temperature(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|value| (0.0..=Variety::HOTTEST).contains(value))
        .ok_or_else(|| format!("expected a number from 0 to {}", Variety::HOTTEST))
}

/// Parses `yes` or `no`.
///
/// # Errors
/// If the text is neither.
pub fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_parameters_are_checked_and_the_last_value_counts() {
        let NetParameters(items) = net_parameters("lcbStdevs=4, useUncertainty=false").unwrap();
        let names: Vec<&str> = items.iter().map(|(parameter, _)| parameter.name).collect();
        assert_eq!(names, ["lcbStdevs", "useUncertainty"]);
        let args = |text: &str| NetworkArgs {
            net: None,
            net_kernel: Some(Kernel::Portable),
            human_profile: None,
            net_cache: None,
            net_batch: None,
            net_parameters: Some(net_parameters(text).unwrap()),
        };
        let guidance = args("cpuctExploration=2,cpuctExploration=0.5").guidance();
        let found = guidance.unwrap().unwrap().parameters;
        let own = Parameters::omnigo();
        assert_eq!(
            found,
            Parameters {
                cpuct_exploration: 0.5,
                ..own
            }
        );
        for (text, message) in [
            ("", "'' has no '=', expected NAME=VALUE"),
            ("lcbStdevs", "'lcbStdevs' has no '=', expected NAME=VALUE"),
            (
                "lcbStdevs=4,x=1",
                "unknown parameter 'x', expected a name that kata-list-params lists",
            ),
            (
                "lcbStdevs=13",
                "lcbStdevs '13', expected a number from 1 to 12",
            ),
            (
                "useUncertainty=1",
                "useUncertainty '1', expected true or false",
            ),
        ] {
            assert_eq!(net_parameters(text).unwrap_err(), message);
        }
    }

    #[test]
    fn whole_numbers_have_a_range_that_errors_name() {
        assert_eq!(whole::<u16>(1..=52)("19"), Ok(19));
        assert_eq!(whole::<u16>(1..=52)("52"), Ok(52));
        assert_eq!(whole::<u32>(..=100)("0"), Ok(0));
        for text in [
            "0",
            "53",
            "-1",
            "9x9",
            "1e1",
            "1,000",
            "",
            "99999999999999999999",
        ] {
            let problem = whole::<u16>(1..=52)(text).unwrap_err();
            assert_eq!(problem, "expected a whole number from 1 to 52", "{text}");
        }
        let problem = whole::<u64>(1..)("0").unwrap_err();
        assert_eq!(problem, "expected a whole number, 1 or more");
        let problem = whole::<u64>(..)("x").unwrap_err();
        assert_eq!(problem, "expected a whole number, 0 or more");
        // The type may hold less than the range.
        assert_eq!(whole::<u16>(..)("65535"), Ok(u16::MAX));
        for text in ["65536", "99999999999999999999", "+65536"] {
            let problem = whole::<u16>(..)(text).unwrap_err();
            assert_eq!(problem, "expected a whole number from 0 to 65535", "{text}");
        }
        let problem = whole::<u32>(1..)("4294967296").unwrap_err();
        assert_eq!(problem, "expected a whole number from 1 to 4294967295");
        let problem = whole::<u64>(2..)("18446744073709551616").unwrap_err();
        assert!(problem.ends_with("from 2 to 18446744073709551615"));
    }
}
