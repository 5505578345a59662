//! `omnigo life`: lists the chains that cannot be captured even if their owner always passes.

use clap::Args;
use serde_json::{Map, Value, json};

use super::args::{BoardArgs, engine_for, players};
use super::end::{CliError, Report, json_text};
use crate::engine::Engine;
use crate::game::LifeError;
use crate::rules::RulesetText;
use crate::system::tell;

/// Arguments of `omnigo life`.
#[derive(Debug, Args)]
pub struct LifeArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Stones, one character per point in index order: X black, O white, . empty [default: the
    /// starting stones of the board].
    #[arg(long, help_heading = "Board", value_name = "XO.")]
    position: Option<String>,
    /// Ruleset; whether it allows suicide affects which chains live.
    #[arg(
        long,
        help_heading = "Rules",
        alias = "rules",
        value_name = "NAME",
        default_value = "tromp-taylor"
    )]
    ruleset: RulesetText,
    /// Print one JSON object, with vertex labels. Text has one chain per line, with aliases, and
    /// the labels that the board was given in parentheses.
    #[arg(long)]
    json: bool,
}

/// Reports the unconditionally alive chains.
pub fn run(arguments: &LifeArgs) -> Result<Report, CliError> {
    answer(arguments).map(Into::into)
}

fn answer(arguments: &LifeArgs) -> Result<String, CliError> {
    let goban = arguments.board.build()?;
    let position = arguments.position.as_deref();
    let engine = engine_for(goban, arguments.ruleset.clone(), position)?;
    if arguments.json {
        return json_text(&life_json(&engine)?);
    }
    let mut lines = Vec::new();
    for (color, name) in players(&engine) {
        for chain in engine
            .unconditional_life(color)
            .map_err(|e| problem(&engine, e))?
        {
            let stones = chain
                .into_iter()
                .map(|at| engine.goban().names.for_people(at));
            lines.push(format!("{name} {}", stones.collect::<Vec<_>>().join(" ")));
        }
    }
    if lines.is_empty() {
        // Programs that read the list get an empty one.
        tell!("no chain is unconditionally alive");
    }
    Ok(lines.join("\n"))
}

fn life_json(engine: &Engine) -> Result<Value, CliError> {
    let names = &engine.goban().names;
    let mut object = Map::new();
    object.insert("graph".to_string(), json!(engine.goban().spec.to_string()));
    object.insert("ruleset".to_string(), json!(engine.rules().to_string()));
    for (color, name) in players(engine) {
        let chains = engine
            .unconditional_life(color)
            .map_err(|e| problem(engine, e))?;
        let labels = |chain: Vec<_>| {
            chain
                .into_iter()
                .map(|at| names.label(at))
                .collect::<Vec<_>>()
        };
        let chains: Vec<_> = chains.into_iter().map(labels).collect();
        object.insert(name, json!(chains));
    }
    Ok(Value::Object(object))
}

/// Explains why unconditional life is not defined here, in terms of the board.
fn problem(engine: &Engine, error: LifeError) -> CliError {
    CliError::Arguments(engine.life_problem(error))
}
