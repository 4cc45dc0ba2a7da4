//! References such as `"$issue.data.number"` in a step's input: the data of an earlier step. They are parsed and
//! type-checked before anything is sent, and filled in when the step starts.

use std::convert::Infallible;

use serde_json::Value;

use capstan_core::card::Card;
use capstan_core::expr::{Expr, Path, Root, Scope, Segment};
use capstan_core::similar;

use super::nearly::{escaped, is_invisible};
use super::types;

/// A place in a step's input that takes its value from an earlier step.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// JSON pointer into the input.
    pub at: String,
    /// The earlier step.
    pub step: usize,
    /// The path in the earlier step's data.
    path: Path,
    /// The reference as written.
    pub text: String,
}

/// The most step names in an error.
const MOST_NAMED: usize = 5;

/// The steps that a reference may name.
#[derive(Debug)]
pub struct Earlier<'a> {
    /// Their names, in order.
    pub names: &'a [Option<&'a str>],
    /// The names of the step itself and of those after it.
    pub later: &'a [Option<&'a str>],
}

/// An invalid reference, or a text that is almost one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadReference {
    /// JSON pointer into the input.
    pub at: String,
    pub problem: String,
}

/// Finds every reference in an input. A literal text that looks like a reference is written with one more `$`, which is
/// removed here. A text that is almost a reference is refused, because it would be sent as it is.
pub fn find(input: &mut Value, earlier: &Earlier<'_>) -> Result<Vec<Reference>, BadReference> {
    check_names(input, &mut String::new(), earlier)?;
    let mut found = Vec::new();
    visit(input, &mut String::new(), &mut |value, at| {
        let Value::String(text) = value else {
            return Ok(());
        };
        let bad = |problem: String| BadReference {
            at: at.to_owned(),
            problem,
        };
        if let Some(literal) = earlier.unescaped(text) {
            *value = literal.into();
        } else if let Some(written) = Written::of(text) {
            found.push(earlier.resolve(&written, text, at).map_err(bad)?);
        } else if let Some(nearly) = earlier.nearly(text) {
            return Err(bad(nearly.problem(text)));
        }
        Ok(())
    })?;
    Ok(found)
}

/// Refuses references in field names, and unescapes names that look like one.
fn check_names(
    value: &mut Value,
    at: &mut String,
    earlier: &Earlier<'_>,
) -> Result<(), BadReference> {
    let length = at.len();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                at.push_str(&format!("/{index}"));
                check_names(item, at, earlier)?;
                at.truncate(length);
            }
        }
        Value::Object(fields) => {
            if fields.keys().any(|name| name.trim_start().starts_with('$')) {
                let mut renamed = serde_json::Map::with_capacity(fields.len());
                for (name, field) in std::mem::take(fields) {
                    if earlier.names_a_step(&name) {
                        let problem = format!(
                            "`{name}` is the name of a field, and only values can refer to steps; \
                             to send the name itself, write `{}`",
                            escaped(&name)
                        );
                        let at = at.clone();
                        return Err(BadReference { at, problem });
                    }
                    renamed.insert(earlier.unescaped(&name).unwrap_or(name), field);
                }
                *fields = renamed;
            }
            for (name, field) in fields.iter_mut() {
                push_name(at, name);
                check_names(field, at, earlier)?;
                at.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns the references in a recorded input of a step after steps with these names. Literal texts that look like
/// references cannot be distinguished any more.
pub fn recorded(input: &Value, names: &[Option<&str>]) -> Vec<Reference> {
    let earlier = Earlier { names, later: &[] };
    let mut found = Vec::new();
    let visited = visit(&mut input.clone(), &mut String::new(), &mut |value, at| {
        let text = value.as_str().unwrap_or_default();
        if let Some(written) = Written::of(text) {
            found.extend(earlier.resolve(&written, text, at));
        }
        Ok::<_, Infallible>(())
    });
    debug_assert!(visited.is_ok(), "nothing in there fails");
    found
}

impl Reference {
    /// Returns the path in the earlier step's data.
    pub fn segments(&self) -> &[Segment] {
        &self.path.segments
    }

    /// Checks that the value fits its place, as far as the schemas say.
    pub fn check(&self, from: &Card, into: &Card) -> Result<(), String> {
        let found = types::at_path(&from.output_schema, &self.path.segments)
            .map_err(|problem| format!("`{}`: {problem}", self.text))?;
        let wanted = types::at_pointer(&into.input_schema, &self.at);
        types::assignable(&found, wanted).map_err(|problem| format!("`{}` {problem}", self.text))
    }

    /// Returns the value from the data of the earlier step.
    pub fn value(&self, data: &Value) -> Option<Value> {
        self.path
            .eval(&Scope::new(data, &serde_json::Map::new()))
            .filter(|value| !value.is_null())
    }
}

/// The parts of a reference as written.
pub(super) struct Written<'a> {
    /// The step's name or number.
    step: &'a str,
    path: Path,
}

impl<'a> Written<'a> {
    /// Parses `$` NAME-OR-NUMBER `.` PATH; everything else is a plain text.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let rest = text.strip_prefix('$')?;
        let end = rest.find(['.', '['])?;
        let (step, path) = rest.split_at(end);
        let path = path.strip_prefix('.')?;
        let has_space = path.contains(char::is_whitespace);
        if has_space || (!is_number(step) && !is_name(step)) {
            return None;
        }
        match Expr::parse(path) {
            Ok(Expr::Path(path)) if path.root == Root::This && !path.segments.is_empty() => {
                Some(Self { step, path })
            }
            _ => None,
        }
    }
}

impl Earlier<'_> {
    /// Returns the number of steps in the chain.
    pub(super) fn total(&self) -> usize {
        self.names.len() + self.later.len()
    }

    /// Returns the literal text of an escaped reference.
    fn unescaped(&self, text: &str) -> Option<String> {
        let start = text.len() - text.trim_start_matches(is_invisible).len();
        let bare = &text[start..];
        let dollars = bare.len() - bare.trim_start_matches('$').len();
        let last = dollars.checked_sub(1).filter(|last| *last > 0)?;
        let single = &bare[last..];
        let looks = Written::of(single).is_some() || self.names_a_step(single);
        looks.then(|| format!("{}{}", &text[..start], &bare[1..]))
    }

    fn resolve(&self, written: &Written<'_>, text: &str, at: &str) -> Result<Reference, String> {
        let literally = format!("to send the text itself, write `${text}`");
        let named = |name: &Option<&str>| *name == Some(written.step);
        let step = match self.names.iter().position(named) {
            Some(step) => step,
            None if is_number(written.step) => match written.step.parse::<usize>() {
                Ok(step) if step < self.names.len() => step,
                Ok(step) if step < self.total() => {
                    return Err(format!(
                        "`{text}` refers to step {step}, which does not come before this one"
                    ));
                }
                _ => {
                    return Err(format!(
                        "`{text}` refers to a step that does not exist: steps are numbered 0 to {}; \
                         {literally}",
                        self.total().saturating_sub(1)
                    ));
                }
            },
            None => {
                let mut names = similar::ranked(written.step, self.names.iter().flatten().copied());
                names.truncate(MOST_NAMED);
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                let known = if names.is_empty() {
                    "no step before this one has a name (`as`)".to_owned()
                } else {
                    format!("steps before this one are called {}", names.join(", "))
                };
                return Err(format!("`{text}` refers to no step: {known}; {literally}"));
            }
        };
        match written.path.segments.split_first() {
            Some((Segment::Key(first), rest)) if first == "data" => Ok(Reference {
                at: at.to_owned(),
                step,
                path: Path {
                    root: Root::This,
                    segments: rest.to_vec(),
                },
                text: text.to_owned(),
            }),
            _ => Err(format!(
                "`{text}` is not in the step's data: expected `${}.data.…`; {literally}",
                written.step
            )),
        }
    }
}

/// Returns the JSON pointers of everything in an input that has the form of a reference.
pub fn places(input: &Value) -> Vec<String> {
    let mut places = Vec::new();
    let visited = visit(&mut input.clone(), &mut String::new(), &mut |value, at| {
        if value
            .as_str()
            .is_some_and(|text| Written::of(text).is_some())
        {
            places.push(at.to_owned());
        }
        Ok::<_, Infallible>(())
    });
    debug_assert!(visited.is_ok(), "nothing in there fails");
    places
}

/// Returns an input in which references by number use the new numbers of the steps.
pub fn renumbered(mut input: Value, new_number: &dyn Fn(usize) -> usize) -> Value {
    for_each_text(&mut input, &|text| {
        let written = Written::of(text)?;
        let step: usize = written.step.parse().ok()?;
        let rest = text.strip_prefix('$')?.strip_prefix(written.step)?;
        Some(format!("${}{rest}", new_number(step)))
    });
    input
}

/// The target of a reference: a step, and a path in its data or in a row of it.
#[derive(Debug)]
pub struct Named<'a> {
    /// The step's name or number.
    pub step: &'a str,
    /// The path without the leading `data`.
    segments: Vec<Segment>,
    text: &'a str,
}

impl<'a> Named<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let Written { step, path } = Written::of(text)?;
        let mut segments = path.segments;
        if matches!(segments.first(), Some(Segment::Key(first)) if first == "data") {
            segments.remove(0);
        }
        Some(Self {
            step,
            segments,
            text,
        })
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Whether the path begins with this field of the data.
    pub fn begins_with(&self, field: &str) -> bool {
        matches!(self.segments.first(), Some(Segment::Key(first)) if first == field)
    }

    /// Returns the value from the data of the step or from a row.
    pub fn value_in(&self, data: &Value) -> Option<Value> {
        let path = Path {
            root: Root::This,
            segments: self.segments.clone(),
        };
        path.eval(&Scope::new(data, &serde_json::Map::new()))
            .filter(|value| !value.is_null())
    }

    /// Returns a reference to the same field in the first row of a list of the step's data.
    pub fn in_first_row(&self, list: &str) -> String {
        let path = Path {
            root: Root::This,
            segments: self.segments.clone(),
        };
        let list = if list.is_empty() {
            String::new()
        } else {
            format!(".{list}")
        };
        format!("${}.data{list}[0].{path}", self.step)
    }
}

/// Replaces references in an input by what `value` returns for them.
pub fn replaced(mut input: Value, value: &mut dyn FnMut(&Named<'_>) -> Option<Value>) -> Value {
    let visited = visit(&mut input, &mut String::new(), &mut |place, _| {
        if let Some(new) = place.as_str().and_then(Named::of).and_then(|it| value(&it)) {
            *place = new;
        }
        Ok::<_, Infallible>(())
    });
    debug_assert!(visited.is_ok(), "nothing in there fails");
    input
}

/// Replaces texts that have the form of a reference, if the steps are not known.
fn unescaped(text: &str) -> Option<&str> {
    let dollars = text.len() - text.trim_start_matches('$').len();
    let last = dollars.checked_sub(1).filter(|last| *last > 0)?;
    Written::of(&text[last..]).map(|_| &text[1..])
}

/// Escapes a value so that its texts are not read as references.
pub fn as_written(value: &Value) -> Value {
    let mut written = value.clone();
    for_each_text(&mut written, &|text| {
        let is_read = Written::of(text).is_some() || unescaped(text).is_some();
        is_read.then(|| format!("${text}"))
    });
    written
}

/// Unescapes such a value.
pub fn as_meant(written: &Value) -> Value {
    let mut meant = written.clone();
    for_each_text(&mut meant, &|text| unescaped(text).map(str::to_owned));
    meant
}

fn for_each_text(value: &mut Value, change: &dyn Fn(&str) -> Option<String>) {
    let visited = visit(value, &mut String::new(), &mut |value, _| {
        if let Some(changed) = value.as_str().and_then(change) {
            *value = changed.into();
        }
        Ok::<_, Infallible>(())
    });
    debug_assert!(visited.is_ok(), "nothing in there fails");
}

/// Whether a text has the form of a reference.
pub fn is_reference(text: &str) -> bool {
    Written::of(text).is_some()
}

/// Whether a text is a valid name of a step.
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_') && chars.all(is_part_of_name)
}

pub(super) fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Calls back for every value with its JSON pointer, innermost first.
fn visit<E>(
    value: &mut Value,
    at: &mut String,
    each: &mut impl FnMut(&mut Value, &str) -> Result<(), E>,
) -> Result<(), E> {
    let length = at.len();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                at.push_str(&format!("/{index}"));
                visit(item, at, each)?;
                at.truncate(length);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                push_name(at, name);
                visit(field, at, each)?;
                at.truncate(length);
            }
        }
        _ => each(value, at)?,
    }
    Ok(())
}

fn push_name(pointer: &mut String, name: &str) {
    pointer.push('/');
    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The references in an input of step 2 of four, where step 1 is called `issue`; and the input.
    fn found(mut input: Value) -> Result<(Vec<String>, Value), String> {
        let earlier = Earlier {
            names: &[None, Some("issue")],
            later: &[None, Some("later")],
        };
        let references = find(&mut input, &earlier).map_err(|bad| bad.problem)?;
        let shown = references
            .iter()
            .map(|it| format!("{} = {}.{}", it.at, it.step, it.path));
        Ok((shown.collect(), input))
    }

    #[test]
    fn references_are_found_wherever_they_stand() {
        let input = json!({"a": "$0.data.id", "b": ["x", "$issue.data.rows[0].number"], "c/d": {"e": "$1.data"}});
        let (references, left) = found(input.clone()).unwrap();
        assert_eq!(
            references,
            ["/a = 0.id", "/b/1 = 1.rows[0].number", "/c~1d/e = 1.."]
        );
        assert_eq!(left, input, "they are filled in later");
    }

    #[test]
    fn other_texts_are_left_alone() {
        for text in [
            "$",
            "$5.00",
            "$HOME",
            "$HOME/x.y",
            "$ 0.data",
            "costs $0.data.id",
            "$1,000",
            "$1.50",
            "$0 off",
            "$issues",
            "$issue-title",
            "see $issue",
            "${other.data}",
            "$.data",
            "$-.data",
            "",
        ] {
            assert_eq!(
                found(json!({"a": text})),
                Ok((vec![], json!({"a": text}))),
                "{text}"
            );
        }
        let (references, left) =
            found(json!({"a": "$$0.data.id", "b": "$$$nobody.x", "c": "$$"})).unwrap();
        assert_eq!(references, Vec::<String>::new());
        assert_eq!(
            left,
            json!({"a": "$0.data.id", "b": "$$nobody.x", "c": "$$"})
        );
    }

    #[test]
    fn what_refers_to_nothing_is_an_error() {
        for (text, said) in [
            (
                "$2.data.id",
                "`$2.data.id` refers to step 2, which does not come before this one",
            ),
            (
                "$3.data.id",
                "`$3.data.id` refers to step 3, which does not come before this one",
            ),
            (
                "$9.data.id",
                "`$9.data.id` refers to a step that does not exist: steps are numbered 0 to 3; to send the text itself, write `$$9.data.id`",
            ),
            (
                "$isue.data.id",
                "`$isue.data.id` refers to no step: steps before this one are called `issue`; to send the text itself, write `$$isue.data.id`",
            ),
            (
                "$issue.number",
                "`$issue.number` is not in the step's data: expected `$issue.data.…`; to send the text itself, write `$$issue.number`",
            ),
            (
                "$99999999999999999999999.data",
                "`$99999999999999999999999.data` refers to a step that does not exist: steps are numbered 0 to 3; to send the text itself, write `$$99999999999999999999999.data`",
            ),
        ] {
            assert_eq!(found(json!({"a": text})), Err(said.to_owned()));
        }
    }

    /// What would be sent as it stands, although somebody most likely meant a value.
    #[test]
    fn what_nearly_is_a_reference_is_refused_with_the_right_form() {
        for (text, right) in [
            ("$issue", "$issue.data"),
            ("$0", "$0.data"),
            ("$issue.data.labels.0", "$issue.data.labels[0]"),
            ("$issue.data.labels.0.name", "$issue.data.labels[0].name"),
            ("$0.data.labels.0", "$0.data.labels[0]"),
            ("$issue.data.labels[*].name", "$issue.data.labels[].name"),
            ("$issue.data.labels.*.name", "$issue.data.labels[].name"),
            ("$issue.data[\"title\"]", "$issue.data.title"),
            ("$issue.data['title']", "$issue.data.title"),
            ("$issue[\"data\"][\"title\"]", "$issue.data.title"),
            ("$issue[0]", "$issue.data[0]"),
            ("$issue.data?.title", "$issue.data.title"),
            ("$issue.data.title ", "$issue.data.title"),
            (" $issue.data.title", "$issue.data.title"),
            ("\n$0.data.title", "$0.data.title"),
            ("$issue. data.title", ""),
            ("$issue.data.x y", ""),
            ("$0.data.id and more", ""),
            ("$issue is broken", ""),
            ("$issue.", ""),
            ("$Issue", "$issue.data"),
            ("$issue->data", "$issue.data"),
            ("$issue->data->title", "$issue.data.title"),
            ("$issue-", ""),
            ("${issue.data.title}", "$issue.data.title"),
            ("${ issue }", "$issue.data"),
            ("${0.data.title", "$0.data.title"),
            ("\u{200b}$issue.data.title", "$issue.data.title"),
            ("\u{feff}$0.data", "$0.data"),
        ] {
            for input in [json!({"a": text}), json!({"a": [{"b": text}]})] {
                let said = found(input).expect_err(text);
                assert!(
                    said.contains(&format!("`{text}` is not a reference")),
                    "{said}"
                );
                assert!(said.contains(&format!("write `{right}")), "{text}: {said}");
                assert!(
                    said.contains(&format!("write `{}`", escaped(text))),
                    "{said}"
                );
                // And so it can be sent.
                assert_eq!(
                    found(json!({"a": escaped(text)})),
                    Ok((vec![], json!({"a": text}))),
                );
            }
        }
        for text in ["$later", "$later[0]", "$3", "$2.data.labels.0"] {
            let said = found(json!({"a": text})).expect_err(text);
            assert!(said.contains("does not come before this one"), "{said}");
        }
    }

    #[test]
    fn the_names_of_fields_do_not_refer() {
        for name in ["$issue.data.title", "$0.data", "$issue"] {
            let said = found(json!({"a": {name: 1}})).expect_err(name);
            assert!(said.contains("only values can refer to steps"), "{said}");
            let (references, left) = found(json!({"a": {escaped(name): 1, "b": 2}})).unwrap();
            assert_eq!(references, Vec::<String>::new());
            assert_eq!(left, json!({"a": {name: 1, "b": 2}}));
        }
        let (_, left) = found(json!({"$ref": "x", "$$": 1, "$defs": {}})).unwrap();
        assert_eq!(left, json!({"$ref": "x", "$$": 1, "$defs": {}}));
    }
}
