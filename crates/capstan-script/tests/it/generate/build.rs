//! Makes a program of random bytes.

use super::choices::Choices;
use super::tree::{Binding, Expression, Function, Program, Scope, Statement};

pub(crate) const GLOBALS: [&str; 8] = [
    "f",
    "g",
    "capstan",
    "mcp",
    "caps",
    "args",
    "console",
    "undefined",
];
pub(crate) const PROPERTIES: [&str; 10] = [
    "a",
    "b",
    "issue",
    "view",
    "list",
    "my-name",
    "then",
    "default",
    "__proto__",
    "length",
];
pub(crate) const TEXTS: [&str; 10] = [
    "",
    "a",
    "b",
    "it's",
    "say \"x\"",
    "a\\b",
    "\n",
    "ä😀",
    "`${x}`",
    "\u{2028}</script>",
];
pub(crate) const TEMPLATES: [&str; 5] = ["", "a", " b\n", "it's \"", "\\n\\`"];
pub(crate) const REGEXES: [&str; 4] = ["/a/", "/[(/]'/g", "/\\//iu", "/(?<a>b)/"];
pub(crate) const BINARY: [&str; 10] = ["+", "-", "*", "===", "<", "&&", "||", "??", "in", ","];
pub(crate) const UNARY: [&str; 5] = ["!", "-", "+", "typeof", "void"];
pub(crate) const ASSIGN: [&str; 4] = ["=", "+=", "??=", "**="];

/// A program that can be read, whatever the bytes are.
pub(crate) fn program(bytes: &[u8]) -> Program {
    let mut builder = Builder {
        choices: Choices::new(bytes),
        visible: Vec::new(),
        assignable: Vec::new(),
        bindings: 0,
        throws: 0,
        labels: 0,
        is_async: true,
        size: 0,
    };
    let mut body = builder.scope(5, &[]);
    // The last statement counts: let it be an expression.
    body.statements.push(Statement::Expression(Expression::Call(
        Box::new(Expression::Global("f")),
        vec![builder.local_or_number()],
    )));
    Program {
        body,
        bindings: builder.bindings,
    }
}

struct Builder<'b> {
    choices: Choices<'b>,
    visible: Vec<Binding>,
    /// Of those, what was declared so that it can be assigned to.
    assignable: Vec<Binding>,
    bindings: usize,
    throws: usize,
    labels: usize,
    is_async: bool,
    size: usize,
}

const LARGEST: usize = 60;

impl Builder<'_> {
    fn binding(&mut self) -> Binding {
        self.bindings += 1;
        self.bindings - 1
    }

    /// Up to so many statements, in which these bindings are declared already.
    fn scope(&mut self, most: usize, given: &[Binding]) -> Scope {
        let (visible, assignable) = (self.visible.len(), self.assignable.len());
        self.visible.extend(given);
        let mut scope = Scope {
            declared: given.to_vec(),
            statements: Vec::new(),
        };
        let count = self.choices.below(most + 1);
        for _ in 0..count {
            if self.choices.is_empty() || self.size > LARGEST {
                break;
            }
            let statement = self.statement(&mut scope.declared);
            scope.statements.push(statement);
        }
        self.visible.truncate(visible);
        self.assignable.truncate(assignable);
        scope
    }

    fn statement(&mut self, declared: &mut Vec<Binding>) -> Statement {
        self.size += 1;
        match self.choices.below(16) {
            0 | 1 => Statement::Expression(self.expression(3)),
            2..=4 => {
                let value = self.expression(3);
                let assignable = self.choices.below(3) == 0;
                let binding = self.declare(declared);
                if assignable {
                    self.assignable.push(binding);
                }
                Statement::Declare(binding, value, assignable)
            }
            5 => {
                let value = self.expression(2);
                let count = 1 + self.choices.below(3);
                // The same name twice would be read twice; that is fine.
                let entries = (0..count).map(|_| {
                    let name = self.choices.pick(&PROPERTIES);
                    let default = (self.choices.below(2) == 1).then(|| self.literal());
                    (name, self.declare(declared), default)
                });
                Statement::Destructure(entries.collect(), value)
            }
            6 if !self.assignable.is_empty() => {
                let binding = self.choices.pick(&self.assignable.clone());
                let operator = self.choices.pick(&ASSIGN);
                Statement::Assign(binding, operator, self.expression(2))
            }
            7 => {
                let test = self.expression(2);
                let yes = self.scope(3, &[]);
                let no = (self.choices.below(2) == 1).then(|| self.scope(3, &[]));
                Statement::If(test, yes, no)
            }
            8 => Statement::Block(self.scope(3, &[])),
            9 => {
                let items = self.expression(2);
                let item = self.binding();
                Statement::ForOf(item, items, self.scope(3, &[item]))
            }
            10 => {
                self.labels += 1;
                let label = self.labels;
                Statement::Labeled(label, self.scope(2, &[]))
            }
            11 => {
                let name = self.declare(declared);
                Statement::Function(name, self.function(true))
            }
            12 => {
                let name = self.declare(declared);
                let method = self.choices.pick(&PROPERTIES);
                Statement::Class(name, method, self.function(true))
            }
            13 => {
                let name = self.declare(declared);
                let count = 1 + self.choices.below(3);
                Statement::Enum(name, PROPERTIES[..count].to_vec())
            }
            14 => {
                let first = self.scope(2, &[]);
                let caught = self.binding();
                Statement::Try(first, caught, self.scope(2, &[caught]))
            }
            15 => {
                self.throws += 1;
                Statement::Throw(self.throws)
            }
            _ => Statement::Return(self.expression(2)),
        }
    }

    fn declare(&mut self, declared: &mut Vec<Binding>) -> Binding {
        let binding = self.binding();
        declared.push(binding);
        self.visible.push(binding);
        binding
    }

    fn function(&mut self, with_defaults: bool) -> Function {
        let is_async = self.choices.below(2) == 1;
        let count = self.choices.below(3);
        let outer = std::mem::replace(&mut self.is_async, is_async);
        let assignable = std::mem::take(&mut self.assignable);
        let parameters: Vec<_> = (0..count)
            .map(|_| {
                let default = (with_defaults && self.choices.below(3) == 1).then(|| self.literal());
                (self.binding(), default)
            })
            .collect();
        let names: Vec<Binding> = parameters.iter().map(|&(name, _)| name).collect();
        let mut body = self.scope(2, &names);
        let visible = self.visible.len();
        self.visible.extend(&body.declared);
        let value = self.expression(2);
        self.visible.truncate(visible);
        body.statements.push(Statement::Return(value));
        self.is_async = outer;
        self.assignable = assignable;
        Function {
            is_async,
            parameters,
            body,
        }
    }

    fn literal(&mut self) -> Expression {
        match self.choices.below(2) {
            0 => Expression::Number(u32::try_from(self.choices.below(100)).unwrap()),
            _ => Expression::Text(self.choices.pick(&TEXTS)),
        }
    }

    fn local_or_number(&mut self) -> Expression {
        if self.visible.is_empty() {
            return self.literal();
        }
        Expression::Local(self.visible[self.choices.below(self.visible.len())])
    }

    fn expression(&mut self, depth: usize) -> Expression {
        self.size += 1;
        if depth == 0 || self.size > LARGEST {
            return match self.choices.below(4) {
                0 => self.literal(),
                1 => Expression::Global(self.choices.pick(&GLOBALS)),
                _ => self.local_or_number(),
            };
        }
        let depth = depth - 1;
        let boxed = |it: Expression| Box::new(it);
        match self.choices.below(20) {
            0 => self.literal(),
            1 => Expression::Global(self.choices.pick(&GLOBALS)),
            2 | 3 => self.local_or_number(),
            4 | 5 => {
                let operator = self.choices.pick(&BINARY);
                let left = self.expression(depth);
                Expression::Binary(operator, boxed(left), boxed(self.expression(depth)))
            }
            6 => Expression::Unary(self.choices.pick(&UNARY), boxed(self.expression(depth))),
            7 => {
                let test = self.expression(depth);
                let yes = self.expression(depth);
                Expression::Conditional(boxed(test), boxed(yes), boxed(self.expression(depth)))
            }
            8..=10 => {
                let object = self.expression(depth);
                let optional = self.choices.below(4) == 1;
                Expression::Member(boxed(object), self.choices.pick(&PROPERTIES), optional)
            }
            11 | 12 => {
                let callee = self.expression(depth);
                let count = self.choices.below(3);
                let arguments = (0..count).map(|_| self.expression(depth)).collect();
                Expression::Call(boxed(callee), arguments)
            }
            13 => {
                let count = self.choices.below(3);
                Expression::Array((0..count).map(|_| self.expression(depth)).collect())
            }
            14 => {
                let count = self.choices.below(3);
                let start = self.choices.below(PROPERTIES.len() - 3);
                let names = PROPERTIES[start..].iter().take(count);
                Expression::Object(names.map(|name| (*name, self.expression(depth))).collect())
            }
            15 => {
                let count = self.choices.below(3);
                let parts = (0..count)
                    .map(|_| (self.choices.pick(&TEMPLATES), self.expression(depth)))
                    .collect();
                Expression::Template(parts, self.choices.pick(&TEMPLATES))
            }
            16 => Expression::Regex(self.choices.pick(&REGEXES)),
            17 => Expression::Arrow(boxed_function(self.function(true))),
            18 => {
                let name = self.binding();
                self.visible.push(name);
                let function = self.function(true);
                self.visible.retain(|&it| it != name);
                Expression::Named(name, boxed_function(function))
            }
            _ if self.is_async => Expression::Await(boxed(self.expression(depth))),
            _ => self.local_or_number(),
        }
    }
}

fn boxed_function(function: Function) -> Box<Function> {
    Box::new(function)
}
