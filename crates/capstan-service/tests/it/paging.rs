//! Paging in every style: the cursor of a page leads to the next one, and the last page has none.

use capstan_service::Paging;
use serde_json::{Value, json};

use crate::server::{Received, Reply, Server};
use crate::support::{Bench, expr, service};

/// Reads pages of two until there are no more, and returns the ids.
async fn all(
    paging: Paging,
    script: impl Fn(usize, &Received) -> Reply + Send + Sync + 'static,
) -> (Vec<i64>, Vec<String>) {
    let server = Server::start(script).await;
    let mut settings = service("gitlab", &server);
    settings.paging = paging;
    let bench = Bench::new([settings]);
    let mut ids = Vec::new();
    let mut input = json!({});
    loop {
        let page = bench.run("gitlab.projects.list", input).await;
        let rows = page["data"]["rows"]
            .as_array()
            .unwrap_or_else(|| panic!("{page}"));
        ids.extend(rows.iter().map(|row| row["id"].as_i64().unwrap()));
        let pages = &page["meta"]["pagination"];
        if pages["has_next_page"] != true {
            return (ids, server.targets());
        }
        input = json!({"after": pages["end_cursor"]});
        assert!(ids.len() < 20, "it never ends: {page}");
    }
}

fn rows(ids: &[i64]) -> Value {
    ids.iter().map(|id| json!({"id": id})).collect()
}

#[tokio::test]
async fn by_links() {
    let (ids, targets) = all(Paging::Links, |number, request| match number {
        0 => {
            let host = request.header("host").unwrap();
            let next =
                format!("<http://{host}/api/v4/projects?per_page=2&id_after=2>; rel=\"next\"");
            Reply::ok(rows(&[1, 2])).with("Link", next)
        }
        _ => Reply::ok(rows(&[3])),
    })
    .await;
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(
        targets,
        [
            "/api/v4/projects?per_page=2",
            "/api/v4/projects?per_page=2&id_after=2"
        ]
    );
}

#[tokio::test]
async fn by_page_number() {
    for more in [None, Some(expr("more"))] {
        let paging = Paging::Page {
            number: "page".to_owned(),
            size: Some("per_page".to_owned()),
            rows: None,
            more,
        };
        let (ids, targets) = all(paging, |number, _| match number {
            0 => Reply::ok(json!({"items": rows(&[1, 2]), "more": true})),
            1 => Reply::ok(json!({"items": rows(&[3, 4]), "more": true})),
            _ => Reply::ok(json!({"items": rows(&[5]), "more": false})),
        })
        .await;
        assert_eq!(ids, [1, 2, 3, 4, 5]);
        assert_eq!(
            targets[1..],
            [
                "/api/v4/projects?per_page=2&page=2",
                "/api/v4/projects?per_page=2&page=3"
            ]
        );
    }
}

#[tokio::test]
async fn by_a_cursor_in_the_answer() {
    let paging = || Paging::Field {
        parameter: Some("cursor".to_owned()),
        field: expr("meta.next"),
        more: None,
    };
    for next in ["c/2", "https://elsewhere.example/x?cursor=c%2F2"] {
        let (ids, targets) = all(paging(), move |number, _| match number {
            0 => Reply::ok(json!({"items": rows(&[1, 2]), "meta": {"next": next}})),
            _ => Reply::ok(json!({"items": rows(&[3]), "meta": {"next": null}})),
        })
        .await;
        assert_eq!(ids, [1, 2, 3]);
        assert_eq!(
            targets[1], "/api/v4/projects?per_page=2&cursor=c%2F2",
            "{next}"
        );
    }
}

#[tokio::test]
async fn by_a_field_of_the_last_row() {
    let paging = Paging::LastRow {
        parameter: "starting_after".to_owned(),
        field: expr("id"),
        size: Some("per_page".to_owned()),
        rows: Some(expr("items")),
        more: Some(expr("has_more")),
    };
    let (ids, targets) = all(paging, |number, _| match number {
        0 => Reply::ok(json!({"items": rows(&[1, 2]), "has_more": true})),
        _ => Reply::ok(json!({"items": rows(&[3, 4]), "has_more": false})),
    })
    .await;
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(targets[1], "/api/v4/projects?per_page=2&starting_after=2");
}
