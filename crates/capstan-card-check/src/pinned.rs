//! The schema that is compiled in: GitHub's schema at the time of this release.

use std::io::Read as _;

use flate2::read::GzDecoder;

use crate::GithubSchema;

/// The files of `schema/`, compressed, in the order in which they are parsed.
const FILES: [(&str, &[u8]); 2] = [
    (
        "github.graphql",
        include_bytes!(concat!(env!("OUT_DIR"), "/github.graphql.gz")),
    ),
    (
        "extensions.graphql",
        include_bytes!(concat!(env!("OUT_DIR"), "/extensions.graphql.gz")),
    ),
];

impl GithubSchema {
    /// The month of the pinned schema.
    pub const PINNED: &'static str = "August 2026";

    /// Unpacks and parses the pinned schema. This takes tens of milliseconds and tens of megabytes,
    /// so call it once, and only if there are cards to check.
    pub fn pinned() -> Result<Self, String> {
        let mut texts = Vec::new();
        for (name, packed) in FILES {
            let mut text = String::new();
            GzDecoder::new(packed)
                .read_to_string(&mut text)
                .map_err(|cause| format!("the built-in `{name}` is damaged: {cause}"))?;
            texts.push((name, text));
        }
        let texts: Vec<_> = texts
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        Self::parse(&texts)
    }
}
