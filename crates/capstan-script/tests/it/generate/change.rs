//! Changes one place of a program so that it means something else.

use super::build::{BINARY, GLOBALS, PROPERTIES, REGEXES, TEMPLATES, TEXTS, UNARY};
use super::print::print;
use super::style::{Naming, Style};
use super::tree::{Expression, Program, Statement};

/// Changes one expression; nothing, if that cannot be done there.
pub(crate) fn change_expression(program: &Program, which: usize, how: usize) -> Option<Program> {
    let mut changed = program.clone();
    let mut count = 0;
    changed.expressions(&mut |_| count += 1);
    let (mut index, wanted) = (0, which % count);
    changed.expressions(&mut |expression| {
        if index == wanted {
            change(expression, how);
        }
        index += 1;
    });
    differ(&changed, program).then_some(changed)
}

/// Leaves a statement out, repeats it, or exchanges it with the next; nothing, if that is not another
/// program.
pub(crate) fn change_statement(program: &Program, which: usize, how: usize) -> Option<Program> {
    let mut changed = program.clone();
    let mut sites = 0;
    changed.statements(&mut |list| sites += list.len());
    let wanted = which % sites;
    let mut index = 0;
    changed.statements(&mut |list| {
        for at in 0..list.len() {
            if index == wanted && !declares(&list[at]) {
                change_list(list, at, how);
                index = usize::MAX / 2;
                return;
            }
            index += 1;
        }
    });
    differ(&changed, program).then_some(changed)
}

/// Whether anything else than bindings that are used alike was exchanged, in statements that do
/// something.
fn differ(one: &Program, other: &Program) -> bool {
    let style = Style {
        naming: Naming::Levels,
        ..Style::default()
    };
    print(&with_effect(one), &style) != print(&with_effect(other), &style)
}

/// Without statements that do nothing, and with one label for all: each loop ends its own.
fn with_effect(program: &Program) -> Program {
    let mut program = program.clone();
    let strip = &mut |list: &mut Vec<Statement>| {
        list.retain(|it| !does_nothing(it));
        for statement in list {
            if let Statement::Labeled(label, _) = statement {
                *label = 0;
            }
        }
    };
    program.statements(strip);
    program.expressions(&mut |expression| {
        if let Expression::Arrow(it) | Expression::Named(_, it) = expression {
            it.body.lists(strip);
        }
    });
    program
}

fn change_list(list: &mut Vec<Statement>, at: usize, how: usize) {
    let returns = |it: &Statement| matches!(it, Statement::Return(_));
    match (how % 3, list.get(at + 1)) {
        // Without any statement, it would be no program.
        (0, _) if list.len() > 1 => {
            list.remove(at);
        }
        // The last expression is returned as well, so that the order may not matter.
        (1, Some(next)) if !declares(next) && !returns(next) && !returns(&list[at]) => {
            list.swap(at, at + 1);
        }
        _ => {
            let call = Expression::Call(Box::new(Expression::Global("g")), Vec::new());
            list.insert(at, Statement::Expression(call));
        }
    }
}

/// Whether others may depend on it.
fn declares(statement: &Statement) -> bool {
    match statement {
        Statement::Declare(..)
        | Statement::Destructure(..)
        | Statement::Function(..)
        | Statement::Class(..)
        | Statement::Enum(..)
        // Without it, a binding that could be assigned to becomes a constant; nothing else changes.
        | Statement::Assign(..) => true,
        _ => does_nothing(statement),
    }
}

fn does_nothing(statement: &Statement) -> bool {
    matches!(statement, Statement::Expression(Expression::Text(_)))
}

fn other(items: &[&'static str], known: &str, how: usize) -> &'static str {
    let others: Vec<&'static str> = items.iter().filter(|it| **it != known).copied().collect();
    others[how % others.len()]
}

fn change(expression: &mut Expression, how: usize) {
    match expression {
        Expression::Number(it) => *it += 1 + u32::try_from(how % 7).unwrap(),
        Expression::Text(it) => *it = other(&TEXTS, it, how),
        Expression::Global(it) => *it = other(&GLOBALS, it, how),
        Expression::Local(_) => *expression = Expression::Global(GLOBALS[how % GLOBALS.len()]),
        Expression::Binary(it, _, _) => *it = other(&BINARY, it, how),
        Expression::Unary(it, _) => *it = other(&UNARY, it, how),
        Expression::Conditional(_, b, c) => std::mem::swap(b, c),
        Expression::Member(_, _, optional) if how.is_multiple_of(3) => *optional = !*optional,
        Expression::Member(_, it, _) => *it = other(&PROPERTIES, it, how),
        Expression::Call(_, arguments) => arguments.push(Expression::Number(7)),
        Expression::Array(items) => items.push(Expression::Number(7)),
        Expression::Object(entries) => entries.push(("added", Expression::Number(7))),
        Expression::Template(_, last) => *last = other(&TEMPLATES, last, how),
        Expression::Regex(it) => *it = other(&REGEXES, it, how),
        Expression::Arrow(it) | Expression::Named(_, it) => {
            if how.is_multiple_of(2) && !it.is_async {
                it.is_async = true;
            } else if let Some((_, default)) = it.parameters.last_mut() {
                *default = match default.take() {
                    Some(_) => None,
                    None => Some(Expression::Number(7)),
                };
            } else {
                it.body
                    .statements
                    .insert(0, Statement::Return(Expression::Number(7)));
            }
        }
        Expression::Await(it) => *expression = (**it).clone(),
    }
}
