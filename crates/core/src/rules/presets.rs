//! The named rulesets, one row each.

use super::{
    Bonus, Button, DeadStones, End, Ko, KomiUse, Neutral, Passing, Points, Referee, Ruleset,
    Scoring, Sides, Stuck, Suicide, Tax,
};
use omnigo_base::color::Color;
use omnigo_base::text::did_you_mean;

/// A named ruleset.
#[derive(Debug)]
pub struct Preset {
    /// The rules.
    pub rules: Ruleset,
    /// Other names of the ruleset.
    pub aliases: &'static [&'static str],
    /// Short description.
    pub about: &'static str,
}

/// Rules common to most rulesets of the field: passing is free, two passes end the game, and area
/// counts.
const FIELD: Ruleset = Ruleset {
    name: "tromp-taylor",
    ko: Ko::Positional,
    suicide: Suicide::Allowed,
    passing: Passing::Free,
    end: End::Passes,
    scoring: Scoring::Area,
    neutral: Neutral::None,
    tax: Tax::None,
    bonus: Bonus::None,
    button: Button::None,
    referee: Referee::Tolerant,
    dead: DeadStones::None,
    stuck: Stuck::MoveOrPass,
    komi_use: KomiUse::Score,
    first: Color::BLACK,
    black_passes: Points::ZERO,
    white_passes: Points::ZERO,
    colors: 2,
    sides: Sides::ALONE,
};

/// Rules common to most systems of the mathematical literature: positional superko, suicide, and a
/// strict referee.
const LITERATURE: Ruleset = Ruleset {
    name: "formal",
    referee: Referee::Strict,
    ..FIELD
};

/// Rules of games that the last mover wins.
const LAST_MOVER: Ruleset = Ruleset {
    name: "conway",
    passing: Passing::Never,
    end: End::Stuck,
    scoring: Scoring::None,
    komi_use: KomiUse::Ignored,
    ..LITERATURE
};

/// All presets, in listing order.
static PRESETS: &[Preset] = &[
    Preset {
        rules: FIELD,
        aliases: &["tt"],
        about: "positional superko, suicide, area scoring, dead stones stay",
    },
    Preset {
        rules: Ruleset {
            name: "chinese",
            ko: Ko::Simple,
            suicide: Suicide::Forbidden,
            bonus: Bonus::All,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &["cn"],
        about: "simple ko, no suicide, area scoring, dead stones removed, one point for White per handicap stone",
    },
    Preset {
        rules: Ruleset {
            name: "chinese-ogs",
            suicide: Suicide::Forbidden,
            bonus: Bonus::All,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &["chinese-kgs"],
        about: "chinese with positional superko, as on game servers",
    },
    Preset {
        rules: Ruleset {
            name: "japanese",
            ko: Ko::Simple,
            suicide: Suicide::Forbidden,
            scoring: Scoring::Territory,
            tax: Tax::Seki,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &["korean", "jp", "ko"],
        about: "simple ko, no suicide, territory and prisoners, no points in seki, dead stones removed",
    },
    Preset {
        rules: Ruleset {
            name: "new-zealand",
            ko: Ko::Situational,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &["nz"],
        about: "situational superko, suicide, area scoring, dead stones removed",
    },
    Preset {
        rules: Ruleset {
            name: "aga",
            ko: Ko::Situational,
            suicide: Suicide::Forbidden,
            bonus: Bonus::AllButOne,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &["bga", "french"],
        about: "situational superko, no suicide, area scoring, dead stones removed, one point for White per handicap stone except the first",
    },
    Preset {
        rules: Ruleset {
            name: "aga-button",
            ko: Ko::Situational,
            suicide: Suicide::Forbidden,
            bonus: Bonus::AllButOne,
            button: Button::HalfPoint,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &[],
        about: "aga with half a point for the first pass, which does not count toward the end of the game",
    },
    Preset {
        rules: Ruleset {
            name: "ing",
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &["goe"],
        about: "positional superko, suicide, area scoring, dead stones removed",
    },
    Preset {
        rules: Ruleset {
            name: "stone-scoring",
            ko: Ko::Simple,
            suicide: Suicide::Forbidden,
            tax: Tax::All,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &["ancient-area"],
        about: "simple ko, no suicide, area scoring minus two points per living group, dead stones removed",
    },
    Preset {
        rules: Ruleset {
            name: "ancient-territory",
            ko: Ko::Simple,
            suicide: Suicide::Forbidden,
            scoring: Scoring::Territory,
            tax: Tax::All,
            dead: DeadStones::Agreed,
            ..FIELD
        },
        aliases: &[],
        about: "simple ko, no suicide, territory and prisoners minus two points per living group, dead stones removed",
    },
    Preset {
        rules: Ruleset {
            name: "cgos",
            suicide: Suicide::Forbidden,
            ..FIELD
        },
        aliases: &["chinese-cgos"],
        about: "positional superko, no suicide, area scoring, dead stones stay",
    },
    Preset {
        rules: Ruleset {
            name: "ggg",
            neutral: Neutral::Both,
            ..LITERATURE
        },
        aliases: &["general-graph-go"],
        about: "General Graph Go with scoring: regions without adjacent stones count for both players",
    },
    Preset {
        rules: LITERATURE,
        aliases: &["formal-go"],
        about: "formal Rules of Go: regions without adjacent stones count for neither player",
    },
    Preset {
        rules: Ruleset {
            name: "mango",
            ..LITERATURE
        },
        aliases: &["math-nerd-go"],
        about: "Mango: formal with the weights and the threshold of the board, if it has any",
    },
    Preset {
        rules: LAST_MOVER,
        aliases: &["ggg-conway"],
        about: "General Graph Go without passing: a player who cannot move loses",
    },
    Preset {
        rules: Ruleset {
            name: "conway-prisoners",
            passing: Passing::Prisoners,
            ..LAST_MOVER
        },
        aliases: &["ggg-replacement"],
        about: "General Graph Go with replacement: a pass costs a prisoner, and a player who can neither move nor pass loses",
    },
    Preset {
        rules: Ruleset {
            name: "famine",
            passing: Passing::Prisoners,
            komi_use: KomiUse::Passes,
            ..LAST_MOVER
        },
        aliases: &["go-on-graphs"],
        about: "Go on Graphs: komi is White's initial number of passes, captures add more, and a player who can neither move nor pass loses",
    },
    Preset {
        rules: Ruleset {
            name: "topo-primitive",
            ..LAST_MOVER
        },
        aliases: &["topological-go-primitive"],
        about: "Topological Go with primitive rules: a player who cannot move loses",
    },
    Preset {
        rules: Ruleset {
            name: "topo-stone",
            scoring: Scoring::Stones,
            ..LITERATURE
        },
        aliases: &["topological-go-stone"],
        about: "Topological Go with stone scoring: only colored points count",
    },
];

/// Returns all presets, in listing order.
pub fn all() -> &'static [Preset] {
    PRESETS
}

/// Returns the end of a message about an unknown ruleset: the most similar name or alias, if any.
pub(super) fn suggestion(name: &str) -> String {
    let aliases = PRESETS.iter().flat_map(|preset| preset.aliases.iter());
    let names = PRESETS.iter().map(|preset| preset.rules.name);
    did_you_mean(name, names.chain(aliases.copied()))
}

/// Returns the preset with this name or alias, or `None`. Case is ignored. Hyphens may be replaced
/// by underscores or spaces, or left out.
///
/// ```
/// use omnigo_core::rules::presets::find;
/// assert_eq!(find("New_Zealand").unwrap().rules.name, "new-zealand");
/// assert_eq!(find("tromptaylor").unwrap().rules.name, "tromp-taylor");
/// assert!(find("").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Preset> {
    let letters = |name: &str| -> String {
        let kept = name.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
        kept.map(|c| c.to_ascii_lowercase()).collect()
    };
    let wanted = letters(name);
    PRESETS.iter().find(|preset| {
        let mut names = preset.aliases.iter().chain([&preset.rules.name]);
        names.any(|name| letters(name) == wanted)
    })
}
