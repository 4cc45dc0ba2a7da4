//! Texts that nearly are references. They would be sent as they stand, although somebody most likely
//! meant a value, so they are refused with the right form.

use super::reference::{Earlier, Written, is_number, is_part_of_name};

/// A text that begins like a reference to a step that is there, and is none.
pub(super) struct Nearly {
    /// Whether the step comes before the one that refers to it.
    is_earlier: bool,
    /// The step, as it must be written.
    step: String,
}

impl Nearly {
    /// What is wrong with the text, and how to write what was meant.
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

/// What somebody most likely meant, if that is a reference.
fn corrected(text: &str, step: &str) -> Option<String> {
    let rest = text.trim().strip_prefix('$')?;
    let rest = rest.get(step.len()..)?;
    let mut path = rest
        .replace("?.", ".")
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
    /// Whether a text begins like a reference to a step that is there.
    pub(super) fn names_a_step(&self, text: &str) -> bool {
        self.nearly(text).is_some()
    }

    /// The step that a text names without being a reference to it.
    pub(super) fn nearly(&self, text: &str) -> Option<Nearly> {
        let rest = text.trim().strip_prefix('$')?;
        let end = rest
            .find(|c: char| !is_part_of_name(c))
            .unwrap_or(rest.len());
        let (step, after) = rest.split_at(end);
        for (names, is_earlier) in [(self.names, true), (self.later, false)] {
            let mut names = names.iter().flatten();
            if let Some(name) = names.find(|name| name.eq_ignore_ascii_case(step)) {
                let step = (*name).to_owned();
                return Some(Nearly { is_earlier, step });
            }
        }
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

/// A text with one more `$`, so that it is not read as a reference.
pub(super) fn escaped(text: &str) -> String {
    let start = text.len() - text.trim_start().len();
    format!("{}${}", &text[..start], &text[start..])
}
