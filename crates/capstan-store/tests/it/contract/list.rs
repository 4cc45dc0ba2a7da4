//! What somebody sees, chosen and cut.

use capstan_core::code::Visibility;
use capstan_core::port::{CodeFilter, NewCapability, StoreError};
use serde_json::{Value, json};

use super::*;

pub(crate) async fn is_in_the_order_of_names(backend: &Backend) {
    let store = backend.open();
    for (beginning, name) in [
        ("a", "b"),
        ("b", "C"),
        ("c", "a"),
        ("d", "a-b"),
        ("e", "a_b"),
    ] {
        named(&*store, new(beginning), name).await;
    }
    let all = listed(&*store, &ann(), CodeFilter::default()).await;
    assert_eq!(all, ["C", "a", "a-b", "a_b", "b"]);
}

pub(crate) async fn is_filtered(backend: &Backend) {
    let store = backend.open();
    let one = named(&*store, calling("a", &["issue.view", "pr.list"]), "one").await;
    store
        .set_visibility(&one.record.fqdn, Visibility::Org, 1)
        .await
        .unwrap();
    let in_pr = NewCapability {
        namespace: "pr".to_owned(),
        ..calling("b", &["pr.list", "pr.list"])
    };
    named(&*store, in_pr, "two").await;
    store.register(calling("c", &[])).await.unwrap();
    named(&*store, new("d"), "unnamed_thing").await;
    named(&*store, new("e"), "unnamed_ABCDEF0123").await;

    let check = async |filter: CodeFilter, expected: &[&str]| {
        assert_eq!(
            listed(&*store, &ann(), filter.clone()).await,
            expected,
            "{filter:?}"
        );
    };
    let none = CodeFilter::default;
    let namespace = Some("pr".to_owned());
    check(
        CodeFilter {
            namespace,
            ..none()
        },
        &["two"],
    )
    .await;
    let visibility = Some(Visibility::Org);
    check(
        CodeFilter {
            visibility,
            ..none()
        },
        &["one"],
    )
    .await;
    let calls = |id: &str| Some(id.to_owned());
    check(
        CodeFilter {
            calls: calls("pr.list"),
            ..none()
        },
        &["one", "two"],
    )
    .await;
    check(
        CodeFilter {
            calls: calls("pr"),
            ..none()
        },
        &[],
    )
    .await;
    check(
        CodeFilter {
            named: Some(true),
            ..none()
        },
        &["one", "two", "unnamed_thing"],
    )
    .await;
    let unnamed = ["unnamed_ABCDEF0123", "unnamed_c0000000"];
    check(
        CodeFilter {
            named: Some(false),
            ..none()
        },
        &unnamed,
    )
    .await;
    let both = CodeFilter {
        calls: calls("pr.list"),
        visibility,
        ..none()
    };
    check(both, &["one"]).await;
}

pub(crate) async fn globs_match_names_aliases_and_fqdns(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("a"), "read-config").await;
    named(&*store, new("b"), "read-file").await;
    let in_pr = NewCapability {
        namespace: "pr".to_owned(),
        ..new("c")
    };
    named(&*store, in_pr, "merge").await;
    for (glob, expected) in [
        ("read-*", &["read-config", "read-file"][..]),
        ("*-f?le", &["read-file"]),
        ("merge", &["merge"]),
        ("merg", &[]),
        ("MERGE", &[]),
        ("unnamed_b*", &["read-file"]),
        ("local.default.pr.*", &["merge"]),
        ("*", &["merge", "read-config", "read-file"]),
        ("?????", &["merge"]),
        ("", &[]),
    ] {
        let filter = CodeFilter {
            glob: Some(glob.to_owned()),
            ..CodeFilter::default()
        };
        assert_eq!(listed(&*store, &ann(), filter).await, expected, "{glob}");
    }
}

pub(crate) async fn brackets_in_globs_mean_themselves(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("a"), "x").await;
    for glob in ["[x]", "[a-z]", "[^y]", "[", "[[]", "%", "\\x", "_"] {
        let filter = CodeFilter {
            glob: Some(glob.to_owned()),
            ..CodeFilter::default()
        };
        assert!(listed(&*store, &ann(), filter).await.is_empty(), "{glob}");
    }
}

pub(crate) async fn a_glob_without_end_is_refused(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("a"), &"a".repeat(100)).await;
    let filter = |glob: String| CodeFilter {
        glob: Some(glob),
        ..CodeFilter::default()
    };
    let error = store.list(&ann(), &filter("*".repeat(100_000))).await;
    assert!(matches!(error, Err(StoreError::Refused(_))));
    // Ends, although there are many ways to try.
    let hard = filter(format!("{}b", "*a".repeat(90)));
    assert!(listed(&*store, &ann(), hard).await.is_empty());
}

pub(crate) async fn is_cut_into_pages(backend: &Backend) {
    let store = backend.open();
    for digit in 0..5 {
        named(&*store, new(&digit.to_string()), &format!("n{digit}")).await;
    }
    // Those that are not seen are not counted.
    named(
        &*store,
        NewCapability {
            by: bob(),
            ..new("9")
        },
        "n1x",
    )
    .await;
    for (limit, offset, expected) in [
        (Some(2), 0, &["n0", "n1"][..]),
        (Some(2), 2, &["n2", "n3"]),
        (Some(2), 4, &["n4"]),
        (None, 3, &["n3", "n4"]),
        (Some(0), 0, &[]),
        (Some(u64::MAX), u64::MAX, &[]),
    ] {
        let filter = CodeFilter {
            limit,
            offset,
            ..CodeFilter::default()
        };
        assert_eq!(listed(&*store, &ann(), filter).await, expected);
    }
}

/// Whatever is asked for, and whoever asks.
pub(crate) async fn summaries_say_the_same_in_short(backend: &Backend) {
    let store = backend.open();
    let schemas = [
        json!({"type": "object", "properties": {"z": {"type": "string"}, "a": {}}}),
        json!({"properties": []}),
        Value::Bool(true),
        Value::Null,
        json!([{"a": 1}]),
    ];
    let people = [ann(), bob(), viewer("local.other", "ann")];
    let mut schemas = schemas.iter().cycle();
    for who in &people {
        for (place, beginning) in ["a", "b", "c", "d"].into_iter().enumerate() {
            let new = NewCapability {
                namespace: ["issue", "pr"][place % 2].to_owned(),
                calls: vec![["issue.view", "pr.list"][place / 2].to_owned()],
                parameters: schemas.next().unwrap().clone(),
                ..new_by(who, beginning)
            };
            let fqdn = store.register(new).await.unwrap().record.fqdn;
            if place > 0 {
                let called = name(&format!("{}-{beginning}", who.user));
                store.rename(&fqdn, &called, 1).await.unwrap();
            }
            let visibility = Visibility::ALL[place];
            store.set_visibility(&fqdn, visibility, 1).await.unwrap();
        }
    }

    let mut seen = 0;
    for who in &people {
        for filter in filters() {
            let found = store.list(who, &filter).await.unwrap();
            seen += found.len();
            let expected: Vec<_> = found.into_iter().map(summary).collect();
            let short = store.summaries(who, &filter).await.unwrap();
            assert_eq!(short, expected, "{filter:?} for {who:?}");
        }
    }
    assert!(seen > 0);
    let endless = CodeFilter {
        glob: Some("*".repeat(100_000)),
        ..CodeFilter::default()
    };
    let error = store.summaries(&ann(), &endless).await;
    assert!(matches!(error, Err(StoreError::Refused(_))));
}

/// Each way to choose, with each other.
fn filters() -> Vec<CodeFilter> {
    fn each<T: Clone>(
        all: &[CodeFilter],
        values: &[T],
        set: fn(&mut CodeFilter, T),
    ) -> Vec<CodeFilter> {
        let with = |filter: &CodeFilter, value: &T| {
            let mut filter = filter.clone();
            set(&mut filter, value.clone());
            filter
        };
        let ways = |filter| values.iter().map(move |value| with(filter, value));
        all.iter().flat_map(ways).collect()
    }
    let some = |text: &str| Some(text.to_owned());
    let all = vec![CodeFilter::default()];
    let all = each(&all, &[None, some("ann-*")], |it, glob| it.glob = glob);
    let all = each(&all, &[None, some("pr")], |it, one| it.namespace = one);
    let visibilities = [None, Some(Visibility::Private), Some(Visibility::Org)];
    let all = each(&all, &visibilities, |it, one| it.visibility = one);
    let all = each(&all, &[None, some("pr.list")], |it, one| it.calls = one);
    let all = each(&all, &[None, Some(true), Some(false)], |it, one| {
        it.named = one;
    });
    let all = each(&all, &[None, Some(2)], |it, limit| it.limit = limit);
    each(&all, &[0, 1], |it, offset| it.offset = offset)
}
