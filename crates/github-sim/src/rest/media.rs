//! Media types: the same answer as a diff, a patch, raw text or HTML, for the operations that offer these.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::documented::{MatchedOperation, find, render};
use super::request::RestRequest;
use crate::http::HttpResponse;
use crate::world::{ChangeKind, ChangedFile, World};

const DOCS: &str = "https://docs.github.com/rest";

/// Returns whether the client asked for this media type of GitHub's, such as `diff`.
pub(super) fn asks_for(request: &RestRequest<'_>, name: &str) -> bool {
    wanted(request.accept).is_some_and(|(wanted, _)| wanted == name)
}

/// Returns whether the client accepts this media type by its full name.
pub(super) fn accepts(request: &RestRequest<'_>, media_type: &str) -> bool {
    let mut kinds = request.accept.split(',');
    kinds.any(|kind| kind.split(';').next().map(str::trim) == Some(media_type))
}

/// Changes a successful answer into the media type that the client asked for.
pub(super) fn apply(
    world: &World,
    request: &RestRequest<'_>,
    response: HttpResponse,
) -> HttpResponse {
    let Some((name, kind)) = wanted(request.accept) else {
        return response;
    };
    if !matches!(response.status, StatusCode::OK | StatusCode::CREATED) {
        return response;
    }
    let is_read = matches!(request.method.as_str(), "GET" | "HEAD");
    let method = if is_read {
        "GET"
    } else {
        request.method.as_str()
    };
    let matched = find(method, &request.segments);
    let offered = matched.as_ref().filter(|matched| offers(matched, name));
    let is_text = matches!(name, "diff" | "patch" | "sha");
    let converted = match offered {
        Some(matched) if is_read || !is_text => {
            let body = serde_json::from_slice::<Value>(&response.body).ok();
            body.and_then(|body| convert(world, matched, name, body))
        }
        _ => None,
    };
    match converted {
        // SARIF has a type of its own; the other JSON is plain JSON to GitHub.
        Some(Converted::Json(body)) if name == "sarif" => {
            HttpResponse::bytes(response.status, kind, body.to_string())
        }
        Some(Converted::Json(body)) => HttpResponse {
            body: body.to_string().into(),
            ..response
        },
        Some(Converted::Text(text)) => {
            let content_type = format!("{kind}; charset=utf-8");
            HttpResponse {
                body: text.into(),
                ..response.with_header("content-type", content_type)
            }
        }
        None if is_text => HttpResponse::rest_error(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            &format!("Unsupported 'Accept' header: '{kind}'. Must accept 'application/json'."),
            DOCS,
        ),
        None => response,
    }
}

/// An answer in another media type.
enum Converted {
    Json(Value),
    Text(Vec<u8>),
}

/// Returns the first special media type of an `Accept` header: its name, such as `diff`, and as it was sent.
fn wanted(accept: &str) -> Option<(&str, &str)> {
    let mut kinds = accept.split(',');
    kinds.find_map(|kind| {
        let kind = kind.split(';').next()?.trim();
        if kind == "application/sarif+json" {
            return Some(("sarif", kind));
        }
        let name = kind
            .strip_prefix("application/vnd.github")?
            .trim_start_matches('.');
        let name = name.strip_suffix("+json").unwrap_or(name);
        let name = name
            .strip_prefix("v3")
            .unwrap_or(name)
            .trim_start_matches('.');
        (!name.is_empty() && name != "json").then_some((name, kind))
    })
}

fn offers(matched: &MatchedOperation, name: &str) -> bool {
    let media = &matched.operation.media;
    // GitHub describes diffs and patches of pull requests in one sentence.
    media.contains_key(name) || (name == "patch" && media.contains_key("diff"))
}

fn convert(
    world: &World,
    matched: &MatchedOperation,
    name: &str,
    body: Value,
) -> Option<Converted> {
    match name {
        "diff" => Some(Converted::Text(
            diff(&changed_files(world, matched, &body)?).into(),
        )),
        "patch" => {
            let files = changed_files(world, matched, &body)?;
            Some(Converted::Text(patch(&body, &files).into()))
        }
        "sha" => Some(Converted::Text(body["sha"].as_str()?.into())),
        "raw" if body["content"].is_string() => {
            let encoded: String = body["content"].as_str()?.split_whitespace().collect();
            Some(Converted::Text(STANDARD.decode(encoded).ok()?))
        }
        "raw" if body["source"].is_string() => {
            Some(Converted::Text(body["source"].as_str()?.into()))
        }
        "html" if body["content"].is_string() => {
            let encoded: String = body["content"].as_str()?.split_whitespace().collect();
            let text = String::from_utf8_lossy(&STANDARD.decode(encoded).ok()?).into_owned();
            let page = format!(
                "<div id=\"file\"><article class=\"markdown-body\">{}</article></div>",
                render(&text)
            );
            Some(Converted::Text(page.into()))
        }
        "object" if body.is_array() => {
            Some(Converted::Json(json!({ "type": "dir", "entries": body })))
        }
        "raw" | "text" | "html" | "full" => Some(Converted::Json(with_bodies(body, name))),
        "star" => Some(Converted::Json(starred(body)?)),
        name => {
            let example = matched.operation.media.get(name)?.value.clone()?;
            Some(Converted::Json(example))
        }
    }
}

/// Adds the rendered forms of texts, to an object or to each row.
fn with_bodies(mut value: Value, name: &str) -> Value {
    match &mut value {
        Value::Array(rows) => {
            for row in rows {
                if let Value::Object(fields) = row {
                    add_bodies(fields, name);
                }
            }
        }
        Value::Object(fields) => add_bodies(fields, name),
        _ => {}
    }
    value
}

fn add_bodies(fields: &mut Map<String, Value>, name: &str) {
    let Some(body) = fields.get("body").cloned() else {
        return;
    };
    let text = body.as_str().unwrap_or_default();
    if matches!(name, "text" | "full") {
        fields.insert("body_text".to_owned(), json!(text));
    }
    if matches!(name, "html" | "full") {
        fields.insert("body_html".to_owned(), json!(render(text)));
    }
    if matches!(name, "text" | "html") {
        fields.shift_remove("body");
    }
}

/// Puts each row of a list of stars beside its date.
fn starred(body: Value) -> Option<Value> {
    let Value::Array(rows) = body else {
        return None;
    };
    let dated = rows.into_iter().map(|row| {
        if row.get("starred_at").is_some() {
            return row;
        }
        let key = if row.get("full_name").is_some() {
            "repo"
        } else {
            "user"
        };
        json!({ "starred_at": "2026-01-05T12:00:00Z", key: row })
    });
    Some(dated.collect())
}

/// Returns the files that a pull request, a commit or a comparison changes.
fn changed_files(
    world: &World,
    matched: &MatchedOperation,
    body: &Value,
) -> Option<Vec<ChangedFile>> {
    if let Some(files) = body["files"].as_array() {
        return Some(files.iter().filter_map(file_of).collect());
    }
    let value = |name: &str| matched.values.get(name);
    let id = world.find_repo(value("owner")?, value("repo")?)?;
    let repo = world.repo(id)?;
    if let Some(number) = value("pull_number") {
        let issue = repo.issues.get(&number.parse::<u64>().ok()?)?;
        return Some(world.pull_files(issue.pull.as_ref()?));
    }
    Some(repo.commits.get(body["sha"].as_str()?)?.files.clone())
}

fn file_of(file: &Value) -> Option<ChangedFile> {
    Some(ChangedFile {
        path: file["filename"].as_str()?.to_owned(),
        change: match file["status"].as_str() {
            Some("added") => ChangeKind::Added,
            Some("removed") => ChangeKind::Deleted,
            _ => ChangeKind::Modified,
        },
        additions: file["additions"].as_u64().unwrap_or_default(),
        deletions: file["deletions"].as_u64().unwrap_or_default(),
    })
}

/// Returns a diff with the right files and numbers of lines. The world does not know which lines changed.
fn diff(files: &[ChangedFile]) -> String {
    let mut text = String::new();
    for file in files {
        let ChangedFile {
            path,
            additions,
            deletions,
            ..
        } = file;
        text.push_str(&format!("diff --git a/{path} b/{path}\n"));
        let (old, new) = match file.change {
            ChangeKind::Added => {
                text.push_str("new file mode 100644\nindex 0000000..2f1c9a4\n");
                ("/dev/null".to_owned(), format!("b/{path}"))
            }
            ChangeKind::Deleted => {
                text.push_str("deleted file mode 100644\nindex 8e4d0b7..0000000\n");
                (format!("a/{path}"), "/dev/null".to_owned())
            }
            _ => {
                text.push_str("index 8e4d0b7..2f1c9a4 100644\n");
                (format!("a/{path}"), format!("b/{path}"))
            }
        };
        let start = |lines: u64| u64::from(lines > 0);
        text.push_str(&format!(
            "--- {old}\n+++ {new}\n@@ -{},{deletions} +{},{additions} @@\n",
            start(*deletions),
            start(*additions)
        ));
        for line in 1..=*deletions {
            text.push_str(&format!("-old line {line}\n"));
        }
        for line in 1..=*additions {
            text.push_str(&format!("+new line {line}\n"));
        }
    }
    text
}

/// Returns a patch as `git format-patch` writes it.
fn patch(body: &Value, files: &[ChangedFile]) -> String {
    let sha = body["sha"]
        .as_str()
        .or_else(|| body["head"]["sha"].as_str());
    let message = body["commit"]["message"]
        .as_str()
        .or_else(|| body["title"].as_str());
    let subject = message.and_then(|message| message.lines().next());
    let author = body["commit"]["author"]["name"].as_str();
    let author = author.or_else(|| body["user"]["login"].as_str());
    format!(
        "From {} Mon Sep 17 00:00:00 2001\nFrom: {} <noreply@github.com>\nSubject: [PATCH] {}\n\n---\n\n{}",
        sha.unwrap_or("0000000000000000000000000000000000000000"),
        author.unwrap_or("octocat"),
        subject.unwrap_or("Change"),
        diff(files)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_named_with_and_without_a_version() {
        let cases = [
            ("application/vnd.github.v3.diff", Some("diff")),
            ("application/vnd.github.raw+json", Some("raw")),
            (
                "text/html, application/vnd.github.v3.html+json; q=1",
                Some("html"),
            ),
            ("application/vnd.github+json", None),
            ("application/vnd.github.v3+json", None),
            ("application/vnd.github.json", None),
            ("*/*", None),
        ];
        for (accept, expected) in cases {
            assert_eq!(wanted(accept).map(|(name, _)| name), expected, "{accept}");
        }
    }
}
