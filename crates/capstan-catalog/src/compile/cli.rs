//! Compiles the `cli` route: the request of another route, or a `gh` command that only reads.

use serde_json::Value;

use capstan_core::card::{ApiKind, CliArg, CliCommand, CliRoute, Operation};

use super::compiler::Compiler;
use crate::defaults::OutputSchema;
use crate::raw::RawCli;

impl Compiler<'_> {
    pub(super) fn cli(
        &mut self,
        raw: RawCli,
        graphql: bool,
        rest: bool,
        is_only_http: bool,
        schema: &OutputSchema<'_>,
    ) -> Option<CliRoute> {
        match (raw.api, raw.command) {
            (Some(kind), None) => {
                if raw.output.is_some() || raw.args.is_some() || !raw.json_fields.is_empty() {
                    self.problem(
                        "/cli/api",
                        "`api` sends the request of the other route and takes no other keys",
                    );
                }
                let (name, there) = match kind {
                    ApiKind::Graphql => ("graphql", graphql),
                    ApiKind::Rest => ("rest", rest),
                };
                if !there {
                    self.problem(
                        "/cli/api",
                        format!("the card has no `{name}` route whose request could be sent"),
                    );
                }
                if kind == ApiKind::Rest && is_only_http {
                    self.problem(
                        "/cli/api",
                        "`gh` cannot send a request for a file, a log or a diff, or one with a body \
                         that is not JSON: leave `cli` out",
                    );
                }
                Some(CliRoute::Api(kind))
            }
            (None, Some(command)) => {
                if self.operation == Operation::Write {
                    self.problem_with_help(
                        "/cli/command",
                        "a write cannot use a `gh` command: if it fails, nobody knows whether the \
                         write happened",
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
                let output = match &raw.output {
                    Some(output) => self.output("/cli/output", output),
                    None => {
                        let missing = schema
                            .missing_required(|name| raw.json_fields.iter().any(|it| it == name));
                        self.no_output("/cli/command", &missing)
                    }
                };
                let mut args = Vec::new();
                for (index, arg) in raw.args.iter().flatten().enumerate() {
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
}

/// Returns whether a `gh` command is known to change nothing, whatever operation the card declares.
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
