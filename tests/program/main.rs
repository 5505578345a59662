//! Tests of the program: transcripts, command lines, files, and pictures.

mod advice;
mod analysis;
mod bots;
mod bridges;
mod check;
mod configurations;
mod documents;
mod gtp_process;
mod json_analysis;
mod lab;
mod match_runner;
mod net;
mod packaging;
mod pictures;
mod play;
mod pondering;
mod review;
mod saved_handicap;
mod talk;
mod transcripts;
mod version;
