//! Path templates such as `/repos/{owner}/{repo}`, and the documented operation that a request addresses.

use indexmap::IndexMap;

use super::operation::{DocumentedOperation, ParamType, operations};

/// A parsed path template.
#[derive(Debug)]
pub(super) struct PathTemplate {
    segments: Vec<TemplateSegment>,
}

/// A segment of a path template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TemplateSegment {
    Text(String),
    Param {
        name: String,
        kind: ParamType,
    },
    /// Two values with a text between them: `{base}...{head}`.
    Pair {
        first: String,
        between: String,
        second: String,
    },
}

/// How exactly a template describes a path, segment by segment. More is better.
type Specificity = Vec<u8>;

/// The values of the parameters in a path, in its order.
pub(in crate::rest) type PathValues = IndexMap<String, String>;

/// A documented operation with the values of its path.
#[derive(Debug)]
pub(in crate::rest) struct MatchedOperation {
    pub(in crate::rest) operation: DocumentedOperation,
    pub(in crate::rest) values: PathValues,
}

/// Finds the operation of a request; of several, the one with the most literal path.
pub(in crate::rest) fn find(method: &str, path: &[String]) -> Option<MatchedOperation> {
    let operations = operations();
    let (_, entry, values) = operations
        .entries()
        .iter()
        .filter(|entry| entry.method == method)
        .filter_map(|entry| {
            let values = entry.template.values_of(path)?;
            Some((entry.template.specificity(), entry, values))
        })
        .max_by(|(left, ..), (right, ..)| left.cmp(right))?;
    Some(MatchedOperation {
        operation: operations.load(entry)?,
        values,
    })
}

impl PathTemplate {
    pub(super) fn parse(path: &str, params: &IndexMap<String, ParamType>) -> Self {
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        Self {
            segments: segments
                .map(|segment| TemplateSegment::parse(segment, params))
                .collect(),
        }
    }

    pub(super) fn segments(&self) -> &[TemplateSegment] {
        &self.segments
    }

    /// Returns the values of the parameters if the path fits.
    fn values_of(&self, path: &[String]) -> Option<PathValues> {
        let mut values = PathValues::new();
        fits(&self.segments, path, &mut values).then_some(values)
    }

    fn specificity(&self) -> Specificity {
        let rank = |segment: &TemplateSegment| match segment {
            TemplateSegment::Text(_) => 4,
            TemplateSegment::Param { kind, .. } => match kind {
                ParamType::Integer => 3,
                ParamType::String => 2,
                ParamType::Segments => 1,
            },
            // The former way to describe what is one value with slashes now.
            TemplateSegment::Pair { .. } => 0,
        };
        self.segments.iter().map(rank).collect()
    }
}

impl TemplateSegment {
    fn parse(segment: &str, params: &IndexMap<String, ParamType>) -> Self {
        let Some(inner) = segment
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
        else {
            return Self::Text(segment.to_owned());
        };
        if let Some((first, rest)) = inner.split_once('}')
            && let Some((between, second)) = rest.split_once('{')
        {
            return Self::Pair {
                first: first.to_owned(),
                between: between.to_owned(),
                second: second.to_owned(),
            };
        }
        Self::Param {
            name: inner.to_owned(),
            kind: params.get(inner).copied().unwrap_or(ParamType::String),
        }
    }
}

/// Fits a path to a template and collects the values. A value with slashes takes as many segments as it can.
fn fits(template: &[TemplateSegment], path: &[String], values: &mut PathValues) -> bool {
    let Some((expected, template)) = template.split_first() else {
        return path.is_empty();
    };
    let Some((segment, rest)) = path.split_first() else {
        return false;
    };
    match expected {
        TemplateSegment::Text(text) => text == segment && fits(template, rest, values),
        TemplateSegment::Pair {
            first,
            between,
            second,
        } => {
            let Some((left, right)) = segment.split_once(between.as_str()) else {
                return false;
            };
            values.insert(first.clone(), left.to_owned());
            values.insert(second.clone(), right.to_owned());
            fits(template, rest, values)
        }
        TemplateSegment::Param { name, kind } => {
            if *kind == ParamType::Integer && segment.parse::<u64>().is_err() {
                return false;
            }
            let longest = match kind {
                ParamType::Segments => path.len().saturating_sub(template.len()),
                ParamType::String | ParamType::Integer => 1,
            };
            // What follows a value with slashes has one segment each, so only one length can fit.
            if longest == 0 || longest > path.len() {
                return false;
            }
            values.insert(name.clone(), path[..longest].join("/"));
            fits(template, &path[longest..], values)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(method: &str, path: &str) -> Option<(String, Vec<String>)> {
        let path: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
        let matched = find(method, &path)?;
        Some((matched.operation.id, matched.values.into_values().collect()))
    }

    #[test]
    fn the_most_literal_template_wins() {
        let cases = [
            (
                "GET",
                "/users/octocat/events",
                Some((
                    "activity/list-events-for-authenticated-user",
                    vec!["octocat"],
                )),
            ),
            (
                "GET",
                "/repos/a/b/contents/src/main.rs",
                Some(("repos/get-content", vec!["a", "b", "src/main.rs"])),
            ),
            (
                "GET",
                "/repos/a/b/branches/feature/x/protection",
                Some(("repos/get-branch-protection", vec!["a", "b", "feature/x"])),
            ),
            (
                "GET",
                "/repos/a/b/actions/workflows/ci.yml",
                Some(("actions/get-workflow", vec!["a", "b", "ci.yml"])),
            ),
            ("GET", "/repos/a/b/issues/x", None),
            ("PATCH", "/zen", None),
            ("GET", "/nothing/here", None),
        ];
        for (method, path, expected) in cases {
            let expected = expected.map(|(id, values)| {
                let values = values.into_iter().map(str::to_owned).collect();
                (id.to_owned(), values)
            });
            assert_eq!(found(method, path), expected, "{method} {path}");
        }
    }
}
