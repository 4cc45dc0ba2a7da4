//! Tests of drafts: any observed calls yield a sound skill that makes the same calls.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use capstan_core::expr::{Scope, Segment};
use capstan_core::{Severity, Source};
use capstan_skill::{
    Contract, Draft, DraftError, DraftRequest, Library, Link, ObservedCall, OperationClass,
    OutsideCapability, Plan, Runs, SkillId, check, draft, read_text,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use time::macros::date;

fn outsider(operation: OperationClass, input: Value, output: Value) -> OutsideCapability {
    let schema = |schema: Value| (!schema.is_null()).then(|| Arc::new(schema));
    OutsideCapability {
        runs: Runs::Card("any".to_owned()),
        contract: Contract {
            input: schema(input),
            output: schema(output),
            operation,
            effects: Vec::new(),
        },
    }
}

/// Cards, a tool without known schemas, code, and schemas that are hard to copy.
fn outside() -> HashMap<String, OutsideCapability> {
    let place = json!({
        "type": "object",
        "properties": {
            "owner": {"type": "string"},
            "repo": {"type": "string"},
            "issue_number": {"type": "integer", "minimum": 1},
            "state": {"enum": ["open", "closed"], "default": "open"},
            "title": {"type": "string"},
        },
        "required": ["owner", "repo", "issue_number"],
        "additionalProperties": false,
    });
    let issue = json!({
        "type": "object",
        "properties": {
            "number": {"type": "integer"},
            "title": {"type": "string"},
            "state": {"type": "string"},
            "url": {"type": "string"},
            "author": {
                "type": "object",
                "properties": {"login": {"type": "string"}, "id": {"type": ["integer", "null"]}},
                "required": ["login"],
            },
            "labels": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["number", "title", "author", "labels"],
    });
    let comment = json!({
        "type": "object",
        "properties": {
            "owner": {"type": "string"},
            "repo": {"type": "string"},
            "issue_number": {"type": "integer"},
            "body": {"type": "string"},
            "state": {"type": "string"},
            "labels": {"type": "array", "items": {"type": "string"}},
            "more": {},
        },
        "required": ["owner", "repo", "issue_number", "body"],
    });
    let involved = json!({
        "type": "object",
        "properties": {
            "node": {"$ref": "#/$defs/node"},
            "name": {"$ref": "#/$defs/name"},
            "x": {"type": "string", "x-secret": true},
        },
        "required": ["node", "name"],
        "$defs": {
            "name": {"type": "string", "minLength": 1},
            "node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}},
        },
    });
    let (read, write) = (OperationClass::Read, OperationClass::Write);
    HashMap::from(
        [
            ("issue.view", outsider(read, place.clone(), issue.clone())),
            ("issue.edit", outsider(write, place, issue)),
            (
                "issue.comment",
                outsider(
                    write,
                    comment,
                    json!({"type": "object", "properties": {"url": {"type": "string"}}}),
                ),
            ),
            ("files.read", outsider(write, Value::Null, Value::Null)),
            ("weird: \"name\"", outsider(read, json!({}), Value::Null)),
            ("involved", outsider(read, involved, Value::Null)),
        ]
        .map(|(name, it)| (name.to_owned(), it)),
    )
}

fn drafted(
    calls: &[ObservedCall],
    intent: Option<&str>,
    id: Option<&str>,
) -> Result<Draft, DraftError> {
    let request = DraftRequest {
        calls,
        id,
        intent,
        origin: "trace 01kb6x7 of 2026-11-16",
    };
    let is_taken = |id: &str| id == "taken" || id == "issue.view";
    draft(&request, &outside(), &is_taken, date!(2026 - 11 - 16))
}

/// Returns the plan of a text that must be sound.
fn plan(text: &str) -> Plan {
    let read = read_text(&Source::new("draft.yaml", text));
    let (library, twice) = Library::new(read.skills);
    let outside = outside();
    let checked = check(&library, &outside, date!(2026 - 11 - 16));
    let all = read
        .diagnostics
        .iter()
        .chain(&twice)
        .chain(&checked.diagnostics);
    let errors: Vec<_> = all.filter(|it| it.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    checked.plan(&library.skills()[0]).unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn call(capability: &str, batch: u32, input: Value, output: Value) -> ObservedCall {
    ObservedCall {
        capability: capability.to_owned(),
        batch,
        ok: true,
        input: Some(object(input)),
        output: Some(output),
        ..ObservedCall::default()
    }
}

fn issue(number: u64) -> Value {
    json!({"number": number, "title": "Pump stalls", "author": {"login": "priya-nair"}, "labels": ["bug"]})
}

fn at(number: u64, more: Value) -> Value {
    let mut input = object(json!({"owner": "acme", "repo": "rocket", "issue_number": number}));
    input.extend(object(more));
    input.into()
}

/// Calls that read, then write with the result, then read again.
fn story() -> Vec<ObservedCall> {
    let comment = at(
        7,
        json!({"body": "$5 for whoever mends it", "labels": ["$a", "b: c"], "more": {"it's": [1, {"y": null}]}}),
    );
    let mut thanks = call(
        "issue.comment",
        1,
        at(9, json!({"body": "priya-nair"})),
        json!({"url": "https://example.test/2"}),
    );
    thanks.step = Some("thank/them".to_owned());
    vec![
        call("issue.view", 0, at(7, json!({"state": "open"})), issue(7)),
        call("issue.view", 0, at(9, json!({"state": "closed"})), issue(9)),
        call(
            "issue.comment",
            1,
            comment,
            json!({"url": "https://example.test/1"}),
        ),
        thanks,
        call("issue.view", 2, at(7, json!({})), issue(7)),
        ObservedCall {
            ok: false,
            ..call("issue.edit", 3, at(7, json!({})), Value::Null)
        },
    ]
}

#[test]
fn a_story_as_a_skill() {
    let draft = drafted(&story(), Some("Comment on the issues:\n both"), None).unwrap();
    plan(&draft.text);
    insta::assert_snapshot!(format!("{}\n{}", draft.text, draft.notes.join("\n")));
}

#[test]
fn a_chain_as_a_skill() {
    let link = |at: &str, from: usize, keys: &[&str]| Link {
        at: at.to_owned(),
        from,
        path: keys
            .iter()
            .map(|key| Segment::Key((*key).to_owned()))
            .collect(),
    };
    let mut comment = call(
        "issue.comment",
        0,
        at(7, json!({"labels": ["priya-nair", "x"]})),
        Value::Null,
    );
    comment.links = vec![
        link("/issue_number", 0, &["number"]),
        link("/labels/0", 0, &["author", "login"]),
    ];
    comment.hidden = BTreeSet::from(["body".to_owned()]);
    comment
        .input
        .as_mut()
        .unwrap()
        .insert("body".to_owned(), json!("[redacted]"));
    let first = ObservedCall {
        step: Some("issue".to_owned()),
        ..call("issue.view", 0, at(7, json!({})), issue(7))
    };
    let unknown = ObservedCall {
        input: None,
        ..call("files.read", 0, json!({}), Value::Null)
    };
    let draft = drafted(&[first, comment, unknown], None, Some("my.chain")).unwrap();
    plan(&draft.text);
    insta::assert_snapshot!(format!("{}\n{}", draft.text, draft.notes.join("\n")));
}

/// A write that waits for a read still comes first.
#[test]
fn writes_of_a_chain_keep_their_order() {
    let link = Link {
        at: "/issue_number".to_owned(),
        from: 0,
        path: vec![Segment::Key("number".to_owned())],
    };
    let calls = [
        call("issue.view", 0, at(7, json!({})), issue(7)),
        ObservedCall {
            links: vec![link],
            ..call("issue.edit", 0, at(7, json!({})), issue(7))
        },
        call("issue.comment", 0, at(7, json!({"body": "x"})), json!({})),
        call("issue.view", 1, at(7, json!({})), issue(7)),
    ];
    let draft = drafted(&calls, None, None).unwrap();
    let kept: Vec<_> = calls.iter().collect();
    let steps = ["view", "edit", "comment", "view-2"];
    assert_order(&plan(&draft.text), &steps, &kept);
}

#[test]
fn what_cannot_be_drafted_is_refused() {
    let many = |count: usize| vec![call("issue.view", 0, at(7, json!({})), issue(7)); count];
    let one = || many(1);
    let refused = |calls: &[ObservedCall], id| drafted(calls, None, id).unwrap_err().to_string();
    insta::assert_snapshot!(
        [
            refused(&[], None),
            refused(
                &[ObservedCall {
                    ok: false,
                    ..one().remove(0)
                }],
                None
            ),
            refused(&[call("elsewhere", 0, json!({}), json!({}))], None),
            refused(&many(101), None),
            refused(&one(), Some("no spaces")),
            refused(&one(), Some("issue.view")),
        ]
        .join("\n")
    );
    let taken = drafted(&one(), Some("Taken!"), None).unwrap();
    assert_eq!(taken.id.as_str(), "taken-2");
    assert!(drafted(&many(100), None, None).is_ok());
}

/// Generates texts that are special in files, and plain ones.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "",
            "$",
            "$$",
            "$input.owner",
            "$view.output.number",
            "$$x",
            "~",
            "null",
            "no",
            "0x1f",
            "1e3",
            "- a",
            "a: b",
            "# c",
            "&a",
            "*a",
            "!!str x",
            "<<",
            "|",
            ">",
            "---",
            "...",
            "\u{feff}",
            "\u{85}\u{2028}",
            "\u{202e}",
            "\0",
            "\u{1f600}",
            "%YAML",
            "{a: 1}",
            "[x",
            "'",
            "\"",
            "\\",
            "a\tb",
            "é日本",
            "[redacted]",
            "priya-nair",
            "acme",
            "open",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,12}",
        ".{0,12}",
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0..3000u64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(20, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Generates an input that the contract allows, with additional fields where these are allowed.
fn input_of(capability: &'static str) -> BoxedStrategy<Map<String, Value>> {
    let name = || prop::sample::select(vec!["acme", "rocket", "priya-nair"]).prop_map(Value::from);
    let number = || (1..4u64).prop_map(Value::from);
    let of_issue = move || {
        (name(), name(), number()).prop_map(|(owner, repo, number)| {
            object(json!({"owner": owner, "repo": repo, "issue_number": number}))
        })
    };
    let with =
        |base: BoxedStrategy<Map<String, Value>>, key: &'static str, more: BoxedStrategy<Value>| {
            (base, prop::option::of(more))
                .prop_map(move |(mut base, more)| {
                    base.extend(more.map(|more| (key.to_owned(), more)));
                    base
                })
                .boxed()
        };
    let texts = || text().prop_map(Value::from).boxed();
    match capability {
        "issue.view" | "issue.edit" => {
            let state = prop::sample::select(vec!["open", "closed"])
                .prop_map(Value::from)
                .boxed();
            with(with(of_issue().boxed(), "state", state), "title", texts())
        }
        "issue.comment" => {
            let base = (of_issue(), text()).prop_map(|(mut base, body)| {
                base.insert("body".to_owned(), body.into());
                base
            });
            let labels = prop::collection::vec(text(), 0..3)
                .prop_map(Value::from)
                .boxed();
            let base = with(
                with(base.boxed(), "labels", labels),
                "more",
                any_value().boxed(),
            );
            with(base, "state", texts())
        }
        "involved" => (any_value(), "[a-z]{1,9}", prop::option::of(text()))
            .prop_map(|(node, name, x)| {
                let mut input = object(json!({"node": {"next": {"value": node}}, "name": name}));
                input.extend(x.map(|x| ("x".to_owned(), x.into())));
                input
            })
            .boxed(),
        _ => prop::collection::btree_map(text(), any_value(), 0..4)
            .prop_map(|fields| fields.into_iter().collect())
            .boxed(),
    }
}

fn output() -> impl Strategy<Value = Option<Value>> {
    let of_issue = (1..4u64, text(), prop::option::of(text())).prop_map(|(number, title, url)| {
        let mut issue = issue(number);
        issue["title"] = title.into();
        if let Some(url) = url {
            issue["url"] = url.into();
        }
        issue
    });
    prop_oneof![
        3 => of_issue.prop_map(Some),
        1 => any_value().prop_map(Some),
        1 => Just(None),
    ]
}

fn observed() -> impl Strategy<Value = ObservedCall> {
    let names = vec![
        "issue.view",
        "issue.edit",
        "issue.comment",
        "files.read",
        "weird: \"name\"",
        "involved",
    ];
    prop::sample::select(names).prop_flat_map(|capability| {
        let parts = (
            input_of(capability),
            output(),
            prop::option::of(text()),
            any::<u8>(),
            prop::bool::weighted(0.9),
            prop::bool::weighted(0.9),
            any::<prop::sample::Index>(),
        );
        parts.prop_map(move |(input, output, step, chance, ok, kept, which)| {
            let names: Vec<_> = input.keys().cloned().collect();
            let hidden = match (names.is_empty(), chance % 8) {
                (false, 0) => BTreeSet::from([which.get(&names).clone()]),
                _ => BTreeSet::new(),
            };
            ObservedCall {
                capability: capability.to_owned(),
                step,
                batch: u32::from(chance / 64),
                ok,
                input: kept.then_some(input),
                hidden,
                links: Vec::new(),
                output,
            }
        })
    })
}

/// Generates calls with links to others, most of which lead nowhere.
fn calls() -> impl Strategy<Value = Vec<ObservedCall>> {
    let link = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0..4usize,
    );
    let links = prop::collection::vec(link, 0..3);
    (prop::collection::vec(observed(), 1..7), links).prop_map(|(mut calls, links)| {
        for (of, from, name, path) in links {
            let (of, from) = (of.index(calls.len()), from.index(calls.len()));
            let Some(input) = calls[of].input.clone().filter(|it| !it.is_empty()) else {
                continue;
            };
            let names: Vec<_> = input.keys().cloned().collect();
            let key = |key: &str| Segment::Key(key.to_owned());
            let path = match path {
                0 => vec![key("number")],
                1 => vec![key("title")],
                2 => vec![key("author"), key("login")],
                _ => vec![key("labels"), Segment::Index(0)],
            };
            let name = name.get(&names);
            let value = calls[from].output.as_ref().and_then(|output| {
                path.iter().try_fold(output, |at, segment| match segment {
                    Segment::Key(key) => at.get(key),
                    _ => at.get(0),
                })
            });
            // A linked value equals the output of the other call.
            let Some(value) = value.cloned() else {
                continue;
            };
            if calls[of].hidden.contains(name)
                || calls[of].links.iter().any(|it| it.at == pointer(name))
            {
                continue;
            }
            let at = pointer(name);
            calls[of]
                .input
                .as_mut()
                .unwrap()
                .insert(name.clone(), value);
            calls[of].links.push(Link { at, from, path });
        }
        calls
    })
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Checks that writes keep their order, and that reads stay after the writes of earlier batches.
fn assert_order(plan: &Plan, steps: &[&str], kept: &[&ObservedCall]) {
    let mut before: Vec<BTreeSet<usize>> = Vec::new();
    for node in &plan.nodes {
        let indirect = node.after.iter().flat_map(|it| before[*it].clone());
        before.push(indirect.chain(node.after.iter().copied()).collect());
    }
    let node = |step: usize| {
        let mut nodes = plan.leaves();
        let found = nodes.find(|(_, node, _)| node.name == steps[step]);
        found.map(|(index, ..)| index).unwrap()
    };
    let known = outside();
    let writes =
        |step: usize| known[&kept[step].capability].contract.operation == OperationClass::Write;
    for later in 0..kept.len() {
        for earlier in (0..later).filter(|it| writes(*it)) {
            if writes(later) || kept[earlier].batch < kept[later].batch {
                let waits = before[node(later)].contains(&node(earlier));
                assert!(
                    waits,
                    "{} does not wait for {}",
                    steps[later], steps[earlier]
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_draft_is_sound_and_asks_for_the_same(calls in calls(), intent in prop::option::of(text())) {
        let mut kept: Vec<&ObservedCall> = calls.iter().filter(|it| it.ok).collect();
        kept.sort_by_key(|it| it.batch);
        let draft = drafted(&calls, intent.as_deref(), None);
        if kept.is_empty() {
            prop_assert!(matches!(draft, Err(DraftError::Nothing(_))));
            return Ok(());
        }
        let draft = draft.unwrap();
        prop_assert!(SkillId::parse(draft.id.as_str()).is_ok());
        let plan = plan(&draft.text);
        let read = read_text(&Source::new("draft.yaml", draft.text.as_str()));
        let steps: Vec<_> = read.skills[0].composes.iter().collect();
        let capabilities: Vec<_> = steps.iter().map(|it| it.skill.value.as_str()).collect();
        let expected: Vec<_> = kept.iter().map(|it| it.capability.as_str()).collect();
        prop_assert_eq!(capabilities, expected);
        let by_name: HashMap<&str, &ObservedCall> =
            steps.iter().map(|it| it.step_name()).zip(kept.iter().copied()).collect();
        let mut names = Map::new();
        let stated = read.skills[0].input_schema.as_ref().map(|it| it.value.clone()).unwrap_or_default();
        let examples = object(stated["properties"].clone())
            .into_iter()
            .filter_map(|(name, it)| Some((name, it.get("examples")?.get(0)?.clone())));
        let examples: Map<_, _> = examples.collect();
        let has_examples = !stated.is_null();
        names.insert("input".to_owned(), examples.into());
        for (name, call) in &by_name {
            if let Some(output) = &call.output {
                names.insert((*name).to_owned(), json!({"output": output}));
            }
        }
        assert_order(&plan, &steps.iter().map(|it| it.step_name()).collect::<Vec<_>>(), &kept);
        let scope = Scope::new(&Value::Null, &names);
        for (_, node, leaf) in plan.leaves() {
            let call = by_name[node.name.as_str()];
            let Some(input) = &call.input else { continue };
            let given: BTreeMap<&str, Option<Value>> = node
                .inputs
                .iter()
                .map(|(name, given)| (name.as_str(), given.eval(&scope)))
                .collect();
            for (name, value) in input.iter().filter(|(name, _)| !call.hidden.contains(*name)) {
                let is_example = node.inputs.iter().any(|(it, given)| {
                    it == name && given.paths().iter().any(|path| path.to_string().starts_with("$input."))
                });
                match given.get(name.as_str()) {
                    // Deep values, and values of schemas that cannot be copied, have no example.
                    Some(None) => prop_assert!(is_example, "{name}\n{}", draft.text),
                    Some(Some(given)) => prop_assert_eq!(given, value, "{}\n{}", name, draft.text),
                    None => {
                        let schema = leaf.input.as_deref().unwrap();
                        prop_assert_eq!(&schema["properties"][name]["default"], value);
                    }
                }
            }
            for (name, given) in given {
                // Nothing is passed that was not passed before, unless its input was not recorded.
                let invented = !input.contains_key(name) && given.is_some();
                prop_assert!(!invented || !has_examples, "{name}\n{}", draft.text);
            }
        }
    }
}
