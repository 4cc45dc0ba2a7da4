//! Raw REST calls that succeed: reads, pages, fields, sizes, and formats of answers.

use capstan_core::{Options, Route};
use serde_json::{Value, json};

use super::bench::{REST, data, rest};
use crate::support::Bench;

#[tokio::test]
async fn a_path_is_read_as_it_is() {
    let bench = Bench::demo().await;
    let issue = json!({"path": "/repos/acme/rocket/issues/43"});
    let envelope = rest(&bench, issue).await;
    assert_eq!(envelope.meta.route_used, Some(Route::Rest));
    let plain = data(envelope);
    assert_eq!(plain["number"], 43);
    assert!(plain["user"]["login"].is_string(), "{plain}");
    for input in [
        json!({"method": "get", "path": "repos/acme/rocket/issues/43"}),
        json!({"path": "/repos/{owner}/{repo}/issues/{n}", "owner": "acme", "repo": "rocket", "params": {"n": 43}}),
        json!({"path": "/repos/{owner}/{repo}/issues/43", "params": {"owner": "acme", "repo": "rocket"}}),
        json!({"path": "/repos/{+full}/issues/43/", "params": {"full": "acme/rocket"}}),
        json!({"path": format!("http://{}/repos/acme/rocket/issues/43", bench.addresses.address)}),
    ] {
        assert_eq!(data(rest(&bench, input.clone()).await), plain, "{input}");
    }
    assert!(bench.sim.requests().iter().all(|seen| seen.method == "GET"));
}

#[tokio::test]
async fn values_are_encoded_and_cannot_lead_elsewhere() {
    let bench = Bench::demo().await;
    let input = json!({
        "path": "/repos/acme/rocket/labels/{name}",
        "params": {"name": "../../x y?a=1"},
    });
    let _ = rest(&bench, input).await;
    let input = json!({"path": "/search/issues?q=repo:acme/rocket%20is:open", "query": {"per_page": 2, "sort": "created"}});
    let found = data(rest(&bench, input).await);
    assert_eq!(found["items"].as_array().unwrap().len(), 2);
    let seen: Vec<_> = bench.sim.requests().into_iter().map(|it| it.path).collect();
    assert_eq!(
        seen,
        [
            "/repos/acme/rocket/labels/..%2F..%2Fx%20y%3Fa%3D1",
            "/search/issues?q=repo%3Aacme%2Frocket%20is%3Aopen&per_page=2&sort=created",
        ]
    );
}

#[tokio::test]
async fn lists_have_pages_and_can_be_read_to_their_end() {
    let bench = Bench::demo().await;
    let labels = json!({"path": "/repos/acme/rocket/labels", "first": 3});
    let first = rest(&bench, labels.clone()).await;
    let pages = first.meta.pagination.clone().unwrap();
    assert!(pages.has_next_page);
    let first = data(first);
    assert_eq!(first.as_array().unwrap().len(), 3);
    let mut next = labels.clone();
    next["after"] = pages.end_cursor.unwrap().into();
    let second = data(rest(&bench, next.clone()).await);
    assert_ne!(first, second);
    next["path"] = "/repos/acme/rocket/milestones".into();
    let other = rest(&bench, next).await.error.unwrap().message;
    assert!(other.contains("a list with other filters"), "{other}");
    let all = |more: Value| {
        let mut options: Options = serde_json::from_value(more).unwrap();
        options.full = true;
        options
    };
    let path = json!({"path": "/repos/acme/rocket/labels"});
    let everything = bench.run(REST, &path, all(json!({"all": true}))).await;
    let everything = data(everything);
    let names: Vec<_> = everything
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert!(names.len() > 3, "{names:?}");
    let options = all(json!({"all": true, "where": "name == \"bug\"", "fields": ["name"]}));
    let bugs = bench.run(REST, &path, options).await;
    assert_eq!(data(bugs), json!([{"name": "bug"}]));
    // The only list of an object has pages, too.
    let search =
        json!({"path": "/search/issues", "query": {"q": "repo:acme/rocket is:issue"}, "first": 2});
    let found = rest(&bench, search.clone()).await;
    assert_eq!(
        found.meta.pagination.as_ref().unwrap().total,
        found.data.as_ref().unwrap()["total_count"].as_u64()
    );
    let found = bench
        .run(
            REST,
            &json!({"path": search["path"], "query": search["query"]}),
            all(json!({"all": true, "limit": 7})),
        )
        .await;
    assert_eq!(data(found)["items"].as_array().unwrap().len(), 7);
    // An object has none.
    let issue = rest(&bench, json!({"path": "/repos/acme/rocket/issues/43"})).await;
    assert_eq!(issue.meta.pagination, None);
}

#[tokio::test]
async fn the_answer_is_reduced_to_fields_and_to_a_size() {
    let bench = Bench::demo().await;
    let fields = |fields: &[&str]| Options {
        fields: Some(fields.iter().map(|it| (*it).to_owned()).collect()),
        ..Options::default()
    };
    let issues = json!({"path": "/repos/acme/rocket/issues", "first": 2});
    let rows = data(
        bench
            .run(REST, &issues, fields(&["number", "user.login"]))
            .await,
    );
    for row in rows.as_array().unwrap() {
        assert!(
            row["number"].is_u64() && row["user"]["login"].is_string(),
            "{row}"
        );
        assert_eq!(row.as_object().unwrap().len(), 2);
        assert_eq!(row["user"].as_object().unwrap().len(), 1);
    }
    let many =
        json!({"path": "/repos/acme/rocket/issues", "query": {"state": "all", "per_page": 100}});
    let cut = rest(&bench, many.clone()).await;
    let warning = cut.meta.warnings.join("\n");
    assert!(
        warning.contains("left out: ") && warning.contains("`full` for everything"),
        "{warning}"
    );
    let shown = cut.data.unwrap();
    assert!(shown.to_string().len() <= 8_000);
    let full = Options {
        full: true,
        ..Options::default()
    };
    let whole = bench.run(REST, &many, full).await;
    assert!(whole.meta.warnings.is_empty(), "{:?}", whole.meta.warnings);
    assert!(whole.data.unwrap().to_string().len() > 8_000);
}

#[tokio::test]
async fn answers_that_are_not_json_are_texts() {
    let bench = Bench::demo().await;
    let diff =
        json!({"path": "/repos/acme/rocket/pulls/49", "accept": "application/vnd.github.diff"});
    let diff = data(rest(&bench, diff).await);
    assert!(diff.as_str().unwrap().starts_with("diff --git"), "{diff}");
    let head = data(
        rest(
            &bench,
            json!({"method": "HEAD", "path": "/repos/acme/rocket"}),
        )
        .await,
    );
    assert_eq!(head, Value::Null);
    let missing = rest(
        &bench,
        json!({"method": "HEAD", "path": "/repos/acme/nothing"}),
    )
    .await;
    assert_eq!(
        missing.error.unwrap().code,
        capstan_core::ErrorCode::NotFound
    );
}
