//! Types of TypeScript as JSON Schemas, as far as there is one.

use std::cell::Cell;
use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;
use serde_json::{Map, Value, json};

use super::property::Property;
use crate::reading::literals::number;
use crate::reading::paths::static_key;

/// The types that code declares.
pub(crate) struct Types<'a, 's> {
    scoping: &'s Scoping,
    declared: HashMap<SymbolId, Vec<Declared<'a>>>,
    /// How many more types may be looked at.
    budget: Cell<usize>,
}

#[derive(Clone, Copy)]
enum Declared<'a> {
    Alias(&'a TSType<'a>),
    Interface(&'a TSInterfaceDeclaration<'a>),
}

/// A property that a type names.
struct Member<'t, 'a> {
    name: String,
    optional: bool,
    type_: Option<&'t TSType<'a>>,
}

/// A type without `null` and `undefined`.
struct Parts<'t, 'a> {
    types: Vec<&'t TSType<'a>>,
    null: bool,
    undefined: bool,
}

/// How deep types are followed into each other; they can contain themselves.
const DEEPEST: usize = 8;

/// How many types are looked at. One that contains itself in many places would grow without end.
const MOST: usize = 2000;

impl<'a, 's> Types<'a, 's> {
    pub(crate) fn new(program: &Program<'a>, scoping: &'s Scoping) -> Self {
        let mut collector = Collector(HashMap::new());
        collector.visit_program(program);
        Self {
            scoping,
            declared: collector.0,
            budget: Cell::new(MOST),
        }
    }

    /// Tells a property what its type says.
    pub(crate) fn annotate(&self, property: &mut Property, type_: &TSType<'_>) {
        self.annotate_within(property, type_, false, DEEPEST);
    }

    fn annotate_within(
        &self,
        property: &mut Property,
        type_: &TSType<'_>,
        partial: bool,
        depth: usize,
    ) {
        let Some(depth) = self.spend(depth) else {
            return;
        };
        let parts = self.parts(type_, depth);
        if parts.undefined {
            property.may_be_absent();
        }
        let [only] = parts.types.as_slice() else {
            return property.has_type(self.schema(type_, depth));
        };
        let (only, partial) = match self.partial(only) {
            Some(inner) => (inner, true),
            None => (*only, partial),
        };
        let Some(members) = self.members(only, depth) else {
            return property.has_type(self.schema(type_, depth));
        };
        if parts.null {
            property.may_be_null();
        }
        property.is_object();
        for member in members {
            let below = property.below(&member.name);
            if member.optional || partial {
                below.may_be_absent();
            }
            if let Some(type_) = member.type_ {
                self.annotate_within(below, type_, false, depth);
            }
        }
    }

    /// The schema of a type; without any constraint if there is none.
    fn schema(&self, type_: &TSType<'_>, depth: usize) -> Value {
        let Some(depth) = self.spend(depth) else {
            return json!({});
        };
        let parts = self.parts(type_, depth);
        let mut schemas: Vec<Value> = Vec::new();
        for part in parts.types {
            let schema = self.part(part, depth);
            if schema == json!({}) {
                return schema;
            }
            if !schemas.contains(&schema) {
                schemas.push(schema);
            }
        }
        if parts.null {
            schemas.push(json!({ "type": "null" }));
        }
        union(schemas)
    }

    /// The depth that is left for what a type consists of, if it may be looked at.
    fn spend(&self, depth: usize) -> Option<usize> {
        self.budget.set(self.budget.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    /// The schema of a type that is no union.
    fn part(&self, type_: &TSType<'_>, depth: usize) -> Value {
        let items = |type_: &TSType<'_>| {
            let items = self.schema(type_, depth);
            if items == json!({}) {
                json!({ "type": "array" })
            } else {
                json!({ "type": "array", "items": items })
            }
        };
        match type_ {
            TSType::TSStringKeyword(_) | TSType::TSTemplateLiteralType(_) => {
                json!({ "type": "string" })
            }
            TSType::TSNumberKeyword(_) => json!({ "type": "number" }),
            TSType::TSBooleanKeyword(_) => json!({ "type": "boolean" }),
            TSType::TSObjectKeyword(_) | TSType::TSMappedType(_) => json!({ "type": "object" }),
            TSType::TSTupleType(_) => json!({ "type": "array" }),
            TSType::TSArrayType(it) => items(&it.element_type),
            TSType::TSLiteralType(it) => literal(&it.literal),
            TSType::TSTypeReference(it) => match (builtin(it), first_argument(it)) {
                (Some("Array" | "ReadonlyArray"), Some(element)) => items(element),
                (Some("Array" | "ReadonlyArray"), None) => json!({ "type": "array" }),
                (Some("Record"), _) => json!({ "type": "object" }),
                (Some("Readonly" | "Required" | "NonNullable" | "Partial"), Some(inner)) => {
                    self.schema(inner, depth)
                }
                _ => self.object(type_, depth),
            },
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Readonly => {
                self.schema(&it.type_annotation, depth)
            }
            _ => self.object(type_, depth),
        }
    }

    fn object(&self, type_: &TSType<'_>, depth: usize) -> Value {
        let Some(members) = self.members(type_, depth) else {
            return json!({});
        };
        let schema = |member: Member<'_, '_>| {
            let schema = member.type_.map(|type_| self.schema(type_, depth));
            (member.name, schema.unwrap_or_else(|| json!({})))
        };
        let properties: Map<String, Value> = members.into_iter().map(schema).collect();
        json!({ "type": "object", "properties": properties })
    }

    /// The parts of a union, through the names of types.
    fn parts<'t>(&'t self, type_: &'t TSType<'a>, depth: usize) -> Parts<'t, 'a> {
        let mut parts = Parts {
            types: Vec::new(),
            null: false,
            undefined: false,
        };
        self.collect(type_, depth, &mut parts);
        parts
    }

    fn collect<'t>(&'t self, type_: &'t TSType<'a>, depth: usize, parts: &mut Parts<'t, 'a>) {
        match type_ {
            TSType::TSNullKeyword(_) => parts.null = true,
            TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_) => parts.undefined = true,
            TSType::TSParenthesizedType(it) => self.collect(&it.type_annotation, depth, parts),
            TSType::TSUnionType(it) => {
                for type_ in &it.types {
                    self.collect(type_, depth, parts);
                }
            }
            TSType::TSTypeReference(it) => match (self.alias(it), depth.checked_sub(1)) {
                (Some(type_), Some(depth)) => self.collect(type_, depth, parts),
                _ => parts.types.push(type_),
            },
            _ => parts.types.push(type_),
        }
    }

    /// The properties of an object type; nothing, if it is none.
    fn members<'t>(&'t self, type_: &'t TSType<'a>, depth: usize) -> Option<Vec<Member<'t, 'a>>> {
        let depth = depth.checked_sub(1)?;
        match type_ {
            TSType::TSTypeLiteral(it) => Some(signatures(&it.members)),
            TSType::TSParenthesizedType(it) => self.members(&it.type_annotation, depth),
            TSType::TSIntersectionType(it) => {
                let types = it.types.iter().map(|type_| self.members(type_, depth));
                let types: Option<Vec<_>> = types.collect();
                Some(types?.into_iter().flatten().collect())
            }
            TSType::TSTypeReference(it) => match (builtin(it), first_argument(it)) {
                (Some("Readonly" | "Required" | "NonNullable"), Some(inner)) => {
                    self.members(inner, depth)
                }
                _ => self.declared_members(it, depth),
            },
            _ => None,
        }
    }

    fn declared_members<'t>(
        &'t self,
        it: &TSTypeReference<'a>,
        depth: usize,
    ) -> Option<Vec<Member<'t, 'a>>> {
        let mut members = Vec::new();
        for declared in self.declared.get(&self.symbol(it)?)? {
            match declared {
                Declared::Alias(type_) => members.extend(self.members(type_, depth)?),
                Declared::Interface(interface) => {
                    members.extend(signatures(&interface.body.body));
                }
            }
        }
        Some(members)
    }

    fn partial<'t>(&self, type_: &'t TSType<'a>) -> Option<&'t TSType<'a>> {
        match type_ {
            TSType::TSTypeReference(it) if builtin(it) == Some("Partial") => first_argument(it),
            _ => None,
        }
    }

    /// The type that a name stands for.
    fn alias(&self, it: &TSTypeReference<'a>) -> Option<&'a TSType<'a>> {
        match self.declared.get(&self.symbol(it)?)?.as_slice() {
            [Declared::Alias(type_)] => Some(type_),
            _ => None,
        }
    }

    fn symbol(&self, it: &TSTypeReference<'a>) -> Option<SymbolId> {
        let TSTypeName::IdentifierReference(name) = &it.type_name else {
            return None;
        };
        let reference = self.scoping.get_reference(name.reference_id.get()?);
        reference.symbol_id()
    }
}

/// The name of a type; those of the standard library are recognised by it.
fn builtin<'t>(it: &'t TSTypeReference<'_>) -> Option<&'t str> {
    match &it.type_name {
        TSTypeName::IdentifierReference(name) => Some(name.name.as_str()),
        _ => None,
    }
}

fn first_argument<'t, 'a>(it: &'t TSTypeReference<'a>) -> Option<&'t TSType<'a>> {
    it.type_arguments.as_ref()?.params.first()
}

fn signatures<'t, 'a>(signatures: &'t [TSSignature<'a>]) -> Vec<Member<'t, 'a>> {
    let members = signatures.iter().filter_map(|signature| match signature {
        TSSignature::TSPropertySignature(it) if !it.computed => Some(Member {
            name: static_key(&it.key)?,
            optional: it.optional,
            type_: it.type_annotation.as_ref().map(|it| &it.type_annotation),
        }),
        _ => None,
    });
    members.collect()
}

fn literal(literal: &TSLiteral<'_>) -> Value {
    let value = match literal {
        TSLiteral::StringLiteral(it) => Some(json!(it.value.as_str())),
        TSLiteral::NumericLiteral(it) => number(it.value),
        TSLiteral::BooleanLiteral(it) => Some(json!(it.value)),
        TSLiteral::UnaryExpression(it) => match &it.argument {
            Expression::NumericLiteral(it) => number(-it.value),
            _ => None,
        },
        TSLiteral::TemplateLiteral(_) => return json!({ "type": "string" }),
        TSLiteral::BigIntLiteral(_) => None,
    };
    let Some(value) = value else {
        return json!({});
    };
    let name = match &value {
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        _ => "number",
    };
    json!({ "type": name, "enum": [value] })
}

/// One schema that allows what any of them allows.
fn union(mut schemas: Vec<Value>) -> Value {
    match schemas.as_slice() {
        [] => return json!({}),
        [_] => return schemas.remove(0),
        _ => {}
    }
    let null = json!({ "type": "null" });
    let types = || {
        let mut types: Vec<Value> = Vec::new();
        for schema in &schemas {
            if !types.contains(&schema["type"]) {
                types.push(schema["type"].clone());
            }
        }
        if types.len() == 1 {
            types.remove(0)
        } else {
            Value::Array(types)
        }
    };
    let has_only =
        |schema: &Value, keys: usize| schema.as_object().is_some_and(|it| it.len() == keys);
    if schemas
        .iter()
        .all(|it| it["type"].is_string() && has_only(it, 1))
    {
        return json!({ "type": types() });
    }
    let is_enum = |it: &Value| *it == null || (it["enum"].is_array() && has_only(it, 2));
    if schemas
        .iter()
        .all(|it| it["type"].is_string() && is_enum(it))
    {
        let values = schemas.iter().flat_map(|it| match it["enum"].as_array() {
            Some(values) => values.clone(),
            None => vec![Value::Null],
        });
        let values: Vec<Value> = values.collect();
        return json!({ "type": types(), "enum": values });
    }
    json!({ "anyOf": schemas })
}

struct Collector<'a>(HashMap<SymbolId, Vec<Declared<'a>>>);

impl<'a> Visit<'a> for Collector<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        let (name, declared) = match kind {
            // What stands in for a parameter is not known.
            AstKind::TSTypeAliasDeclaration(it) if it.type_parameters.is_none() => {
                (&it.id, Declared::Alias(&it.type_annotation))
            }
            // Nor is what an interface inherits from elsewhere.
            AstKind::TSInterfaceDeclaration(it) if it.type_parameters.is_none() => {
                (&it.id, Declared::Interface(it))
            }
            _ => return,
        };
        if let Some(symbol) = name.symbol_id.get() {
            self.0.entry(symbol).or_default().push(declared);
        }
    }
}
