//! Texts that are almost references. They are refused with the right form, because the caller most likely meant a value
//! and the text would be sent as it is.

use super::reference::{Earlier, Written, is_number, is_part_of_name};

/// A text that begins like a reference to an existing step, but is not one.
pub(super) struct Nearly {
    /// Whether the step comes before the one that refers to it.
    is_earlier: bool,
    /// The step in its right form.
    step: String,
}

impl Nearly {
    /// Returns what is wrong with the text, and its right form.
    pub(super) fn problem(&self, text: &str) -> String {
        let step = &self.step;
        let literally = format!("to send the text itself, write `{}`", escaped(text));
        if !self.is_earlier {
            return format!(
                "`{text}` refers to step `{step}`, which does not come before this one; {literally}"
            );
        }
        let right = match corrected(text, step) {
            Some(right) => format!("write `{right}`"),
            None => format!("write `${step}.data.FIELD`, and nothing else in the same text"),
        };
        format!("`{text}` is not a reference, although it begins like one: {right}; {literally}")
    }
}

/// Returns the reference that was most likely meant.
fn corrected(text: &str, step: &str) -> Option<String> {
    let rest = after_dollar(text)?.get(step.len()..)?;
    let mut path = rest
        .replace("?.", ".")
        .replace("->", ".")
        .replace("[*]", "[]")
        .replace(".*", "[]");
    for quote in ['"', '\''] {
        path = path
            .replace(&format!("[{quote}"), ".")
            .replace(&format!("{quote}]"), "");
    }
    // `.0` is `[0]`.
    let mut mended = String::new();
    for (index, part) in format!("${step}{path}").split('.').enumerate() {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, after) = part.split_at(digits);
        if index > 0 && !number.is_empty() && (after.is_empty() || after.starts_with('[')) {
            mended.push_str(&format!("[{number}]{after}"));
        } else {
            if index > 0 {
                mended.push('.');
            }
            mended.push_str(part);
        }
    }
    let start = format!("${step}.data");
    let whole = if mended == format!("${step}") {
        start
    } else if mended.starts_with(&start) {
        mended
    } else {
        let rest = mended.strip_prefix(&format!("${step}"))?;
        format!("{start}{rest}")
    };
    Written::of(&whole).is_some().then_some(whole)
}

impl Earlier<'_> {
    /// Whether a text begins like a reference to an existing step.
    pub(super) fn names_a_step(&self, text: &str) -> bool {
        self.nearly(text).is_some()
    }

    /// Returns the step that a text names without being a reference.
    pub(super) fn nearly(&self, text: &str) -> Option<Nearly> {
        let rest = after_dollar(text)?;
        let all = [(self.names, true), (self.later, false)];
        let all = all.into_iter().flat_map(|(names, is_earlier)| {
            let names = names.iter().flatten();
            names.map(move |name| (*name, is_earlier))
        });
        // The longest match: `a-b` rather than `a`.
        let named = all.filter(|(name, _)| begins_with_name(rest, name));
        if let Some((name, is_earlier)) = named.max_by_key(|(name, _)| name.len()) {
            let step = name.to_owned();
            return Some(Nearly { is_earlier, step });
        }
        let end = rest
            .find(|c: char| !is_part_of_name(c))
            .unwrap_or(rest.len());
        let (step, after) = rest.split_at(end);
        // `$5.00` and `$5 off` are prices.
        let is_path = after.is_empty()
            || after.starts_with('[')
            || after.strip_prefix('.').is_some_and(|path| {
                path.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            });
        let number = step
            .parse::<usize>()
            .ok()
            .filter(|_| is_number(step) && is_path)?;
        (number < self.total()).then(|| Nearly {
            is_earlier: number < self.names.len(),
            step: step.to_owned(),
        })
    }
}

/// Whether a text begins with this whole name, or the name is followed by an arrow or a lone hyphen.
fn begins_with_name(text: &str, name: &str) -> bool {
    let begins = text
        .get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name));
    if !begins {
        return false;
    }
    let rest = &text[name.len()..];
    rest == "-" || rest.starts_with("->") || !rest.starts_with(is_part_of_name)
}

/// Returns what follows the leading `$` of a text, ignoring invisible characters before it. For `${…}` it is the part
/// between the braces.
fn after_dollar(text: &str) -> Option<&str> {
    let rest = text.trim_matches(is_invisible).strip_prefix('$')?;
    let within = rest
        .strip_prefix('{')
        .map(|it| it.strip_suffix('}').unwrap_or(it));
    Some(within.map_or(rest, str::trim))
}

/// Whether a character is invisible or white space.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Returns a text with one more `$`, so that it is not read as a reference.
pub(super) fn escaped(text: &str) -> String {
    let start = text.len() - text.trim_start_matches(is_invisible).len();
    format!("{}${}", &text[..start], &text[start..])
}
