//! What there is to say against a query.

/// What is wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct QueryError {
    /// The field that is to blame.
    pub field: Option<String>,
    /// What is wrong, and what was expected.
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

/// Something to say about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What to say.
    pub problem: String,
}
