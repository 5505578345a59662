//! omnigo plays Go on any graph, under any of a family of rules, over the Go Text Protocol.
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
//! Every game here is the same move: place a stone, clear the opponent, clear yourself. [`board`] is that move on grids and
//! graphs. [`rules`] is a record of what may repeat, what a pass costs, when the game ends and what counts. [`game`] is where
//! the two meet, the only place. [`playout`] and [`policy`] guide a search; [`search`] is the search; [`engine`] hides which
//! kind of board is behind it; [`gtp`] is how other programs see it.
//!
//! # Layers
//!
//! A room uses what is below it and nothing above; a test says so.
//!
//! ```text
//!  cli · analysis · convert           subcommands, queries in JSON, files of graphs
//!   │
//!  lab · draw                         exact answers, pictures
//!   │
//!  gtp · match · bench · check · training  front ends
//!   │
//!  render · files · replay            what they show, read and play again
//!   │
//!  engine                             where a board type is chosen and erased
//!   │
//!  search · exact · record            tree search · what is certain · game records
//!   │
//!  policy · playout · net             what guides a search
//!   │
//!  game                               board + rules + history
//!   │
//!  rules     board                    what is forbidden and counted · what a stone does
//!   │         │
//!   │        graph                    adjacency, names, specs
//!   └────┬────┘
//!  color · vertex · points · hash · zobrist · text · union_find
//! ```

pub mod analysis;
pub mod arguments;
pub mod bench;
pub mod board;
pub mod check;
pub mod cli;
pub mod color;
pub mod convert;
pub mod draw;
pub mod engine;
pub mod exact;
pub mod files;
pub mod game;
pub mod graph;
pub mod gtp;
pub mod hash;
pub mod heap;
pub mod interrupt;
pub mod lab;
pub mod r#match;
pub mod net;
pub mod playout;
pub mod points;
pub mod policy;
pub mod processor;
pub mod record;
pub mod render;
pub mod replay;
pub mod rules;
pub mod search;
pub mod text;
pub mod training;
pub mod union_find;
pub mod vertex;
pub mod zobrist;
