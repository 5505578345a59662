//! Tests of the program: transcripts, command lines, files, and pictures.

mod analysis;
mod bots;
mod bridges;
mod check;
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
mod transcripts;
