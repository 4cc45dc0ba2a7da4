//! Finds the place in a GraphQL answer that holds the fields of an output.

use capstan_graphql::{SelectedField, outline};

use super::nested::AnswerNames;
use super::output::OutputSchema;
use crate::raw::RawOutput;

/// GitHub's keys for rows. An output describes one object, so these are not searched.
const ROWS: [&str; 2] = ["nodes", "edges"];

/// Returns an output that reads each field by its name. It uses the place in the answer that has
/// the most fields of the output; the topmost wins a tie. If that place lacks required fields, the
/// error lists them.
pub(crate) fn find(document: &str, schema: &OutputSchema<'_>) -> Result<RawOutput, Vec<String>> {
    let fields = outline(document).unwrap_or_default();
    let mut best = CandidateObject {
        path: Vec::new(),
        fields: &fields,
        score: score(&fields, schema),
    };
    let mut level = vec![(Vec::new(), fields.as_slice())];
    while !level.is_empty() {
        let mut below = Vec::new();
        for (path, fields) in level {
            let score = score(fields, schema);
            if score > best.score {
                best = CandidateObject {
                    path: path.clone(),
                    fields,
                    score,
                };
            }
            for field in fields.iter().filter(|it| !ROWS.contains(&it.key.as_str())) {
                let mut path = path.clone();
                path.push(field.key.as_str());
                below.push((path, field.fields.as_slice()));
            }
        }
        level = below;
    }
    let root = (!best.path.is_empty()).then(|| best.path.join("."));
    schema
        .by_name(root, |name| find_field(best.fields, name, schema))
        .ok_or_else(|| {
            schema.missing_required(|name| find_field(best.fields, name, schema).is_some())
        })
}

struct CandidateObject<'a> {
    path: Vec<&'a str>,
    fields: &'a [SelectedField],
    /// How many fields of the output are at this place.
    score: usize,
}

fn score(fields: &[SelectedField], schema: &OutputSchema<'_>) -> usize {
    let here = schema
        .names()
        .filter(|name| find_field(fields, name, schema).is_some());
    here.count()
}

fn find_field<'a>(
    fields: &'a [SelectedField],
    name: &str,
    schema: &OutputSchema<'_>,
) -> Option<(String, AnswerNames<'a>)> {
    AnswerNames::Selected(fields).find(name, schema.is_array(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(document: &str, required: &[&str]) -> Result<(Option<String>, String), Vec<String>> {
        let properties: serde_json::Map<_, _> = required
            .iter()
            .map(|name| {
                let kind = if name.ends_with('s') {
                    "array"
                } else {
                    "string"
                };
                ((*name).to_owned(), json!({"type": kind}))
            })
            .collect();
        let schema = json!({"type": "object", "required": required, "properties": properties});
        let output = find(document, &OutputSchema::new(&schema))?;
        Ok((output.root, json!(output.fields).to_string()))
    }

    #[test]
    fn the_place_with_most_fields_is_the_root() {
        let document = "{ repository { id issue { id title createdAt } } }";
        let (root, fields) = found(document, &["id", "title", "created_at"]).unwrap();
        assert_eq!(root.as_deref(), Some("repository.issue"));
        assert_eq!(
            fields,
            r#"{"id":"id","title":"title","created_at":"createdAt"}"#
        );
        let (root, _) = found("{ a { id } b { id } }", &["id"]).unwrap();
        assert_eq!(root.as_deref(), Some("a"), "the first of equals");
        assert_eq!(found("{ id a { id } }", &["id"]).unwrap().0, None);
    }

    #[test]
    fn lists_are_their_nodes_and_rows_are_no_place() {
        let document = "{ repository { name issues { nodes { name title } } } }";
        let (root, fields) = found(document, &["name", "issues"]).unwrap();
        assert_eq!(root.as_deref(), Some("repository"));
        assert_eq!(fields, r#"{"name":"name","issues":"issues.nodes"}"#);
        assert_eq!(found(document, &["title"]), Err(vec!["`title`".to_owned()]));
    }

    #[test]
    fn what_the_best_place_lacks_is_told() {
        let document = "{ repository { issue { id title } } }";
        let missing = found(document, &["id", "title", "url", "state"]);
        assert_eq!(missing, Err(vec!["`url`".to_owned(), "`state`".to_owned()]));
    }
}
