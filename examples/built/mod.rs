//! Path of the engine that an example runs: `cargo build --release` puts it one folder above the
//! examples.

use std::error::Error;
use std::path::{Path, PathBuf};

/// Returns the path of the program `omnigo` that was built with the same profile as the example.
pub fn omnigo() -> Result<PathBuf, Box<dyn Error>> {
    let example = std::env::current_exe()?;
    let examples = example.parent().and_then(Path::parent);
    let built = examples.ok_or("no folder")?;
    Ok(built.join(format!("omnigo{}", std::env::consts::EXE_SUFFIX)))
}
