//! Packs: every card comes out as it went in, and damage never causes a panic.

use std::path::{Path, PathBuf};

use capstan_core::AnswerFormat;
use capstan_core::card::PageStyle;

use super::{Pack, pack, pack_outlines};
use crate::load_dir;
use crate::outline::read_outlines;

fn cards() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cards")
}

fn packed() -> Vec<u8> {
    pack(&cards(), |_| None).unwrap()
}

/// Writes one file of outlines and packs its folder.
fn pack_text(name: &str, text: &str) -> Result<Vec<u8>, Vec<String>> {
    let folder = std::env::temp_dir().join(format!("capstan-pack-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("outlines.yaml"), text).unwrap();
    let packed = read_outlines(&folder)
        .and_then(|outlines| pack_outlines(outlines, |_| false, |source| source == "x"));
    std::fs::remove_dir_all(&folder).unwrap();
    packed.map(|packed| packed.pack)
}

#[test]
fn cards_come_out_as_they_went_in() {
    let pack = Pack::from_bytes(packed()).unwrap();
    let mut loaded = load_dir(&cards()).cards;
    loaded.sort_by(|left, right| left.id.as_str().cmp(right.id.as_str()));
    assert_eq!(pack.len(), loaded.len());
    for (packed, card) in pack.iter().zip(&loaded) {
        assert_eq!(packed.unpack().as_ref(), Ok(card));
        assert_eq!(packed.id, card.id.as_str());
        assert_eq!(packed.description(), card.description);
        assert_eq!(packed.operation(), card.operation);
        assert_eq!(packed.intents(), card.intents);
        let names: Vec<_> = card.names.iter().map(|name| name.name.as_str()).collect();
        assert_eq!(packed.names(), names);
        for name in names {
            let found = pack.with_name(&name.replace(' ', "."));
            assert!(found.iter().any(|it| it.id == packed.id), "{name}");
        }
        assert!(pack.contains(packed.id));
        assert!(pack.has_prefix(&packed.id[..packed.id.len() - 1]));
    }
    for id in ["", "a", "issue", "issue.viewx", "zzz", "issue.view\0"] {
        assert!(!pack.contains(id), "{id}");
        assert!(pack.with_name(id).is_empty(), "{id}");
    }
    assert!(!pack.has_prefix("zzz"));
    assert!(pack.has_prefix("issue."));
}

#[test]
fn a_card_names_the_operations_that_gave_way_to_it() {
    let source = |id: &str| {
        let known = ["issue.view", "issue.comment", "gist.view"];
        known.contains(&id).then(|| format!("issues/{id}"))
    };
    let pack = Pack::from_bytes(pack(&cards(), source).unwrap()).unwrap();
    let sources = |id: &str| pack.get(id).unwrap().sources();
    assert_eq!(sources("issue.view"), ["issues/issue.view"]);
    // `issue comment` is another name of this card.
    assert_eq!(sources("issue.comments.create"), ["issues/issue.comment"]);
    assert!(sources("issue.close").is_empty());
}

/// Every byte is changed, and every length is tried, on a pack of a few cards.
#[test]
fn damage_is_found_and_never_a_panic() {
    let outline = |number| {
        format!(
            "thing.n{number}.view:\n  description: Show a thing.\n  call: GET /things/{{id}}\n  \
             source: s\n  input: {{ id: integer }}\n  output: {{ name: string }}\n"
        )
    };
    let text: String = (0..4).map(outline).collect();
    let good = pack_text("damage", &text).unwrap();
    let read_all = |bytes: Vec<u8>| {
        let Some(pack) = Pack::from_bytes(bytes) else {
            return 0;
        };
        let _ = pack.with_name("issue view");
        let _ = pack.has_prefix("thing");
        let _ = pack.get("thing.n2.view").map(|card| card.unpack());
        let cards = pack.iter().filter(|card| card.unpack().is_ok());
        cards.count()
    };
    assert_eq!(read_all(good.clone()), 4);
    for at in 0..good.len() {
        for value in [0, 0xff] {
            let mut bytes = good.clone();
            bytes[at] = value;
            read_all(bytes);
        }
    }
    for len in 0..good.len() {
        read_all(good[..len].to_vec());
    }
}

#[test]
fn an_outline_becomes_a_card() {
    let packed = pack_text(
        "card",
        r#"
gist.comments.update:
  description: Update a gist comment.
  call: PATCH /gists/{gist_id}/comments/{comment_id}
  source: gists/update-comment
  input: { gist_id: string, comment_id: integer, body: string, tags?: [string], mode?: a|b|null }
  output: { id: integer, user: string = user.login, labels: "[string] = labels[].name", plan: { name: string } }
repo.things.list:
  description: List things.
  call: GET /repos/{owner}/{repo}/things
  source: x
  input: { owner: string, repo: string, state?: open|closed }
  pages: page
  rows: { name: string, in: boolean }
  at: things
  total: total_count
"#,
    )
    .unwrap();
    let pack = Pack::from_bytes(packed).unwrap();
    let card = pack.get("gist.comments.update").unwrap().unpack().unwrap();
    let schema = &card.input_schema;
    assert_eq!(
        schema["required"],
        serde_json::json!(["gist_id", "comment_id", "body"])
    );
    assert_eq!(
        schema["properties"]["mode"],
        serde_json::json!({"enum": ["a", "b", null]})
    );
    assert_eq!(
        card.output_schema["properties"]["labels"],
        serde_json::json!({"type": ["array", "null"], "items": {"type": ["string", "null"]}})
    );
    assert!(card.rest.unwrap().call.body.is_some());
    let list = pack.get("repo.things.list").unwrap();
    assert_eq!(list.sources(), ["x"]);
    assert!(list.standing().is_common);
    let update = pack.get("gist.comments.update").unwrap();
    assert!(!update.standing().is_common && update.standing().is_generated);
    assert_eq!(
        list.parameters(),
        ["owner", "repo", "state", "first", "after"]
    );
    let list = list.unpack().unwrap();
    assert!(list.is_paged());
    assert_eq!(list.fields(), ["name", "in"]);
}

/// Returns the card of an outline with these lines.
fn card_of(lines: &str) -> capstan_core::card::Card {
    let lines = lines.replace('\n', "\n  ");
    let text = format!("x.y:\n  description: X.\n  source: x\n  {lines}\n");
    let packed = pack_text("one", &text).unwrap();
    let pack = Pack::from_bytes(packed).unwrap();
    pack.get("x.y").unwrap().unpack().unwrap()
}

#[test]
fn the_inputs_of_a_delete_go_where_github_reads_them() {
    let call = "call: DELETE /x/{id}\ninput: { id: string, why?: string }\nanswer: nothing";
    let in_query = card_of(call).rest.unwrap().call;
    assert!(in_query.body.is_none() && in_query.query.contains_key("why"));
    let in_body = card_of(&format!("{call}\nbody: fields")).rest.unwrap().call;
    assert!(in_body.body.is_some() && in_body.query.is_empty());
}

#[test]
fn answers_have_their_format() {
    for (answer, format) in [
        ("any", AnswerFormat::Json),
        ("text", AnswerFormat::Text),
        ("yes_or_no", AnswerFormat::YesOrNo),
        ("redirect", AnswerFormat::File),
        ("file", AnswerFormat::File),
        ("log", AnswerFormat::Log),
        ("diff", AnswerFormat::Diff),
    ] {
        let card = card_of(&format!("call: GET /x\nanswer: {answer}"));
        let call = card.rest.unwrap().call;
        assert_eq!(call.answer, format, "{answer}");
        let entry = match format {
            AnswerFormat::Diff => "path",
            _ => "entry",
        };
        for (name, part) in [
            (entry, &call.file.entry),
            ("lines", &call.file.lines),
            ("tail", &call.file.tail),
            ("find", &call.file.find),
        ] {
            assert_eq!(part.is_some(), format.has_parts(), "{answer} {name}");
            let has_input = card.input_schema["properties"].get(name).is_some();
            assert_eq!(has_input, format.has_parts(), "{answer} {name}");
        }
    }
}

#[test]
fn lists_continue_in_their_way() {
    for (pages, style) in [
        ("page", PageStyle::Numbers),
        ("cursor", PageStyle::Links),
        ("cursor_param", PageStyle::Links),
        ("since", PageStyle::Links),
        ("link", PageStyle::Links),
    ] {
        let card = card_of(&format!(
            "call: GET /x\npages: {pages}\nrows: {{ id: integer }}"
        ));
        let rest = card.rest.unwrap();
        assert_eq!(rest.pagination.unwrap().style, style, "{pages}");
        let has_number = rest.call.query.contains_key("page");
        assert_eq!(has_number, style == PageStyle::Numbers, "{pages}");
    }
}

#[test]
fn bad_outlines_are_reported_with_their_ids() {
    let outline = |rest: &str| format!("x.view:\n  description: X.\n  source: x\n  {rest}\n");
    for (rest, said) in [
        ("call: GET", "x.view: `call` must be a method and a path"),
        ("call: FETCH /x", "x.view: `FETCH` is not a method"),
        ("call: GET /x", "x.view: expected exactly one of"),
        (
            "call: GET /x\n  output: { a: text }",
            "x.view: a: `text` is not a type",
        ),
        (
            "call: GET /x\n  output: { a: [string, string] }",
            "a list has exactly one type",
        ),
        (
            "call: GET /x\n  answer: nothing\n  input: { a: string|open }",
            "cannot be mixed",
        ),
        ("call: GET /x\n  answer: never", "unknown variant"),
        (
            "call: GET /x\n  answer: nothing\n  more: 1",
            "unknown field",
        ),
    ] {
        let problems = pack_text("bad", &outline(rest)).unwrap_err();
        assert!(problems[0].contains(said), "{rest}: {problems:?}");
    }
}

#[test]
fn an_outline_of_a_service_has_its_own_pages_and_no_route_to_github() {
    let lines = "service: gitlab\ncall: GET /projects/{owner}/issues\ninput: { owner: string }\n\
                 pages: page\nrows: { id: integer }";
    let card = card_of(lines);
    assert_eq!(card.service.as_ref().unwrap().as_str(), "gitlab");
    assert!(card.cli.is_none() && card.no_graphql.is_none());
    assert_eq!(card.line.positional, ["owner"]);
    assert!(card.is_paged() && !card.has_page_size());
    let query = card.rest.unwrap().call.query;
    assert_eq!(query.keys().collect::<Vec<_>>(), ["page"]);

    let named = format!("{lines}\npage_size: limit\npage_number: p\nlargest_page: 20");
    let card = card_of(&named);
    assert!(card.has_page_size());
    let first = &card.input_schema["properties"]["first"];
    assert_eq!(first["maximum"], 20);
    assert_eq!(first["default"], 20);
    let query = card.rest.unwrap().call.query;
    assert_eq!(query.keys().collect::<Vec<_>>(), ["limit", "p"]);
}

#[test]
fn a_pack_may_have_outlines_of_both_kinds() {
    let text = "x.a:\n  description: A.\n  source: x/a\n  call: GET /x\n  answer: nothing\n\
                x.b:\n  description: B.\n  source: b\n  call: mutation b\n  answer: nothing\n";
    let pack = Pack::from_bytes(pack_text("both", text).unwrap()).unwrap();
    let card = |id: &str| pack.get(id).unwrap().unpack().unwrap();
    assert!(card("x.a").rest.is_some() && card("x.b").graphql.is_some());
    assert_eq!(pack.get("x.b").unwrap().sources(), ["b"]);
}
