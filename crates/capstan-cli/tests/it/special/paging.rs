//! Every way in which GitHub continues a list: page numbers, cursors in links and in the query, ids, only links.

use capstan_core::{Options, Route};
use serde_json::{Value, json};

use crate::support::Bench;

/// A list of each kind, with its input and the field of its rows.
fn lists() -> [(&'static str, Value, &'static str); 5] {
    let rocket = json!({"owner": "acme", "repo": "rocket"});
    let mut hook = rocket.clone();
    hook["hook_id"] = json!(1);
    [
        ("repo.tags.list", rocket.clone(), "tags"),
        ("dependabot.alerts.list", rocket, "alerts"),
        ("repo.webhooks.deliveries.list", hook, "deliveries"),
        ("repo.public.list", json!({}), "repositories"),
        ("org.list", json!({}), "organizations"),
    ]
}

fn options() -> Options {
    Options {
        route: Some(Route::Rest),
        full: true,
        ..Options::default()
    }
}

#[tokio::test]
async fn small_pages_have_the_rows_of_large_ones() {
    let bench = Bench::demo().await;
    for (capability, input, field) in lists() {
        let all = bench.run(capability, &input, options()).await;
        let data = all
            .data
            .unwrap_or_else(|| panic!("{capability}: {:?}", all.error));
        let expected = data[field]
            .as_array()
            .unwrap_or_else(|| panic!("{capability}: {data}"));
        assert!(expected.len() >= 3, "{capability}: {data}");

        let mut rows = Vec::new();
        let mut next = input.clone();
        // Not every list takes a size.
        let card = bench.capstan.catalog().get(capability).unwrap();
        if !card.input_schema["properties"]["first"].is_null() {
            next["first"] = json!(1);
        }
        for _ in 0..20 {
            let page = bench.run(capability, &next, options()).await;
            let data = page
                .data
                .unwrap_or_else(|| panic!("{capability}: {:?}", page.error));
            rows.extend(data[field].as_array().unwrap().iter().cloned());
            match page.meta.pagination.and_then(|it| it.end_cursor) {
                Some(cursor) => next["after"] = json!(cursor),
                None => break,
            }
        }
        assert_eq!(&rows, expected, "{capability}");
    }
}
