//! Sentences that start with a verb: `Lists the gists` becomes `list the gists`.

use crate::rules::Words;

/// Returns a text that starts with a known verb in its basic form, or nothing.
pub(crate) fn with_verb(text: &str, words: Words<'_>) -> Option<String> {
    let mut text = text;
    for opening in words.openings {
        text = text
            .strip_prefix(opening.as_str())
            .unwrap_or(text)
            .trim_start();
    }
    let (first, rest) = text.split_once(' ')?;
    let verb = basic_form(&first.to_lowercase(), words)?;
    let mut sentence = verb;
    let mut is_after_or = false;
    for word in rest.split(' ') {
        let second = basic_form(word, words).filter(|_| is_after_or);
        sentence.push(' ');
        sentence.push_str(second.as_deref().unwrap_or(word));
        is_after_or = word == "or";
    }
    for omission in words.omissions {
        sentence = sentence.replace(omission.as_str(), "");
    }
    Some(with_usual_words(&sentence, words))
}

/// Returns a known verb of which a word is the third person, or which it is itself.
fn basic_form(word: &str, words: Words<'_>) -> Option<String> {
    let mut forms = vec![word.to_owned()];
    if let Some(stem) = word.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    }
    let endings = ["es", "s"];
    let stems = endings
        .iter()
        .filter_map(|ending| word.strip_suffix(ending));
    forms.extend(stems.map(str::to_owned));
    let mut forms = forms.into_iter();
    forms.find(|form| words.verbs.contains(form))
}

/// Replaces the beginning of a sentence by the words that the rules prefer. The longest beginning counts.
fn with_usual_words(sentence: &str, words: Words<'_>) -> String {
    let fitting = words.usual_words.iter().filter_map(|(start, usual)| {
        let rest = sentence.strip_prefix(start.as_str())?;
        rest.starts_with(' ').then_some((start.len(), usual, rest))
    });
    match fitting.max_by_key(|(length, ..)| *length) {
        Some((_, usual, rest)) => format!("{usual}{rest}"),
        None => sentence.to_owned(),
    }
}
