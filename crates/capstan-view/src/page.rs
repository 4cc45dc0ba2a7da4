//! A text under construction: lines, followed by long texts.

/// The lines and texts of a result. Everything added to it must be clean.
#[derive(Default)]
pub(crate) struct TextPage {
    pub(crate) lines: Vec<String>,
    /// Long texts with their names. They come last, so that nothing of ours follows foreign text.
    pub(crate) texts: Vec<(String, String)>,
}

impl TextPage {
    pub(crate) fn from_lines(lines: Vec<String>) -> Self {
        Self {
            lines,
            texts: Vec::new(),
        }
    }

    /// Returns the text without trailing spaces and without empty lines at the end.
    pub(crate) fn into_text(self) -> String {
        let mut text = self.lines.join("\n");
        for (name, long) in self.texts {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            if name.is_empty() {
                text.push_str(&long);
            } else {
                text.push_str(&format!("{name}:\n{long}"));
            }
        }
        without_trailing_space(&text)
    }
}

fn without_trailing_space(text: &str) -> String {
    let mut trimmed = String::with_capacity(text.len());
    for line in text.lines() {
        trimmed.push_str(line.trim_end());
        trimmed.push('\n');
    }
    trimmed.truncate(trimmed.trim_end().len());
    trimmed
}
