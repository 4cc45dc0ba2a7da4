//! Compares models in folders with vectors from Hugging Face's own implementation
//! (`fixtures/make.py`).

use std::fs;
use std::path::{Path, PathBuf};

use capstan_core::ErrorCode;
use capstan_core::port::Embedder as _;
use capstan_embed::MiniLm;
use serde_json::Value;
use tempfile::TempDir;

#[tokio::test]
async fn a_tiny_bert_gives_the_vectors_of_the_reference() {
    compare(tiny(), fixtures().join("tiny-bert/vectors.json")).await;
}

/// `CAPSTAN_MINILM` is the folder of all-MiniLM-L6-v2, which is too large for the repository.
#[tokio::test]
async fn minilm_gives_the_vectors_of_the_reference() {
    #[expect(clippy::disallowed_methods, reason = "only this test needs it")]
    let Some(folder) = std::env::var_os("CAPSTAN_MINILM") else {
        eprintln!("CAPSTAN_MINILM is not set: not compared with all-MiniLM-L6-v2");
        return;
    };
    compare(PathBuf::from(folder), fixtures().join("minilm.json")).await;
}

#[tokio::test]
async fn texts_do_not_look_at_each_other() {
    let model = MiniLm::new(tiny());
    let texts: Vec<_> = (0..200).map(|n| "close issues ".repeat(n % 13)).collect();
    let together = model.embed(&texts).await.unwrap();
    for (text, vector) in texts.iter().zip(together) {
        let alone = model.embed(std::slice::from_ref(text)).await.unwrap();
        near(&alone[0], &vector, text);
    }
    assert_eq!(model.embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
}

#[tokio::test]
async fn the_first_piece_alone_can_be_asked_for() {
    let folder = copy();
    let text = ["close an issue".to_owned()];
    let mean = MiniLm::new(folder.path()).embed(&text).await.unwrap();
    edit(&folder, "1_Pooling/config.json", |config| {
        config["pooling_mode_mean_tokens"] = false.into();
        config["pooling_mode_cls_token"] = true.into();
    });
    let first = MiniLm::new(folder.path()).embed(&text).await.unwrap();
    assert_ne!(mean, first);
    edit(&folder, "1_Pooling/config.json", |config| {
        config["pooling_mode_max_tokens"] = true.into();
    });
    fails(folder.path(), "pooling_mode_mean_tokens").await;
}

#[tokio::test]
async fn a_folder_that_is_none_is_told_and_looked_at_again() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("model");
    let model = MiniLm::new(&folder);
    let texts = ["a".to_owned()];
    let error = model.embed(&texts).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Validation);
    assert!(error.message.contains("not a folder"), "{error:?}");
    assert_eq!(model.model(), "minilm");
    fs::create_dir(&folder).unwrap();
    fails(&folder, "config.json` is missing").await;
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(tiny().join(file), folder.join(file)).unwrap();
    }
    assert_eq!(model.embed(&texts).await.unwrap()[0].len(), 16);
    assert_ne!(model.model(), "minilm");
}

#[tokio::test]
async fn files_that_do_not_fit_are_told() {
    type Change = fn(&mut Value);
    let configs: [(Change, &str); 7] = [
        (|it| it["model_type"] = "gpt2".into(), "`gpt2`: only `bert`"),
        (|it| it["hidden_act"] = "relu".into(), "`relu`"),
        (|it| it["hidden_size"] = 0.into(), "`hidden_size`"),
        (|it| it["num_attention_heads"] = 3.into(), "3 heads"),
        (
            |it| it["num_hidden_layers"] = 3.into(),
            "no `encoder.layer.2.",
        ),
        (|it| it["intermediate_size"] = 25.into(), "[24, 16]"),
        (|it| it["max_position_embeddings"] = 2.into(), "no room"),
    ];
    for (change, why) in configs {
        let folder = copy();
        edit(&folder, "config.json", change);
        fails(folder.path(), why).await;
    }
    let tokenizers: [(Change, &str); 6] = [
        (|it| it["model"]["type"] = "BPE".into(), "`model`"),
        (
            |it| it["normalizer"]["lowercase"] = false.into(),
            "`normalizer`",
        ),
        (|it| it["pre_tokenizer"] = Value::Null, "`pre_tokenizer`"),
        (|it| it["model"]["vocab"]["a"] = 6.into(), "id 5"),
        (
            |it| {
                it["model"]["vocab"]["more"] =
                    it["model"]["vocab"].as_object().unwrap().len().into();
            },
            "word_embeddings",
        ),
        (
            |it| it["added_tokens"][0]["lstrip"] = true.into(),
            "`added_tokens`",
        ),
    ];
    for (change, why) in tokenizers {
        let folder = copy();
        edit(&folder, "tokenizer.json", change);
        fails(folder.path(), why).await;
    }
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let folder = copy();
        let bytes = fs::read(folder.path().join(file)).unwrap();
        fs::write(folder.path().join(file), &bytes[..bytes.len() / 2]).unwrap();
        fails(folder.path(), &format!("{file}` cannot be used")).await;
    }
}

#[test]
fn the_name_changes_with_the_model() {
    let folder = copy();
    let name = || MiniLm::new(folder.path()).model().to_owned();
    let before = name();
    assert_eq!(
        before,
        MiniLm::new(tiny()).model(),
        "and not with the folder"
    );
    let path = folder.path().join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(path, bytes).unwrap();
    let trained = name();
    assert_ne!(before, trained);
    edit(&folder, "sentence_bert_config.json", |config| {
        config["max_seq_length"] = 16.into();
    });
    assert_ne!(trained, name());
}

async fn compare(folder: PathBuf, expected: PathBuf) {
    let expected: Vec<Value> = serde_json::from_slice(&fs::read(expected).unwrap()).unwrap();
    let text = |it: &Value| it["text"].as_str().unwrap().to_owned();
    let texts: Vec<_> = expected.iter().map(text).collect();
    let vectors = MiniLm::new(folder).embed(&texts).await.unwrap();
    assert_eq!(vectors.len(), expected.len());
    for (ours, expected) in vectors.iter().zip(&expected) {
        let theirs: Vec<f32> = serde_json::from_value(expected["vector"].clone()).unwrap();
        near(ours, &theirs, &text(expected));
    }
}

fn near(ours: &[f32], theirs: &[f32], text: &str) {
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert!((ours - theirs).abs() < 1e-5, "{text:?}: {ours} {theirs}");
    }
}

async fn fails(folder: &Path, why: &str) {
    let error = MiniLm::new(folder)
        .embed(&["a".to_owned()])
        .await
        .unwrap_err();
    assert!(error.message.contains(why), "{}: not {why}", error.message);
    assert!(!error.retryable);
}

fn copy() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("1_Pooling")).unwrap();
    for file in [
        "config.json",
        "tokenizer.json",
        "model.safetensors",
        "sentence_bert_config.json",
        "1_Pooling/config.json",
    ] {
        fs::copy(tiny().join(file), folder.path().join(file)).unwrap();
    }
    folder
}

fn edit(folder: &TempDir, file: &str, change: impl FnOnce(&mut Value)) {
    let path = folder.path().join(file);
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut json);
    fs::write(path, json.to_string()).unwrap();
}

fn tiny() -> PathBuf {
    fixtures().join("tiny-bert")
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}
