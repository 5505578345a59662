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
//! # Examples
//!
//! The engine plays on any board:
//!
//! ```
//! use omnigo::{Choice, Color, Engine, Options, Points, Spec, presets};
//!
//! let goban = "torus:5x5".parse::<Spec>()?.build()?;
//! let chinese = presets::find("chinese").unwrap().rules.clone();
//! let options = Options { playouts: Some(100), ..Options::default() };
//! let mut engine = Engine::new(goban, chinese, Points::ZERO, options)?;
//! assert!(matches!(engine.genmove(Color::BLACK), Choice::Move(_)));
//! assert_eq!(engine.to_move(), Color::WHITE);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A solver proves the value of small boards. On a row of three points, Black wins all of them:
//!
//! ```
//! use omnigo::{Engine, Options, Points, Spec, Wish, presets};
//!
//! let goban = "path:3".parse::<Spec>()?.build()?;
//! let rules = presets::find("tromp-taylor").unwrap().rules.clone();
//! let engine = Engine::new(goban, rules, Points::ZERO, Options::default())?;
//! let answer = engine.solve(None, Wish::default(), None)?;
//! assert_eq!(answer.bounds.value().unwrap().to_string(), "B+3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An illegal move is refused with a reason:
//!
//! ```
//! use omnigo::{Color, Engine, Move, Options, Points, Spec, presets};
//!
//! let goban = "edges:a-b,b-c,c-a".parse::<Spec>()?.build()?;
//! let a = Move::Place(goban.names.find("a").unwrap());
//! let rules = presets::find("tromp-taylor").unwrap().rules.clone();
//! let mut engine = Engine::new(goban, rules, Points::ZERO, Options::default())?;
//! engine.play(Color::BLACK, a)?;
//! let occupied = engine.play(Color::WHITE, a).unwrap_err();
//! assert_eq!(occupied.to_string(), "occupied");
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
//! A module uses only modules in lower layers. The compiler checks this between the crates of
//! `crates/`, and a test inside them. This library publishes all of them under the names of the
//! modules.
//!
//! ```text
//!  cli                                subcommands
//!   │
//!  analysis · play                    JSON queries · the board in the browser
//!   │
//!  gtp · match · bench · training · review   front ends
//!   │
//!  arguments                          values of options
//!   │
//!  render · files · replay · progress output, file access, replay of records, bars
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
//!  color · vertex · points · hash · random · symmetry · zobrist · text · union_find · contents
//! ```

pub mod analysis;
#[doc(hidden)]
pub mod arguments;
pub mod bench;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod files;
pub mod gtp;
pub mod r#match;
pub mod play;
#[doc(hidden)]
pub mod progress;
pub mod record;
pub mod replay;
pub mod review;
#[doc(hidden)]
pub mod training;

pub use omnigo_base::{
    color, contents, hash, points, random, symmetry, text, union_find, vertex, zobrist,
};
pub use omnigo_core::{board, game, notation, patterns, playout, policy, rules, system, tactics};
pub use omnigo_engine as engine;
pub use omnigo_exact as exact;
pub use omnigo_graph as graph;
pub use omnigo_net as net;
pub use omnigo_render as render;
pub use omnigo_search as search;

pub use board::{BareBoard, Board};
pub use color::Color;
pub use engine::{Choice, Engine, Options, Wish};
pub use game::{Game, IllegalMove, Outcome};
pub use graph::Graph;
pub use graph::goban::Goban;
pub use graph::spec::Spec;
pub use rules::{Points, Ruleset, presets};
pub use vertex::{Move, Vertex};
