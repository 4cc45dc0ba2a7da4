//! Compiles `seal`: secrets that only the owner of a public key can read. Nothing else may send or show them.

use indexmap::IndexMap;
use serde_json::json;

use capstan_core::card::{
    Card, CliArg, CliRoute, FieldMapping, Output, RawInput, RestCall, RestRoute, SealedInput,
};
use capstan_core::expr::{Expr, Root, Segment, Template};

use super::compiler::Compiler;
use crate::raw::RawRest;

/// Names that have another meaning in requests.
const TAKEN: [&str; 7] = [
    "input",
    "page",
    "fields",
    "item",
    "changed",
    "overridden",
    "env",
];

impl Compiler<'_> {
    pub(super) fn sealed_inputs(&mut self, raw: &RawRest) -> IndexMap<String, SealedInput> {
        let mut sealed = IndexMap::new();
        for (name, raw_sealed) in &raw.seal {
            let pointer = format!("/rest/seal/{name}");
            if TAKEN.contains(&name.as_str()) || raw.resolve.contains_key(name) {
                let message = format!("`${name}` already has another meaning: use another name");
                self.problem(&pointer, message);
            }
            if let Some(key) = self.expr(&format!("{pointer}/key"), &raw_sealed.key) {
                let input = raw_sealed.input.clone();
                sealed.insert(name.clone(), SealedInput { input, key });
            }
        }
        sealed
    }

    /// Marks the sealed inputs as secrets in the schema, and refuses cards that send or show one in another way.
    pub(super) fn protect_sealed(&mut self, card: &mut Card) {
        let Some(rest) = &card.rest else { return };
        let inputs: Vec<(String, String)> = rest
            .seal
            .iter()
            .map(|(name, sealed)| (name.clone(), sealed.input.clone()))
            .collect();
        for (name, input) in inputs {
            let properties = card.input_schema.get_mut("properties");
            match properties.and_then(|it| it.get_mut(&input)?.as_object_mut()) {
                Some(property) => {
                    property.insert("writeOnly".to_owned(), json!(true));
                }
                None => self.problem(
                    &format!("/rest/seal/{name}/input"),
                    format!("`input_schema` has no `{input}`"),
                ),
            }
            for pointer in places_with(card, &input) {
                self.problem_with_help(
                    &pointer,
                    format!("`{input}` is a secret: only `seal` may use it"),
                    format!("use `${name}`, which is sealed"),
                );
            }
        }
    }
}

/// Returns where a card uses an input, other than to seal it.
fn places_with(card: &Card, input: &str) -> Vec<String> {
    let mut places = Vec::new();
    let mut look = |pointer: String, expressions: Vec<&Expr>, this_is_input: bool| {
        let uses = |expr: &&Expr| uses_input(expr, input, this_is_input);
        if expressions.iter().any(uses) {
            places.push(pointer);
        }
    };
    if let Some(rest) = &card.rest {
        look_at_rest(rest, &mut look);
    }
    if let Some(graphql) = &card.graphql {
        for (name, variable) in &graphql.variables {
            look(format!("/graphql/variables/{name}"), vec![variable], true);
        }
        let output = output_expressions(&graphql.output);
        look("/graphql/output".to_owned(), output, false);
    }
    if let Some(CliRoute::Command(command)) = &card.cli {
        for (index, arg) in command.args.iter().enumerate() {
            let expressions = match arg {
                CliArg::One(arg) => arg.expressions().collect(),
                CliArg::Each { each, arg } => arg.expressions().chain([each]).collect(),
                CliArg::When { arg, .. } => arg.expressions().collect(),
            };
            look(format!("/cli/args/{index}"), expressions, true);
        }
    }
    if let Some(list) = &card.list {
        let texts = list.title.iter().chain([&list.empty]);
        let expressions = texts.flat_map(Template::expressions).collect();
        look("/list".to_owned(), expressions, true);
    }
    for (index, next) in card.next.iter().enumerate() {
        let pointer = format!("/next/{index}/input");
        look(pointer, next.input.expressions(), false);
    }
    for (code, mend) in &card.mend {
        let pointer = format!("/mend/{code}/input");
        look(pointer, mend.input.expressions(), false);
    }
    places
}

fn look_at_rest(rest: &RestRoute, look: &mut impl FnMut(String, Vec<&Expr>, bool)) {
    let mut look_at_call = |pointer: &str, call: &RestCall| {
        let path = call.path.expressions().collect();
        look(format!("{pointer}/path"), path, true);
        for (name, parts) in &call.query {
            let expressions = parts.iter().flat_map(Template::expressions).collect();
            look(format!("{pointer}/query/{name}"), expressions, true);
        }
        let body = call.body.iter().flat_map(|body| body.expressions());
        look(format!("{pointer}/body"), body.collect(), true);
        let raw = call.raw.iter().flat_map(RawInput::expressions);
        look(format!("{pointer}/raw"), raw.collect(), true);
        let of_service = call.service.expressions().collect();
        look(pointer.to_owned(), of_service, true);
    };
    look_at_call("/rest", &rest.call);
    for (name, lookup) in &rest.resolve {
        look_at_call(&format!("/rest/resolve/{name}"), &lookup.call);
    }
    let output = output_expressions(&rest.output);
    look("/rest/output".to_owned(), output, false);
}

fn output_expressions(output: &Output) -> Vec<&Expr> {
    fn of_fields<'o>(fields: &'o IndexMap<String, FieldMapping>, all: &mut Vec<&'o Expr>) {
        for field in fields.values() {
            match field {
                FieldMapping::Value(expr) => all.push(expr),
                FieldMapping::Object(fields) => of_fields(fields, all),
                FieldMapping::ObjectFrom { from, fields } => {
                    all.push(from);
                    of_fields(fields, all);
                }
                FieldMapping::Each { each, fields } => {
                    all.push(each);
                    of_fields(fields, all);
                }
            }
        }
    }
    let mut all = Vec::new();
    of_fields(&output.fields, &mut all);
    for warning in &output.warn {
        all.extend(warning.message.expressions());
    }
    all
}

/// Returns whether an expression uses an input, or the input as a whole.
fn uses_input(expr: &Expr, input: &str, this_is_input: bool) -> bool {
    expr.paths().into_iter().any(|path| {
        let is_input = match &path.root {
            Root::Variable(name) => name == "input",
            Root::This => this_is_input,
        };
        let first = path.segments.first();
        is_input && first.is_none_or(|it| matches!(it, Segment::Key(key) if key == input))
    })
}
