//! Counts how deep code can nest at most.
//!
//! What nests without brackets nests within one statement: operators, arrows, `if`s without braces.
//! All of these are counted from the start of a statement; one that follows another is not told
//! from one inside another. The count is too high for a statement with hundreds of operators, and
//! where it is unclear whether a `/` after a `}` divides. It should be too low nowhere.

use capstan_core::code::{ScriptError, ScriptErrorKind, Stopped};

use super::tokens::{Slash, Token, TokenKind, Tokens};
use crate::source::Lines;

/// The deepest nesting that is accepted. In an unoptimised build the parser needs less than 3 KiB
/// of stack per level.
const MAX_DEPTH: usize = 500;

pub(crate) fn check(source: &str, lines: &Lines<'_>) -> Result<(), ScriptError> {
    let Some(offset) = find_too_deep(source, MAX_DEPTH) else {
        return Ok(());
    };
    let message = if source[offset..].starts_with('/') {
        "the `/` after `}` is ambiguous: write `;` before a regular expression".to_owned()
    } else {
        format!(
            "the code is nested deeper than {MAX_DEPTH} levels: use variables for its parts, or \
             split it"
        )
    };
    let error = ScriptError::new(ScriptErrorKind::Limit(Stopped::Source), message);
    Err(error.at(Some(lines.place(offset))))
}

/// Returns the offset at which the code may be nested deeper than `max_depth`.
pub(super) fn find_too_deep(source: &str, max_depth: usize) -> Option<usize> {
    let mut tokens = Tokens::new(source);
    let mut nesting = Nesting::default();
    while let Some(token) = tokens.next(nesting.slash()) {
        nesting.add(&token);
        if token.kind == TokenKind::Close(b'}') && nesting.has_left_template {
            let kind = tokens.template();
            nesting.add(&Token { kind, ..token });
        }
        if nesting.depth() > max_depth {
            return Some(token.start);
        }
    }
    None
}

#[derive(Default)]
struct Nesting<'s> {
    outer: Vec<NestingLevel<'s>>,
    level: NestingLevel<'s>,
    /// Whether the last token ended a value, so that an operator or something new follows.
    has_value_ended: bool,
    /// Whether the last token ended an expression in a template.
    has_left_template: bool,
    /// The nesting of the last token, if it is a regular expression.
    regex: usize,
}

/// The constructs that are still open inside one pair of brackets.
#[derive(Default)]
struct NestingLevel<'s> {
    /// The depth at its bracket.
    base: usize,
    /// The levels that end with the statement.
    statements: usize,
    /// The levels that end with the expression.
    operators: usize,
    /// For every unclosed `<`, the operators before it. It may open a list of types, in which a
    /// comma ends none of these operators.
    angles: Vec<usize>,
    is_template: bool,
    /// Whether these are the parentheses of an `if` or a loop; what follows is inside of that.
    is_header: bool,
    last: LastToken<'s>,
    /// Whether the last token was the first of its statement.
    is_at_start: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum LastToken<'s> {
    #[default]
    Nothing,
    Word(&'s str),
    Header,
    Brace,
    Semicolon,
    Comma,
    Colon,
    Dot,
    /// A token that ends a value.
    Value,
    Other,
}

impl<'s> Nesting<'s> {
    fn depth(&self) -> usize {
        self.level.depth() + self.regex
    }

    fn slash(&self) -> Slash {
        match self.level.last {
            _ if self.has_value_ended => Slash::Division,
            LastToken::Brace => Slash::Unclear,
            _ => Slash::Regex,
        }
    }

    fn add(&mut self, token: &Token<'s>) {
        self.has_left_template = false;
        self.regex = 0;
        let starts = self.starts_statement(token);
        if starts {
            self.level.statements = 0;
            self.level.operators = 0;
            self.level.angles.clear();
        }
        if continues_statement(token)
            && matches!(self.level.last, LastToken::Semicolon | LastToken::Brace)
        {
            self.level.operators = 0;
            self.level.angles.clear();
        }
        let opens_statement = |last: &LastToken<'_>| {
            matches!(
                last,
                LastToken::Nothing | LastToken::Header | LastToken::Colon
            ) || matches!(last, LastToken::Word("else" | "do"))
        };
        let starts = starts || opens_statement(&self.level.last);
        match token.kind {
            TokenKind::Word(word) => self.word(word),
            TokenKind::String => self.end_value(),
            TokenKind::Template => {
                // The value before it is called with it as a tag.
                self.level.operators += 1;
                self.end_value();
            }
            TokenKind::Regex(depth) => {
                self.regex = depth;
                self.end_value();
            }
            TokenKind::Unclear(bytes) => {
                self.level.operators += bytes.unwrap_or(MAX_DEPTH + 1);
                self.end_value();
            }
            TokenKind::TemplateOpens => {
                self.level.operators += 1;
                self.open(b'`');
            }
            TokenKind::Open(bracket) => {
                if self.has_value_ended {
                    self.level.operators += 1;
                }
                self.open(bracket);
                return;
            }
            TokenKind::Close(bracket) => self.close(bracket),
            TokenKind::Comma => {
                self.level.operators = self.level.angles.last().copied().unwrap_or(0);
                self.set_last(LastToken::Comma, false);
            }
            TokenKind::Semicolon => self.set_last(LastToken::Semicolon, false),
            TokenKind::Sign(sign) => self.sign(sign, token.after_newline),
        }
        self.level.is_at_start = starts;
    }

    /// Returns whether a statement starts with the token, so that everything before it in this
    /// level has ended.
    fn starts_statement(&self, token: &Token<'s>) -> bool {
        if continues_statement(token) {
            return false;
        }
        let can_begin = match token.kind {
            TokenKind::Word(word) => !is_infix(word),
            TokenKind::String | TokenKind::Regex(_) => true,
            _ => false,
        };
        match self.level.last {
            LastToken::Semicolon => true,
            LastToken::Brace => can_begin,
            LastToken::Value => token.after_newline && can_begin,
            LastToken::Word(word) => token.after_newline && can_begin && !is_prefix(word),
            _ => false,
        }
    }

    fn word(&mut self, word: &'s str) {
        if self.level.last == LastToken::Dot {
            return self.end_value();
        }
        match word {
            "if" | "else" | "for" | "while" | "do" | "with" => self.level.statements += 1,
            _ if is_prefix(word) || is_infix(word) => self.level.operators += 1,
            _ => {}
        }
        self.set_last(LastToken::Word(word), !is_prefix(word) && !is_infix(word));
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
        let is_label =
            sign == ":" && self.level.is_at_start && matches!(self.level.last, LastToken::Word(_));
        if is_label {
            self.level.statements += 1;
        }
        match sign {
            "." | "?." => self.set_last(LastToken::Dot, false),
            ":" if is_label => self.set_last(LastToken::Colon, false),
            "++" | "--" if self.has_value_ended => self.end_value(),
            // After a value, `!` only asserts that the value is present.
            "!" if self.has_value_ended && !after_newline => self.end_value(),
            _ => self.set_last(LastToken::Other, false),
        }
    }

    fn open(&mut self, bracket: u8) {
        let is_header = bracket == b'('
            && matches!(
                self.level.last,
                LastToken::Word("if" | "for" | "while" | "with" | "await")
            );
        let base = self.level.depth() + 1;
        let inner = NestingLevel {
            base,
            is_header,
            is_template: bracket == b'`',
            ..NestingLevel::default()
        };
        self.outer.push(std::mem::replace(&mut self.level, inner));
        self.has_value_ended = false;
    }

    fn close(&mut self, bracket: u8) {
        // Without an opening bracket, the parser will report it.
        let outer = self.outer.pop().unwrap_or_default();
        let closed = std::mem::replace(&mut self.level, outer);
        match bracket {
            b'}' if closed.is_template => self.has_left_template = true,
            b'}' => self.set_last(LastToken::Brace, false),
            _ if closed.is_header => self.set_last(LastToken::Header, false),
            _ => self.end_value(),
        }
    }

    fn end_value(&mut self) {
        self.set_last(LastToken::Value, true);
    }

    fn set_last(&mut self, last: LastToken<'s>, ends_value: bool) {
        self.level.last = last;
        self.has_value_ended = ends_value;
    }
}

impl NestingLevel<'_> {
    fn depth(&self) -> usize {
        self.base + self.statements + self.operators + self.angles.len()
    }
}

/// Returns whether the token continues a statement that seemed to have ended.
fn continues_statement(token: &Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Word("else" | "while"))
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
