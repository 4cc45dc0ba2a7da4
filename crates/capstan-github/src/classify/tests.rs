//! One row for each known failure: its input and its expected classification.

use std::time::Duration;

use bytes::Bytes;
use capstan_core::AnswerFormat;
use capstan_core::ErrorCode::{
    self, AdapterUnsupported, Auth, Conflict, Network, NotFound, RateLimit, Server, Unknown,
    Validation,
};
use capstan_core::Outcome::{self, Applied, NotApplied};
use capstan_core::port::Failure;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};

use super::{Head, gh_exit, gh_not_json, gh_stopped, transport};
use crate::reply::{self, Reply};
use capstan_http::{BodyError, TransportFault};

const OPEN: Outcome = Outcome::Unknown;
const DATE: (&str, &str) = ("date", "Mon, 16 Nov 2026 02:00:00 GMT");
const RESET: (&str, &str) = ("x-ratelimit-reset", "1794794490");
const SPENT: (&str, &str) = ("x-ratelimit-remaining", "0");
const UNICORN: &str = "<!DOCTYPE html><html><title>Unicorn!</title></html>";

type Headers = &'static [(&'static str, &'static str)];

#[derive(Clone, Copy)]
enum Input {
    Rest(u16, Headers, &'static str),
    RestTruncated(u16, BodyError),
    Graphql(u16, Headers, &'static str),
    GraphqlTruncated(u16, BodyError),
    NoAnswer(TransportFault, bool),
    Gh(i32, &'static str),
    GhKilled,
    GhStopped(BodyError),
    GhNotJson,
}
use Input::{
    Gh, GhKilled, GhNotJson, GhStopped, Graphql, GraphqlTruncated, NoAnswer, Rest, RestTruncated,
};

type Row = (&'static str, Input, ErrorCode, bool, Outcome, Option<u64>);

const TOO_LARGE: BodyError = BodyError::TooLarge { limit: 10 << 20 };

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // HTTP statuses
    ("moved", Rest(307, &[("location", "https://x/y")], r#"{"message":"Moved Permanently"}"#), AdapterUnsupported, false, NotApplied, None),
    // 303 points at the result of an applied request; servers use 301 and 302 in the same way.
    ("see other", Rest(303, &[("location", "/y")], ""), AdapterUnsupported, false, OPEN, None),
    ("found", Rest(302, &[("location", "/y")], ""), AdapterUnsupported, false, OPEN, None),
    ("moved for ever", Rest(301, &[("location", "/y")], ""), AdapterUnsupported, false, OPEN, None),
    ("several choices", Rest(300, &[], ""), AdapterUnsupported, false, OPEN, None),
    ("GraphQL see other", Graphql(303, &[("location", "/y")], ""), AdapterUnsupported, false, OPEN, None),
    ("gh HTTP prefix, see other", Gh(1, "HTTP 303: See Other (https://api.github.com/repos/x/y)"), AdapterUnsupported, false, OPEN, None),
    ("moved to nowhere", Rest(308, &[], ""), AdapterUnsupported, false, NotApplied, None),
    ("moved, cut short", RestTruncated(307, BodyError::Broken), AdapterUnsupported, false, NotApplied, None),
    ("GraphQL moved", Graphql(308, &[("location", "/y")], ""), AdapterUnsupported, false, NotApplied, None),
    ("bad request", Rest(400, &[], r#"{"message":"Problems parsing JSON"}"#), Validation, false, NotApplied, None),
    ("bad credentials", Rest(401, &[], r#"{"message":"Bad credentials"}"#), Auth, false, NotApplied, None),
    ("missing scope", Rest(403, &[("x-accepted-oauth-scopes", "repo"), ("x-oauth-scopes", "gist")], r#"{"message":"Resource not accessible by personal access token"}"#), Auth, false, NotApplied, None),
    ("single sign-on", Rest(403, &[("x-github-sso", "required; url=https://x"), SPENT], r#"{"message":"Resource protected by organization SAML enforcement."}"#), Auth, false, NotApplied, None),
    ("secondary limit, seconds", Rest(403, &[("retry-after", "7")], r#"{"message":"You have exceeded a secondary rate limit."}"#), RateLimit, true, NotApplied, Some(7)),
    ("secondary limit, date", Rest(403, &[("retry-after", "Mon, 16 Nov 2026 02:00:30 GMT"), DATE], r#"{"message":"You have exceeded a secondary rate limit."}"#), RateLimit, true, NotApplied, Some(30)),
    ("secondary limit, words only", Rest(403, &[], r#"{"message":"You have exceeded a secondary rate limit. Please wait."}"#), RateLimit, true, NotApplied, Some(60)),
    ("abuse detection", Rest(403, &[], r#"{"message":"You have triggered an abuse detection mechanism."}"#), RateLimit, true, NotApplied, Some(60)),
    ("primary limit", Rest(403, &[SPENT, RESET, DATE], r#"{"message":"API rate limit exceeded for user ID 1."}"#), RateLimit, true, NotApplied, Some(90)),
    ("primary limit without a date", Rest(403, &[SPENT, RESET], r#"{"message":"API rate limit exceeded for user ID 1."}"#), RateLimit, true, NotApplied, Some(60)),
    ("primary limit, reset is due", Rest(403, &[SPENT, ("x-ratelimit-reset", "1"), DATE], r#"{"message":"API rate limit exceeded"}"#), RateLimit, true, NotApplied, Some(1)),
    ("too many requests", Rest(429, &[("retry-after", "3")], r#"{"message":"slow down"}"#), RateLimit, true, NotApplied, Some(3)),
    ("too many requests, no header", Rest(429, &[], ""), RateLimit, true, NotApplied, Some(60)),
    ("not found", Rest(404, &[], r#"{"message":"Not Found"}"#), NotFound, false, NotApplied, None),
    ("not mergeable", Rest(405, &[], r#"{"message":"Pull Request is not mergeable"}"#), Validation, false, NotApplied, None),
    ("not acceptable", Rest(406, &[], ""), AdapterUnsupported, false, NotApplied, None),
    ("proxy wants a login", Rest(407, &[], ""), Network, false, NotApplied, None),
    ("request timeout", Rest(408, &[], ""), Network, true, NotApplied, None),
    ("conflict", Rest(409, &[], r#"{"message":"Head branch was modified"}"#), Conflict, false, NotApplied, None),
    ("gone", Rest(410, &[], r#"{"message":"Issues are disabled for this repo"}"#), NotFound, false, NotApplied, None),
    ("precondition", Rest(412, &[], ""), Conflict, false, NotApplied, None),
    ("body too large", Rest(413, &[], ""), Validation, false, NotApplied, None),
    ("media type", Rest(415, &[], ""), AdapterUnsupported, false, NotApplied, None),
    ("validation failed", Rest(422, &[], r#"{"message":"Validation Failed","errors":[{"resource":"Issue","code":"missing_field","field":"title"}]}"#), Validation, false, NotApplied, None),
    ("content limit", Rest(422, &[], r#"{"message":"Validation Failed","errors":[{"message":"was submitted too quickly"}]}"#), RateLimit, true, NotApplied, Some(60)),
    ("search in what is not there", Rest(422, &[], r#"{"message":"Validation Failed","errors":[{"message":"The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.","resource":"Search","field":"q","code":"invalid"}]}"#), NotFound, false, NotApplied, None),
    ("locked", Rest(423, &[], ""), Conflict, false, NotApplied, None),
    ("upgrade", Rest(426, &[], ""), AdapterUnsupported, false, NotApplied, None),
    ("legal reasons", Rest(451, &[], r#"{"message":"Repository access blocked"}"#), NotFound, false, NotApplied, None),
    ("another refusal", Rest(418, &[], ""), Validation, false, NotApplied, None),
    ("server error", Rest(500, &[], r#"{"message":"Server Error"}"#), Server, true, OPEN, None),
    ("bad gateway page", Rest(502, &[("content-type", "text/html")], UNICORN), Server, true, OPEN, None),
    ("unavailable, with a time", Rest(503, &[("retry-after", "5")], ""), Server, true, OPEN, Some(5)),
    ("gateway timeout", Rest(504, &[], r#"{"message":"We couldn't respond to your request in time"}"#), Server, true, OPEN, None),
    ("refusal cut short", RestTruncated(403, BodyError::Broken), Auth, false, OPEN, None),
    ("server error cut short", RestTruncated(500, BodyError::Timeout), Server, true, OPEN, None),
    // successes that cannot be used
    ("success cut short", RestTruncated(201, BodyError::Broken), Network, true, Applied, None),
    ("success out of time", RestTruncated(200, BodyError::Timeout), Network, true, Applied, None),
    ("success too large", RestTruncated(200, TOO_LARGE), Server, false, Applied, None),
    ("success that is not JSON", Rest(200, &[], r#"{"id":"#), Server, true, Applied, None),
    ("a proxy's page", Rest(200, &[("content-type", "text/html; charset=utf-8")], "hello"), Server, true, OPEN, None),
    ("a page without a type", Rest(200, &[], UNICORN), Server, true, OPEN, None),
    ("GraphQL cut short", GraphqlTruncated(200, BodyError::Broken), Network, true, OPEN, None),
    ("GraphQL too large", GraphqlTruncated(200, TOO_LARGE), Server, false, OPEN, None),
    ("GraphQL page", Graphql(200, &[], UNICORN), Server, true, OPEN, None),
    ("GraphQL not JSON", Graphql(200, &[], "oops"), Server, true, OPEN, None),
    ("GraphQL data is a string", Graphql(200, &[], r#"{"data":"null"}"#), Server, true, OPEN, None),
    ("GraphQL data is null", Graphql(200, &[], r#"{"data":null}"#), Server, true, OPEN, None),
    ("GraphQL nothing", Graphql(200, &[], "{}"), Server, true, OPEN, None),
    ("GraphQL a list", Graphql(200, &[], "[]"), Server, true, OPEN, None),
    ("GraphQL errors is a string", Graphql(200, &[], r#"{"errors":"no"}"#), Server, true, OPEN, None),
    ("GraphQL unauthorized", Graphql(401, &[], r#"{"message":"Bad credentials"}"#), Auth, false, NotApplied, None),
    ("GraphQL is not there", Graphql(404, &[], r#"{"message":"Not Found"}"#), AdapterUnsupported, false, NotApplied, None),
    ("GraphQL secondary limit", Graphql(403, &[("retry-after", "9")], r#"{"message":"You have exceeded a secondary rate limit"}"#), RateLimit, true, NotApplied, Some(9)),
    ("GraphQL gateway", Graphql(502, &[], r#"{"data":null,"errors":[{"message":"Something went wrong while executing your query."}]}"#), Server, true, OPEN, None),
    // errors[].type
    ("type NOT_FOUND", Graphql(200, &[], r#"{"data":null,"errors":[{"type":"NOT_FOUND","path":["a"],"message":"Could not resolve to a Repository"}]}"#), NotFound, false, NotApplied, None),
    ("type FORBIDDEN", Graphql(200, &[], r#"{"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by integration"}]}"#), Auth, false, NotApplied, None),
    ("type INSUFFICIENT_SCOPES", Graphql(200, &[], r#"{"errors":[{"type":"INSUFFICIENT_SCOPES","locations":[{"line":1,"column":1}],"message":"Your token has not been granted the required scopes"}]}"#), Auth, false, NotApplied, None),
    ("type UNAUTHENTICATED", Graphql(200, &[], r#"{"errors":[{"type":"UNAUTHENTICATED","message":"x"}]}"#), Auth, false, NotApplied, None),
    ("type RATE_LIMITED", Graphql(200, &[SPENT, RESET, DATE], r#"{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}"#), RateLimit, true, NotApplied, Some(90)),
    ("type RATE_LIMIT", Graphql(200, &[], r#"{"errors":[{"type":"RATE_LIMIT","message":"x"}]}"#), RateLimit, true, NotApplied, Some(60)),
    ("primary limit without a type", Graphql(200, &[SPENT, RESET, DATE], r#"{"errors":[{"message":"API rate limit exceeded for user ID 1."}]}"#), RateLimit, true, NotApplied, Some(90)),
    ("nothing left, and nothing said", Graphql(200, &[SPENT, RESET, DATE], r#"{"errors":[{"message":"hm"}]}"#), RateLimit, true, OPEN, Some(90)),
    ("something went wrong with the last request", Graphql(200, &[SPENT, RESET, DATE], r#"{"errors":[{"message":"Something went wrong while executing your query."}]}"#), Server, true, OPEN, None),
    ("parse error of the last request", Graphql(200, &[SPENT, RESET, DATE], r#"{"errors":[{"message":"Expected NAME","locations":[{"line":1,"column":2}]}]}"#), Validation, false, NotApplied, None),
    ("type UNPROCESSABLE", Graphql(200, &[], r#"{"errors":[{"type":"UNPROCESSABLE","message":"Title can't be blank"}]}"#), Validation, false, NotApplied, None),
    ("type UNPROCESSABLE, too quickly", Graphql(200, &[], r#"{"errors":[{"type":"UNPROCESSABLE","message":"was submitted too quickly"}]}"#), RateLimit, true, NotApplied, Some(60)),
    ("type UNPROCESSABLE, another head", Graphql(200, &[], r#"{"errors":[{"type":"UNPROCESSABLE","message":"Head branch was modified. Review and try the merge again."}]}"#), Conflict, false, NotApplied, None),
    ("type BAD_REQUEST", Graphql(200, &[], r#"{"errors":[{"type":"BAD_REQUEST","message":"x"}]}"#), Validation, false, NotApplied, None),
    ("type BAD_USER_INPUT", Graphql(200, &[], r#"{"errors":[{"type":"BAD_USER_INPUT","message":"x"}]}"#), Validation, false, NotApplied, None),
    ("type EXCESSIVE_PAGINATION", Graphql(200, &[], r#"{"errors":[{"type":"EXCESSIVE_PAGINATION","message":"Requesting 200 records exceeds the `first` limit of 100"}]}"#), Validation, false, NotApplied, None),
    ("type MISSING_PAGINATION_BOUNDARIES", Graphql(200, &[], r#"{"errors":[{"type":"MISSING_PAGINATION_BOUNDARIES","message":"x"}]}"#), Validation, false, NotApplied, None),
    ("type INVALID_CURSOR_ARGUMENTS", Graphql(200, &[], r#"{"errors":[{"type":"INVALID_CURSOR_ARGUMENTS","message":"x"}]}"#), Validation, false, NotApplied, None),
    ("type MAX_NODE_LIMIT_EXCEEDED", Graphql(200, &[], r#"{"errors":[{"type":"MAX_NODE_LIMIT_EXCEEDED","message":"x"}]}"#), Validation, false, NotApplied, None),
    ("type RESOURCE_LIMITS_EXCEEDED", Graphql(200, &[], r#"{"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","message":"x"}]}"#), Validation, false, OPEN, None),
    ("type ARGUMENT_LIMIT", Graphql(200, &[], r#"{"errors":[{"type":"ARGUMENT_LIMIT","message":"You may not provide more than 100 node ids; you provided 101."}]}"#), Validation, false, NotApplied, None),
    ("type UNAUTHORIZED", Graphql(200, &[], r#"{"errors":[{"type":"UNAUTHORIZED","message":"x"}]}"#), Auth, false, NotApplied, None),
    ("type SAML", Graphql(200, &[], r#"{"errors":[{"type":"SAML","message":"x"}]}"#), Auth, false, NotApplied, None),
    ("type IP_ALLOW_LIST", Graphql(200, &[], r#"{"errors":[{"type":"IP_ALLOW_LIST","message":"x"}]}"#), Auth, false, NotApplied, None),
    ("type STALE_DATA", Graphql(200, &[], r#"{"errors":[{"type":"STALE_DATA","message":"x"}]}"#), Conflict, false, NotApplied, None),
    ("type CONFLICT", Graphql(200, &[], r#"{"errors":[{"type":"CONFLICT","message":"x"}]}"#), Conflict, false, NotApplied, None),
    ("type SERVICE_UNAVAILABLE", Graphql(200, &[], r#"{"errors":[{"type":"SERVICE_UNAVAILABLE","message":"x"}]}"#), Server, true, OPEN, None),
    ("type INTERNAL", Graphql(200, &[], r#"{"errors":[{"type":"INTERNAL","message":"x"}]}"#), Server, true, OPEN, None),
    ("type INTERNAL_ERROR", Graphql(200, &[], r#"{"errors":[{"type":"INTERNAL_ERROR","message":"x"}]}"#), Server, true, OPEN, None),
    ("type TIMEOUT", Graphql(200, &[], r#"{"errors":[{"type":"TIMEOUT","message":"x"}]}"#), Server, true, OPEN, None),
    ("a type nobody knows", Graphql(200, &[], r#"{"errors":[{"type":"NEW_THING","message":"x"}]}"#), Unknown, false, OPEN, None),
    ("a type nobody knows that is a limit", Graphql(200, &[], r#"{"errors":[{"type":"NEW_THING","message":"You have exceeded a secondary rate limit."}]}"#), RateLimit, true, NotApplied, Some(60)),
    // extensions.code
    ("code undefinedField", Graphql(200, &[], r#"{"errors":[{"path":["query","x"],"extensions":{"code":"undefinedField"},"message":"Field 'x' doesn't exist on type 'Query'"}]}"#), AdapterUnsupported, false, NotApplied, None),
    ("code undefinedType", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"undefinedType"},"message":"x"}]}"#), AdapterUnsupported, false, NotApplied, None),
    ("code argumentNotAccepted", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"argumentNotAccepted"},"message":"x"}]}"#), AdapterUnsupported, false, NotApplied, None),
    ("code selectionMismatch", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"selectionMismatch"},"message":"x"}]}"#), AdapterUnsupported, false, NotApplied, None),
    ("code argumentLiteralsIncompatible", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"argumentLiteralsIncompatible"},"message":"x"}]}"#), Validation, false, NotApplied, None),
    ("code missingRequiredArguments", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"missingRequiredArguments"},"message":"x"}]}"#), Validation, false, NotApplied, None),
    ("code missingRequiredInputObjectAttribute", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"missingRequiredInputObjectAttribute"},"message":"x"}]}"#), Validation, false, NotApplied, None),
    ("code variableMismatch", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"variableMismatch"},"message":"x"}]}"#), Validation, false, NotApplied, None),
    ("code variableRequiresValidType", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"variableRequiresValidType"},"message":"x"}]}"#), Validation, false, NotApplied, None),
    ("code fieldConflict", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"fieldConflict"},"message":"x"}]}"#), Validation, false, NotApplied, None),
    ("code undefinedDirective", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"undefinedDirective"},"message":"x"}]}"#), AdapterUnsupported, false, NotApplied, None),
    ("a code nobody knows", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"newRule"},"message":"x"}]}"#), Validation, false, OPEN, None),
    ("a code nobody knows in the document", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"newRule"},"locations":[{"line":1,"column":2}],"message":"x"}]}"#), Validation, false, OPEN, None),
    ("a code nobody knows with known words", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"newRule"},"message":"Something went wrong"}]}"#), Server, true, OPEN, None),
    ("a code nobody knows that is a limit", Graphql(200, &[], r#"{"errors":[{"extensions":{"code":"newRule"},"message":"API rate limit exceeded"}]}"#), RateLimit, true, NotApplied, Some(60)),
    ("a variable's value", Graphql(200, &[], r#"{"errors":[{"message":"Variable $n of type Int! was provided invalid value","extensions":{"value":"x","problems":[{"path":[],"explanation":"no"}]}}]}"#), Validation, false, NotApplied, None),
    ("parse error", Graphql(200, &[], r#"{"errors":[{"message":"Expected NAME, actual: RCURLY","locations":[{"line":1,"column":2}]}]}"#), Validation, false, NotApplied, None),
    ("no query", Graphql(200, &[], r#"{"errors":[{"message":"A query attribute must be specified and must be a string."}]}"#), Validation, false, NotApplied, None),
    ("something went wrong", Graphql(200, &[], r#"{"data":null,"errors":[{"message":"Something went wrong while executing your query. Please include `A:1` when reporting this issue."}]}"#), Server, true, OPEN, None),
    ("an error that says nothing", Graphql(200, &[], r#"{"data":null,"errors":[{"message":"hm"}]}"#), Unknown, false, OPEN, None),
    ("the most telling of several", Graphql(200, &[], r#"{"errors":[{"message":"hm"},{"type":"FORBIDDEN","message":"x"}]}"#), Auth, false, OPEN, None),
    // no answer
    ("refused", NoAnswer(TransportFault::Refused, false), Network, true, NotApplied, None),
    ("no such name", NoAnswer(TransportFault::Dns, false), Network, true, NotApplied, None),
    ("TLS", NoAnswer(TransportFault::Tls, false), Network, false, NotApplied, None),
    ("connect timeout", NoAnswer(TransportFault::Connect, false), Network, true, NotApplied, None),
    ("timeout before sending", NoAnswer(TransportFault::Timeout, false), Network, true, NotApplied, None),
    ("timeout after sending", NoAnswer(TransportFault::Timeout, true), Network, true, OPEN, None),
    ("reset after sending", NoAnswer(TransportFault::Reset, true), Network, true, OPEN, None),
    ("closed after sending", NoAnswer(TransportFault::Closed, true), Network, true, OPEN, None),
    ("not HTTP", NoAnswer(TransportFault::Garbled, true), Server, true, OPEN, None),
    ("another fault", NoAnswer(TransportFault::Other, true), Network, true, OPEN, None),
    // gh
    ("gh not logged in", Gh(4, "To get started with GitHub CLI, please run:  gh auth login"), Auth, false, NotApplied, None),
    ("gh has no token", Gh(1, "no oauth token found for github.com"), Auth, false, NotApplied, None),
    ("gh wants a scope", Gh(1, "error: your authentication token is missing required scopes [read:project]\nTo request it, run:  gh auth refresh -s read:project"), Auth, false, NotApplied, None),
    ("gh unknown field", Gh(1, "Unknown JSON field: \"x\"\nAvailable fields:\n  a"), AdapterUnsupported, false, NotApplied, None),
    ("gh unknown flag", Gh(1, "unknown flag: --x"), AdapterUnsupported, false, NotApplied, None),
    ("gh unknown short flag", Gh(1, "unknown shorthand flag: 'x' in -x"), AdapterUnsupported, false, NotApplied, None),
    ("gh unknown command", Gh(1, "unknown command \"x\" for \"gh\""), AdapterUnsupported, false, NotApplied, None),
    ("gh outside a repository", Gh(1, "failed to run git: fatal: not a git repository"), Validation, false, NotApplied, None),
    ("gh without a remote", Gh(1, "no git remotes found"), Validation, false, NotApplied, None),
    ("gh HTTP prefix", Gh(1, "HTTP 404: Not Found (https://api.github.com/x)"), NotFound, false, NotApplied, None),
    ("gh HTTP prefix, credentials", Gh(1, "HTTP 401: Bad credentials (https://api.github.com/graphql)"), Auth, false, NotApplied, None),
    ("gh HTTP prefix, limit", Gh(1, "HTTP 403: You have exceeded a secondary rate limit (https://api.github.com/graphql)"), RateLimit, true, NotApplied, Some(60)),
    ("gh HTTP prefix, moved", Gh(1, "HTTP 307: Moved Permanently (https://api.github.com/repos/x/y)"), AdapterUnsupported, false, NotApplied, None),
    ("gh HTTP prefix, gateway", Gh(1, "HTTP 502: Bad Gateway (https://api.github.com/graphql)"), Server, true, OPEN, None),
    ("gh HTTP after what failed", Gh(1, "failed to get runs: HTTP 404: Not Found (https://api.github.com/repos/x/y/actions/runs?per_page=31)"), NotFound, false, NotApplied, None),
    ("gh HTTP in somebody's text", Gh(1, "no milestone `failed to x: HTTP 404: y`"), Unknown, false, OPEN, None),
    ("gh HTTP suffix", Gh(1, "gh: Not Found (HTTP 404)"), NotFound, false, NotApplied, None),
    ("gh HTTP alone", Gh(1, "gh: HTTP 502"), Server, true, OPEN, None),
    ("gh GraphQL not found", Gh(1, "GraphQL: Could not resolve to an issue or pull request with the number of 99. (repository.issue)"), NotFound, false, NotApplied, None),
    ("gh GraphQL limit", Gh(1, "GraphQL: API rate limit already exceeded for user ID 1."), RateLimit, true, NotApplied, Some(60)),
    ("gh GraphQL permission", Gh(1, "GraphQL: octocat does not have the correct permissions to execute `CloseIssue` (closeIssue)"), Auth, false, NotApplied, None),
    ("gh GraphQL scopes", Gh(1, "GraphQL: Your token has not been granted the required scopes"), Auth, false, NotApplied, None),
    ("gh GraphQL quoting a network error", Gh(1, "GraphQL: Could not resolve to a User with the login of 'connection refused'."), NotFound, false, NotApplied, None),
    ("gh GraphQL went wrong", Gh(1, "GraphQL: Something went wrong while executing your query."), Server, true, OPEN, None),
    ("gh offline", Gh(1, "error connecting to api.github.com\ncheck your internet connection"), Network, true, NotApplied, None),
    ("gh refused", Gh(1, "Post \"https://api.github.com/graphql\": dial tcp 127.0.0.1:443: connect: connection refused"), Network, true, NotApplied, None),
    ("gh no such host", Gh(1, "Post \"https://x/graphql\": dial tcp: lookup x: no such host"), Network, true, NotApplied, None),
    ("gh connect timeout", Gh(1, "Post \"https://x/\": dial tcp 10.0.0.1:443: i/o timeout"), Network, true, NotApplied, None),
    ("gh socket", Gh(1, "Post \"https://x/\": dial unix /s: connect: no such file or directory"), Network, true, NotApplied, None),
    ("gh certificate", Gh(1, "Post \"https://x/\": tls: failed to verify certificate: x509: certificate signed by unknown authority"), Network, false, NotApplied, None),
    ("gh handshake", Gh(1, "Post \"https://x/\": remote error: tls: handshake failure"), Network, false, NotApplied, None),
    ("gh handshake timeout", Gh(1, "Post \"https://x/\": net/http: TLS handshake timeout"), Network, true, NotApplied, None),
    ("gh reset", Gh(1, "Post \"https://x/\": read tcp 1.1.1.1:1->2.2.2.2:2: read: connection reset by peer"), Network, true, OPEN, None),
    ("gh broken pipe", Gh(1, "Post \"https://x/\": write: broken pipe"), Network, true, OPEN, None),
    ("gh read timeout", Gh(1, "Post \"https://x/\": read tcp 1.1.1.1:1->2.2.2.2:2: i/o timeout"), Network, true, OPEN, None),
    ("gh deadline", Gh(1, "Post \"https://x/\": context deadline exceeded"), Network, true, OPEN, None),
    ("gh EOF", Gh(1, "Post \"https://api.github.com/graphql\": EOF"), Network, true, OPEN, None),
    ("gh unexpected EOF", Gh(1, "unexpected EOF"), Network, true, OPEN, None),
    ("gh HTML instead of JSON", Gh(1, "invalid character '<' looking for beginning of value"), Server, true, OPEN, None),
    ("gh text instead of data", Gh(1, "json: cannot unmarshal string into Go struct field .data of type map[string]interface {}"), Server, true, OPEN, None),
    ("gh half a JSON text", Gh(1, "unexpected end of JSON input"), Server, true, OPEN, None),
    ("gh silent", Gh(1, ""), Unknown, false, OPEN, None),
    ("gh ended by a signal", GhKilled, Unknown, false, OPEN, None),
    ("gh out of time", GhStopped(BodyError::Timeout), Network, true, OPEN, None),
    ("gh prints no JSON", GhNotJson, Server, false, Applied, None),
    ("gh says too much", GhStopped(TOO_LARGE), Server, false, OPEN, None),
];

#[test]
fn every_row_means_what_it_says() {
    let mut wrong = Vec::new();
    for (name, input, code, retryable, outcome, wait) in ROWS {
        let failure = failure(*input);
        let got = (
            failure.error.code,
            failure.error.retryable,
            failure.outcome,
            failure.retry_after.map(|wait| wait.as_secs()),
        );
        let expected = (*code, *retryable, *outcome, *wait);
        if got != expected {
            wrong.push(format!("{name}: {got:?} instead of {expected:?}"));
        }
        assert!(!failure.error.message.is_empty(), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// GitHub counts the hourly budget of each API separately, and all other limits together.
#[test]
fn only_a_spent_budget_is_one_apis_own() {
    const SECONDARY: &str = r#"{"message":"You have exceeded a secondary rate limit."}"#;
    for (name, input, expected) in [
        (
            "429 with a wait",
            Rest(429, &[("retry-after", "60")], ""),
            true,
        ),
        ("429 that says nothing", Rest(429, &[], ""), true),
        (
            "403 with a wait",
            Rest(403, &[("retry-after", "60")], ""),
            true,
        ),
        ("403, secondary", Rest(403, &[], SECONDARY), true),
        (
            "403, secondary with the last request",
            Rest(403, &[SPENT, RESET, DATE], SECONDARY),
            true,
        ),
        (
            "403, budget",
            Rest(
                403,
                &[SPENT, RESET, DATE],
                r#"{"message":"API rate limit exceeded for user ID 1."}"#,
            ),
            false,
        ),
        (
            "403, budget and a wait",
            Rest(403, &[SPENT, ("retry-after", "60")], ""),
            true,
        ),
        (
            "GraphQL, budget",
            Graphql(
                200,
                &[SPENT, RESET, DATE],
                r#"{"errors":[{"type":"RATE_LIMITED","message":"x"}]}"#,
            ),
            false,
        ),
        (
            "GraphQL, too quickly",
            Graphql(
                200,
                &[],
                r#"{"errors":[{"type":"UNPROCESSABLE","message":"was submitted too quickly"}]}"#,
            ),
            true,
        ),
        (
            "GraphQL, a limit without headers",
            Graphql(
                200,
                &[],
                r#"{"errors":[{"type":"RATE_LIMITED","message":"x"}]}"#,
            ),
            true,
        ),
        (
            "gh, budget",
            Gh(1, "GraphQL: API rate limit already exceeded for user ID 1."),
            false,
        ),
        (
            "gh, secondary",
            Gh(
                1,
                "HTTP 403: You have exceeded a secondary rate limit (https://api.github.com/graphql)",
            ),
            true,
        ),
        (
            "no limit at all",
            Rest(503, &[("retry-after", "60")], ""),
            false,
        ),
    ] {
        assert_eq!(failure(input).limits_login, expected, "{name}");
    }
}

#[test]
fn details_carry_what_helps_to_act_or_to_report() {
    let headers: Headers = &[
        ("x-github-request-id", "AB:1"),
        ("x-accepted-oauth-scopes", "repo"),
        ("x-oauth-scopes", "gist, read:org"),
    ];
    let failure = failure(Rest(
        403,
        headers,
        r#"{"message":"Must have admin rights"}"#,
    ));
    assert_eq!(
        Value::Object(failure.error.details),
        json!({
            "status": 403, "request_id": "AB:1",
            "scopes_needed": "repo", "scopes_given": "gist, read:org",
        })
    );
    let limit = self::failure(Graphql(
        200,
        &[],
        r#"{"errors":[{"type":"RATE_LIMITED","message":"x"}]}"#,
    ));
    assert_eq!(limit.retry_after, Some(Duration::from_secs(60)));
    assert_eq!(
        Value::Object(limit.error.details),
        json!({"status": 200, "retry_after_s": 60, "github_type": "RATE_LIMITED"})
    );
}

#[test]
fn messages_are_githubs_words_without_noise() {
    for (input, expected) in [
        (
            Rest(
                422,
                &[],
                r#"{"message":"Validation Failed","errors":[{"resource":"Issue","code":"missing_field","field":"title"},"and this",{"message":"No commits between a and b"}]}"#,
            ),
            "Validation Failed: title missing field; and this; No commits between a and b",
        ),
        (
            Rest(
                403,
                &[],
                r#"{"message":"You have exceeded a secondary rate limit. Please wait a few minutes. If you reach out to GitHub Support for help, please include the request ID X."}"#,
            ),
            "You have exceeded a secondary rate limit. Please wait a few minutes.",
        ),
        (
            Rest(502, &[], UNICORN),
            "GitHub answered HTTP 502 (Bad Gateway)",
        ),
        (
            Rest(307, &[("location", "https://me:pw@x.org/y?token=z#f")], ""),
            "it has moved to `https://x.org/y`, and nothing was sent there",
        ),
        (
            Rest(308, &[("location", "/y?token=z")], ""),
            "it has moved to `/y`, and nothing was sent there",
        ),
        (
            Rest(304, &[], ""),
            "GitHub answered HTTP 304 (Not Modified)",
        ),
        (
            RestTruncated(200, TOO_LARGE),
            "the answer is larger than the limit of 10 MiB",
        ),
        (
            Gh(
                1,
                "GraphQL: Could not resolve to an Issue. (repository.issue)",
            ),
            "Could not resolve to an Issue.",
        ),
        (Gh(1, "gh: Not Found (HTTP 404)\n"), "Not Found (HTTP 404)"),
        (
            Gh(1, "Unknown JSON field: \"x\"\nAvailable fields:\n  a\n  b"),
            "Unknown JSON field: \"x\"",
        ),
    ] {
        assert_eq!(failure(input).error.message, expected);
    }
    let long = format!(r#"{{"message":"{}"}}"#, "ä".repeat(5000));
    let head = head(500, &[]);
    assert_eq!(
        super::refusal(&head, long.as_bytes())
            .error
            .message
            .chars()
            .count(),
        601
    );
}

#[test]
fn errors_beside_data_say_what_they_mean_for_their_own_field() {
    let body = json!({
        "data": {"a": null, "b": {"issue": null}, "c": null, "d": null, "e": null},
        "errors": [
            {"type": "NOT_FOUND", "path": ["a"], "message": "Could not resolve to an Issue"},
            {"type": "FORBIDDEN", "path": ["b", "issue"], "message": "no"},
            {"message": "Something went wrong", "path": ["c"]},
            {"type": "NOT_FOUND", "path": ["d", "nodes", 0], "message": "no"},
            {"type": "NEW_THING", "path": ["e"], "message": "no"},
            {"type": "RATE_LIMITED", "message": "limit"},
        ],
    })
    .to_string();
    let reply = Reply {
        head: head(200, &[]),
        body: Ok(body.into()),
    };
    let answer = reply::graphql(&reply).unwrap();
    assert_eq!(answer.body["b"], json!({"issue": null}));
    let got: Vec<_> = answer
        .errors
        .iter()
        .map(|partial| {
            (
                partial.failure.error.code,
                partial.path.join("."),
                partial.failure.outcome,
            )
        })
        .collect();
    assert_eq!(
        got,
        [
            (NotFound, "a".to_owned(), NotApplied),
            (Auth, "b.issue".to_owned(), Applied),
            (Server, "c".to_owned(), OPEN),
            (NotFound, "d.nodes.0".to_owned(), OPEN),
            (Unknown, "e".to_owned(), OPEN),
            (RateLimit, String::new(), NotApplied),
        ]
    );
}

fn failure(input: Input) -> Failure {
    let answer = match input {
        Rest(status, headers, body) => {
            reply::rest(&reply(status, headers, body), AnswerFormat::Json)
        }
        RestTruncated(status, cut) => {
            reply::rest(&truncated_reply(status, cut), AnswerFormat::Json)
        }
        Graphql(status, headers, body) => reply::graphql(&reply(status, headers, body)),
        GraphqlTruncated(status, cut) => reply::graphql(&truncated_reply(status, cut)),
        NoAnswer(fault, sent) => Err(transport(fault, sent, "api.github.com")),
        Gh(exit, stderr) => Err(gh_exit(Some(exit), stderr)),
        GhKilled => Err(gh_exit(None, "")),
        GhStopped(cut) => Err(gh_stopped(cut)),
        GhNotJson => Err(gh_not_json()),
    };
    answer.expect_err("every row is a failure")
}

fn reply(status: u16, headers: Headers, body: &'static str) -> Reply {
    Reply {
        head: head(status, headers),
        body: Ok(Bytes::from_static(body.as_bytes())),
    }
}

fn truncated_reply(status: u16, error: BodyError) -> Reply {
    Reply {
        head: head(status, &[]),
        body: Err(error),
    }
}

fn head(status: u16, headers: Headers) -> Head {
    let headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        })
        .collect();
    Head {
        status: StatusCode::from_u16(status).unwrap(),
        headers,
    }
}
