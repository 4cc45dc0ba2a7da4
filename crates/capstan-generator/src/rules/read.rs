//! Reads rules in YAML.

use std::path::Path;
use std::sync::Arc;

use capstan_catalog::{files, yaml};
use capstan_core::Source;
use serde::de::DeserializeOwned;

use crate::Problem;

/// Reads the rules in a file.
pub(crate) fn read_rules<T: DeserializeOwned>(file: &Path) -> Result<T, Problem> {
    let place = file.display().to_string();
    let source = files::read(file).map_err(|cause| Problem::new(place, cause))?;
    parse_rules(&source)
}

/// Reads the rules in a text.
pub(crate) fn parse_rules<T: DeserializeOwned>(source: &Arc<Source>) -> Result<T, Problem> {
    let problem = |message: String| Problem::new(source.name.clone(), message);
    let documents = yaml::documents(source).map_err(|error| problem(error.to_string()))?;
    let [document] = documents.as_slice() else {
        return Err(problem("expected one document".to_owned()));
    };
    serde_json::from_value(document.to_json()).map_err(|error| problem(error.to_string()))
}
