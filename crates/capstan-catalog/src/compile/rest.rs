//! Compiles the `rest` route: calls and lookups.

use indexmap::IndexMap;
use serde_json::Value;

use capstan_core::card::{
    Card, FileParts, HttpLookup, HttpPagination, Operation, RawInput, RestCall, RestRoute,
    ServiceParts,
};
use capstan_core::expr::Template;
use capstan_core::{AnswerFormat, ApiHost, Method};

use super::compiler::Compiler;
use super::settled::Lookups;
use crate::defaults::OutputSchema;
use crate::raw::{RawContent, RawFileParts, RawHttpLookup, RawRest};

impl Compiler<'_> {
    pub(super) fn rest(&mut self, raw: &RawRest, schema: &OutputSchema<'_>) -> Option<RestRoute> {
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
        if raw.reads && method != Some(Method::Post) {
            self.problem("/rest/reads", "only a POST can be marked as a read");
        }
        let operation = match method {
            Some(method) if !raw.reads => method.operation(),
            _ => Operation::Read,
        };
        if method.is_some() && operation != self.operation {
            let message = format!("{} does not fit the card's operation", raw.method);
            self.problem("/rest/method", message);
        }
        let call = self.call("/rest", method, &raw.path, &raw.query, raw.body.as_ref());
        let accept = raw.accept.clone();
        if accept
            .as_deref()
            .is_some_and(|accept| !is_media_type(accept))
        {
            let example = "such as `application/vnd.github.text-match+json`";
            self.problem("/rest/accept", format!("expected a media type, {example}"));
        }
        let is_for_reads = raw.answer == AnswerFormat::YesOrNo || raw.answer.has_parts();
        if is_for_reads && operation == Operation::Write {
            self.problem("/rest/answer", "only a read can have such an answer");
        }
        if raw.file.is_some() && !raw.answer.has_parts() {
            let message = "only an answer with `answer: file`, `log` or `diff` has parts";
            self.problem("/rest/file", message);
        }
        let file = raw.file.as_ref().map(|parts| self.file_parts(parts));
        if raw.raw.is_some() && (raw.body.is_some() || matches!(method, Some(Method::Get))) {
            let message = "a request has one body: `body` or `raw`, and a GET has none";
            self.problem("/rest/raw", message);
        }
        let content = raw.raw.as_ref().map(|content| self.raw_input(content));
        let service = self.service_parts(raw);
        let mut resolve = IndexMap::new();
        for (name, lookup) in &raw.resolve {
            if let Some(lookup) = self.http_lookup(&format!("/rest/resolve/{name}"), lookup) {
                resolve.insert(name.clone(), lookup);
            }
        }
        let seal = self.sealed_inputs(raw);
        let lookups = raw.resolve.iter();
        let lookups: Lookups<'_> = lookups
            .map(|(name, lookup)| (name.as_str(), lookup.each.is_some()))
            .collect();
        let unchanged = self.settled("/rest/unchanged", raw.unchanged.as_ref(), &lookups);
        let refuse = self.refusal("/rest/refuse", raw.refuse.as_ref());
        let verify = self.verify("/rest/verify", raw.verify.as_ref(), &lookups);
        let output = match &raw.output {
            Some(output) => self.output("/rest/output", output),
            None => self.no_output("/rest", &schema.missing_required(|_| false)),
        };
        let pagination = match &raw.pagination {
            Some(raw) => Some(HttpPagination {
                style: raw.style,
                total: match &raw.total {
                    Some(total) => Some(self.path("/rest/pagination/total", total)?),
                    None => None,
                },
                incomplete: match &raw.incomplete {
                    Some(flag) => Some(self.path("/rest/pagination/incomplete", flag)?),
                    None => None,
                },
            }),
            None => None,
        };
        Some(RestRoute {
            call: RestCall {
                accept,
                operation,
                answer: raw.answer,
                raw: content,
                host: raw.host,
                file: file.unwrap_or_default(),
                service,
                ..call?
            },
            resolve,
            seal,
            unchanged,
            refuse,
            verify,
            output,
            pagination,
        })
    }

    fn file_parts(&mut self, raw: &RawFileParts) -> FileParts {
        let mut part = |name: &str, text: &Option<String>| {
            self.optional_template(&format!("/rest/file/{name}"), text.as_deref())
        };
        FileParts {
            entry: part("entry", &raw.entry),
            lines: part("lines", &raw.lines),
            tail: part("tail", &raw.tail),
            find: part("find", &raw.find),
        }
    }

    /// Checks that the card has the input that is sent as the body.
    pub(super) fn check_raw_input(&mut self, card: &Card) {
        let raw = card.rest.as_ref().and_then(|rest| rest.call.raw.as_ref());
        let Some(input) = raw.map(|raw| &raw.input) else {
            return;
        };
        if card.input_schema["properties"].get(input).is_none() {
            let message = format!("`input_schema` has no `{input}`");
            self.problem("/rest/raw/input", message);
        }
    }

    fn raw_input(&mut self, raw: &RawContent) -> RawInput {
        let mut part = |name: &str, text: &Option<String>| {
            self.optional_template(&format!("/rest/raw/{name}"), text.as_deref())
        };
        RawInput {
            input: raw.input.clone(),
            media_type: part("media_type", &raw.media_type),
            name: part("name", &raw.name),
        }
    }

    fn http_lookup(&mut self, pointer: &str, raw: &RawHttpLookup) -> Option<HttpLookup> {
        let call = self.call(pointer, Some(Method::Get), &raw.path, &raw.query, None);
        let root = match &raw.root {
            Some(root) => Some(self.path(&format!("{pointer}/root"), root)?),
            None => None,
        };
        let each = self.optional_expr(&format!("{pointer}/each"), raw.each.as_deref());
        let pick = self.optional_expr(&format!("{pointer}/pick"), raw.pick.as_deref());
        let require = self.optional_expr(&format!("{pointer}/require"), raw.require.as_deref());
        let missing = self.optional_template(&format!("{pointer}/missing"), raw.missing.as_deref());
        let mend = self.lookup_mend(pointer, raw.mend.as_ref());
        Some(HttpLookup {
            call: call?,
            root,
            each,
            pick,
            require,
            missing,
            mend,
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
        let method = method?;
        Some(RestCall {
            operation: method.operation(),
            method,
            path: path?,
            query: templates,
            body,
            raw: None,
            host: ApiHost::Api,
            accept: None,
            answer: AnswerFormat::default(),
            file: FileParts::default(),
            service: ServiceParts::default(),
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
}

/// Returns whether the text is `type/subtype` without parameters, in characters that a header
/// allows.
fn is_media_type(text: &str) -> bool {
    let is_name = |name: &str| {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "!#$&^_.+-".contains(c);
        !name.is_empty() && name.chars().all(is_allowed)
    };
    text.split_once('/')
        .is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype))
}
