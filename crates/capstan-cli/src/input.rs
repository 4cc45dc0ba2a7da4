//! From words on the command line to a typed input.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;

use anyhow::{Context as _, bail};
use capstan_core::card::{Card, Kind};
use capstan_core::code::json_type;
use capstan_core::json::{self, DuplicateKey, JsonError};
use serde_json::{Map, Value};

/// A JSON input on standard input or in a file is never larger than this.
pub(crate) const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// What the command line says of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    /// A JSON object, or `-` for standard input, and the flag that gave it.
    pub json: Option<&'a str>,
    pub flag: &'static str,
    /// `name=value`, `name:=JSON`.
    pub assignments: &'a [String],
}

/// The JSON first, `name=value` over it.
pub(crate) fn read(card: &Card, words: Words<'_>) -> anyhow::Result<Map<String, Value>> {
    let mut input = match words.json {
        None => Map::new(),
        Some(text) => object(text, words.flag)?,
    };
    let mut given: Map<String, Value> = Map::new();
    for word in words.assignments {
        let (name, value) = assignment(card, word, &given)?;
        let grows = matches!(&value, Value::Array(_)) && !is_json(word);
        if given.contains_key(&name) && !grows {
            bail!("`{name}` is given twice: write it once");
        }
        given.insert(name, value);
    }
    input.extend(given);
    Ok(input)
}

/// Like `read`, and the repository where none was given.
pub(crate) fn gather(
    card: &Card,
    words: Words<'_>,
    repo: Option<&str>,
    repository_here: impl FnOnce() -> Option<(String, String)>,
) -> anyhow::Result<Map<String, Value>> {
    let mut input = read(card, words)?;
    if let Some(named) = repo {
        let (owner, repo) = repository(named)?;
        for (name, value) in [("owner", &owner), ("repo", &repo)] {
            let Some(given) = input.get(name) else {
                continue;
            };
            if given != value.as_str() {
                let is_word = |word: &String| word.split(['=', ':']).next() == Some(name);
                let said = if words.assignments.iter().any(is_word) {
                    format!("`{name}=`")
                } else {
                    format!("`{name}` of {}", words.flag)
                };
                bail!("`-R {named}` and {said} name two repositories: leave one of them out");
            }
        }
        put_repository(&mut input, (owner, repo));
    }
    if lacks_repository(card, &input)
        && let Some(here) = repository_here()
    {
        put_repository(&mut input, here);
    }
    Ok(input)
}

/// All of standard input.
pub(crate) fn standard_input() -> anyhow::Result<String> {
    let mut text = String::new();
    let read = std::io::stdin()
        .take(MOST_BYTES + 1)
        .read_to_string(&mut text);
    read.context("cannot read the input from standard input")?;
    if text.len() as u64 > MOST_BYTES {
        bail!("the input on standard input is larger than {MOST_BYTES} bytes");
    }
    Ok(text)
}

/// All of a file, or of standard input for `-`.
pub(crate) fn file_or_standard_input(file: &str) -> anyhow::Result<String> {
    if file == "-" {
        return standard_input();
    }
    let mut text = String::new();
    File::open(file)
        .and_then(|open| open.take(MOST_BYTES + 1).read_to_string(&mut text))
        .with_context(|| format!("cannot read `{file}`"))?;
    if text.len() as u64 > MOST_BYTES {
        bail!("`{file}` is larger than {MOST_BYTES} bytes");
    }
    Ok(text)
}

/// Reads `OWNER/REPO`.
pub(crate) fn repository(text: &str) -> anyhow::Result<(String, String)> {
    match text.split_once('/') {
        Some((owner, repo)) if !owner.is_empty() && !repo.is_empty() && !repo.contains('/') => {
            Ok((owner.to_owned(), repo.to_owned()))
        }
        _ => bail!("`{text}` is not a repository: expected OWNER/REPO"),
    }
}

/// Whether a card wants a repository that the input does not name.
pub(crate) fn lacks_repository(card: &Card, input: &Map<String, Value>) -> bool {
    ["owner", "repo"]
        .into_iter()
        .all(|name| property(card, name).is_some() && !input.contains_key(name))
}

pub(crate) fn put_repository(input: &mut Map<String, Value>, (owner, repo): (String, String)) {
    input.insert("owner".to_owned(), owner.into());
    input.insert("repo".to_owned(), repo.into());
}

/// A JSON object as a flag gives it; `-` is standard input.
pub(crate) fn object(text: &str, flag: &str) -> anyhow::Result<Map<String, Value>> {
    let text = match text {
        "-" => Cow::Owned(standard_input()?),
        text => Cow::Borrowed(text),
    };
    match json(&text, flag)? {
        Value::Object(fields) => Ok(fields),
        _ => bail!("{flag} is not a JSON object: expected {{\"name\": value, …}}"),
    }
}

/// `before` has what earlier words gave: a list grows when its name is repeated.
fn assignment(
    card: &Card,
    word: &str,
    before: &Map<String, Value>,
) -> anyhow::Result<(String, Value)> {
    let Some((name, value)) = word
        .split_once('=')
        .filter(|(name, _)| !matches!(*name, "" | ":"))
    else {
        bail!("`{word}` is not an input: expected name=value, or name:=JSON");
    };
    if let Some(name) = name.strip_suffix(':') {
        return match json::from_str(value) {
            Ok(value) => Ok((name.to_owned(), value)),
            Err(JsonError::Syntax(cause)) => {
                Err(cause).with_context(|| format!("`{name}:=` is not followed by JSON"))
            }
            Err(cause) => Err(cause).with_context(|| format!("`{name}:=`")),
        };
    }
    let schema = property(card, name);
    let said = schema.is_some_and(|it| it.get("type").is_some() || it.get("enum").is_some());
    let default = schema.and_then(|schema| schema.get("default"));
    let read = match (card.kind(), default) {
        // Of code, what a parameter is if it is not given tells how a word is meant.
        (Kind::Code, Some(default)) if !said && !default.is_null() => {
            let like_default = serde_json::json!({"type": json_type(default)});
            typed(Some(&like_default), value, before.get(name))
        }
        // Code seldom says what it wants, and neither do some skills.
        (Kind::Code | Kind::Skill, _) if !said => Ok(guessed(value)),
        _ => typed(schema, value, before.get(name)),
    };
    match read {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(twice) => bail!("`{name}`: {twice}"),
    }
}

/// Reads a word by the type that the schema wants. A word that does not fit stays a text, and the
/// validation says what was expected. Where a text is allowed too, only a word that is written as
/// numbers are (`2`, not `002`, `+2` or `1e1`) is a number.
fn typed(
    schema: Option<&Value>,
    word: &str,
    before: Option<&Value>,
) -> Result<Value, DuplicateKey> {
    let kinds: Vec<&str> = match schema.and_then(|schema| schema.get("type")) {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let may_be_text = kinds.contains(&"string");
    for kind in kinds {
        let read = match kind {
            "integer" | "number" if may_be_text && !is_canonical(word, kind) => None,
            "integer" => word.parse::<i64>().ok().map(Value::from),
            "number" => json::from_str(word).ok().filter(Value::is_number),
            "boolean" => word.parse::<bool>().ok().map(Value::from),
            "null" => (word == "null").then_some(Value::Null),
            "array" => {
                let items = schema.and_then(|schema| schema.get("items"));
                let mut all = before
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_default();
                // Nothing at all is the empty list.
                let words = word.split(',').filter(|_| !word.is_empty());
                for item in words {
                    all.push(typed(items, item.trim(), None)?);
                }
                Some(Value::Array(all))
            }
            "object" => match json::from_str(word) {
                Ok(value) => Some(value).filter(Value::is_object),
                Err(JsonError::Duplicate(twice)) => return Err(twice),
                Err(JsonError::Syntax(_)) => None,
            },
            _ => None,
        };
        if let Some(value) = read {
            return Ok(value);
        }
    }
    Ok(Value::String(word.to_owned()))
}

/// Whether a word is a number in its only spelling: an optional minus, digits without leading zeros, and
/// for a number that need not be whole, digits behind a point that do not end with a zero.
fn is_canonical(word: &str, kind: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let has_leading_zero = whole.len() > 1 && whole.starts_with('0');
    are_digits(whole)
        && !has_leading_zero
        && word != "-0"
        && fraction.is_none_or(|it| kind == "number" && are_digits(it) && !it.ends_with('0'))
}

/// Whether a word gives its value as JSON: `name:=JSON`.
fn is_json(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.ends_with(':'))
}

/// A value as a flag or a file gives it.
pub(crate) fn json(text: &str, what: &str) -> anyhow::Result<Value> {
    match json::from_str(text) {
        Ok(value) => Ok(value),
        Err(JsonError::Syntax(cause)) => Err(cause).with_context(|| format!("{what} is not JSON")),
        Err(cause) => Err(cause).with_context(|| what.to_owned()),
    }
}

/// Reads a word as what it looks like: a number, true, false, null, else a text.
fn guessed(word: &str) -> Value {
    match serde_json::from_str(word) {
        Ok(value @ (Value::Bool(_) | Value::Null)) => value,
        Ok(value @ Value::Number(_)) if is_canonical(word, "number") => value,
        _ => Value::String(word.to_owned()),
    }
}

fn property<'a>(card: &'a Card, name: &str) -> Option<&'a Value> {
    card.input_schema.get("properties")?.get(name)
}
