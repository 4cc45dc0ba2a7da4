//! Advice for features of `gh` and of shells that lines do not have.

/// Advice about a flag of `gh` that has no meaning here.
pub(super) struct Advice {
    pub takes_value: bool,
    /// What to do instead.
    pub instead: &'static str,
}

const fn advice(takes_value: bool, instead: &'static str) -> Advice {
    Advice {
        takes_value,
        instead,
    }
}

/// Returns the advice for a flag of `gh`.
pub(super) fn instead_of(flag: &str) -> Option<Advice> {
    let found = match flag {
        "web" | "w" => advice(false, "nothing is opened in a browser"),
        "jq" | "q" | "template" | "t" => advice(true, "choose columns with `--fields`"),
        "editor" | "e" | "recover" => advice(false, "there is no editor"),
        "body-file" | "F" => advice(true, "files are not read; give the text itself"),
        "paginate" => advice(false, "take every page with `--all`"),
        "limit" | "L" => advice(true, "the answer has no pages"),
        "repo" | "R" => advice(true, "it belongs to no repository"),
        "hostname" => advice(true, "only github.com can be reached"),
        "cache" | "interval" | "i" => advice(true, "leave it out"),
        "watch" | "exit-status" => advice(false, "look again later with the same line"),
        "yes" | "y" | "confirm" => advice(false, "nothing asks for confirmation, so leave it out"),
        "help" | "h" => advice(false, "this is the form"),
        _ => return None,
    };
    Some(found)
}

/// Whether a word is an operator of shells.
pub(super) fn is_shell_operator(word: &str) -> bool {
    ["&&", "||", "|", "&", ";", ">", ">>", "<", "<<", "2>&1"].contains(&word)
}

/// Whether a text is a command substitution of shells.
pub(super) fn is_command_substitution(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("$(cat <<") && text.ends_with(')')
}
