//! Meshes: OBJ, PLY, STL, and the free form of OFF.

use super::*;

/// Returns the numbers of vertices and edges.
fn shape(goban: &Goban) -> (usize, usize) {
    (goban.graph.vertices(), goban.graph.edges())
}

fn read_bytes(path: &str, bytes: &[u8]) -> Result<Goban, String> {
    read(bytes, path, "'graph'", &Reading::default()).map(board)
}

fn has_places(goban: &Goban) -> bool {
    goban.drawing.is_some()
}

const OBJ: &str = "# caf\u{e9}\nmtllib a b.mtl\no cube\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nv 5 5 5\n\
    vt 0 0\nvn 0 0 1\nusemtl x\ns off\nf 1/1/1 2//1 3/1 -2\nl 4 \\\n 5\n";

#[test]
fn obj_is_read() {
    for path in ["m.obj", "m", "m.OBJ"] {
        let goban = read_file(path, OBJ).unwrap();
        assert_eq!(
            named_edges(&goban),
            ["0-1", "0-3", "1-2", "2-3", "3-4"],
            "{path}"
        );
        assert!(has_places(&goban), "{path}");
        assert_eq!(goban.warnings, [""; 0]);
    }
    // A face may come before its corners, and -1 counts back from its own line.
    let early = read_file("m.obj", "f 1 2 3\nv 0 0 0\nv 1 0 0\nf -1 -2\nv 0 1 0\n").unwrap();
    assert_eq!(named_edges(&early), ["0-1", "0-2", "1-2"]);
    let odd = read_file("m.obj", "v 0 0 0\nv 1 0 0\nl 1 2\ncurv 0 1 1 2\n").unwrap();
    assert!(odd.warnings[0].contains("'curv'"), "{:?}", odd.warnings);
    // Comments may have other letters than UTF-8.
    let latin = read_bytes("m.obj", b"# caf\xe9\nv 0 0 0\nv 1 0 0\nl 1 2\n").unwrap();
    assert_eq!(shape(&latin), (2, 1));
    for (text, part) in [
        (
            "v 0 0 0\nf 1 2 3\n",
            "line 2, column 5: '2', expected the number of a vertex",
        ),
        ("v 0 0 0\nf 0 1\n", "'0', expected"),
        ("v 0 0 0\nf -2 1\n", "'-2', expected"),
        ("v 0 0\n", "three coordinates"),
        ("v 0 0 nan\n", "'nan', expected v and three coordinates"),
        ("", "the end of the text, expected v"),
    ] {
        let problem = read_file("m.obj", text).unwrap_err();
        assert!(problem.contains(part), "{text}: {problem}");
    }
}

const PLY_HEAD: &str = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n\
    element face 1\nproperty list uchar int vertex_indices\n\
    element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n";

#[test]
fn ply_is_read_as_text() {
    let text = format!(
        "ply\nformat ascii 1.0\ncomment x\n{PLY_HEAD}0 0 0 255\n1 0 0 255\n1 1 0 255\n5 5 5 9\n3 0 1 2\n2 3\n"
    );
    for path in ["m.ply", "m.txt", "m"] {
        let goban = read_file(path, &text).unwrap();
        assert_eq!(named_edges(&goban), ["0-1", "0-2", "1-2", "2-3"], "{path}");
        assert!(has_places(&goban));
    }
    let strips = text.replace("element edge", "element tristrips");
    let goban = read_file("m.ply", &strips).unwrap();
    assert!(
        goban.warnings[0].contains("'tristrips'"),
        "{:?}",
        goban.warnings
    );
    for (from, to, part) in [
        ("vertex 4", "vertex 99999999999", "too many vertices"),
        ("face 1", "face 99999999999", "expected"),
        (
            "3 0 1 2",
            "3 0 1 4",
            "'4', expected the index of a vertex from 0 to 3",
        ),
        ("3 0 1 2", "-1 0 1 2", "'-1', expected the length of a list"),
        ("3 0 1 2", "4000000000 0 1 2", "expected"),
        ("ascii", "latin", "'latin', expected format ascii"),
        (
            "1 1 0 255",
            "1 inf 0 255",
            "'inf', expected finite coordinates",
        ),
        ("float x", "floaty x", "'floaty', expected a type"),
        ("2 3\n", "2 3\n7\n", "'7', expected the end of the file"),
        ("end_header", "", "expected"),
    ] {
        let problem = read_file("m.ply", &text.replacen(from, to, 1)).unwrap_err();
        assert!(problem.contains(part), "{to}: {problem}");
    }
    // Items without properties take no space.
    let empty = "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nelement a 9999999999999\nend_header\n1\n";
    assert_eq!(shape(&read_file("m.ply", empty).unwrap()), (1, 0));
}

#[test]
fn ply_is_read_in_both_binary_forms() {
    for big in [false, true] {
        let form = if big {
            "binary_big_endian"
        } else {
            "binary_little_endian"
        };
        let mut bytes =
            format!("ply\r\nformat {form} 1.0\ncomment caf\u{e9}\n{PLY_HEAD}").into_bytes();
        // The comment is in Latin-1.
        let accent = bytes
            .windows(2)
            .position(|pair| pair == [0xc3, 0xa9])
            .unwrap();
        bytes.splice(accent..accent + 2, [0xe9]);
        let put = |word: [u8; 4]| {
            let mut word = word;
            if big {
                word.reverse();
            }
            word.to_vec()
        };
        let mut body = Vec::new();
        for at in [
            [0.0f32, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [5.0, 5.0, 5.0],
        ] {
            at.iter()
                .for_each(|axis| body.extend(put(axis.to_le_bytes())));
            body.push(200);
        }
        body.push(3);
        for corner in [0i32, 1, 2, 2, 3] {
            body.extend(put(corner.to_le_bytes()));
        }
        bytes.extend(&body);
        for path in ["m.ply", "m"] {
            let goban = read_bytes(path, &bytes).unwrap();
            assert_eq!(named_edges(&goban), ["0-1", "0-2", "1-2", "2-3"], "{path}");
            assert!(has_places(&goban));
        }
        for length in 0..bytes.len() {
            let problem = read_bytes("m.ply", &bytes[..length]).unwrap_err();
            assert!(!problem.contains('\n'), "{problem}");
        }
        bytes.push(0);
        let problem = read_bytes("m.ply", &bytes).unwrap_err();
        assert!(problem.contains("1 more bytes"), "{problem}");
    }
}

#[test]
fn stl_is_read_and_equal_corners_are_merged() {
    let triangles = [
        [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
        [[1.0, 1.0, -0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
    ];
    let mut text = String::from("solid a name\n");
    let mut bytes = b"solid of another program".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(2u32.to_le_bytes());
    for corners in triangles {
        text.push_str(" facet normal 0 0 1\n  outer loop\n");
        bytes.extend([0; 12]);
        for [x, y, z] in corners {
            text.push_str(&format!("   vertex {x} {y} {z}\n"));
            [x, y, z]
                .iter()
                .for_each(|axis| bytes.extend(axis.to_le_bytes()));
        }
        text.push_str("  endloop\n endfacet\n");
        bytes.extend([0; 2]);
    }
    text.push_str("endsolid a name\n");
    for path in ["m.stl", "m.txt", "m"] {
        for content in [text.as_bytes(), text.to_uppercase().as_bytes(), &bytes] {
            let goban = read_bytes(path, content).unwrap();
            assert_eq!(
                named_edges(&goban),
                ["0-1", "0-2", "0-3", "1-2", "2-3"],
                "{path}"
            );
            assert!(has_places(&goban));
            assert_eq!(goban.warnings, [""; 0]);
        }
    }
    let problem = read_bytes("m.stl", &bytes[..bytes.len() - 1]).unwrap_err();
    assert!(problem.contains("183 bytes, expected 184"), "{problem}");
    // A header that counts four thousand million triangles takes no memory.
    bytes[80..84].copy_from_slice(&[255; 4]);
    assert!(
        read_bytes("m.stl", &bytes)
            .unwrap_err()
            .contains("expected 214748364834")
    );
    for (from, to, part) in [
        ("solid", "sold", "'sold', expected solid"),
        ("vertex 0 0 0", "vertex 0 0", "three coordinates"),
        ("outer loop", "outr loop", "'outr', expected solid, facet"),
        (
            "  endloop\n endfacet\nendsolid a name\n",
            "",
            "the end of the text, expected endloop",
        ),
    ] {
        let problem = read_file("m.stl", &text.replacen(from, to, 1)).unwrap_err();
        assert!(problem.contains(part), "{to}: {problem}");
    }
}

#[test]
fn off_may_stand_on_one_line() {
    for text in [
        "OFF 4 1 0 0 0 0 1 0 0 1 1 0 0 1 0 4 0 1 2 3",
        "OFF\n4 1 0\n0 0 0 1 0 0\n1 1 0 0 1 0 4 0 1 2 3\n",
        "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n",
        "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1\n2 3\n",
        "OFF\n4 1\n0 0 0 # x\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
    ] {
        let goban = read_file("x.off", text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(named_edges(&goban), ["0-1", "0-3", "1-2", "2-3"], "{text}");
        assert!(has_places(&goban));
    }
    for (text, part) in [
        (
            "OFF 4 1 0 0 0 0 1 0 0 1 1 0 0 1 0 4 0 1 2 3 9",
            "'9', expected the end of the text",
        ),
        (
            "OFF 4 1 0 0 0 0 1 0 0 1 1 0 0 1 0 4 0 1 2",
            "the end of the text, expected 4 corners",
        ),
        ("OFF 9 9999999999999 0 0 0 0", "three coordinates"),
    ] {
        let problem = read_file("x.off", text).unwrap_err();
        assert!(problem.contains(part), "{text}: {problem}");
    }
}

#[test]
fn the_corners_of_a_ply_face_have_several_names() {
    let ply = |list: &str| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar {list}\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
        )
    };
    let goban = read_file("g.ply", &ply("int idx")).unwrap();
    assert_eq!(goban.graph.edges(), 3);
    for other in ["float texcoord", "uchar rgb"] {
        let goban = read_file("g.ply", &ply(other)).unwrap();
        assert_eq!(goban.graph.edges(), 0, "{other}");
    }
}
