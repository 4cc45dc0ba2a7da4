//! Text without the marks of Markdown.

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 4] = ["e.g", "i.e", "vs", "etc"];

/// Returns the first sentence of a text in Markdown. Notes in boxes are left out.
pub(super) fn first_sentence(markdown: &str) -> String {
    let lines = markdown.lines().map(str::trim);
    let lines = lines.skip_while(|line| line.is_empty() || line.starts_with('>'));
    let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let text = plain(&paragraph.join(" "));
    let mut start = 0;
    while let Some(found) = text[start..].find(". ") {
        let end = start + found;
        if !ABBREVIATIONS.iter().any(|word| text[..end].ends_with(word)) {
            return text[..end].to_owned();
        }
        start = end + 2;
    }
    text
}

/// Returns a text without links, emphasis, code marks and tags, with single spaces.
pub(crate) fn plain(markdown: &str) -> String {
    let text = without_tags(&without_links(markdown));
    let text: String = text
        .chars()
        .filter(|c| !matches!(c, '`' | '*'))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Replaces `[text](address)` by the text.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        let link = after.split_once("](").and_then(|(words, address)| {
            let (_, rest) = address.split_once(')')?;
            Some((words, rest))
        });
        match link {
            Some((words, after)) if !words.contains('[') => {
                out.push_str(words);
                rest = after;
            }
            _ => {
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let is_tag = after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match after.split_once('>').filter(|_| is_tag) {
            Some((_, after)) => rest = after,
            None => {
                out.push('<');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
