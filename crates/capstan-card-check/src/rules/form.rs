//! Checks what every card declares about itself: schemas, examples, intents, and the form of lists.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::Value;

use capstan_core::Severity;
use capstan_core::card::{Card, CliRoute, resolve_reference};
use capstan_core::expr::Template;

use crate::finding::{FORM, Finding, ROUTE};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::json_schema::object_type;
use crate::ty::{ObjectSource, Ty};

/// How many intents a card has. With fewer it is harder to find, and search would ignore the last
/// of more.
const INTENTS: RangeInclusive<usize> = 5..=16;
/// The largest number of rows that GitHub returns per page.
const MAX_ROWS: u64 = 100;

pub(crate) fn check(card: &Card) -> Vec<Finding> {
    let mut form = Form {
        findings: Vec::new(),
    };
    form.route(card);
    form.schemas(card);
    form.intents(card);
    form.list(card);
    form.findings
}

struct Form {
    findings: Vec<Finding>,
}

impl Form {
    fn route(&mut self, card: &Card) {
        if card.request.is_some() || card.service.is_some() {
            return;
        }
        let reason = card.no_graphql.as_deref().map(str::trim);
        if !card.combine.is_empty() && card.route_order().is_empty() {
            // The parts of a combined card have routes.
            return;
        }
        if card.graphql.is_none() && reason.is_none_or(str::is_empty) {
            let finding = Finding::new(ROUTE, "", "the card has no `graphql` route");
            let help = "add one, or say in `no_graphql` why GitHub's GraphQL cannot do it";
            self.findings.push(finding.with_help(help));
        }
    }

    fn schemas(&mut self, card: &Card) {
        self.schema(&card.output_schema, "/output_schema");
        let validator = self.schema(&card.input_schema, "/input_schema");
        if card.examples.is_empty() {
            self.hint("/examples", "the card has no example");
        }
        let Some(validator) = validator else { return };
        for (index, example) in card.examples.iter().enumerate() {
            let input = Value::Object(example.input.clone());
            for error in validator.iter_errors(&input) {
                let pointer = format!("/examples/{index}/input{}", error.instance_path());
                self.report(
                    &pointer,
                    format!("the example is not a valid input: {error}"),
                );
            }
        }
    }

    fn schema(&mut self, schema: &Value, pointer: &str) -> Option<jsonschema::Validator> {
        let errors: Vec<_> = jsonschema::draft202012::meta::validator()
            .iter_errors(schema)
            .map(|error| (error.instance_path().to_string(), error.to_string()))
            .collect();
        for (path, error) in &errors {
            self.report(
                &format!("{pointer}{path}"),
                format!("not a JSON Schema: {error}"),
            );
        }
        if !errors.is_empty() {
            return None;
        }
        match jsonschema::draft202012::new(schema) {
            Ok(validator) => Some(validator),
            Err(error) => {
                self.report(pointer, format!("not a JSON Schema: {error}"));
                None
            }
        }
    }

    fn intents(&mut self, card: &Card) {
        let distinct: BTreeSet<_> = card
            .intents
            .iter()
            .map(|intent| intent.trim().to_lowercase())
            .filter(|intent| !intent.is_empty())
            .collect();
        if card.intents.len() != distinct.len() || !INTENTS.contains(&distinct.len()) {
            let message = format!(
                "a card has {} to {} different intents, but this one has {}",
                INTENTS.start(),
                INTENTS.end(),
                distinct.len()
            );
            self.hint("/intents", message);
        }
    }

    fn list(&mut self, card: &Card) {
        let described = card.list.as_ref().filter(|list| !list.is_whole_answer());
        let Some(list) = described else {
            if card.list.is_some() {
                return;
            }
            if card.id.as_str().ends_with(".list") {
                self.warn(
                    "/capability_id",
                    "a card whose name ends in `.list` needs a `list`",
                );
            }
            return;
        };
        let property = card
            .output_schema
            .get("properties")
            .and_then(|all| all.get(&list.field));
        let rows = property.map(|property| resolve_reference(property, &card.output_schema));
        if rows.and_then(|rows| rows.get("type")) != Some(&Value::from("array")) {
            let message = format!("`output_schema` has no array `{}`", list.field);
            self.report("/list/field", message);
        }
        let columns = rows
            .and_then(|rows| rows.get("items"))
            .map(|items| resolve_reference(items, &card.output_schema))
            .and_then(|items| items.get("properties"))
            .and_then(Value::as_object);
        for (name, column) in columns.into_iter().flatten() {
            if !is_cell(
                resolve_reference(column, &card.output_schema),
                &card.output_schema,
            ) {
                let pointer = format!(
                    "/output_schema/properties/{}/items/properties/{name}",
                    list.field
                );
                self.warn(
                    &pointer,
                    "a row may hold only scalars, lists of scalars, and objects of both, so that \
                     lists print as tables",
                );
            }
        }
        for (key, names) in [("columns", &list.columns), ("always", &list.always)] {
            for (index, name) in names.iter().enumerate() {
                let pointer = format!("/list/{key}/{index}");
                if columns.is_some_and(|columns| !columns.contains_key(name)) {
                    self.report(&pointer, format!("a row has no `{name}`"));
                } else if names.iter().take(index).any(|other| other == name) {
                    self.report(&pointer, format!("`{name}` appears twice"));
                }
            }
        }
        self.check_template(card, &list.empty, "/list/empty");
        if let Some(title) = &list.title {
            self.check_template(card, title, "/list/title");
        }
        let has = |name: &str| input(card, name).is_some();
        match (has("first"), has("after")) {
            // The rules for pages are GitHub's.
            (_, true) if card.service.is_some() => {}
            (true, true) => self.check_paging(card),
            (false, false) => self.check_no_paging(card),
            (true, false) => self.report(
                "/input_schema/properties",
                "a list with `first` also needs `after`",
            ),
            (false, true) => self.report(
                "/input_schema/properties",
                "a list with `after` also needs `first`",
            ),
        }
    }

    /// Checks a message about rows or about an empty list: it must be complete for every input.
    fn check_template(&mut self, card: &Card, words: &Template, pointer: &str) {
        let mut checker = Checker::default();
        let input = object_type(&card.input_schema, ObjectSource::Input, &mut checker.places);
        let scope = TypeScope::new(input);
        let at = ExprLocation {
            pointer,
            code: FORM,
        };
        let blanks = checker.blanks(words, &scope, at);
        self.findings.append(&mut checker.findings);
        if blanks.iter().any(Ty::may_be_missing) {
            self.report(pointer, "a blank in this message may have no value");
        }
    }

    fn check_paging(&mut self, card: &Card) {
        let first = input(card, "first").unwrap_or(&Value::Null);
        let bound = |name: &str| first.get(name).and_then(Value::as_u64);
        let bounded = bound("minimum") == Some(1)
            && bound("maximum").is_some_and(|most| (1..=MAX_ROWS).contains(&most))
            && bound("default").is_some();
        if first.get("type") != Some(&Value::from("integer")) || !bounded {
            let message = "`first` must be an integer from 1 to at most 100, with a default";
            self.report("/input_schema/properties/first", message);
        }
        let after = input(card, "after").unwrap_or(&Value::Null);
        if after.get("type") != Some(&Value::from("string")) {
            self.report(
                "/input_schema/properties/after",
                "`after` must be a text: the cursor of the previous page",
            );
        }
        if card
            .graphql
            .as_ref()
            .is_some_and(|route| route.pagination.is_none())
        {
            self.report(
                "/graphql",
                "the card has pages, but its `graphql` route has no `pagination`",
            );
        }
        if card
            .rest
            .as_ref()
            .is_some_and(|route| route.pagination.is_none())
        {
            self.report(
                "/rest",
                "the card has pages, but its `rest` route has no `pagination`",
            );
        }
        if matches!(&card.cli, Some(CliRoute::Command(command)) if !command.overfetch) {
            self.report(
                "/cli",
                "the card has pages, but its `gh` command has no `overfetch: true`",
            );
        }
    }

    fn check_no_paging(&mut self, card: &Card) {
        let routes = [
            (
                "/graphql",
                card.graphql
                    .as_ref()
                    .is_some_and(|route| route.pagination.is_some()),
            ),
            (
                "/rest",
                card.rest
                    .as_ref()
                    .is_some_and(|route| route.pagination.is_some()),
            ),
            (
                "/cli",
                matches!(&card.cli, Some(CliRoute::Command(command)) if command.overfetch),
            ),
        ];
        for (pointer, pages) in routes {
            if pages {
                self.report(
                    pointer,
                    "the route has pages, but the input has no `first` and `after`",
                );
            }
        }
    }

    fn report(&mut self, pointer: &str, message: impl Into<String>) {
        self.findings.push(Finding::new(FORM, pointer, message));
    }

    fn warn(&mut self, pointer: &str, message: impl Into<String>) {
        let finding = Finding::new(FORM, pointer, message);
        self.findings.push(finding.with_severity(Severity::Warning));
    }

    fn hint(&mut self, pointer: &str, message: impl Into<String>) {
        let finding = Finding::new(FORM, pointer, message);
        self.findings.push(finding.with_severity(Severity::Hint));
    }
}

fn input<'a>(card: &'a Card, name: &str) -> Option<&'a Value> {
    let property = card.input_schema.get("properties")?.get(name)?;
    Some(resolve_reference(property, &card.input_schema))
}

/// Returns whether a value fits into a cell of a table: a scalar, or a list or an object of
/// scalars.
fn is_cell(schema: &Value, whole: &Value) -> bool {
    if type_of(schema) != Some("object") {
        return is_scalar_or_list(schema, whole);
    }
    let fields = schema.get("properties").and_then(Value::as_object);
    fields.is_some_and(|fields| {
        let mut fields = fields.values().map(|field| resolve_reference(field, whole));
        fields.all(|field| is_scalar_or_list(field, whole))
    })
}

fn is_scalar_or_list(schema: &Value, whole: &Value) -> bool {
    if type_of(schema) == Some("array") {
        let items = schema.get("items");
        items.is_some_and(|items| is_scalar(resolve_reference(items, whole)))
    } else {
        is_scalar(schema)
    }
}

/// Returns the type other than null.
fn type_of(schema: &Value) -> Option<&str> {
    let name = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().find(|name| *name != "null"),
        name => name,
    };
    name.and_then(Value::as_str)
}

fn is_scalar(schema: &Value) -> bool {
    let compound = |name: &Value| name == "array" || name == "object";
    match schema.get("type") {
        Some(Value::Array(names)) => !names.iter().any(compound),
        Some(name) => !compound(name),
        None => true,
    }
}
