//! `dep.add`: adds a relation that the caller states.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::code::{EdgeKind, EdgeSource};

use super::view;
use crate::discovery::relation_warnings;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "dep.add",
    description: "State how two capabilities are related",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "from": view::capability_schema("contains, precedes, uses or replaces the other"),
            "to": view::capability_schema("the other"),
            "type": view::kind_schema(),
            "source": view::source_schema(),
        });
        (properties, &["from", "to", "type"])
    },
    example: || json!({"from": "issue.close", "to": "issue.view", "type": "dependency"}),
    intents: &[
        "relate two capabilities",
        "say that one capability depends on another",
        "add a dependency between tools",
        "mark a capability as an alternative of another",
        "this always comes after that",
        "link two capabilities",
        "note that one tool needs another first",
        "declare a dependency",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = |field| input::text(work.input, field).unwrap_or_default();
    let kind = view::kind(work.input).unwrap_or(EdgeKind::Sequence);
    let source = view::source(work.input).unwrap_or(EdgeSource::Manual);
    let (from, to) = (given("from"), given("to"));
    let added = work
        .engine
        .discovery
        .add_relation(from, to, kind, source)
        .await?;
    let warnings = relation_warnings(&added, kind, source);
    let mut data = view::row(&added.edge);
    if let Some(before) = added.replaced {
        data.insert("replaced".to_owned(), before.as_str().into());
    }
    Ok(ActionOutput {
        warnings,
        data: Value::Object(data),
    })
}
