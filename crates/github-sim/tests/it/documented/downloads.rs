//! Downloads: redirects to another origin, signed addresses, logs, archives and zip bombs.

use std::io::{Cursor, Read as _};

use github_sim::Transport;
use github_sim::world::RunConclusion;
use serde_json::json;
use zip::ZipArchive;

use crate::client::{Host, Reply};

#[tokio::test]
async fn logs_of_a_run_are_a_zip_file_in_githubs_layout() {
    let host = Host::demo().await;
    let run = run_with(&host, RunConclusion::Failure);
    let reply = download(
        &host,
        &format!("/repos/acme/rocket/actions/runs/{run}/logs"),
    )
    .await;
    assert_eq!(reply.header("content-type"), Some("application/zip"));
    let mut zip = ZipArchive::new(Cursor::new(reply.body)).unwrap();
    let names: Vec<String> = zip
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    assert_eq!(
        names,
        [
            "1_build.txt",
            "build/1_Set up job.txt",
            "build/2_Run tests.txt",
            "build/3_Complete job.txt"
        ]
    );
    let mut text = String::new();
    let mut tests = zip.by_name("build/2_Run tests.txt").unwrap();
    tests.read_to_string(&mut text).unwrap();
    for part in [
        "Z ##[group]Run make test",
        "Z ##[endgroup]",
        "Z ##[error]Process completed with exit code 2.",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let time = text.split(' ').next().unwrap();
    assert_eq!(
        (time.len(), &time[10..11], &time[27..]),
        (28, "T", "Z"),
        "{time}"
    );
}

#[tokio::test]
async fn a_job_agrees_with_its_run_and_has_a_log_as_text() {
    let host = Host::demo().await;
    for conclusion in [RunConclusion::Success, RunConclusion::Failure] {
        let run = run_with(&host, conclusion);
        let jobs = host
            .get(&format!("/repos/acme/rocket/actions/runs/{run}/jobs"))
            .await;
        let job = &jobs.json()["jobs"][0];
        assert_eq!(job["run_id"], run);
        assert_eq!(job["conclusion"], conclusion.rest());
        assert_eq!(job["steps"][1]["conclusion"], conclusion.rest());
        let path = format!("/repos/acme/rocket/actions/jobs/{}", job["id"]);
        assert_eq!(&host.get(&path).await.json(), job);
        let log = download(&host, &format!("{path}/logs")).await;
        assert_eq!(
            log.header("content-type"),
            Some("text/plain; charset=utf-8")
        );
        let failed = conclusion == RunConclusion::Failure;
        assert_eq!(log.text().contains("##[error]"), failed);
    }
    assert_eq!(
        host.get("/repos/acme/rocket/actions/jobs/1/logs")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn deleted_logs_are_gone() {
    let host = Host::demo().await;
    let run = run_with(&host, RunConclusion::Success);
    let path = format!("/repos/acme/rocket/actions/runs/{run}/logs");
    assert_eq!(host.send("DELETE", &path, None).await.unwrap().status, 204);
    assert_eq!(host.get(&path).await.status, 410);
}

#[tokio::test]
async fn the_storage_host_is_another_origin_and_refuses_tokens() {
    let host = Host::demo().await;
    let redirect = host.get("/repos/acme/rocket/zipball/main").await;
    assert_eq!((redirect.status, redirect.body.len()), (302, 0));
    let url = redirect.header("location").unwrap();
    assert!(url.starts_with(&host.server.storage_url()), "{url}");
    assert_ne!(host.server.storage_url(), host.server.url());
    host.sim.clear_requests();

    let token = host.get_url_with(url, &["authorization: Bearer x"]).await;
    assert_eq!(token.status, 400);
    assert!(token.text().contains("InvalidAuthenticationInfo"));
    let forged = host.get_url(&url.replace("main", "other")).await;
    assert_eq!(forged.status, 403);
    assert_eq!(host.get_url(url).await.status, 200);
    let seen = host.sim.requests();
    let facts: Vec<_> = seen.iter().map(|r| (r.transport, r.status)).collect();
    let storage = Transport::Storage;
    assert_eq!(
        facts,
        [
            (storage, Some(400)),
            (storage, Some(403)),
            (storage, Some(200))
        ]
    );

    host.sim
        .world(|world| world.memory.downloads.lifetime_seconds = 0);
    let redirect = host.get("/repos/acme/rocket/zipball/main").await;
    let expired = host.get_url(redirect.header("location").unwrap()).await;
    assert_eq!(expired.status, 403);
}

#[tokio::test]
async fn archives_hold_the_files_of_the_repository() {
    let host = Host::demo().await;
    let zipped = download(&host, "/repos/acme/rocket/zipball/main").await;
    let mut zip = ZipArchive::new(Cursor::new(zipped.body)).unwrap();
    assert!(zip.by_name("acme-rocket-main/README.md").is_ok());
    let ball = download(&host, "/repos/acme/rocket/tarball/feature/x").await;
    assert_eq!(ball.body[..2], [0x1f, 0x8b]);
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(ball.body.as_slice())
        .read_to_end(&mut unpacked)
        .unwrap();
    let text = String::from_utf8_lossy(&unpacked);
    assert!(text.contains("acme-rocket-feature-x/README.md"));
}

#[tokio::test]
async fn a_range_of_a_file_can_be_asked_for() {
    let host = Host::demo().await;
    let redirect = host.get("/repos/acme/rocket/zipball/main").await;
    let url = redirect.header("location").unwrap();
    let whole = host.get_url(url).await;
    assert_eq!(whole.header("accept-ranges"), Some("bytes"));
    let size = whole.body.len();
    for (range, status, expected) in [
        ("bytes=2-5", 206, &whole.body[2..6]),
        ("bytes=10-", 206, &whole.body[10..]),
        ("bytes=3-99999999", 206, &whole.body[3..]),
        ("bytes=-5", 200, &whole.body[..]),
        ("bytes=9-2", 200, &whole.body[..]),
        ("lines=1-2", 200, &whole.body[..]),
    ] {
        let header = format!("range: {range}");
        let part = host.get_url_with(url, &[&header]).await;
        assert_eq!((part.status, &part.body[..]), (status, expected), "{range}");
    }
    let part = host.get_url_with(url, &["range: bytes=2-5"]).await;
    let expected = format!("bytes 2-5/{size}");
    assert_eq!(part.header("content-range"), Some(expected.as_str()));
    let header = format!("range: bytes={size}-");
    assert_eq!(host.get_url_with(url, &[&header]).await.status, 416);
}

#[tokio::test]
async fn every_operation_that_redirects_leads_to_a_file() {
    let host = Host::demo().await;
    for path in [
        "/repos/acme/rocket/actions/artifacts/11/zip",
        "/orgs/acme/migrations/1/archive",
        "/user/migrations/1/archive",
    ] {
        let reply = download(&host, path).await;
        assert!(ZipArchive::new(Cursor::new(reply.body)).is_ok(), "{path}");
    }
    let headers = ["authorization: Bearer x", "accept: application/zip"];
    let path = "/repos/acme/rocket/code-scanning/codeql/databases/java";
    let reply = host.send_with("GET", path, &headers, None).await.unwrap();
    assert_eq!(reply.status, 302);
    assert_eq!(host.get(path).await.status, 200);
}

#[tokio::test]
async fn logs_can_be_made_long_and_zip_files_dangerous() {
    let host = Host::demo().await;
    let run = run_with(&host, RunConclusion::Success);
    let settings = json!({ "log_megabytes": 3, "bomb_megabytes": 40 });
    let reply = host
        .send_with("PUT", "/_sim/downloads", &[], Some(settings))
        .await
        .unwrap();
    assert_eq!(reply.json()["lifetime_seconds"], 600);
    let job = run * 100 + 1;
    let log = download(
        &host,
        &format!("/repos/acme/rocket/actions/jobs/{job}/logs"),
    )
    .await;
    assert!(log.body.len() > 3 * 1024 * 1024);

    let zipped = download(
        &host,
        &format!("/repos/acme/rocket/actions/runs/{run}/logs"),
    )
    .await;
    let packed = zipped.body.len();
    let mut zip = ZipArchive::new(Cursor::new(zipped.body)).unwrap();
    let sizes: Vec<u64> = (0..zip.len())
        .map(|i| zip.by_index(i).unwrap().size())
        .collect();
    let total: u64 = sizes.iter().sum();
    assert!(total > 40 * 1024 * 1024, "{total}");
    assert!(packed < 4 * 1024 * 1024, "{packed}");
    let wrong = json!({ "log_megabyte": 3 });
    let reply = host
        .send_with("PUT", "/_sim/downloads", &[], Some(wrong))
        .await;
    assert_eq!(reply.unwrap().status, 422);
}

/// Follows a redirect, without the token.
async fn download(host: &Host, path: &str) -> Reply {
    let redirect = host.get(path).await;
    assert_eq!(redirect.status, 302, "{path}: {}", redirect.text());
    let reply = host.get_url(redirect.header("location").unwrap()).await;
    assert_eq!(reply.status, 200, "{path}");
    reply
}

fn run_with(host: &Host, conclusion: RunConclusion) -> u64 {
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let mut runs = world.repo(repo).unwrap().runs.iter();
        runs.find(|run| run.conclusion == Some(conclusion))
            .unwrap()
            .id
    })
}
