//! Which fields of an output an error beside the data concerns.
//!
//! GitHub answers `null` where it refuses a part, and a null that means "not allowed to see" must
//! not be read as "there is none": a pull request whose checks are hidden has not passed them.

use capstan_core::card::{FieldMapping, Output};
use capstan_core::expr::{Path, Root, Segment};
use capstan_core::port::PartialError;

/// The names of the fields that are read from where an error happened.
pub(crate) fn affected<'a>(output: &'a Output, errors: &[PartialError]) -> Vec<&'a str> {
    if errors.is_empty() {
        return Vec::new();
    }
    let root: Vec<&str> = output.root.iter().flat_map(keys).collect();
    let places: Vec<Vec<&str>> = errors
        .iter()
        .map(place)
        .filter(|place| !place.is_empty())
        .collect();
    let concerned = |mapping: &FieldMapping| {
        let mut paths = Vec::new();
        sources(mapping, &mut paths);
        paths.into_iter().any(|path| {
            let read: Vec<&str> = root.iter().copied().chain(keys(path)).collect();
            places
                .iter()
                .any(|place| place.iter().zip(&read).all(|(at, read)| at == read))
        })
    };
    let fields = output
        .fields
        .iter()
        .filter(|(_, mapping)| concerned(mapping));
    fields.map(|(name, _)| name.as_str()).collect()
}

/// The paths into the answer that a field starts from.
fn sources<'a>(mapping: &'a FieldMapping, paths: &mut Vec<&'a Path>) {
    let of_answer = |path: &&Path| path.root == Root::This;
    match mapping {
        FieldMapping::Value(expr) => paths.extend(expr.paths().into_iter().filter(of_answer)),
        FieldMapping::Each { each, .. } => paths.extend(each.paths().into_iter().filter(of_answer)),
        FieldMapping::Object(fields) => fields.values().for_each(|field| sources(field, paths)),
    }
}

fn keys(path: &Path) -> impl Iterator<Item = &str> {
    path.segments.iter().filter_map(|segment| match segment {
        Segment::Key(key) => Some(key.as_str()),
        Segment::Each | Segment::Index(_) => None,
    })
}

/// Where an error happened, without the numbers of rows.
fn place(error: &PartialError) -> Vec<&str> {
    let segments = error.path.iter().map(String::as_str);
    segments
        .filter(|segment| segment.parse::<u64>().is_err())
        .collect()
}
