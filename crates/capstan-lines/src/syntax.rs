//! Splits texts into lines and lines into words, and quotes words.

use crate::error::LineError;

/// Splits a text into lines at newlines outside of quotes. Skips blank lines and lines that begin with `# `.
/// A backslash at the end of a line continues it.
pub fn split(text: &str) -> Result<Vec<String>, LineError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut lines = Vec::new();
    while lexer.at < text.len() {
        lexer.skip_space(Newlines::Skip);
        if lexer.skip_comment() {
            continue;
        }
        let start = lexer.at;
        let mut end = start;
        while lexer.word()?.is_some() {
            end = lexer.at;
            lexer.skip_space(Newlines::Keep);
            if lexer.rest().starts_with('\n') {
                break;
            }
        }
        if end > start {
            lines.push(text[start..end].to_owned());
        }
    }
    Ok(lines)
}

/// Quotes a text as one word.
pub fn quote(text: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,#".contains(c);
    // These begin a comment or name a line.
    let says_more = text.starts_with('#') || text.ends_with(':') || text == "as";
    if !text.is_empty() && text.chars().all(is_safe) && !says_more {
        return text.to_owned();
    }
    // Only single quotes keep a `$` from being a reference.
    if text.contains('\'') && !text.contains('$') {
        return format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// One word of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub text: String,
    /// Whether nothing in it is quoted.
    pub is_plain: bool,
    /// Whether a `$` in it is in single quotes or after a backslash.
    pub is_literal: bool,
}

/// Returns the words of one line; newlines are white space.
pub(crate) fn words(line: &str) -> Result<Vec<Word>, LineError> {
    let mut lexer = Lexer { text: line, at: 0 };
    let mut words = Vec::new();
    lexer.skip_space(Newlines::Skip);
    while let Some(word) = lexer.word()? {
        words.push(word);
        lexer.skip_space(Newlines::Skip);
    }
    Ok(words)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Newlines {
    Skip,
    Keep,
}

struct Lexer<'a> {
    text: &'a str,
    /// The position in bytes.
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn take(&mut self, prefix: &str) -> bool {
        let is_there = self.rest().starts_with(prefix);
        if is_there {
            self.at += prefix.len();
        }
        is_there
    }

    fn take_continuation(&mut self) -> bool {
        self.take("\\\n") || self.take("\\\r\n")
    }

    fn skip_space(&mut self, newlines: Newlines) {
        loop {
            if self.take_continuation() {
                continue;
            }
            match self.rest().chars().next() {
                Some('\n') if newlines == Newlines::Keep => return,
                Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) -> bool {
        let line = self.rest().split('\n').next().unwrap_or_default();
        let is_comment = line.starts_with("# ") || line.trim_end() == "#";
        if is_comment {
            self.at += line.len();
        }
        is_comment
    }

    /// Reads the word at this position, after white space was skipped.
    fn word(&mut self) -> Result<Option<Word>, LineError> {
        let mut word = Word {
            text: String::new(),
            is_plain: true,
            is_literal: false,
        };
        let start = self.at;
        while let Some(c) = self.rest().chars().next() {
            if c.is_whitespace() {
                break;
            }
            if self.take_continuation() {
                continue;
            }
            let place = self.at;
            self.at += c.len_utf8();
            match c {
                '\'' => self.single_quoted(place, &mut word)?,
                '"' => self.double_quoted(place, &mut word)?,
                '\\' => {
                    word.is_plain = false;
                    let escaped = self.next();
                    word.is_literal |= escaped == Some('$');
                    // At the end of the text, a backslash escapes nothing.
                    word.text.push(escaped.unwrap_or('\\'));
                }
                c => word.text.push(c),
            }
        }
        Ok((self.at > start).then_some(word))
    }

    fn single_quoted(&mut self, place: usize, word: &mut Word) -> Result<(), LineError> {
        word.is_plain = false;
        let Some(length) = self.rest().find('\'') else {
            return Err(self.unclosed('\'', place));
        };
        let inner = &self.rest()[..length];
        word.is_literal |= inner.contains('$');
        word.text.push_str(inner);
        self.at += length + 1;
        Ok(())
    }

    fn double_quoted(&mut self, place: usize, word: &mut Word) -> Result<(), LineError> {
        word.is_plain = false;
        loop {
            if self.take("\\\"") {
                word.text.push('"');
            } else if self.take("\\\\") {
                word.text.push('\\');
            } else {
                match self.next() {
                    Some('"') => return Ok(()),
                    Some(c) => word.text.push(c),
                    None => return Err(self.unclosed('"', place)),
                }
            }
        }
    }

    fn unclosed(&self, quote: char, place: usize) -> LineError {
        let before = &self.text[..place];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        LineError::Unclosed {
            quote,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}
