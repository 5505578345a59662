//! Settings of `overrideSettings`, which replace those of the program for one query.

use serde_json::{Map, Value};

use super::Defaults;
use super::problem::{FieldWarning, QueryError};
use super::query::{LONGEST, Perspective};
use crate::engine::{Guidance, Options, Parameter, Parameters};
use crate::net::katago::{ParseProfileError, Profile};
use crate::text::quote;

/// Name of the field.
const FIELD: &str = "overrideSettings";

/// Supported settings.
#[derive(Default)]
pub(super) struct Settings {
    /// Maximum number of visits, unless the query has its own.
    visits: Option<u64>,
    /// Maximum number of playouts, which holds together with the visits.
    playouts: Option<u64>,
    /// Maximum seconds per turn.
    pub(super) seconds: Option<f64>,
    /// Perspective of the reported values, unless it is that of the program.
    pub(super) perspective: Option<Perspective>,
    handicap_moves: Option<bool>,
    profile: Option<Profile>,
    /// Parameters of searches that a network guides, with valid values.
    parameters: Vec<(&'static Parameter, String)>,
}

impl Settings {
    /// Returns the guidance with the parameters of the query.
    fn guidance(&self, guidance: Option<&Guidance>) -> Option<Guidance> {
        let mut guidance = guidance?.clone();
        for (parameter, value) in &self.parameters {
            // The value has been checked.
            let _ = parameter.set(&mut guidance.parameters, value);
        }
        Some(guidance)
    }

    /// Reads a parameter of searches that a network guides.
    fn read_parameter(
        &mut self,
        parameter: &'static Parameter,
        value: &Value,
    ) -> Result<(), QueryError> {
        // KataGo takes the values as strings too.
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let checked = parameter.set(&mut Parameters::katago(), &text);
        checked.map_err(|expected| {
            let problem = format!("{} {}, expected {expected}", parameter.name, quote(&text));
            QueryError::field(FIELD, &problem)
        })?;
        self.parameters.push((parameter, text));
        Ok(())
    }

    /// Reads the settings. Adds a warning about each unknown one.
    ///
    /// # Errors
    /// If a setting has an invalid value.
    pub(super) fn read(
        settings: &Map<String, Value>,
        warnings: &mut Vec<FieldWarning>,
    ) -> Result<Settings, QueryError> {
        let mut read = Settings::default();
        let number = |name, value: &Value| {
            let number = value.as_f64().filter(|&number| number > 0.0);
            let value = quote(&value.to_string());
            let problem = format!("{name} {value}, expected a number above 0");
            number.ok_or_else(|| QueryError::field(FIELD, &problem))
        };
        for (name, value) in settings {
            match name.as_str() {
                "maxVisits" => read.visits = Some(number(name, value)?.max(1.0) as u64),
                "maxPlayouts" => read.playouts = Some(number(name, value)?.max(1.0) as u64),
                "maxTime" => read.seconds = Some(number(name, value)?.min(LONGEST)),
                "assumeMultipleStartingBlackMovesAreHandicap" => {
                    let Some(count) = value.as_bool() else {
                        let problem = format!("{name} {value}, expected true or false");
                        return Err(QueryError::field(FIELD, &problem));
                    };
                    read.handicap_moves = Some(count);
                }
                "humanSLProfile" => {
                    let name = match value {
                        Value::Null => "",
                        value => value.as_str().unwrap_or("not a name"),
                    };
                    if !Profile::is_no_profile(name) {
                        let profile = name.parse().map_err(|problem: ParseProfileError| {
                            QueryError::field(FIELD, &problem.to_string())
                        });
                        read.profile = Some(profile?);
                    }
                }
                "reportAnalysisWinratesAs" => {
                    let view = value.as_str().unwrap_or_default().parse::<Perspective>();
                    let view = view.map_err(|_| {
                        let value = quote(&value.to_string());
                        let words = Perspective::WORDS;
                        let problem = format!("{name} {value}, expected {words}");
                        QueryError::field(FIELD, &problem)
                    });
                    read.perspective = Some(view?);
                }
                _ => match Parameter::find(name) {
                    Some(parameter) => read.read_parameter(parameter, value)?,
                    None => warnings.push(FieldWarning::new(
                        FIELD,
                        format!("{} is unknown, ignored", quote(name)),
                    )),
                },
            }
        }
        Ok(read)
    }

    /// Returns the maximum number of playouts per turn. `visits` is that of the query itself, which
    /// replaces the setting. As in KataGo, a maximum number of playouts holds as well. The default
    /// holds if there is neither.
    pub(super) fn most_playouts(&self, visits: Option<u64>, defaults: &Defaults) -> u64 {
        let limits = [visits.or(self.visits), self.playouts];
        let least = limits.into_iter().flatten().min();
        least.unwrap_or(defaults.playouts)
    }

    /// Returns the options of the query's searches.
    ///
    /// # Errors
    /// If there is a profile, but no human-style network.
    pub(super) fn options(&self, defaults: &Defaults) -> Result<Options, QueryError> {
        let mut options = Options {
            resign_below: 0.0,
            handicap_moves: self
                .handicap_moves
                .unwrap_or(defaults.options.handicap_moves),
            guidance: self.guidance(defaults.options.guidance.as_ref()),
            memory_mib: (defaults.options.memory_mib / defaults.positions.max(1)).max(16),
            ..defaults.options.clone()
        };
        if let Some(profile) = self.profile {
            let guidance = options.guidance.as_mut();
            let Some(guidance) = guidance.filter(|guidance| guidance.network.imitates()) else {
                let problem =
                    format!("humanSLProfile {profile}, expected --net with a human-style network");
                return Err(QueryError::field(FIELD, &problem));
            };
            guidance.profile = Some(profile);
        }
        Ok(options)
    }
}
