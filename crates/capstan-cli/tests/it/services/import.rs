//! `capstan cards import`: what it writes, what it says, and what it refuses.

use serde_json::{Value, json};

use super::http::{Reply, Server};
use super::support::{configuration, configure, ended};
use crate::cli::harness::Place;

/// A small description in YAML, with what general rules have to cope with.
const SHOP: &str = r##"
openapi: 3.1.0
info: { title: Shop, version: "1" }
servers:
  - url: https://{region}.shop.example/api
    variables: { region: { default: eu } }
paths:
  /v2/orders:
    parameters:
      - { name: X-Tenant, in: header, schema: { type: string } }
    get:
      tags: [Orders]
      summary: Lists all orders
      parameters:
        - { name: "filter[state]", in: query, schema: { enum: [open, done] } }
        - { name: ids, in: query, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: per_page, in: query, schema: { type: integer } }
      responses:
        "200":
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/Order" } }
    post:
      tags: [Orders]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf:
                - { $ref: "#/components/schemas/NewOrder" }
                - { type: object, required: [item], properties: { item: { type: string } } }
      responses: { "201": { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
  /v2/orders/{order-id}:
    get:
      tags: [Orders]
      operationId: getOrder
      parameters: [{ name: order-id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
    delete:
      tags: [Orders]
      parameters: [{ name: order-id, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: gone } }
  /v2/orders/{id}/cancel:
    post:
      tags: [Orders]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "202": { description: later } }
  /v2/orders/{id}/label:
    get:
      tags: [Files]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { content: { application/pdf: {} } } }
  /v2/files:
    post:
      tags: [Files]
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object } } } }
      responses: { "204": { description: ok } }
  /v2/broken:
    get:
      responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/None" } } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
  schemas:
    Order:
      type: object
      required: [id]
      properties:
        id: { type: integer }
        state: { type: [string, "null"] }
        note: { anyOf: [{ type: string }, { type: "null" }] }
    NewOrder: { type: object, properties: { note: { type: string }, express: { type: boolean } } }
"##;

fn import(place: &Place, args: &[&str]) -> Value {
    let mut all = vec![
        "cards",
        "import",
        "openapi",
        "shop.yaml",
        "--service",
        "shop",
    ];
    all.extend(args);
    let ran = place.run(&all);
    ended(&ran, 0);
    ran.json()
}

fn place() -> Place {
    let place = Place::new();
    place.write("shop.yaml", SHOP);
    place
}

#[test]
fn a_description_becomes_cards() {
    let place = place();
    let report = import(&place, &[]);
    assert_eq!(report["operations"], 5, "{report:#}");
    assert_eq!(report["domains"], json!({"orders": 5}));
    let left_out: Vec<String> = report["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{}: {}",
                it["operation"].as_str().unwrap(),
                it["reason"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(left_out.len(), 3, "{left_out:?}");
    for (operation, reason) in [
        ("GET /v2/broken", "leads nowhere"),
        ("GET /v2/orders/{id}/label", "application/pdf"),
        ("POST /v2/files", "multipart/form-data"),
    ] {
        let is_told = |it: &String| it.starts_with(operation) && it.contains(reason);
        assert!(left_out.iter().any(is_told), "{operation}: {left_out:?}");
    }
    let lines = report["configuration"].as_str().unwrap();
    let expected = "[services.shop]\nbase_url = \"https://eu.shop.example/api\"\n\n[services.shop.auth]\n\
                    header = \"X-Api-Key\"\nenv = \"SHOP_TOKEN\"\n\n[services.shop.paging]\nstyle = \"page\"\n\
                    parameter = \"page\"\nsize = \"per_page\"\n";
    assert_eq!(lines, expected);
    assert_eq!(report["configured"], false);
    // Without the configuration, the cards are not there; with it, they are.
    assert!(!place.line("list shop").stdout.contains("shop.orders"));
    configure(&place, lines);
    let listed = place.line("list shop --json").stdout;
    for id in [
        "shop.orders.list",
        "shop.orders.create",
        "shop.orders.view",
        "shop.orders.delete",
        "shop.orders.cancel",
    ] {
        assert!(listed.contains(&format!("\"{id}\"")), "{id}: {listed}");
    }
}

#[test]
fn requests_are_as_the_description_says() {
    let server = Server::start(|request| match request.method.as_str() {
        "GET" => Reply::json(200, &json!([{"id": 1, "state": null, "note": "x"}])),
        _ => Reply::json(201, &json!({"id": 2})),
    });
    let place = place().env("SHOP_TOKEN", "svc_0123456789abcdefSECRET");
    let report = import(&place, &[]);
    let lines = report["configuration"].as_str().unwrap();
    configure(
        &place,
        &lines.replace("https://eu.shop.example", &server.url),
    );
    let input = json!({"filter_state": "open", "ids": [1, 2], "first": 5, "X_Tenant": "acme"});
    let ran = place.run(&["run", "shop.orders.list", "--input", &input.to_string()]);
    ended(&ran, 0);
    let sent = server.last();
    assert_eq!(sent.path, "/api/v2/orders");
    let mut query = sent.query.clone();
    query.sort();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected = [
        pair("filter[state]", "open"),
        pair("ids", "1,2"),
        pair("per_page", "5"),
    ];
    assert_eq!(query, expected);
    assert_eq!(sent.header("x-tenant"), Some("acme"));
    assert_eq!(sent.header("x-api-key"), Some("svc_0123456789abcdefSECRET"));
    assert_eq!(sent.header("authorization"), None);
    let ran = place.run(&[
        "run",
        "shop.orders.create",
        "--input",
        r#"{"item": "tea", "express": true}"#,
    ]);
    ended(&ran, 0);
    let body: Value = serde_json::from_str(&server.last().body).unwrap();
    assert_eq!(body, json!({"item": "tea", "express": true}));
    let ran = place.run(&[
        "run",
        "shop.orders.create",
        "--input",
        r#"{"express": true}"#,
    ]);
    ended(&ran, 2);
    // A header cannot be used to send another one.
    let input = json!({"X_Tenant": "a\r\nX-Api-Key: b"});
    let ran = place.run(&["run", "shop.orders.list", "--input", &input.to_string()]);
    ended(&ran, 2);
}

#[test]
fn a_dry_run_writes_nothing() {
    let place = place();
    let report = import(&place, &["--dry-run"]);
    assert_eq!(
        (&report["dry_run"], &report["operations"]),
        (&json!(true), &json!(5))
    );
    let config = configuration(&place);
    assert!(!config.parent().unwrap().exists());
}

#[test]
fn operations_can_be_chosen() {
    let place = place();
    for (args, expected) in [
        (vec!["--only", "orders.*"], 5),
        (vec!["--only", "shop.orders.l*", "--only", "*.cancel"], 2),
        (vec!["--only", "getOrder"], 1),
        (vec!["--only", "/v2/orders"], 2),
        (vec!["--tag", "orders", "--only", "*.view"], 1),
    ] {
        let mut args = args;
        args.push("--dry-run");
        assert_eq!(import(&place, &args)["operations"], expected, "{args:?}");
    }
    let ran = place.line("cards import openapi shop.yaml --service shop --tag nothing");
    assert_ne!(ran.code, 0);
    assert!(ran.stderr.contains("--tag"), "{ran:?}");
}

#[test]
fn the_next_import_says_what_changed() {
    let place = place();
    assert_eq!(import(&place, &[])["drift"], Value::Null);
    let nothing = json!({"added": [], "removed": [], "changed": []});
    assert_eq!(import(&place, &[])["drift"], nothing);
    let changed = SHOP
        .replace("summary: Lists all orders", "summary: Lists open orders")
        .replace("/v2/orders/{id}/cancel", "/v2/orders/{id}/close");
    place.write("shop.yaml", changed);
    let drift = import(&place, &["--dry-run"])["drift"].take();
    let expected = json!({
        "added": ["shop.orders.close"],
        "removed": ["shop.orders.cancel"],
        "changed": ["shop.orders.list"],
    });
    assert_eq!(drift, expected);
    let report = import(&place, &[]);
    assert_eq!(report["drift"], expected);
    configure(&place, report["configuration"].as_str().unwrap());
    let listed = place.line("list shop --json").stdout;
    assert!(listed.contains("shop.orders.close") && !listed.contains("shop.orders.cancel"));
}

#[test]
fn people_see_what_was_done() {
    let place = place();
    let (code, shown) = place.screen(&[
        "cards",
        "import",
        "openapi",
        "shop.yaml",
        "--service",
        "shop",
    ]);
    assert_eq!(code, 0, "{shown}");
    for words in [
        "5 operations",
        "left out (3)",
        "[services.shop]",
        "capstan list shop",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn names_of_others_are_refused() {
    let place = place();
    for name in ["issue", "cap", "github", "Shop", "../up", "repo"] {
        let ran = place.run(&["cards", "import", "openapi", "shop.yaml", "--service", name]);
        assert_eq!(ran.code, 2, "{name}: {ran:?}");
        assert!(ran.stderr.contains(name), "{ran:?}");
    }
}

#[test]
fn what_is_no_description_is_refused() {
    let place = place();
    for (text, words) in [
        ("swagger: '2.0'\npaths: {}\n", "Swagger 2.0"),
        ("openapi: 4.0.0\npaths: {}\n", "4.0.0"),
        ("openapi: 3.0.0\n", "paths"),
        ("openapi: 3.0.0\npaths: {}\n", "no operations"),
        ("hello", "openapi"),
        ("{\"openapi\": ", "not JSON"),
        ("a: [", "YAML"),
        ("", "openapi"),
    ] {
        place.write("bad.yaml", text);
        let ran = place.line("cards import openapi bad.yaml --service shop");
        assert_eq!(ran.code, 2, "{text:?}: {ran:?}");
        assert!(ran.stderr.contains(words), "{text:?}: {ran:?}");
    }
    let ran = place.line("cards import openapi nowhere.yaml --service shop");
    assert_eq!(ran.code, 2, "{ran:?}");
    for (text, words) in [
        ("type Query { a: Nothing }", "Nothing"),
        ("{\"data\": {}}", "__schema"),
        (
            "{\"__schema\": {\"types\": [{\"kind\": \"OBJECT\", \"name\": \"a b\"}]}}",
            "a b",
        ),
    ] {
        place.write("bad.graphql", text);
        let ran = place.line("cards import graphql bad.graphql --service shop");
        assert_eq!(ran.code, 2, "{text:?}: {ran:?}");
        assert!(ran.stderr.contains(words), "{text:?}: {ran:?}");
    }
}

#[test]
fn a_folder_with_other_files_is_not_replaced() {
    let place = place();
    place.write("precious/notes.txt", "mine");
    let ran = place.line("cards import openapi shop.yaml --service shop --to precious");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(place.here().join("precious/notes.txt").exists());
    let report = import(&place, &["--to", "cards"]);
    let lines = report["configuration"].as_str().unwrap();
    assert!(lines.contains("cards = "), "{lines}");
    place.write("other.yaml", SHOP);
    let ran = place.line("cards import openapi other.yaml --service bank --to cards");
    assert_eq!(ran.code, 2, "{ran:?}");
    configure(&place, lines);
    assert_eq!(place.line("check cards").code, 0);
    assert!(
        place
            .line("list shop --json")
            .stdout
            .contains("shop.orders.list")
    );
}

#[test]
fn an_address_is_fetched_without_secrets() {
    let server = Server::start(|request| match request.path.as_str() {
        "/moved" => Reply {
            status: 302,
            headers: vec![("location", "/shop.yaml".to_owned())],
            body: String::new(),
        },
        "/shop.yaml" => Reply {
            status: 200,
            headers: Vec::new(),
            body: SHOP.to_owned(),
        },
        "/away" => Reply {
            status: 302,
            headers: vec![("location", "http://192.0.2.1/shop.yaml".to_owned())],
            body: String::new(),
        },
        _ => Reply::json(404, &json!({})),
    });
    let place = Place::new().env("GITHUB_TOKEN", "ghp_0123456789abcdefghijABCDEFGHIJ012345");
    let fetch = |url: &str| place.run(&["cards", "import", "openapi", url, "--service", "shop"]);
    let ran = fetch(&format!("{}/moved?key=hidden", server.url));
    ended(&ran, 0);
    assert!(!ran.stdout.contains("hidden"), "{ran:?}");
    for request in server.received() {
        assert_eq!(request.header("authorization"), None);
        assert!(
            request
                .headers
                .iter()
                .all(|(_, value)| !value.contains("ghp_"))
        );
    }
    for (url, words) in [
        (format!("{}/away", server.url), "not encrypted"),
        (format!("{}/nothing", server.url), "404"),
        ("http://shop.example/api.yaml".to_owned(), "https"),
        ("ftp://shop.example/api.yaml".to_owned(), "https"),
        (
            "https://me:secret@shop.example/api.yaml".to_owned(),
            "https",
        ),
    ] {
        let ran = fetch(&url);
        assert_eq!(ran.code, 2, "{url}: {ran:?}");
        assert!(ran.stderr.contains(words), "{url}: {ran:?}");
        assert!(!ran.stderr.contains("secret"), "{ran:?}");
    }
}
