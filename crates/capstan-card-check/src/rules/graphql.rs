//! Checks the `graphql` route: documents, lookups, variables, output, paging, and unused
//! selections.

use apollo_compiler::ExecutableDocument;
use apollo_compiler::validation::Valid;

use capstan_core::Route;
use capstan_core::card::{Card, GraphqlDocument, GraphqlLookup, GraphqlRoute, Operation};
use capstan_core::expr::{Expr, Path, Segment};

use crate::finding::{DOCUMENT, Finding, PATH, REQUEST, TYPE};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::rules::output;
use crate::rules::request::{input_type, inputs_used, lookup_scope, missing, request_scope};
use crate::rules::{refusal, settled, unused, variables};
use crate::schema::GithubSchema;
use crate::selection::answer_type;
use crate::ty::{Kind, Texts, Ty};

pub(crate) fn check(card: &Card, route: &GraphqlRoute, schema: &GithubSchema) -> Vec<Finding> {
    let mut rule = Graphql {
        checker: Checker::default(),
        schema,
        answers: Vec::new(),
    };
    let input = input_type(card, &mut rule.checker);
    let mut scope = request_scope(card, &input);
    for (name, lookup) in &route.resolve {
        let found = rule.lookup(lookup, &scope, &format!("/graphql/resolve/{name}"));
        scope = scope.with(name, found);
    }
    let answer = rule.operation(&route.document, "/graphql/operation", |rule, document| {
        let operation = document
            .operations
            .get(Some(&route.document.operation_name));
        if let Ok(operation) = operation {
            let (checker, pointer) = (&mut rule.checker, "/graphql/variables");
            variables::check(
                checker,
                schema,
                operation,
                &route.variables,
                &scope,
                pointer,
            );
        }
    });
    if let Some(answer) = answer {
        rule.answer(card, route, &answer, &scope);
    }
    let stands = settled::StandInLookups {
        unchanged: route.unchanged.as_ref(),
        verify: route.verify.as_ref(),
        output: &route.output,
        pointer: "/graphql",
    };
    settled::check(&mut rule.checker, card, &stands, &scope, &input);
    let refuse = route.refuse.as_ref();
    refusal::check(&mut rule.checker, card, refuse, &scope, "/graphql/refuse");
    unused::check(&mut rule.checker, &rule.answers);
    // A document that does not validate has no variables that could read the inputs.
    if rule
        .checker
        .findings
        .iter()
        .all(|finding| finding.code != DOCUMENT)
    {
        inputs_used(&mut rule.checker, card, &input, Route::Graphql, &[]);
    }
    rule.checker.findings
}

struct Graphql<'a> {
    checker: Checker,
    schema: &'a GithubSchema,
    /// The types of the documents' answers, with the pointer of each.
    answers: Vec<(String, Ty)>,
}

impl Graphql<'_> {
    /// Returns the type of an operation's answer; `None` if its document is invalid.
    fn operation(
        &mut self,
        document: &GraphqlDocument,
        pointer: &str,
        variables: impl FnOnce(&mut Self, &Valid<ExecutableDocument>),
    ) -> Option<Ty> {
        let parsed = match self.schema.document(&document.text) {
            Ok(parsed) => parsed,
            Err(problems) => {
                for problem in problems {
                    let message = if document.is_named {
                        format!("`{}`: {}", document.operation_name, problem.message)
                    } else {
                        problem.message
                    };
                    self.checker
                        .report(Finding::new(DOCUMENT, pointer, message));
                }
                return None;
            }
        };
        variables(self, &parsed);
        let operation = parsed.operations.get(Some(&document.operation_name)).ok()?;
        let answer = answer_type(self.schema, &parsed, operation, &mut self.checker.places);
        self.answers.push((pointer.to_owned(), answer.clone()));
        Some(answer)
    }

    fn lookup(&mut self, lookup: &GraphqlLookup, scope: &TypeScope, pointer: &str) -> Ty {
        let scope = lookup_scope(&mut self.checker, lookup.each.as_ref(), scope, pointer);
        let operation = format!("{pointer}/operation");
        let answer = self.operation(&lookup.document, &operation, |rule, document| {
            let name = Some(lookup.document.operation_name.as_str());
            if let Ok(operation) = document.operations.get(name) {
                let pointer = format!("{pointer}/variables");
                let (checker, schema) = (&mut rule.checker, rule.schema);
                variables::check(
                    checker,
                    schema,
                    operation,
                    &lookup.variables,
                    &scope,
                    &pointer,
                );
            }
        });
        let Some(answer) = answer else {
            return Ty::any();
        };
        let root_pointer = format!("{pointer}/root");
        let root = output::path_type(
            &mut self.checker,
            &lookup.root,
            &answer,
            &scope,
            &root_pointer,
        );
        if let Some(again) = &lookup.again {
            let pointer = format!("{pointer}/again");
            let at = ExprLocation {
                pointer: &pointer,
                code: PATH,
            };
            let inside = scope.with_this(root.clone().present());
            self.checker.infer(again, &inside, at);
        }
        if lookup.optional {
            return Ty { null: true, ..root };
        }
        let found = self.picked(lookup.pick.as_ref(), &root, &scope, pointer);
        let scope = scope.with("found", root.present());
        missing(&mut self.checker, lookup.missing.as_ref(), &scope, pointer);
        // A missing value fails the call, so the value is not null. If a list input is absent, the
        // result is an empty list.
        match lookup.each {
            Some(_) => Ty::list(found.present()),
            None => found.present(),
        }
    }

    /// Returns the type of what a lookup picks from its root.
    fn picked(&mut self, pick: Option<&Expr>, root: &Ty, scope: &TypeScope, pointer: &str) -> Ty {
        let Some(pick) = pick else {
            return root.clone();
        };
        let pointer = format!("{pointer}/pick");
        let at = ExprLocation {
            pointer: &pointer,
            code: PATH,
        };
        let inside = scope.with_this(root.clone().present());
        self.checker.infer(pick, &inside, at)
    }

    fn answer(&mut self, card: &Card, route: &GraphqlRoute, answer: &Ty, scope: &TypeScope) {
        if card.operation == Operation::Write {
            self.payload(route.output.root.as_ref(), answer);
        }
        let whole = output::Answer {
            ty: answer.clone(),
            names: scope,
        };
        output::check(
            &mut self.checker,
            card,
            &route.output,
            &whole,
            "/graphql/output",
        );
        if let Some(pagination) = &route.pagination {
            let paths = [
                (
                    "has_next_page",
                    Some(&pagination.has_next_page),
                    Kind::Boolean,
                ),
                (
                    "end_cursor",
                    Some(&pagination.end_cursor),
                    Kind::Text(Texts::All),
                ),
                ("total", pagination.total.as_ref(), Kind::Integer),
            ];
            for (name, value, expected) in paths {
                let Some(value) = value else { continue };
                let pointer = format!("/graphql/pagination/{name}");
                let at = ExprLocation {
                    pointer: &pointer,
                    code: PATH,
                };
                let ty = self
                    .checker
                    .infer(value, &scope.with_this(answer.clone()), at);
                let same = std::mem::discriminant(&ty.kind) == std::mem::discriminant(&expected);
                if !same && !matches!(ty.kind, Kind::Any) {
                    let message = format!("this is {}, not {}", ty.kind.name(), expected.name());
                    self.checker.report(Finding::new(TYPE, pointer, message));
                }
            }
        }
    }

    /// Checks that the root of a write starts at the mutation's field. If GitHub refuses the write,
    /// that field is null; with another root the failure would look like an answer.
    fn payload(&mut self, root: Option<&Path>, answer: &Ty) {
        let Kind::Object(object) = &answer.kind else {
            return;
        };
        let first = root.and_then(|root| root.segments.first());
        let through = matches!(first, Some(Segment::Key(key)) if object.fields.contains_key(key));
        // A path that does not exist is reported elsewhere.
        if !through && root.is_none() {
            let known: Vec<_> = object.fields.keys().map(String::as_str).collect();
            let message =
                "a write's output starts at the mutation's payload, but this one has no root";
            let help = format!("start `root` with {}", known.join(" or "));
            self.checker
                .report(Finding::new(REQUEST, "/graphql/output", message).with_help(help));
        }
    }
}
