//! Tells operations apart that have the same description.

use std::collections::BTreeMap;

use capstan_catalog::outline::Outline;

use crate::rules::Rules;

/// Adds to descriptions that several outlines have what each is about: its area, or else its scope.
pub(crate) fn make_distinct(outlines: &mut BTreeMap<String, Outline>, rules: &Rules) {
    add_where_equal(outlines, |outline| {
        let area = outline.source.split('/').next()?;
        rules.areas.get(area)
    });
    add_where_equal(outlines, |outline| {
        let (_, path) = outline.call.split_once(' ')?;
        let fitting = rules.scopes.iter();
        let fitting = fitting.filter(|(prefix, _)| path.starts_with(prefix.as_str()));
        let longest = fitting.max_by_key(|(prefix, _)| prefix.len());
        longest.map(|(_, scope)| scope)
    });
}

fn add_where_equal<'a>(
    outlines: &mut BTreeMap<String, Outline>,
    words: impl Fn(&Outline) -> Option<&'a String>,
) {
    let mut equal: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, outline) in outlines.iter() {
        let ids = equal.entry(outline.description.clone()).or_default();
        ids.push(id.clone());
    }
    for ids in equal.into_values().filter(|ids| ids.len() > 1) {
        let known = ids.iter().map(|id| outlines.get(id).and_then(&words));
        let known: Vec<_> = known.collect();
        // Words that all of them have tell nothing.
        if known.iter().all(|words| *words == known[0]) {
            continue;
        }
        for (id, words) in ids.iter().zip(known) {
            if let (Some(outline), Some(words)) = (outlines.get_mut(id), words) {
                outline.description = with_words(&outline.description, words);
            }
        }
    }
}

/// Adds words in parentheses to a sentence, to those that are there if there are any.
fn with_words(sentence: &str, words: &str) -> String {
    let text = sentence.trim_end_matches('.');
    match text.strip_suffix(')') {
        Some(text) => format!("{text}, {words})."),
        None => format!("{text} ({words})."),
    }
}
