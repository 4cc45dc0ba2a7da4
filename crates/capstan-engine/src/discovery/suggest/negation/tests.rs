//! NegationTracker by example.

use capstan_core::card::{Kind, Operation};
use proptest::prelude::*;

use super::*;
use crate::discovery::find::Hit;

fn hit(id: &str, operation: Operation) -> Hit {
    Hit {
        id: id.to_owned(),
        description: String::new(),
        operation,
        kind: Kind::Card,
        is_generated: false,
        fqdn: None,
        score: 1.0,
        why: None,
        reliability: None,
    }
}

#[test]
fn negations_are_told_from_descriptions() {
    let (close, list) = (
        hit("issue.close", Operation::Write),
        hit("issue.list", Operation::Read),
    );
    for (text, hit, expected) in [
        ("do not merge it", &close, true),
        ("don't close it yet", &close, true),
        ("DON’T close it", &close, true),
        ("*do* **not** close it", &close, true),
        ("please do not ever close it", &close, true),
        ("close it as not planned", &close, false),
        ("mark it as not closed", &close, true),
        ("merge it", &close, false),
        ("close issue no 3", &close, false),
        ("comment \"do not merge\" on it", &close, false),
        ("list issues that are not closed", &list, false),
        ("list issues that are not closed", &close, true),
        ("list issues with no label", &list, false),
        ("list issues we did not create", &list, false),
        ("list all issues but the closed ones", &list, true),
        ("do not forget to close it", &close, false),
        ("not only close it", &close, false),
        ("keep the open issue 3 on top", &close, false),
        ("keep issue 3 open", &close, true),
        ("it is no longer needed", &close, false),
        ("close it because we never got an answer", &close, false),
        ("close it because you must not merge it", &close, true),
        ("there is nothing left to do", &close, false),
        ("can't you close it", &close, false),
        ("can't close it", &close, true),
        ("do not leave it open", &close, false),
        ("leave a comment", &close, false),
        ("cancel the merge", &close, true),
        ("add the do-not-merge label", &close, false),
        ("issue 3 nicht schließen", &close, true),
        ("不要关闭问题 3", &close, true),
    ] {
        let found = find_negation(text, 0);
        let is_negated = found.as_ref().is_some_and(|it| it.applies_to(hit));
        assert_eq!(is_negated, expected, "{text}: {found:?}");
    }
}

#[test]
fn what_cancels_may_be_asked_for() {
    let cancel = hit("workflow.runs.cancel", Operation::Write);
    let found = find_negation("cancel the pending merge run", 0);
    assert!(!found.is_some_and(|it| it.applies_to(&cancel)));
}

#[test]
fn a_bare_negation_is_about_what_was_said_before() {
    for (text, expected) in [
        ("never", true),
        ("don't", true),
        ("no, not really", true),
        ("not issue 4", false),
        ("do not merge it", false),
    ] {
        let found = find_negation(text, 0).map(|it| it.retracts_previous(text));
        assert_eq!(found, Some(expected), "{text}");
    }
}

proptest! {
    #[test]
    fn whatever_is_said_is_read(text in any::<String>(), from in 0..8_usize) {
        if let Some(found) = find_negation(&text, from) {
            prop_assert!(found.start <= text.len());
        }
    }
}
