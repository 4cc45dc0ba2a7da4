//! Deprecated versions: a warning until their last day, an error after it.

use capstan_core::date::{Day, parse_day};

use crate::codes::DEPRECATED;
use crate::findings::{DiagnosticExt as _, Findings};
use crate::skill::{Compose, Skill};

pub(super) fn check(
    skill: &Skill,
    compose: &Compose,
    used: &Skill,
    today: Day,
    findings: &mut Findings,
) {
    let Some(deprecated) = &used.deprecated else {
        return;
    };
    let name = used.full_name();
    let since = if deprecated.since.is_empty() {
        String::new()
    } else {
        format!(" since {}", deprecated.since)
    };
    let help = deprecated
        .replacement
        .as_ref()
        .map(|it| format!("use `{it}`"));
    let sunset = deprecated.sunset.as_ref().map(|it| it.value.as_str());
    let source = &skill.origin.source;
    let place = compose.skill.span;
    match sunset.and_then(|text| parse_day(text).map(|day| (text, day))) {
        Some((text, day)) if day < today => {
            let message =
                format!("`{name}` is deprecated{since}, and was due for removal on {text}");
            findings
                .error(DEPRECATED, source, place, message)
                .help(help);
        }
        Some((text, _)) => {
            let message = format!("`{name}` is deprecated{since}, and will be removed on {text}");
            findings
                .warning(DEPRECATED, source, place, message)
                .help(help);
        }
        None => {
            let message = format!("`{name}` is deprecated{since}");
            findings
                .warning(DEPRECATED, source, place, message)
                .help(help);
        }
    }
}
