//! omnigo is a Go engine for any graph. It supports a family of rulesets and the Go Text Protocol
//! (GTP).
//!
//! ```text
//! boardsize 9                 set_graph torus:9x9
//! =                           = 81 vertices 162 edges
//!
//! genmove b                   genmove b
//! = E5                        = C7
//! ```
//!
//! # Reading order
//!
//! All rulesets share one move: place a stone, remove the opponent's captured chains, then your
//! own.
//!
//! - [`board`] implements this move on grids and graphs.
//! - [`rules`] describes a ruleset: repetition, the cost of a pass, the end of the game, and
//!   scoring.
//! - [`game`] is the only module that combines board and rules.
//! - [`playout`] and [`policy`] guide the search.
//! - [`search`] is the tree search.
//! - [`engine`] hides the type of the board.
//! - [`gtp`] is the interface for other programs.
//!
//! # Layers
//!
//! A module uses only modules in lower layers. A test checks this.
//!
//! ```text
//!  cli                                subcommands
//!   │
//!  analysis · play                    JSON queries · the board in the browser
//!   │
//!  gtp · match · bench · training     front ends
//!   │
//!  render · files · replay            output, file access, replay of records
//!   │
//!  engine                             chooses and hides the board type
//!   │
//!  search · exact · record            tree search · exact solving · game records
//!   │
//!  policy · playout · net             guidance for the search
//!   │
//!  game · tactics                     board + rules + history · ladders, answers
//!   │
//!  rules     patterns · system        legality and scoring · surroundings of points
//!   │         │
//!   │        board · notation         effect of a stone · text of moves
//!   │         │
//!   │        graph                    adjacency, names, specifications
//!   └────┬────┘
//!  color · vertex · points · hash · random · zobrist · text · union_find
//! ```

pub mod analysis;
pub mod arguments;
pub mod bench;
pub mod board;
pub mod cli;
pub mod color;
pub mod engine;
pub mod exact;
pub mod files;
pub mod game;
pub mod graph;
pub mod gtp;
pub mod hash;
pub mod r#match;
pub mod net;
pub mod notation;
pub mod patterns;
pub mod play;
pub mod playout;
pub mod points;
pub mod policy;
pub mod random;
pub mod record;
pub mod render;
pub mod replay;
pub mod rules;
pub mod search;
pub mod system;
pub mod tactics;
pub mod text;
pub mod training;
pub mod union_find;
pub mod vertex;
pub mod zobrist;
