//! Remembering documents does not change any result.

use capstan_graphql::{Documents, MergeError, Part, count_nodes, merge};
use serde_json::{Map, json};

const DOCUMENT: &str = "query A($n: Int = 3) { viewer { followers(first: $n) { totalCount } } }
    query B { viewer { login } }
    query C { ...Nobody }";

fn part<'a>(name: &'a str, variables: &'a Map<String, serde_json::Value>) -> Part<'a> {
    Part {
        alias: "a",
        document: DOCUMENT,
        operation_name: Some(name),
        variables,
    }
}

#[test]
fn batches_and_counts_are_those_of_documents_read_anew() {
    let (none, seven) = (Map::new(), json!({ "n": 7 }).as_object().unwrap().clone());
    let mut documents = Documents::default();
    for variables in [&none, &seven, &none] {
        let parts = [part("A", variables), part("B", variables), part("A", &none)];
        assert_eq!(documents.merge(&parts), merge(&parts));
        assert_eq!(
            documents.count_nodes(DOCUMENT, Some("A"), variables),
            count_nodes(DOCUMENT, Some("A"), variables)
        );
    }
}

#[test]
fn mistakes_name_the_part_that_has_them_this_time() {
    let none = Map::new();
    let mut documents = Documents::default();
    let (good, bad) = (part("A", &none), part("C", &none));
    for (parts, at) in [
        (vec![bad], 0),
        (vec![good, bad], 1),
        (vec![good, good, bad], 2),
    ] {
        assert_eq!(
            documents.merge(&parts),
            Err(MergeError::UnknownFragment {
                part: at,
                name: "Nobody".to_owned()
            })
        );
    }
    for at in 0..2 {
        let mut parts = vec![good; at];
        parts.push(Part {
            document: "{",
            ..good
        });
        let error = documents.merge(&parts).unwrap_err();
        assert_eq!(error.part(), Some(at));
    }
}
