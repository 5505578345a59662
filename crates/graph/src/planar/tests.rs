use super::*;
use crate::spec::Spec;

fn graph(spec: &str) -> std::sync::Arc<Graph> {
    spec.parse::<Spec>().unwrap().build().unwrap().graph
}

/// Checks Euler's formula for the faces. It holds exactly if the rotation system is that of a plane
/// drawing.
fn is_plane(graph: &Graph, embedding: &Embedding, components: usize) {
    let isolated = graph.all().filter(|&v| graph.degree(v) == 0).count();
    for v in graph.all() {
        let mut around = embedding.around(v).to_vec();
        around.sort_unstable();
        assert_eq!(around, graph.neighbors(v), "the neighbours of {v:?}");
    }
    let faces = embedding.faces();
    let walked: usize = faces.iter().map(Vec::len).sum();
    assert_eq!(walked, 2 * graph.edges());
    // Each component counts its own outer face.
    assert_eq!(
        graph.vertices() + faces.len() + isolated,
        graph.edges() + 2 * components
    );
}

#[test]
fn planar_graphs_have_an_embedding_that_satisfies_euler() {
    for (spec, components) in [
        ("path:1", 1),
        ("path:9", 1),
        ("cycle:12", 1),
        ("grid:7x5", 1),
        ("cylinder:6x4", 1),
        ("complete:4", 1),
        ("bipartite:2x9", 1),
        ("wheel:8", 1),
        ("star:6", 1),
        ("hypercube:3", 1),
        ("edges:0-1,1-2,2-0,2-3,3-4,4-2,5-6,7,4-8,8-9,9-4", 3),
        ("grid:4+cycle:5+path:1", 3),
        ("king:2x9", 1),
        ("grid3d:2x2x5", 1),
    ] {
        let graph = graph(spec);
        let embedding = Embedding::of(&graph).unwrap_or_else(|| panic!("{spec} is planar"));
        is_plane(&graph, &embedding, components);
    }
}

#[test]
fn nonplanar_graphs_have_no_embedding() {
    for spec in [
        "complete:5",
        "bipartite:3x3",
        "petersen",
        "torus:4x4",
        "hypercube:4",
        "king:4x4",
        "grid3d:3x3x2",
        "path:50+bipartite:3x3",
    ] {
        assert!(Embedding::of(&graph(spec)).is_none(), "{spec}");
    }
}

#[test]
fn random_small_graphs_agree_with_the_definition() {
    // A graph of six vertices is planar unless it contains K5, K33, or a subdivision of K5.
    use rand::{Rng, SeedableRng};
    let mut chance = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
    let mut planar = 0;
    for _ in 0..3000 {
        let mut adjacent = [[false; 6]; 6];
        let mut edges = Vec::new();
        for a in 0..6u16 {
            for b in a + 1..6 {
                if chance.next_u64() % 3 != 0 {
                    adjacent[a as usize][b as usize] = true;
                    adjacent[b as usize][a as usize] = true;
                    edges.push((a, b));
                }
            }
        }
        let (graph, _) = Graph::from_edges(6, &edges);
        let found = Embedding::of(&graph);
        assert_eq!(found.is_none(), has_forbidden_minor(&adjacent), "{edges:?}");
        if let Some(embedding) = found {
            planar += 1;
            let components = components(&adjacent);
            is_plane(&graph, &embedding, components);
        }
    }
    assert!((300..2900).contains(&planar), "{planar}");
}

fn components(adjacent: &[[bool; 6]; 6]) -> usize {
    let mut group = [0, 1, 2, 3, 4, 5];
    for _ in 0..6 {
        for a in 0..6 {
            for b in 0..6 {
                if adjacent[a][b] {
                    let low = group[a].min(group[b]);
                    (group[a], group[b]) = (low, low);
                }
            }
        }
    }
    (0..6).filter(|&v| group[v] == v).count()
}

fn has_forbidden_minor(adjacent: &[[bool; 6]; 6]) -> bool {
    // K33: three vertices against three.
    let bipartite = (0..64u32).filter(|set| set.count_ones() == 3).any(|set| {
        (0..6).all(|a| (0..6).all(|b| (set >> a & 1 == 1) == (set >> b & 1 == 1) || adjacent[a][b]))
    });
    // K5 on five vertices, where the sixth vertex may replace one missing edge.
    let complete = (0..6).any(|out| {
        let rest: Vec<usize> = (0..6).filter(|&v| v != out).collect();
        let mut missing = Vec::new();
        for (i, &a) in rest.iter().enumerate() {
            for &b in &rest[i + 1..] {
                if !adjacent[a][b] {
                    missing.push((a, b));
                }
            }
        }
        match missing[..] {
            [] => true,
            [(a, b)] => adjacent[a][out] && adjacent[b][out],
            _ => false,
        }
    });
    // K5 as a minor: contracting an edge of the sixth vertex merges the neighbors of both ends.
    let contracted = (0..6).any(|out| {
        (0..6)
            .filter(|&into| into != out && adjacent[out][into])
            .any(|into| {
                (0..6).all(|a| {
                    (a + 1..6).all(|b| {
                        a == out
                            || b == out
                            || adjacent[a][b]
                            || (a == into && adjacent[out][b])
                            || (b == into && adjacent[out][a])
                    })
                })
            })
    });
    bipartite || complete || contracted
}

#[test]
fn long_paths_and_large_grids_do_not_overflow_the_stack() {
    assert!(Embedding::of(&graph("path:65535")).is_some());
    let grid = graph("grid:200x200");
    is_plane(&grid, &Embedding::of(&grid).unwrap(), 1);
}
