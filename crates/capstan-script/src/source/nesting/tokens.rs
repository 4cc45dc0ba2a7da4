//! Splits code into tokens, as coarse as counting its nesting allows.

/// A token, and whether it starts a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: TokenKind<'s>,
    pub(super) start: usize,
    /// Whether a line ends between it and the token before.
    pub(super) after_newline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'s> {
    /// A name, a keyword or a number.
    Word(&'s str),
    String,
    /// A template, or the rest of one.
    Template,
    /// A regular expression, and how deep it nests.
    Regex(usize),
    /// Text between two `/`, which may also be divisions: its length in bytes, or `None` if both
    /// readings differ in what follows.
    Unclear(Option<usize>),
    /// The part of a template before an expression.
    TemplateOpens,
    Open(u8),
    Close(u8),
    Comma,
    Semicolon,
    /// Any other sign, such as an operator.
    Sign(&'s str),
}

/// What a `/` is, judged by what precedes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slash {
    Division,
    Regex,
    /// After a `}` it depends on what that closes.
    Unclear,
}

pub(super) struct Tokens<'s> {
    source: &'s str,
    offset: usize,
}

impl<'s> Tokens<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        let offset = if source.starts_with("#!") {
            source.find('\n').unwrap_or(source.len())
        } else {
            0
        };
        Self { source, offset }
    }

    pub(super) fn next(&mut self, slash: Slash) -> Option<Token<'s>> {
        let after_newline = self.skip_space();
        let start = self.offset;
        let first = self.peek(0)?;
        let kind = match first {
            b'(' | b'[' | b'{' => self.take(1, TokenKind::Open(first)),
            b')' | b']' | b'}' => self.take(1, TokenKind::Close(first)),
            b',' => self.take(1, TokenKind::Comma),
            b';' => self.take(1, TokenKind::Semicolon),
            b'"' | b'\'' => self.string(first),
            b'`' => {
                self.offset += 1;
                self.template()
            }
            b'/' if slash == Slash::Regex => self.regex(),
            b'/' if slash == Slash::Unclear => self.unclear(),
            _ if is_word_byte(first) => self.word(),
            _ => self.sign(),
        };
        Some(Token {
            kind,
            start,
            after_newline,
        })
    }

    /// Reads the rest of a template after an expression.
    pub(super) fn template(&mut self) -> TokenKind<'s> {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.offset += 2,
                b'`' => return self.take(1, TokenKind::Template),
                b'$' if self.peek(1) == Some(b'{') => {
                    return self.take(2, TokenKind::TemplateOpens);
                }
                _ => self.offset += 1,
            }
        }
        TokenKind::Template
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.offset + ahead).copied()
    }

    fn take(&mut self, bytes: usize, kind: TokenKind<'s>) -> TokenKind<'s> {
        self.offset += bytes;
        kind
    }

    /// Skips white space and comments; returns whether a line ended there.
    fn skip_space(&mut self) -> bool {
        // An escape at the end of the text escapes nothing.
        self.offset = self.offset.min(self.source.len());
        let from = self.offset;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'/')) => self.skip_to("\n"),
                (b'/', Some(b'*')) => {
                    self.offset += 2;
                    self.skip_to("*/");
                    self.offset += 2;
                }
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => self.offset += 1,
                _ => break,
            }
        }
        self.offset = self.offset.min(self.source.len());
        self.source.as_bytes()[from..self.offset]
            .iter()
            .any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    fn skip_to(&mut self, end: &str) {
        let rest = self.source.get(self.offset..).unwrap_or_default();
        self.offset += rest.find(end).unwrap_or(rest.len());
    }

    fn string(&mut self, quote: u8) -> TokenKind<'s> {
        self.offset += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.offset += 2,
                // Never closed: the parser will report it.
                b'\n' => break,
                _ if byte == quote => return self.take(1, TokenKind::String),
                _ => self.offset += 1,
            }
        }
        TokenKind::String
    }

    fn regex(&mut self) -> TokenKind<'s> {
        self.offset += 1;
        let (mut depth, mut deepest, mut in_class) = (0_usize, 0, 0_usize);
        while let Some(byte) = self.peek(0) {
            self.offset += 1;
            match byte {
                b'\\' => self.offset += 1,
                b'\n' => break,
                b'/' if in_class == 0 => break,
                b'[' => in_class += 1,
                b']' => in_class = in_class.saturating_sub(1),
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth + in_class);
        }
        TokenKind::Regex(deepest)
    }

    /// Reads text between two `/`. Both readings continue at the same place if it contains nothing
    /// that one of them skips.
    fn unclear(&mut self) -> TokenKind<'s> {
        let start = self.offset + 1;
        self.regex();
        let body = self.source.get(start..self.offset).unwrap_or_default();
        let is_plain = !body.contains(['\'', '"', '`', '(', ')', '[', ']', '{', '}', '\\', '\n']);
        let has_ended = !matches!(self.peek(0), Some(b'/' | b'*'));
        TokenKind::Unclear((is_plain && has_ended).then_some(body.len()))
    }

    fn word(&mut self) -> TokenKind<'s> {
        let start = self.offset;
        let is_number = self.peek(0).is_some_and(|it| it.is_ascii_digit());
        while let Some(byte) = self.peek(0) {
            let belongs = is_word_byte(byte) || (is_number && byte == b'.');
            if !belongs {
                break;
            }
            self.offset += 1;
        }
        TokenKind::Word(self.source.get(start..self.offset).unwrap_or_default())
    }

    fn sign(&mut self) -> TokenKind<'s> {
        let rest = self.source.get(self.offset..).unwrap_or_default();
        let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let length = match long {
            Some(sign) => sign.len(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        self.offset += length;
        TokenKind::Sign(rest.get(..length).unwrap_or_default())
    }
}

/// Signs whose parts mean something else, the longest first.
const LONG_SIGNS: [&str; 23] = [
    "===", "!==", "...", "**=", "&&=", "||=", "??=", "=>", "++", "--", "?.", "==", "!=", "<=",
    ">=", "&&", "||", "??", "**", "+=", "-=", "*=", "%=",
];

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'\\') || byte >= 0x80
}
