//! The canonical form of code, and its hash.
//!
//! Two texts have the same form if they differ only in what cannot be observed: white space,
//! comments, types, quotes, semicolons, redundant parentheses, the names of local bindings and
//! labels, `let` instead of `const` where nothing is assigned later, `a["b"]` instead of `a.b`. A
//! function's own `name` does not count as behaviour.

use capstan_core::code::CodeHash;
use oxc_allocator::{Allocator, ArenaBox, ArenaVec, ReplaceWith};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_codegen::{Codegen, CodegenOptions};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_syntax::identifier::is_identifier_name;
use oxc_syntax::scope::ScopeFlags;
use sha2::{Digest, Sha256};

use super::names;

/// Hashed before the canonical form. Change it whenever the form changes.
const VERSION: &str = "capstan-code/1\n";

pub(crate) fn hash<'a>(program: &mut Program<'a>, allocator: &'a Allocator) -> CodeHash {
    let text = canonical(program, allocator);
    let mut hasher = Sha256::new();
    hasher.update(VERSION);
    hasher.update(text);
    CodeHash::from_bytes(hasher.finalize().into())
}

fn canonical<'a>(program: &mut Program<'a>, allocator: &'a Allocator) -> String {
    let mut scoping = SemanticBuilder::new()
        .build(program)
        .semantic
        .into_scoping();
    // Code in `eval` sees the names of the locals around it, and can assign to them.
    let names_matter = names::has_direct_eval(program, &scoping);
    let mut canonicalizer = Canonicalizer {
        builder: AstBuilder::new(allocator),
        scoping: (!names_matter).then_some(&scoping),
        labels: Vec::new(),
        label_count: 0,
    };
    canonicalizer.visit_program(program);
    if !names_matter {
        names::number_locals(program, &mut scoping);
    }
    Codegen::new()
        .with_options(CodegenOptions::minify())
        .with_scoping(Some(scoping))
        .build(program)
        .code
}

/// Returns whether a statement has no observable effect. A string may be a directive or not,
/// depending on the parentheses around it; no directive means anything in code that is always
/// strict.
fn has_no_effect(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::EmptyStatement(_) => true,
        Statement::ExpressionStatement(it) => {
            matches!(it.expression, Expression::StringLiteral(_))
        }
        _ => false,
    }
}

struct Canonicalizer<'a, 's> {
    builder: AstBuilder<'a>,
    /// `None` where names and declarations must stay unchanged.
    scoping: Option<&'s Scoping>,
    /// The enclosing labels, with their numbers.
    labels: Vec<(Ident<'a>, usize)>,
    label_count: usize,
}

impl<'a> Canonicalizer<'a, '_> {
    /// Returns whether nothing is assigned to the declared bindings after their declaration.
    fn is_constant(&self, declaration: &VariableDeclaration<'a>) -> bool {
        let Some(scoping) = self.scoping else {
            return false;
        };
        let bindings = declaration.declarations.iter();
        let mut bindings = bindings.flat_map(|it| it.id.get_binding_identifiers());
        bindings.all(|it| {
            let symbol = it.symbol_id.get();
            symbol.is_some_and(|symbol| !scoping.symbol_is_mutated(symbol))
        })
    }

    /// Returns a label that no other label of the code has. No name can contain `@`.
    fn numbered_label(&self, number: usize) -> Ident<'a> {
        Ident::from_str_in(&format!("@@{number}"), &self.builder)
    }

    fn rename_label(&self, label: &mut LabelIdentifier<'a>) {
        let known = self.labels.iter().rfind(|(name, _)| *name == label.name);
        if let Some(&(_, number)) = known {
            label.name = self.numbered_label(number);
        }
    }

    /// Turns `{ "a": 1 }` into `{ a: 1 }`.
    fn unquote(&self, key: &mut PropertyKey<'a>, computed: bool) {
        if let PropertyKey::StringLiteral(string) = key
            && !computed
            && is_identifier_name(&string.value)
        {
            let name = IdentifierName::new(string.span, string.value, &self.builder);
            *key = PropertyKey::StaticIdentifier(ArenaBox::new_in(name, &self.builder));
        }
    }
}

impl<'a> VisitMut<'a> for Canonicalizer<'a, '_> {
    fn visit_statements(&mut self, it: &mut ArenaVec<'a, Statement<'a>>) {
        it.retain(|statement| !has_no_effect(statement));
        walk_mut::walk_statements(self, it);
    }

    fn visit_directives(&mut self, it: &mut ArenaVec<'a, Directive<'a>>) {
        it.clear();
    }

    fn visit_variable_declaration(&mut self, it: &mut VariableDeclaration<'a>) {
        // Without a value this is no valid `const`, but the binding stays undefined for ever.
        if it.kind == VariableDeclarationKind::Let && self.is_constant(it) {
            it.kind = VariableDeclarationKind::Const;
        }
        walk_mut::walk_variable_declaration(self, it);
    }

    fn visit_labeled_statement(&mut self, it: &mut LabeledStatement<'a>) {
        let number = self.label_count;
        self.label_count += 1;
        self.labels.push((it.label.name, number));
        it.label.name = self.numbered_label(number);
        self.visit_statement(&mut it.body);
        self.labels.pop();
    }

    fn visit_break_statement(&mut self, it: &mut BreakStatement<'a>) {
        if let Some(label) = &mut it.label {
            self.rename_label(label);
        }
    }

    fn visit_continue_statement(&mut self, it: &mut ContinueStatement<'a>) {
        if let Some(label) = &mut it.label {
            self.rename_label(label);
        }
    }

    fn visit_object_property(&mut self, it: &mut ObjectProperty<'a>) {
        self.unquote(&mut it.key, it.computed);
        walk_mut::walk_object_property(self, it);
    }

    fn visit_method_definition(&mut self, it: &mut MethodDefinition<'a>) {
        self.unquote(&mut it.key, it.computed);
        walk_mut::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &mut PropertyDefinition<'a>) {
        self.unquote(&mut it.key, it.computed);
        walk_mut::walk_property_definition(self, it);
    }

    // The parser keeps parentheses around a function and comments before a call as hints for other
    // engines.

    fn visit_function(&mut self, it: &mut Function<'a>, flags: ScopeFlags) {
        (it.pife, it.pure) = (false, false);
        walk_mut::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &mut ArrowFunctionExpression<'a>) {
        (it.pife, it.pure) = (false, false);
        walk_mut::walk_arrow_function_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &mut CallExpression<'a>) {
        it.pure = false;
        walk_mut::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &mut NewExpression<'a>) {
        it.pure = false;
        walk_mut::walk_new_expression(self, it);
    }

    fn visit_binding_property(&mut self, it: &mut BindingProperty<'a>) {
        self.unquote(&mut it.key, it.computed);
        walk_mut::walk_binding_property(self, it);
    }

    fn visit_member_expression(&mut self, it: &mut MemberExpression<'a>) {
        if let MemberExpression::ComputedMemberExpression(member) = it
            && let Expression::StringLiteral(key) = &member.expression
            && !key.lone_surrogates
            && is_identifier_name(&key.value)
        {
            let property = IdentifierName::new(key.span, key.value, &self.builder);
            it.replace_with(|it| match it {
                MemberExpression::ComputedMemberExpression(member) => {
                    let member = member.unbox();
                    let (span, object, optional) = (member.span, member.object, member.optional);
                    MemberExpression::new_static_member_expression(
                        span,
                        object,
                        property,
                        optional,
                        &self.builder,
                    )
                }
                other => other,
            });
        }
        walk_mut::walk_member_expression(self, it);
    }
}
