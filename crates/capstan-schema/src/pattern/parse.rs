//! Parses regular expressions.

use std::iter::Peekable;
use std::str::Chars;

use super::node::{Node, Set};

/// Parses an expression; `None` if something in it is not supported.
pub(super) fn parse(pattern: &str) -> Option<Node> {
    let mut parser = Parser {
        rest: pattern.chars().peekable(),
        depth: 0,
    };
    let node = parser.alternatives()?;
    parser.rest.next().is_none().then_some(node)
}

/// The largest depth of nested groups.
const DEPTH: u32 = 30;

/// The largest number of repetitions.
const MOST_REPEATED: u32 = 1000;

const DIGITS: [(char, char); 1] = [('0', '9')];
const WORDS: [(char, char); 4] = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
const SPACES: [(char, char); 10] = [
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
const LINE_ENDS: [(char, char); 3] = [('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    depth: u32,
}

impl Parser<'_> {
    fn alternatives(&mut self) -> Option<Node> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let mut all = vec![self.sequence()?];
        while self.rest.next_if_eq(&'|').is_some() {
            all.push(self.sequence()?);
        }
        self.depth -= 1;
        match all.len() {
            1 => all.pop(),
            _ => Some(Node::Alternatives(all)),
        }
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut parts = Vec::new();
        while self.rest.peek().is_some_and(|it| !matches!(it, '|' | ')')) {
            let part = self.single()?;
            parts.push(self.repeated(part)?);
        }
        Some(Node::Sequence(parts))
    }

    fn single(&mut self) -> Option<Node> {
        Some(match self.rest.next()? {
            '^' => Node::Start,
            '$' => Node::End,
            '.' => set(&LINE_ENDS, true),
            '(' => self.group()?,
            '[' => Node::Set(self.brackets()?),
            '\\' => match self.rest.next_if(|it| matches!(it, 'b' | 'B')) {
                Some(edge) => Node::WordBoundary(edge == 'b'),
                None => Node::Set(self.escape()?),
            },
            '*' | '+' | '?' | '{' | '}' | ']' => return None,
            one => set(&[(one, one)], false),
        })
    }

    fn group(&mut self) -> Option<Node> {
        if self.rest.next_if_eq(&'?').is_some() {
            match self.rest.next()? {
                ':' => {}
                '<' => {
                    let name = |it: &char| it.is_ascii_alphabetic() || *it == '_';
                    self.rest.next_if(name)?;
                    while self.rest.next_if(char::is_ascii_alphanumeric).is_some() {}
                    self.rest.next_if_eq(&'>')?;
                }
                _ => return None,
            }
        }
        let inner = self.alternatives()?;
        self.rest.next_if_eq(&')')?;
        Some(inner)
    }

    fn repeated(&mut self, part: Node) -> Option<Node> {
        let (least, most) = match self.rest.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.rest.next();
                let least = self.number()?;
                let most = match self.rest.next_if_eq(&',') {
                    None => Some(least),
                    Some(_) if self.rest.peek() == Some(&'}') => None,
                    Some(_) => Some(self.number()?),
                };
                if self.rest.peek() != Some(&'}') || most.is_some_and(|most| most < least) {
                    return None;
                }
                (least, most)
            }
            _ => return Some(part),
        };
        self.rest.next();
        // Lazy repetition does not influence whether a text matches.
        self.rest.next_if_eq(&'?');
        let again = self.rest.peek();
        let edge = matches!(part, Node::Start | Node::End | Node::WordBoundary(_));
        if edge || again.is_some_and(|it| matches!(it, '*' | '+' | '?' | '{')) {
            return None;
        }
        Some(Node::Repeated(Box::new(part), least, most))
    }

    fn number(&mut self) -> Option<u32> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        digits.parse().ok().filter(|it| *it <= MOST_REPEATED)
    }

    fn brackets(&mut self) -> Option<Set> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut ranges = Vec::new();
        let mut last = None;
        loop {
            let (start, single) = match self.rest.next()? {
                // Engines read an empty set in different ways.
                ']' => break,
                '\\' => {
                    let escaped = self.escape()?;
                    match escaped.ranges.as_slice() {
                        [(one, other)] if one == other && !escaped.negated => (*one, true),
                        _ if escaped.negated => return None,
                        several => {
                            ranges.extend_from_slice(several);
                            last = None;
                            ('-', false)
                        }
                    }
                }
                // Some engines nest sets, or compute with them.
                '[' => return None,
                one => (one, true),
            };
            if matches!(start, '&' | '~' | '-') && last == Some(start) {
                return None;
            }
            if !single {
                // Engines read `\w-a` in different ways, but not `\w-]`.
                if self.rest.next_if_eq(&'-').is_some() {
                    ranges.push(('-', '-'));
                    if self.rest.peek() != Some(&']') {
                        return None;
                    }
                }
                continue;
            }
            last = Some(start);
            if start != '-' && self.rest.next_if_eq(&'-').is_some() {
                if self.rest.peek() == Some(&']') {
                    ranges.extend([(start, start), ('-', '-')]);
                    continue;
                }
                let end = match self.rest.next()? {
                    '\\' => match self.escape()?.ranges.as_slice() {
                        [(one, other)] if one == other => *one,
                        _ => return None,
                    },
                    '[' | '-' => return None,
                    one => one,
                };
                if end < start {
                    return None;
                }
                ranges.push((start, end));
            } else {
                ranges.push((start, start));
            }
        }
        (!ranges.is_empty()).then_some(Set { negated, ranges })
    }

    /// Parses what follows a backslash.
    fn escape(&mut self) -> Option<Set> {
        let one = match self.rest.next()? {
            'd' => {
                return Some(Set {
                    negated: false,
                    ranges: DIGITS.to_vec(),
                });
            }
            'D' => {
                return Some(Set {
                    negated: true,
                    ranges: DIGITS.to_vec(),
                });
            }
            'w' => {
                return Some(Set {
                    negated: false,
                    ranges: WORDS.to_vec(),
                });
            }
            'W' => {
                return Some(Set {
                    negated: true,
                    ranges: WORDS.to_vec(),
                });
            }
            's' => {
                return Some(Set {
                    negated: false,
                    ranges: SPACES.to_vec(),
                });
            }
            'S' => {
                return Some(Set {
                    negated: true,
                    ranges: SPACES.to_vec(),
                });
            }
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'x' => self.code(2)?,
            'u' => self.code(4)?,
            one if one.is_ascii_punctuation() => one,
            _ => return None,
        };
        Some(Set {
            negated: false,
            ranges: vec![(one, one)],
        })
    }

    fn code(&mut self, digits: u32) -> Option<char> {
        let mut code = 0;
        for _ in 0..digits {
            code = code * 16 + self.rest.next()?.to_digit(16)?;
        }
        char::from_u32(code)
    }
}

fn set(ranges: &[(char, char)], negated: bool) -> Node {
    Node::Set(Set {
        negated,
        ranges: ranges.to_vec(),
    })
}
