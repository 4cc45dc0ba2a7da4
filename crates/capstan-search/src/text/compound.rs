//! Names that are one word although they have capitals inside.

const COMPOUNDS: [&str; 12] = [
    "bitbucket",
    "github",
    "gitlab",
    "graphql",
    "javascript",
    "linkedin",
    "mysql",
    "oauth",
    "postgresql",
    "typescript",
    "whatsapp",
    "youtube",
];

pub(crate) fn is_compound(run: &str) -> bool {
    COMPOUNDS.iter().any(|name| name.eq_ignore_ascii_case(run))
}
