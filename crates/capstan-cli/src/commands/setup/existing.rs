//! An existing entry for Capstan: which parts are the user's own and stay, and which are replaced.

use super::merge::LaunchCommand;

/// The command that starts the server.
const SERVE_COMMAND: &str = "mcp";

/// Flags that can be given several times: a new value is added and does not replace the others.
const REPEATABLE: [&str; 3] = ["--cards", "--skills", "--mcp-servers"];

/// Flags whose value is the next argument.
const WITH_VALUE: [&str; 4] = ["--cards", "--skills", "--mcp-servers", "--config"];

/// The entry that starts Capstan before it is changed.
#[derive(Debug, Default)]
pub(super) struct ExistingEntry {
    pub(super) command: Option<String>,
    pub(super) args: Vec<String>,
    /// The keys that `setup` does not set.
    pub(super) other_keys: Vec<String>,
}

/// The new text of a file, and what was kept and changed in an existing entry.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) text: String,
    pub(super) kept: Vec<String>,
    pub(super) changed: Vec<String>,
}

impl ExistingEntry {
    /// Returns the arguments to write: the user's own flags, the flags of `launch` that are missing, and `mcp`.
    pub(super) fn arguments(&self, launch: LaunchCommand<'_>) -> Vec<String> {
        let Some(serve) = self.serve_index() else {
            return launch.args.to_vec();
        };
        let before_serve = launch.args.iter().take_while(|word| *word != SERVE_COMMAND);
        let asked = flags(before_serve.cloned().collect());
        let is_asked = |flag: &Flag| asked.iter().any(|it| it.name == flag.name);
        let keeps = |flag: &Flag| !is_asked(flag) || REPEATABLE.contains(&flag.name.as_str());
        let before = flags(self.args[..serve].to_vec());
        let after = flags(self.args[serve + 1..].to_vec());
        let is_there = |flag: &Flag| before.iter().chain(&after).any(|it| it == flag);
        let mut words = Vec::new();
        for flag in before.iter().filter(|it| keeps(it) || asked.contains(it)) {
            words.extend(flag.words.iter().cloned());
        }
        for flag in asked.iter().filter(|it| !is_there(it)) {
            words.extend(flag.words.iter().cloned());
        }
        words.push(SERVE_COMMAND.to_owned());
        for flag in after.iter().filter(|it| keeps(it) || asked.contains(it)) {
            words.extend(flag.words.iter().cloned());
        }
        words
    }

    /// Returns the new text with descriptions of what stays of the entry and what is replaced.
    pub(super) fn merged(&self, text: String, launch: LaunchCommand<'_>) -> Merged {
        let mut changed = Vec::new();
        let mut kept = Vec::new();
        let now = self.arguments(launch);
        if let Some(command) = self.command.as_ref().filter(|it| *it != launch.command) {
            changed.push(format!(
                "the command `{command}` is now `{}`",
                launch.command
            ));
        }
        if self.command.is_some() && self.args != now {
            let shown = |words: &[String]| match words {
                [] => "none".to_owned(),
                words => format!("`{}`", words.join(" ")),
            };
            changed.push(format!(
                "the arguments, {}, are now {}",
                shown(&self.args),
                shown(&now)
            ));
        }
        let asked = flags(launch.args.to_vec());
        let own: Vec<String> = flags(now)
            .into_iter()
            .filter(|flag| !asked.contains(flag))
            .flat_map(|flag| flag.words)
            .collect();
        if !own.is_empty() {
            kept.push(format!("the arguments `{}`", own.join(" ")));
        }
        kept.extend(self.other_keys.iter().map(|key| format!("`{key}`")));
        Merged {
            text,
            kept,
            changed,
        }
    }

    /// Returns the index of `mcp` in the arguments, or `None` if the entry starts another program (`npx`,
    /// `docker`), whose arguments cannot be understood.
    fn serve_index(&self) -> Option<usize> {
        let file = self.command.as_deref()?.rsplit(['/', '\\']).next()?;
        let program = file.strip_suffix(".exe").unwrap_or(file);
        if program != "capstan" {
            return None;
        }
        self.args.iter().rposition(|word| word == SERVE_COMMAND)
    }
}

/// A flag with its value.
#[derive(Debug)]
struct Flag {
    name: String,
    value: Option<String>,
    /// The arguments as they were written.
    words: Vec<String>,
}

impl PartialEq for Flag {
    /// Treats `--cards=a` and `--cards a` as equal.
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.value) == (&other.name, &other.value)
    }
}

/// Groups arguments into flags with their values.
fn flags(words: Vec<String>) -> Vec<Flag> {
    let mut flags = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word.clone(), None),
        };
        let mut written = vec![word];
        if value.is_none() && WITH_VALUE.contains(&name.as_str()) {
            value = words.next();
            written.extend(value.clone());
        }
        flags.push(Flag {
            name,
            value,
            words: written,
        });
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::super::client_folders::TokenVariables;
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn merged(command: &str, there: &str, asked: &str) -> String {
        let existing = ExistingEntry {
            command: Some(command.to_owned()),
            args: words(there),
            other_keys: Vec::new(),
        };
        let variables = TokenVariables {
            all: Vec::new(),
            set: Vec::new(),
        };
        let launch = LaunchCommand {
            command: "capstan",
            args: &words(asked),
            variables: &variables,
        };
        existing.arguments(launch).join(" ")
    }

    #[test]
    fn flags_of_the_user_stay_and_those_that_are_asked_for_are_added_once() {
        for (there, asked, now) in [
            ("--demo mcp", "mcp", "--demo mcp"),
            ("--demo mcp", "--demo mcp", "--demo mcp"),
            ("mcp", "--demo mcp", "--demo mcp"),
            ("mcp --read-only", "--demo mcp", "--demo mcp --read-only"),
            ("mcp --demo", "--demo mcp", "mcp --demo"),
            ("--cards a mcp", "--cards b mcp", "--cards a --cards b mcp"),
            ("--cards=a mcp", "--cards a mcp", "--cards=a mcp"),
            ("--config a mcp", "--config b mcp", "--config b mcp"),
            ("--cards mcp mcp", "mcp", "--cards mcp mcp"),
            // Arguments that do not start the server are replaced.
            ("serve", "mcp", "mcp"),
            ("", "--demo mcp", "--demo mcp"),
        ] {
            for command in ["/old/capstan", "capstan", r"C:\bin\capstan.exe"] {
                assert_eq!(merged(command, there, asked), now, "{there} + {asked}");
            }
        }
    }

    #[test]
    fn arguments_of_another_program_are_replaced() {
        assert_eq!(merged("npx", "-y capstan mcp", "mcp"), "mcp");
    }
}
