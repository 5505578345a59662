//! Networks in the format of KataGo's lists of models.

use serde_json::{Value, json};

use crate::engine::Guidance;

/// Returns the networks in use as a JSON array.
pub fn models(guidance: Option<&Guidance>) -> Value {
    let models: Vec<Value> = guidance.map(model).into_iter().collect();
    json!(models)
}

/// Describes a network.
fn model(guidance: &Guidance) -> Value {
    let name = guidance.network.name();
    json!({
        "name": name,
        "internalName": name,
        "maxBatchSize": guidance.batch,
        "usesHumanSLProfile": guidance.network.imitates(),
        "version": guidance.network.version(),
        "usingFP16": "false",
    })
}
