//! Cuts code into tokens, as coarse as counting its nesting allows.

/// A token, and what stands before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind<'s>,
    pub(super) start: usize,
    /// A line ends between it and the token before.
    pub(super) after_newline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'s> {
    /// A name, a keyword or a number.
    Word(&'s str),
    String,
    /// A template, or the rest of one.
    Template,
    /// A regular expression, and how deep it nests.
    Regex(usize),
    /// Something between two `/`, which may divide, in so many bytes; nothing if it could be anything.
    Unclear(Option<usize>),
    /// A template up to an expression in it.
    TemplateOpens,
    Open(u8),
    Close(u8),
    Comma,
    Semicolon,
    /// Any other sign, such as an operator.
    Sign(&'s str),
}

/// What a `/` is, by what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slash {
    Divides,
    Regex,
    /// After a `}` it depends on what that closes.
    Unclear,
}

pub(super) struct Tokens<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Tokens<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        let at = if source.starts_with("#!") {
            source.find('\n').unwrap_or(source.len())
        } else {
            0
        };
        Self { source, at }
    }

    pub(super) fn next(&mut self, slash: Slash) -> Option<Token<'s>> {
        let after_newline = self.skip_space();
        let start = self.at;
        let first = self.peek(0)?;
        let kind = match first {
            b'(' | b'[' | b'{' => self.take(1, Kind::Open(first)),
            b')' | b']' | b'}' => self.take(1, Kind::Close(first)),
            b',' => self.take(1, Kind::Comma),
            b';' => self.take(1, Kind::Semicolon),
            b'"' | b'\'' => self.string(first),
            b'`' => {
                self.at += 1;
                self.template()
            }
            b'/' if slash == Slash::Regex => self.regex(),
            b'/' if slash == Slash::Unclear => self.unclear(),
            _ if is_word(first) => self.word(),
            _ => self.sign(),
        };
        Some(Token {
            kind,
            start,
            after_newline,
        })
    }

    /// The rest of a template after an expression in it.
    pub(super) fn template(&mut self) -> Kind<'s> {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => return self.take(1, Kind::Template),
                b'$' if self.peek(1) == Some(b'{') => return self.take(2, Kind::TemplateOpens),
                _ => self.at += 1,
            }
        }
        Kind::Template
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.at + ahead).copied()
    }

    fn take(&mut self, bytes: usize, kind: Kind<'s>) -> Kind<'s> {
        self.at += bytes;
        kind
    }

    /// Skips white space and comments; tells whether a line ended there.
    fn skip_space(&mut self) -> bool {
        // An escape at the end of the text escapes nothing.
        self.at = self.at.min(self.source.len());
        let from = self.at;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'/')) => self.skip_to("\n"),
                (b'/', Some(b'*')) => {
                    self.at += 2;
                    self.skip_to("*/");
                    self.at += 2;
                }
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => self.at += 1,
                _ => break,
            }
        }
        self.at = self.at.min(self.source.len());
        self.source.as_bytes()[from..self.at]
            .iter()
            .any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    fn skip_to(&mut self, end: &str) {
        let rest = self.source.get(self.at..).unwrap_or_default();
        self.at += rest.find(end).unwrap_or(rest.len());
    }

    fn string(&mut self, quote: u8) -> Kind<'s> {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 2,
                // Never closed: a parser will say so.
                b'\n' => break,
                _ if byte == quote => return self.take(1, Kind::String),
                _ => self.at += 1,
            }
        }
        Kind::String
    }

    fn regex(&mut self) -> Kind<'s> {
        self.at += 1;
        let (mut depth, mut deepest, mut in_class) = (0_usize, 0, 0_usize);
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
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
        Kind::Regex(deepest)
    }

    /// Both readings go on at the same place if there is nothing in it that one of them skips.
    fn unclear(&mut self) -> Kind<'s> {
        let start = self.at + 1;
        self.regex();
        let body = self.source.get(start..self.at).unwrap_or_default();
        let plain = !body.contains(['\'', '"', '`', '(', ')', '[', ']', '{', '}', '\\', '\n']);
        let ended = !matches!(self.peek(0), Some(b'/' | b'*'));
        Kind::Unclear((plain && ended).then_some(body.len()))
    }

    fn word(&mut self) -> Kind<'s> {
        let start = self.at;
        let number = self.peek(0).is_some_and(|it| it.is_ascii_digit());
        while let Some(byte) = self.peek(0) {
            let belongs = is_word(byte) || (number && byte == b'.');
            if !belongs {
                break;
            }
            self.at += 1;
        }
        Kind::Word(self.source.get(start..self.at).unwrap_or_default())
    }

    fn sign(&mut self) -> Kind<'s> {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let length = match long {
            Some(sign) => sign.len(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        self.at += length;
        Kind::Sign(rest.get(..length).unwrap_or_default())
    }
}

/// Those whose parts mean something else, the longest first.
const LONG_SIGNS: [&str; 23] = [
    "===", "!==", "...", "**=", "&&=", "||=", "??=", "=>", "++", "--", "?.", "==", "!=", "<=",
    ">=", "&&", "||", "??", "**", "+=", "-=", "*=", "%=",
];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'\\') || byte >= 0x80
}
