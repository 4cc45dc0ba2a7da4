//! Which folders may have cards of services, and which ids they may have.

use super::http::{Reply, Server};
use super::support::{TOKEN, configuration, configure, ended};
use crate::cli::harness::{Place, Ran};

const CARD: &str = r#"capability_id: shop.secrets.view
version: 1.0.0
description: Show what is secret.
operation: READ
service: shop
input_schema: {type: object, properties: {}, additionalProperties: false}
output_schema: {type: object, properties: {id: {type: integer}}}
rest: {method: GET, path: /secrets, output: {fields: {id: id}}}
"#;

const OUTLINE: &str = "shop.orders.view:\n  description: Show an order.\n  service: shop\n  call: GET /orders/{id}\n  \
                       source: s\n  input: { id: integer }\n  output: { id: integer }\n";

fn server() -> Server {
    Server::start(|_| Reply::json(200, &serde_json::json!({"id": 1})))
}

/// Returns a place whose user has configured a service.
fn place(server: &Server) -> Place {
    let place = Place::new().env("SHOP_TOKEN", TOKEN);
    let url = &server.url;
    configure(
        &place,
        &format!("[services.shop]\nbase_url = \"{url}\"\nauth = {{ env = \"SHOP_TOKEN\" }}\n"),
    );
    place
}

/// Writes a file into the folder of the service.
fn write(place: &Place, name: &str, text: &str) {
    let folder = configuration(place).with_file_name("services/shop");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

fn ran_ok(ran: &Ran) -> bool {
    ran.code == 0
}

#[test]
fn cards_of_the_current_folder_cannot_use_services() {
    let server = server();
    let place = place(&server);
    place.write("capstan.toml", "cards = [\"found\"]\n");
    place.write("found/card.yaml", CARD);
    place.write("found/outlines.yaml", OUTLINE);
    for line in ["run shop.secrets.view", "run shop.orders.view id=1"] {
        let ran = place.line(line);
        ended(&ran, 1);
        assert!(ran.stderr.contains("may not use your secrets"), "{ran:?}");
    }
    assert!(server.received().is_empty());
    // Who has read the cards can use them.
    for line in [
        "--cards found run shop.secrets.view",
        "--cards found run shop.orders.view id=1",
    ] {
        let ran = place.line(line);
        assert!(ran_ok(&ran), "{ran:?}");
    }
    assert_eq!(server.received().len(), 2);
}

#[test]
fn the_current_folder_cannot_add_a_service_for_its_cards() {
    let server = server();
    let place = Place::new().env("SHOP_TOKEN", TOKEN);
    let url = &server.url;
    place.write(
        "capstan.toml",
        format!("cards = [\"found\"]\n[services.shop]\nbase_url = \"{url}\"\nauth = {{ env = \"SHOP_TOKEN\" }}\n"),
    );
    place.write("found/card.yaml", CARD);
    place.write("services/shop/outlines.yaml", OUTLINE);
    let ran = place.line("run shop.secrets.view");
    ended(&ran, 2);
    assert!(ran.stderr.contains("`services`"), "{ran:?}");
    assert!(server.received().is_empty());
}

#[test]
fn the_folder_of_a_service_is_read_without_being_named() {
    let server = server();
    let place = place(&server);
    write(&place, "orders.yaml", OUTLINE);
    write(&place, "card.yaml", CARD);
    for line in ["run shop.orders.view id=1", "run shop.secrets.view"] {
        let ran = place.line(line);
        ended(&ran, 0);
    }
    assert_eq!(server.received().len(), 2);
}

#[test]
fn cards_of_a_service_take_no_ids_of_others() {
    let server = server();
    let place = place(&server);
    write(
        &place,
        "a.yaml",
        &OUTLINE.replace("shop.orders.view", "issue.view"),
    );
    write(
        &place,
        "b.yaml",
        &CARD.replace("shop.secrets.view", "issue.close"),
    );
    write(
        &place,
        "c.yaml",
        &OUTLINE
            .replace("  service: shop\n", "")
            .replace("orders", "plain"),
    );
    let ran = place.line("explain issue.view --json");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!ran.stdout.contains("Show an order"), "{ran:?}");
    for name in ["a.yaml", "b.yaml", "c.yaml"] {
        assert!(ran.stderr.contains(name), "{name}: {ran:?}");
    }
    // Outlines in another folder of the user's give way to built-in cards, too.
    place.write(
        "mine/a.yaml",
        OUTLINE.replace("shop.orders.view", "issue.view"),
    );
    let ran = place.line("--cards mine explain issue.view --json");
    assert!(!ran.stdout.contains("Show an order"), "{ran:?}");
    place.write(
        "mine/a.yaml",
        OUTLINE.replace("shop.orders.view", "issue.lock"),
    );
    let ran = place.line("--cards mine explain issue.lock --json");
    assert!(!ran.stdout.contains("Show an order"), "{ran:?}");
}

#[test]
fn a_service_with_the_name_of_a_domain_replaces_nothing() {
    let server = server();
    let place = Place::new();
    let url = &server.url;
    configure(&place, &format!("[services.issue]\nbase_url = \"{url}\"\n"));
    let folder = configuration(&place).with_file_name("services/issue");
    std::fs::create_dir_all(&folder).unwrap();
    let card = CARD
        .replace("shop.secrets.view", "issue.view")
        .replace("service: shop", "service: issue");
    std::fs::write(folder.join("card.yaml"), card).unwrap();
    let ran = place.line("explain issue.view --json");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!ran.stdout.contains("what is secret"), "{ran:?}");
    assert!(ran.stderr.contains("is a built-in card"), "{ran:?}");
}
