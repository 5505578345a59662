//! Tests of the program: transcripts, command lines, files, and pictures.

mod analysis;
mod check;
mod command_line;
mod documents;
mod gtp_process;
mod json_analysis;
mod lab;
mod match_runner;
mod net;
mod pictures;
mod play;
mod pondering;
mod saved_handicap;
mod talk;
#[cfg(target_os = "linux")]
mod terminal;
mod transcripts;
