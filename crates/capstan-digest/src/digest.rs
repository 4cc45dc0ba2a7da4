//! The description of a file, as callers see it.

use serde_json::{Map, Value, json};

/// What a reader sees of a file. Absent parts do not apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDigest {
    /// The file in the archive that was read.
    pub entry: Option<String>,
    /// The size in bytes, unpacked.
    pub size: u64,
    /// How many lines the whole text has.
    pub lines: Option<u64>,
    /// The first and the last line that are shown, if they are one range.
    pub shown: Option<(u64, u64)>,
    /// How many lines have the text to find.
    pub matches: Option<u64>,
    /// The steps of a log that failed.
    pub failed: Option<Vec<FailedStep>>,
    /// The files in an archive, or those that fit a pattern.
    pub entries: Option<Vec<Entry>>,
    /// How to read what is left out.
    pub more: Option<String>,
    /// The text, or the part of it that is shown.
    pub text: Option<String>,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    /// The size that the archive declares, in bytes.
    pub size: u64,
}

/// A step of a log with errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedStep {
    /// Absent in the log of one job, which does not name it.
    pub job: Option<String>,
    pub step: String,
    pub exit_code: Option<i64>,
    /// The file in the archive.
    pub entry: Option<String>,
    /// The first and the last line of the step in this file.
    pub lines: (u64, u64),
}

impl FileDigest {
    /// Returns the fields in the order in which they are read.
    pub fn into_fields(self) -> Map<String, Value> {
        let rows = |entries: Vec<Entry>| -> Vec<Value> {
            let rows = entries.into_iter();
            rows.map(|it| json!({"name": it.name, "size": it.size}))
                .collect()
        };
        let failed = |steps: Vec<FailedStep>| -> Vec<Value> {
            steps.into_iter().map(FailedStep::into_value).collect()
        };
        let fields = [
            ("entry", self.entry.map(Value::from)),
            ("size", Some(self.size.into())),
            ("lines", self.lines.map(Value::from)),
            ("shown", self.shown.map(|range| shown(range).into())),
            ("matches", self.matches.map(Value::from)),
            ("failed", self.failed.map(|it| failed(it).into())),
            ("entries", self.entries.map(|it| rows(it).into())),
            ("more", self.more.map(Value::from)),
            ("text", self.text.map(Value::from)),
        ];
        let fields = fields.into_iter();
        fields
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }
}

impl FailedStep {
    /// Returns `job / step`, or the step if the job is unknown.
    pub(crate) fn title(&self) -> String {
        match &self.job {
            Some(job) => format!("{job} / {}", self.step),
            None => self.step.clone(),
        }
    }

    fn into_value(self) -> Value {
        let fields = [
            ("job", self.job.map(Value::from)),
            ("step", Some(self.step.into())),
            ("exit_code", self.exit_code.map(Value::from)),
            ("lines", Some(shown(self.lines).into())),
            ("entry", self.entry.map(Value::from)),
        ];
        let fields = fields.into_iter();
        fields
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect::<Map<_, _>>()
            .into()
    }
}

fn shown((first, last): (u64, u64)) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}
