//! Pages of lists that come from examples.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::client::{Host, Reply};

#[tokio::test]
async fn every_style_of_paging_is_read_to_its_end() {
    let host = Host::demo().await;
    let lists = [
        ("/repos/acme/rocket/hooks", "", "page="),
        ("/repos/acme/rocket/actions/artifacts", "artifacts", "page="),
        ("/repos/acme/rocket/dependabot/alerts", "", "after="),
        ("/orgs/acme/secret-scanning/alerts", "", "page="),
        ("/orgs/acme/hooks/1/deliveries", "", "cursor="),
        ("/organizations", "", "since="),
        ("/repos/acme/rocket/topics", "names", "page="),
    ];
    for (path, key, parameter) in lists {
        let mut next = Some(format!("{path}?per_page=1"));
        let mut rows = BTreeSet::new();
        let mut pages = 0;
        while let Some(path) = next {
            let reply = host.get(&path).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            let body = reply.json();
            let list = if key.is_empty() { &body } else { &body[key] };
            let list = list.as_array().unwrap();
            assert_eq!(list.len(), 1, "{path}");
            rows.insert(list[0].to_string());
            pages += 1;
            next = next_page(&reply);
            if let Some(next) = &next {
                assert!(next.contains(parameter), "{next}");
            }
        }
        assert!(pages >= 3, "{path} has {pages} pages");
        assert_eq!(rows.len(), pages, "{path} repeats rows");
    }
}

#[tokio::test]
async fn cursors_lead_back_too() {
    let host = Host::demo().await;
    let path = "/repos/acme/rocket/dependabot/alerts?per_page=1";
    let first = host.get(path).await;
    let second = host.get(&next_page(&first).unwrap()).await;
    let back = link(&second, "prev").unwrap();
    assert!(back.contains("before="), "{back}");
    assert_eq!(host.get(&back).await.json(), first.json());
    let nonsense = host.get(&format!("{path}&after=nonsense")).await;
    assert_eq!(nonsense.json(), first.json());
}

#[tokio::test]
async fn totals_count_all_rows_and_a_page_after_the_end_is_empty() {
    let host = Host::demo().await;
    let path = "/repos/acme/rocket/actions/artifacts";
    let all = host.get(path).await.json();
    let total = all["artifacts"].as_array().unwrap().len();
    assert_eq!(all["total_count"], total);
    let after = host.get(&format!("{path}?page=999")).await.json();
    assert_eq!(after["artifacts"], Value::Array(Vec::new()));
    assert_eq!(after["total_count"], total);
}

fn next_page(reply: &Reply) -> Option<String> {
    link(reply, "next")
}

/// Returns the path of a link.
fn link(reply: &Reply, rel: &str) -> Option<String> {
    let wanted = format!("rel=\"{rel}\"");
    let mut links = reply.header("link")?.split(", ");
    let found = links.find(|link| link.contains(&wanted))?;
    let url = found.trim_start_matches('<').split('>').next()?;
    let path = url.splitn(4, '/').nth(3)?;
    Some(format!("/{path}"))
}
