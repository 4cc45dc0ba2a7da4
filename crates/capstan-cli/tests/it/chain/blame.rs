//! Who spoils a request for all is searched for in every chunk anew.

use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::bench::{Bench, Setup};
use super::cards;
use super::steps::{codes, exactly, view};

#[tokio::test]
async fn one_guilty_step_in_each_chunk_leaves_the_innocent_of_all_alone() {
    let roots = ["viewer", "meta", "licenses"];
    let bench = Bench::set_up(Setup::graphql_only(roots.map(cards::root).to_vec())).await;
    // Every one asks for something else, so that none of them share a part.
    let mut steps: Vec<_> = (0..150).map(|it| view(1000 + it)).collect();
    let guilty = [10, 60, 110];
    for (place, root) in guilty.into_iter().zip(roots) {
        steps[place] = exactly(&format!("root.{root}"), &json!({}));
        let lacks_scope = Fault::always(FaultKind::Status403Scope);
        bench.sim.inject(lacks_scope.named(root));
    }
    let ran = bench.run(&steps).await;
    assert_eq!(ran.meta.chunks, 3);
    for (index, code) in codes(&ran).iter().enumerate() {
        let expected = if guilty.contains(&index) {
            "AUTH"
        } else {
            "NOT_FOUND"
        };
        assert_eq!(code, expected, "{index}");
    }
}
