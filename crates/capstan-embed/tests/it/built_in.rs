//! Tests of the compiled-in model through its public interface.

use std::sync::Arc;

use capstan_core::port::Embedder;
use capstan_embed::StaticModel;

#[tokio::test]
async fn it_serves_behind_the_port() {
    let embedder: Arc<dyn Embedder> = Arc::new(StaticModel::built_in());
    let texts = ["close an issue".to_owned(), String::new()];
    let vectors = embedder.embed(&texts).await.unwrap();
    let model = StaticModel::built_in();
    assert_eq!(vectors, [model.embed("close an issue"), model.embed("")]);
    assert_eq!(embedder.model(), model.name());
    assert!(embedder.model().starts_with("capstan-static-256-"));
}

#[test]
fn texts_that_mean_alike_are_near() {
    let model = StaticModel::built_in();
    let near = |one: &str, other: &str| -> f32 {
        let (one, other) = (model.embed(one), model.embed(other));
        one.iter().zip(other).map(|(a, b)| a * b).sum()
    };
    for (text, alike, other) in [
        ("close an issue", "shut a bug report", "resize an image"),
        (
            "show the logs of a job",
            "print what a build wrote",
            "invite a colleague",
        ),
        ("make a backup", "archive files", "play music"),
    ] {
        let (alike, other) = (near(text, alike), near(text, other));
        assert!(alike > other + 0.05, "{text}: {alike} {other}");
    }
    assert!((near("merge", "merge") - 1.0).abs() < 1e-5);
}

#[test]
fn what_is_unknown_has_no_direction() {
    let model = StaticModel::built_in();
    for text in ["", " \t\n", "\0", "\u{10330}\u{10331}", &"x".repeat(101)] {
        assert_eq!(model.embed(text), [0.0; StaticModel::DIMENSION], "{text:?}");
    }
}

#[test]
fn long_texts_are_cut() {
    let model = StaticModel::built_in();
    let text = "close the issue. ".repeat(100_000);
    assert_eq!(model.ids(&text).len(), 512);
    assert_eq!(model.embed(&text), model.embed(&text[..20_000]));
}
