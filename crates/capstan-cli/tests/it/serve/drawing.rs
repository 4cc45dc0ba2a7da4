//! A drawing has everything that the graph has, however many pages that takes.

use super::server::Server;
use crate::cli::harness::Place;

#[test]
fn a_drawing_is_whole_unless_somebody_says_how_much() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let cards = server.json("/api/capabilities?kind=card&limit=200");
    let ids = cards["capabilities"].as_array().unwrap().iter();
    let ids: Vec<_> = ids.map(|it| it["id"].as_str().unwrap()).take(26).collect();
    let pairs = ids
        .iter()
        .flat_map(|from| ids.iter().map(move |to| (from, to)));
    let pairs: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
    for (from, to) in &pairs {
        assert_eq!(server.relate(from, to, "sequence").status, 201);
    }
    let draw = ["graph", "snapshot", "--format", "dot"];
    let edges = |more: &[&str]| {
        let drawn = place.run(&[&draw[..], more].concat()).stdout;
        assert!(drawn.ends_with("}\n"), "{drawn}");
        let nodes = drawn.matches(" [group=").count();
        (nodes, drawn.matches(" -> ").count())
    };
    assert_eq!(edges(&[]), (ids.len(), pairs.len()));
    assert_eq!(edges(&["--limit", "5"]).1, 5);
}
