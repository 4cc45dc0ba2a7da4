//! Resolves expressions that are a global of ours or something below it.
//!
//! Aliases are followed: constants, destructuring, and the parameters of functions that are called
//! in one place.

use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_semantic::Scoping;
use oxc_syntax::operator::LogicalOperator;
use oxc_syntax::symbol::{SymbolFlags, SymbolId};

/// The globals through which code reaches everything outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GlobalRoot {
    Capstan,
    Mcp,
    Caps,
    Args,
}

/// A global and the names below it: `capstan.issue.view`.
#[derive(Clone, Debug)]
pub(crate) struct GlobalPath {
    pub(crate) root: GlobalRoot,
    pub(crate) steps: Vec<PathStep>,
}

#[derive(Clone, Debug)]
pub(crate) struct PathStep {
    pub(crate) name: String,
    /// Whether it is reached by `?.`.
    pub(crate) is_optional: bool,
}

/// The names in a program, and where their values come from.
pub(crate) struct GlobalPaths<'a, 's> {
    scoping: &'s Scoping,
    origins: HashMap<SymbolId, Origin<'a>>,
    functions: HashMap<SymbolId, &'a FormalParameters<'a>>,
}

/// Where the value of a binding comes from: a value, and the names below it.
struct Origin<'a> {
    value: &'a Expression<'a>,
    steps: Vec<String>,
}

/// A path, or the object that holds all globals.
enum ResolvedObject {
    GlobalThis,
    GlobalPath(GlobalPath),
}

/// How many aliases of aliases are followed.
const MAX_ALIASES: usize = 20;

impl<'a, 's> GlobalPaths<'a, 's> {
    pub(crate) fn new(program: &Program<'a>, scoping: &'s Scoping) -> Self {
        let mut collector = OriginCollector::default();
        collector.visit_program(program);
        let mut paths = Self {
            scoping,
            origins: collector.origins,
            functions: collector.functions,
        };
        for call in collector.calls {
            let Some(params) = paths.parameters(call) else {
                continue;
            };
            for (param, argument) in params.items.iter().zip(&call.arguments) {
                if let (None, Some(value)) = (&param.initializer, argument.as_expression()) {
                    record_origins(&param.pattern, value, &mut Vec::new(), &mut paths.origins);
                }
            }
        }
        paths
    }

    /// Returns the parameters of the called function, if it is called nowhere else.
    pub(crate) fn parameters<'c>(
        &self,
        call: &'c CallExpression<'a>,
    ) -> Option<&'c FormalParameters<'a>> {
        match without_types(&call.callee) {
            Expression::ArrowFunctionExpression(it) => Some(&it.params),
            Expression::FunctionExpression(it) if it.id.is_none() => Some(&it.params),
            Expression::Identifier(it) => {
                let symbol = symbol_of(Some(it), self.scoping)?;
                let is_called_once = self.scoping.get_resolved_reference_ids(symbol).len() == 1;
                if is_called_once {
                    self.functions.get(&symbol).copied()
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    pub(crate) fn scoping(&self) -> &'s Scoping {
        self.scoping
    }

    /// Returns the path that an expression always has, wherever it is evaluated.
    pub(crate) fn path(&self, expression: &Expression<'_>) -> Option<GlobalPath> {
        self.resolve(expression, true)
    }

    /// Returns the path that an expression may have: variables that are assigned later are
    /// followed, too.
    pub(crate) fn possible_path(&self, expression: &Expression<'_>) -> Option<GlobalPath> {
        self.resolve(expression, false)
    }

    /// Returns whether a binding always has the value that it was declared with.
    pub(crate) fn is_alias(&self, binding: &BindingIdentifier<'_>) -> bool {
        let symbol = binding.symbol_id.get();
        symbol
            .is_some_and(|it| self.origins.contains_key(&it) && !self.scoping.symbol_is_mutated(it))
    }

    /// Returns the value that a constant was declared with.
    pub(crate) fn constant(&self, name: &IdentifierReference<'_>) -> Option<&'a Expression<'a>> {
        let symbol = symbol_of(Some(name), self.scoping)?;
        let origin = self.origins.get(&symbol)?;
        let is_constant = origin.steps.is_empty() && !self.scoping.symbol_is_mutated(symbol);
        is_constant.then_some(origin.value)
    }

    /// Returns whether a binding exists only for the type checker.
    pub(crate) fn is_ambient(&self, binding: &BindingIdentifier<'_>) -> bool {
        let symbol = binding.symbol_id.get();
        symbol.is_some_and(|it| self.scoping.symbol_flags(it).contains(SymbolFlags::Ambient))
    }

    /// Returns whether a name is a global: nothing in the code declares it, or only for the type
    /// checker.
    pub(crate) fn is_global(&self, name: &IdentifierReference<'_>) -> bool {
        symbol_of(Some(name), self.scoping)
            .is_none_or(|it| self.scoping.symbol_flags(it).contains(SymbolFlags::Ambient))
    }

    /// Returns the name of a property where it is known: `a["b"]`, or a constant.
    pub(crate) fn key(&self, key: &Expression<'_>) -> Option<String> {
        match key {
            Expression::StringLiteral(it) if !it.lone_surrogates => Some(it.value.to_string()),
            Expression::TemplateLiteral(it) if it.expressions.is_empty() => {
                let cooked = it.quasis.first()?.value.cooked?;
                Some(cooked.to_string())
            }
            Expression::Identifier(it) => match self.constant(it)? {
                Expression::StringLiteral(it) if !it.lone_surrogates => Some(it.value.to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    fn resolve(&self, expression: &Expression<'_>, only_constants: bool) -> Option<GlobalPath> {
        match self.resolve_object(expression, only_constants, MAX_ALIASES)? {
            ResolvedObject::GlobalPath(path) => Some(path),
            ResolvedObject::GlobalThis => None,
        }
    }

    fn resolve_object(
        &self,
        expression: &Expression<'_>,
        only_constants: bool,
        remaining: usize,
    ) -> Option<ResolvedObject> {
        match without_types(expression) {
            Expression::Identifier(it) => self.resolve_name(it, only_constants, remaining),
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::TSNonNullExpression(it) => {
                    self.resolve_object(&it.expression, only_constants, remaining)
                }
                ChainElement::StaticMemberExpression(it) => {
                    self.static_member(it, only_constants, remaining)
                }
                ChainElement::ComputedMemberExpression(it) => {
                    self.computed_member(it, only_constants, remaining)
                }
                _ => None,
            },
            Expression::StaticMemberExpression(it) => {
                self.static_member(it, only_constants, remaining)
            }
            Expression::ComputedMemberExpression(it) => {
                self.computed_member(it, only_constants, remaining)
            }
            // `args ?? {}`: a global of ours always exists.
            Expression::LogicalExpression(it) if is_empty_object(&it.right) => {
                let left = self.resolve_object(&it.left, only_constants, remaining)?;
                let is_global =
                    matches!(&left, ResolvedObject::GlobalPath(path) if path.steps.is_empty());
                (is_global && it.operator != LogicalOperator::And).then_some(left)
            }
            _ => None,
        }
    }

    fn static_member(
        &self,
        it: &StaticMemberExpression<'_>,
        only_constants: bool,
        remaining: usize,
    ) -> Option<ResolvedObject> {
        let object = self.resolve_object(&it.object, only_constants, remaining)?;
        object.member(it.property.name.to_string(), it.optional)
    }

    fn computed_member(
        &self,
        it: &ComputedMemberExpression<'_>,
        only_constants: bool,
        remaining: usize,
    ) -> Option<ResolvedObject> {
        let object = self.resolve_object(&it.object, only_constants, remaining)?;
        object.member(self.key(&it.expression)?, it.optional)
    }

    fn resolve_name(
        &self,
        name: &IdentifierReference<'_>,
        only_constants: bool,
        remaining: usize,
    ) -> Option<ResolvedObject> {
        if self.is_global(name) {
            return ResolvedObject::global(&name.name);
        }
        let symbol = symbol_of(Some(name), self.scoping)?;
        if only_constants && self.scoping.symbol_is_mutated(symbol) {
            return None;
        }
        let origin = self.origins.get(&symbol)?;
        let mut object =
            self.resolve_object(origin.value, only_constants, remaining.checked_sub(1)?)?;
        for step in &origin.steps {
            object = object.member(step.clone(), false)?;
        }
        Some(object)
    }
}

impl ResolvedObject {
    fn global(name: &str) -> Option<Self> {
        let root = match name {
            "globalThis" => return Some(Self::GlobalThis),
            "capstan" => GlobalRoot::Capstan,
            "mcp" => GlobalRoot::Mcp,
            "caps" => GlobalRoot::Caps,
            "args" => GlobalRoot::Args,
            _ => return None,
        };
        let steps = Vec::new();
        Some(Self::GlobalPath(GlobalPath { root, steps }))
    }

    fn member(self, name: String, is_optional: bool) -> Option<Self> {
        match self {
            Self::GlobalThis => Self::global(&name),
            Self::GlobalPath(mut path) => {
                path.steps.push(PathStep { name, is_optional });
                Some(Self::GlobalPath(path))
            }
        }
    }
}

/// Returns the expression without its type annotations.
pub(crate) fn without_types<'e, 'a>(mut expression: &'e Expression<'a>) -> &'e Expression<'a> {
    loop {
        expression = match expression {
            Expression::TSAsExpression(it) => &it.expression,
            Expression::TSSatisfiesExpression(it) => &it.expression,
            Expression::TSTypeAssertion(it) => &it.expression,
            Expression::TSNonNullExpression(it) => &it.expression,
            Expression::TSInstantiationExpression(it) => &it.expression,
            other => return other,
        };
    }
}

fn is_empty_object(expression: &Expression<'_>) -> bool {
    match without_types(expression) {
        Expression::ObjectExpression(it) => it.properties.is_empty(),
        _ => false,
    }
}

/// Returns the name of a property in a pattern where it is known.
pub(crate) fn static_key(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(it) => Some(it.name.to_string()),
        PropertyKey::StringLiteral(it) if !it.lone_surrogates => Some(it.value.to_string()),
        _ => None,
    }
}

fn symbol_of(name: Option<&IdentifierReference<'_>>, scoping: &Scoping) -> Option<SymbolId> {
    scoping.get_reference(name?.reference_id.get()?).symbol_id()
}

#[derive(Default)]
struct OriginCollector<'a> {
    origins: HashMap<SymbolId, Origin<'a>>,
    functions: HashMap<SymbolId, &'a FormalParameters<'a>>,
    calls: Vec<&'a CallExpression<'a>>,
}

impl<'a> Visit<'a> for OriginCollector<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::VariableDeclarator(it) => {
                if let Some(value) = &it.init {
                    record_origins(&it.id, value, &mut Vec::new(), &mut self.origins);
                    self.record_function(&it.id, value);
                }
            }
            AstKind::Function(it) if it.is_declaration() => {
                if let Some(symbol) = it.id.as_ref().and_then(|id| id.symbol_id.get()) {
                    self.functions.insert(symbol, &it.params);
                }
            }
            AstKind::CallExpression(it) => self.calls.push(it),
            _ => {}
        }
    }
}

impl<'a> OriginCollector<'a> {
    /// Records a function in a variable: `const main = async (args) => …`.
    fn record_function(&mut self, pattern: &BindingPattern<'a>, value: &'a Expression<'a>) {
        let BindingPattern::BindingIdentifier(name) = pattern else {
            return;
        };
        let params = match without_types(value) {
            Expression::ArrowFunctionExpression(it) => &it.params,
            Expression::FunctionExpression(it) => &it.params,
            _ => return,
        };
        if let Some(symbol) = name.symbol_id.get() {
            self.functions.insert(symbol, params);
        }
    }
}

/// Records where the bindings of a pattern come from. Skips bindings with a default, which may have
/// the default instead.
fn record_origins<'a>(
    pattern: &BindingPattern<'a>,
    value: &'a Expression<'a>,
    steps: &mut Vec<String>,
    origins: &mut HashMap<SymbolId, Origin<'a>>,
) {
    match pattern {
        BindingPattern::BindingIdentifier(it) => {
            if let Some(symbol) = it.symbol_id.get() {
                let steps = steps.clone();
                origins.insert(symbol, Origin { value, steps });
            }
        }
        BindingPattern::ObjectPattern(it) => {
            for property in &it.properties {
                if let (false, Some(key)) = (property.computed, static_key(&property.key)) {
                    steps.push(key);
                    record_origins(&property.value, value, steps, origins);
                    steps.pop();
                }
            }
            // A rest binding is read like the whole.
            if let Some(rest) = &it.rest {
                record_origins(&rest.argument, value, steps, origins);
            }
        }
        BindingPattern::ArrayPattern(_) | BindingPattern::AssignmentPattern(_) => {}
    }
}
