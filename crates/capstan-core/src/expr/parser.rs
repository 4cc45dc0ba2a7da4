//! Parses tokens by recursive descent. The depth of the descent and of the tree is bounded, so
//! hostile text cannot exhaust the stack, neither here nor when the tree is walked or dropped.

use serde_json::{Number, Value};

use super::lexer::{Token, error, lex};
use super::{Comparison, Expr, ExprError, Filter, Path, Root, Segment};

/// The maximum number of open parentheses, and the maximum height of the tree.
const MAX_DEPTH: usize = 64;

pub(super) fn parse(text: &str) -> Result<Expr, ExprError> {
    let mut parser = Parser {
        tokens: lex(text)?,
        next: 0,
        end: text.len(),
        depth: 0,
    };
    let tree = parser.or()?;
    match parser.peek() {
        None => Ok(tree.expr),
        Some(_) => Err(parser.unexpected("the end of the expression")),
    }
}

/// An expression and its height.
struct Tree {
    expr: Expr,
    height: usize,
}

impl Tree {
    fn leaf(expr: Expr) -> Self {
        Self { expr, height: 1 }
    }

    /// Returns a node above branches, the tallest of which has this height.
    fn above(height: usize, offset: usize, expr: Expr) -> Result<Self, ExprError> {
        if height >= MAX_DEPTH {
            return Err(too_deep(offset));
        }
        let height = height + 1;
        Ok(Self { expr, height })
    }

    fn join(
        self,
        right: Self,
        offset: usize,
        node: impl FnOnce(Box<Expr>, Box<Expr>) -> Expr,
    ) -> Result<Self, ExprError> {
        let height = self.height.max(right.height);
        Self::above(
            height,
            offset,
            node(Box::new(self.expr), Box::new(right.expr)),
        )
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
    depth: usize,
}

impl Parser {
    fn or(&mut self) -> Result<Tree, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(too_deep(self.offset()));
        }
        let mut left = self.and()?;
        let mut offset = self.offset();
        while self.take_word("or") {
            left = left.join(self.and()?, offset, Expr::Or)?;
            offset = self.offset();
        }
        self.depth -= 1;
        Ok(left)
    }

    fn and(&mut self) -> Result<Tree, ExprError> {
        let mut left = self.not()?;
        let mut offset = self.offset();
        while self.take_word("and") {
            left = left.join(self.not()?, offset, Expr::And)?;
            offset = self.offset();
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Tree, ExprError> {
        let offset = self.offset();
        let mut negations = 0;
        while self.take_word("not") {
            negations += 1;
        }
        let mut tree = self.comparison()?;
        // Pairs of negations cancel out, except the last: it converts the value to true or false.
        let left = match negations {
            0 => 0,
            odd if odd % 2 == 1 => 1,
            _ => 2,
        };
        for _ in 0..left {
            tree = Tree::above(tree.height, offset, Expr::Not(Box::new(tree.expr)))?;
        }
        Ok(tree)
    }

    fn comparison(&mut self) -> Result<Tree, ExprError> {
        let left = self.filtered()?;
        let comparison = match self.peek() {
            Some(Token::Symbol("==")) => Comparison::Equal,
            Some(Token::Symbol("!=")) => Comparison::NotEqual,
            Some(Token::Symbol("<=")) => Comparison::LessOrEqual,
            Some(Token::Symbol(">=")) => Comparison::GreaterOrEqual,
            Some(Token::Symbol("<")) => Comparison::Less,
            Some(Token::Symbol(">")) => Comparison::Greater,
            Some(Token::Word(word)) if word == "in" => Comparison::In,
            Some(Token::Word(word)) if word == "subset_of" => Comparison::SubsetOf,
            _ => return Ok(left),
        };
        let offset = self.offset();
        self.next += 1;
        left.join(self.filtered()?, offset, |left, right| {
            Expr::Compare(comparison, left, right)
        })
    }

    fn filtered(&mut self) -> Result<Tree, ExprError> {
        let mut tree = self.primary()?;
        while self.take_symbol("|") {
            let offset = self.offset();
            let Some(Token::Word(name)) = self.peek().cloned() else {
                return Err(self.unexpected("the name of a filter"));
            };
            self.next += 1;
            let mut height = tree.height;
            let mut arguments = Vec::new();
            if self.take_symbol("(") {
                for argument in self.arguments()? {
                    height = height.max(argument.height);
                    arguments.push(argument.expr);
                }
            }
            let filter = Filter::new(&name, arguments).map_err(|message| error(message, offset))?;
            let filtered = Expr::Filtered(Box::new(tree.expr), filter);
            tree = Tree::above(height, offset, filtered)?;
        }
        Ok(tree)
    }

    fn arguments(&mut self) -> Result<Vec<Tree>, ExprError> {
        let mut arguments = vec![self.or()?];
        while self.take_symbol(",") {
            arguments.push(self.or()?);
        }
        self.expect_symbol(")")?;
        Ok(arguments)
    }

    fn primary(&mut self) -> Result<Tree, ExprError> {
        let Some(token) = self.peek().cloned() else {
            return Err(self.unexpected("a value"));
        };
        self.next += 1;
        let literal = |value| Ok(Tree::leaf(Expr::Literal(value)));
        match token {
            Token::Text(text) => literal(Value::String(text)),
            Token::Number(number) => literal(Value::Number(number)),
            Token::Symbol("-") if matches!(self.peek(), Some(Token::Number(_))) => {
                let number = match self.peek() {
                    Some(Token::Number(number)) => negative(number),
                    _ => None,
                };
                let number = number.ok_or_else(|| self.unexpected("a number"))?;
                self.next += 1;
                literal(Value::Number(number))
            }
            Token::Symbol("(") => {
                let inner = self.or()?;
                self.expect_symbol(")")?;
                Ok(inner)
            }
            // The current value itself, as a whole or element by element.
            Token::Symbol(".") => self.path(Root::This, Vec::new()),
            Token::Symbol("[") if matches!(self.peek(), Some(Token::Text(_))) => self.texts(),
            Token::Symbol("[") => {
                self.next -= 1;
                self.path(Root::This, Vec::new())
            }
            Token::Variable(name) => self.path(Root::Variable(name), Vec::new()),
            Token::Word(word) => match word.as_str() {
                "true" => literal(Value::Bool(true)),
                "false" => literal(Value::Bool(false)),
                "null" => literal(Value::Null),
                _ => self.path(Root::This, vec![Segment::Key(word)]),
            },
            Token::Symbol(_) => {
                self.next -= 1;
                Err(self.unexpected("a value"))
            }
        }
    }

    /// Parses an array of text literals: `["OPEN", "CLOSED"]`.
    fn texts(&mut self) -> Result<Tree, ExprError> {
        let mut texts = Vec::new();
        loop {
            let Some(Token::Text(text)) = self.peek().cloned() else {
                return Err(self.unexpected("a text"));
            };
            self.next += 1;
            texts.push(Value::String(text));
            if !self.take_symbol(",") {
                self.expect_symbol("]")?;
                return Ok(Tree::leaf(Expr::Literal(Value::Array(texts))));
            }
        }
    }

    fn path(&mut self, root: Root, mut segments: Vec<Segment>) -> Result<Tree, ExprError> {
        loop {
            if self.take_symbol("[") {
                segments.push(self.subscript()?);
            } else if self.take_symbol(".") {
                let Some(Token::Word(key)) = self.peek().cloned() else {
                    return Err(self.unexpected("a field name"));
                };
                self.next += 1;
                segments.push(Segment::Key(key));
            } else {
                return Ok(Tree::leaf(Expr::Path(Path { root, segments })));
            }
        }
    }

    fn subscript(&mut self) -> Result<Segment, ExprError> {
        if self.take_symbol("]") {
            return Ok(Segment::Each);
        }
        let negative = self.take_symbol("-");
        let index = match self.peek() {
            Some(Token::Number(number)) => number.as_i64(),
            _ => None,
        };
        let Some(index) = index else {
            return Err(self.unexpected("an index or `]`"));
        };
        self.next += 1;
        self.expect_symbol("]")?;
        Ok(Segment::Index(if negative { -index } else { index }))
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn offset(&self) -> usize {
        self.tokens
            .get(self.next)
            .map_or(self.end, |(offset, _)| *offset)
    }

    fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Symbol(s)) if *s == symbol);
        self.next += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.next += usize::from(found);
        found
    }

    fn expect_symbol(&mut self, symbol: &str) -> Result<(), ExprError> {
        if self.take_symbol(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    fn unexpected(&self, expected: &str) -> ExprError {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(Token::Word(word)) => format!("`{word}`"),
            Some(Token::Variable(name)) => format!("`${name}`"),
            Some(Token::Text(text)) => format!("{text:?}"),
            Some(Token::Number(number)) => format!("`{number}`"),
            Some(Token::Symbol(symbol)) => format!("`{symbol}`"),
        };
        error(format!("expected {expected}, found {found}"), self.offset())
    }
}

fn too_deep(offset: usize) -> ExprError {
    error("this expression is nested too deeply", offset)
}

fn negative(number: &Number) -> Option<Number> {
    match number.as_i64() {
        Some(whole) => Some(whole.checked_neg()?.into()),
        None => Number::from_f64(-number.as_f64()?),
    }
}
