//! Generates values for arguments and input fields, many of them for objects in the demo's world.

use apollo_compiler::ast::Type;
use apollo_compiler::schema::ExtendedType;

use super::choices::Choices;
use super::literal::Literal;
use super::world::ids;
use crate::support::schema;

/// The position of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The type that has the argument or input field.
    pub(super) within: &'a str,
    pub(super) name: &'a str,
}

/// Generates a value of this type. `variable` may replace any part of it.
pub(super) fn value(
    choices: &mut Choices<'_>,
    ty: &Type,
    place: Place<'_>,
    depth: usize,
    variable: &mut dyn FnMut(&mut Choices<'_>, &Type, Place<'_>) -> Option<String>,
) -> Literal {
    if let Some(name) = variable(choices, ty, place) {
        return Literal::Variable(name);
    }
    if !ty.is_non_null() && choices.percent(8) {
        return Literal::Null;
    }
    if let Type::List(inner) | Type::NonNullList(inner) = ty {
        // A single value is valid for a list of one.
        if depth > 0 && choices.percent(10) {
            let item = value(choices, inner, place, depth - 1, &mut |_, _, _| None);
            return match item {
                Literal::Null => Literal::List(vec![item]),
                other => other,
            };
        }
        let count = 1 + choices.below(3);
        let item = |_| value(choices, inner, place, depth.saturating_sub(1), variable);
        return Literal::List((0..count).map(item).collect());
    }
    let name = ty.inner_named_type();
    match schema().types.get(name) {
        Some(ExtendedType::Enum(definition)) => {
            let values: Vec<&str> = definition
                .values
                .keys()
                .map(|value| value.as_str())
                .collect();
            Literal::Enum((*choices.pick(&values)).to_owned())
        }
        Some(ExtendedType::InputObject(input)) => {
            let mut fields = Vec::new();
            for field in input.fields.values() {
                let chance = if depth == 0 { 0 } else { 25 };
                if field.is_required() || choices.percent(chance) {
                    let place = Place {
                        within: name,
                        name: &field.name,
                    };
                    let depth = depth.saturating_sub(1);
                    let given = value(choices, &field.ty, place, depth, variable);
                    fields.push((field.name.to_string(), given));
                }
            }
            Literal::Object(fields)
        }
        _ => scalar(choices, name, place),
    }
}

fn scalar(choices: &mut Choices<'_>, type_name: &str, place: Place<'_>) -> Literal {
    match type_name {
        "Int" => Literal::Int(number(choices, place.name)),
        "Float" => {
            let numbers = ["1.5", "-2e3", "0.0", "6.02E23"];
            Literal::Float(numbers[choices.below(numbers.len())])
        }
        "Boolean" => Literal::Boolean(choices.percent(50)),
        "ID" => Literal::Text(id(choices, place)),
        "DateTime" | "PreciseDateTime" | "GitTimestamp" => {
            Literal::Text("2026-03-01T00:00:00Z".to_owned())
        }
        "Date" => Literal::Text("2026-03-01".to_owned()),
        "GitObjectID" => Literal::Text("0".repeat(40)),
        "URI" => Literal::Text("https://github.com/acme/rocket/issues/1".to_owned()),
        _ => text(choices, place.name),
    }
}

fn number(choices: &mut Choices<'_>, name: &str) -> i64 {
    match name {
        "number" => *choices.pick(&[1, 2, 3, 4, 5, 7, 11, 12, 20, 25, 30, 9999]),
        "first" | "last" => *choices.pick(&[2, 1, 3, 4]),
        _ => *choices.pick(&[1, 0, -1, 42]),
    }
}

fn id(choices: &mut Choices<'_>, place: Place<'_>) -> String {
    if choices.percent(12) {
        let strange = ["", "I_nothing", "} { $x", "\u{1F680}"];
        return (*choices.pick(&strange)).to_owned();
    }
    let ids = ids();
    let name = place.name;
    let kind = match name {
        "id" => place
            .within
            .trim_start_matches("Update")
            .trim_start_matches("Delete"),
        other => other,
    };
    let known = match kind {
        "issueId" | "subIssueId" | "blockingIssueId" | "IssueInput" => &ids.issues,
        "pullRequestId" => &ids.pulls,
        "subjectId" | "labelableId" | "assignableId" | "lockableId" => &ids.issues_and_pulls,
        "repositoryId" => &ids.repositories,
        "labelIds" | "LabelInput" => &ids.labels,
        "assigneeIds" | "userIds" | "actorIds" => &ids.users,
        "milestoneId" => &ids.milestones,
        "IssueCommentInput" => &ids.comments,
        "pullRequestReviewId" => &ids.reviews,
        "threadId" | "pullRequestReviewThreadId" => &ids.threads,
        "issueTypeId" => &ids.issue_types,
        _ => &ids.all,
    };
    choices.pick(known).clone()
}

fn text(choices: &mut Choices<'_>, name: &str) -> Literal {
    let known: &[&str] = match name {
        "owner" => &["acme", "acme", "acme", "acme", "nobody"],
        "name" => &["rocket", "rocket", "rocket", "launchpad", "bug", "nothing"],
        "login" | "userLogins" => &["maya-chen", "jonas-weber", "acme", "ghost", ""],
        "query" => &["repo:acme/rocket is:open", "is:pr", "rocket {", ""],
        "after" | "before" => &["Y3Vyc29yOnYyOjA=", "not a cursor"],
        "qualifiedName" | "headRefName" | "baseRefName" => &["main", "refs/heads/main"],
        _ => &STRANGE,
    };
    let text = (*choices.pick(known)).to_owned();
    if choices.percent(20) && !text.ends_with(['"', '\\']) {
        Literal::Block(text)
    } else {
        Literal::Text(text)
    }
}

/// Texts that would break a batch made without a parser.
const STRANGE: [&str; 10] = [
    "plain",
    "} query X { viewer",
    "fragment F on Issue { id }",
    "$number and $a_0_number",
    "# no comment",
    "...F @include(if: $yes)",
    "quote \" and \\ slash",
    "naïve ✓ \u{1F680} \u{7f}",
    "two\nlines\r\n\tand a tab",
    "\"\"\" block \"\"\" {",
];
