//! Splits an expression into tokens with their byte offsets.

use super::ExprError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Variable(String),
    Text(String),
    Number(serde_json::Number),
    Symbol(&'static str),
}

/// Longest first, so that `==` is not read as two symbols.
const SYMBOLS: [&str; 14] = [
    "==", "!=", "<=", ">=", "<", ">", "|", "(", ")", "[", "]", ",", ".", "-",
];

/// Symbols for words, as in other languages. `!=` is not one of them.
const SIGNS: [(&str, &str); 3] = [("&&", "and"), ("||", "or"), ("!", "not")];

pub(super) fn lex(text: &str) -> Result<Vec<(usize, Token)>, ExprError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let offset = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let (token, length) = match first {
            '"' => string(rest, offset)?,
            '\'' => plain(rest, offset)?,
            '0'..='9' => number(rest, offset)?,
            '$' => {
                let name = word(&rest[1..]);
                if name.is_empty() {
                    return Err(error("expected a name after `$`", offset));
                }
                (Token::Variable(name.to_owned()), 1 + name.len())
            }
            c if c.is_alphabetic() || c == '_' => {
                let name = word(rest);
                (Token::Word(name.to_owned()), name.len())
            }
            other => {
                let is_sign = |sign: &str| rest.starts_with(sign) && !rest.starts_with("!=");
                let sign = SIGNS.into_iter().find(|(sign, _)| is_sign(sign));
                let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
                match (sign, symbol) {
                    (Some((sign, word)), _) => (Token::Word(word.to_owned()), sign.len()),
                    (None, Some(symbol)) => (Token::Symbol(symbol), symbol.len()),
                    (None, None) => return Err(error(format!("unexpected `{other}`"), offset)),
                }
            }
        };
        tokens.push((offset, token));
        rest = &rest[length..];
    }
}

/// Returns the word at the start: letters, digits and `_`. A `-` between them is part of the word,
/// because there is no subtraction.
fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = 0;
    let mut rest = text;
    loop {
        let part = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        end += part;
        let goes_on = rest[part..].strip_prefix('-');
        match goes_on.filter(|after| part > 0 && after.starts_with(is_part)) {
            Some(after) => {
                end += 1;
                rest = after;
            }
            None => return &text[..end],
        }
    }
}

/// Reads a text in single quotes, which has no escapes.
fn plain(text: &str, offset: usize) -> Result<(Token, usize), ExprError> {
    match text[1..].find('\'') {
        Some(length) => {
            let content = &text[1..=length];
            Ok((Token::Text(content.to_owned()), length + 2))
        }
        None => Err(error("this text has no closing `'`", offset)),
    }
}

/// Reads a JSON string literal, with JSON's escapes.
fn string(text: &str, offset: usize) -> Result<(Token, usize), ExprError> {
    let mut escaped = false;
    let close = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    let Some((close, _)) = close else {
        return Err(error("this text has no closing `\"`", offset));
    };
    let literal = &text[..=close];
    serde_json::from_str(literal)
        .map(|value| (Token::Text(value), literal.len()))
        .map_err(|cause| error(format!("bad text literal: {cause}"), offset))
}

fn number(text: &str, offset: usize) -> Result<(Token, usize), ExprError> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let literal = &text[..end];
    serde_json::from_str(literal)
        .map(|value| (Token::Number(value), literal.len()))
        .map_err(|_| error(format!("`{literal}` is not a number"), offset))
}

pub(super) fn error(message: impl Into<String>, offset: usize) -> ExprError {
    ExprError {
        message: message.into(),
        offset,
    }
}
