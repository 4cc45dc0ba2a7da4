//! A small data set, and an embedding model that counts letters.

use std::fs;

use capstan_bench::Embed;
use tempfile::TempDir;

pub(crate) const TOOLS: &str = r#"{"id":"gh:gh issue list","source":"gh","name":"gh issue list","description":"List issues","params":[{"name":"label","description":"only with this label"},{"name":"limit"}]}
{"id":"gh:gh issue close","source":"gh","name":"gh issue close","description":"Close an issue"}
{"id":"metatool:weather","source":"metatool","name":"weather","description":"Tells the weather"}
{"id":"metatool:news","source":"metatool","name":"News Tool","description":"Tells the news"}
"#;

pub(crate) const QUERIES: &str = r#"{"id":"1","source":"gh","query":"list all issues","relevant":["gh:gh issue list"],"mode":"any"}
{"id":"2","source":"gh","query":"shut the ticket","relevant":["gh:gh issue close"],"mode":"any"}

{"id":"3","source":"metatool","query":"will it rain","relevant":["metatool:weather"],"mode":"any"}
{"id":"4","source":"metatool-multi","query":"weather and news","relevant":["metatool:weather","metatool:news"],"mode":"all"}
"#;

pub(crate) fn folder(tools: &str, queries: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("tools.jsonl"), tools).unwrap();
    fs::write(folder.path().join("queries.jsonl"), queries).unwrap();
    folder
}

pub(crate) struct Letters;

impl Embed for Letters {
    fn model(&self) -> &str {
        "letters"
    }

    fn dimension(&self) -> usize {
        26
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; 26];
        let letters = text.bytes().map(|it| it.to_ascii_lowercase());
        for letter in letters.filter(u8::is_ascii_lowercase) {
            vector[usize::from(letter - b'a')] += 1.0;
        }
        vector
    }
}
