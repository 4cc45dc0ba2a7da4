//! What an expression stands for, where it is a global of ours or something below it.
//!
//! Aliases are followed: constants, destructuring, and the parameters of functions that are called in
//! one place.

use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_semantic::Scoping;
use oxc_syntax::operator::LogicalOperator;
use oxc_syntax::symbol::{SymbolFlags, SymbolId};

/// The globals that code reaches the world through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    Capstan,
    Mcp,
    Caps,
    Args,
}

/// A global and the names below it: `capstan.issue.view`.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) root: Root,
    pub(crate) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) name: String,
    /// It is reached by `?.`.
    pub(crate) optional: bool,
}

/// What is known about the names in a program.
pub(crate) struct Paths<'a, 's> {
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
enum Object {
    GlobalThis,
    Path(Path),
}

/// How many aliases of aliases are followed.
const FARTHEST: usize = 20;

impl<'a, 's> Paths<'a, 's> {
    pub(crate) fn new(program: &Program<'a>, scoping: &'s Scoping) -> Self {
        let mut collector = Collector::default();
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
                    originate(&param.pattern, value, &mut Vec::new(), &mut paths.origins);
                }
            }
        }
        paths
    }

    /// The parameters of the function that is called, if it is called nowhere else.
    pub(crate) fn parameters<'c>(
        &self,
        call: &'c CallExpression<'a>,
    ) -> Option<&'c FormalParameters<'a>> {
        match without_types(&call.callee) {
            Expression::ArrowFunctionExpression(it) => Some(&it.params),
            Expression::FunctionExpression(it) if it.id.is_none() => Some(&it.params),
            Expression::Identifier(it) => {
                let symbol = symbol_of(Some(it), self.scoping)?;
                let once = self.scoping.get_resolved_reference_ids(symbol).len() == 1;
                self.functions.get(&symbol).copied().filter(|_| once)
            }
            _ => None,
        }
    }

    pub(crate) fn scoping(&self) -> &'s Scoping {
        self.scoping
    }

    /// What an expression stands for wherever it is evaluated.
    pub(crate) fn path(&self, expression: &Expression<'_>) -> Option<Path> {
        self.resolve(expression, true)
    }

    /// What an expression may stand for: variables that are assigned to later are followed too.
    pub(crate) fn possible_path(&self, expression: &Expression<'_>) -> Option<Path> {
        self.resolve(expression, false)
    }

    /// Whether a binding always has the value that it was declared with.
    pub(crate) fn is_alias(&self, binding: &BindingIdentifier<'_>) -> bool {
        let symbol = binding.symbol_id.get();
        symbol
            .is_some_and(|it| self.origins.contains_key(&it) && !self.scoping.symbol_is_mutated(it))
    }

    /// The value that a constant was declared with.
    pub(crate) fn constant(&self, name: &IdentifierReference<'_>) -> Option<&'a Expression<'a>> {
        let symbol = symbol_of(Some(name), self.scoping)?;
        let origin = self.origins.get(&symbol)?;
        let constant = origin.steps.is_empty() && !self.scoping.symbol_is_mutated(symbol);
        constant.then_some(origin.value)
    }

    /// Whether it is declared to a type checker only.
    pub(crate) fn is_ambient(&self, binding: &BindingIdentifier<'_>) -> bool {
        let symbol = binding.symbol_id.get();
        symbol.is_some_and(|it| self.scoping.symbol_flags(it).contains(SymbolFlags::Ambient))
    }

    /// A global: nothing in the code declares it, or only to a type checker.
    pub(crate) fn is_global(&self, name: &IdentifierReference<'_>) -> bool {
        symbol_of(Some(name), self.scoping)
            .is_none_or(|it| self.scoping.symbol_flags(it).contains(SymbolFlags::Ambient))
    }

    /// The name of a property, where it is known: `a["b"]`, or a constant.
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

    fn resolve(&self, expression: &Expression<'_>, constant: bool) -> Option<Path> {
        match self.object(expression, constant, FARTHEST)? {
            Object::Path(path) => Some(path),
            Object::GlobalThis => None,
        }
    }

    fn object(&self, expression: &Expression<'_>, constant: bool, far: usize) -> Option<Object> {
        match without_types(expression) {
            Expression::Identifier(it) => self.name(it, constant, far),
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::TSNonNullExpression(it) => self.object(&it.expression, constant, far),
                ChainElement::StaticMemberExpression(it) => self.member(it, constant, far),
                ChainElement::ComputedMemberExpression(it) => self.computed(it, constant, far),
                _ => None,
            },
            Expression::StaticMemberExpression(it) => self.member(it, constant, far),
            Expression::ComputedMemberExpression(it) => self.computed(it, constant, far),
            // `args ?? {}`: a global of ours is always there.
            Expression::LogicalExpression(it) if is_empty_object(&it.right) => {
                let left = self.object(&it.left, constant, far)?;
                let is_global = matches!(&left, Object::Path(path) if path.steps.is_empty());
                (is_global && it.operator != LogicalOperator::And).then_some(left)
            }
            _ => None,
        }
    }

    fn member(
        &self,
        it: &StaticMemberExpression<'_>,
        constant: bool,
        far: usize,
    ) -> Option<Object> {
        let object = self.object(&it.object, constant, far)?;
        object.below(it.property.name.to_string(), it.optional)
    }

    fn computed(
        &self,
        it: &ComputedMemberExpression<'_>,
        constant: bool,
        far: usize,
    ) -> Option<Object> {
        let object = self.object(&it.object, constant, far)?;
        object.below(self.key(&it.expression)?, it.optional)
    }

    fn name(&self, name: &IdentifierReference<'_>, constant: bool, far: usize) -> Option<Object> {
        if self.is_global(name) {
            return Object::global(&name.name);
        }
        let symbol = symbol_of(Some(name), self.scoping)?;
        if constant && self.scoping.symbol_is_mutated(symbol) {
            return None;
        }
        let origin = self.origins.get(&symbol)?;
        let mut object = self.object(origin.value, constant, far.checked_sub(1)?)?;
        for step in &origin.steps {
            object = object.below(step.clone(), false)?;
        }
        Some(object)
    }
}

impl Object {
    fn global(name: &str) -> Option<Self> {
        let root = match name {
            "globalThis" => return Some(Self::GlobalThis),
            "capstan" => Root::Capstan,
            "mcp" => Root::Mcp,
            "caps" => Root::Caps,
            "args" => Root::Args,
            _ => return None,
        };
        let steps = Vec::new();
        Some(Self::Path(Path { root, steps }))
    }

    fn below(self, name: String, optional: bool) -> Option<Self> {
        match self {
            Self::GlobalThis => Self::global(&name),
            Self::Path(mut path) => {
                path.steps.push(Step { name, optional });
                Some(Self::Path(path))
            }
        }
    }
}

/// Without what only a type checker sees.
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

/// The name of a property in a pattern, where it is known.
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
struct Collector<'a> {
    origins: HashMap<SymbolId, Origin<'a>>,
    functions: HashMap<SymbolId, &'a FormalParameters<'a>>,
    calls: Vec<&'a CallExpression<'a>>,
}

impl<'a> Visit<'a> for Collector<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::VariableDeclarator(it) => {
                if let Some(value) = &it.init {
                    originate(&it.id, value, &mut Vec::new(), &mut self.origins);
                    self.function_value(&it.id, value);
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

impl<'a> Collector<'a> {
    /// `const main = async (args) => …`.
    fn function_value(&mut self, pattern: &BindingPattern<'a>, value: &'a Expression<'a>) {
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

/// Remembers where the bindings of a pattern come from. One with a default may be the default instead.
fn originate<'a>(
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
                    originate(&property.value, value, steps, origins);
                    steps.pop();
                }
            }
            // What is left over is read as the whole was.
            if let Some(rest) = &it.rest {
                originate(&rest.argument, value, steps, origins);
            }
        }
        BindingPattern::ArrayPattern(_) | BindingPattern::AssignmentPattern(_) => {}
    }
}
