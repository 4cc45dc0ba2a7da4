//! Returns the value of the last expression statement.
//!
//! Only the last statement counts, and what it ends with: a block's last statement, both branches
//! of an `if`, the cases of a `switch`, a `try` and its `catch`. Loops, declarations and `finally`
//! have no value. Functions and types may follow the last expression. Inside `try` the value is
//! awaited, so that a `catch` sees its errors.

use capstan_core::code::{ScriptError, ScriptErrorKind};
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_span::{GetSpan, Span};

use crate::source::Lines;

/// How code is handled that is only a function that nothing calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uncalled {
    Refuse,
    Allow,
}

pub(crate) fn return_last_value<'a>(
    program: &mut Program<'a>,
    allocator: &'a Allocator,
    lines: &Lines<'_>,
    uncalled: Uncalled,
) -> Result<(), ScriptError> {
    convert_directives(program, allocator);
    if program.body.iter().all(is_erased) {
        let message = "the code is empty: end it with its result, or call something";
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message));
    }
    let named_last = || match uncalled {
        Uncalled::Refuse => function_named_last(&program.body),
        Uncalled::Allow => None,
    };
    if let Some(name) = last_declared_function(&program.body).or_else(named_last) {
        let message = format!(
            "the code declares `{name}` and calls nothing: end it with a call, as in `await {name}()`"
        );
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message));
    }
    if let (Uncalled::Refuse, Some(function)) = (uncalled, uncalled_function(&program.body)) {
        let message = "the code is a function that nothing calls: call it and return its result, or \
                       send only its body";
        let place = lines.place(function.start as usize);
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message).at(Some(place)));
    }
    if let Some(block) = block_meant_as_object(&program.body) {
        let message =
            "the code ends with a block, not with an object: write `({ … })` or `return { … }`";
        let place = lines.place(block.span.start as usize);
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message).at(Some(place)));
    }
    let tail = TailReturns {
        builder: AstBuilder::new(allocator),
    };
    tail.return_from_list(&mut program.body, false);
    Ok(())
}

/// Turns directives into expression statements. Parsers read strings at the start as directives.
/// None has a meaning here, because all code is strict, so they are values like any other.
fn convert_directives<'a>(program: &mut Program<'a>, allocator: &'a Allocator) {
    let builder = AstBuilder::new(allocator);
    let directives = program.directives.take_in(&allocator);
    let strings = directives
        .into_iter()
        .filter(|it| it.directive != "use strict");
    let statements = strings.map(|directive| {
        let string = Expression::StringLiteral(oxc_allocator::ArenaBox::new_in(
            directive.expression,
            &allocator,
        ));
        Statement::new_expression_statement(directive.span, string, &builder)
    });
    let mut body = ArenaVec::from_iter_in(statements, &allocator);
    body.append(&mut program.body);
    program.body = body;
}

/// Returns whether nothing of the statement is left at run time.
fn is_erased(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::EmptyStatement(_)
        | Statement::TSTypeAliasDeclaration(_)
        | Statement::TSInterfaceDeclaration(_)
        | Statement::TSExternalModuleDeclaration(_)
        | Statement::TSGlobalDeclaration(_) => true,
        Statement::VariableDeclaration(it) => it.declare,
        Statement::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Statement::ClassDeclaration(it) => it.declare,
        Statement::TSEnumDeclaration(it) => it.declare,
        Statement::TSNamespaceDeclaration(it) => it.declare,
        _ => false,
    }
}

/// Returns the name of the last function, if the code only declares functions.
fn last_declared_function<'b>(body: &'b [Statement<'_>]) -> Option<&'b str> {
    let mut name = None;
    for statement in body.iter().filter(|it| !is_erased(it)) {
        match statement {
            Statement::FunctionDeclaration(it) => name = it.id.as_ref().map(|id| id.name.as_str()),
            Statement::VariableDeclaration(it) => {
                for declarator in &it.declarations {
                    let is_function = matches!(
                        declarator.init,
                        Some(
                            Expression::ArrowFunctionExpression(_)
                                | Expression::FunctionExpression(_)
                        )
                    );
                    let BindingPattern::BindingIdentifier(id) = &declarator.id else {
                        return None;
                    };
                    if !is_function {
                        return None;
                    }
                    name = Some(id.name.as_str());
                }
            }
            _ => return None,
        }
    }
    name
}

/// Returns the name at the end, if it is that of the last function and the code before only
/// declares functions.
fn function_named_last<'b>(body: &'b [Statement<'_>]) -> Option<&'b str> {
    let end = body.iter().rposition(|it| !may_follow(it))?;
    let Expression::Identifier(last) = value_of(&body[end])? else {
        return None;
    };
    let name = last_declared_function(&body[..end])?;
    (last_declared_function(&body[end + 1..]).is_none() && name == last.name).then_some(name)
}

/// Returns the function at the end that would be the result. Every run would fail, because a
/// function is not JSON. Returns `None` if something before it can return, so that the end may not
/// be reached.
fn uncalled_function(body: &[Statement<'_>]) -> Option<Span> {
    let end = body.iter().rposition(|it| !may_follow(it))?;
    let can_return = |statement: &Statement<'_>| {
        !may_follow(statement)
            && !matches!(
                statement,
                Statement::ExpressionStatement(_)
                    | Statement::VariableDeclaration(_)
                    | Statement::ClassDeclaration(_)
            )
    };
    if body[..end].iter().any(can_return) {
        return None;
    }
    let value = value_of(&body[end])?;
    let is_function = matches!(
        value,
        Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_)
    );
    is_function.then(|| value.span())
}

/// Returns the value of a last statement, without the parentheses and types around it.
fn value_of<'b, 'a>(statement: &'b Statement<'a>) -> Option<&'b Expression<'a>> {
    let value = match statement {
        Statement::ExpressionStatement(it) => &it.expression,
        Statement::ReturnStatement(it) => it.argument.as_ref()?,
        _ => return None,
    };
    Some(value.get_inner_expression())
}

/// Returns whether the statement may follow the last expression: it has no effect of its own.
fn may_follow(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::FunctionDeclaration(_)) || is_erased(statement)
}

/// Returns a block at the end that was meant as an object: `{ a: 1 }` is a block with a label, and
/// `{ a, b }` one with names whose values are dropped.
fn block_meant_as_object<'b, 'a>(body: &'b [Statement<'a>]) -> Option<&'b BlockStatement<'a>> {
    let last = body.iter().rfind(|it| !may_follow(it))?;
    let Statement::BlockStatement(block) = last else {
        return None;
    };
    let [only] = block.body.as_slice() else {
        return None;
    };
    let is_names = |expression: &Expression<'_>| match expression {
        Expression::Identifier(_) => true,
        Expression::SequenceExpression(it) => it
            .expressions
            .iter()
            .all(|it| matches!(it, Expression::Identifier(_))),
        _ => false,
    };
    let is_mistaken = match only {
        Statement::LabeledStatement(it) => matches!(it.body, Statement::ExpressionStatement(_)),
        Statement::ExpressionStatement(it) => is_names(&it.expression),
        _ => false,
    };
    is_mistaken.then_some(block)
}

struct TailReturns<'a> {
    builder: AstBuilder<'a>,
}

impl<'a> TailReturns<'a> {
    fn return_from_list(&self, statements: &mut [Statement<'a>], within_try: bool) {
        if let Some(last) = statements.iter_mut().rfind(|it| !may_follow(it)) {
            self.return_from_statement(last, within_try);
        }
    }

    fn return_from_statement(&self, statement: &mut Statement<'a>, within_try: bool) {
        match statement {
            Statement::ExpressionStatement(it) => {
                let span = it.span;
                let mut value = it.expression.take_in(&self.builder);
                if within_try && !matches!(value, Expression::AwaitExpression(_)) {
                    let span = value.span();
                    value = Expression::new_await_expression(span, value, &self.builder);
                }
                *statement = Statement::new_return_statement(span, Some(value), &self.builder);
            }
            Statement::BlockStatement(it) => self.return_from_list(&mut it.body, within_try),
            Statement::IfStatement(it) => {
                self.return_from_statement(&mut it.consequent, within_try);
                if let Some(alternate) = &mut it.alternate {
                    self.return_from_statement(alternate, within_try);
                }
            }
            Statement::LabeledStatement(it) => self.return_from_statement(&mut it.body, within_try),
            Statement::TryStatement(it) => {
                self.return_from_list(&mut it.block.body, true);
                let within_try = within_try || it.finalizer.is_some();
                if let Some(handler) = &mut it.handler {
                    self.return_from_list(&mut handler.body.body, within_try);
                }
            }
            Statement::SwitchStatement(it) => self.return_from_cases(&mut it.cases, within_try),
            _ => {}
        }
    }

    /// Handles cases: a case ends where it breaks, or where the switch ends.
    fn return_from_cases(&self, cases: &mut [SwitchCase<'a>], within_try: bool) {
        let last = cases.len().saturating_sub(1);
        for (index, case) in cases.iter_mut().enumerate() {
            self.return_from_case(&mut case.consequent, index == last, within_try);
        }
    }

    fn return_from_case(&self, statements: &mut [Statement<'a>], is_last: bool, within_try: bool) {
        match statements {
            [] => {}
            [Statement::BlockStatement(block)] => {
                self.return_from_case(&mut block.body, is_last, within_try);
            }
            [before @ .., Statement::BreakStatement(it)] if it.label.is_none() => {
                self.return_from_list(before, within_try);
            }
            _ if is_last => self.return_from_list(statements, within_try),
            _ => {}
        }
    }
}
