//! Calls as they would be typed, for people to try next.

use serde_json::{Map, Value};

use super::Printer;
use super::harmless::steers;

impl Printer {
    /// A call as it would be typed.
    pub(super) fn command(&self, call: &Value) -> String {
        if let Some(command) = call.get("command").and_then(Value::as_str) {
            return command.to_owned();
        }
        let program = &self.program;
        let argument = |name: &str| call.pointer(&format!("/arguments/{name}"));
        let capability = argument("capability")
            .and_then(Value::as_str)
            .unwrap_or_default();
        match call.get("tool").and_then(Value::as_str) {
            Some("execute") => {
                let input = argument("input").and_then(Value::as_object);
                if let Some(steps) = argument("steps") {
                    return chain(program, steps);
                }
                if let Some(code) = argument("accept").and_then(Value::as_str) {
                    let intent = argument("intent").and_then(Value::as_str);
                    return acceptance(program, intent.unwrap_or_default(), code, input);
                }
                if let Some(own) = own(capability, input) {
                    return format!("{program} {own}");
                }
                let inputs = input.into_iter().flatten();
                let words: Vec<_> = inputs.map(|(name, value)| word(name, value)).collect();
                let call = format!("{program} run {capability} {}", words.join(" "));
                call.trim_end().to_owned()
            }
            Some("explain") => format!("{program} explain {capability}"),
            _ => {
                let intent = argument("intent")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                format!("{program} search {}", quoted(intent))
            }
        }
    }
}

fn chain(program: &str, steps: &Value) -> String {
    let mut all = steps.as_array().into_iter().flatten();
    // What is not whole cannot be sent; what it takes can be looked up.
    match all.find(|step| step.get("missing").is_some()) {
        Some(part) => {
            let task = part["task"].as_str().unwrap_or_default();
            format!("{program} explain {}", quoted(task))
        }
        None => {
            let steps = quoted(&steps.to_string());
            format!("printf %s {steps} | {program} chain -")
        }
    }
}

/// An intent whose plan is accepted.
fn acceptance(
    program: &str,
    intent: &str,
    code: &str,
    input: Option<&Map<String, Value>>,
) -> String {
    let given = input.map(|input| {
        let input = Value::Object(input.clone()).to_string();
        format!(" --input {}", quoted(&input))
    });
    let given = given.unwrap_or_default();
    let intent = quoted(intent);
    format!("{program} suggest {intent} --accept={code}{given}")
}

/// What such a command wants, in this order.
const WORDS: [&str; 8] = [
    "capability",
    "from",
    "into",
    "name",
    "alias",
    "visibility",
    "id",
    "run",
];

/// What has a command of its own is offered as that: `cap rename triage weekly-triage`.
fn own(capability: &str, input: Option<&Map<String, Value>>) -> Option<String> {
    let command = match capability.split_once('.')? {
        ("run", "resume") => "skill run --resume".to_owned(),
        ("run", "show") | ("skill", "runs") => "skill runs".to_owned(),
        (group @ ("cap" | "trace"), action) => format!("{group} {action}"),
        _ => return None,
    };
    let mut given = input.cloned().unwrap_or_default();
    let mut words = vec![command];
    for name in WORDS {
        if let Some(value) = given.remove(name) {
            words.push(quoted(value.as_str()?));
        }
    }
    // Anything else is a flag there, or cannot be said.
    given.is_empty().then(|| words.join(" "))
}

fn word(name: &str, value: &Value) -> String {
    match value {
        Value::String(text) => format!("{name}={}", quoted(text)),
        Value::Number(_) | Value::Bool(_) => format!("{name}={value}"),
        other => format!("{name}:={}", quoted(&other.to_string())),
    }
}

/// A word for the shell.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let unseen = |c: char| c.is_control() || steers(c);
    if !text.chars().any(unseen) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let escaped = text.chars().map(|c| match c {
        '\n' => "\\n".to_owned(),
        '\\' | '\'' => format!("\\{c}"),
        c if unseen(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("$'{}'", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn own_actions_are_offered_as_their_commands() {
        for (capability, input, command) in [
            ("cap.list", json!({}), Some("cap list")),
            (
                "cap.rename",
                json!({"name": "a b", "capability": "x"}),
                Some("cap rename x 'a b'"),
            ),
            ("trace.show", json!({"id": "01"}), Some("trace show 01")),
            (
                "run.resume",
                json!({"run": "01"}),
                Some("skill run --resume 01"),
            ),
            ("skill.runs", json!({}), Some("skill runs")),
            ("cap.list", json!({"glob": "x*"}), None),
            ("cap.name", json!({"capability": 1}), None),
            ("issue.view", json!({}), None),
        ] {
            assert_eq!(own(capability, input.as_object()).as_deref(), command);
        }
    }
}
