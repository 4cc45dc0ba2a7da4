//! StatementMarker the starts of statements for the engine, which records positions of expressions only.
//! Without marks, an error in a destructuring would be reported at the expression that was
//! evaluated before it.

use oxc_allocator::{Allocator, ArenaVec};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::{GetSpan, Span};
use oxc_syntax::number::NumberBase;

/// The value of a mark: a number that nobody writes as a statement.
const MARK: f64 = 1e9;

/// Inserts a number before each statement whose position the engine would not know. The engine
/// drops the number when it compiles the code, and keeps its position.
pub(crate) fn mark_statements<'a>(program: &mut Program<'a>, allocator: &'a Allocator) {
    let builder = AstBuilder::new(allocator);
    StatementMarker { allocator, builder }.visit_program(program);
}

/// Removes the marks.
pub(crate) fn unmark_statements(program: &mut Program<'_>) {
    MarkRemover.visit_program(program);
}

struct StatementMarker<'a> {
    allocator: &'a Allocator,
    builder: AstBuilder<'a>,
}

impl<'a> VisitMut<'a> for StatementMarker<'a> {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, statements);
        if !statements.iter().any(needs_mark) {
            return;
        }
        let mut marked = ArenaVec::with_capacity_in(statements.len() * 2, &self.allocator);
        for statement in statements.drain(..) {
            if needs_mark(&statement) {
                let start = statement.span().start;
                let span = Span::new(start, start + 1);
                let mark = Expression::new_numeric_literal(
                    span,
                    MARK,
                    None,
                    NumberBase::Decimal,
                    &self.builder,
                );
                marked.push(Statement::new_expression_statement(
                    span,
                    mark,
                    &self.builder,
                ));
            }
            marked.push(statement);
        }
        *statements = marked;
    }
}

fn needs_mark(statement: &Statement<'_>) -> bool {
    let has_position = !statement.span().is_empty();
    has_position
        && matches!(
            statement,
            Statement::VariableDeclaration(_)
                | Statement::ReturnStatement(_)
                | Statement::IfStatement(_)
                | Statement::ForStatement(_)
                | Statement::ForInStatement(_)
                | Statement::ForOfStatement(_)
                | Statement::WhileStatement(_)
                | Statement::SwitchStatement(_)
                | Statement::ThrowStatement(_)
        )
}

struct MarkRemover;

impl<'a> VisitMut<'a> for MarkRemover {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        statements.retain(|statement| !Self::is_mark(statement));
        walk_mut::walk_statements(self, statements);
    }
}

impl MarkRemover {
    /// Returns whether the statement is a number that is not in the source.
    fn is_mark(statement: &Statement<'_>) -> bool {
        let Statement::ExpressionStatement(it) = statement else {
            return false;
        };
        let Expression::NumericLiteral(number) = &it.expression else {
            return false;
        };
        // A number from the source has its raw text, and is longer than one character.
        number.raw.is_none() && number.value == MARK && it.span.size() == 1
    }
}
