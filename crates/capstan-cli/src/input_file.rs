//! Reads files that are named on the command line as `name=@FILE`. Only here can a text name a file, because whoever
//! writes the command line owns the files. Everywhere else `@FILE` is a plain text.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use capstan_core::card::Card;
use serde_json::{Map, Value, json};

use crate::input::property;

/// The largest file that is sent as it is, in bytes.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Returns the file whose content is the value of an input, if the card sends that input as it is.
pub(crate) fn named_by<'a>(card: &Card, name: &str, value: &'a str) -> Option<&'a str> {
    value
        .strip_prefix('@')
        .filter(|_| file_input(card) == Some(name))
}

/// Reads the content of a file: a text if it is one, else Base64. `-` is standard input.
pub(crate) fn read(file: &str) -> anyhow::Result<Value> {
    let mut bytes = Vec::new();
    let read = if file == "-" {
        std::io::stdin()
            .take(MAX_FILE_BYTES + 1)
            .read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|open| open.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read `{file}`"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        bail!("`{file}` is larger than {} MB", MAX_FILE_BYTES >> 20);
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Value::from(text),
        Err(error) => json!({"base64": STANDARD.encode(error.as_bytes())}),
    })
}

/// Returns the input that a card sends as it is, such as the content of a file.
fn file_input(card: &Card) -> Option<&str> {
    let raw = card.rest.as_ref()?.call.raw.as_ref()?;
    Some(&raw.input)
}

/// Fills in the input `name` with the name of the file that was read, if the card has that input and the caller did not
/// give it.
pub(crate) fn name_file(card: &Card, assignments: &[String], input: &mut Map<String, Value>) {
    const NAME: &str = "name";
    if input.contains_key(NAME) || property(card, NAME).is_none() {
        return;
    }
    let Some(content) = file_input(card) else {
        return;
    };
    let mut read = assignments.iter().filter_map(|word| {
        let (name, file) = word.split_once("=@")?;
        Path::new(file).file_name().filter(|_| name == content)
    });
    if let Some(name) = read.next() {
        let name = name.to_string_lossy().into_owned();
        input.insert(NAME.to_owned(), name.into());
    }
}
