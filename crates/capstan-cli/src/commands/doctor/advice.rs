//! Advice on how to make a route ready.

use capstan_core::{ErrorCode, ResultError};
use serde_json::Value;

/// Returns what the user can do about a failed request.
pub(super) fn advice_for(error: &ResultError) -> String {
    match error.code {
        ErrorCode::Auth => about_token(error),
        ErrorCode::Network | ErrorCode::Timeout => {
            "check the network, the proxy and GH_HOST, or use `--offline`".to_owned()
        }
        ErrorCode::RateLimit => "wait, or use another token".to_owned(),
        _ => "see https://www.githubstatus.com".to_owned(),
    }
}

/// Returns advice on an authentication failure. A token that GitHub rejects must be replaced; a valid one lacks a
/// scope or permission.
fn about_token(error: &ResultError) -> String {
    let detail = |key: &str| error.details.get(key).and_then(Value::as_str);
    let missing = missing_scopes(error);
    if let Some(scope) = missing.first() {
        let either = missing.join("` or `");
        return format!(
            "the token lacks the scope `{either}`: add it with `gh auth refresh -s {scope}`, or at \
             https://github.com/settings/tokens"
        );
    }
    if detail("sso").is_some() {
        return "authorize the token for single sign-on at https://github.com/settings/tokens"
            .to_owned();
    }
    if let Some(permissions) = detail("permissions_needed") {
        return format!("give the token the permission `{permissions}`");
    }
    let is_known = error.details.get("status").and_then(Value::as_u64) == Some(403)
        || detail("github_type").is_some_and(|it| it != "UNAUTHENTICATED");
    if is_known {
        return "the token is valid but lacks a scope or permission: add it at \
                https://github.com/settings/tokens or with `gh auth refresh -s SCOPE`"
            .to_owned();
    }
    "the token may be revoked or expired: create a new one, or run `gh auth login`".to_owned()
}

/// Returns the scopes of which one would be enough. REST names them in headers, GraphQL in the message. Empty if
/// GitHub names none, or if the token has one of them.
fn missing_scopes(error: &ResultError) -> Vec<String> {
    let detail = |key: &str| error.details.get(key).and_then(Value::as_str);
    let listed = |text: &str| -> Vec<String> {
        let names = text.split(',').map(str::trim);
        names.filter(|it| is_scope(it)).map(str::to_owned).collect()
    };
    let needed = match detail("scopes_needed") {
        Some(scopes) => listed(scopes),
        None => in_brackets(&error.message, "one of the following scopes: ["),
    };
    let given = match detail("scopes_given") {
        Some(scopes) => listed(scopes),
        None => in_brackets(&error.message, "only been granted the: ["),
    };
    // If the token has one of them, something else is missing.
    if needed.iter().any(|scope| given.contains(scope)) {
        return Vec::new();
    }
    needed
}

/// Returns the names of a list such as `['repo', 'gist']` that follows `before` in a message.
fn in_brackets(message: &str, before: &str) -> Vec<String> {
    let Some((_, rest)) = message.split_once(before) else {
        return Vec::new();
    };
    let (list, _) = rest.split_once(']').unwrap_or((rest, ""));
    let names = list.split(',').map(|name| name.trim().trim_matches('\''));
    names.filter(|it| is_scope(it)).map(str::to_owned).collect()
}

/// Whether a text has the form of a scope. Nothing else may become part of a command that is printed.
fn is_scope(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '-');
    !text.is_empty() && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth(message: &str, details: &[(&str, Value)]) -> String {
        let error = ResultError::new(ErrorCode::Auth, message);
        let error = details.iter().fold(error, |error, (key, value)| {
            error.with_detail(key, value.clone())
        });
        advice_for(&error)
    }

    #[test]
    fn a_missing_scope_is_named_where_github_names_it() {
        let said = "Your token has not been granted the required scopes to execute this query. The 'id' \
                    field requires one of the following scopes: ['read:org', 'repo'], but your token has \
                    only been granted the: ['gist'] scopes.";
        let advice = auth(said, &[("github_type", "INSUFFICIENT_SCOPES".into())]);
        assert!(
            advice.contains("lacks the scope `read:org` or `repo`"),
            "{advice}"
        );
        assert!(advice.contains("`gh auth refresh -s read:org`"), "{advice}");
        let advice = auth(
            "Forbidden",
            &[
                ("status", 403.into()),
                ("scopes_needed", "admin:org, repo".into()),
                ("scopes_given", "gist".into()),
            ],
        );
        assert!(
            advice.contains("`gh auth refresh -s admin:org`"),
            "{advice}"
        );
    }

    #[test]
    fn a_valid_token_is_not_called_revoked() {
        for details in [
            vec![("status", Value::from(403))],
            vec![
                ("github_type", Value::from("FORBIDDEN")),
                ("status", 200.into()),
            ],
            vec![
                ("status", 403.into()),
                ("scopes_needed", "repo".into()),
                ("scopes_given", "repo".into()),
            ],
        ] {
            let advice = auth("Resource not accessible by personal access token", &details);
            assert!(advice.contains("scope or permission"), "{advice}");
        }
        let advice = auth("Bad credentials", &[("status", 401.into())]);
        assert!(advice.contains("create a new one"), "{advice}");
    }

    #[test]
    fn words_that_are_no_scope_are_not_made_part_of_a_command() {
        let advice = auth("one of the following scopes: ['; rm -rf ~']", &[]);
        assert!(!advice.contains("rm -rf"), "{advice}");
    }
}
