//! Finding documents by words, by meaning and in spite of typing errors, and the reasons that are
//! given.

use capstan_search::{Correction, Document, FITS, Index, Method, Prior, Query};

use crate::support::{
    DIMENSION, catalogue, check_first, document, embed, index, put, search, search_by,
};

#[test]
fn words_in_any_form() {
    let index = catalogue();
    check_first(&index, "closing issues", "issue.close");
    check_first(
        &index,
        "please add a label to the issue",
        "issue.labels.add",
    );
    check_first(&index, "show all PRs", "pr.list");
}

#[test]
fn meaning_without_a_common_word() {
    let index = catalogue();
    check_first(&index, "will I need an umbrella", "weather.today");
    assert!(search_by(&index, "umbrella", Method::Words).is_empty());
    let found = search_by(&index, "umbrella", Method::Meaning);
    assert_eq!(found[0].key, "weather.today");
    assert!(found[0].why.words.is_empty() && found[0].why.cosine > 0.9);
}

#[test]
fn typing_errors() {
    let index = catalogue();
    check_first(&index, "isuse clsoe", "issue.close");
    check_first(&index, "creat a milsetoen", "repo.milestones.create");
    let found = search(&index, "add a lable");
    assert_eq!(found[0].key, "issue.labels.add");
    let to = |to: &str| Correction {
        from: "lable".to_owned(),
        to: to.to_owned(),
    };
    assert_eq!(found[0].why.corrected, [to("label")]);
    assert_eq!(found[0].why.words, ["add"]);
}

#[test]
fn the_last_word_may_be_begun() {
    let index = catalogue();
    check_first(&index, "create mile", "repo.milestones.create");
    // Here the word is complete.
    assert!(
        search_by(&index, "mile create ", Method::Words)[0]
            .why
            .corrected
            .is_empty()
    );
}

#[test]
fn short_words_and_numbers_are_not_corrected() {
    let index = index(&[document("a", "run 1235 tests"), document("b", "pan")]);
    for text in ["1234 x", "fun x", "pen x"] {
        assert!(search_by(&index, text, Method::Words).is_empty(), "{text}");
    }
}

#[test]
fn several_things_at_once() {
    let index = catalogue();
    let found = search(
        &index,
        "tell me about rain or umbrella forecast, and then combine and unite the change somehow",
    );
    let keys: Vec<_> = found.iter().take(2).map(|it| it.key.as_str()).collect();
    assert!(
        keys.contains(&"weather.today") && keys.contains(&"pr.merge"),
        "{keys:?}"
    );
}

#[test]
fn scores_fall_and_say_whether_anything_fits() {
    let index = catalogue();
    let found = search(&index, "merge the pull request");
    assert!(found.is_sorted_by(|one, two| one.score >= two.score));
    assert!(found.iter().all(|it| (0.0..1.0).contains(&it.score)));
    assert!(found[0].score >= FITS, "{}", found[0].score);
    let nothing = search(&index, "bake a chocolate cake");
    assert!(nothing.iter().all(|it| it.score < FITS), "{nothing:?}");
    let unlike = search(&index, "money");
    assert!(unlike.is_empty(), "{unlike:?}");
}

/// The words of an id match it in any order and form, among stop words.
#[test]
fn the_words_of_an_id_are_nearly_its_name() {
    let index = catalogue();
    for text in ["merge the PR", "please list pull requests", "Issues: list!"] {
        let found = search(&index, text);
        assert!(found[0].score >= 0.9, "{text}: {found:?}");
    }
    for text in ["merge", "list weather"] {
        let found = search(&index, text);
        assert!(found.iter().all(|it| it.score < 0.9), "{text}: {found:?}");
    }
}

#[test]
fn only_what_is_wanted() {
    let mut index = catalogue();
    let vectors = [embed("list issues")];
    let query = Query {
        text: "issue.list",
        vectors: &vectors,
        limit: 3,
        method: Method::Hybrid,
        priors: &[],
    };
    let found = index
        .search(&query, &|key, _| key.starts_with("pr."))
        .unwrap();
    assert!(!found.is_empty() && found.iter().all(|it| it.key.starts_with("pr.")));
    let nothing = Query { limit: 0, ..query };
    assert!(index.search(&nothing, &|_, _| true).unwrap().is_empty());
    index.set_label("pr.list", 7);
    let labelled = |index: &Index| index.search(&query, &|_, label| label == 7).unwrap();
    assert_eq!(labelled(&index).len(), 1);
    put(&mut index, &document("pr.list", "List pull requests"));
    assert_eq!(labelled(&index), []);
}

#[test]
fn changes_are_seen_at_once() {
    let mut index = catalogue();
    let brew = document("coffee.brew", "Brew a cup of coffee");
    assert!(search_by(&index, "coffee", Method::Words).is_empty());
    put(&mut index, &brew);
    check_first(&index, "coffee", "coffee.brew");
    assert!(index.contains("coffee.brew", brew.digest()));
    let other = document("coffee.brew", "Grind beans");
    assert!(!index.contains("coffee.brew", other.digest()));
    put(&mut index, &other);
    assert_eq!(index.len(), 8);
    assert!(search_by(&index, "cup", Method::Words).is_empty());
    assert!(index.remove("coffee.brew") && !index.remove("coffee.brew"));
    assert!(search_by(&index, "beans", Method::Words).is_empty());
}

#[test]
fn intents_and_parameters_count() {
    let mut index = catalogue();
    put(
        &mut index,
        &Document {
            id: "cap.name".to_owned(),
            description: "Name a capability".to_owned(),
            intents: vec!["baptise my code".to_owned()],
            parameters: vec!["visibility: who may see it".to_owned()],
            ..Document::default()
        },
    );
    check_first(&index, "baptise", "cap.name");
    check_first(&index, "set the visibility", "cap.name");
}

#[test]
fn documents_without_a_vector_are_found_by_their_words() {
    let mut index = catalogue();
    let bare = document("bare.words", "Umbrella stands");
    index.put(&bare, &[]).unwrap();
    assert_eq!(
        search_by(&index, "umbrella", Method::Words)[0].key,
        "bare.words"
    );
    let query = Query {
        text: "merge a pull request",
        vectors: &[],
        limit: 1,
        method: Method::Hybrid,
        priors: &[],
    };
    let found = index.search(&query, &|_, _| true).unwrap();
    assert_eq!(found[0].key, "pr.merge");
    assert!(found[0].score >= FITS / 2.0, "{}", found[0].score);
}

#[test]
fn vectors_of_another_length_are_refused() {
    let mut index = catalogue();
    let error = index.put(&document("a", "b"), &[vec![1.0]]).unwrap_err();
    assert_eq!((error.wanted, error.given), (DIMENSION, 1));
    assert_eq!(index.len(), 7);
    let vectors = [vec![1.0; 3]];
    let query = Query {
        text: "a",
        vectors: &vectors,
        limit: 1,
        method: Method::Hybrid,
        priors: &[],
    };
    assert!(index.search(&query, &|_, _| true).is_err());
}

#[test]
fn an_empty_index_finds_nothing() {
    let index = Index::new("none", 0);
    assert!(index.is_empty());
    for text in ["", "  ", "issue", "\"\"", "."] {
        let query = Query {
            text,
            vectors: &[],
            limit: 5,
            method: Method::Hybrid,
            priors: &[],
        };
        assert!(index.search(&query, &|_, _| true).unwrap().is_empty());
    }
}

/// The bits of a prior are compared as a number, so that two bits can tell four kinds apart.
#[test]
fn priors_sort_documents_by_their_labels() {
    let mut index = index(&[
        document("plain.print", "Print a sticker"),
        document("rare.print", "Print a sticker"),
        document("old.print", "Print a sticker"),
    ]);
    for (key, label) in [
        ("plain.print", 0b001),
        ("rare.print", 0b011),
        ("old.print", 0b111),
    ] {
        index.set_label(key, label);
    }
    let sorted = |priors: &[Prior]| {
        let query = Query {
            text: "print a sticker",
            vectors: &[],
            limit: 5,
            method: Method::Hybrid,
            priors,
        };
        let hits = index.search(&query, &|_, _| true).unwrap();
        assert!(hits.is_sorted_by(|one, two| one.rank >= two.rank));
        let keys = hits.into_iter().map(|hit| hit.key);
        keys.collect::<Vec<_>>()
    };
    let lower = |bits| Prior {
        mask: 0b110,
        bits,
        score: -1.0,
    };
    assert_eq!(
        sorted(&[lower(0b010)]),
        ["old.print", "plain.print", "rare.print"]
    );
    assert_eq!(
        sorted(&[lower(0b110)]),
        ["plain.print", "rare.print", "old.print"]
    );
}

/// Of two documents with similar descriptions, the one whose name says nothing else comes first.
#[test]
fn what_a_name_says_beyond_the_query_counts_against_it() {
    let mut index = catalogue();
    put(
        &mut index,
        &document("a.ship.label.return", "Print a sticker"),
    );
    put(&mut index, &document("sticker", "Print a sticker"));
    check_first(&index, "print sticker", "sticker");
}

/// A name that no document has does not help to choose one. A word at the start of a sentence may
/// be a verb.
#[test]
fn unknown_names_and_numbers_are_not_embedded() {
    let index = catalogue();
    assert_eq!(index.parts("merge it for Priya Nair in 2031"), ["merge"]);
    assert_eq!(index.parts("Rain in Oslo"), ["Rain"]);
    assert_eq!(index.parts("7"), ["7"]);
}
