//! Paths to values.

use std::fmt;

/// The path to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub root: Root,
    pub segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The current value.
    This,
    /// A named value.
    Variable(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    Key(String),
    /// `[]`: every element; the rest of the path applies to each.
    Each,
    /// `[0]` from the front, `[-1]` from the back.
    Index(i64),
}

impl Path {
    /// Returns the path to a field of a named value.
    pub fn to_field<'a>(variable: &str, keys: impl IntoIterator<Item = &'a str>) -> Self {
        let keys = keys.into_iter().map(|key| Segment::Key(key.to_owned()));
        Self {
            root: Root::Variable(variable.to_owned()),
            segments: keys.collect(),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        if let Root::Variable(name) = &self.root {
            write!(f, "${name}")?;
            first = false;
        }
        for segment in &self.segments {
            match segment {
                Segment::Key(key) if first => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
                Segment::Each => f.write_str("[]")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
            first = false;
        }
        if first { f.write_str(".") } else { Ok(()) }
    }
}
