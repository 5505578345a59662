//! Attributes of vertices, edges, and the whole graph, with the same keys in all formats that have
//! attributes. Vertices have `x` `y` `z` or `pos`, `stone`, and `weight`. A Mango set has
//! `threshold`, `scores`, and `first`.

use serde_json::value::RawValue;

use super::json::mango;
use super::json::object::Object;
use super::raw_graph::RawGraph;
use crate::model::mango::Mango;
use omnigo_base::points::Points;

/// Key of the color of a starting stone.
pub(super) const STONE: &str = "stone";
/// Key of the weight of a vertex or an edge.
pub(super) const WEIGHT: &str = "weight";

/// Attributes of a whole graph, as texts. All of them are about Mango sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MangoTexts {
    pub(super) threshold: Option<String>,
    pub(super) scores: Option<String>,
    pub(super) first: Option<String>,
}

impl MangoTexts {
    /// Returns true if the graph is a Mango set, that is, if it has a threshold.
    pub(super) fn is_some(&self) -> bool {
        self.threshold.is_some()
    }

    /// Returns the rules of the set on `vertices` vertices, with weight 1 for vertices without a
    /// weight.
    pub(super) fn rules(
        &self,
        weights: &[Option<Points>],
        vertices: usize,
    ) -> Result<Mango, String> {
        let weight = |vertex: usize| weights.get(vertex).copied().flatten();
        let one = Points::whole(1);
        let weights: Vec<Points> = (0..vertices).map(|v| weight(v).unwrap_or(one)).collect();
        // Valid JSON in brackets stays unchanged; any other text becomes a JSON string.
        let value = |text: &String| match serde_json::from_str::<&RawValue>(text) {
            Ok(value) if text.starts_with('[') => value.get().to_string(),
            _ => serde_json::Value::from(text.as_str()).to_string(),
        };
        let texts = [
            ("threshold", &self.threshold),
            ("scores", &self.scores),
            ("first", &self.first),
        ];
        let pairs: Vec<String> = texts
            .iter()
            .filter_map(|(key, text)| {
                text.as_ref()
                    .map(|text| format!("\"{key}\":{}", value(text)))
            })
            .collect();
        let object = format!("{{{}}}", pairs.join(","));
        // Locations in this text mean nothing in the file, so keep only the problem.
        let rules =
            Object::read(&object).and_then(|mut object| mango::rules(&mut object, &weights));
        rules.map_err(|fault| fault.problem)
    }

    /// Stores an attribute of the graph if it is one of these.
    pub(super) fn take(&mut self, key: &str, value: &str) {
        if let Some(place) = self.place(key) {
            *place = Some(value.to_string());
        }
    }

    /// Stores the default of an attribute of the graph if it is one of these and not given.
    pub(super) fn complete(&mut self, key: &str, default: &str) {
        if let Some(place) = self.place(key) {
            place.get_or_insert_with(|| default.trim().to_string());
        }
    }

    fn place(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "threshold" => Some(&mut self.threshold),
            "scores" => Some(&mut self.scores),
            "first" => Some(&mut self.first),
            _ => None,
        }
    }
}

impl RawGraph {
    /// Stores an attribute of a vertex, and ignores unknown ones.
    ///
    /// # Errors
    /// If the color of a stone is invalid. The error says what was expected.
    pub(super) fn note(&mut self, vertex: u16, key: &str, value: &str) -> Result<(), &'static str> {
        let value = value.trim();
        match key {
            "x" | "y" | "z" => {
                let axis = usize::from(key.as_bytes().first().map_or(0, |c| c - b'x'));
                // Other programs use such short names for other things, so ignore other values.
                if let Ok(number) = value.parse() {
                    self.place_on(vertex, axis, number);
                }
            }
            "pos" => {
                let numbers = value.trim_matches(['(', ')', '[', ']', '!', ' ']);
                for (axis, number) in numbers.split(',').take(3).enumerate() {
                    if let Ok(number) = number.trim().parse() {
                        self.place_on(vertex, axis, number);
                    }
                }
            }
            // A default of the file may have put a stone there.
            STONE if value.is_empty() || value == "empty" => self.clear(vertex),
            STONE => match value.parse() {
                Ok(color) => self.stone(vertex, color),
                Err(_) => return Err("the color of a stone, such as black"),
            },
            WEIGHT => match value.parse() {
                Ok(weight) => self.weight(vertex, weight),
                Err(_) => self.unread_weights += 1,
            },
            _ => {}
        }
        Ok(())
    }
}

/// Returns true if an attribute of an edge is its weight.
pub(super) fn is_edge_weight(key: &str) -> bool {
    key == WEIGHT || key == "value"
}
