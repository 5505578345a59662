//! Queries with an `action`, which request something other than a search.

use serde_json::{Map, Value, json};

use super::problem::QueryError;
use super::query::id_of;
use super::work::{Job, Work};
use crate::engine::Guidance;
use crate::gtp::models::models;
use crate::text::quote;

const ACTIONS: &str = "query_version, query_models, clear_cache, terminate or terminate_all";

/// Runs an action. Returns the answers, which end with the query itself as confirmation.
pub(super) fn run(
    work: &Work,
    guidance: Option<&Guidance>,
    object: &Map<String, Value>,
) -> Result<Vec<Value>, QueryError> {
    id_of(object)?;
    let action = object.get("action").and_then(Value::as_str);
    let mut echo = object.clone();
    let mut answers = Vec::new();
    match action.unwrap_or_default() {
        "query_version" => {
            echo.insert("version".to_string(), json!(env!("CARGO_PKG_VERSION")));
            echo.insert("git_hash".to_string(), json!("<omitted>"));
        }
        "query_models" => {
            echo.insert("models".to_string(), models(guidance));
        }
        // Searches share no cache, so there is nothing to clear.
        "clear_cache" => {}
        "terminate" => {
            let id = object.get("terminateId").ok_or_else(|| {
                QueryError::field("terminateId", "missing, expected the id of a query")
            })?;
            let turns = turns(object)?;
            answers = work.terminate(|job| job.query.id == *id && is_among(&turns, job));
        }
        "terminate_all" => {
            let turns = turns(object)?;
            answers = work.terminate(|job| is_among(&turns, job));
        }
        _ => {
            let found = object.get("action").cloned().unwrap_or_default();
            return Err(QueryError::field(
                "action",
                &format!("{}, expected {ACTIONS}", quote(&found.to_string())),
            ));
        }
    }
    answers.push(Value::Object(echo));
    Ok(answers)
}

/// Returns true if the list contains the job's turn, or if there is no list.
fn is_among(turns: &Option<Vec<usize>>, job: &Job) -> bool {
    turns
        .as_ref()
        .is_none_or(|turns| turns.binary_search(&job.turn).is_ok())
}

/// Returns the listed turns in ascending order, or `None` for all turns.
fn turns(object: &Map<String, Value>) -> Result<Option<Vec<usize>>, QueryError> {
    let Some(value) = object.get("turnNumbers") else {
        return Ok(None);
    };
    let wrong = || {
        let value = quote(&value.to_string());
        QueryError::field("turnNumbers", &format!("{value}, expected a list of turns"))
    };
    let list = value.as_array().ok_or_else(wrong)?;
    let turn = |turn: &Value| turn.as_u64().and_then(|turn| usize::try_from(turn).ok());
    let mut turns = list
        .iter()
        .map(turn)
        .collect::<Option<Vec<usize>>>()
        .ok_or_else(wrong)?;
    turns.sort_unstable();
    Ok(Some(turns))
}
