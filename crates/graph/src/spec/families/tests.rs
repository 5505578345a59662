//! Tests of all families: the table, predicted sizes, and properties of drawings.

use super::solids::crosses;
use super::test_boards::SMALL;
use super::*;
use crate::spec::Spec;

/// Families whose number of vertices is known only after building.
const ROUGH: &[&str] = &["penrose", "voronoi"];

fn operand(text: &str) -> (&'static Family, Recipe, BoardParts) {
    let (name, arguments) = text.split_once(':').unwrap_or((text, ""));
    let family = find(name).unwrap_or_else(|| panic!("{text}"));
    let recipe = (family.read)(family, arguments).unwrap_or_else(|error| panic!("{text}: {error}"));
    let part =
        (recipe.build)(&Reading::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
    (family, recipe, part)
}

#[test]
fn the_table_is_well_formed() {
    for (i, family) in table().enumerate() {
        assert_eq!(family.name, family.name.to_ascii_lowercase());
        assert!(family.sentence.ends_with('.'), "{}", family.name);
        assert!(!family.sentence.contains('\n'), "{}", family.name);
        assert!(
            table().skip(i + 1).all(|other| other.name != family.name),
            "{}",
            family.name
        );
    }
    assert_eq!(list().count(), table().count());
}

#[test]
fn every_family_has_a_small_board() {
    let is_missing = |family: &&Family| {
        let name = |text: &&&str| text.split(':').next() == Some(family.name);
        !SMALL.iter().any(|text| name(&text))
    };
    let missing: Vec<&str> = table()
        .filter(|family| !family.operator)
        .filter(is_missing)
        .map(|family| family.name)
        .collect();
    assert_eq!(
        missing,
        ["edges", "graph6", "sparse6", "file", "space"],
        "they are text"
    );
}

#[test]
fn sizes_are_predicted() {
    for text in SMALL {
        let (family, recipe, part) = operand(text);
        let (vertices, predicted) = (part.vertices as u64, recipe.size.vertices);
        if ROUGH.contains(&family.name) {
            assert!(vertices <= predicted, "{text}: {vertices} of {predicted}");
        } else {
            assert_eq!(vertices, predicted, "{text}");
        }
        let edges = recipe.size.edges;
        assert!(edges == 0 || part.edges.len() as u64 <= edges, "{text}");
        assert!(
            part.edges
                .iter()
                .all(|&(a, b)| usize::from(a.max(b)) < part.vertices),
            "{text}"
        );
    }
}

#[test]
fn texts_are_canonical() {
    for text in SMALL {
        let (family, recipe, _) = operand(text);
        let written = if recipe.arguments.is_empty() {
            family.name.to_string()
        } else {
            format!("{}:{}", family.name, recipe.arguments)
        };
        let again: Spec = written.parse().unwrap();
        assert_eq!(again.to_string(), written, "{text}");
    }
}

#[test]
fn drawings_have_their_declared_properties() {
    let mut crossed = Vec::new();
    for text in SMALL {
        let goban = text.parse::<Spec>().unwrap().build().unwrap();
        let Some(drawing) = &goban.drawing else {
            continue;
        };
        assert_eq!(drawing.places.len(), goban.graph.vertices(), "{text}");
        assert!(
            drawing.places.iter().flatten().all(|part| part.is_finite()),
            "{text}"
        );
        for (i, a) in drawing.places.iter().enumerate() {
            let near = |b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-3;
            assert!(
                !drawing.places[..i].iter().any(near),
                "{text}: {i} lies on another"
            );
        }
        if let Some(solid) = &drawing.solid {
            assert_eq!(solid.len(), drawing.places.len(), "{text}");
        }
        let edges: Vec<(usize, usize)> = goban
            .graph
            .all()
            .flat_map(|a| {
                goban
                    .graph
                    .neighbors(a)
                    .iter()
                    .map(move |&b| (a.index(), b.index()))
            })
            .filter(|(a, b)| a < b)
            .collect();
        for wrap in drawing.wraps.iter() {
            assert!(goban.graph.adjacent(wrap.ends[0], wrap.ends[1]), "{text}");
        }
        if drawing.planar {
            assert!(drawing.wraps.is_empty(), "{text}");
            if crosses(&drawing.places, &edges) {
                crossed.push(text);
            }
        }
    }
    assert!(crossed.is_empty(), "crossings in {crossed:?}");
}

#[test]
fn most_vertices_have_the_full_degree() {
    for (text, degree) in [
        ("hexhex:6", 6),
        ("honeycomb:5", 3),
        ("brick:9x9", 3),
        ("kagome:5", 4),
        ("rhombitrihexagonal:5", 4),
        ("snubhexagonal:5", 5),
        ("truncatedhexagonal:5", 3),
        ("truncatedtrihexagonal:4", 3),
        ("truncatedsquare:6", 3),
        ("snubsquare:9", 5),
        ("elongatedtriangular:9x9", 5),
        ("triangular:9", 6),
        ("cubesurface:3", 4),
        ("diamond:7", 4),
        ("torus:5", 4),
        ("klein:5", 4),
    ] {
        let goban = text.parse::<Spec>().unwrap().build().unwrap();
        let graph = &goban.graph;
        let degrees: Vec<usize> = graph.all().map(|v| graph.degree(v)).collect();
        assert_eq!(degrees.iter().max(), Some(&degree), "{text}");
        // Most vertices are in the interior.
        let full = degrees.iter().filter(|&&d| d == degree).count();
        assert!(
            2 * full > degrees.len(),
            "{text}: {full} of {}",
            degrees.len()
        );
    }
}

#[test]
fn operators_take_and_print_operands() {
    for (text, canonical) in [
        ("line(petersen)", "line(petersen)"),
        ("Line:(Petersen)", "line(petersen)"),
        ("line((path:3+cycle:4))", "line(path:3+cycle:4)"),
        ("product(path:2,grid:3)", "product(path:2,grid:3x3)"),
        (
            "product(circulant:12,1,3,path:2)",
            "product((circulant:12,1,3),path:2)",
        ),
        (
            "product((edges:a-b,b-c),path:2)",
            "product((edges:a-b,b-c),path:2)",
        ),
        (
            "strong(line(cube),path:2)+cycle:3",
            "strong(line(cube),path:2)+cycle:3",
        ),
        ("remove(grid:3,B2,A1-A2)", "remove(grid:3x3,B2,A1-A2)"),
        ("remove((gnp:9,1),0,1)", "remove((gnp:9,1,1),0,1)"),
        ("komi(grid:5,7)", "komi(grid:5x5,7)"),
        ("remove((edges:a-b),a)", "remove(edges:a-b,a)"),
        ("remove((edges:a-b),a,b)", "remove((edges:a-b),a,b)"),
        (
            "komi(quotient((path:2+edges:a-b),a=b,b=a),2)",
            "komi(quotient((path:2+edges:a-b),a=b,b=a),2)",
        ),
    ] {
        let spec: Spec = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(spec.to_string(), canonical);
        let (board, again) = (
            spec.build().unwrap(),
            canonical.parse::<Spec>().unwrap().build().unwrap(),
        );
        assert_eq!(board.graph, again.graph, "{text}");
    }
    let words = Spec::from_words(&["product", "path:2", "cycle:5"]).unwrap();
    assert_eq!(words.to_string(), "product(path:2,cycle:5)");
}

/// Returns a spec built from the letters of a seed. Each operand may get needless parentheses.
fn spec_of(seed: &mut impl Iterator<Item = u8>, depth: usize) -> String {
    const PLAIN: &[&str] = &[
        "grid:3",
        "cube",
        "circulant:9,1,3",
        "circulant:9",
        "edges:a-b",
        "edges:a-b,c",
        "file:x",
        "file:x,b",
        "space:(path:2)",
        "delaunay:9",
        "graph6:Bw",
    ];
    const WORDS: &[&str] = &["a", "a-b", "edges", "0", "3"];
    let mut pick = |count: usize| usize::from(seed.next().unwrap_or(0)) % count;
    let (kind, more, extra) = (pick(7), pick(2), pick(3));
    let chosen = [pick(PLAIN.len()), pick(WORDS.len()), pick(WORDS.len())];
    if depth == 0 || kind < 2 {
        return PLAIN[chosen[0]].to_string();
    }
    let first = spec_of(seed, depth - 1);
    let second = match more {
        0 => WORDS[chosen[1]].to_string(),
        _ => format!("{},{}", WORDS[chosen[1]], WORDS[chosen[2]]),
    };
    let first = if extra == 0 {
        first
    } else {
        format!("({first})")
    };
    match kind {
        2 => format!("path:2+{}", spec_of(seed, depth - 1)),
        3 => format!("line({first})"),
        4 => format!("komi({first},3)"),
        5 => format!("strong({first},({}))", spec_of(seed, depth - 1)),
        _ => format!("remove({first},{second})"),
    }
}

proptest::proptest! {
    #[test]
    fn canonical_texts_are_read_as_the_same_spec(seed in proptest::collection::vec(0u8.., 40)) {
        let text = spec_of(&mut seed.into_iter(), 4);
        if let Ok(spec) = text.parse::<Spec>() {
            let canonical = spec.to_string();
            let again = canonical.parse::<Spec>().map(|spec| spec.to_string());
            proptest::prop_assert_eq!(again, Ok(canonical), "{}", text);
        }
    }
}

#[test]
fn operators_reject_bad_input_with_one_line() {
    let refusal = |text: &str| match text.parse::<Spec>().and_then(|spec| spec.build()) {
        Ok(_) => panic!("{text} is a board"),
        Err(error) => error.to_string(),
    };
    for (text, line) in [
        (
            "line",
            "invalid board spec 'line', expected line(SPEC) with its operands in parentheses",
        ),
        (
            "line:path:3",
            "invalid board spec 'line:path:3', expected line(SPEC) with its operands in parentheses",
        ),
        (
            "path:2+Line_Graph:path:3",
            "invalid board spec 'Line_Graph:path:3', expected line(SPEC) with its operands in parentheses",
        ),
        (
            "line(Torus(9x9))",
            "invalid board spec 'Torus(9x9)', expected torus:WxH with numbers from 1",
        ),
        (
            "line(path:0)",
            "invalid board spec 'path:0', expected path:N with numbers from 1",
        ),
        (
            "product(path:2)",
            "invalid board spec 'product(path:2)', expected product(SPEC,SPEC)",
        ),
        (
            "remove(edges:a-b,b-c,c)",
            "invalid board spec 'remove(edges:a-b,b-c,c)', expected remove(SPEC,V,U-V,...) with parentheses around an operand that contains a comma, because this can be read in two ways",
        ),
        (
            "remove(grid:3,Z9)",
            "invalid board spec 'remove(grid:3x3,Z9)': 'Z9' is neither a vertex nor an edge of this graph",
        ),
        (
            "remove(grid:3,A1-C3)",
            "invalid board spec 'remove(grid:3x3,A1-C3)': 'A1-C3' is neither a vertex nor an edge of this graph",
        ),
        (
            "dual(petersen)",
            "invalid board spec 'dual(petersen)': expected a planar graph",
        ),
        (
            "line(space:(path:2))",
            "invalid board spec 'line(space:(path:2))': expected the spec of a graph, not of a go-space or a Mango board",
        ),
        (
            "line(star:60000)",
            "too many edges in 'line(star:60000)', expected at most 4000000",
        ),
        (
            "complement(path:65535)",
            "too many edges in 'complement(path:65535)', expected at most 4000000",
        ),
        (
            "product(path:300,path:300)",
            "too many vertices in 'product(path:300,path:300)', expected at most 65535",
        ),
        (
            "line(line(line(line(line(line(line(path:3)))))))",
            "parentheses 7 deep in board spec, expected at most 16 pairs, nested at most 6 deep",
        ),
    ] {
        assert_eq!(refusal(text), line);
    }
    // Its canonical text would be nested 7 deep.
    assert!(refusal("line(line(line(line(line(komi(circulant:9,1,3))))))").contains("7 deep"));
    let many = ["line(path:1)"; 17].join("+");
    assert_eq!(
        refusal(&many),
        "parentheses 17 times in board spec, expected at most 16 pairs, nested at most 6 deep"
    );
}

#[test]
fn operators_take_over_warnings_and_stones() {
    let build = |text: &str| {
        let spec: Spec = text.parse().unwrap();
        spec.build()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    for operator in [
        "line(X)",
        "dual(X)",
        "complement(X)",
        "product(path:2,X)",
        "komi(X,3)",
    ] {
        let board = build(&operator.replace('X', "(edges:a-b,b-c,c-a,b-a)"));
        let warning = "parallel edges merged from edges: 1, the first is 'b-a'";
        assert_eq!(board.warnings, [warning], "{operator}");
    }
    // Names of the operand are looked up, and the rest keeps them.
    let clash = "label 'A2' matches the alias of another vertex, the alias takes precedence";
    assert_eq!(build("remove((edges:x-A2,y,z),z)").warnings, [clash]);
    assert_eq!(build("line(edges:x-A2,y,z)").warnings, [""; 0]);

    let path = build("quotient(komipath:3,0=1)");
    let stones = build("komipath:3").start.into_iter().flatten().count();
    assert_eq!(path.start.iter().flatten().count(), stones);
}

#[test]
fn duals_follow_locations_without_crossings() {
    // Between a and c, two paths p and q, and two diamonds x-y and u-v, in either order.
    let degrees = |places: &str| {
        let edges = "a-p,p-c,a-q,q-c,a-x,x-c,a-y,y-c,x-y,a-u,u-c,a-v,v-c,u-v";
        let text = format!("dual((edges:{edges},a@0/0,c@0/10,x@-4/5,y@-3/5,{places},q@4/5))");
        let board = text.parse::<Spec>().unwrap().build().unwrap();
        let mut degrees: Vec<usize> = board.graph.all().map(|v| board.graph.degree(v)).collect();
        degrees.sort_unstable();
        degrees
    };
    assert_eq!(degrees("p@-2/5,u@0/5,v@1/5"), [3; 8]);
    assert_eq!(degrees("u@-2/5,v@-1/5,p@1/5"), [2, 3, 3, 3, 3, 3, 3, 4]);
}

/// The remaining vertices of a grid keep their coordinates.
#[test]
fn removing_vertices_keeps_the_names_of_the_rest() {
    let board = "remove(grid:3,B2)"
        .parse::<Spec>()
        .unwrap()
        .build()
        .unwrap();
    let names: Vec<String> = board.graph.all().map(|v| board.names.alias(v)).collect();
    assert_eq!(names, ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"]);
    assert_eq!(board.names.find("b2"), None);
    assert!(board.warnings.is_empty());
}

/// Tests other common names, and those in networkx, in govariants, and in Ludii.
#[test]
fn synonyms_of_families_are_accepted() {
    for (text, canonical) in [
        ("Complete-Bipartite:2x3", "bipartite:2x3"),
        ("complete_bipartite_graph:2x3", "bipartite:2x3"),
        ("trihexagonal:2", "kagome:2"),
        ("T3636:2", "kagome:2"),
        ("polygonal:2", "rhombitrihexagonal:2"),
        ("snub-cube", "snubcube"),
        ("truncated icosahedron", "c60"),
        ("snub_square:4", "snubsquare:4x4"),
        ("circular:3x5", "rings:3x5"),
        ("watts-strogatz:9,4,0.1", "smallworld:9,4,0.1,1"),
        ("Barabasi_Albert_graph:9,2", "barabasi:9,2,1"),
        ("generalised-petersen:7,2", "gpetersen:7,2"),
        ("line_graph(petersen)", "line(petersen)"),
        ("cartesian(path:2,path:3)", "product(path:2,path:3)"),
        ("dodecahedral_graph", "dodecahedron"),
        ("möbius:3", ""),
        ("graph:3", ""),
        ("-:3", ""),
    ] {
        let text = text.replace(' ', "");
        match text.parse::<Spec>() {
            Ok(spec) => assert_eq!(spec.to_string(), canonical, "{text}"),
            Err(error) => assert_eq!(canonical, "", "{text}: {error}"),
        }
    }
    for &(name, family) in synonyms::SYNONYMS {
        assert!(
            find(name).is_some_and(|found| found.name == family),
            "{name}"
        );
        assert!(
            table().all(|family| family.name != name),
            "{name} is a family"
        );
        assert_eq!(synonyms::plain(name), name, "{name}");
    }
}

#[test]
fn pieces_of_the_penrose_tiling_are_as_small_as_predicted() {
    for n in 2..=40 {
        let (_, recipe, part) = operand(&format!("penrose:{n}"));
        let vertices = part.vertices as u64;
        assert!(vertices <= recipe.size.vertices, "{n}: {vertices}");
    }
    // The largest piece has 65,171 vertices, of 65,535 that a board can have.
    assert!("penrose:130".parse::<Spec>().is_ok());
    assert!("penrose:131".parse::<Spec>().is_err());
}
