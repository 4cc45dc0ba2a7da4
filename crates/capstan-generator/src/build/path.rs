//! The path of an outline, with the names of its inputs.

use crate::description::{Operation, Parameter, Place};
use crate::problem::Problem;
use crate::rules::Rules;

/// A path with blanks, and the parameters in it by the names of their inputs.
pub(crate) struct PathBlanks<'a> {
    pub(crate) text: String,
    pub(crate) inputs: Vec<(String, &'a Parameter)>,
}

impl<'a> PathBlanks<'a> {
    pub(crate) fn new(operation: &'a Operation, rules: &Rules) -> Result<Self, Problem> {
        let problem = |message: String| Problem::new(operation.pointer.clone(), message);
        let mut text = String::new();
        let mut inputs: Vec<(String, &Parameter)> = Vec::new();
        let mut rest = operation.path.as_str();
        while let Some((before, blank)) = rest.split_once('{') {
            let Some((name, after)) = blank.split_once('}') else {
                return Err(problem("a blank of the path has no `}`".to_owned()));
            };
            let Some(parameter) = operation.parameter(Place::Path, name) else {
                return Err(problem(format!("the path has no parameter `{name}`")));
            };
            let input = match rules.inputs.get(name) {
                Some(input) => input.clone(),
                None => input_name(name),
            };
            if !is_input_name(&input) || inputs.iter().any(|(known, _)| *known == input) {
                return Err(problem(format!("`{name}` cannot be the name of an input")));
            }
            let mark = if parameter.has_slashes { "+" } else { "" };
            text.push_str(&format!("{before}{{{mark}{input}}}"));
            inputs.push((input, parameter));
            rest = after;
        }
        text.push_str(rest);
        if has_stray_brace(&text) {
            return Err(problem("the path has a `}` without `{`".to_owned()));
        }
        Ok(Self { text, inputs })
    }
}

/// Returns whether a blank is closed before it is opened.
fn has_stray_brace(text: &str) -> bool {
    let outside = text.split('{').next().unwrap_or_default();
    let after_blanks = text
        .split('{')
        .skip(1)
        .filter_map(|blank| blank.split_once('}'));
    outside.contains('}') || after_blanks.into_iter().any(|(_, rest)| rest.contains('}'))
}

/// Writes a name so that it can be the name of an input.
pub(super) fn input_name(name: &str) -> String {
    let mut input: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if input.starts_with(|c: char| c.is_ascii_digit()) {
        input.insert(0, '_');
    }
    input
}

/// Returns whether it is made of letters, digits and `_`, and starts with no digit.
pub(crate) fn is_input_name(name: &str) -> bool {
    !name.is_empty() && input_name(name) == name
}
