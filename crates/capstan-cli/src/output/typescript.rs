//! TypeScript cut into pieces that have one colour each. It only looks at what it sees: whatever the
//! text, the pieces are the text.

use anstyle::{AnsiColor, Style};

use super::{BOLD, DIM, GOOD, NAME};

/// A piece of the text, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) kind: PieceKind,
    pub(super) text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Plain,
    Keyword,
    /// Also a regular expression, and the parts of a template that are text.
    Text,
    Comment,
    Number,
    /// `capstan.issue.view`, `mcp.server.tool`, `caps.name`, `args`.
    Host,
}

impl PieceKind {
    pub(super) fn style(self) -> Style {
        match self {
            PieceKind::Plain => Style::new(),
            PieceKind::Keyword => AnsiColor::Magenta.on_default(),
            PieceKind::Text => GOOD,
            PieceKind::Comment => DIM,
            PieceKind::Number => AnsiColor::Yellow.on_default(),
            PieceKind::Host => BOLD.fg_color(NAME.get_fg_color()),
        }
    }
}

/// The whole text, in its order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut lexer = Lexer {
        rest: text,
        pieces: Vec::new(),
        braces: Vec::new(),
        value_before: false,
    };
    while !lexer.rest.is_empty() {
        lexer.step();
    }
    lexer.pieces
}

const KEYWORDS: &str = "any as async await boolean break case catch class const continue default \
    delete do else enum extends false finally for from function if in instanceof interface let new \
    null number of readonly return satisfies static string super switch this throw true try type \
    typeof undefined var void while yield";

/// What can end an expression: a `/` after it divides.
const VALUES: [&str; 6] = ["false", "null", "super", "this", "true", "undefined"];

/// Where a name stands for the world outside of the code.
const HOST: [&str; 3] = ["capstan", "mcp", "caps"];

struct Lexer<'a> {
    rest: &'a str,
    pieces: Vec<Piece<'a>>,
    /// For every open brace: whether it is one of a template, whose text goes on after it.
    braces: Vec<bool>,
    /// Whether what came last can be divided.
    value_before: bool,
}

impl<'a> Lexer<'a> {
    fn step(&mut self) {
        let text = self.rest;
        let Some(first) = text.chars().next() else {
            return;
        };
        if text.starts_with("//") {
            return self.take(PieceKind::Comment, line_end(text));
        }
        if let Some(inside) = text.strip_prefix("/*") {
            let end = inside.find("*/").map_or(text.len(), |at| at + 4);
            return self.take(PieceKind::Comment, end);
        }
        match first {
            '"' | '\'' => self.value(PieceKind::Text, quoted(text, first)),
            '`' => self.template(1),
            '{' => {
                self.braces.push(false);
                self.mark(1);
            }
            '}' if self.braces.pop() == Some(true) => self.template(1),
            '/' if !self.value_before => match regex(text) {
                Some(end) => self.value(PieceKind::Text, end),
                None => self.mark(1),
            },
            '0'..='9' => self.value(PieceKind::Number, number(text)),
            c if begins_word(c) => self.word(),
            c if c.is_whitespace() => {
                let end = text.find(|c: char| !c.is_whitespace());
                self.take(PieceKind::Plain, end.unwrap_or(text.len()));
            }
            c => self.mark(c.len_utf8()),
        }
    }

    /// A piece of a template's text, from its beginning or from the end of an expression in it, up
    /// to its end or to the next expression.
    fn template(&mut self, begin: usize) {
        let text = self.rest;
        let mut chars = text[begin..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '`' => return self.value(PieceKind::Text, begin + at + 1),
                '$' if chars.peek().is_some_and(|(_, next)| *next == '{') => {
                    self.braces.push(true);
                    self.take(PieceKind::Text, begin + at + 2);
                    self.value_before = false;
                    return;
                }
                _ => {}
            }
        }
        self.value(PieceKind::Text, text.len());
    }

    fn word(&mut self) {
        let text = self.rest;
        let end = word_end(text);
        let word = &text[..end];
        let member = self.after_dot();
        if !member && HOST.contains(&word) && text[end..].starts_with(['.', '[']) {
            return self.value(PieceKind::Host, path_end(text, end));
        }
        if !member && word == "args" {
            return self.value(PieceKind::Host, end);
        }
        // `{ number: 1 }` is the name of a field.
        let field = text[end..].starts_with(':') && word != "default";
        if member || field || !is_keyword(word) {
            return self.value(PieceKind::Plain, end);
        }
        self.take(PieceKind::Keyword, end);
        self.value_before = VALUES.contains(&word);
    }

    /// `issue.new` is no keyword.
    fn after_dot(&self) -> bool {
        let last = self
            .pieces
            .iter()
            .rev()
            .find(|piece| !piece.text.trim().is_empty());
        last.is_some_and(|piece| piece.kind == PieceKind::Plain && piece.text.ends_with('.'))
            && !self.after_spread()
    }

    /// The dots of `...args` belong to nothing.
    fn after_spread(&self) -> bool {
        let dots = self
            .pieces
            .iter()
            .rev()
            .take_while(|piece| piece.text == ".");
        dots.count() == 3
    }

    fn value(&mut self, kind: PieceKind, end: usize) {
        self.take(kind, end);
        self.value_before = true;
    }

    /// A mark or a bracket.
    fn mark(&mut self, end: usize) {
        let divides = self.rest.starts_with([')', ']', '}']);
        self.take(PieceKind::Plain, end);
        self.value_before = divides;
    }

    fn take(&mut self, kind: PieceKind, end: usize) {
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.pieces.push(Piece { kind, text });
    }
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split_whitespace().any(|keyword| keyword == word)
}

fn line_end(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

fn word_end(text: &str) -> usize {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text.find(|c: char| !inside(c)).unwrap_or(text.len())
}

/// Of `.issue.view` behind `capstan`; a name in brackets is a text of its own.
fn path_end(text: &str, from: usize) -> usize {
    let mut end = from;
    while let Some(member) = text[end..].strip_prefix('.') {
        if member.starts_with(begins_word) {
            end += 1 + word_end(member);
        } else {
            break;
        }
    }
    end
}

/// A string ends at its quote, and at the end of its line if it has none.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Nothing if it does not end on its line: then it is no regular expression.
fn regex(text: &str) -> Option<usize> {
    let mut escaped = false;
    let mut class = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '/' if !class => {
                let flags = &text[at + 1..];
                return Some(at + 1 + word_end(flags));
            }
            _ => {}
        }
    }
    None
}

fn number(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !text.starts_with("0x");
        if !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || sign) {
            return at;
        }
        before = c;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `kind:text` of everything that has a colour.
    fn coloured(text: &str) -> Vec<String> {
        let pieces = pieces(text);
        let coloured = pieces.iter().filter(|piece| piece.kind != PieceKind::Plain);
        coloured
            .map(|piece| format!("{:?}:{}", piece.kind, piece.text))
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(coloured(text), expected, "{text}");
    }

    #[test]
    fn words() {
        check("const n = await f()", &["Keyword:const", "Keyword:await"]);
        check("it.new.type", &[]);
        check("[...args, ...new X()]", &["Host:args", "Keyword:new"]);
        check("newest $of _if", &[]);
        check("{ type: null }", &["Keyword:null"]);
        check("default: x", &["Keyword:default"]);
    }

    #[test]
    fn what_reaches_the_world() {
        check("capstan.issue.view({})", &["Host:capstan.issue.view"]);
        check("mcp.files.read_file()", &["Host:mcp.files.read_file"]);
        check(
            "caps[\"a-b\"](args)",
            &["Host:caps", "Text:\"a-b\"", "Host:args"],
        );
        check("my.capstan.issue; capstan", &[]);
    }

    #[test]
    fn texts() {
        check(
            r#"'it\'s' + "a\\" + b"#,
            &[r"Text:'it\'s'", r#"Text:"a\\""#],
        );
        check("'open\nnext'", &["Text:'open", "Text:'"]);
        check(
            "`a${b + `c${1}d`}e` + 2",
            &[
                "Text:`a${",
                "Text:`c${",
                "Number:1",
                "Text:}d`",
                "Text:}e`",
                "Number:2",
            ],
        );
        check(
            "`${{a: 1}}` + 'x'",
            &["Text:`${", "Number:1", "Text:}`", "Text:'x'"],
        );
    }

    #[test]
    fn comments_and_slashes() {
        check("a / b / c // d", &["Comment:// d"]);
        check("x = /[/]\"\\//g.test(s)", &["Text:/[/]\"\\//g"]);
        check("return /'/", &["Keyword:return", "Text:/'/"]);
        check("(a) / 2 / '", &["Number:2", "Text:'"]);
        check("/* a\n b */ 1", &["Comment:/* a\n b */", "Number:1"]);
        check("/* open", &["Comment:/* open"]);
        check("/*/ 1", &["Comment:/*/ 1"]);
    }

    #[test]
    fn numbers() {
        check(
            "1_000 0xff 1e-3 2.5-1",
            &[
                "Number:1_000",
                "Number:0xff",
                "Number:1e-3",
                "Number:2.5",
                "Number:1",
            ],
        );
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_text(text in any::<String>()) {
            let together: String = pieces(&text).iter().map(|piece| piece.text).collect();
            prop_assert_eq!(together, text);
        }

        #[test]
        fn of_code_like_text_too(
            parts in prop::collection::vec(
                prop::sample::select(&[
                    "`", "${", "}", "{", "/", "//", "/*", "*/", "\\", "'", "\"", "\n", "capstan", ".",
                    "caps", "args", "é", "0x", "1e", "-", "return", "[", "]", " ", "🚀",
                ][..]),
                0..40,
            ),
        ) {
            let text = parts.concat();
            let pieces = pieces(&text);
            let together: String = pieces.iter().map(|piece| piece.text).collect();
            prop_assert_eq!(&together, &text);
            prop_assert!(pieces.iter().all(|piece| !piece.text.is_empty()));
        }
    }
}
