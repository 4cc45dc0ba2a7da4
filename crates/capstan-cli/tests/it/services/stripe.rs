//! Stripe's REST API, imported from its public description, and called through the binary.

use capstan_test_support::stripe_description;
use serde_json::{Value, json};

use super::rest_server::{Fault, MISSING, RestServer};
use super::support::{TOKEN, configure, ended};
use crate::cli::harness::{Github, Place, Ran};

struct Stripe {
    place: Place,
    rest: RestServer,
}

impl Stripe {
    /// Imports the description, and configures the service with the lines that the import suggests.
    fn new() -> Self {
        Self::with_token(TOKEN)
    }

    fn with_token(token: &str) -> Self {
        let file = stripe_description();
        let text = std::fs::read_to_string(&file).unwrap();
        let rest = RestServer::start(serde_json::from_str(&text).unwrap(), TOKEN);
        let place = Place::new().env("STRIPE_TOKEN", token);
        let file = file.to_string_lossy().into_owned();
        let ran = place.run(&["cards", "import", "openapi", &file, "--service", "stripe"]);
        ended(&ran, 0);
        let report = ran.json();
        assert_eq!(report["operations"], 450, "{report}");
        let left_out = report["left_out"].as_array().unwrap();
        assert_eq!(left_out.len(), 2, "{left_out:?}");
        assert!(
            left_out
                .iter()
                .all(|it| !it["reason"].as_str().unwrap().is_empty())
        );
        let lines = report["configuration"].as_str().unwrap();
        assert!(lines.contains("https://api.stripe.com"), "{lines}");
        configure(
            &place,
            &lines.replace("https://api.stripe.com", &rest.server.url),
        );
        Self { place, rest }
    }

    fn run(&self, id: &str, input: &Value) -> Ran {
        self.place.run(&["run", id, "--input", &input.to_string()])
    }

    #[track_caller]
    fn data(&self, id: &str, input: &Value) -> Value {
        let ran = self.run(id, input);
        ended(&ran, 0);
        let mut envelope = ran.json();
        assert_eq!(envelope["ok"], true, "{id}: {envelope}");
        envelope["data"].take()
    }

    #[track_caller]
    fn error(&self, id: &str, input: &Value, code: i32) -> Value {
        let ran = self.run(id, input);
        ended(&ran, code);
        let mut envelope = ran.json();
        assert_eq!(envelope["ok"], false, "{id}: {envelope}");
        envelope["error"].take()
    }
}

#[test]
fn twenty_calls() {
    let stripe = Stripe::new();
    let calls = [
        (
            "stripe.customers.list",
            json!({"first": 2}),
            "GET /v1/customers",
        ),
        (
            "stripe.customers.create",
            json!({"email": "a@example.com"}),
            "POST /v1/customers",
        ),
        (
            "stripe.customers.view",
            json!({"customer": "cus_1"}),
            "GET /v1/customers/cus_1",
        ),
        (
            "stripe.customers.update",
            json!({"customer": "cus_1", "name": "A"}),
            "POST /v1/customers/cus_1",
        ),
        (
            "stripe.customers.delete",
            json!({"customer": "cus_1"}),
            "DELETE /v1/customers/cus_1",
        ),
        (
            "stripe.customers.search",
            json!({"query": "email:'a'"}),
            "GET /v1/customers/search",
        ),
        (
            "stripe.charges.list",
            json!({"created": {"gte": 5}}),
            "GET /v1/charges",
        ),
        (
            "stripe.charges.create",
            json!({"amount": 500, "currency": "eur"}),
            "POST /v1/charges",
        ),
        (
            "stripe.charges.capture",
            json!({"charge": "ch_1"}),
            "POST /v1/charges/ch_1/capture",
        ),
        (
            "stripe.charges.view",
            json!({"charge": "ch/1"}),
            "GET /v1/charges/ch%2F1",
        ),
        (
            "stripe.invoices.list",
            json!({"expand": ["data.customer"]}),
            "GET /v1/invoices",
        ),
        (
            "stripe.invoices.pay",
            json!({"invoice": "in_1"}),
            "POST /v1/invoices/in_1/pay",
        ),
        (
            "stripe.products.create",
            json!({"name": "Tea"}),
            "POST /v1/products",
        ),
        (
            "stripe.prices.create",
            json!({"currency": "eur", "product": "p_1"}),
            "POST /v1/prices",
        ),
        (
            "stripe.refunds.create",
            json!({"charge": "ch_1"}),
            "POST /v1/refunds",
        ),
        ("stripe.refunds.list", json!({}), "GET /v1/refunds"),
        (
            "stripe.subscriptions.list",
            json!({"status": "all"}),
            "GET /v1/subscriptions",
        ),
        (
            "stripe.payment_intents.confirm",
            json!({"intent": "pi_1"}),
            "POST /v1/payment_intents/pi_1/confirm",
        ),
        ("stripe.balance.view", json!({}), "GET /v1/balance"),
        (
            "stripe.events.view",
            json!({"id": "evt_1"}),
            "GET /v1/events/evt_1",
        ),
    ];
    for (id, input, request) in calls {
        stripe.data(id, &input);
        let sent = stripe.rest.server.last();
        assert_eq!(format!("{} {}", sent.method, sent.path), request, "{id}");
        assert_eq!(
            sent.header("authorization"),
            Some(&*format!("Bearer {TOKEN}"))
        );
    }
    assert_eq!(stripe.rest.server.received().len(), 20);
}

#[test]
fn lists_have_pages() {
    let stripe = Stripe::new();
    let mut input = json!({"first": 2, "expand": ["data.customer"]});
    let mut ids = Vec::new();
    for _ in 0..9 {
        let ran = stripe.run("stripe.charges.list", &input);
        ended(&ran, 0);
        let envelope = ran.json();
        let rows = envelope["data"]["charges"].as_array().unwrap();
        ids.extend(
            rows.iter()
                .map(|row| row["id"].as_str().unwrap().to_owned()),
        );
        let pages = &envelope["meta"]["pagination"];
        if pages["has_next_page"] != true {
            break;
        }
        input["after"] = pages["end_cursor"].clone();
    }
    assert_eq!(ids, ["row_1", "row_2", "row_3", "row_4", "row_5"]);
    let queries = stripe.rest.server.received().into_iter().map(|it| it.query);
    let queries: Vec<_> = queries.collect();
    assert_eq!(queries.len(), 3);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert!(
        queries[2].contains(&pair("starting_after", "row_4")),
        "{queries:?}"
    );
    for query in &queries {
        assert!(query.contains(&pair("limit", "2")), "{query:?}");
        assert!(
            query.contains(&pair("expand[]", "data.customer")),
            "{query:?}"
        );
    }
}

#[test]
fn forms_have_nested_names() {
    let stripe = Stripe::new();
    let input = json!({
        "email": "a+b@example.com",
        "metadata": {"order id": "6 & 7"},
        "address": {"city": "Bern", "line1": "x=1"},
        "preferred_locales": ["de", "fr"],
        "tax_id_data": [{"type": "eu_vat", "value": "1"}, {"type": "ch_vat", "value": "2"}],
    });
    stripe.data("stripe.customers.create", &input);
    let sent = stripe.rest.server.last();
    assert_eq!(
        sent.header("content-type"),
        Some("application/x-www-form-urlencoded")
    );
    let form: Vec<String> = sent
        .form()
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    for field in [
        "email=a+b@example.com",
        "metadata[order id]=6 & 7",
        "address[city]=Bern",
        "address[line1]=x=1",
        "tax_id_data[0][type]=eu_vat",
        "tax_id_data[1][value]=2",
    ] {
        assert!(form.iter().any(|it| it == field), "{field}: {form:?}");
    }
    let locales = form.iter().filter(|it| it.starts_with("preferred_locales"));
    assert_eq!(locales.count(), 2, "{form:?}");
}

#[test]
fn bad_input_is_refused_before_anything_is_sent() {
    let stripe = Stripe::new();
    for (id, input, words) in [
        (
            "stripe.customers.create",
            json!({"email": 5}),
            "`email` is the number 5: expected string",
        ),
        (
            "stripe.customers.create",
            json!({"emial": "a"}),
            "`emial` is not an input",
        ),
        ("stripe.customers.view", json!({}), "customer"),
        ("stripe.charges.create", json!({"amount": "much"}), "amount"),
        ("stripe.charges.list", json!({"first": 1000}), "first"),
    ] {
        let error = stripe.error(id, &input, 2);
        assert_eq!(error["code"], "VALIDATION", "{error}");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
    }
    assert!(stripe.rest.server.received().is_empty());
    let ran = stripe.run("stripe.custmers.list", &json!({}));
    ended(&ran, 1);
    assert!(ran.stdout.contains("stripe.customers.list"), "{ran:?}");
}

#[test]
fn bad_credentials_are_an_error_without_the_secret() {
    let stripe = Stripe::with_token("svc_wrongwrongwrongwrong");
    let error = stripe.error("stripe.customers.list", &json!({}), 4);
    assert_eq!(error["code"], "AUTH", "{error}");
    let ran = stripe.run("stripe.customers.list", &json!({}));
    assert!(!ran.all().contains("svc_wrong"), "{ran:?}");
}

#[test]
fn a_missing_token_is_an_error_that_names_the_variable() {
    let stripe = Stripe::new();
    let place = stripe.place.env("STRIPE_TOKEN", "");
    let ran = place.run(&["run", "stripe.customers.list"]);
    ended(&ran, 4);
    assert!(ran.stdout.contains("STRIPE_TOKEN"), "{ran:?}");
    assert!(stripe.rest.server.received().is_empty());
}

#[test]
fn failures_of_the_service_are_told() {
    let stripe = Stripe::new();
    let error = stripe.error("stripe.customers.view", &json!({"customer": MISSING}), 1);
    assert_eq!(error["code"], "NOT_FOUND", "{error}");
    stripe.rest.fail(&[
        Fault::BadJson,
        Fault::BadJson,
        Fault::BadJson,
        Fault::BadJson,
    ]);
    let error = stripe.error("stripe.customers.view", &json!({"customer": "cus_1"}), 1);
    assert_eq!(error["code"], "SERVER", "{error}");
    stripe.rest.fail(&[Fault::Broken]);
    let error = stripe.error("stripe.customers.create", &json!({"name": "A"}), 1);
    assert_eq!(error["retryable"], false, "{error}");
    assert_eq!(error["details"]["outcome"], "unknown", "{error}");
}

#[test]
fn a_rate_limit_is_waited_for() {
    let stripe = Stripe::new();
    stripe.rest.fail(&[Fault::RateLimit]);
    stripe.data("stripe.customers.list", &json!({"first": 1}));
    assert_eq!(stripe.rest.server.received().len(), 2);
}

#[test]
fn a_chain_mixes_github_and_the_service() {
    let github = Github::demo();
    let stripe = Stripe::new();
    let place = stripe.place.online(&github);
    let steps = json!([
        {"as": "who", "task": "stripe.customers.view", "input": {"customer": "cus_1"}},
        {"as": "issue", "task": "issue.create",
         "input": {"owner": "acme", "repo": "rocket", "title": "$who.data.id"}},
        {"task": "stripe.customers.update",
         "input": {"customer": "cus_1", "description": "$issue.data.url"}},
    ]);
    let file = place.write("chain.json", steps.to_string());
    let ran = place.run(&["chain", &file.to_string_lossy()]);
    ended(&ran, 0);
    let sent = stripe.rest.server.received();
    assert_eq!(sent.len(), 2, "{ran:?}");
    assert_eq!(sent[1].method, "POST");
    assert!(
        sent[1].form()[0].1.contains("/acme/rocket/issues/"),
        "{:?}",
        sent[1]
    );
    // GitHub's token goes to GitHub only.
    assert!(
        sent.iter()
            .all(|it| it.headers.iter().all(|(_, value)| !value.contains("ghp_")))
    );
}
