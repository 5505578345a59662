//! Network files of any kind: those of this program, of KataGo, and of Leela Zero. The first bytes
//! of a file tell which of them it is.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use super::file::{HEADER, MOST_BYTES, NetError, VERSION};
use super::katago::{KataGo, ModelError, Profile, ProfileError};
use super::kernels::Kernel;
use super::leela::LeelaZero;
use super::network::Network;
use omnigo_core::system::pipes::is_named_pipe;

/// A network of any kind.
#[derive(Clone, Debug)]
pub enum Weights {
    /// Network in the program's own format.
    Omnigo(Arc<Network>),
    /// Network of KataGo.
    KataGo(Arc<KataGo>),
    /// Network of Leela Zero.
    LeelaZero(Arc<LeelaZero>),
}

/// Networks are equal if they share one copy of the weights.
impl PartialEq for Weights {
    fn eq(&self, other: &Weights) -> bool {
        match (self, other) {
            (Weights::Omnigo(one), Weights::Omnigo(two)) => Arc::ptr_eq(one, two),
            (Weights::KataGo(one), Weights::KataGo(two)) => Arc::ptr_eq(one, two),
            (Weights::LeelaZero(one), Weights::LeelaZero(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }
}

/// Number of bytes at the start of a file that tell its kind.
const START: u64 = 4096;

impl Weights {
    /// Reads a network file of any kind.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a network that this program can use.
    pub fn read(path: &Path) -> Result<Weights, NetError> {
        let name = omnigo_base::text::quote(&path.display().to_string());
        let failed = |error: std::io::Error| NetError::File(name.clone(), error.to_string());
        if is_named_pipe(path) {
            return Err(failed(std::io::Error::other(
                "a named pipe, expected a file",
            )));
        }
        let mut file = File::open(path).map_err(failed)?;
        let mut start = Vec::new();
        let read = (&mut file).take(START).read_to_end(&mut start);
        read.map_err(failed)?;
        let network = if start.is_empty() {
            Err(NetError::Empty)
        } else if start.starts_with(HEADER) {
            let rest = file.take(MOST_BYTES).read_to_end(&mut start);
            rest.map_err(failed)?;
            Network::from_bytes(&start).map(|network| Weights::Omnigo(Arc::new(network)))
        } else {
            let size = file.metadata().map_err(failed)?.len();
            let is_leela = LeelaZero::is_start_of_file(&start);
            let whole = BufReader::new(Cursor::new(start).chain(file));
            let network = match is_leela {
                true => LeelaZero::read(whole, size).map(|n| Weights::LeelaZero(Arc::new(n))),
                false => KataGo::read(whole, size).map(|n| Weights::KataGo(Arc::new(n))),
            };
            network.map_err(|error| match error {
                ModelError::Kind => NetError::Kind,
                error => NetError::KataGo(error),
            })
        };
        network.map_err(|error| NetError::Content(name, Box::new(error)))
    }

    /// Returns the built-in network, if its bytes are valid.
    pub fn built_in() -> Option<Weights> {
        Network::built_in().map(Weights::Omnigo)
    }

    /// Computes the weights in the format of a kernel, so that the first evaluation takes no longer
    /// than the others. Networks of this program are too small to need that.
    pub fn prepare(&self, kernel: Kernel) {
        match self {
            Weights::Omnigo(_) => {}
            Weights::KataGo(network) => network.prepare(kernel),
            Weights::LeelaZero(network) => network.prepare(kernel),
        }
    }

    /// Returns the kernel that computes the network if this one is asked for.
    pub fn kernel_for(&self, asked: Kernel) -> Kernel {
        match self {
            Weights::Omnigo(_) => asked,
            Weights::KataGo(_) | Weights::LeelaZero(_) => asked.for_floats(),
        }
    }

    /// Returns true if the network imitates players. Then every evaluation needs a profile.
    pub fn imitates(&self) -> bool {
        match self {
            Weights::Omnigo(_) | Weights::LeelaZero(_) => false,
            Weights::KataGo(network) => network.imitates(),
        }
    }

    /// Checks that there is a profile if the network imitates players, and otherwise none.
    ///
    /// # Errors
    /// If the two do not belong together.
    pub fn check_profile(&self, profile: Option<&Profile>) -> Result<(), ProfileError> {
        match (self.imitates(), profile) {
            (true, None) => Err(ProfileError::Missing),
            (false, Some(_)) => Err(ProfileError::Unused),
            (true, Some(_)) | (false, None) => Ok(()),
        }
    }

    /// Returns the network if it has the program's own format.
    pub fn own(&self) -> Option<&Arc<Network>> {
        match self {
            Weights::Omnigo(network) => Some(network),
            Weights::KataGo(_) | Weights::LeelaZero(_) => None,
        }
    }

    /// Returns the name of the network: that in KataGo's file, otherwise one with a hash of the
    /// weights.
    pub fn name(&self) -> String {
        match self {
            Weights::Omnigo(network) => format!("omnigo-{:016x}", network.hash()),
            Weights::KataGo(network) => network.name().to_owned(),
            Weights::LeelaZero(network) => network.name(),
        }
    }

    /// Returns the version of the format.
    pub fn version(&self) -> usize {
        match self {
            Weights::Omnigo(_) => VERSION as usize,
            Weights::KataGo(network) => network.version(),
            Weights::LeelaZero(network) => network.version(),
        }
    }
}
