//! The part of a file that belongs to one skill.

use crate::Skill;

impl Skill {
    /// Returns the text of the skill's own document. A file may contain several.
    pub fn document(&self) -> &str {
        document(&self.origin.source.text, self.origin.id.start)
    }
}

/// Returns the document around a byte offset. A line can start with `---` or `...` only as a document marker,
/// even inside a block of text.
fn document(text: &str, inside: usize) -> &str {
    let (mut start, mut end) = (0, text.len());
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let mark = ["---", "..."].into_iter().find(|mark| {
            let rest = line.strip_prefix(mark);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
        });
        if let Some(mark) = mark {
            if place > inside {
                end = place;
                break;
            }
            start = place + mark.len();
        }
        place += line.len();
    }
    let own = text.get(start..end).unwrap_or_default();
    // After the marker, its line has only spaces, or the start of the document.
    let after_mark = own.trim_start_matches([' ', '\t']);
    if after_mark.starts_with(['\r', '\n']) {
        after_mark.trim_start_matches(['\r', '\n'])
    } else {
        own
    }
}

#[cfg(test)]
mod tests {
    use super::document;

    #[test]
    fn each_skill_has_its_own_document() {
        let file = "# about a\nid: a\ncode: |\n  ---\n  return {}\n--- \n\nid: b\n...\n---\r\nid: c\r\n--- {id: d}\n";
        let own = |id: &str| document(file, file.find(id).unwrap_or_default());
        assert_eq!(
            own("id: a"),
            "# about a\nid: a\ncode: |\n  ---\n  return {}\n"
        );
        assert_eq!(own("id: b"), "id: b\n");
        assert_eq!(own("id: c"), "id: c\r\n");
        assert_eq!(own("id: d"), " {id: d}\n");
        assert_eq!(document("", 0), "");
        assert_eq!(document("id: a", 4), "id: a");
        assert_eq!(document("----\nid: a\n", 9), "----\nid: a\n");
    }
}
