//! Mango sets and go-spaces in files.

use super::*;

#[test]
fn coordinates_are_two_or_three_per_vertex() {
    for list in ["0", "0,0,0,0", "0,0,0,0,0,0,0,0"] {
        for text in [
            format!("{{\"coordinates\":[[{list}],[1,1]],\"adjacencyList\":[[1],[0]]}}"),
            format!(
                "{{\"kind\":\"mango\",\"vertices\":1,\"edges\":[],\"coordinates\":[[{list}]]}}"
            ),
            format!(
                "{{\"kind\":\"space\",\"points\":1,\"min_open\":[[ 0 ]],\"placements\":[[ 0 ]],\"coordinates\":[[{list}]]}}"
            ),
        ] {
            let told = read_as("json", &text).expect_err(&text);
            let blamed = ["coordinates", "places"]
                .iter()
                .any(|word| told.contains(word));
            assert!(blamed, "{told}");
            let sound = text.replacen(&format!("[[{list}]"), "[[0,0]", 1);
            assert!(read_as("json", &sound).is_ok(), "{sound}");
        }
    }
}

#[test]
fn mango_sets_and_go_spaces_round_trip() {
    let text = r#"{"kind":"mango","vertices":3,"edges":[[0,1],[1,2]],"weights":[1,-0.50,0.125],"threshold":[[-1.5,0],[2,2]],
        "black":[2],"white":[0],"scores":[0,5.5],"first":"white","labels":["a","b","c"],"coordinates":[[0,0],[1,0],[1,1]]}"#;
    let set = read_as("json", text).unwrap();
    for name in ["json", "graphml", "gml", "dot"] {
        let (text, _) = named(name).write(&set).unwrap();
        let back = read_as(name, &text).unwrap();
        let (Surface::Mango(a), Surface::Mango(b)) = (&set.surface, &back.surface) else {
            panic!("{name}: {text}")
        };
        assert!(a == b, "{name}: {text}");
        assert_eq!((&back.graph, &back.start), (&set.graph, &set.start));
        assert_eq!(back.drawing, set.drawing, "{name}: {text}");
    }
    assert!(
        named("graph6")
            .write(&set)
            .unwrap_err()
            .contains("cannot store weights")
    );
    let space = "space:(grid:2),edges"
        .parse::<Spec>()
        .unwrap()
        .build()
        .unwrap();
    let (text, _) = named("json").write(&space).unwrap();
    let back = read_as("json", &text).unwrap();
    let (Some(a), Some(b)) = (space.space(), back.space()) else {
        panic!("{text}")
    };
    assert_eq!((a.points(), a.placements()), (b.points(), b.placements()));
    assert_eq!(back.graph, space.graph);
    assert_eq!(labels(&back), labels(&space));
    assert!(
        named("gml")
            .write(&space)
            .unwrap_err()
            .contains("expected json")
    );
}

#[test]
fn mango_sets_keep_all_labels_and_colors() {
    let text = r#"graph [ threshold "odd" node [ id 0 label "(0,1)" stone "red" ] node [ id 1 label "b-c" ] edge [ source 0 target 1 ] ]"#;
    let set = read_as("gml", text).unwrap();
    let (text, _) = named("json").write(&set).unwrap();
    let back = read_as("json", &text).unwrap();
    assert_eq!(labels(&back), ["(0,1)", "b-c"]);
    assert_eq!(back.start, set.start);
    assert_eq!(back.start[0].unwrap().to_string(), "red");
}

#[test]
fn boards_with_computed_drawings_are_read_again() {
    for spec in [
        "space:(king:2),edges",
        "space:(king:2),pairs",
        "space:(torus:3),edges,pairs",
        "space:(komipath:4)",
        "subdivide(wheel:2)",
        "subdivide(edges:a-b,c,a@0/0,b@2/0,c@1/0)",
        "product((edges:a-b,a@0/0,b@0.5/0),(edges:0-1,1-2,2-3,3-0,0@0/0,1@1/0,2@1/1,3@0/1))",
    ] {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        let (text, left_out) = named("json").write(&goban).unwrap();
        assert_eq!(left_out, [""; 0], "{spec}");
        let back = read_as("json", &text).unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_eq!(back.start, goban.start, "{spec}");
        let places = |goban: &Goban| goban.drawing.as_ref().map(|drawing| drawing.places.clone());
        assert_eq!(places(&back), places(&goban), "{spec}");
    }
}

#[test]
fn equal_coordinates_of_spaces_and_mango_sets_are_set_apart() {
    let places = r#""coordinates":[[0,0],[1,0],[1,0]]"#;
    for text in [
        format!(r#"{{"kind":"mango","vertices":3,"edges":[],{places}}}"#),
        format!(
            r#"{{"kind":"space","points":3,"min_open":[[0],[1],[2]],"placements":[[0],[1],[2]],{places}}}"#
        ),
    ] {
        let goban = read_as("json", &text).unwrap();
        assert_eq!(
            goban.warnings,
            [
                "coordinates moved apart in 'graph': 1, the first are those of vertex 2, equal to those of vertex 1"
            ]
        );
    }
}

#[test]
fn operators_of_files_take_any_board() {
    let path = std::env::temp_dir().join(format!("omnigo-any-board-{}.json", std::process::id()));
    for text in [
        r#"{"kind":"mango","vertices":2,"edges":[[0,1]],"threshold":"odd","red":[1],"labels":["a","b"]}"#,
        r#"{"kind":"space","points":2,"min_open":[[0],[0,1]],"placements":[[0,1]],"white":[1],"point_labels":["p","q"]}"#,
    ] {
        std::fs::write(&path, text).unwrap();
        let file = format!("file:{}", path.display());
        let plain = file.parse::<Spec>().unwrap().build().unwrap();
        let json = |goban: &Goban| named("json").write(goban).unwrap().0;
        for operator in [format!("symmetrize({file})"), format!("pick({file},1)")] {
            let goban = operator.parse::<Spec>().unwrap().build().unwrap();
            assert_eq!(json(&goban), json(&plain));
        }
        let line = format!("line(symmetrize({file}))")
            .parse::<Spec>()
            .unwrap()
            .build();
        assert!(
            line.unwrap_err()
                .to_string()
                .contains("expected the spec of a graph")
        );
    }
    std::fs::remove_file(&path).unwrap();
}
