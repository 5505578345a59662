//! Rejected specs, and the limits of board sizes.

use super::*;

#[test]
fn invalid_specs_are_rejected_with_a_reason() {
    for (text, line) in [
        ("", "empty board spec, expected one such as grid:9x9"),
        (
            "grid",
            "invalid board spec 'grid', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:",
            "invalid board spec 'grid:', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:0",
            "invalid board spec 'grid:0', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:-3x4",
            "invalid board spec 'grid:-3x4', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:3x4x5",
            "invalid board spec 'grid:3x4x5', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:9.5",
            "invalid board spec 'grid:9.5', expected grid:WxH with numbers from 1",
        ),
        (
            "grid:9 x9",
            "invalid board spec 'grid:9 x9', expected grid:WxH with numbers from 1",
        ),
        (
            "grid3d:2x2",
            "invalid board spec 'grid3d:2x2', expected grid3d:AxBxC with numbers from 1",
        ),
        (
            "bipartite:3",
            "invalid board spec 'bipartite:3', expected bipartite:AxB with numbers from 1",
        ),
        (
            "path:0",
            "invalid board spec 'path:0', expected path:N with numbers from 1",
        ),
        (
            "komipath:1",
            "invalid board spec 'komipath:1', expected komipath:N with numbers from 2",
        ),
        (
            "petersen:3",
            "invalid board spec 'petersen:3', expected petersen without arguments",
        ),
        (
            "edges:a-b,,c",
            "invalid edge '', expected two names such as a-b, or one name for an isolated vertex",
        ),
        (
            "edges:a-",
            "invalid edge 'a-', expected two names such as a-b, or one name for an isolated vertex",
        ),
        (
            "edges:a-b-c",
            "invalid edge 'a-b-c', expected two names such as a-b, or one name for an isolated vertex",
        ),
        (
            "edges:a/b-c",
            "invalid vertex name 'a/b', expected letters, digits, _ . or ', and neither pass nor resign",
        ),
        (
            "edges:a-Pass",
            "invalid vertex name 'Pass', expected letters, digits, _ . or ', and neither pass nor resign",
        ),
        (
            "graph6:",
            "invalid board spec 'graph6:', expected graph6:TEXT such as graph6:IsP@OkWHG",
        ),
        (
            "graph6:IsP@OkW",
            "invalid graph6 'IsP@OkW': 6 characters after the number of vertices, expected 8 for 10",
        ),
        (
            "file:",
            "invalid board spec 'file:', expected file:PATH with the path of a file",
        ),
        (
            "grid:9+",
            "invalid board spec 'grid:9+' at '+', expected family or family:arguments, joined by + without spaces",
        ),
        (
            " grid:9",
            "invalid board spec ' grid:9' at ' grid:9', expected family or family:arguments, joined by + without spaces",
        ),
        (
            "grid:99999999999x2",
            "too many vertices in 'grid:99999999999x2', expected at most 65535",
        ),
        (
            "grid:256",
            "too many vertices in 'grid:256x256', expected at most 65535",
        ),
        (
            "path:99999999999999999999999",
            "too many vertices in 'path:99999999999999999999999', expected at most 65535",
        ),
        (
            "grid3d:60000x60000x60000",
            "too many vertices in 'grid3d:60000x60000x60000', expected at most 65535",
        ),
        (
            "complete:60000",
            "too many edges in 'complete:60000', expected at most 4000000",
        ),
        (
            "complete:2829",
            "too many edges in 'complete:2829', expected at most 4000000",
        ),
        (
            "bipartite:3000x3000",
            "too many edges in 'bipartite:3000x3000', expected at most 4000000",
        ),
        (
            "hypercube:16",
            "too many vertices in 'hypercube:16', expected at most 65535",
        ),
        (
            "hypercube:40",
            "too many vertices in 'hypercube:40', expected at most 65535",
        ),
        (
            "hypercube:64",
            "too many vertices in 'hypercube:64', expected at most 65535",
        ),
        (
            "star:65535",
            "too many vertices in 'star:65535', expected at most 65535",
        ),
        (
            "path:40000+path:40000",
            "too many vertices in 'path:40000+path:40000', expected at most 65535",
        ),
        (
            "complete:2800+complete:500",
            "too many edges in 'complete:2800+complete:500', expected at most 4000000",
        ),
    ] {
        assert_eq!(refusal(text), line, "{text}");
    }
    let line = refusal("gird:9");
    assert!(
        line.starts_with("unknown graph family 'gird', expected one of grid, torus, cylinder, "),
        "{line}"
    );
    for (text, near) in [
        ("9x9", "; did you mean 'grid:9x9'?"),
        ("19", "; did you mean 'grid:19'?"),
        ("path:2+13X9", "; did you mean 'grid:13X9'?"),
        ("own.graphml", "; did you mean 'file:own.graphml'?"),
        ("./a/own.GML", "; did you mean 'file:./a/own.GML'?"),
    ] {
        let line = refusal(text);
        assert!(line.ends_with(near), "{line}");
    }
    for text in ["0x9", "9x9x9", "own.xyz", "path:2+own.gml", "x"] {
        let line = refusal(text);
        assert!(!line.contains("did you mean"), "{line}");
    }
    let nested = format!("{}grid:9{}", "(".repeat(400_000), ")".repeat(400_000));
    assert!(refusal(&nested).starts_with("parentheses 400000 deep in board spec, "));
    assert_eq!(
        refusal(&"x".repeat(2_000_000)),
        "board spec of 2000000 bytes, expected at most 1048576"
    );
    let operands = ["edges"; 70_000].join("+");
    assert_eq!(
        refusal(&operands),
        "board spec of 70000 operands, expected at most 65535"
    );
    assert_eq!(
        Spec::grid(0, 9).unwrap_err().to_string(),
        refusal("grid:0x9")
    );
}

#[test]
fn the_largest_boards_are_accepted() {
    assert_eq!(shape("complete:2828").1, 3_997_378);
    assert_eq!(shape("hypercube:15").0, 32_768);
    assert_eq!(shape("king:255x257").0, 65_535);
}
