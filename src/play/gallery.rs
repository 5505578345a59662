//! Choice of a board: families with examples, rulesets, formats, and checks of specs.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::board;
use super::game;
use crate::graph::families::{self, arguments, gallery};
use crate::graph::formats::FORMATS;
use crate::graph::handicap::star_points;
use crate::render::svg::{Labels, Position, Style, of_width, picture};
use crate::rules::{Ruleset, RulesetText, presets};

/// Widths of a thumbnail, in pixels.
const WIDTHS: std::ops::RangeInclusive<u32> = 16..=2000;
/// Maximum number of vertices with names in a thumbnail.
const MOST_NAMED: usize = 60;

/// Returns all families, with one board each.
pub(super) fn families() -> Value {
    static FAMILIES: OnceLock<Value> = OnceLock::new();
    FAMILIES.get_or_init(list_families).clone()
}

fn list_families() -> Value {
    let rows = families::list().zip(families::forms());
    let rows = rows.map(|((name, arguments, sentence), (form, _, synonyms))| {
        let example = gallery::example(name, arguments).map(|goban| goban.spec);
        // The page opens no files.
        let example = example.filter(|spec| !spec.reads_files());
        let example = example.map(|spec| spec.to_string());
        json!({
            "name": name,
            "form": form,
            "sentence": sentence,
            "synonyms": synonyms,
            "example": example,
            "operator": arguments.starts_with('('),
            "arguments": list_arguments(name, example.as_deref()),
        })
    });
    json!({"families": rows.collect::<Value>()})
}

/// Returns the arguments of a family, with the values of a spec as examples.
fn list_arguments(name: &str, example: Option<&str>) -> Value {
    let values = example.and_then(arguments::values);
    let values = values.map_or_else(Vec::new, |(_, values)| values);
    let list = arguments::of(name).into_iter().enumerate();
    let list = list.map(|(i, argument)| {
        json!({
            "name": argument.name,
            "meaning": argument.meaning,
            "example": values.get(i),
            "before": argument.before,
            "after": argument.after,
            "optional": argument.is_optional,
            "kind": argument.kind.name(),
        })
    });
    list.collect()
}

/// Returns all rulesets.
pub(super) fn rulesets() -> Value {
    let one = |rules: &Ruleset, about: &str| json!({"name": rules.name, "sentence": about, "rules": board::rules(rules)});
    let presets = presets::all().iter();
    let rulesets = presets.map(|preset| one(&preset.rules, preset.about));
    let axes: Option<Value> = presets::all().first().map(|preset| {
        let axes = preset.rules.axes();
        axes.map(|axis| json!({"key": axis.key, "values": axis.values}))
            .collect()
    });
    json!({"rulesets": rulesets.collect::<Value>(), "axes": axes})
}

/// Returns all file formats.
pub(super) fn formats() -> Value {
    let formats = FORMATS.iter().map(|format| {
        json!({
            "name": format.name,
            "endings": format.endings,
            "sentence": format.sentence,
            "writes": format.is_written(),
        })
    });
    json!({"formats": formats.collect::<Value>()})
}

/// Checks a spec, and whether a ruleset can be played on its board.
pub(super) fn validate(spec: &str, ruleset: Option<&str>) -> Value {
    let check = || -> Result<Value, String> {
        let goban = game::board(spec)?;
        let mut warnings = goban.warnings.clone();
        if let Some(text) = ruleset {
            let ruleset: RulesetText = text.parse().map_err(|e| format!("{e}"))?;
            warnings.extend(ruleset.warnings);
            crate::engine::check_rules(&goban, &ruleset.rules).map_err(|e| e.to_string())?;
        }
        let spec = goban.spec.to_string();
        let (family, values) = arguments::values(&spec).unzip();
        Ok(json!({
            "valid": true,
            "spec": spec,
            "family": family,
            "values": values,
            "vertices": goban.graph.vertices(),
            "edges": goban.graph.edges(),
            "handicap": board::most_handicap(&goban),
            "warnings": warnings,
        }))
    };
    check().unwrap_or_else(|line| json!({"valid": false, "line": line}))
}

/// Draws a small picture of a board.
pub(super) fn thumbnail(
    spec: &str,
    width: Option<u32>,
    theme: Option<&str>,
) -> Result<Value, String> {
    let goban = game::board(spec)?;
    let labels = match goban.graph.vertices() > MOST_NAMED {
        true => Labels::None,
        false => Labels::Alias,
    };
    let style = Style {
        theme: theme.unwrap_or("light").parse()?,
        labels,
    };
    if let Some(width) = width.filter(|width| !WIDTHS.contains(width)) {
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        return Err(format!("width {width}, expected {least} to {most}"));
    }
    let position = Position {
        points: goban.start.clone(),
        stars: star_points(&goban),
        ..Position::default()
    };
    let svg = picture(&goban, &position, style).map_err(|e| e.to_string())?;
    let svg = width.map_or_else(|| svg.clone(), |width| of_width(&svg, width));
    Ok(json!({
        "spec": goban.spec.to_string(),
        "svg": svg,
        "vertices": goban.graph.vertices(),
        "edges": goban.graph.edges(),
    }))
}

/// Returns the keys of `board` that describe the vertices and edges of a spec.
pub(super) fn preview(spec: &str) -> Result<Value, String> {
    let shape: Map<String, Value> = board::shape(&game::board(spec)?);
    Ok(Value::Object(shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_but_files_has_a_board() {
        let all = families();
        let rows = all["families"].as_array().unwrap();
        assert!(rows.len() > 50);
        for row in rows {
            let name = row["name"].as_str().unwrap();
            match row["example"].as_str() {
                None => assert!(["file", "pick"].contains(&name), "{name}"),
                Some(spec) => {
                    let answer = validate(spec, None);
                    assert_eq!(answer["valid"], true, "{spec}");
                    assert_eq!(answer["family"], name, "{spec}");
                    let arguments = row["arguments"].as_array().unwrap();
                    let examples: Value =
                        arguments.iter().map(|one| one["example"].clone()).collect();
                    assert_eq!(answer["values"], examples, "{spec}");
                    for argument in arguments {
                        let is_empty = argument["example"] == "";
                        assert!(!is_empty || argument["optional"] == true, "{spec}");
                    }
                }
            }
        }
        let tree = rows.iter().find(|row| row["name"] == "tree").unwrap();
        let height = json!({
            "name": "H", "meaning": "Height", "example": "2",
            "before": ",", "after": "", "optional": false, "kind": "number",
        });
        assert_eq!(tree["arguments"][1], height);
    }

    #[test]
    fn checks_answer_with_one_line() {
        for (spec, ruleset) in [
            ("", None),
            ("grid", None),
            ("file:x", None),
            ("grid:9", Some("nonsense")),
            ("space:(grid:3),edges", Some("conway-prisoners")),
            ("grid:200", None),
        ] {
            let answer = validate(spec, ruleset);
            assert_eq!(answer["valid"], false, "{spec}");
            assert!(!answer["line"].as_str().unwrap().contains('\n'), "{spec}");
        }
        assert_eq!(validate("Torus:9", Some("ggg"))["spec"], "torus:9x9");
    }
}
