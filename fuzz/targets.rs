//! Fuzz targets. Each takes arbitrary bytes and must neither panic nor hang. `cargo fuzz` runs them
//! with coverage. `cargo test --test fuzz` runs them with mutated seeds on the stable toolchain.

use std::io::Cursor;
use std::sync::{Arc, Mutex};
use std::{fs, io};

use omnigo::analysis::query::Perspective;
use omnigo::color::Color;
use omnigo::engine::{Engine, Options};
use omnigo::graph::formats::{Format, Reading};
use omnigo::graph::spec::Spec;
use omnigo::hash::fnv1a;
use omnigo::net::katago::KataGo;
use omnigo::net::kernels::Kernel;
use omnigo::net::leela::LeelaZero;
use omnigo::net::{NetError, Network};
use omnigo::record::{json, sgf};
use omnigo::rules::{Points, RulesetText, presets};
use omnigo::vertex::Move;
use omnigo::{analysis, gtp, replay};

/// A network of Leela Zero up to the first block: one channel, and weights of 0.
const FIRST_LAYER: &str = "1\n\
    0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
    0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
    0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
    0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n\
    0\n0\n1\n\
    0 0 0 0 0 0 0 0 0\n0\n0\n1\n0 0 0 0 0 0 0 0 0\n0\n0\n1\n0 0\n0 0\n0 0\n1 1\n0 0 0\n";

/// A target, and inputs that it parses completely.
pub struct Target {
    /// Name of the target.
    pub name: &'static str,
    /// Runs it on one input.
    pub run: fn(&[u8]),
    /// Valid inputs that mutations start from.
    pub seeds: &'static [&'static str],
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "gtp",
        run: gtp_lines,
        seeds: &[
            "boardsize 5\nplay b c3\ngenmove w\nundo\nshowboard\nfinal_score\n",
            "set_graph petersen\nset_ruleset ggg suicide=no\nlegal_moves b\nis_legal b A1\nposition\n",
            "set_players 3\nplay red a1\nkata-set-rules {\"ko\":\"SIMPLE\"}\ntime_settings 0 1 1\n",
            "set_position b C3 w D4\nunconditional_life b\nprinters\nlz-analyze b 1\nprintsgf\n",
        ],
    },
    Target {
        name: "graphs",
        run: graph_files,
        seeds: &[
            "graph { a -- b, c; d -- e [label=\"x\"] }",
            "graph [ node [ id 1 label \"a\" ] node [ id 2 ] edge [ source 1 target 2 ] ]",
            "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>",
            "{\"nodes\":[{\"id\":1},{\"id\":2}],\"links\":[{\"source\":1,\"target\":2}]}",
            "{\"kind\":\"space\",\"points\":2,\"min_open\":[[0],[0,1]],\"placements\":[[0],[1]]}",
            "p edge 3 2\ne 1 2\ne 2 3\n",
            "a b\nb c\nd\n",
            "IsP@OkWHG\n",
            "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "source,target\na,b\nb,c\n",
            "0 1 0\n1 0 1\n0 1 0\n",
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1/1 2//1 -1\nl 1 \\\n 2\n",
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0\n1 0\n1 1\n3 0 1 2\n",
            "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty uchar x\nproperty short y\nelement edge 1\nproperty uchar vertex1\nproperty uchar vertex2\nend_header\n\0\0\0\u{1}\0\0\0\u{1}",
            "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n",
            // Binary STL with one triangle: a header of 80 bytes, then its number.
            "01234567890123456789012345678901234567890123456789012345678901234567890123456789\u{1}\0\0\0............\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0@\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0@\0\0\0\0\0\0",
            "a pp b c\nb pd d\nlone\n",
            "# a\nb 2.5\nc\n# b\nc\n",
            "dl n=3 format=edgelist1 labels:\na,b,c\ndata:\n1 2 0.5\n2 3\n",
            "dl n=2 labels embedded data:\na b\na 0 1\nb 1 0\n",
            "*Vertices 2\n1 \"a\" 0 0\n*Edges\n1 2\n*Network x\n*Vertices 1\n*Edges\n",
            "{\"nodes\":[{\"id\":1},{\"id\":2}],\"links\":[{\"source\":1,\"target\":2,\"weight\":NaN}]}",
        ],
    },
    Target {
        name: "sgf",
        run: sgf_text,
        seeds: &[
            "(;GM[1]SZ[9]KM[6.5]HA[2]AB[cc][gg]RU[Chinese];W[dd];B[];W[tt])",
            "(;SZ[5:7]C[a\\]b];B[aa](;W[bb])(;W[cc]))",
        ],
    },
    Target {
        name: "json",
        run: json_text,
        seeds: &[
            "{\"kind\":\"game\",\"graph\":\"path:3\",\"ruleset\":\"ggg\",\"moves\":[[\"black\",\"0\"],[\"white\",\"pass\"]]}",
            "{\"id\":\"a\",\"moves\":[[\"B\",\"C3\"]],\"rules\":\"chinese\",\"boardXSize\":5,\"boardYSize\":5,\"maxVisits\":2}",
        ],
    },
    Target {
        name: "specs",
        run: specs,
        seeds: &[
            "grid:3x4+line(cube)",
            "space:(path:3),edges",
            "edges:a-b,b-c,d",
            "gnp:9,0.3,7",
            "remove(product(path:3,cycle:4),0_0)",
        ],
    },
    Target {
        name: "games",
        run: games,
        seeds: &[
            "grid4 0123456789",
            "\u{1}\u{2}\u{3}petersen conway",
            "cycle6 777",
        ],
    },
    Target {
        name: "networks",
        run: networks,
        // Content after the hash: one block of 32 channels, without and with a pooling layer.
        seeds: &[
            "\u{1}\0 \0\u{1}\0\0\u{2}\u{8}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "\u{1}\0 \0\u{1}\0\0\u{2}\u{8}\0\u{1}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        ],
    },
    Target {
        name: "leela",
        run: leela_networks,
        seeds: &[
            "1\n0.5 -1e3 0 1 1 1\n1 2 3\n1 2 3\n1 2 3\n",
            "2\r\n1 2\r\n\r\n",
            FIRST_LAYER,
        ],
    },
    Target {
        name: "katago",
        run: katago_networks,
        // A network of one channel with every kind of block.
        seeds: &[
            "net 17 22 19 20 20 20 20 40 0.25 30 0 0 0 0 0 0 0 0 trunk 5 1 1 1 0 1 1 0 0 0 0 0 c \
             1 1 22 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 m 19 1 1 1 1 1 1 1 1 1 1 1 \
             1 1 1 1 1 1 1 1 1 ordinary_block b n 1 0.1 0 0 1 1 a ACTIVATION_RELU c 3 3 1 1 1 1 1 \
             1 1 1 1 1 1 1 1 n 1 0.1 0 0 1 1 a ACTIVATION_RELU c 1 1 1 1 1 1 1 gpool_block g n 1 \
             0.1 0 0 1 1 a ACTIVATION_RELU c 1 1 1 1 1 1 1 c 1 1 1 1 1 1 1 n 1 0.1 0 0 1 1 a \
             ACTIVATION_RELU m 3 1 1 1 1 n 1 0.1 0 0 1 1 a ACTIVATION_RELU c 1 1 1 1 1 1 1 \
             nested_bottleneck_block d 1 n 1 0.1 0 0 1 1 a ACTIVATION_RELU c 1 1 1 1 1 1 1 \
             ordinary_block b n 1 0.1 0 0 1 1 a ACTIVATION_RELU c 1 1 1 1 1 1 1 n 1 0.1 0 0 1 1 a \
             ACTIVATION_RELU c 1 1 1 1 1 1 1 n 1 0.1 0 0 1 1 a ACTIVATION_RELU c 1 1 1 1 1 1 1 \
             transformer_attention_block t 1 1 2 1 1 1 r 1 0.1 1 q 1 2 1 1 k 1 2 1 1 v 1 1 1 o 1 \
             1 1 f 1 1 2 1 1 transformer_ffn_block f 1 1 1 r 1 0.1 1 i 1 1 1 g 1 1 1 o 1 1 1 tip \
             1 0.1 1 0 1 1 a ACTIVATION_MISH policy 2 0 0 0 p 1 1 1 1 1 1 1 g 1 1 1 1 1 1 1 n 1 \
             0.1 0 0 1 1 a ACTIVATION_RELU m 3 1 1 1 1 n 1 0.1 0 0 1 1 a ACTIVATION_RELU c 1 1 1 \
             2 1 1 1 1 m 3 1 1 1 1 b 1 1 a ACTIVATION_MISH m 1 2 1 1 value 0 0 0 v 1 1 1 1 1 1 1 \
             n 1 0.1 0 0 1 1 a ACTIVATION_RELU m 3 1 1 1 1 b 1 1 a ACTIVATION_MISH m 1 3 1 1 1 b \
             3 1 1 1 m 1 6 1 1 1 1 1 1 b 6 1 1 1 1 1 1 o 1 1 1 1 1 1 1",
        ],
    },
];

/// Options that keep each search short.
fn options() -> Options {
    Options {
        playouts: Some(2),
        seconds: Some(0.05),
        memory_mib: 16,
        ..Options::default()
    }
}

/// A writer that keeps its text for inspection.
#[derive(Clone, Default)]
struct Text(Arc<Mutex<Vec<u8>>>);

impl io::Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parts of commands that are left out: they write to a path in the input, or take seconds by
/// design.
const LEFT_OUT: &[&str] = &[
    "file",
    "save_game",
    "printsgf",
    "write_svg",
    "load",
    "solve",
    "komi_parameter",
    "count",
    "perft",
    "analy",
    "ponder",
    "time",
    "param",
    "penrose",
    "sleep",
];

/// Sends the lines to an engine. No answer may report an internal error.
fn gtp_lines(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let quick = |line: &&str| {
        let line = line.to_ascii_lowercase();
        let long_number = line
            .split(|c: char| !c.is_ascii_digit())
            .any(|n| n.len() > 2);
        !long_number && !LEFT_OUT.iter().any(|word| line.contains(word))
    };
    let lines: Vec<&str> = text.lines().filter(quick).take(40).collect();
    let goban = "grid:5".parse::<Spec>().unwrap().build().unwrap();
    let rules = presets::find("tromp-taylor").unwrap().rules.clone();
    let engine = Engine::new(goban, rules, Points::ZERO, options()).unwrap();
    let output = Text::default();
    let input = Cursor::new(lines.join("\n").into_bytes());
    gtp::serve(engine, false, input, output.clone(), gtp::Bot::default()).unwrap();
    let said = output.0.lock().unwrap();
    let said = String::from_utf8_lossy(&said);
    assert!(!said.contains("internal error"), "{text:?}");
}

/// Reads the bytes as a file in each format. A board that is read must survive a round trip.
fn graph_files(data: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    io::Write::write_all(&mut file, data).unwrap();
    let spec = format!("file:{}", file.path().display())
        .parse::<Spec>()
        .unwrap();
    let formats = Format::names().map(Format::find);
    for from in [None].into_iter().chain(formats) {
        let reading = Reading {
            from,
            symmetrize: true,
            number: None,
            limits: None,
        };
        let Ok(goban) = spec.clone().reading(reading).build() else {
            continue;
        };
        // A board that was read can be written, and reading it again gives the same board.
        let writer = Format::find("json").unwrap();
        let Ok((text, _)) = writer.write(&goban) else {
            continue;
        };
        let again = tempfile::NamedTempFile::with_suffix(".json").unwrap();
        fs::write(again.path(), text).unwrap();
        let spec = format!("file:{}", again.path().display())
            .parse::<Spec>()
            .unwrap();
        let read = spec.build().unwrap();
        assert_eq!(read.graph.vertices(), goban.graph.vertices());
        assert_eq!(read.graph.edges(), goban.graph.edges());
    }
}

/// Reads the text as SGF and writes the record.
fn sgf_text(data: &[u8]) {
    if let Ok(record) = sgf::parse(&String::from_utf8_lossy(data)) {
        let _ = record.write();
    }
}

/// Reads the text as a saved game and as a JSON query. Skips boards that could be large.
fn json_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if !text.contains("file:")
        && let Ok(game) = json::parse(&text, None)
    {
        let _ = replay::rehearse(&game);
    }
    let small = text
        .split(|c: char| !c.is_ascii_digit())
        .all(|n| n.len() < 3);
    if small && !text.contains("file:") && !text.contains("graph") {
        let defaults = analysis::Defaults {
            graph: None,
            rules: presets::find("chinese").unwrap().rules.clone(),
            komi: Points::ZERO,
            playouts: 2,
            perspective: Perspective::ToMove,
            positions: 1,
            options: options(),
        };
        let line = text.replace('\n', " ");
        analysis::serve(&defaults, Cursor::new(line.into_bytes()), io::sink(), None).unwrap();
    }
}

/// Reads the text as a spec. Its canonical text must parse to the same spec.
fn specs(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let small = text
        .split(|c: char| !c.is_ascii_digit())
        .all(|n| n.len() < 3);
    if !small || text.contains("file") || text.len() > 80 {
        return;
    }
    if let Ok(spec) = text.trim().parse::<Spec>() {
        let again = spec.to_string().parse::<Spec>().unwrap();
        assert_eq!(again.to_string(), spec.to_string());
    }
}

/// Plays the bytes as moves and undoes some of them. Undo and a saved record must restore the same
/// game.
fn games(data: &[u8]) {
    const BOARDS: &[&str] = &[
        "grid:4",
        "petersen",
        "cycle:6",
        "komipath:5",
        "torus:3x4",
        "space:(path:3),edges",
    ];
    const RULES: &[&str] = &[
        "tromp-taylor",
        "chinese",
        "japanese",
        "aga-button",
        "conway",
        "conway-prisoners",
        "ggg",
        "famine",
        "formal",
    ];
    let [board, ruleset, moves @ ..] = data else {
        return;
    };
    let goban = BOARDS[*board as usize % BOARDS.len()]
        .parse::<Spec>()
        .unwrap()
        .build()
        .unwrap();
    let rules = RULES[*ruleset as usize % RULES.len()]
        .parse::<RulesetText>()
        .unwrap()
        .rules;
    let Ok(mut engine) = Engine::new(goban, rules, Points::ZERO, options()) else {
        return;
    };
    let state = |engine: &Engine| {
        let legal = Color::all(2)
            .map(|color| engine.legal_moves(color))
            .collect::<Vec<_>>();
        (
            engine.position(),
            engine.moves(),
            engine.to_move(),
            engine.prisoners(),
            legal,
            engine.resigned(),
        )
    };
    let mut states = vec![state(&engine)];
    for &byte in moves.iter().take(64) {
        let color = if byte & 1 == 0 {
            Color::BLACK
        } else {
            Color::WHITE
        };
        match byte >> 1 {
            0..4 if states.len() > 1 => {
                assert!(engine.undo());
                states.pop();
                assert_eq!(Some(&state(&engine)), states.last());
            }
            4 => {
                if engine.resigned().is_none() && engine.resign(color).is_ok() {
                    states.push(state(&engine));
                }
            }
            number => {
                let legal = engine.legal_moves(color);
                let mv = legal
                    .get(number as usize % legal.len().max(1))
                    .copied()
                    .unwrap_or(Move::Pass);
                if engine.resigned().is_none() && engine.play(color, mv).is_ok() {
                    states.push(state(&engine));
                }
            }
        }
    }
    let record = replay::game(&engine);
    if let Ok(text) = record.write(&replay::played(&engine)) {
        let read = json::parse(&text, None).unwrap();
        let again = replay::engine(&read, usize::MAX, options()).unwrap();
        assert_eq!(again.position(), engine.position());
        assert_eq!(again.moves(), engine.moves());
    }
}

/// Maximum size of a network file that a target fills up, in bytes.
const MOST_FILLED: usize = 1 << 20;

/// Reads the bytes as a file, and as the content of a file with the right hash and size.
fn networks(data: &[u8]) {
    let read = |content: &[u8]| {
        let hash = fnv1a(content).to_le_bytes();
        let file = [&b"omnigoNN\x01\0\0\0"[..], &hash[..], content].concat();
        Network::from_bytes(&file)
    };
    let _ = Network::from_bytes(data);
    // The error names the right size.
    if let Err(NetError::Size(found, expected)) = read(data)
        && found < expected
        && expected <= MOST_FILLED
    {
        let mut content = data.to_vec();
        content.resize(data.len() + expected - found, 0);
        let _ = read(&content);
    }
}

fn katago_networks(data: &[u8]) {
    let _ = KataGo::read(Cursor::new(data), data.len() as u64);
    let length = data.len() as u64;
    let _ = KataGo::read_packed(data, length, length, 0, Kernel::Portable);
}

fn leela_networks(data: &[u8]) {
    let _ = LeelaZero::is_start_of_file(data);
    let _ = LeelaZero::read(Cursor::new(data), data.len() as u64);
}
