//! Parses words as flags.

/// `--name`, `--name=value`, or `-n` with a value that directly follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flag<'a> {
    pub name: &'a str,
    /// The value in the same word.
    pub value: Option<&'a str>,
    pub is_short: bool,
}

impl<'a> Flag<'a> {
    /// Parses a flag. `-5`, `- a text` and `--` are not flags.
    pub(crate) fn parse(word: &'a str) -> Option<Self> {
        let rest = word.strip_prefix('-')?;
        let Some(long) = rest.strip_prefix('-') else {
            let first = rest.chars().next().filter(char::is_ascii_alphabetic)?;
            let (name, value) = rest.split_at(first.len_utf8());
            let value = value
                .strip_prefix('=')
                .or(Some(value).filter(|it| !it.is_empty()));
            return Some(Self {
                name,
                value,
                is_short: true,
            });
        };
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        is_flag_name(name).then_some(Self {
            name,
            value,
            is_short: false,
        })
    }
}

/// Whether a name is valid after `--`.
pub(crate) fn is_flag_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && name.chars().all(is_part)
}

/// Whether a word after a flag is its value: it is not a flag itself, or it was quoted because of a space.
pub(crate) fn is_value(word: &str) -> bool {
    match Flag::parse(word) {
        Some(flag) if flag.is_short => word.contains(char::is_whitespace),
        Some(_) => false,
        None => word != "--",
    }
}
