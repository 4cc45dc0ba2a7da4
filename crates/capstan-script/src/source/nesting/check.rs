//! Counts how deep code can nest at most.
//!
//! What nests without brackets nests within one statement: operators, arrows, `if`s without braces. So
//! all of these are counted from where a statement starts, and one that follows another is not told
//! from one inside another. The count is too high for a statement of hundreds of operators, and where
//! it is not clear whether a `/` after a `}` divides; it is not meant to be too low anywhere.

use capstan_core::code::{ScriptError, ScriptErrorKind, Stopped};

use super::tokens::{Kind, Slash, Token, Tokens};
use crate::source::Lines;

/// A level takes a parser less than 3 KiB of stack, unoptimised.
const DEEPEST: usize = 500;

pub(crate) fn check(source: &str, lines: &Lines<'_>) -> Result<(), ScriptError> {
    let Some(offset) = too_deep(source, DEEPEST) else {
        return Ok(());
    };
    let message = if source[offset..].starts_with('/') {
        "it is not clear what the `/` after `}` is: write `;` before a regular expression"
            .to_owned()
    } else {
        format!(
            "the code is nested deeper than {DEEPEST} levels: give parts of it names, or split it"
        )
    };
    let error = ScriptError::new(ScriptErrorKind::Limit(Stopped::Source), message);
    Err(error.at(Some(lines.place(offset))))
}

/// Where the code may be nested deeper than that.
pub(super) fn too_deep(source: &str, deepest: usize) -> Option<usize> {
    let mut tokens = Tokens::new(source);
    let mut nesting = Nesting::default();
    while let Some(token) = tokens.next(nesting.slash()) {
        nesting.add(&token);
        if token.kind == Kind::Close(b'}') && nesting.left_template {
            let kind = tokens.template();
            nesting.add(&Token { kind, ..token });
        }
        if nesting.depth() > deepest {
            return Some(token.start);
        }
    }
    None
}

#[derive(Default)]
struct Nesting<'s> {
    outer: Vec<Level<'s>>,
    level: Level<'s>,
    /// The last token is the end of a value: what follows is an operator, or something new.
    value_ended: bool,
    /// The last token was the end of an expression in a template.
    left_template: bool,
    /// Of the last token, if it is a regular expression.
    regex: usize,
}

/// What is open within one pair of brackets.
#[derive(Default)]
struct Level<'s> {
    /// The depth at its bracket.
    base: usize,
    /// That end with the statement.
    statements: usize,
    /// That end with the expression.
    operators: usize,
    /// For every `<` that was not closed, the operators before it. It may open a list of types, in
    /// which a comma ends none of these.
    angles: Vec<usize>,
    is_template: bool,
    /// In it stands what an `if` or a loop depends on; what follows is inside of that.
    is_header: bool,
    last: Last<'s>,
    /// The last token is the first of its statement.
    starts: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last<'s> {
    #[default]
    Nothing,
    Word(&'s str),
    Header,
    Brace,
    Semicolon,
    Comma,
    Colon,
    Dot,
    /// Something that a value ends with.
    Value,
    Other,
}

impl<'s> Nesting<'s> {
    fn depth(&self) -> usize {
        self.level.depth() + self.regex
    }

    fn slash(&self) -> Slash {
        match self.level.last {
            _ if self.value_ended => Slash::Divides,
            Last::Brace => Slash::Unclear,
            _ => Slash::Regex,
        }
    }

    fn add(&mut self, token: &Token<'s>) {
        self.left_template = false;
        self.regex = 0;
        let starts = self.starts(token);
        if starts {
            self.level.statements = 0;
            self.level.operators = 0;
            self.level.angles.clear();
        }
        if goes_on(token) && matches!(self.level.last, Last::Semicolon | Last::Brace) {
            self.level.operators = 0;
            self.level.angles.clear();
        }
        let after = |last: &Last<'_>| {
            matches!(last, Last::Nothing | Last::Header | Last::Colon)
                || matches!(last, Last::Word("else" | "do"))
        };
        let starts = starts || after(&self.level.last);
        match token.kind {
            Kind::Word(word) => self.word(word),
            Kind::String => self.value(),
            Kind::Template => {
                // What stands before it is called with it.
                self.level.operators += 1;
                self.value();
            }
            Kind::Regex(depth) => {
                self.regex = depth;
                self.value();
            }
            Kind::Unclear(bytes) => {
                self.level.operators += bytes.unwrap_or(DEEPEST + 1);
                self.value();
            }
            Kind::TemplateOpens => {
                self.level.operators += 1;
                self.open(b'`');
            }
            Kind::Open(bracket) => {
                if self.value_ended {
                    self.level.operators += 1;
                }
                self.open(bracket);
                return;
            }
            Kind::Close(bracket) => self.close(bracket),
            Kind::Comma => {
                self.level.operators = self.level.angles.last().copied().unwrap_or(0);
                self.ended(Last::Comma, false);
            }
            Kind::Semicolon => self.ended(Last::Semicolon, false),
            Kind::Sign(sign) => self.sign(sign, token.after_newline),
        }
        self.level.starts = starts;
    }

    /// Whether a statement starts with the token, so that all before it in this level has ended.
    fn starts(&self, token: &Token<'s>) -> bool {
        if goes_on(token) {
            return false;
        }
        let begins = match token.kind {
            Kind::Word(word) => !is_infix(word),
            Kind::String | Kind::Regex(_) => true,
            _ => false,
        };
        match self.level.last {
            Last::Semicolon => true,
            Last::Brace => begins,
            Last::Value => token.after_newline && begins,
            Last::Word(word) => token.after_newline && begins && !is_prefix(word),
            _ => false,
        }
    }

    fn word(&mut self, word: &'s str) {
        if self.level.last == Last::Dot {
            return self.value();
        }
        match word {
            "if" | "else" | "for" | "while" | "do" | "with" => self.level.statements += 1,
            _ if is_prefix(word) || is_infix(word) => self.level.operators += 1,
            _ => {}
        }
        self.ended(Last::Word(word), !is_prefix(word) && !is_infix(word));
    }

    fn sign(&mut self, sign: &'s str, after_newline: bool) {
        match sign {
            "<" => self.level.angles.push(self.level.operators),
            ">" => {
                self.level.angles.pop();
            }
            _ => {}
        }
        self.level.operators += 1;
        let is_label = sign == ":" && self.level.starts && matches!(self.level.last, Last::Word(_));
        if is_label {
            self.level.statements += 1;
        }
        match sign {
            "." | "?." => self.ended(Last::Dot, false),
            ":" if is_label => self.ended(Last::Colon, false),
            "++" | "--" if self.value_ended => self.value(),
            // After a value, it only says that the value is there.
            "!" if self.value_ended && !after_newline => self.value(),
            _ => self.ended(Last::Other, false),
        }
    }

    fn open(&mut self, bracket: u8) {
        let is_header = bracket == b'('
            && matches!(
                self.level.last,
                Last::Word("if" | "for" | "while" | "with" | "await")
            );
        let base = self.level.depth() + 1;
        let inner = Level {
            base,
            is_header,
            is_template: bracket == b'`',
            ..Level::default()
        };
        self.outer.push(std::mem::replace(&mut self.level, inner));
        self.value_ended = false;
    }

    fn close(&mut self, bracket: u8) {
        // Without an opening bracket, a parser will say so.
        let outer = self.outer.pop().unwrap_or_default();
        let closed = std::mem::replace(&mut self.level, outer);
        match bracket {
            b'}' if closed.is_template => self.left_template = true,
            b'}' => self.ended(Last::Brace, false),
            _ if closed.is_header => self.ended(Last::Header, false),
            _ => self.value(),
        }
    }

    fn value(&mut self) {
        self.ended(Last::Value, true);
    }

    fn ended(&mut self, last: Last<'s>, value: bool) {
        self.level.last = last;
        self.value_ended = value;
    }
}

impl Level<'_> {
    fn depth(&self) -> usize {
        self.base + self.statements + self.operators + self.angles.len()
    }
}

/// Whether it goes on with a statement that seemed to have ended.
fn goes_on(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Word("else" | "while"))
}

/// Words that something must follow.
fn is_prefix(word: &str) -> bool {
    matches!(
        word,
        "typeof"
            | "void"
            | "delete"
            | "await"
            | "yield"
            | "new"
            | "return"
            | "throw"
            | "case"
            | "keyof"
            | "infer"
            | "readonly"
            | "unique"
            | "asserts"
            | "function"
            | "class"
            | "abstract"
            | "else"
            | "do"
    ) || is_infix(word)
}

/// Words between two values.
fn is_infix(word: &str) -> bool {
    matches!(
        word,
        "in" | "of" | "instanceof" | "as" | "satisfies" | "extends" | "is"
    )
}
