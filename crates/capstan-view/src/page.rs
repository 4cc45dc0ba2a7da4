//! A text under way: lines, and long texts that come after them.

/// What is told, line by line. Whatever is added to it is clean.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) lines: Vec<String>,
    /// Long texts by their names, which stand last: nothing of ours comes after what others wrote.
    pub(crate) texts: Vec<(String, String)>,
}

impl Page {
    pub(crate) fn of(lines: Vec<String>) -> Self {
        Self {
            lines,
            texts: Vec::new(),
        }
    }

    /// The whole text: no spaces at the ends of lines, no empty line at the end.
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
        trimmed(&text)
    }
}

fn trimmed(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}
