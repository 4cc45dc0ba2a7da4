//! The pinned schema and the built-in cards from the folders of the workspace.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use capstan_card_check::GithubSchema;
use capstan_catalog::Loaded;

pub(crate) fn schema() -> &'static GithubSchema {
    static SCHEMA: OnceLock<GithubSchema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let read =
            |name: &str| std::fs::read_to_string(workspace().join("schema").join(name)).unwrap();
        let texts = [read("github.graphql"), read("extensions.graphql")];
        GithubSchema::parse(&[
            ("github.graphql", &texts[0]),
            ("extensions.graphql", &texts[1]),
        ])
        .unwrap()
    })
}

pub(crate) fn builtin() -> Loaded {
    capstan_catalog::load_dir(&workspace().join("cards"))
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
