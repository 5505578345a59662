# Shorthands; every line is the command that CONTRIBUTING.md explains.

# Everything that has to pass.
ci:
    .ci/run

# The tests.
test:
    cargo test

# Answers in gtp-tests/ and docs/gtp.md, written anew: read the difference before committing it.
bless:
    OMNIGO_BLESS=1 cargo test --test program --lib

# Speed of boards, playouts and search, with a signature of behaviour.
bench:
    cargo run --release -- bench

# Criterion's statistics for the same.
criterion:
    cargo bench

# Memory and time of a search against board size, as a picture.
cost FILE="cost.svg":
    cargo run --release -- bench cost --time 2 --out {{FILE}}

# The table of graphs in docs/performance.md; games are kept in FOLDER.
graphs FOLDER GAMES="40" PLAYOUTS="400":
    cargo build --release
    cargo run --release --example graphs -- {{FOLDER}} {{GAMES}} {{PLAYOUTS}}
