//! Turns arguments of the command line into the input of a capability.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;

use anyhow::{Context as _, bail};
use capstan_core::card::{Card, Kind};
use capstan_core::code::json_type;
use capstan_core::json::{self, DuplicateKey, JsonError};
use serde_json::{Map, Value};

use crate::input_file;

/// The largest input that is read from standard input or a file, in bytes.
pub(crate) const MAX_INPUT_BYTES: u64 = 8 * 1024 * 1024;

/// The arguments that form an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputArgs<'a> {
    /// A JSON object, or `-` for standard input.
    pub json: Option<&'a str>,
    /// The flag whose value `json` is, for errors.
    pub flag: &'static str,
    /// Words of the form `name=value` or `name:=JSON`.
    pub assignments: &'a [String],
}

/// Reads an input. Assignments override fields of the JSON object. Types of values come from the card.
pub(crate) fn read(card: &Card, args: InputArgs<'_>) -> anyhow::Result<Map<String, Value>> {
    let mut input = match args.json {
        None => Map::new(),
        Some(text) => parse_object(text, args.flag)?,
    };
    let mut given: Map<String, Value> = Map::new();
    for word in args.assignments {
        let (name, value) = parse_assignment(card, word, &given)?;
        let grows = matches!(&value, Value::Array(_)) && !is_json(word);
        if given.contains_key(&name) && !grows {
            bail!("`{name}` is given twice: write it once");
        }
        given.insert(name, value);
    }
    input.extend(given);
    input_file::name_file(card, args.assignments, &mut input);
    Ok(input)
}

/// Reads an input like [`read`], and adds the repository: that of `--repo`, or the default one if the card takes a
/// repository and the input names none.
pub(crate) fn read_with_repository(
    card: &Card,
    args: InputArgs<'_>,
    repo: Option<&str>,
    repository_here: impl FnOnce() -> Option<(String, String)>,
) -> anyhow::Result<Map<String, Value>> {
    let mut input = read(card, args)?;
    if let Some(named) = repo {
        let (owner, repo) = parse_repository(named)?;
        for (name, value) in [("owner", &owner), ("repo", &repo)] {
            let Some(given) = input.get(name) else {
                continue;
            };
            if given != value.as_str() {
                let assigns = |word: &String| word.split(['=', ':']).next() == Some(name);
                let other = if args.assignments.iter().any(assigns) {
                    format!("`{name}=`")
                } else {
                    format!("`{name}` of {}", args.flag)
                };
                bail!("`-R {named}` and {other} name two repositories: leave one of them out");
            }
        }
        set_repository(&mut input, (owner, repo));
    }
    if lacks_repository(card, &input)
        && let Some(here) = repository_here()
    {
        set_repository(&mut input, here);
    }
    Ok(input)
}

/// Reads all of standard input.
pub(crate) fn read_standard_input() -> anyhow::Result<String> {
    let mut text = String::new();
    let read = std::io::stdin()
        .take(MAX_INPUT_BYTES + 1)
        .read_to_string(&mut text);
    read.context("cannot read the input from standard input")?;
    if text.len() as u64 > MAX_INPUT_BYTES {
        bail!("the input on standard input is larger than {MAX_INPUT_BYTES} bytes");
    }
    Ok(text)
}

/// Reads all of a file, or of standard input if `file` is `-`.
pub(crate) fn read_file_or_standard_input(file: &str) -> anyhow::Result<String> {
    if file == "-" {
        return read_standard_input();
    }
    let mut text = String::new();
    File::open(file)
        .and_then(|open| open.take(MAX_INPUT_BYTES + 1).read_to_string(&mut text))
        .with_context(|| format!("cannot read `{file}`"))?;
    if text.len() as u64 > MAX_INPUT_BYTES {
        bail!("`{file}` is larger than {MAX_INPUT_BYTES} bytes");
    }
    Ok(text)
}

/// Parses `OWNER/REPO`.
pub(crate) fn parse_repository(text: &str) -> anyhow::Result<(String, String)> {
    match text.split_once('/') {
        Some((owner, repo)) if !owner.is_empty() && !repo.is_empty() && !repo.contains('/') => {
            Ok((owner.to_owned(), repo.to_owned()))
        }
        _ => bail!("`{text}` is not a repository: expected OWNER/REPO"),
    }
}

/// Whether a card takes a repository and the input names none.
pub(crate) fn lacks_repository(card: &Card, input: &Map<String, Value>) -> bool {
    // A raw call takes one only if its path has a place for it, which the engine knows.
    card.request.is_none()
        && ["owner", "repo"]
            .into_iter()
            .all(|name| property(card, name).is_some() && !input.contains_key(name))
}

pub(crate) fn set_repository(input: &mut Map<String, Value>, (owner, repo): (String, String)) {
    input.insert("owner".to_owned(), owner.into());
    input.insert("repo".to_owned(), repo.into());
}

/// Parses the JSON object that is the value of a flag; `-` reads standard input.
pub(crate) fn parse_object(text: &str, flag: &str) -> anyhow::Result<Map<String, Value>> {
    let text = match text {
        "-" => Cow::Owned(read_standard_input()?),
        text => Cow::Borrowed(text),
    };
    match parse_json(&text, flag)? {
        Value::Object(fields) => Ok(fields),
        _ => bail!("{flag} is not a JSON object: expected {{\"name\": value, …}}"),
    }
}

/// Parses `name=value` or `name:=JSON`. `before` has the values of earlier assignments: repeating the name of a list
/// appends to it.
fn parse_assignment(
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
                Err(cause).with_context(|| format!("the value of `{name}:=` is not JSON"))
            }
            Err(cause) => Err(cause).with_context(|| format!("`{name}:=`")),
        };
    }
    // Only here may a text name a file: whoever writes the command line owns the files.
    if let Some(file) = input_file::named_by(card, name, value) {
        return Ok((name.to_owned(), input_file::read(file)?));
    }
    let schema = property(card, name);
    let has_type = schema.is_some_and(|it| it.get("type").is_some() || it.get("enum").is_some());
    let default = schema.and_then(|schema| schema.get("default"));
    let read = match (card.kind(), default) {
        // Parameters of code often have a default but no type: the value gets the type of the default.
        (Kind::Code, Some(default)) if !has_type && !default.is_null() => {
            let like_default = serde_json::json!({"type": json_type(default)});
            convert(Some(&like_default), value, before.get(name))
        }
        // Code and some skills have parameters without a type.
        (Kind::Code | Kind::Skill, _) if !has_type => Ok(guess_type(value)),
        _ => convert(schema, value, before.get(name)),
    };
    match read {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(duplicate) => bail!("`{name}`: {duplicate}"),
    }
}

/// Converts a word to a type that the schema allows. A word that fits no type stays a string, which the validation
/// then reports. If strings are allowed too, only a canonical number (`2`, not `002`, `+2` or `1e1`) becomes a number.
fn convert(
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
                // An empty value is the empty list.
                if !word.is_empty() {
                    for item in word.split(',') {
                        all.push(convert(items, item.trim(), None)?);
                    }
                }
                Some(Value::Array(all))
            }
            "object" => match json::from_str(word) {
                Ok(value) => Some(value).filter(Value::is_object),
                Err(JsonError::Duplicate(duplicate)) => return Err(duplicate),
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

/// Whether a word is a number in canonical form: an optional minus, digits without leading zeros, and, if `kind` is
/// `number`, optional decimals that do not end with a zero.
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

/// Whether a word has the form `name:=JSON`.
fn is_json(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.ends_with(':'))
}

/// Parses JSON. `what` names its origin, for errors.
pub(crate) fn parse_json(text: &str, what: &str) -> anyhow::Result<Value> {
    match json::from_str(text) {
        Ok(value) => Ok(value),
        Err(JsonError::Syntax(cause)) => Err(cause).with_context(|| format!("{what} is not JSON")),
        Err(cause) => Err(cause).with_context(|| what.to_owned()),
    }
}

/// Converts a word to the type that it looks like: a number, true, false, null, or else a string.
fn guess_type(word: &str) -> Value {
    match serde_json::from_str(word) {
        Ok(value @ (Value::Bool(_) | Value::Null)) => value,
        Ok(value @ Value::Number(_)) if is_canonical(word, "number") => value,
        _ => Value::String(word.to_owned()),
    }
}

pub(crate) fn property<'a>(card: &'a Card, name: &str) -> Option<&'a Value> {
    card.input_schema.get("properties")?.get(name)
}
