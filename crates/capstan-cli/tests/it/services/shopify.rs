//! Shopify's GraphQL API, imported from the public answer to an introspection query, and called through the binary.

use apollo_compiler::Schema;
use capstan_generator::import_graphql;
use capstan_test_support::shopify_introspection;
use serde_json::{Value, json};

use super::graphql_server;
use super::http::Server;
use super::support::{TOKEN, configure, ended};
use crate::cli::harness::{Place, Ran};

struct Shop {
    place: Place,
    server: Server,
}

/// Returns the text of a schema for the answer to an introspection query, as an independent program writes it: only what
/// the server needs, from the same JSON.
fn schema() -> apollo_compiler::validation::Valid<Schema> {
    let text = std::fs::read_to_string(shopify_introspection()).unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    let text = super::graphql_server::schema_text(&answer["__schema"]);
    Schema::parse_and_validate(text, "shopify.graphql").unwrap()
}

impl Shop {
    fn new() -> Self {
        Self::with_token(TOKEN)
    }

    fn with_token(token: &str) -> Self {
        let server = graphql_server::start(schema(), TOKEN);
        let place = Place::new().env("SHOP_TOKEN", token);
        let file = shopify_introspection().to_string_lossy().into_owned();
        let ran = place.run(&["cards", "import", "graphql", &file, "--service", "shop"]);
        ended(&ran, 0);
        let report = ran.json();
        assert_eq!(report["operations"], 75, "{report}");
        assert_eq!(report["left_out"], json!([]));
        let lines = report["configuration"].as_str().unwrap();
        let url = format!("{}/api/graphql", server.url);
        configure(&place, &lines.replace("https://FILL-IN", &url));
        Self { place, server }
    }

    fn run(&self, id: &str, input: &Value) -> Ran {
        self.place.run(&["run", id, "--input", &input.to_string()])
    }

    #[track_caller]
    fn data(&self, id: &str, input: &Value) -> Value {
        let ran = self.run(id, input);
        ended(&ran, 0);
        ran.json()["data"].take()
    }

    #[track_caller]
    fn error(&self, id: &str, input: &Value, code: i32) -> Value {
        let ran = self.run(id, input);
        ended(&ran, code);
        ran.json()["error"].take()
    }
}

#[test]
fn twenty_calls() {
    let shop = Shop::new();
    let cart = "gid://shopify/Cart/1";
    let calls = [
        ("shop.shop", json!({})),
        ("shop.products", json!({"first": 2})),
        (
            "shop.products",
            json!({"query": "tea", "sort_key": "PRICE", "reverse": true}),
        ),
        ("shop.product", json!({"handle": "tea"})),
        ("shop.product", json!({"id": "gid://shopify/Product/1"})),
        ("shop.product_tags", json!({"first": 5})),
        ("shop.collections", json!({"first": 1})),
        ("shop.collection", json!({"handle": "drinks"})),
        ("shop.cart", json!({"id": cart})),
        ("shop.cart_create", json!({"note": "gift"})),
        (
            "shop.cart_lines_add",
            json!({"cart_id": cart, "lines": [{"merchandiseId": "gid://x/1", "quantity": 2}]}),
        ),
        (
            "shop.cart_lines_remove",
            json!({"cart_id": cart, "line_ids": ["gid://x/1"]}),
        ),
        (
            "shop.cart_note_update",
            json!({"cart_id": cart, "note": "later"}),
        ),
        ("shop.customer", json!({"customer_access_token": "abc"})),
        ("shop.localization", json!({})),
        ("shop.locations", json!({"first": 3})),
        ("shop.menu", json!({"handle": "main"})),
        ("shop.payment_settings", json!({})),
        ("shop.pages", json!({"first": 1})),
        ("shop.search", json!({"query": "tea", "first": 2})),
    ];
    assert_eq!(calls.len(), 20);
    for (id, input) in calls {
        let data = shop.data(id, &input);
        assert!(!data.as_object().unwrap().is_empty(), "{id}: {data}");
    }
    let received = shop.server.received();
    assert_eq!(received.len(), 20);
    let is_own = |header: Option<&str>| header == Some(&*format!("Bearer {TOKEN}"));
    assert!(received.iter().all(|it| is_own(it.header("authorization"))));
}

#[test]
fn lists_have_pages() {
    let shop = Shop::new();
    let first = shop.run("shop.products", &json!({"first": 1}));
    ended(&first, 0);
    let pages = first.json()["meta"]["pagination"].take();
    assert_eq!(pages["has_next_page"], true, "{pages}");
    let input = json!({"first": 1, "after": pages["end_cursor"]});
    let second = shop.run("shop.products", &input);
    ended(&second, 0);
    let pages = second.json()["meta"]["pagination"].take();
    assert_eq!(pages["has_next_page"], false, "{pages}");
    let body: Value = serde_json::from_str(&shop.server.last().body).unwrap();
    assert_eq!(body["variables"]["after"], "cursor 1", "{body}");
}

#[test]
fn bad_input_is_refused_before_anything_is_sent() {
    let shop = Shop::new();
    for (id, input) in [
        ("shop.cart", json!({})),
        ("shop.products", json!({"sort_key": "SOMEHOW"})),
        ("shop.products", json!({"frist": 1})),
        ("shop.cart_lines_add", json!({"cart_id": 5, "lines": []})),
    ] {
        let error = shop.error(id, &input, 2);
        assert_eq!(error["code"], "VALIDATION", "{error}");
    }
    assert!(shop.server.received().is_empty());
}

#[test]
fn failures_of_the_service_are_told() {
    let shop = Shop::with_token("svc_wrongwrongwrongwrong");
    let error = shop.error("shop.shop", &json!({}), 4);
    assert_eq!(error["code"], "AUTH", "{error}");
    let shop = Shop::new();
    let error = shop.error("shop.cart", &json!({"id": "gid://missing"}), 1);
    assert_eq!(error["code"], "NOT_FOUND", "{error}");
    let input = json!({"cart_id": "gid://shopify/Cart/1", "note": "not json"});
    let error = shop.error("shop.cart_note_update", &input, 1);
    assert_eq!(error["code"], "SERVER", "{error}");
    assert_eq!(error["details"]["outcome"], "unknown", "{error}");
}

#[test]
fn a_rate_limit_is_waited_for() {
    let shop = Shop::new();
    shop.data("shop.products", &json!({"query": "too fast"}));
    assert_eq!(shop.server.received().len(), 2);
}

/// Every imported document is valid in the schema that it was made from.
#[test]
fn every_document_is_valid() {
    let schema = schema();
    let text = std::fs::read_to_string(shopify_introspection()).unwrap();
    let service = capstan_core::ServiceName::parse("shop").unwrap();
    let import = import_graphql(&text, "shopify", &service, &Default::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in import.files() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let outlines = capstan_catalog::outline::read_outlines(folder.path()).unwrap();
    let packed = capstan_catalog::pack_outlines(outlines, |_| false, |_| false).unwrap();
    let pack = capstan_catalog::Pack::from_bytes(packed.pack).unwrap();
    assert_eq!(pack.len(), import.outlines.len());
    for packed in pack.iter() {
        let card = packed.unpack().unwrap();
        let document = card.graphql.unwrap().document.text;
        let parsed = apollo_compiler::ExecutableDocument::parse_and_validate(
            &schema,
            document.clone(),
            "card.graphql",
        );
        assert!(
            parsed.is_ok(),
            "{}: {document}\n{}",
            packed.id,
            parsed.unwrap_err().errors
        );
    }
}
