//! Public data sets for tool search: `tools.jsonl` and `queries.jsonl` in a folder.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use capstan_search::Document;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Part;
use super::source::{Corpus, Mode, Query, Source};
use crate::BenchError;

const TOOLS: &str = "tools.jsonl";
const QUERIES: &str = "queries.jsonl";

#[derive(Deserialize)]
struct Tool {
    id: String,
    source: String,
    name: String,
    description: String,
    #[serde(default)]
    params: Vec<Parameter>,
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    #[serde(default)]
    description: Option<String>,
}

#[derive(Deserialize)]
struct PublicQuery {
    id: String,
    source: String,
    query: String,
    relevant: Vec<String>,
    mode: Found,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Found {
    Any,
    All,
}

impl Corpus {
    /// Reads a folder. Each source is searched among its own tools.
    pub fn public(folder: &Path) -> Result<Self, BenchError> {
        let tools: Vec<(usize, Tool)> = lines(folder, TOOLS)?;
        let tools: Vec<Tool> = tools.into_iter().map(|(_, tool)| tool).collect();
        let asked: Vec<(usize, PublicQuery)> = lines(folder, QUERIES)?;
        let by_id: HashMap<&str, &Tool> = tools.iter().map(|it| (it.id.as_str(), it)).collect();
        let mut corpus = Self::default();
        for (line, asked) in asked {
            let problem = |problem: String| BenchError::Line {
                file: QUERIES.to_owned(),
                line,
                problem,
            };
            let mut relevant = Vec::new();
            let mut home = None;
            for id in &asked.relevant {
                let tool = by_id.get(id.as_str());
                let tool = tool.ok_or_else(|| problem(format!("`{TOOLS}` has no `{id}`")))?;
                if *home.get_or_insert(&tool.source) != &tool.source {
                    return Err(problem("its answers are of different sources".to_owned()));
                }
                relevant.push(tool.own_id().to_owned());
            }
            let Some(home) = home else {
                return Err(problem("`relevant` is empty".to_owned()));
            };
            let query = Query {
                text: asked.query,
                relevant,
                mode: match asked.mode {
                    Found::Any => Mode::Any,
                    Found::All => Mode::All,
                },
                part: Part::of(&asked.id),
            };
            let known = corpus.sources.iter().position(|it| it.name == asked.source);
            let at = known.unwrap_or_else(|| {
                corpus.sources.push(Source {
                    name: asked.source,
                    home: home.clone(),
                    documents: documents(&tools, home),
                    queries: Vec::new(),
                });
                corpus.sources.len() - 1
            });
            corpus.sources[at].queries.push(query);
        }
        Ok(corpus)
    }
}

impl Tool {
    /// Returns the id without the prefix of its source.
    fn own_id(&self) -> &str {
        let own = self.id.strip_prefix(&self.source);
        let own = own.and_then(|it| it.strip_prefix(':'));
        own.unwrap_or(&self.id)
    }

    fn document(&self) -> Document {
        let parameters = self.params.iter().map(|it| match &it.description {
            Some(description) => format!("{}: {description}", it.name),
            None => it.name.clone(),
        });
        let is_other = self.name != self.own_id();
        Document {
            id: self.own_id().to_owned(),
            names: is_other.then(|| self.name.clone()).into_iter().collect(),
            description: self.description.clone(),
            intents: Vec::new(),
            parameters: parameters.collect(),
        }
    }
}

fn documents(tools: &[Tool], source: &str) -> Vec<Document> {
    let own = tools.iter().filter(|it| it.source == source);
    own.map(Tool::document).collect()
}

fn lines<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<Vec<(usize, T)>, BenchError> {
    let path = folder.join(file);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return Err(BenchError::File { path, error }),
    };
    parse(&text, file)
}

/// Parses one JSON value per line, with the line's number. Empty lines are skipped.
pub(super) fn parse<T: DeserializeOwned>(
    text: &str,
    file: &str,
) -> Result<Vec<(usize, T)>, BenchError> {
    let mut all = Vec::new();
    for (index, text) in text.lines().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let line = index + 1;
        let value = serde_json::from_str(text).map_err(|error| BenchError::Line {
            file: file.to_owned(),
            line,
            problem: problem(&error),
        })?;
        all.push((line, value));
    }
    Ok(all)
}

/// Returns the message without the position, which is relative to the line.
fn problem(error: &serde_json::Error) -> String {
    let problem = error.to_string();
    let place = problem.rfind(" at line ");
    problem[..place.unwrap_or(problem.len())].to_owned()
}
