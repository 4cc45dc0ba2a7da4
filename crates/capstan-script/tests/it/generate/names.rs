//! Chooses names for bindings, so that every reference still means what it means.

use std::collections::HashSet;

use super::build::GLOBALS;
use super::style::Naming;
use super::tree::{Binding, Expression, Function, Program, Scope, Statement};

/// The name of every binding.
pub(crate) fn names(program: &Program, naming: Naming) -> Vec<String> {
    let mut globals = HashSet::new();
    program.clone().expressions(&mut |it| {
        if let Expression::Global(name) = it {
            globals.insert(*name);
        }
    });
    // Read as statements that are there in every text.
    globals.insert("f");
    globals.insert("Error");
    let mut namer = Namer {
        naming,
        globals,
        names: vec![String::new(); program.bindings],
        visible: Vec::new(),
    };
    namer.scope(&program.body);
    namer.names
}

struct Namer {
    naming: Naming,
    globals: HashSet<&'static str>,
    names: Vec<String>,
    visible: Vec<Binding>,
}

impl Namer {
    fn scope(&mut self, scope: &Scope) {
        self.scope_with(scope, &used(scope));
    }

    /// A scope in which these are used.
    fn scope_with(&mut self, scope: &Scope, used: &HashSet<Binding>) {
        self.declare(&scope.declared, used);
        for statement in &scope.statements {
            self.statement(statement);
        }
        self.visible
            .truncate(self.visible.len() - scope.declared.len());
    }

    fn declare(&mut self, declared: &[Binding], used: &HashSet<Binding>) {
        let outer: Vec<Binding> = self.visible.clone();
        for (index, &binding) in declared.iter().enumerate() {
            self.names[binding] = match self.naming {
                Naming::Numbered => format!("v{binding}"),
                Naming::Levels => format!("x{}", self.visible.len()),
                Naming::Odd => {
                    ["ñ", "$", "_a", "of", "async_", "Object_"][binding % 6].to_owned()
                        + &binding.to_string()
                }
                Naming::Shadowing => {
                    let seen = outer.iter().filter(|it| used.contains(it));
                    let taken = seen.chain(&declared[..index]);
                    let taken: HashSet<&str> = taken.map(|&it| self.names[it].as_str()).collect();
                    let free = |name: &&str| !taken.contains(name) && !self.globals.contains(name);
                    let pool = GLOBALS[..7].iter().chain(&["a", "b", "view", "E"]).copied();
                    match pool.into_iter().find(free) {
                        Some(name) => name.to_owned(),
                        None => format!("y{binding}"),
                    }
                }
            };
            self.visible.push(binding);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expression(it) | Statement::Return(it) => self.expression(it),
            Statement::Declare(_, it, _) | Statement::Assign(_, _, it) => self.expression(it),
            Statement::Destructure(_, it) => self.expression(it),
            Statement::If(test, yes, no) => {
                self.expression(test);
                self.scope(yes);
                no.iter().for_each(|it| self.scope(it));
            }
            Statement::Block(it) | Statement::Labeled(_, it) => self.scope(it),
            Statement::ForOf(_, items, it) => {
                self.expression(items);
                // What is declared can be seen in the items already.
                let mut with_items = it.clone();
                let items = Statement::Expression(items.clone());
                with_items.statements.push(items);
                self.scope_with(it, &used(&with_items));
            }
            Statement::Function(_, it) | Statement::Class(_, _, it) => self.scope(&it.body),
            Statement::Try(first, _, second) => {
                self.scope(first);
                self.scope(second);
            }
            Statement::Enum(..) | Statement::Throw(_) => {}
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Binary(_, a, b) => {
                self.expression(a);
                self.expression(b);
            }
            Expression::Unary(_, it) | Expression::Await(it) | Expression::Member(it, _, _) => {
                self.expression(it);
            }
            Expression::Conditional(a, b, c) => {
                self.expression(a);
                self.expression(b);
                self.expression(c);
            }
            Expression::Call(callee, arguments) => {
                self.expression(callee);
                arguments.iter().for_each(|it| self.expression(it));
            }
            Expression::Array(items) => items.iter().for_each(|it| self.expression(it)),
            Expression::Object(entries) => entries.iter().for_each(|(_, it)| self.expression(it)),
            Expression::Template(parts, _) => parts.iter().for_each(|(_, it)| self.expression(it)),
            Expression::Arrow(it) => self.scope(&it.body),
            Expression::Named(name, it) => self.named(*name, it),
            Expression::Number(_)
            | Expression::Text(_)
            | Expression::Global(_)
            | Expression::Local(_)
            | Expression::Regex(_) => {}
        }
    }

    fn named(&mut self, name: Binding, function: &Function) {
        self.declare(&[name], &used(&function.body));
        self.scope(&function.body);
        self.visible.pop();
    }
}

/// Every binding that is used in a scope or further in.
fn used(scope: &Scope) -> HashSet<Binding> {
    let mut scope = scope.clone();
    let mut used = HashSet::new();
    scope.expressions(&mut |it| {
        if let Expression::Local(binding) = it {
            used.insert(*binding);
        }
    });
    assigned(&mut scope, &mut used);
    used
}

fn assigned(scope: &mut Scope, used: &mut HashSet<Binding>) {
    for statement in &mut scope.statements {
        if let Statement::Assign(binding, _, _) = statement {
            used.insert(*binding);
        }
        statement.scopes(&mut |it| assigned(it, used));
    }
}
