//! Turns a card as written into a card that runs: every expression parsed, every name looked up.
//! Everything that is wrong is reported in one pass.

use indexmap::IndexMap;
use semver::Version;
use serde_json::Value;

use capstan_core::card::{
    ApiKind, Card, CliArg, CliCommand, CliRoute, Deprecation, Example, FieldMapping, FollowUp,
    GraphqlDocument, GraphqlLookup, GraphqlPagination, GraphqlRoute, HttpLookup, HttpPagination,
    List, Operation, Output, RestCall, RestRoute, Routing, Settled, SuitabilityRule,
};
use capstan_core::expr::{Expr, ExprError, Path, Template, ValueTemplate};
use capstan_core::{CapabilityId, Method, Route};

use crate::raw::{
    RawCard, RawCli, RawFollowUp, RawGraphql, RawGraphqlLookup, RawHttpLookup, RawOutput, RawRest,
    RawSettled,
};

/// The documents of a card by operation name.
pub(crate) type Documents = IndexMap<String, GraphqlDocument>;

/// The names of a route's lookups, and whether each is one for each element of a list.
type Lookups<'a> = IndexMap<&'a str, bool>;

/// Something wrong at a place of the card, given as a JSON pointer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Problem {
    pub pointer: String,
    /// Where inside the text at the pointer.
    pub offset: Option<usize>,
    pub message: String,
    pub help: Option<String>,
}

pub(crate) fn compile(raw: RawCard, documents: &Documents) -> Result<Card, Vec<Problem>> {
    let mut compiler = Compiler {
        documents,
        operation: raw.operation,
        problems: Vec::new(),
    };
    let card = compiler.card(raw);
    match card {
        Some(card) if compiler.problems.is_empty() => Ok(card),
        _ => Err(compiler.problems),
    }
}

struct Compiler<'a> {
    documents: &'a Documents,
    operation: Operation,
    problems: Vec<Problem>,
}

impl Compiler<'_> {
    fn card(&mut self, raw: RawCard) -> Option<Card> {
        let id = self.id("/capability_id", &raw.capability_id);
        let version = match Version::parse(&raw.version) {
            Ok(version) => Some(version),
            Err(cause) => {
                self.problem(
                    "/version",
                    format!("`{}` is not a version: {cause}", raw.version),
                );
                None
            }
        };
        for (pointer, schema) in [
            ("/input_schema", &raw.input_schema),
            ("/output_schema", &raw.output_schema),
        ] {
            if schema.get("type").and_then(Value::as_str) != Some("object") {
                self.problem(
                    pointer,
                    "a card's schema describes an object: expected `type: object`",
                );
            }
        }
        if raw.graphql.is_none() && raw.no_graphql.is_none() {
            self.problem_with_help(
                "/capability_id",
                "the card has no `graphql` route",
                "add one, or say in `no_graphql` why GitHub's GraphQL cannot do it",
            );
        }
        if raw.graphql.is_some() && raw.no_graphql.is_some() {
            self.problem(
                "/no_graphql",
                "the card has a `graphql` route, so `no_graphql` cannot stand",
            );
        }
        let rest_given = raw.rest.is_some();
        let graphql_given = raw.graphql.is_some();
        let graphql = raw.graphql.and_then(|raw| self.graphql(raw));
        let rest = raw.rest.as_ref().and_then(|raw| self.rest(raw));
        let cli = raw
            .cli
            .and_then(|raw| self.cli(raw, graphql_given, rest_given));
        let given = |route| match route {
            Route::Graphql => graphql_given,
            Route::Rest => rest_given,
            Route::Cli => cli.is_some(),
        };
        let routing = self.routing(&raw.routing, given);
        let list = raw.list.and_then(|list| {
            Some(List {
                empty: self.template("/list/empty", &list.empty)?,
                field: list.field,
            })
        });
        let next = self.follow_ups(&raw.next);
        let mut mend = IndexMap::new();
        for (code, follow_up) in &raw.mend {
            let pointer = format!("/mend/{code}");
            if let Some(follow_up) = self.follow_up(&pointer, follow_up) {
                mend.insert(*code, follow_up);
            }
        }
        Some(Card {
            id: id?,
            version: version?,
            description: raw.description,
            input_schema: raw.input_schema,
            output_schema: raw.output_schema,
            operation: raw.operation,
            effects: raw.effects,
            routing,
            graphql,
            no_graphql: raw.no_graphql,
            rest,
            cli,
            list,
            next,
            mend,
            intents: raw.intents,
            examples: raw
                .examples
                .into_iter()
                .map(|example| Example {
                    title: example.title,
                    input: example.input,
                })
                .collect(),
            deprecated: raw.deprecated.map(|raw| Deprecation {
                since: raw.since,
                sunset: raw.sunset,
                replacement: raw.replacement,
            }),
        })
    }

    fn routing(&mut self, raw: &crate::raw::RawRouting, given: impl Fn(Route) -> bool) -> Routing {
        let stated = raw
            .preferred
            .iter()
            .map(|route| ("/routing/preferred".to_owned(), *route));
        let fallbacks = raw
            .fallbacks
            .iter()
            .enumerate()
            .map(|(index, route)| (format!("/routing/fallbacks/{index}"), *route));
        for (pointer, route) in stated.chain(fallbacks) {
            if !given(route) {
                self.problem(&pointer, format!("the card declares no `{route}` route"));
            }
        }
        let mut suitability = Vec::new();
        for (index, rule) in raw.suitability.iter().enumerate() {
            let pointer = format!("/routing/suitability/{index}/predicate");
            if let Some(predicate) = self.expr(&pointer, &rule.predicate) {
                suitability.push(SuitabilityRule {
                    route: rule.route,
                    when: rule.when,
                    predicate,
                    reason: rule.reason.clone(),
                });
            }
        }
        Routing {
            preferred: raw.preferred,
            fallbacks: raw.fallbacks.clone(),
            suitability,
            notes: raw.notes.clone(),
        }
    }

    fn graphql(&mut self, raw: RawGraphql) -> Option<GraphqlRoute> {
        let document = self.document("/graphql/operation", &raw.operation, self.operation);
        let variables = self.variables("/graphql/variables", &raw.variables, document.as_ref());
        let mut resolve = IndexMap::new();
        for (name, lookup) in &raw.resolve {
            if let Some(lookup) = self.graphql_lookup(&format!("/graphql/resolve/{name}"), lookup) {
                resolve.insert(name.clone(), lookup);
            }
        }
        let lookups = raw.resolve.iter();
        let lookups: Lookups<'_> = lookups
            .map(|(name, lookup)| (name.as_str(), lookup.each.is_some()))
            .collect();
        let unchanged = self.settled("/graphql/unchanged", raw.unchanged.as_ref(), &lookups);
        let verify = self.verify("/graphql/verify", raw.verify.as_ref(), &lookups);
        let output = self.output("/graphql/output", &raw.output);
        let pagination = raw.pagination.as_ref().and_then(|raw| {
            Some(GraphqlPagination {
                has_next_page: self
                    .path("/graphql/pagination/has_next_page", &raw.has_next_page)?,
                end_cursor: self.path("/graphql/pagination/end_cursor", &raw.end_cursor)?,
                total: match &raw.total {
                    Some(total) => Some(self.path("/graphql/pagination/total", total)?),
                    None => None,
                },
            })
        });
        Some(GraphqlRoute {
            document: document?,
            variables,
            resolve,
            unchanged,
            verify,
            output,
            pagination,
            max_page_size: raw.limits.map(|limits| limits.max_page_size),
        })
    }

    fn graphql_lookup(&mut self, pointer: &str, raw: &RawGraphqlLookup) -> Option<GraphqlLookup> {
        let document = self.document(
            &format!("{pointer}/operation"),
            &raw.operation,
            Operation::Read,
        );
        let variables = self.variables(
            &format!("{pointer}/variables"),
            &raw.variables,
            document.as_ref(),
        );
        let root = self.path(&format!("{pointer}/root"), &raw.root);
        let each = self.optional_expr(&format!("{pointer}/each"), raw.each.as_deref());
        let missing = self.optional_template(&format!("{pointer}/missing"), raw.missing.as_deref());
        Some(GraphqlLookup {
            document: document?,
            variables,
            root: root?,
            each,
            cache: raw.cache,
            missing,
        })
    }

    /// Variables that the card does not map take the input of the same name.
    fn variables(
        &mut self,
        pointer: &str,
        raw: &IndexMap<String, String>,
        document: Option<&GraphqlDocument>,
    ) -> IndexMap<String, Expr> {
        let mut variables = IndexMap::new();
        let Some(document) = document else {
            return variables;
        };
        for (name, text) in raw {
            let pointer = format!("{pointer}/{name}");
            if !document.variables.contains(name) {
                self.problem(
                    &pointer,
                    format!(
                        "the operation `{}` has no variable `${name}`",
                        document.operation_name
                    ),
                );
            } else if let Some(expr) = self.expr(&pointer, text) {
                variables.insert(name.clone(), expr);
            }
        }
        for name in &document.variables {
            if !raw.contains_key(name)
                && let Some(expr) = self.expr(pointer, name)
            {
                variables.insert(name.clone(), expr);
            }
        }
        variables
    }

    fn document(
        &mut self,
        pointer: &str,
        operation: &str,
        expected: Operation,
    ) -> Option<GraphqlDocument> {
        match self.documents.get(operation) {
            Some(document) if document.operation == expected => Some(document.clone()),
            Some(_) => {
                let expected = match expected {
                    Operation::Read => "query",
                    Operation::Write => "mutation",
                };
                self.problem(pointer, format!("`{operation}` is not a {expected}"));
                None
            }
            None => {
                let known: Vec<_> = self.documents.keys().map(String::as_str).collect();
                let message = format!("the document has no operation `{operation}`");
                let known = match known.is_empty() {
                    true => "no operation at all".to_owned(),
                    false => known.join(", "),
                };
                self.problem_with_help(pointer, message, format!("it has {known}"));
                None
            }
        }
    }

    fn rest(&mut self, raw: &RawRest) -> Option<RestRoute> {
        let method = Method::ALL
            .into_iter()
            .find(|method| method.as_str() == raw.method);
        if method.is_none() {
            let message = format!(
                "`{}` is not a method: expected GET, POST, PUT, PATCH or DELETE",
                raw.method
            );
            self.problem("/rest/method", message);
        }
        if method.is_some_and(|method| method.operation() != self.operation) {
            let message = format!("{} does not fit the card's operation", raw.method);
            self.problem("/rest/method", message);
        }
        let call = self.call("/rest", method, &raw.path, &raw.query, raw.body.as_ref());
        let mut resolve = IndexMap::new();
        for (name, lookup) in &raw.resolve {
            if let Some(lookup) = self.http_lookup(&format!("/rest/resolve/{name}"), lookup) {
                resolve.insert(name.clone(), lookup);
            }
        }
        let lookups = raw.resolve.iter();
        let lookups: Lookups<'_> = lookups
            .map(|(name, lookup)| (name.as_str(), lookup.each.is_some()))
            .collect();
        let unchanged = self.settled("/rest/unchanged", raw.unchanged.as_ref(), &lookups);
        let verify = self.verify("/rest/verify", raw.verify.as_ref(), &lookups);
        let output = self.output("/rest/output", &raw.output);
        let pagination = match &raw.pagination {
            Some(raw) => Some(HttpPagination {
                total: match &raw.total {
                    Some(total) => Some(self.path("/rest/pagination/total", total)?),
                    None => None,
                },
            }),
            None => None,
        };
        Some(RestRoute {
            call: call?,
            resolve,
            unchanged,
            verify,
            output,
            pagination,
        })
    }

    fn http_lookup(&mut self, pointer: &str, raw: &RawHttpLookup) -> Option<HttpLookup> {
        let call = self.call(pointer, Some(Method::Get), &raw.path, &raw.query, None);
        let root = match &raw.root {
            Some(root) => Some(self.path(&format!("{pointer}/root"), root)?),
            None => None,
        };
        let each = self.optional_expr(&format!("{pointer}/each"), raw.each.as_deref());
        let require = self.optional_expr(&format!("{pointer}/require"), raw.require.as_deref());
        let missing = self.optional_template(&format!("{pointer}/missing"), raw.missing.as_deref());
        Some(HttpLookup {
            call: call?,
            root,
            each,
            require,
            missing,
        })
    }

    fn call(
        &mut self,
        pointer: &str,
        method: Option<Method>,
        path: &str,
        query: &IndexMap<String, Value>,
        body: Option<&Value>,
    ) -> Option<RestCall> {
        let path_pointer = format!("{pointer}/path");
        if !path.starts_with('/') {
            self.problem(&path_pointer, "a path starts with `/`");
        }
        let path = self.template(&path_pointer, path);
        let mut templates = IndexMap::new();
        for (name, value) in query {
            let parts = self.query_parts(&format!("{pointer}/query/{name}"), value);
            templates.insert(name.clone(), parts);
        }
        let body = body.and_then(|body| self.value_template(&format!("{pointer}/body"), body));
        Some(RestCall {
            method: method?,
            path: path?,
            query: templates,
            body,
        })
    }

    fn query_parts(&mut self, pointer: &str, raw: &Value) -> Vec<Template> {
        let parts = match raw {
            Value::Array(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut templates = Vec::with_capacity(parts.len());
        for part in parts {
            match part.as_str() {
                Some(text) => templates.extend(self.template(pointer, text)),
                None => self.problem(pointer, "expected a text or a list of texts"),
            }
        }
        templates
    }

    fn cli(&mut self, raw: RawCli, graphql: bool, rest: bool) -> Option<CliRoute> {
        match (raw.api, raw.command) {
            (Some(kind), None) => {
                if raw.output.is_some() || !raw.args.is_empty() || !raw.json_fields.is_empty() {
                    self.problem(
                        "/cli/api",
                        "`api` sends what the other route sends and takes nothing else",
                    );
                }
                let (name, there) = match kind {
                    ApiKind::Graphql => ("graphql", graphql),
                    ApiKind::Rest => ("rest", rest),
                };
                if !there {
                    self.problem(
                        "/cli/api",
                        format!("the card declares no `{name}` route to send"),
                    );
                }
                Some(CliRoute::Api(kind))
            }
            (None, Some(command)) => {
                if self.operation == Operation::Write {
                    self.problem_with_help(
                        "/cli/command",
                        "a write cannot use a `gh` command: when it fails, nobody knows whether it happened",
                        "use `api: rest` or `api: graphql`",
                    );
                }
                if !only_reads(&command) {
                    self.problem_with_help(
                        "/cli/command",
                        format!("`gh {command}` is not known to be a read"),
                        "expected a command that ends in view, list, status or checks, or that starts with search; for anything else use `api: rest` or `api: graphql`",
                    );
                }
                if raw.json_fields.is_empty() {
                    self.problem("/cli/command", "a `gh` command needs `json_fields`");
                }
                let Some(output) = raw.output else {
                    self.problem("/cli/command", "a `gh` command needs an `output`");
                    return None;
                };
                let output = self.output("/cli/output", &output);
                let mut args = Vec::new();
                for (index, arg) in raw.args.iter().enumerate() {
                    args.extend(self.cli_arg(&format!("/cli/args/{index}"), arg));
                }
                Some(CliRoute::Command(Box::new(CliCommand {
                    command: command.split_whitespace().map(str::to_owned).collect(),
                    args,
                    json_fields: raw.json_fields,
                    output,
                    overfetch: raw.overfetch,
                    max_items: raw.limits.map(|limits| limits.max_items),
                })))
            }
            _ => {
                self.problem("/cli", "expected either `api` or `command`");
                None
            }
        }
    }

    fn cli_arg(&mut self, pointer: &str, raw: &Value) -> Option<CliArg> {
        if let Value::String(text) = raw {
            return self.template(pointer, text).map(CliArg::One);
        }
        let field = |name: &str| raw.get(name).and_then(Value::as_str);
        let fields = raw.as_object().map_or(0, serde_json::Map::len);
        match (fields, field("each"), field("when"), field("arg")) {
            (2, Some(each), None, Some(arg)) => Some(CliArg::Each {
                each: self.expr(&format!("{pointer}/each"), each)?,
                arg: self.template(&format!("{pointer}/arg"), arg)?,
            }),
            (2, None, Some(when), Some(arg)) => Some(CliArg::When {
                when: self.expr(&format!("{pointer}/when"), when)?,
                arg: self.template(&format!("{pointer}/arg"), arg)?,
            }),
            _ => {
                self.problem(pointer, "expected a text, `{each, arg}` or `{when, arg}`");
                None
            }
        }
    }

    fn verify(
        &mut self,
        pointer: &str,
        raw: Option<&RawSettled>,
        lookups: &Lookups<'_>,
    ) -> Option<Settled> {
        if raw.is_some() && self.operation != Operation::Write {
            self.problem(
                pointer,
                "`verify` is for writes: a read whose answer was lost is sent again",
            );
        }
        self.settled(pointer, raw, lookups)
    }

    fn settled(
        &mut self,
        pointer: &str,
        raw: Option<&RawSettled>,
        lookups: &Lookups<'_>,
    ) -> Option<Settled> {
        let raw = raw?;
        let from = format!("{pointer}/from");
        match lookups.get(raw.from.as_str()) {
            Some(false) => {}
            Some(true) => self.problem_with_help(
                &from,
                format!("`{}` is a lookup for each element of a list", raw.from),
                "the output's fields are read from one thing: name a lookup without `each`",
            ),
            None => self.problem(&from, format!("`resolve` has no `{}`", raw.from)),
        }
        let when = self.expr(&format!("{pointer}/when"), &raw.when)?;
        Some(Settled {
            when,
            from: raw.from.clone(),
        })
    }

    fn output(&mut self, pointer: &str, raw: &RawOutput) -> Output {
        let root = raw
            .root
            .as_ref()
            .and_then(|root| self.path(&format!("{pointer}/root"), root));
        let require = self.optional_expr(&format!("{pointer}/require"), raw.require.as_deref());
        let mut fields = IndexMap::new();
        for (name, value) in &raw.fields {
            if let Some(mapping) = self.mapping(&format!("{pointer}/fields/{name}"), value) {
                fields.insert(name.clone(), mapping);
            }
        }
        Output {
            root,
            require,
            fields,
        }
    }

    fn mapping(&mut self, pointer: &str, raw: &Value) -> Option<FieldMapping> {
        if let Value::String(text) = raw {
            return self.expr(pointer, text).map(FieldMapping::Value);
        }
        let nested = raw.get("fields").and_then(Value::as_object);
        let each = raw.get("each").and_then(Value::as_str);
        let keys = raw.as_object().map_or(0, serde_json::Map::len);
        let (Some(nested), true) = (nested, keys == 1 + usize::from(each.is_some())) else {
            self.problem(
                pointer,
                "expected an expression, `{fields}` or `{each, fields}`",
            );
            return None;
        };
        let mut fields = IndexMap::new();
        for (name, value) in nested {
            if let Some(mapping) = self.mapping(&format!("{pointer}/fields/{name}"), value) {
                fields.insert(name.clone(), mapping);
            }
        }
        match each {
            Some(each) => Some(FieldMapping::Each {
                each: self.expr(&format!("{pointer}/each"), each)?,
                fields,
            }),
            None => Some(FieldMapping::Object(fields)),
        }
    }

    fn follow_ups(&mut self, raw: &[RawFollowUp]) -> Vec<FollowUp> {
        let mut follow_ups = Vec::new();
        for (index, raw) in raw.iter().enumerate() {
            follow_ups.extend(self.follow_up(&format!("/next/{index}"), raw));
        }
        follow_ups
    }

    fn follow_up(&mut self, pointer: &str, raw: &RawFollowUp) -> Option<FollowUp> {
        let capability = self.id(&format!("{pointer}/capability"), &raw.capability);
        let input = self.value_template(&format!("{pointer}/input"), &raw.input);
        let when = match &raw.when {
            Some(when) => Some(self.expr(&format!("{pointer}/when"), when)?),
            None => None,
        };
        Some(FollowUp {
            capability: capability?,
            input: input?,
            when,
        })
    }

    fn id(&mut self, pointer: &str, text: &str) -> Option<CapabilityId> {
        CapabilityId::parse(text)
            .map_err(|error| self.problem(pointer, error.to_string()))
            .ok()
    }

    fn expr(&mut self, pointer: &str, text: &str) -> Option<Expr> {
        Expr::parse(text)
            .map_err(|error| self.bad_expr(pointer, error))
            .ok()
    }

    fn path(&mut self, pointer: &str, text: &str) -> Option<Path> {
        match self.expr(pointer, text)? {
            Expr::Path(path) => Some(path),
            _ => {
                self.problem(pointer, format!("`{text}` is not a path"));
                None
            }
        }
    }

    fn template(&mut self, pointer: &str, text: &str) -> Option<Template> {
        Template::parse(text)
            .map_err(|error| self.bad_expr(pointer, error))
            .ok()
    }

    fn optional_expr(&mut self, pointer: &str, text: Option<&str>) -> Option<Expr> {
        text.and_then(|text| self.expr(pointer, text))
    }

    fn optional_template(&mut self, pointer: &str, text: Option<&str>) -> Option<Template> {
        text.and_then(|text| self.template(pointer, text))
    }

    fn value_template(&mut self, pointer: &str, value: &Value) -> Option<ValueTemplate> {
        ValueTemplate::parse(value)
            .map_err(|(inner, error)| self.bad_expr(&format!("{pointer}{inner}"), error))
            .ok()
    }

    fn bad_expr(&mut self, pointer: &str, error: ExprError) {
        self.problems.push(Problem {
            pointer: pointer.to_owned(),
            offset: Some(error.offset),
            message: error.message,
            help: None,
        });
    }

    fn problem(&mut self, pointer: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            pointer: pointer.to_owned(),
            offset: None,
            message: message.into(),
            help: None,
        });
    }

    fn problem_with_help(
        &mut self,
        pointer: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problem(pointer, message);
        if let Some(problem) = self.problems.last_mut() {
            problem.help = Some(help.into());
        }
    }
}

/// Whether a `gh` command can be trusted to change nothing, whatever a card calls it.
fn only_reads(command: &str) -> bool {
    let words: Vec<_> = command.split_whitespace().collect();
    let plain = words
        .iter()
        .all(|word| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
    let reads = ["view", "list", "status", "checks"];
    plain
        && words.len() == 2
        && words[0] != "api"
        && !words.iter().any(|word| word.starts_with('-'))
        && (words[0] == "search" || reads.contains(&words[1]))
}

#[cfg(test)]
mod tests;
