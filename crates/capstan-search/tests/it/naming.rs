//! Names find their documents in any spelling.

use capstan_search::{Document, Exact};

use crate::support::{catalogue, check_first, document, index, put, search};

#[test]
fn ids_come_first() {
    let index = catalogue();
    for text in [
        "issue.list",
        " Issue.List\n",
        "`issue.list`",
        "\"issue list\"",
        "ISSUE_LIST",
        "issueList",
        "“issue-list”",
    ] {
        let found = search(&index, text);
        assert_eq!(found[0].key, "issue.list", "{text}");
        assert_eq!(found[0].why.exact, Some(Exact::Id), "{text}");
        assert!(found[0].score == 1.0, "{text}");
        assert!(found[1].score < 1.0, "{text}");
    }
}

#[test]
fn names_come_first_and_ids_before_them() {
    let mut index = catalogue();
    put(
        &mut index,
        &Document {
            id: "zzz".to_owned(),
            names: vec!["issue.close".to_owned(), "tidy-up".to_owned()],
            ..Document::default()
        },
    );
    let found = search(&index, "issue.close");
    assert_eq!(
        (found[0].key.as_str(), found[1].key.as_str()),
        ("issue.close", "zzz")
    );
    assert_eq!(found[1].why.exact, Some(Exact::Name));
    check_first(&index, "Tidy up", "zzz");
    index.remove("zzz");
    assert!(
        search(&index, "tidy-up")
            .iter()
            .all(|it| it.why.exact.is_none())
    );
}

#[test]
fn signs_and_case_tell_names_apart() {
    let names = ["g", "g++", "G", "!", "[[", "[", "'", "c++"];
    let all: Vec<_> = names.iter().map(|it| document(it, "")).collect();
    let index = index(&all);
    for name in names {
        check_first(&index, name, name);
        check_first(&index, &format!(" {name} "), name);
        check_first(&index, &format!("\"{name}\""), name);
    }
}

#[test]
fn the_beginning_of_an_id() {
    let index = catalogue();
    let keys = |text: &str| -> Vec<_> {
        let found = search(&index, text).into_iter();
        let begun = found.filter(|it| it.why.exact == Some(Exact::Beginning));
        begun.map(|it| it.key).collect()
    };
    assert_eq!(keys("issue.la"), ["issue.labels.add"]);
    assert_eq!(keys("PR."), ["pr.list", "pr.merge"]);
    assert_eq!(keys("repo/mile"), ["repo.milestones.create"]);
    assert!(keys("issue").is_empty());
    assert!(keys("issu.elist").is_empty());
}

#[test]
fn names_among_other_words() {
    let index = catalogue();
    for (text, expected) in [
        (
            "please run pr.merge, then issue.labels.add!",
            &["pr.merge", "issue.labels.add"][..],
        ),
        ("`PR.Merge` it", &["pr.merge"]),
        ("pr merge", &[]),
        ("pr-merge", &[]),
        ("pr.merg and . and --", &[]),
        ("", &[]),
    ] {
        assert_eq!(index.mentioned(text), expected, "{text}");
    }
}
