//! Files of releases: uploaded to the host for uploads, downloaded again from the storage host.

use crate::client::Host;

#[tokio::test]
async fn an_uploaded_file_can_be_downloaded_again() {
    let host = Host::demo().await;
    let release = host.get("/repos/acme/rocket/releases/latest").await.json();
    let target = release["upload_url"].as_str().unwrap();
    let target = target.replace("{?name,label}", "?name=tool%20v1.bin&label=Tool");
    let path = target.strip_prefix(&host.server.storage_url()).unwrap();
    let bytes = b"\x00\xff{not json\r\n\r\n";
    let headers = [
        "authorization: Bearer x",
        "content-type: application/x-tool",
    ];
    let origin = host.server.storage_url();
    let made = host.send_to(&origin, "POST", path, &headers, bytes).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    assert_eq!(made["name"], "tool.v1.bin");
    assert_eq!(
        (&made["label"], &made["size"]),
        (&"Tool".into(), &bytes.len().into())
    );
    let again = host.send_to(&origin, "POST", path, &headers, bytes).await;
    assert_eq!(again.status, 422);
    assert_eq!(again.json()["errors"][0]["code"], "already_exists");

    let asset = format!("/repos/acme/rocket/releases/assets/{}", made["id"]);
    assert_eq!(host.get(&asset).await.json(), made);
    let accept = [
        "authorization: Bearer x",
        "accept: application/octet-stream",
    ];
    let redirect = host.send_with("GET", &asset, &accept, None).await.unwrap();
    assert_eq!(redirect.status, 302);
    let file = host.get_url(redirect.header("location").unwrap()).await;
    assert_eq!(file.body, bytes);
    assert_eq!(file.header("content-type"), Some("application/x-tool"));
    let release = host.get("/repos/acme/rocket/releases/latest").await.json();
    assert_eq!(release["assets"][0], made);

    assert_eq!(host.send("DELETE", &asset, None).await.unwrap().status, 204);
    let release = host.get("/repos/acme/rocket/releases/latest").await.json();
    assert!(release["assets"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn uploads_need_their_host_a_token_a_name_and_a_type() {
    let host = Host::demo().await;
    let release = host.get("/repos/acme/rocket/releases/latest").await.json();
    let path = format!("/repos/acme/rocket/releases/{}/assets", release["id"]);
    let named = format!("{path}?name=a.bin");
    let (api, storage) = (host.server.url(), host.server.storage_url());
    let (token, kind) = ("authorization: Bearer x", "content-type: text/plain");
    let cases: [(&str, &str, &[&str], u16); 5] = [
        (&api, &named, &[token, kind], 404),
        (&storage, &named, &[kind], 401),
        (&storage, &path, &[token, kind], 422),
        (&storage, &named, &[token], 400),
        (&storage, "/repos/acme/rocket/issues", &[token, kind], 404),
    ];
    for (origin, path, headers, status) in cases {
        let reply = host.send_to(origin, "POST", path, headers, b"1").await;
        assert_eq!(reply.status, status, "{origin}{path} {headers:?}");
    }
    let enterprise = format!("/api/uploads{named}");
    let reply = host
        .send_to(&api, "POST", &enterprise, &[token, kind], b"x")
        .await;
    assert_eq!(reply.status, 201);
}
