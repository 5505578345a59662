//! Errors and warnings about queries.

/// Error in a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct QueryError {
    /// Field that contains the error.
    pub field: Option<String>,
    /// Description of the error, and the expected value.
    pub problem: String,
}

impl QueryError {
    pub(super) fn field(name: &str, problem: &str) -> QueryError {
        QueryError {
            field: Some(name.to_string()),
            problem: problem.to_string(),
        }
    }
}

/// Warning about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldWarning {
    /// Name of the field.
    pub name: String,
    /// Text of the warning.
    pub problem: String,
}

impl FieldWarning {
    pub(super) fn new(name: &str, problem: String) -> FieldWarning {
        FieldWarning {
            name: name.to_string(),
            problem,
        }
    }
}
