//! The page of each diagnostic code, which `capstan explain E041` prints.

use anyhow::Context as _;

/// Expands to pairs of a code and its page in `docs/errors`, which is compiled into the binary.
macro_rules! pages {
    ($($code:literal),+ $(,)?) => {
        &[$(($code, include_str!(concat!("../../../docs/errors/", $code, ".md")))),+]
    };
}

const PAGES: &[(&str, &str)] = pages![
    "E003", "E004", "E010", "E013", "E014", "E015", "E016", "E017", "E018", "E020", "E021", "E022",
    "E023", "E024", "E025", "E026", "E027", "E028", "E030", "E031", "E040", "E041", "E042", "E043",
    "E044", "E045", "E046", "E047", "E048", "E050", "E051", "E052", "E053", "E054", "E055", "E056",
    "E057", "E058", "E059", "E060", "E061", "E062",
];

/// Whether a text has the form of a diagnostic code, such as `E041`.
pub(crate) fn is_code(text: &str) -> bool {
    text.len() == 4
        && text
            .strip_prefix('E')
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the page of a code. Fails with a list of all codes if there is none.
pub(crate) fn page(code: &str) -> anyhow::Result<&'static str> {
    let found = PAGES.iter().find(|(known, _)| *known == code);
    found.map(|(_, page)| *page).with_context(|| {
        let known: Vec<_> = PAGES.iter().map(|(known, _)| *known).collect();
        format!(
            "there is no diagnostic `{code}`: expected one of {}",
            known.join(", ")
        )
    })
}
