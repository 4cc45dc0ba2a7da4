//! Reading test data, and the errors for invalid data.

use capstan_bench::{Corpus, Mode, Part, Source};
use capstan_search::Document;
use tempfile::TempDir;

use crate::support::{QUERIES, TOOLS, folder};

#[test]
fn each_source_has_its_own_tools() {
    let folder = folder(TOOLS, QUERIES);
    let corpus = Corpus::public(folder.path()).unwrap();
    let names: Vec<_> = corpus.sources.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["gh", "metatool", "metatool-multi"]);
    let [gh, metatool, multi] = corpus.sources.as_slice() else {
        panic!("three sources");
    };
    assert_eq!((gh.documents.len(), gh.queries.len()), (2, 2));
    assert_eq!(gh.documents[0].id, "gh issue list");
    assert_eq!(
        gh.documents[0].parameters,
        ["label: only with this label", "limit"]
    );
    assert_eq!(multi.documents, metatool.documents);
    assert_eq!(multi.documents[1].names, ["News Tool"]);
    assert_eq!(multi.queries[0].mode, Mode::All);
    assert_eq!(multi.queries[0].relevant, ["weather", "news"]);
}

#[test]
fn halves_never_change() {
    let halves: Vec<_> = ["gh-000000", "gh-000003", "q", "", "ü"]
        .map(|id| Part::of(id).name())
        .to_vec();
    insta::assert_compact_json_snapshot!(halves);
    assert!(Part::All.has(Part::Tune) && !Part::Tune.has(Part::Validation));
    assert_eq!("validation".parse(), Ok(Part::Validation));
    assert!("half".parse::<Part>().is_err());
}

#[test]
fn what_cannot_be_read_is_said() {
    let said = |tools: &str, queries: &str| {
        let folder = folder(tools, queries);
        Corpus::public(folder.path()).unwrap_err().to_string()
    };
    let of = |relevant: &str, mode: &str| {
        let query = r#""id":"1","source":"gh","query":"x""#;
        format!("\n\n{{{query},\"relevant\":[{relevant}],\"mode\":\"{mode}\"}}")
    };
    let list = r#""gh:gh issue list""#;
    let problems = [
        said("{}", ""),
        said(TOOLS, "\nnonsense"),
        said(TOOLS, &of(r#""gh:x""#, "any")),
        said(TOOLS, &of("", "any")),
        said(TOOLS, &of(&format!(r#"{list},"metatool:news""#), "any")),
        said(TOOLS, &of(list, "some")),
    ]
    .join("\n");
    insta::assert_snapshot!(problems);
    let empty = TempDir::new().unwrap();
    let said = Corpus::public(empty.path()).unwrap_err().to_string();
    assert!(
        said.contains("tools.jsonl") && said.contains("queries.jsonl"),
        "{said}"
    );
}

#[test]
fn our_own_has_only_queries_for_what_is_there() {
    let one = |id: &str| Document {
        id: id.to_owned(),
        ..Document::default()
    };
    let own = Source::own(vec![one("issue.assignees.add"), one("other")]).unwrap();
    assert!(own.queries.len() >= 6, "{}", own.queries.len());
    assert!(
        own.queries
            .iter()
            .all(|it| it.relevant == ["issue.assignees.add"])
    );
    assert!(Source::own(vec![one("other")]).is_err());
}
