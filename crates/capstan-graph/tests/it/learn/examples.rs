//! Realistic traces, and what they teach.

use capstan_core::code::{Mode, Trace, TraceCall};
use serde_json::{Value, json};

use super::traces::{batch, call, data, failed, learned, of_kind, step, trace, within};
use crate::samples::{code, fqdn, named};

fn by_code(action: &str, call: TraceCall) -> TraceCall {
    TraceCall {
        code: Some(fqdn(action)),
        ..call
    }
}

#[test]
fn who_is_called_is_contained_as_often_as_it_is_called() {
    let calls = vec![
        by_code("triage", call("triage", 0, 90)),
        within(0, call("issue.view", 10, 20)),
        within(0, call("issue.view", 30, 40)),
        within(0, failed(call("issue.close", 50, 60))),
        within(0, by_code("inner", call("inner", 70, 80))),
        within(4, call("issue.view", 75, 76)),
    ];
    let (triage, inner) = (code("triage"), code("inner"));
    assert_eq!(
        of_kind(&trace(Mode::ByName, calls), "contains"),
        [
            format!("{inner} contains issue.view"),
            format!("{triage} contains {inner}"),
            format!("{triage} contains issue.view ×2"),
        ]
    );
}

#[test]
fn code_that_came_with_the_call_contains_what_it_called() {
    let whole = Trace {
        capability: Some(fqdn("new").to_string()),
        ..trace(Mode::Direct, vec![call("issue.view", 0, 10)])
    };
    assert_eq!(
        learned(&whole),
        [format!("{} contains issue.view", code("new"))]
    );
    for nothing in [
        Trace {
            ok: false,
            ..whole.clone()
        },
        Trace {
            capability: None,
            ..whole.clone()
        },
        Trace {
            capability: Some("no full name".to_owned()),
            ..whole.clone()
        },
        Trace {
            mode: Mode::Single,
            ..whole.clone()
        },
        Trace {
            mode: Mode::Suggestion,
            ..whole
        },
    ] {
        assert_eq!(learned(&nothing), Vec::<String>::new(), "{nothing:?}");
    }
}

#[test]
fn what_fails_contains_nothing_and_own_actions_are_passed_through() {
    let calls = vec![
        call("skill", 0, 90),
        within(0, call("cap.something", 10, 20)),
        within(1, call("issue.view", 12, 14)),
        within(0, failed(call("broken", 30, 40))),
        within(3, call("repo.view", 32, 34)),
        within(3, call("repo.list", 36, 38)),
    ];
    assert_eq!(
        learned(&trace(Mode::Skill, calls)),
        ["repo.view sequence repo.list", "skill contains issue.view"]
    );
}

#[test]
fn what_comes_next_follows_what_ended_last() {
    let calls = vec![
        call("a", 0, 10),
        // Sent together.
        batch(1, call("b", 10, 20)),
        batch(1, call("c", 10, 30)),
        // Overlaps with them.
        call("d", 25, 40),
        call("e", 40, 50),
        failed(call("x", 50, 60)),
        call("cap.list", 60, 70),
        call("e", 70, 80),
        call("a", 80, 90),
    ];
    assert_eq!(
        learned(&trace(Mode::Direct, calls)),
        [
            "a sequence b",
            "a sequence c",
            "a sequence d",
            "b sequence e",
            "c sequence e",
            "d sequence e",
            "e sequence a",
        ]
    );
}

#[test]
fn many_calls_of_one_follow_once() {
    let mut calls: Vec<_> = (0..20).map(|_| batch(1, call("view", 0, 10))).collect();
    calls.push(call("label", 20, 30));
    calls.push(call("view", 30, 40));
    calls.push(call("label", 40, 50));
    assert_eq!(
        learned(&trace(Mode::Direct, calls)),
        ["label sequence view", "view sequence label ×2"]
    );
}

#[test]
fn a_clock_that_stands_still_leaves_the_order_of_batches() {
    let calls = vec![
        batch(2, call("b", 5, 5)),
        batch(1, call("a", 5, 5)),
        batch(3, call("c", 5, 9)),
    ];
    assert_eq!(
        learned(&trace(Mode::Direct, calls)),
        ["a sequence b", "b sequence c"]
    );
}

#[test]
fn only_siblings_follow_each_other() {
    let calls = vec![
        call("outer", 0, 50),
        within(0, call("a", 1, 10)),
        call("b", 60, 70),
        within(2, call("c", 61, 69)),
    ];
    assert_eq!(
        of_kind(&trace(Mode::Direct, calls), "sequence"),
        ["outer sequence b"]
    );
}

#[test]
fn a_session_is_a_sequence_too() {
    let after = |mode: Mode, calls: Vec<TraceCall>| Trace {
        follows: Some(named("repo.view")),
        ..trace(mode, calls)
    };
    let single = after(Mode::Single, vec![call("issue.list", 0, 10)]);
    assert_eq!(
        learned(&single),
        ["repo.view sequence issue.list in session"]
    );
    let same = after(Mode::Single, vec![call("repo.view", 0, 10)]);
    assert_eq!(learned(&same), Vec::<String>::new());
    let broken = after(Mode::Single, vec![failed(call("issue.list", 0, 10))]);
    assert_eq!(learned(&broken), Vec::<String>::new());
    let own = Trace {
        follows: Some(named("cap.list")),
        ..single
    };
    assert_eq!(learned(&own), Vec::<String>::new());
    let skill = after(
        Mode::Skill,
        vec![call("brief", 0, 10), within(0, call("issue.view", 1, 9))],
    );
    assert_eq!(
        learned(&skill),
        [
            "brief contains issue.view",
            "repo.view sequence brief in session"
        ]
    );
    let direct = Trace {
        capability: Some(fqdn("new").to_string()),
        ..after(Mode::Direct, vec![call("issue.view", 1, 9)])
    };
    assert_eq!(
        of_kind(&direct, "sequence"),
        [format!("repo.view sequence {} in session", code("new"))]
    );
    let chain = after(
        Mode::Chain,
        vec![
            batch(0, call("issue.create", 0, 10)),
            batch(0, call("label.list", 0, 10)),
            batch(
                0,
                data(
                    json!({"number": "$0.data.number"}),
                    json!(null),
                    call("issue.close", 0, 10),
                ),
            ),
        ],
    );
    assert_eq!(
        learned(&chain),
        [
            "issue.close dependency issue.create /number→/number",
            "issue.create sequence issue.close",
            "repo.view sequence issue.create in session",
            "repo.view sequence label.list in session",
        ]
    );
}

#[test]
fn references_of_chains_are_dependencies_and_sequences() {
    let calls = vec![
        batch(0, step("issue", call("issue.create", 0, 10))),
        batch(0, failed(step("lost", call("issue.view", 0, 10)))),
        batch(
            0,
            data(
                json!({"id": "$issue.data.id", "to": ["$0.data.rows[0].x", "$lost.data.y", "$9.data.z", "$$0.data.id"]}),
                json!(null),
                call("label.add", 0, 10),
            ),
        ),
        // Both texts name the same step, and count once.
        batch(
            0,
            data(
                json!({"a": "$0.data.id"}),
                json!(null),
                call("label.add", 0, 10),
            ),
        ),
        // Within code such texts are plain texts.
        within(3, call("x", 1, 2)),
        within(
            3,
            data(json!({"a": "$0.data.id"}), json!(null), call("y", 3, 4)),
        ),
    ];
    assert_eq!(
        learned(&trace(Mode::Chain, calls)),
        [
            "issue.create sequence label.add ×2",
            "label.add dependency issue.create ×2 /id→/a /id→/id /rows/0/x→/to/0",
            "label.add contains x",
            "label.add contains y",
            "x sequence y",
        ]
    );
}

#[test]
fn a_value_that_was_given_and_used_is_a_dependency() {
    let calls = vec![
        data(
            json!({"owner": "octo", "repo": "hello"}),
            json!({"items": [{"number": 7, "id": "I_abc", "repo": "hello"}], "total": 30}),
            call("issue.list", 0, 10),
        ),
        data(
            json!({"owner": "octo", "repo": "hello", "issue_number": 7, "first": 30}),
            json!({"number": 7, "author": {"login": "octocat"}, "state": "open"}),
            call("issue.view", 20, 30),
        ),
        data(
            json!({"id": "I_abc", "assignees": ["octocat"], "state": "open"}),
            json!(null),
            call("issue.assign", 40, 50),
        ),
    ];
    assert_eq!(
        of_kind(&trace(Mode::Direct, calls), "dependency"),
        [
            "issue.assign dependency issue.list /items/0/id→/id",
            "issue.assign dependency issue.view /author/login→/assignees/0",
            "issue.view dependency issue.list /items/0/number→/issue_number",
        ]
    );
}

#[test]
fn what_was_known_before_is_no_dependency() {
    let gives = |calls: Vec<TraceCall>| of_kind(&trace(Mode::ByName, calls), "dependency");
    let giver = || {
        within(
            0,
            data(
                json!({}),
                json!({"name": "hello-world"}),
                call("give", 10, 20),
            ),
        )
    };
    let user = || {
        within(
            0,
            data(
                json!({"repo": "hello-world"}),
                json!(null),
                call("use", 30, 40),
            ),
        )
    };
    let top = |input| data(input, json!(null), call("top", 0, 90));
    let expected = "use dependency give /name→/repo";
    assert_eq!(gives(vec![top(json!({})), giver(), user()]), [expected]);
    // Given by the caller.
    assert_eq!(
        gives(vec![
            top(json!({"deep": {"r": "hello-world"}})),
            giver(),
            user()
        ]),
        Vec::<String>::new()
    );
    // In an input before a call gave it, even of a failed call or one that is not a node.
    for early in [
        failed(within(
            0,
            data(json!("hello-world"), json!(null), call("other", 1, 5)),
        )),
        within(
            0,
            data(
                json!(["hello-world"]),
                json!(null),
                call("cap.list", 12, 15),
            ),
        ),
    ] {
        assert_eq!(
            gives(vec![top(json!({})), early, giver(), user()]),
            Vec::<String>::new()
        );
    }
    // In its own input.
    let echo = within(
        0,
        data(
            json!({"q": "hello-world"}),
            json!({"name": "hello-world"}),
            call("give", 10, 20),
        ),
    );
    assert_eq!(
        gives(vec![top(json!({})), echo, user()]),
        Vec::<String>::new()
    );
    // After that it may be known to all.
    let later = within(
        0,
        data(
            json!({"x": "hello-world"}),
            json!(null),
            call("later", 50, 60),
        ),
    );
    assert_eq!(
        gives(vec![top(json!({})), giver(), user(), later]),
        ["later dependency give /name→/x", expected]
    );
}

#[test]
fn what_the_caller_gave_to_code_is_no_dependency() {
    let calls = vec![
        data(
            json!({"repo": "hello"}),
            json!({"items": [{"number": 7}, {"number": 12}, {"number": 30}]}),
            call("issue.list", 0, 10),
        ),
        data(
            json!({"issue_number": 12}),
            json!(null),
            call("issue.view", 20, 30),
        ),
    ];
    let gives = |input: Value| {
        let direct = trace(Mode::Direct, calls.clone());
        of_kind(&Trace { input, ..direct }, "dependency")
    };
    let dependency = ["issue.view dependency issue.list /items/1/number→/issue_number"];
    for other in [json!(null), json!({}), json!({"n": 7, "deep": [13]})] {
        assert_eq!(gives(other), dependency);
    }
    // The part that was not kept may contain the same value.
    let cut = json!({"cut": "5000 bytes"});
    for given in [json!({"n": 12}), json!({"deep": [{"n": 12}]}), cut.clone()] {
        assert_eq!(gives(given), Vec::<String>::new());
    }
    let mut by_name = vec![data(cut, json!(null), call("files.code", 0, 90))];
    by_name.extend(calls.into_iter().map(|call| within(0, call)));
    assert_eq!(
        of_kind(&trace(Mode::ByName, by_name), "dependency"),
        Vec::<String>::new()
    );
}

#[test]
fn only_what_is_over_and_ok_gives_something() {
    let gives = |giver: TraceCall, user: TraceCall| {
        of_kind(&trace(Mode::Direct, vec![giver, user]), "dependency")
    };
    let giver = || data(json!(null), json!({"id": "I_abc"}), call("give", 0, 10));
    let user = || data(json!({"id": "I_abc"}), json!(null), call("use", 10, 20));
    assert_eq!(gives(giver(), user()), ["use dependency give /id→/id"]);
    assert_eq!(gives(failed(giver()), user()), Vec::<String>::new());
    assert_eq!(gives(giver(), failed(user())), Vec::<String>::new());
    assert_eq!(
        gives(batch(1, giver()), batch(1, user())),
        Vec::<String>::new()
    );
    assert_eq!(
        gives(
            TraceCall {
                duration_us: 11,
                ..giver()
            },
            user()
        ),
        Vec::<String>::new()
    );
    assert_eq!(
        gives(
            giver(),
            TraceCall {
                capability: "give".to_owned(),
                ..user()
            }
        ),
        Vec::<String>::new()
    );
}

#[test]
fn what_is_cut_or_masked_teaches_nothing() {
    let gives = |output, input| {
        let calls = vec![
            data(json!(null), output, call("give", 0, 10)),
            data(input, json!(null), call("use", 10, 20)),
        ];
        of_kind(&trace(Mode::Direct, calls), "dependency")
    };
    for (output, input) in [
        (json!({"cut": "5000 bytes"}), json!({"cut": "5000 bytes"})),
        (json!({"cut": "5000 bytes"}), json!({"text": "5000 bytes"})),
        (
            json!({"token": "[redacted]"}),
            json!({"token": "[redacted]"}),
        ),
        (
            json!({"a": "x [redacted] y"}),
            json!({"a": "x [redacted] y"}),
        ),
        (json!({"[redacted]": "a text"}), json!({"a": "a text"})),
    ] {
        assert_eq!(
            gives(output.clone(), input),
            Vec::<String>::new(),
            "{output}"
        );
    }
    let beside = gives(
        json!({"token": "[redacted]", "id": "I_abc"}),
        json!({"id": "I_abc"}),
    );
    assert_eq!(beside, ["use dependency give /id→/id"]);
}

#[test]
fn of_several_that_gave_it_the_last_counts_and_the_right_name() {
    let calls = vec![
        data(json!(null), json!({"sha": "abcdef"}), call("first", 0, 10)),
        data(
            json!(null),
            json!({"a": {"x": "abcdef"}, "head": {"sha": "abcdef"}}),
            call("second", 10, 20),
        ),
        data(
            json!({"sha": "abcdef", "ref": "abcdef"}),
            json!(null),
            call("use", 20, 30),
        ),
    ];
    assert_eq!(
        of_kind(&trace(Mode::Direct, calls), "dependency"),
        ["use dependency second /a/x→/ref /head/sha→/sha"]
    );
}

#[test]
fn small_numbers_need_the_right_name() {
    let gives = |output, input| {
        let calls = vec![
            data(json!(null), output, call("give", 0, 10)),
            data(input, json!(null), call("use", 10, 20)),
        ];
        of_kind(&trace(Mode::Direct, calls), "dependency").len()
    };
    assert_eq!(gives(json!({"number": 3}), json!({"issueNumber": 3})), 1);
    assert_eq!(gives(json!({"number": 3}), json!({"retries": 3})), 0);
    assert_eq!(
        gives(
            json!({"milestone": {"number": 3}}),
            json!({"issue_number": 3})
        ),
        0
    );
    assert_eq!(gives(json!({"number": 34}), json!({"anything": 34})), 1);
    assert_eq!(
        gives(json!({"total_count": 34}), json!({"anything": 34})),
        0
    );
    assert_eq!(gives(json!({"number": 34}), json!({"limit": 34})), 0);
}
