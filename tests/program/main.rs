//! Tests of the program: transcripts, command lines, files, and pictures.

mod advice;
mod analysis;
mod bots;
mod bridges;
mod check;
mod command_line;
mod configurations;
mod documents;
mod files;
mod gtp_process;
mod human_style;
mod json_analysis;
mod katago_words;
mod lab;
mod leela_zero;
mod match_runner;
mod net;
mod net_batch;
mod net_cache;
mod packaging;
mod pictures;
mod play;
mod pondering;
mod process;
mod review;
mod saved_games;
mod talk;
#[cfg(target_os = "linux")]
mod terminal;
mod transcripts;
mod version;
