//! Tests of what code has in common with other code.

use capstan_core::code::{EdgeKind, Evidence, Timestamp};
use capstan_graph::{CodeFacts, related};

use crate::samples::{code, fqdn};

fn facts(action: &str, calls: &[&str], created_at: Timestamp, similarity: f32) -> CodeFacts {
    CodeFacts {
        fqdn: fqdn(action),
        calls: calls.iter().copied().map(str::to_owned).collect(),
        created_at,
        similarity: Some(similarity),
    }
}

#[test]
fn half_of_the_others_calls_make_a_sequence() {
    let new = facts("new", &["a", "b", "c"], 9, 0.0);
    let half = facts("half", &["a", "x"], 1, 0.0);
    let less = facts("less", &["a", "x", "y"], 1, 0.0);
    let none = facts("none", &[], 1, 0.0);
    let found = related(&new, &[less, half, none, new.clone()]);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0].from, &found[0].to),
        (&code("new"), &code("half"))
    );
    assert_eq!((found[0].kind, found[0].times), (EdgeKind::Sequence, 1));
    assert_eq!(
        found[0].evidence,
        Evidence::SharedCalls(vec!["a".to_owned()])
    );
}

#[test]
fn alike_intents_with_other_calls_make_an_alternative() {
    let new = facts("new", &["a"], 5, 0.0);
    let older = facts("older", &["b"], 1, 0.95);
    let newer = facts("newer", &["b"], 9, 0.95);
    let same_calls = facts("same", &["a"], 1, 0.99);
    let not_alike = facts("not", &["b"], 1, 0.9);
    let broken = facts("broken", &["b"], 1, f32::NAN);
    let all = related(&new, &[older, newer, same_calls, not_alike, broken]);
    let shown = all.iter().map(|it| (&it.from, &it.to, it.kind.as_str()));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            (&code("new"), &code("older"), "alternative"),
            (&code("new"), &code("same"), "sequence"),
            (&code("newer"), &code("new"), "alternative"),
        ]
    );
    assert!(matches!(all[0].evidence, Evidence::AlikeIntents(it) if (it - 0.95).abs() < 1e-6));
}

/// The same is learned about two pieces of code, whichever is the new one.
#[test]
fn it_does_not_matter_which_is_looked_at() {
    let old = facts("old", &["a", "b"], 1, 0.95);
    let new = facts("new", &["a"], 2, 0.95);
    let ends = |one: &CodeFacts, other: &CodeFacts| -> Vec<_> {
        let all = related(one, std::slice::from_ref(other)).into_iter();
        all.map(|it| (it.from, it.to, it.kind)).collect()
    };
    let expected = [EdgeKind::Alternative, EdgeKind::Sequence];
    let expected = expected.map(|kind| (code("new"), code("old"), kind));
    assert_eq!(ends(&new, &old), expected);
    assert_eq!(ends(&old, &new), expected);
}
