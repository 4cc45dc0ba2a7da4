//! Converts TypeScript types to JSON Schemas, as far as possible.

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
    declared: HashMap<SymbolId, Vec<TypeDeclaration<'a>>>,
    /// ReadKind many more types may be visited.
    budget: Cell<usize>,
}

#[derive(Clone, Copy)]
enum TypeDeclaration<'a> {
    Alias(&'a TSType<'a>),
    Interface(&'a TSInterfaceDeclaration<'a>),
}

/// A property that a type declares.
struct TypeMember<'t, 'a> {
    name: String,
    optional: bool,
    type_: Option<&'t TSType<'a>>,
}

/// The members of a union without `null` and `undefined`.
struct UnionParts<'t, 'a> {
    types: Vec<&'t TSType<'a>>,
    null: bool,
    undefined: bool,
}

/// ReadKind deep nested types are followed; types can contain themselves.
const MAX_DEPTH: usize = 8;

/// ReadKind many types are visited. A type that contains itself in many places would grow without end.
const MAX_TYPES: usize = 2000;

impl<'a, 's> Types<'a, 's> {
    pub(crate) fn new(program: &Program<'a>, scoping: &'s Scoping) -> Self {
        let mut collector = TypeCollector(HashMap::new());
        collector.visit_program(program);
        Self {
            scoping,
            declared: collector.0,
            budget: Cell::new(MAX_TYPES),
        }
    }

    /// Adds what a type says to a property.
    pub(crate) fn annotate(&self, property: &mut Property, type_: &TSType<'_>) {
        self.annotate_within(property, type_, false, MAX_DEPTH);
    }

    fn annotate_within(
        &self,
        property: &mut Property,
        type_: &TSType<'_>,
        partial: bool,
        depth: usize,
    ) {
        let Some(depth) = self.use_budget(depth) else {
            return;
        };
        let parts = self.parts(type_, depth);
        if parts.undefined {
            property.set_optional();
        }
        let [only] = parts.types.as_slice() else {
            return property.add_type(self.schema(type_, depth));
        };
        let (only, partial) = match self.partial_argument(only) {
            Some(inner) => (inner, true),
            None => (*only, partial),
        };
        let Some(members) = self.members(only, depth) else {
            return property.add_type(self.schema(type_, depth));
        };
        if parts.null {
            property.set_nullable();
        }
        property.set_object();
        for member in members {
            let below = property.child(&member.name);
            if member.optional || partial {
                below.set_optional();
            }
            if let Some(type_) = member.type_ {
                self.annotate_within(below, type_, false, depth);
            }
        }
    }

    /// Returns the schema of a type; `{}` if it has none.
    fn schema(&self, type_: &TSType<'_>, depth: usize) -> Value {
        let Some(depth) = self.use_budget(depth) else {
            return json!({});
        };
        let parts = self.parts(type_, depth);
        let mut schemas: Vec<Value> = Vec::new();
        for part in parts.types {
            let schema = self.part_schema(part, depth);
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
        union_schema(schemas)
    }

    /// Uses up one visit; returns the depth that is left for the parts of a type, or `None` if a
    /// limit is reached.
    fn use_budget(&self, depth: usize) -> Option<usize> {
        self.budget.set(self.budget.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    /// Returns the schema of a type that is no union.
    fn part_schema(&self, type_: &TSType<'_>, depth: usize) -> Value {
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
            TSType::TSLiteralType(it) => literal_schema(&it.literal),
            TSType::TSTypeReference(it) => match (type_name(it), first_argument(it)) {
                (Some("Array" | "ReadonlyArray"), Some(element)) => items(element),
                (Some("Array" | "ReadonlyArray"), None) => json!({ "type": "array" }),
                (Some("Record"), _) => json!({ "type": "object" }),
                (Some("Readonly" | "Required" | "NonNullable" | "Partial"), Some(inner)) => {
                    self.schema(inner, depth)
                }
                _ => self.object_schema(type_, depth),
            },
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Readonly => {
                self.schema(&it.type_annotation, depth)
            }
            _ => self.object_schema(type_, depth),
        }
    }

    fn object_schema(&self, type_: &TSType<'_>, depth: usize) -> Value {
        let Some(members) = self.members(type_, depth) else {
            return json!({});
        };
        let schema = |member: TypeMember<'_, '_>| {
            let schema = member.type_.map(|type_| self.schema(type_, depth));
            (member.name, schema.unwrap_or_else(|| json!({})))
        };
        let properties: Map<String, Value> = members.into_iter().map(schema).collect();
        json!({ "type": "object", "properties": properties })
    }

    /// Returns the members of a union, with type aliases resolved.
    fn parts<'t>(&'t self, type_: &'t TSType<'a>, depth: usize) -> UnionParts<'t, 'a> {
        let mut parts = UnionParts {
            types: Vec::new(),
            null: false,
            undefined: false,
        };
        self.collect_parts(type_, depth, &mut parts);
        parts
    }

    fn collect_parts<'t>(
        &'t self,
        type_: &'t TSType<'a>,
        depth: usize,
        parts: &mut UnionParts<'t, 'a>,
    ) {
        match type_ {
            TSType::TSNullKeyword(_) => parts.null = true,
            TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_) => parts.undefined = true,
            TSType::TSParenthesizedType(it) => {
                self.collect_parts(&it.type_annotation, depth, parts);
            }
            TSType::TSUnionType(it) => {
                for type_ in &it.types {
                    self.collect_parts(type_, depth, parts);
                }
            }
            TSType::TSTypeReference(it) => match (self.alias(it), depth.checked_sub(1)) {
                (Some(type_), Some(depth)) => self.collect_parts(type_, depth, parts),
                _ => parts.types.push(type_),
            },
            _ => parts.types.push(type_),
        }
    }

    /// Returns the properties of an object type; `None` if it is none.
    fn members<'t>(
        &'t self,
        type_: &'t TSType<'a>,
        depth: usize,
    ) -> Option<Vec<TypeMember<'t, 'a>>> {
        let depth = depth.checked_sub(1)?;
        match type_ {
            TSType::TSTypeLiteral(it) => Some(signatures(&it.members)),
            TSType::TSParenthesizedType(it) => self.members(&it.type_annotation, depth),
            TSType::TSIntersectionType(it) => {
                let types = it.types.iter().map(|type_| self.members(type_, depth));
                let types: Option<Vec<_>> = types.collect();
                Some(types?.into_iter().flatten().collect())
            }
            TSType::TSTypeReference(it) => match (type_name(it), first_argument(it)) {
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
    ) -> Option<Vec<TypeMember<'t, 'a>>> {
        let mut members = Vec::new();
        for declared in self.declared.get(&self.symbol(it)?)? {
            match declared {
                TypeDeclaration::Alias(type_) => members.extend(self.members(type_, depth)?),
                TypeDeclaration::Interface(interface) => {
                    members.extend(signatures(&interface.body.body));
                }
            }
        }
        Some(members)
    }

    fn partial_argument<'t>(&self, type_: &'t TSType<'a>) -> Option<&'t TSType<'a>> {
        match type_ {
            TSType::TSTypeReference(it) if type_name(it) == Some("Partial") => first_argument(it),
            _ => None,
        }
    }

    /// Returns the type that an alias names.
    fn alias(&self, it: &TSTypeReference<'a>) -> Option<&'a TSType<'a>> {
        match self.declared.get(&self.symbol(it)?)?.as_slice() {
            [TypeDeclaration::Alias(type_)] => Some(type_),
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

/// Returns the name of a type, by which types of the standard library are recognised.
fn type_name<'t>(it: &'t TSTypeReference<'_>) -> Option<&'t str> {
    match &it.type_name {
        TSTypeName::IdentifierReference(name) => Some(name.name.as_str()),
        _ => None,
    }
}

fn first_argument<'t, 'a>(it: &'t TSTypeReference<'a>) -> Option<&'t TSType<'a>> {
    it.type_arguments.as_ref()?.params.first()
}

fn signatures<'t, 'a>(signatures: &'t [TSSignature<'a>]) -> Vec<TypeMember<'t, 'a>> {
    let members = signatures.iter().filter_map(|signature| match signature {
        TSSignature::TSPropertySignature(it) if !it.computed => Some(TypeMember {
            name: static_key(&it.key)?,
            optional: it.optional,
            type_: it.type_annotation.as_ref().map(|it| &it.type_annotation),
        }),
        _ => None,
    });
    members.collect()
}

fn literal_schema(literal: &TSLiteral<'_>) -> Value {
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

/// Returns one schema that allows what any of the schemas allows.
fn union_schema(mut schemas: Vec<Value>) -> Value {
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

struct TypeCollector<'a>(HashMap<SymbolId, Vec<TypeDeclaration<'a>>>);

impl<'a> Visit<'a> for TypeCollector<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        let (name, declared) = match kind {
            // A generic alias is skipped: the argument for its parameter is unknown.
            AstKind::TSTypeAliasDeclaration(it) if it.type_parameters.is_none() => {
                (&it.id, TypeDeclaration::Alias(&it.type_annotation))
            }
            // So is a generic interface.
            AstKind::TSInterfaceDeclaration(it) if it.type_parameters.is_none() => {
                (&it.id, TypeDeclaration::Interface(it))
            }
            _ => return,
        };
        if let Some(symbol) = name.symbol_id.get() {
            self.0.entry(symbol).or_default().push(declared);
        }
    }
}
