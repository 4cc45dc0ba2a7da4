//! Checks the fields, arguments and fragments of a document against the schema.

use super::values::{literal_fits, mismatch};
use apollo_compiler::ast::{
    Argument, Document, Field, InputValueDefinition, Selection, VariableDefinition,
};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::{ExtendedType, FieldDefinition};
use apollo_compiler::{Name, Node, Schema};
use serde_json::{Value, json};

/// Checks selections and collects errors. `path` leads to the current selection.
pub(super) struct SelectionChecker<'d> {
    schema: &'d Schema,
    document: &'d Document,
    path: Vec<String>,
    /// The variables of the current operation; empty in a fragment, which several operations may use.
    variables: &'d [Node<VariableDefinition>],
    pub(super) errors: Vec<Value>,
}

impl<'d> SelectionChecker<'d> {
    pub(super) fn new(schema: &'d Schema, document: &'d Document) -> Self {
        Self {
            schema,
            document,
            path: Vec::new(),
            variables: &[],
            errors: Vec::new(),
        }
    }

    /// Checks the selections of an operation.
    pub(super) fn check_operation(
        &mut self,
        heading: String,
        root: &str,
        variables: &'d [Node<VariableDefinition>],
        selections: &[Selection],
    ) {
        self.variables = variables;
        self.check_under(heading, root, selections);
        self.variables = &[];
    }

    /// Checks selections on a type. `heading` is added to the path of their errors.
    fn check_under(&mut self, heading: String, type_name: &str, selections: &[Selection]) {
        self.path.push(heading);
        for selection in selections {
            self.check_selection(type_name, selection);
        }
        self.path.pop();
    }

    /// Checks the type condition of a fragment, then its selections.
    pub(super) fn check_fragment(
        &mut self,
        heading: String,
        condition: &Name,
        selections: &[Selection],
    ) {
        if self.schema.types.contains_key(condition) {
            self.check_under(heading, condition, selections);
            return;
        }
        self.path.push(heading);
        self.report(
            &json!({ "code": "undefinedType", "typeName": condition.as_str() }),
            condition.location(),
            &format!("No such type {condition}, so it can't be a fragment condition"),
        );
        self.path.pop();
    }

    fn check_selection(&mut self, type_name: &str, selection: &Selection) {
        match selection {
            Selection::Field(field) => self.check_field(type_name, field),
            Selection::InlineFragment(inline) => match &inline.type_condition {
                Some(condition) => {
                    let heading = format!("... on {condition}");
                    self.check_fragment(heading, condition, &inline.selection_set);
                }
                None => self.check_under("...".to_owned(), type_name, &inline.selection_set),
            },
            Selection::FragmentSpread(_) => {}
        }
    }

    fn check_field(&mut self, type_name: &str, field: &Field) {
        let name = field.name.as_str();
        self.path.push(field.response_name().to_string());
        match self.schema.type_field(type_name, name) {
            Err(_) => self.report(
                &json!({ "code": "undefinedField", "typeName": type_name, "fieldName": name }),
                field.name.location(),
                &format!("Field '{name}' doesn't exist on type '{type_name}'"),
            ),
            Ok(definition) => {
                self.check_arguments(field, definition);
                self.check_sub_selections(field, definition);
            }
        }
        self.path.pop();
    }

    fn check_arguments(&mut self, field: &Field, definition: &FieldDefinition) {
        let name = field.name.as_str();
        for argument in &field.arguments {
            self.path.push(argument.name.to_string());
            match definition.argument_by_name(&argument.name) {
                Some(wanted) => self.check_value(name, argument, wanted),
                None => self.report(
                    &json!({
                        "code": "argumentNotAccepted",
                        "name": name,
                        "typeName": "Field",
                        "argumentName": argument.name.as_str(),
                    }),
                    argument.name.location(),
                    &format!("Field '{name}' doesn't accept argument '{}'", argument.name),
                ),
            }
            self.path.pop();
        }
        let missing: Vec<&str> = definition
            .arguments
            .iter()
            .filter(|wanted| wanted.is_required())
            .filter(|wanted| {
                !field
                    .arguments
                    .iter()
                    .any(|given| given.name == wanted.name)
            })
            .map(|wanted| wanted.name.as_str())
            .collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            self.report(
                &json!({
                    "code": "missingRequiredArguments",
                    "className": "Field",
                    "name": name,
                    "arguments": missing,
                }),
                field.name.location(),
                &format!("Field '{name}' is missing required arguments: {missing}"),
            );
        }
    }

    fn check_value(&mut self, field: &str, argument: &Argument, wanted: &InputValueDefinition) {
        let name = argument.name.as_str();
        if !literal_fits(self.schema, &wanted.ty, &argument.value) {
            self.report(
                &json!({
                    "code": "argumentLiteralsIncompatible",
                    "typeName": "Field",
                    "argumentName": name,
                }),
                argument.name.location(),
                &format!(
                    "Argument '{name}' on Field '{field}' has an invalid value ({}). Expected type '{}'.",
                    argument.value, wanted.ty
                ),
            );
        }
        let variable = argument.value.as_variable().and_then(|variable| {
            let mut known = self.variables.iter();
            known.find(|definition| definition.name == *variable)
        });
        let Some(variable) = variable else {
            return;
        };
        if let Some(problem) = mismatch(variable, wanted) {
            let given = &variable.ty;
            self.report(
                &json!({
                    "code": "variableMismatch",
                    "variableName": variable.name.as_str(),
                    "typeName": given.to_string(),
                    "argumentName": name,
                    "errorMessage": problem,
                }),
                argument.name.location(),
                &format!(
                    "{problem} on variable ${} and argument {name} ({given} / {})",
                    variable.name, wanted.ty
                ),
            );
        }
    }

    fn check_sub_selections(&mut self, field: &Field, definition: &FieldDefinition) {
        let name = field.name.as_str();
        let inner = definition.ty.inner_named_type();
        let is_leaf = matches!(
            self.schema.types.get(inner),
            Some(ExtendedType::Scalar(_) | ExtendedType::Enum(_))
        );
        let extensions = json!({
            "code": "selectionMismatch",
            "nodeName": format!("field '{name}'"),
            "typeName": definition.ty.to_string(),
        });
        if !is_leaf && field.selection_set.is_empty() {
            self.report(
                &extensions,
                field.name.location(),
                &format!(
                    "Field must have selections (field '{name}' returns {inner} but has no selections. Did you mean '{name} {{ ... }}'?)"
                ),
            );
        } else if is_leaf && !field.selection_set.is_empty() {
            let chosen: Vec<String> = field
                .selection_set
                .iter()
                .filter_map(|selection| selection.as_field())
                .map(|selected| format!("\"{}\"", selected.name))
                .collect();
            self.report(
                    &extensions,
                    field.name.location(),
                    &format!(
                        "Selections can't be made on scalars (field '{name}' returns {inner} but has selections [{}])",
                        chosen.join(", ")
                    ),
                );
        } else {
            for selection in &field.selection_set {
                self.check_selection(inner, selection);
            }
        }
    }

    fn report(&mut self, extensions: &Value, span: Option<SourceSpan>, message: &str) {
        let place = span.and_then(|span| span.line_column(&self.document.sources));
        self.errors.push(json!({
            "path": self.path,
            "extensions": extensions,
            "locations": Vec::from_iter(place),
            "message": message,
        }));
    }
}
