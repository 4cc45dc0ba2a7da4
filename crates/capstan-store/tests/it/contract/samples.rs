//! Sample data.

use capstan_core::code::{
    Capability, CodeHash, DisplayName, Edge, EdgeKind, EdgeSource, Evidence, Fqdn, Mode, Node,
    Observation, Scope, Trace, TraceCall, TraceId, TraceState, Use, Visibility,
};
use capstan_core::port::{
    Added, CodeFilter, CodeSummary, Direction, Exported, Learned, NewCapability, NewEdge, Resolved,
    Store, Via, Viewer,
};
use serde_json::{Value, json};

/// Returns the hash that begins with these digits, followed by zeros.
pub(crate) fn hash(beginning: &str) -> CodeHash {
    CodeHash::parse(&format!("{beginning:0<64}")).unwrap()
}

pub(crate) fn scope(text: &str) -> Scope {
    let (org, project) = text.split_once('.').unwrap();
    Scope::new(org, project).unwrap()
}

pub(crate) fn name(text: &str) -> DisplayName {
    DisplayName::parse(text).unwrap()
}

pub(crate) fn fqdn(text: &str) -> Fqdn {
    Fqdn::parse(text).unwrap()
}

pub(crate) fn viewer(scope_: &str, user: &str) -> Viewer {
    Viewer {
        scope: scope(scope_),
        user: user.to_owned(),
    }
}

/// The owner of what `new` creates.
pub(crate) fn ann() -> Viewer {
    viewer("local.default", "ann")
}

/// Another user in the scope of `ann`.
pub(crate) fn bob() -> Viewer {
    viewer("local.default", "bob")
}

pub(crate) fn used(ok: bool, latency_ms: f64, at: i64) -> Use {
    Use { ok, latency_ms, at }
}

/// Code whose hash begins with these digits and that calls `issue.view`.
pub(crate) fn new(beginning: &str) -> NewCapability {
    NewCapability {
        by: ann(),
        hash: hash(beginning),
        code: format!("return {beginning:?}"),
        intent: format!("say {beginning}"),
        namespace: "issue".to_owned(),
        parameters: json!({"type": "object"}),
        calls: vec!["issue.view".to_owned()],
        used: used(true, 10.0, 1000),
        trace: None,
    }
}

pub(crate) fn new_in(scope_: &str, beginning: &str) -> NewCapability {
    NewCapability {
        by: viewer(scope_, "ann"),
        ..new(beginning)
    }
}

/// The same code as `new`, with content that only this user would write.
pub(crate) fn new_by(by: &Viewer, beginning: &str) -> NewCapability {
    let Viewer { scope, user } = by;
    NewCapability {
        by: by.clone(),
        code: format!("return {beginning:?} // {user} in {scope}"),
        intent: format!("what {user} wants in {scope}"),
        parameters: json!({"type": "object", "properties": {format!("{user}-{scope}"): {}}}),
        ..new(beginning)
    }
}

pub(crate) fn calling(beginning: &str, calls: &[&str]) -> NewCapability {
    NewCapability {
        calls: calls.iter().map(|&call| call.to_owned()).collect(),
        ..new(beginning)
    }
}

pub(crate) fn exported(beginning: &str, name_: &str) -> Exported {
    Exported {
        name: name(name_),
        aliases: Vec::new(),
        namespace: "issue".to_owned(),
        visibility: Visibility::Project,
        hash: hash(beginning),
        code: format!("return {beginning:?}"),
        intent: format!("say {beginning}"),
        parameters: Value::Bool(true),
        calls: vec!["issue.view".to_owned()],
    }
}

/// Returns code as an end of relations.
pub(crate) fn code(fqdn: &Fqdn) -> Node {
    Node::Code(fqdn.clone())
}

/// Returns a card, a tool or a skill as an end of relations.
pub(crate) fn card(id: &str) -> Node {
    Node::Named(id.to_owned())
}

pub(crate) fn edge(from: &Node, to: &Node, kind: EdgeKind, source: EdgeSource) -> NewEdge {
    NewEdge {
        from: from.clone(),
        to: to.clone(),
        kind,
        source,
        at: 1000,
    }
}

/// An observation of a relation, `times` times.
pub(crate) fn seen(from: &Node, to: &Node, kind: EdgeKind, times: u64) -> Observation {
    Observation {
        from: from.clone(),
        to: to.clone(),
        kind,
        times,
        evidence: Evidence::Called,
    }
}

/// A trace that started at `at` and called these capabilities.
pub(crate) fn trace(at: i64, calls: &[&str]) -> Trace {
    let call = |(position, &capability): (usize, &&str)| TraceCall {
        capability: capability.to_owned(),
        code: None,
        step: None,
        within: None,
        batch: position as u32,
        started_us: 10,
        duration_us: 20,
        ok: true,
        error_code: None,
        error: None,
        outcome: None,
        input: json!({"number": position}),
        output: Value::Null,
    };
    Trace {
        id: TraceId::new(at, 0),
        mode: Mode::Direct,
        state: TraceState::Ended,
        intent: None,
        capability: None,
        input: Value::Null,
        follows: None,
        started_at: at,
        duration_us: 100,
        ok: true,
        error_code: None,
        error: None,
        calls: calls.iter().enumerate().map(call).collect(),
        console: Vec::new(),
        console_cut: false,
    }
}

/// Registers code and names it.
pub(crate) async fn named(store: &dyn Store, new: NewCapability, name_: &str) -> Capability {
    let at = new.used.at;
    let made = store.register(new).await.unwrap();
    let record = store
        .rename(&made.record.fqdn, &name(name_), at)
        .await
        .unwrap();
    Capability { record, ..made }
}

/// Returns the viewer's record of this code in their own scope: their own, or else the oldest
/// visible one.
pub(crate) async fn known(
    store: &dyn Store,
    viewer: &Viewer,
    hash: &CodeHash,
) -> Option<Capability> {
    let seen = store.list(viewer, &CodeFilter::default()).await.unwrap();
    seen.into_iter()
        .filter(|it| it.pattern.hash == *hash && it.record.scope == viewer.scope)
        .min_by_key(|it| {
            let record = &it.record;
            let of_another = record.owner != viewer.user;
            (of_another, record.created_at, record.fqdn.clone())
        })
}

/// Returns what `summaries` reports for a capability.
pub(crate) fn summary(of: Capability) -> CodeSummary {
    let properties = of.pattern.parameters["properties"].as_object();
    let mut parameters: Vec<_> = properties.into_iter().flat_map(|it| it.keys()).collect();
    parameters.sort();
    CodeSummary {
        parameters: parameters.into_iter().cloned().collect(),
        intent: of.pattern.intent,
        calls: of.pattern.calls,
        record: of.record,
    }
}

/// States a relation.
pub(crate) async fn state(
    store: &dyn Store,
    viewer: &Viewer,
    (from, to): (&Node, &Node),
    kind: EdgeKind,
    source: EdgeSource,
) -> Added {
    let added = store.add_edge(viewer, edge(from, to, kind, source)).await;
    added.unwrap()
}

/// Adds a trace that started at `at`, and learns the observations from it.
pub(crate) async fn learn(
    store: &dyn Store,
    viewer: &Viewer,
    at: i64,
    seen: Vec<Observation>,
) -> Learned {
    let trace = trace(at, &[]);
    store.add_trace(viewer, trace.clone()).await.unwrap();
    store.learn(viewer, &trace.id, seen).await.unwrap()
}

/// Returns the relations of a node that the viewer sees, in both directions.
pub(crate) async fn edges_of(store: &dyn Store, viewer: &Viewer, node: &Node) -> Vec<Edge> {
    let found = store.edges(viewer, node, Direction::Both).await;
    found.unwrap()
}

/// Returns the display names of what the viewer sees.
pub(crate) async fn listed(store: &dyn Store, viewer: &Viewer, filter: CodeFilter) -> Vec<String> {
    let found = store.list(viewer, &filter).await.unwrap();
    let names = found.into_iter().map(|it| it.record.name.to_string());
    names.collect()
}

/// Returns what a name means, in short.
pub(crate) async fn meaning(store: &dyn Store, viewer: &Viewer, name: &str) -> Meaning {
    match store.resolve(viewer, name).await.unwrap() {
        Resolved::Found(found, via) => Meaning::One(found.record.fqdn, via),
        Resolved::Several(all) => Meaning::Several(all),
        Resolved::Nothing => Meaning::Nothing,
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meaning {
    One(Fqdn, Via),
    Several(Vec<Fqdn>),
    Nothing,
}
