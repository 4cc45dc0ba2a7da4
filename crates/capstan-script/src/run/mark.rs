//! Marks the beginnings of statements for the engine, which remembers places of expressions only: what
//! goes wrong in a destructuring would otherwise be reported at whatever was evaluated before it.

use oxc_allocator::{Allocator, ArenaVec};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::{GetSpan, Span};
use oxc_syntax::number::NumberBase;

/// What a mark is: a number that nobody writes as a statement.
const MARK: f64 = 1e9;

/// Puts a number before each statement that the engine would not know the place of. The engine drops it
/// when it compiles the code, and keeps its place.
pub(crate) fn mark_statements<'a>(program: &mut Program<'a>, allocator: &'a Allocator) {
    let builder = AstBuilder::new(allocator);
    Marks { allocator, builder }.visit_program(program);
}

/// Takes the marks away again.
pub(crate) fn unmark_statements(program: &mut Program<'_>) {
    Unmark.visit_program(program);
}

struct Marks<'a> {
    allocator: &'a Allocator,
    builder: AstBuilder<'a>,
}

impl<'a> VisitMut<'a> for Marks<'a> {
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
    let has_place = !statement.span().is_empty();
    has_place
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

struct Unmark;

impl<'a> VisitMut<'a> for Unmark {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        statements.retain(|statement| !Self::is_mark(statement));
        walk_mut::walk_statements(self, statements);
    }
}

impl Unmark {
    /// A number that does not stand in the source.
    fn is_mark(statement: &Statement<'_>) -> bool {
        let Statement::ExpressionStatement(it) = statement else {
            return false;
        };
        let Expression::NumericLiteral(number) = &it.expression else {
            return false;
        };
        // What stands in the source has its text, and is longer than one character.
        number.raw.is_none() && number.value == MARK && it.span.size() == 1
    }
}
