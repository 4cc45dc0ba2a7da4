//! Prints a program in a style.

use super::names::names;
use super::style::{Naming, Style};
use super::tree::{Binding, Expression, Function, Program, Scope, Statement};

pub(crate) fn print(program: &Program, style: &Style) -> String {
    let mut printer = Printer {
        style,
        names: names(program, style.naming),
        tokens: Vec::new(),
        count: 0,
    };
    if style.types {
        printer.text("interface Shape<T> { a: string; b?: T }");
        printer.text("type Any = any;");
    }
    printer.statements(&program.body);
    printer.join()
}

enum Token {
    Text(String),
    /// No line may end here.
    Glue,
    Semicolon,
}

struct Printer<'s> {
    style: &'s Style,
    names: Vec<String>,
    tokens: Vec<Token>,
    /// Of what was decided so far.
    count: usize,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.tokens.push(Token::Text(text.to_owned()));
    }

    fn glued(&mut self, texts: &[&str]) {
        for text in texts {
            self.text(text);
            self.tokens.push(Token::Glue);
        }
    }

    /// Every third time, in a style that has types.
    fn sometimes(&mut self) -> bool {
        self.count += 1;
        self.style.types && self.count.is_multiple_of(3)
    }

    fn name(&mut self, binding: Binding) {
        let name = self.names[binding].clone();
        self.text(&name);
    }

    fn typed_name(&mut self, binding: Binding) {
        self.name(binding);
        if self.sometimes() {
            self.text(": Shape<string | number>[]");
        }
    }

    fn statements(&mut self, scope: &Scope) {
        for statement in &scope.statements {
            self.statement(statement);
        }
    }

    fn block(&mut self, scope: &Scope) {
        self.text("{");
        self.statements(scope);
        self.text("}");
    }

    fn end(&mut self) {
        self.tokens.push(Token::Semicolon);
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expression(it) => {
                // A regular expression after a `}` may be a division, and is refused.
                let open = matches!(
                    it,
                    Expression::Object(_) | Expression::Named(..) | Expression::Regex(_)
                );
                self.wrapped(it, open);
                self.end();
            }
            Statement::Declare(binding, value, assignable) => {
                let is_let = *assignable || self.style.only_let;
                self.text(if is_let { "let" } else { "const" });
                self.typed_name(*binding);
                self.text("=");
                self.argument(value);
                self.end();
            }
            Statement::Destructure(entries, value) => {
                self.text(if self.style.only_let { "let" } else { "const" });
                self.text("{");
                for (property, binding, default) in entries {
                    if self.style.shorthand && self.names[*binding] == *property {
                        self.name(*binding);
                    } else {
                        self.key(property);
                        self.text(":");
                        self.name(*binding);
                    }
                    if let Some(default) = default {
                        self.text("=");
                        self.argument(default);
                    }
                    self.text(",");
                }
                self.text("}");
                if self.sometimes() {
                    self.text(": any");
                }
                self.text("=");
                self.argument(value);
                self.end();
            }
            Statement::Assign(binding, operator, value) => {
                self.name(*binding);
                self.text(operator);
                self.argument(value);
                self.end();
            }
            Statement::If(test, yes, no) => {
                self.text("if");
                self.wrapped(test, true);
                self.block(yes);
                if let Some(no) = no {
                    self.text("else");
                    self.block(no);
                }
            }
            Statement::Block(it) => self.block(it),
            Statement::ForOf(item, items, body) => {
                self.text("for");
                self.text("(");
                self.text(if self.style.only_let { "let" } else { "const" });
                self.name(*item);
                self.text("of");
                self.wrapped(items, true);
                self.text(")");
                self.block(body);
            }
            Statement::Labeled(number, body) => {
                let label = match self.style.naming {
                    Naming::Numbered => format!("l{number}"),
                    _ => format!("outer_{number}"),
                };
                self.text(&label);
                self.text(": for (;;) {");
                self.statements(body);
                self.glued(&["break"]);
                self.text(&label);
                self.end();
                self.text("}");
            }
            Statement::Function(name, function) => {
                if self.sometimes() {
                    self.text("function");
                    self.name(*name);
                    self.text("(...a: any[]): any;");
                }
                if function.is_async {
                    self.glued(&["async"]);
                }
                self.text("function");
                self.name(*name);
                self.function(function);
            }
            Statement::Class(name, method, function) => {
                self.text("class");
                self.name(*name);
                if self.sometimes() {
                    self.text("<T extends object>");
                }
                self.text("{");
                if self.sometimes() {
                    self.text("declare z: Any;");
                }
                if function.is_async {
                    self.glued(&["async"]);
                }
                self.key(method);
                self.function(function);
                self.text("}");
            }
            Statement::Enum(name, members) => {
                if self.sometimes() {
                    self.glued(&["const"]);
                }
                self.glued(&["enum"]);
                self.name(*name);
                self.text("{");
                self.text(&members.join(","));
                self.text("}");
            }
            Statement::Try(first, caught, second) => {
                self.text("try");
                self.block(first);
                self.text("catch");
                self.text("(");
                self.name(*caught);
                if self.sometimes() {
                    self.text(": unknown");
                }
                self.text(")");
                self.block(second);
            }
            Statement::Return(it) => {
                self.glued(&["return"]);
                self.wrapped(it, true);
                self.end();
            }
            Statement::Throw(number) => {
                let quote = if self.style.single_quotes { "'" } else { "\"" };
                let text = format!("{quote}t{number}t{quote}");
                self.glued(&["throw", "new", "Error", "(", &text]);
                self.text(")");
                self.end();
            }
        }
    }

    fn function(&mut self, function: &Function) {
        self.parameters(function);
        if self.sometimes() {
            self.text(": any");
        }
        self.block(&function.body);
    }

    fn parameters(&mut self, function: &Function) {
        self.text("(");
        if self.sometimes() {
            // Only functions can have it; arrows take another.
            self.count += 1;
        }
        for (name, default) in &function.parameters {
            self.typed_name(*name);
            if let Some(default) = default {
                self.text("=");
                self.argument(default);
            }
            self.text(",");
        }
        self.text(")");
    }

    /// A key of an object, a pattern or a class.
    fn key(&mut self, name: &'static str) {
        if name.contains('-') {
            self.string(name);
        } else if self.style.brackets && self.count.is_multiple_of(2) && name != "__proto__" {
            self.count += 1;
            self.string(name);
        } else {
            self.count += 1;
            self.text(name);
        }
    }

    fn argument(&mut self, expression: &Expression) {
        let comma = matches!(expression, Expression::Binary(",", _, _));
        self.wrapped(expression, comma);
    }

    /// Part of a larger expression.
    fn part(&mut self, expression: &Expression) {
        let simple = matches!(
            expression,
            Expression::Text(_)
                | Expression::Global(_)
                | Expression::Local(_)
                | Expression::Array(_)
                | Expression::Template(..)
        );
        self.wrapped(expression, !simple);
    }

    fn wrapped(&mut self, expression: &Expression, parentheses: bool) {
        let (typed, asserted) = (self.sometimes(), self.sometimes());
        let extra = self.style.parentheses && self.count.is_multiple_of(2);
        let open = usize::from(parentheses) + usize::from(extra) + 2 * usize::from(typed);
        for _ in 0..open {
            self.text("(");
        }
        if typed {
            self.text("<Any>(");
        }
        self.expression(expression);
        if typed {
            self.text(")");
            self.text(")");
            self.tokens.push(Token::Glue);
            self.text(if asserted { "!" } else { "as unknown as Any" });
            self.text(")");
        }
        for _ in 0..usize::from(parentheses) + usize::from(extra) {
            self.text(")");
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(number) => {
                let spelled = match (self.style.escapes, number % 3) {
                    (true, 0) => format!("0x{number:x}"),
                    (true, 1) => format!("{number}.0"),
                    _ => number.to_string(),
                };
                self.text(&spelled);
            }
            Expression::Text(text) => self.string(text),
            Expression::Global(name) => self.text(name),
            Expression::Local(binding) => self.name(*binding),
            Expression::Binary(operator, a, b) => {
                self.part(a);
                self.text(operator);
                self.part(b);
            }
            Expression::Unary(operator, it) => {
                self.text(operator);
                self.part(it);
            }
            Expression::Await(it) => {
                self.text("await");
                self.part(it);
            }
            Expression::Conditional(a, b, c) => {
                self.part(a);
                self.text("?");
                self.part(b);
                self.text(":");
                self.part(c);
            }
            Expression::Member(object, property, optional) => {
                self.part(object);
                let quoted = property.contains('-') || self.style.brackets;
                match (quoted, *optional) {
                    (true, true) => self.text("?.["),
                    (true, false) => self.text("["),
                    (false, true) => self.text("?."),
                    (false, false) => self.text("."),
                }
                if quoted {
                    self.string(property);
                    self.text("]");
                } else {
                    self.text(property);
                }
            }
            Expression::Call(callee, arguments) => {
                self.part(callee);
                self.text("(");
                for argument in arguments {
                    self.argument(argument);
                    self.text(",");
                }
                self.text(")");
            }
            Expression::Array(items) => {
                self.text("[");
                for item in items {
                    self.argument(item);
                    self.text(",");
                }
                self.text("]");
            }
            Expression::Object(entries) => {
                self.text("{");
                for (name, value) in entries {
                    match value {
                        Expression::Local(binding)
                            if self.style.shorthand && self.names[*binding] == *name =>
                        {
                            self.text(name);
                        }
                        _ => {
                            self.key(name);
                            self.text(":");
                            self.argument(value);
                        }
                    }
                    self.text(",");
                }
                self.text("}");
            }
            Expression::Template(parts, last) => {
                // White space in it counts, so the whole is one token.
                let mut text = "`".to_owned();
                for (before, value) in parts {
                    let mut inner = Printer {
                        style: self.style,
                        names: self.names.clone(),
                        tokens: Vec::new(),
                        count: self.count,
                    };
                    inner.wrapped(value, false);
                    text += before;
                    text += "${";
                    text += &inner.join();
                    text += "}";
                }
                text += last;
                text += "`";
                self.text(&text);
            }
            Expression::Regex(regex) => self.text(regex),
            Expression::Arrow(it) => {
                if it.is_async {
                    self.glued(&["async"]);
                }
                if self.sometimes() {
                    self.text("<T,>");
                }
                self.parameters(it);
                self.tokens.push(Token::Glue);
                self.text("=>");
                self.block(&it.body);
            }
            Expression::Named(name, it) => {
                if it.is_async {
                    self.glued(&["async"]);
                }
                self.text("function");
                self.name(*name);
                self.function(it);
            }
        }
    }

    fn string(&mut self, text: &str) {
        let quote = if self.style.single_quotes { '\'' } else { '"' };
        let mut quoted = String::from(quote);
        for c in text.chars() {
            match c {
                '\n' => quoted += "\\n",
                '\\' => quoted += "\\\\",
                _ if c == quote => quoted.extend(['\\', c]),
                '\u{2028}' => quoted += "\\u2028",
                'a' | 'b' if self.style.escapes => quoted += &format!("\\x{:x}", u32::from(c)),
                '😀' if self.style.escapes => quoted += "\\u{1f600}",
                _ => quoted.push(c),
            }
        }
        quoted.push(quote);
        self.text(&quoted);
    }

    /// The tokens with white space and comments between them.
    fn join(&self) -> String {
        let mut text = String::new();
        let mut layout = self.style.layout.iter().cycle();
        for (index, token) in self.tokens.iter().enumerate() {
            let rest = self.tokens[index + 1..].iter();
            let next = rest.clone().find_map(|it| match it {
                Token::Text(text) => Some(text.as_str()),
                _ => None,
            });
            match token {
                Token::Text(it) => text += it,
                Token::Glue => continue,
                Token::Semicolon => {
                    let goes_on = |it: &str| it.starts_with(['(', '[', '`', '+', '-', '/', '<']);
                    let needed = self.style.semicolons || next.is_some_and(goes_on);
                    text += if needed { ";" } else { "\n" };
                }
            }
            let glued = matches!(self.tokens.get(index + 1), Some(Token::Glue));
            let byte = layout.next().copied().unwrap_or(0);
            text += match (byte % 12, glued) {
                (0..=5, _) | (10.., true) => " ",
                (6, _) => "\t ",
                (7, _) => " /* it's; } */ ",
                (8, false) => "\n",
                (9, false) => " // say \"x\" {\n",
                (10, false) => "\r\n",
                (_, false) => "\n\n  /** doc\n */ ",
                (_, true) => "  ",
            };
        }
        text
    }
}
