//! Examples at the end of the help texts, and usage lines. A test checks that the examples parse.

pub(super) const OMNIGO: &str = "\
Examples:
  omnigo play petersen                      a board in the browser
  omnigo gtp --graph torus:9x9 --time 5     GTP, with five seconds per move
  omnigo solve grid:3 --ruleset tromp-taylor
  omnigo graph hexhex:3 --to svg --out board.svg

'omnigo COMMAND --help' explains a command, 'omnigo man DIR' writes manual pages.";

pub(super) const GTP: &str = "\
Examples:
  omnigo gtp
  omnigo gtp torus:9x9 --ruleset chinese,komi=6.5
  omnigo gtp --size 9 --playouts 1000 --threads 1 --log game.log";

pub(super) const ANALYSIS: &str = "\
Examples:
  omnigo analysis < queries.jsonl > answers.jsonl
  omnigo analysis petersen --ruleset tromp-taylor --playouts 200";

pub(super) const CONFIG: &str = "\
Examples:
  omnigo config --out omnigo.toml
  omnigo gtp --config omnigo.toml --time 5";

pub(super) const BENCH: &str = "\
Examples:
  omnigo bench
  omnigo bench net --json
  omnigo bench net --net FILE.bin.gz --net-kernel avx2,avx2int16";

pub(super) const GRAPH: &str = "\
Examples:
  omnigo graph petersen --info
  omnigo graph hexhex:3 --to svg --out board.svg
  omnigo graph edges:a-b,b-c,c-a --to graph6

'echo list_graphs | omnigo' lists all families of boards.";

/// Both orders of the arguments of a subcommand that needs a board. One list cannot show them.
macro_rules! board_usage {
    ($subcommand:literal) => {
        concat!(
            "omnigo ",
            $subcommand,
            " [OPTIONS] <SPEC>\n",
            "       omnigo ",
            $subcommand,
            " [OPTIONS] --graph <SPEC>"
        )
    };
}

pub(super) const GRAPH_USAGE: &str = board_usage!("graph");
pub(super) const KOMI_USAGE: &str = board_usage!("komi");
pub(super) const LIFE_USAGE: &str = board_usage!("life");
pub(super) const SOLVE_USAGE: &str = board_usage!("solve");

pub(super) const CHECK_USAGE: &str = "\
omnigo check [OPTIONS] <SPEC> <MOVES>
       omnigo check [OPTIONS] --graph <SPEC> <MOVES>";

pub(super) const CHECK: &str = "\
Examples:
  omnigo check path:3 1,pass,pass
  omnigo check --graph grid:2x1 pass,B1,A1,pass,pass --json";

pub(super) const ATLAS: &str = "\
Examples:
  omnigo atlas --vertices 4 --out atlas
  omnigo atlas --vertices 5 --out atlas --seconds 60 --total-seconds 3600";

/// Both orders of the arguments, which one list cannot show.
pub(super) const COUNT_USAGE: &str = "\
omnigo count [OPTIONS] <SPEC> <WHAT>
       omnigo count [OPTIONS] <WHAT> --graph <SPEC>";

pub(super) const COUNT: &str = "\
Quantities:
  positions   legal positions with stones of --colors colors
  games       simple paths from the empty position, as under positional superko
  perft       sequences of --depth moves from the start under --ruleset
  polynomial  the Go polynomial: legal positions for every number of colors
  moves       statistics of the game graph: positions and the moves between them

Examples:
  omnigo count grid:5 positions
  omnigo count path:3 games
  omnigo count perft --graph cycle:4 --depth 3";

pub(super) const LIFE: &str = "\
Examples:
  omnigo life path:5 --position .X.X.
  omnigo life --graph grid:3 --position .XOXXOOO. --json";

pub(super) const PERFECT: &str = "\
Examples:
  omnigo perfect --vertices 3
  omnigo perfect --ruleset ggg --board graph --json";

pub(super) const SOLVE: &str = "\
Examples:
  omnigo solve grid:3 --ruleset tromp-taylor
  omnigo solve cycle:8 --ruleset ggg --seconds 60 --json
  omnigo solve path:4 --ruleset tromp-taylor --position .X.. --first white --moves";

pub(super) const KOMI: &str = "\
Examples:
  omnigo komi path:4
  omnigo komi grid:3 --ruleset tromp-taylor --seconds 60";

pub(super) const PLAY: &str = "\
Examples:
  omnigo play
  omnigo play torus:7x7 --ruleset chinese --komi 6.5
  omnigo play petersen --no-open --port 8080";

pub(super) const RECORD: &str = "\
Examples:
  omnigo record game.sgf --out game.svg
  omnigo record game.json --every 10 --columns 4 --out game.png";

pub(super) const REVIEW: &str = "\
Examples:
  omnigo review game.sgf --playouts 1000 --out reviewed.sgf --picture graph.svg
  omnigo review game.json --json";

pub(super) const MATCH: &str = "\
Examples:
  omnigo match grid:9 --black 'omnigo gtp --playouts 100' --white 'gnugo --mode gtp' --games 20
  omnigo match torus:9x9 --black omnigo --white 'omnigo --level 5' --games 2 --time-settings 0,1,1";

pub(super) const RATE: &str = "\
Examples:
  omnigo rate games.jsonl more.jsonl";

pub(super) const ROWS: &str = "\
Examples:
  omnigo rows games.txt --out rows.bin --seed 1";

pub(super) const SELFPLAY: &str = "\
Examples:
  omnigo selfplay --out games --games 100 --boards 9 --playouts 100";

pub(super) const LABEL: &str = "\
Examples:
  omnigo label --teacher g170e-b15c192.bin.gz --out labels --games 1000 --boards 9:4,13:2,19:1";

pub(super) const ACCURACY: &str = "\
Examples:
  omnigo accuracy rows.bin --net network.bin";

pub(super) const FIT: &str = "\
Examples:
  omnigo fit games.txt --out weights.bin
  omnigo fit --matches games.jsonl --answers answers.txt";

pub(super) const COMPLETIONS: &str = "\
Examples:
  omnigo completions bash > ~/.local/share/bash-completion/completions/omnigo
  omnigo completions zsh > ~/.zfunc/_omnigo
  omnigo completions fish > ~/.config/fish/completions/omnigo.fish";

pub(super) const MAN: &str = "\
Examples:
  omnigo man | man -l -
  omnigo man ~/.local/share/man/man1";
