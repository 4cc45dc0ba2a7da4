//! Text with holes for names, written once for a document and filled in for each part.

/// The content of a hole, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hole {
    /// The response key of a field at the root.
    Key(usize),
    Variable(usize),
    Fragment(usize),
}

/// Text with holes.
#[derive(Debug, Default)]
pub(crate) struct Template {
    text: String,
    /// The holes with their byte offsets, in order.
    holes: Vec<(usize, Hole)>,
}

/// The names of one part.
#[derive(Debug, Default)]
pub(crate) struct PartNames {
    pub(crate) keys: Vec<String>,
    pub(crate) variables: Vec<String>,
    pub(crate) fragments: Vec<String>,
}

impl Template {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn push_hole(&mut self, hole: Hole) {
        self.holes.push((self.text.len(), hole));
    }

    /// Appends the text with its holes filled in.
    pub(crate) fn fill(&self, part_names: &PartNames, out: &mut String) {
        let mut from = 0;
        for &(at, hole) in &self.holes {
            out.push_str(&self.text[from..at]);
            out.push_str(part_names.name(hole));
            from = at;
        }
        out.push_str(&self.text[from..]);
    }
}

impl PartNames {
    fn name(&self, hole: Hole) -> &str {
        let name = match hole {
            Hole::Key(index) => self.keys.get(index),
            Hole::Variable(index) => self.variables.get(index),
            Hole::Fragment(index) => self.fragments.get(index),
        };
        name.map_or("", String::as_str)
    }
}
