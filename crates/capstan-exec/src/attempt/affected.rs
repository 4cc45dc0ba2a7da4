//! Removes fields that an error beside the data concerns.
//!
//! GitHub answers `null` for a part that it refuses. Such a null must not be read as "there is none": a pull request
//! whose checks are hidden has not passed them.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use capstan_core::card::{FieldMapping, Output};
use capstan_core::expr::{Path, Root, Segment};
use capstan_core::port::PartialError;

/// Removes from the data what an error hides: a field, or a column in the rows of a list.
pub(crate) fn hide(output: &Output, errors: &[PartialError], data: &mut Map<String, Value>) {
    let root: Vec<&str> = output.root.iter().flat_map(keys).collect();
    for place in errors.iter().map(place).filter(|place| !place.is_empty()) {
        for (name, mapping) in &output.fields {
            match concern(mapping, &root, &place) {
                Concern::Nothing => {}
                Concern::Columns(columns) => blank(data.get_mut(name), &columns),
                Concern::Whole => {
                    data.shift_remove(name);
                }
            }
        }
    }
}

/// The part of a field that an error concerns.
enum Concern<'a> {
    Nothing,
    /// These columns in the rows of a list.
    Columns(Vec<&'a str>),
    Whole,
}

fn concern<'a>(mapping: &'a FieldMapping, root: &[&str], place: &[&str]) -> Concern<'a> {
    let mut paths = Vec::new();
    sources(mapping, &mut paths);
    let mut columns = Vec::new();
    for path in paths {
        let read: Vec<&str> = root.iter().copied().chain(keys(path)).collect();
        if !meets(place, &read) {
            continue;
        }
        let inside = place.get(read.len()..).unwrap_or_default();
        match mapping {
            FieldMapping::Each { fields, .. } if !inside.is_empty() => {
                let concerned = columns_reading(fields, inside);
                if concerned.is_empty() {
                    return Concern::Whole;
                }
                columns.extend(concerned);
            }
            _ => return Concern::Whole,
        }
    }
    if columns.is_empty() {
        Concern::Nothing
    } else {
        Concern::Columns(columns)
    }
}

/// Returns the columns that are read from the place of an error inside a row.
fn columns_reading<'a>(
    fields: &'a IndexMap<String, FieldMapping>,
    inside: &[&str],
) -> Vec<&'a str> {
    let reads = |mapping: &FieldMapping| {
        let mut paths = Vec::new();
        sources(mapping, &mut paths);
        paths.into_iter().any(|path| {
            let read: Vec<&str> = keys(path).collect();
            meets(inside, &read)
        })
    };
    let concerned = fields.iter().filter(|(_, mapping)| reads(mapping));
    concerned.map(|(name, _)| name.as_str()).collect()
}

/// Whether one of two paths is a prefix of the other.
fn meets(place: &[&str], read: &[&str]) -> bool {
    place.iter().zip(read).all(|(at, read)| at == read)
}

fn blank(rows: Option<&mut Value>, columns: &[&str]) {
    let rows = rows.and_then(Value::as_array_mut).into_iter().flatten();
    for row in rows.filter_map(Value::as_object_mut) {
        for column in columns {
            row.insert((*column).to_owned(), Value::Null);
        }
    }
}

/// Collects the paths of the answer that a field is read from.
fn sources<'a>(mapping: &'a FieldMapping, paths: &mut Vec<&'a Path>) {
    let of_answer = |path: &&Path| path.root == Root::This;
    match mapping {
        FieldMapping::Value(expr) => paths.extend(expr.paths().into_iter().filter(of_answer)),
        FieldMapping::Each { each: from, .. } | FieldMapping::ObjectFrom { from, .. } => {
            paths.extend(from.paths().into_iter().filter(of_answer));
        }
        FieldMapping::Object(fields) => fields.values().for_each(|field| sources(field, paths)),
    }
}

fn keys(path: &Path) -> impl Iterator<Item = &str> {
    path.segments.iter().filter_map(|segment| match segment {
        Segment::Key(key) => Some(key.as_str()),
        Segment::Each | Segment::Index(_) => None,
    })
}

/// Returns the path of an error without row numbers.
fn place(error: &PartialError) -> Vec<&str> {
    let segments = error.path.iter().map(String::as_str);
    segments
        .filter(|segment| segment.parse::<u64>().is_err())
        .collect()
}
