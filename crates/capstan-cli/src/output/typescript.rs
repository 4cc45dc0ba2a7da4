//! Splits TypeScript into tokens, to colour them. It is lenient: for any text, the tokens joined together are the text.

use anstyle::{AnsiColor, Style};

use super::{BOLD, DIM, GOOD, NAME};

/// A part of the text, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Plain,
    Keyword,
    /// A string, a regular expression, or the literal parts of a template.
    Text,
    Comment,
    Number,
    /// `capstan.issue.view`, `mcp.server.tool`, `caps.name`, `args`.
    HostCall,
}

impl TokenKind {
    pub(super) fn style(self) -> Style {
        match self {
            TokenKind::Plain => Style::new(),
            TokenKind::Keyword => AnsiColor::Magenta.on_default(),
            TokenKind::Text => GOOD,
            TokenKind::Comment => DIM,
            TokenKind::Number => AnsiColor::Yellow.on_default(),
            TokenKind::HostCall => BOLD.fg_color(NAME.get_fg_color()),
        }
    }
}

/// Splits a text into tokens, in order.
pub(super) fn tokenize(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        rest: text,
        tokens: Vec::new(),
        braces: Vec::new(),
        after_value: false,
    };
    while !lexer.rest.is_empty() {
        lexer.next_token();
    }
    lexer.tokens
}

const KEYWORDS: &str = "any as async await boolean break case catch class const continue default \
    delete do else enum extends false finally for from function if in instanceof interface let new \
    null number of readonly return satisfies static string super switch this throw true try type \
    typeof undefined var void while yield";

/// Keywords that can end an expression: a `/` after them is a division, not a regular expression.
const VALUE_KEYWORDS: [&str; 6] = ["false", "null", "super", "this", "true", "undefined"];

/// The objects through which code calls capabilities.
const HOST_OBJECTS: [&str; 3] = ["capstan", "mcp", "caps"];

struct Lexer<'a> {
    rest: &'a str,
    tokens: Vec<Token<'a>>,
    /// For each open brace, whether it belongs to a template, whose text continues after it.
    braces: Vec<bool>,
    /// Whether the last token ends a value, so that a `/` is a division.
    after_value: bool,
}

impl<'a> Lexer<'a> {
    /// Takes the next token.
    fn next_token(&mut self) {
        let text = self.rest;
        let Some(first) = text.chars().next() else {
            return;
        };
        if text.starts_with("//") {
            return self.take(TokenKind::Comment, line_end(text));
        }
        if let Some(inside) = text.strip_prefix("/*") {
            let end = inside.find("*/").map_or(text.len(), |at| at + 4);
            return self.take(TokenKind::Comment, end);
        }
        match first {
            '"' | '\'' => self.value(TokenKind::Text, string_end(text, first)),
            '`' => self.template(1),
            '{' => {
                self.braces.push(false);
                self.punctuation(1);
            }
            '}' if self.braces.pop() == Some(true) => self.template(1),
            '/' if !self.after_value => match regex_end(text) {
                Some(end) => self.value(TokenKind::Text, end),
                None => self.punctuation(1),
            },
            '0'..='9' => self.value(TokenKind::Number, number_end(text)),
            c if begins_word(c) => self.word(),
            c if c.is_whitespace() => {
                let end = text.find(|c: char| !c.is_whitespace());
                self.take(TokenKind::Plain, end.unwrap_or(text.len()));
            }
            c => self.punctuation(c.len_utf8()),
        }
    }

    /// Takes the literal text of a template, from its beginning or the end of an expression to its end or the next
    /// expression. `begin` is the length of the opening delimiter.
    fn template(&mut self, begin: usize) {
        let text = self.rest;
        let mut chars = text[begin..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '`' => return self.value(TokenKind::Text, begin + at + 1),
                '$' if chars.peek().is_some_and(|(_, next)| *next == '{') => {
                    self.braces.push(true);
                    self.take(TokenKind::Text, begin + at + 2);
                    self.after_value = false;
                    return;
                }
                _ => {}
            }
        }
        self.value(TokenKind::Text, text.len());
    }

    /// Takes a keyword, a name, or the path of a call such as `capstan.issue.view`.
    fn word(&mut self) {
        let text = self.rest;
        let end = word_end(text);
        let word = &text[..end];
        let member = self.after_dot();
        if !member && HOST_OBJECTS.contains(&word) && text[end..].starts_with(['.', '[']) {
            return self.value(TokenKind::HostCall, path_end(text, end));
        }
        if !member && word == "args" {
            return self.value(TokenKind::HostCall, end);
        }
        // In `{ number: 1 }`, `number` is a field and not a keyword.
        let field = text[end..].starts_with(':') && word != "default";
        if member || field || !is_keyword(word) {
            return self.value(TokenKind::Plain, end);
        }
        self.take(TokenKind::Keyword, end);
        self.after_value = VALUE_KEYWORDS.contains(&word);
    }

    /// Whether the next word is a member: in `issue.new`, `new` is not a keyword.
    fn after_dot(&self) -> bool {
        let last = self
            .tokens
            .iter()
            .rev()
            .find(|token| !token.text.trim().is_empty());
        last.is_some_and(|token| token.kind == TokenKind::Plain && token.text.ends_with('.'))
            && !self.after_spread()
    }

    /// Whether the last tokens are the dots of `...args`, which do not make the next word a member.
    fn after_spread(&self) -> bool {
        let dots = self
            .tokens
            .iter()
            .rev()
            .take_while(|token| token.text == ".");
        dots.count() == 3
    }

    /// Takes a token that ends a value.
    fn value(&mut self, kind: TokenKind, end: usize) {
        self.take(kind, end);
        self.after_value = true;
    }

    /// Takes a punctuation character or a bracket.
    fn punctuation(&mut self, end: usize) {
        let ends_value = self.rest.starts_with([')', ']', '}']);
        self.take(TokenKind::Plain, end);
        self.after_value = ends_value;
    }

    fn take(&mut self, kind: TokenKind, end: usize) {
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.tokens.push(Token { kind, text });
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

/// Returns the end of a path such as `.issue.view` that begins at `from`. A name in brackets is not part of it.
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

/// Returns the end of a string: after its closing quote, or at the end of the line if there is none.
fn string_end(text: &str, quote: char) -> usize {
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

/// Returns the end of a regular expression with its flags. `None` if it does not end on its line, so that it is not
/// one.
fn regex_end(text: &str) -> Option<usize> {
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

/// Returns the end of a number.
fn number_end(text: &str) -> usize {
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

    /// Returns `kind:text` for each token that has a colour.
    fn coloured(text: &str) -> Vec<String> {
        let tokens = tokenize(text);
        let coloured = tokens.iter().filter(|token| token.kind != TokenKind::Plain);
        coloured
            .map(|token| format!("{:?}:{}", token.kind, token.text))
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
        check("[...args, ...new X()]", &["HostCall:args", "Keyword:new"]);
        check("newest $of _if", &[]);
        check("{ type: null }", &["Keyword:null"]);
        check("default: x", &["Keyword:default"]);
    }

    #[test]
    fn what_reaches_the_world() {
        check("capstan.issue.view({})", &["HostCall:capstan.issue.view"]);
        check("mcp.files.read_file()", &["HostCall:mcp.files.read_file"]);
        check(
            "caps[\"a-b\"](args)",
            &["HostCall:caps", "Text:\"a-b\"", "HostCall:args"],
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
            let together: String = tokenize(&text).iter().map(|token| token.text).collect();
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
            let tokens = tokenize(&text);
            let together: String = tokens.iter().map(|token| token.text).collect();
            prop_assert_eq!(&together, &text);
            prop_assert!(tokens.iter().all(|token| !token.text.is_empty()));
        }
    }
}
