//! The value of the last expression statement becomes the value that is returned.
//!
//! The last statement counts, and what it ends with: a block's last statement, both branches of an
//! `if`, the cases of a `switch`, a `try` and its `catch`. Loops and declarations give nothing, nor
//! does a `finally`. Functions and types may stand after the last expression. Inside `try` the value
//! is awaited there, so that a `catch` sees what goes wrong with it.

use capstan_core::code::{ScriptError, ScriptErrorKind};
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_span::{GetSpan, Span};

use crate::source::Lines;

/// What becomes of code that is a function which nothing calls.
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
    directives_are_values(program, allocator);
    if program.body.iter().all(leaves_nothing) {
        let message = "the code is empty: end it with the value to give, or call something";
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message));
    }
    let named = || match uncalled {
        Uncalled::Refuse => named_at_the_end(&program.body),
        Uncalled::Allow => None,
    };
    if let Some(name) = never_called(&program.body).or_else(named) {
        let message = format!(
            "the code declares `{name}` and calls nothing: end it with a call, as in `await {name}()`"
        );
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message));
    }
    if let (Uncalled::Refuse, Some(function)) = (uncalled, uncalled_function(&program.body)) {
        let message = "the code is a function, and nothing calls it: call it and give its result, or write \
                       its body as the code";
        let place = lines.place(function.start as usize);
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message).at(Some(place)));
    }
    if let Some(block) = mistaken_object(&program.body) {
        let message =
            "the code ends with a block, not with an object: write `({ … })` or `return { … }`";
        let place = lines.place(block.span.start as usize);
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message).at(Some(place)));
    }
    let tail = Tail {
        builder: AstBuilder::new(allocator),
    };
    tail.list(&mut program.body, false);
    Ok(())
}

/// Strings at the start are directives to a parser. None of them means anything here, as all code is
/// strict, so they are values as any other.
fn directives_are_values<'a>(program: &mut Program<'a>, allocator: &'a Allocator) {
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

/// Whether nothing of it is left at run time.
fn leaves_nothing(statement: &Statement<'_>) -> bool {
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

/// The last function, if functions are all that there is.
fn never_called<'b>(body: &'b [Statement<'_>]) -> Option<&'b str> {
    let mut name = None;
    for statement in body.iter().filter(|it| !leaves_nothing(it)) {
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

/// The name at the end, if it is that of the function before it and functions are all that there is.
fn named_at_the_end<'b>(body: &'b [Statement<'_>]) -> Option<&'b str> {
    let end = body.iter().rposition(|it| !may_follow(it))?;
    let Expression::Identifier(last) = value_of(&body[end])? else {
        return None;
    };
    let name = never_called(&body[..end])?;
    (never_called(&body[end + 1..]).is_none() && name == last.name).then_some(name)
}

/// The function at the end that would be the result: every run would fail, as a function is no JSON. Only if
/// nothing before it can return, so that the end is reached or something is thrown.
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

/// What a last statement gives as the result, without the parentheses and types around it.
fn value_of<'b, 'a>(statement: &'b Statement<'a>) -> Option<&'b Expression<'a>> {
    let value = match statement {
        Statement::ExpressionStatement(it) => &it.expression,
        Statement::ReturnStatement(it) => it.argument.as_ref()?,
        _ => return None,
    };
    Some(value.get_inner_expression())
}

/// Whether it may stand after the last expression: it has no effect of its own when it is reached.
fn may_follow(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::FunctionDeclaration(_)) || leaves_nothing(statement)
}

/// `{ a: 1 }` or `{ a, b }` at the end: a block with a label, or with names whose values are dropped.
/// Nobody means that.
fn mistaken_object<'b, 'a>(body: &'b [Statement<'a>]) -> Option<&'b BlockStatement<'a>> {
    let last = body.iter().rfind(|it| !may_follow(it))?;
    let Statement::BlockStatement(block) = last else {
        return None;
    };
    let [only] = block.body.as_slice() else {
        return None;
    };
    let names = |expression: &Expression<'_>| match expression {
        Expression::Identifier(_) => true,
        Expression::SequenceExpression(it) => it
            .expressions
            .iter()
            .all(|it| matches!(it, Expression::Identifier(_))),
        _ => false,
    };
    let mistaken = match only {
        Statement::LabeledStatement(it) => matches!(it.body, Statement::ExpressionStatement(_)),
        Statement::ExpressionStatement(it) => names(&it.expression),
        _ => false,
    };
    mistaken.then_some(block)
}

struct Tail<'a> {
    builder: AstBuilder<'a>,
}

impl<'a> Tail<'a> {
    fn list(&self, statements: &mut [Statement<'a>], within_try: bool) {
        if let Some(last) = statements.iter_mut().rfind(|it| !may_follow(it)) {
            self.statement(last, within_try);
        }
    }

    fn statement(&self, statement: &mut Statement<'a>, within_try: bool) {
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
            Statement::BlockStatement(it) => self.list(&mut it.body, within_try),
            Statement::IfStatement(it) => {
                self.statement(&mut it.consequent, within_try);
                if let Some(alternate) = &mut it.alternate {
                    self.statement(alternate, within_try);
                }
            }
            Statement::LabeledStatement(it) => self.statement(&mut it.body, within_try),
            Statement::TryStatement(it) => {
                self.list(&mut it.block.body, true);
                let within_try = within_try || it.finalizer.is_some();
                if let Some(handler) = &mut it.handler {
                    self.list(&mut handler.body.body, within_try);
                }
            }
            Statement::SwitchStatement(it) => self.cases(&mut it.cases, within_try),
            _ => {}
        }
    }

    /// A case ends where it breaks, or where the switch does.
    fn cases(&self, cases: &mut [SwitchCase<'a>], within_try: bool) {
        let last = cases.len().saturating_sub(1);
        for (index, case) in cases.iter_mut().enumerate() {
            self.case(&mut case.consequent, index == last, within_try);
        }
    }

    fn case(&self, statements: &mut [Statement<'a>], last: bool, within_try: bool) {
        match statements {
            [] => {}
            [Statement::BlockStatement(block)] => self.case(&mut block.body, last, within_try),
            [before @ .., Statement::BreakStatement(it)] if it.label.is_none() => {
                self.list(before, within_try);
            }
            _ if last => self.list(statements, within_try),
            _ => {}
        }
    }
}
