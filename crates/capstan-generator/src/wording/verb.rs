//! Sentences that start with a verb: `Lists the gists` becomes `List the gists`.

use crate::rules::Rules;

/// What stands before the verb in some descriptions and says nothing.
const OPENINGS: [&str; 7] = [
    "Use this endpoint to ",
    "Use the REST API to ",
    "You can use this endpoint to ",
    "You can use the REST API to ",
    "This endpoint allows you to ",
    "Allows you to ",
    "Closing down - ",
];

/// Returns a text that starts with a known verb in its basic form, or nothing.
pub(super) fn with_verb(text: &str, rules: &Rules) -> Option<String> {
    let mut text = text;
    for opening in OPENINGS {
        text = text.strip_prefix(opening).unwrap_or(text);
    }
    let (first, rest) = text.split_once(' ')?;
    let first = first.to_lowercase();
    let forms = basic_forms(&first);
    let verb = forms
        .into_iter()
        .find(|form| rules.verbs.iter().any(|verb| verb == form))?;
    Some(format!("{verb} {rest}"))
}

/// Returns what a word may be the third person of, and the word itself.
fn basic_forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    if let Some(stem) = word.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    }
    let endings = ["es", "s"];
    let stems = endings
        .iter()
        .filter_map(|ending| word.strip_suffix(ending));
    forms.extend(stems.map(str::to_owned));
    forms
}
