//! Classes of first moves under the symmetries of a graph and of the colors.

use super::game_graph::GameGraph;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// Returns one position of each class of `first` under the symmetries, with the size of its class.
pub(super) fn orbits(graph: &Graph, game_graph: &GameGraph, first: &[u32]) -> Vec<(u32, u128)> {
    let mut maps = Vec::new();
    // Listing all automorphisms is fast. Graphs with few enough positions have at most six vertices
    // that are not isolated.
    extend(graph, &mut Vec::new(), &mut maps);
    let mut classes: Vec<(u32, u128)> = Vec::new();
    let mut done: Vec<u32> = Vec::new();
    for &position in first {
        if done.contains(&position) {
            continue;
        }
        let cells = game_graph.cells(position);
        let mut class = vec![position];
        for map in &maps {
            for swap in [false, true] {
                let mut image = vec![None; cells.len()];
                for (from, cell) in cells.iter().enumerate() {
                    let exchange = |color: Color| if swap { color.other() } else { color };
                    image[map[from].index()] = cell.map(exchange);
                }
                let found = game_graph.number(&image);
                class.extend(found.filter(|number| first.contains(number)));
            }
        }
        class.sort_unstable();
        class.dedup();
        classes.push((position, class.len() as u128));
        done.extend(class);
    }
    classes
}

/// Collects all automorphisms that start with these images.
fn extend(graph: &Graph, images: &mut Vec<Vertex>, maps: &mut Vec<Vec<Vertex>>) {
    let n = graph.vertices();
    if images.len() == n {
        maps.push(images.clone());
        return;
    }
    let next = Vertex::at(images.len());
    for image in graph.all() {
        let fits = !images.contains(&image)
            && graph.degree(image) == graph.degree(next)
            && images.iter().enumerate().all(|(earlier, &its)| {
                graph.adjacent(Vertex::at(earlier), next) == graph.adjacent(its, image)
            });
        if fits {
            images.push(image);
            extend(graph, images, maps);
            images.pop();
        }
    }
}
