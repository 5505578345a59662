//! Advice in errors about the command line, beside that of clap.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::definitions;
use crate::graph::spec::Spec;
use crate::text::nearest;

/// Adds advice to an error, and removes useless advice.
pub(super) fn improve(error: &mut clap::Error) {
    match error.kind() {
        // No value of omnigo begins with two dashes, so `-- --option` is never meant.
        ErrorKind::UnknownArgument => {
            error.remove(ContextKind::Suggested);
        }
        ErrorKind::InvalidSubcommand => {
            if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
                let word = word.clone();
                instead_of_command(&word, error);
            }
        }
        _ => {}
    }
}

/// Adds advice about a word that is no subcommand.
fn instead_of_command(word: &str, error: &mut clap::Error) {
    let tip = match word {
        "version" => Some("'omnigo --version' prints the version".to_string()),
        spec if spec.parse::<Spec>().is_ok() => {
            Some(format!("'omnigo gtp {spec}' plays on this board"))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    } else if error.get(ContextKind::SuggestedSubcommand).is_none() {
        // `omnigo help WORD` has no advice from clap.
        let command = definitions();
        let names = command.get_subcommands().map(|command| command.get_name());
        if let Some(near) = nearest(word, names.collect::<Vec<_>>()) {
            let near = ContextValue::Strings(vec![near.to_string()]);
            error.insert(ContextKind::SuggestedSubcommand, near);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_words_get_advice_that_helps() {
        for (line, tip) in [
            (
                "omnigo grid:9",
                "tip: 'omnigo gtp grid:9' plays on this board",
            ),
            (
                "omnigo version",
                "tip: 'omnigo --version' prints the version",
            ),
            ("omnigo slove", "tip: a similar subcommand exists: 'solve'"),
            (
                "omnigo help slove",
                "tip: a similar subcommand exists: 'solve'",
            ),
            (
                "omnigo gtp --kmi",
                "tip: a similar argument exists: '--komi'",
            ),
        ] {
            let mut error = definitions()
                .try_get_matches_from(line.split(' '))
                .unwrap_err();
            improve(&mut error);
            let message = error.to_string();
            assert_eq!(message.matches("tip:").count(), 1, "{message}");
            assert!(message.contains(tip), "{message}");
        }
        for line in ["omnigo solve --zzz", "omnigo nonsense"] {
            let mut error = definitions()
                .try_get_matches_from(line.split(' '))
                .unwrap_err();
            improve(&mut error);
            assert!(!error.to_string().contains("tip:"), "{error}");
        }
    }
}
