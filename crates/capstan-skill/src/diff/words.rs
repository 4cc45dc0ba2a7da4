//! Describes changes of schemas in words.

use capstan_schema::{Change, ChangeKind, Role};

/// Describes a change: `Output field 'x' was removed`.
pub(super) fn message(role: Role, change: &Change) -> String {
    let Change {
        path,
        kind,
        message,
        ..
    } = change;
    let word = word(role);
    // The verb below already says that it differs.
    let message = message.strip_prefix("differs: ").unwrap_or(message);
    let subject = match (path.is_empty(), role) {
        (true, _) => whole(role).to_owned(),
        (false, Role::Input) => format!("Input field '{path}'"),
        (false, Role::Output) => format!("Output field '{path}'"),
    };
    match (kind, role) {
        (ChangeKind::Removed, _) => format!("{subject} was removed"),
        (ChangeKind::AddedRequired, Role::Input) => format!("New required {word} field '{path}'"),
        (ChangeKind::AddedOptional, Role::Input) => format!("New optional {word} field '{path}'"),
        (ChangeKind::AddedRequired, Role::Output) => format!("New {word} field '{path}'"),
        (ChangeKind::AddedOptional, Role::Output) => format!("New optional {word} field '{path}'"),
        (ChangeKind::BecameRequired, Role::Input) => format!("{subject} is now required"),
        (ChangeKind::BecameRequired, Role::Output) => format!("{subject} is now always present"),
        (ChangeKind::BecameOptional, Role::Input) => format!("{subject} is now optional"),
        (ChangeKind::BecameOptional, Role::Output) => format!("{subject} may now be missing"),
        (ChangeKind::Narrowed, _) => format!("{subject} was narrowed: {message}"),
        (ChangeKind::Widened, _) => format!("{subject} was widened: {message}"),
        (ChangeKind::Changed, _) => format!("{subject} was changed: {message}"),
        (ChangeKind::Described, _) => format!("{subject}: {message}"),
    }
}

/// Names the whole input or output.
pub(super) fn whole(role: Role) -> &'static str {
    match role {
        Role::Input => "The input",
        Role::Output => "The output",
    }
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Input => "input",
        Role::Output => "output",
    }
}
