//! Network files, and packed copies of KataGo's networks in a folder.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Output;
use crate::net::katago::{KataGo, PackedError, content_hash};
use crate::net::kernels::Kernel;
use crate::net::{NetError, Weights};
use crate::system::pipes::is_named_pipe;
use crate::text::quote;

/// Maximum size of a network file that gets a copy, in bytes: 4 GiB.
const MOST_BYTES: u64 = 4 << 30;

/// Reads a network file. A network of KataGo comes from its packed copy in `folder`, if there is
/// one for this kernel. Otherwise the copy is written. Returns warnings about the copy too.
///
/// # Errors
/// If the file cannot be read, or is not a network that this program can use. Problems with the
/// copy are no errors.
pub fn read_network(
    path: &Path,
    folder: &Path,
    kernel: Kernel,
) -> Result<(Weights, Vec<String>), NetError> {
    let opened = match is_named_pipe(path) {
        true => None,
        false => File::open(path).ok(),
    };
    let size = opened.as_ref().and_then(|file| file.metadata().ok());
    let size = size.filter(fs::Metadata::is_file).map(|there| there.len());
    // A pipe can be read only once, and a device may have no end.
    let opened = opened.filter(|_| size.is_some_and(|size| size <= MOST_BYTES));
    let hash = opened.and_then(|file| content_hash(file).ok());
    let Some((size, hash)) = size.zip(hash) else {
        // The reader of networks names the problem, if there is one.
        return Ok((Weights::read(path)?, Vec::new()));
    };
    let copy = folder.join(KataGo::packed_name(hash, kernel));
    let shown = quote(&copy.display().to_string());
    let mut warnings = Vec::new();
    match read_copy(&copy, size, hash, kernel) {
        Ok(Some(network)) => return Ok((Weights::KataGo(network.into()), warnings)),
        Ok(None) => {}
        Err(problem) => {
            let line = format!("ignored the packed network '{shown}': {problem}");
            warnings.push(line);
        }
    }
    let weights = Weights::read(path)?;
    if let Weights::KataGo(network) = &weights
        && let Err(problem) = write_copy(network, path, &copy, hash, kernel)
    {
        let line = format!("cannot write the packed network '{shown}': {problem}");
        warnings.push(line);
    }
    Ok((weights, warnings))
}

/// Reads a packed copy. `None` if there is no such file.
fn read_copy(
    copy: &Path,
    size: u64,
    hash: u64,
    kernel: Kernel,
) -> Result<Option<KataGo>, PackedError> {
    // A pipe could wait forever.
    if !fs::metadata(copy).is_ok_and(|there| there.is_file()) {
        return Ok(None);
    }
    let file = File::open(copy)?;
    let length = file.metadata()?.len();
    KataGo::read_packed(file, length, size, hash, kernel).map(Some)
}

fn write_copy(
    network: &KataGo,
    path: &Path,
    copy: &Path,
    hash: u64,
    kernel: Kernel,
) -> Result<(), PackedError> {
    if let Some(folder) = copy.parent() {
        fs::create_dir_all(folder).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                io::Error::other("its folder is a file, expected the name of a folder")
            }
            _ => error,
        })?;
    }
    // A pipe could wait forever.
    if fs::metadata(copy).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("not a regular file").into());
    }
    let mut output = BufWriter::new(Output::create(copy)?);
    network.write_packed(|| File::open(path), hash, kernel, &mut output)?;
    output.flush()?;
    let output = output.into_inner().map_err(|error| error.into_error())?;
    output.finish()?;
    Ok(())
}
