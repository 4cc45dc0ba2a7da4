//! Turns the output of a `gh` process into an answer or a failure.

use bytes::Bytes;
use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure};
use capstan_core::{AnswerFormat, CliAnswer, CliRequest};
use capstan_http::BodyError;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::Value;

use super::process::{MAX_OUTPUT_BYTES, ProcessEnd, ProcessOutput};
use crate::classify::{self, Head};
use crate::reply::{self, Reply};

/// The exit code of `gh pr checks` while checks are pending. Its answer is complete.
const PENDING: i32 = 8;

pub(super) fn read(request: &CliRequest, run: &ProcessOutput) -> Result<Answer, Failure> {
    match request.answer {
        CliAnswer::Http(format) => http(request, run, format),
        CliAnswer::Json => json(run),
    }
}

/// Reads the output of `gh api --include`. The printed answer says more than the exit code.
///
/// `gh` follows a 301, 302 or 303 to a write with a GET and prints only the last answer. That
/// answer names neither the method nor the address, so it looks like the answer to the write.
/// GitHub redirects writes with 307 and 308, which keep the method.
fn http(
    request: &CliRequest,
    run: &ProcessOutput,
    format: AnswerFormat,
) -> Result<Answer, Failure> {
    let Some((head, body)) = split(&run.stdout) else {
        return Err(failed(run));
    };
    let complete = run.end == ProcessEnd::Exited(Some(0))
        || !head.status.is_success()
        || (format == AnswerFormat::Json
            && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok());
    let body = match run.end {
        ProcessEnd::OutOfTime => Err(BodyError::Timeout),
        ProcessEnd::TooMuchOutput => Err(BodyError::TooLarge {
            limit: MAX_OUTPUT_BYTES,
        }),
        ProcessEnd::Exited(_) if complete => Ok(Bytes::copy_from_slice(body)),
        ProcessEnd::Exited(_) => Err(BodyError::Broken),
    };
    let reply = Reply { head, body };
    if is_graphql(request) {
        return reply::graphql(&reply);
    }
    if request.operation == Operation::Read {
        return reply::rest_read(&reply, format);
    }
    let mut answer = reply::rest(&reply, format)?;
    answer.next_page = None;
    Ok(answer)
}

/// Reads the output of `gh … --json`.
fn json(run: &ProcessOutput) -> Result<Answer, Failure> {
    let answered = match run.end {
        ProcessEnd::Exited(Some(0)) => true,
        ProcessEnd::Exited(Some(PENDING)) => !run.stdout.is_empty(),
        _ => false,
    };
    if !answered {
        return Err(failed(run));
    }
    let body = if run.stdout.trim_ascii().is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(&run.stdout).map_err(|_| classify::gh_not_json())?
    };
    Ok(Answer::of(body))
}

fn failed(run: &ProcessOutput) -> Failure {
    match run.end {
        ProcessEnd::OutOfTime => classify::gh_stopped(BodyError::Timeout),
        ProcessEnd::TooMuchOutput => classify::gh_stopped(BodyError::TooLarge {
            limit: MAX_OUTPUT_BYTES,
        }),
        ProcessEnd::Exited(code) => classify::gh_exit(code, &String::from_utf8_lossy(&run.stderr)),
    }
}

fn is_graphql(request: &CliRequest) -> bool {
    matches!(request.args.as_slice(), [api, graphql, ..] if api == "api" && graphql == "graphql")
}

/// Splits output into status line, headers and body. `gh` ends the status line with a bare line
/// feed.
fn split(output: &[u8]) -> Option<(Head, &[u8])> {
    let (line, mut rest) = take_line(output)?;
    let mut words = line.strip_prefix("HTTP/")?.split(' ');
    let status = words.nth(1)?.parse::<StatusCode>().ok()?;
    let mut headers = HeaderMap::new();
    loop {
        let (line, after) = take_line(rest)?;
        rest = after;
        if line.is_empty() {
            return Some((Head { status, headers }, rest));
        }
        let (name, value) = line.split_once(':')?;
        if let (Ok(name), Ok(value)) = (
            name.parse::<HeaderName>(),
            HeaderValue::from_str(value.trim()),
        ) {
            headers.append(name, value);
        }
    }
}

fn take_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    Some((line.trim_end_matches('\r'), &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_that_gh_prints_is_understood() {
        let output =
            b"HTTP/2.0 200 OK\nLink: <https://x/?page=2>; rel=\"next\"\r\nX-A: b: c\r\n\r\n[1]";
        let (head, body) = split(output).unwrap();
        assert_eq!(head.status, 200);
        assert_eq!(head.headers["x-a"], "b: c");
        assert_eq!(body, b"[1]");
        let reply = Reply {
            head,
            body: Ok(Bytes::from_static(b"[1]")),
        };
        assert_eq!(
            reply::rest(&reply, AnswerFormat::Json)
                .unwrap()
                .next_page
                .as_deref(),
            Some("page=2")
        );
    }

    #[test]
    fn anything_else_is_not_taken_for_a_head() {
        for output in ["", "[1]\n", "HTTP/2.0 OK\n\n", "HTTP/1.1 200 OK\nX: y\r\n"] {
            assert!(split(output.as_bytes()).is_none(), "{output:?}");
        }
    }
}
