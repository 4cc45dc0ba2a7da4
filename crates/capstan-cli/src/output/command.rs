//! Formats calls as command lines that people can try next.

use serde_json::{Map, Value};

use super::Printer;
use super::sanitize::is_unsafe_char;

impl Printer {
    /// Returns the command line of a call.
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
                if let Some(command) = system_command(capability, input) {
                    return format!("{program} {command}");
                }
                let inputs = input.into_iter().flatten();
                let words: Vec<_> = inputs
                    .map(|(name, value)| assignment(name, value))
                    .collect();
                let call = format!("{program} run {capability} {}", words.join(" "));
                call.trim_end().to_owned()
            }
            Some("explain") => format!("{program} explain {capability}"),
            _ => {
                let intent = argument("intent")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                format!("{program} search {}", shell_quoted(intent))
            }
        }
    }
}

fn chain(program: &str, steps: &Value) -> String {
    let mut all = steps.as_array().into_iter().flatten();
    // A chain with missing inputs cannot be sent, so the inputs of the incomplete step are explained.
    match all.find(|step| step.get("missing").is_some()) {
        Some(part) => {
            let task = part["task"].as_str().unwrap_or_default();
            format!("{program} explain {}", shell_quoted(task))
        }
        None => {
            let steps = shell_quoted(&steps.to_string());
            format!("printf %s {steps} | {program} chain -")
        }
    }
}

/// Returns the command that accepts the plan for an intent.
fn acceptance(
    program: &str,
    intent: &str,
    code: &str,
    input: Option<&Map<String, Value>>,
) -> String {
    let flag = input
        .map(|input| {
            let json = Value::Object(input.clone()).to_string();
            format!(" --input {}", shell_quoted(&json))
        })
        .unwrap_or_default();
    let intent = shell_quoted(intent);
    format!("{program} suggest {intent} --accept={code}{flag}")
}

/// The inputs that such a command takes as positional arguments, in this order.
const POSITIONAL_INPUTS: [&str; 8] = [
    "capability",
    "from",
    "into",
    "name",
    "alias",
    "visibility",
    "id",
    "run",
];

/// Returns the command for a system capability that has one, such as `cap rename triage weekly-triage`. `None` if there
/// is no command, or if an input is not a positional argument of it.
fn system_command(capability: &str, input: Option<&Map<String, Value>>) -> Option<String> {
    let command = match capability.split_once('.')? {
        ("run", "resume") => "skill run --resume".to_owned(),
        ("run", "show") | ("skill", "runs") => "skill runs".to_owned(),
        (group @ ("cap" | "trace"), action) => format!("{group} {action}"),
        _ => return None,
    };
    let mut given = input.cloned().unwrap_or_default();
    let mut words = vec![command];
    for name in POSITIONAL_INPUTS {
        if let Some(value) = given.remove(name) {
            words.push(shell_quoted(value.as_str()?));
        }
    }
    // Other inputs are flags of the command, or it does not support them.
    given.is_empty().then(|| words.join(" "))
}

fn assignment(name: &str, value: &Value) -> String {
    match value {
        Value::String(text) => format!("{name}={}", shell_quoted(text)),
        Value::Number(_) | Value::Bool(_) => format!("{name}={value}"),
        other => format!("{name}:={}", shell_quoted(&other.to_string())),
    }
}

/// Quotes a word for the shell if necessary. Characters that are not visible are escaped.
pub(crate) fn shell_quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let is_invisible = |c: char| c.is_control() || is_unsafe_char(c);
    if !text.chars().any(is_invisible) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let escaped = text.chars().map(|c| match c {
        '\n' => "\\n".to_owned(),
        '\\' | '\'' => format!("\\{c}"),
        c if is_invisible(c) => format!("\\u{:04x}", u32::from(c)),
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
            assert_eq!(
                system_command(capability, input.as_object()).as_deref(),
                command
            );
        }
    }
}
