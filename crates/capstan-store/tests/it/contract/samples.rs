//! Things to keep, made up.

use capstan_core::code::{
    Capability, CodeHash, DisplayName, EdgeKind, EdgeSource, Fqdn, Mode, Scope, Trace, TraceCall,
    TraceId, Use, Visibility,
};
use capstan_core::port::{Exported, Filter, NewCapability, NewEdge, Resolved, Store, Via, Viewer};
use serde_json::{Value, json};

/// The hash that begins like this and goes on with zeros.
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

/// Who owns what `new` makes.
pub(crate) fn ann() -> Viewer {
    viewer("local.default", "ann")
}

pub(crate) fn used(ok: bool, latency_ms: f64, at: i64) -> Use {
    Use { ok, latency_ms, at }
}

/// Code with a hash that begins like this, which calls `issue.view`.
pub(crate) fn new(beginning: &str) -> NewCapability {
    NewCapability {
        scope: Scope::default(),
        owner: "ann".to_owned(),
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
        scope: scope(scope_),
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

pub(crate) fn edge(from: &str, to: &str, kind: EdgeKind, source: EdgeSource) -> NewEdge {
    NewEdge {
        from: from.to_owned(),
        to: to.to_owned(),
        kind,
        source,
        at: 1000,
    }
}

/// A trace that started then, and called these.
pub(crate) fn trace(at: i64, calls: &[&str]) -> Trace {
    let call = |(position, &capability): (usize, &&str)| TraceCall {
        capability: capability.to_owned(),
        within: None,
        batch: position as u32,
        started_us: 10,
        duration_us: 20,
        ok: true,
        error_code: None,
        error: None,
        input: json!({"number": position}),
        output: Value::Null,
    };
    Trace {
        id: TraceId::new(at, 0),
        mode: Mode::Direct,
        intent: None,
        capability: None,
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

/// Registered, and given a name.
pub(crate) async fn named(store: &dyn Store, new: NewCapability, name_: &str) -> Capability {
    let (scope, hash, at) = (new.scope.clone(), new.hash.clone(), new.used.at);
    let fqdn = store.register(new).await.unwrap().record.fqdn;
    store.rename(&fqdn, &name(name_), at).await.unwrap();
    store.by_hash(&scope, &hash).await.unwrap().unwrap()
}

/// The display names of what somebody sees.
pub(crate) async fn listed(store: &dyn Store, viewer: &Viewer, filter: Filter) -> Vec<String> {
    let found = store.list(viewer, &filter).await.unwrap();
    let names = found.into_iter().map(|it| it.record.name.to_string());
    names.collect()
}

/// What a name means, in short.
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
