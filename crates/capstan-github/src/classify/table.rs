//! The table of known failures: the code of each, whether a retry can help, and what it means for a
//! write. On GitHub's routes, nothing else decides these.

use capstan_core::ErrorCode::{
    self, AdapterUnsupported, Auth, Conflict, Network, NotFound, RateLimit, Server, Validation,
};
use capstan_core::Outcome;
use capstan_core::port::Verdict;
use capstan_http::{BodyError, TransportFault};

/// The exit code that `gh` documents for a missing login.
pub(super) const GH_NOT_LOGGED_IN: i32 = 4;

pub(super) const INVALID_BODY: Verdict = Verdict::unknown(Server);
/// A program that succeeds without printing JSON will do so again, so a retry does not help.
pub(super) const GH_NOT_JSON: Verdict = Verdict {
    outcome: Outcome::Applied,
    ..Verdict::permanent(Server)
};
pub(super) const GRAPHQL_MISSING: Verdict = Verdict::refused(AdapterUnsupported);
pub(super) const UNKNOWN: Verdict = Verdict::unknown(ErrorCode::Unknown);

const STATUSES: [(u16, Verdict); 22] = [
    (400, Verdict::refused(Validation)),
    (401, Verdict::refused(Auth)),
    (403, Verdict::refused(Auth)),
    (404, Verdict::refused(NotFound)),
    // GitHub's status for "this pull request cannot be merged".
    (405, Verdict::refused(Validation)),
    (406, Verdict::refused(AdapterUnsupported)),
    (407, Verdict::permanent(Network)),
    (408, Verdict::refused(Network)),
    (409, Verdict::refused(Conflict)),
    (410, Verdict::refused(NotFound)),
    (412, Verdict::refused(Conflict)),
    (413, Verdict::refused(Validation)),
    (415, Verdict::refused(AdapterUnsupported)),
    (422, Verdict::refused(Validation)),
    (423, Verdict::refused(Conflict)),
    (426, Verdict::refused(AdapterUnsupported)),
    (429, Verdict::refused(RateLimit)),
    (451, Verdict::refused(NotFound)),
    (500, Verdict::unknown(Server)),
    (502, Verdict::unknown(Server).too_much()),
    (503, Verdict::unknown(Server)),
    (504, Verdict::unknown(Server).too_much()),
];

/// Verdicts by `errors[].type` of a GraphQL answer.
const TYPES: &[(&str, Verdict)] = &[
    ("NOT_FOUND", Verdict::refused(NotFound)),
    ("FORBIDDEN", Verdict::refused(Auth)),
    ("INSUFFICIENT_SCOPES", Verdict::refused(Auth)),
    ("UNAUTHENTICATED", Verdict::refused(Auth)),
    ("UNAUTHORIZED", Verdict::refused(Auth)),
    ("SAML", Verdict::refused(Auth)),
    ("IP_ALLOW_LIST", Verdict::refused(Auth)),
    ("TRADE_CONTROLS", Verdict::refused(Auth)),
    ("RATE_LIMITED", Verdict::refused(RateLimit)),
    ("RATE_LIMIT", Verdict::refused(RateLimit)),
    ("UNPROCESSABLE", Verdict::refused(Validation)),
    ("BAD_REQUEST", Verdict::refused(Validation)),
    ("BAD_USER_INPUT", Verdict::refused(Validation)),
    ("EXCESSIVE_PAGINATION", Verdict::refused(Validation)),
    (
        "MISSING_PAGINATION_BOUNDARIES",
        Verdict::refused(Validation),
    ),
    ("INVALID_CURSOR_ARGUMENTS", Verdict::refused(Validation)),
    // More ids than `nodes` accepts, or a negative page size.
    ("ARGUMENT_LIMIT", Verdict::refused(Validation)),
    ("ARGUMENT_ERROR", Verdict::refused(Validation)),
    ("INVALID_ARGUMENT", Verdict::refused(Validation)),
    ("UNPROCESSABLE_ENTITY", Verdict::refused(Validation)),
    ("NOT_IMPLEMENTED", Verdict::refused(AdapterUnsupported)),
    (
        "MAX_NODE_LIMIT_EXCEEDED",
        Verdict::refused(Validation).too_much(),
    ),
    // GitHub notices this while it runs the document, so part of it may have been applied.
    (
        "RESOURCE_LIMITS_EXCEEDED",
        Verdict::unknown(Validation).too_much(),
    ),
    ("STALE_DATA", Verdict::refused(Conflict)),
    ("CONFLICT", Verdict::refused(Conflict)),
    ("SERVICE_UNAVAILABLE", Verdict::unknown(Server)),
    ("INTERNAL", Verdict::unknown(Server)),
    ("INTERNAL_ERROR", Verdict::unknown(Server)),
    ("TIMEOUT", Verdict::unknown(Server).too_much()),
];

/// Verdicts by `extensions.code`. With all of these, GitHub refused the document before it ran. If
/// its schema lacks something, another route may still work; the other codes are about the input.
const CODES: &[(&str, Verdict)] = &[
    ("undefinedField", Verdict::refused(AdapterUnsupported)),
    ("undefinedType", Verdict::refused(AdapterUnsupported)),
    ("undefinedDirective", Verdict::refused(AdapterUnsupported)),
    ("argumentNotAccepted", Verdict::refused(AdapterUnsupported)),
    ("selectionMismatch", Verdict::refused(AdapterUnsupported)),
    ("cannotSpreadFragment", Verdict::refused(AdapterUnsupported)),
    (
        "fragmentOnNonCompositeType",
        Verdict::refused(AdapterUnsupported),
    ),
    (
        "directiveCannotBeApplied",
        Verdict::refused(AdapterUnsupported),
    ),
    (
        "missingQueryConfiguration",
        Verdict::refused(AdapterUnsupported),
    ),
    (
        "missingMutationConfiguration",
        Verdict::refused(AdapterUnsupported),
    ),
    (
        "missingSubscriptionConfiguration",
        Verdict::refused(AdapterUnsupported),
    ),
    ("argumentLiteralsIncompatible", Verdict::refused(Validation)),
    ("argumentNotUnique", Verdict::refused(Validation)),
    ("defaultValueInvalidType", Verdict::refused(Validation)),
    (
        "defaultValueInvalidOnNonNullVariable",
        Verdict::refused(Validation),
    ),
    (
        "directiveNotUniqueForLocation",
        Verdict::refused(Validation),
    ),
    ("fieldConflict", Verdict::refused(Validation)),
    ("fragmentNotUnique", Verdict::refused(Validation)),
    ("infiniteLoop", Verdict::refused(Validation)),
    ("inputFieldNotUnique", Verdict::refused(Validation)),
    ("invalidOneOfInputObject", Verdict::refused(Validation)),
    ("notSingleSubscription", Verdict::refused(Validation)),
    (
        "queryContainsSchemaDefinitions",
        Verdict::refused(Validation),
    ),
    ("undefinedFragment", Verdict::refused(Validation)),
    ("uniquelyNamedOperations", Verdict::refused(Validation)),
    ("useAndDefineFragment", Verdict::refused(Validation)),
    ("variableNotDefined", Verdict::refused(Validation)),
    ("variableNotUnique", Verdict::refused(Validation)),
    ("variableNotUsed", Verdict::refused(Validation)),
    ("missingRequiredArguments", Verdict::refused(Validation)),
    (
        "missingRequiredInputObjectAttribute",
        Verdict::refused(Validation),
    ),
    ("variableMismatch", Verdict::refused(Validation)),
    ("variableRequiresValidType", Verdict::refused(Validation)),
];

/// Verdicts by GitHub's wording, for errors without structure. The first match counts.
pub(super) const GITHUB_WORDS: [(&str, Verdict); 18] = [
    ("was submitted too quickly", Verdict::refused(RateLimit)),
    ("secondary rate limit", Verdict::refused(RateLimit)),
    ("abuse detection mechanism", Verdict::refused(RateLimit)),
    ("api rate limit exceeded", Verdict::refused(RateLimit)),
    (
        "api rate limit already exceeded",
        Verdict::refused(RateLimit),
    ),
    ("bad credentials", Verdict::refused(Auth)),
    ("required scopes", Verdict::refused(Auth)),
    ("resource not accessible", Verdict::refused(Auth)),
    ("saml enforcement", Verdict::refused(Auth)),
    ("must have admin rights", Verdict::refused(Auth)),
    (
        "does not have the correct permissions",
        Verdict::refused(Auth),
    ),
    ("does not have permission", Verdict::refused(Auth)),
    ("could not resolve to", Verdict::refused(NotFound)),
    ("parse error on", Verdict::refused(Validation)),
    (
        "a query attribute must be specified",
        Verdict::refused(Validation),
    ),
    ("something went wrong", Verdict::unknown(Server)),
    (
        "couldn't respond to your request in time",
        Verdict::unknown(Server).too_much(),
    ),
    (
        "timeout on validation of query",
        Verdict::refused(Server).too_much(),
    ),
];

/// Verdicts by GitHub's wording for errors that GitHub reports as bad input but that are something
/// else.
const NOT_BAD_INPUT: [(&str, Verdict); 2] = [
    // REST answers 409 in this case.
    ("head branch was modified", Verdict::refused(Conflict)),
    // A search names a repository or user that does not exist. Elsewhere that is a 404.
    (
        "cannot be searched either because",
        Verdict::refused(NotFound),
    ),
];

/// Verdicts by `gh`'s own wording on standard error. Go libraries write part of it.
pub(super) const GH_WORDS: [(&str, Verdict); 27] = [
    ("unknown json field", Verdict::refused(AdapterUnsupported)),
    ("unknown flag", Verdict::refused(AdapterUnsupported)),
    (
        "unknown shorthand flag",
        Verdict::refused(AdapterUnsupported),
    ),
    ("unknown command", Verdict::refused(AdapterUnsupported)),
    ("gh auth login", Verdict::refused(Auth)),
    ("gh auth refresh", Verdict::refused(Auth)),
    ("no oauth token", Verdict::refused(Auth)),
    ("not a git repository", Verdict::refused(Validation)),
    ("no git remotes found", Verdict::refused(Validation)),
    ("error connecting to", Verdict::refused(Network)),
    ("connection refused", Verdict::refused(Network)),
    ("no such host", Verdict::refused(Network)),
    ("dial tcp", Verdict::refused(Network)),
    ("dial unix", Verdict::refused(Network)),
    ("x509:", Verdict::permanent(Network)),
    ("tls: failed to verify", Verdict::permanent(Network)),
    ("tls: handshake failure", Verdict::permanent(Network)),
    ("tls handshake timeout", Verdict::refused(Network)),
    ("connection reset", Verdict::unknown(Network)),
    ("broken pipe", Verdict::unknown(Network)),
    ("i/o timeout", Verdict::unknown(Network)),
    ("deadline exceeded", Verdict::unknown(Network)),
    ("unexpected eof", Verdict::unknown(Network)),
    (": eof", Verdict::unknown(Network)),
    // Messages of Go's JSON decoder: the answer was not in the format that GitHub documents.
    ("invalid character '", Verdict::unknown(Server)),
    ("json: cannot unmarshal", Verdict::unknown(Server)),
    ("unexpected end of json input", Verdict::unknown(Server)),
];

/// Returns the verdict on an HTTP status that is not a success.
pub(super) fn status(status: u16) -> Verdict {
    match look_up(&STATUSES, |row| *row == status) {
        Some(verdict) => verdict,
        None if (300..400).contains(&status) => redirect(status),
        None if (400..500).contains(&status) => Verdict::refused(Validation),
        None => Verdict::unknown(Server),
    }
}

/// Returns the verdict on a redirect. A 307 or 308 asks to send the same request elsewhere, so it
/// was not applied here. A 303 points at the result of an applied request, and servers use 301 and
/// 302 in the same way.
pub(super) fn redirect(status: u16) -> Verdict {
    match status {
        307 | 308 => Verdict::refused(AdapterUnsupported),
        _ => Verdict::unknown(AdapterUnsupported),
    }
}

pub(super) fn graphql_type(name: &str) -> Option<Verdict> {
    look_up(TYPES, |row| *row == name)
}

pub(super) fn graphql_code(code: &str) -> Option<Verdict> {
    look_up(CODES, |row| *row == code)
}

/// Returns the verdict of the first row whose words occur in the text, in any letter case.
pub(super) fn words(table: &[(&str, Verdict)], text: &str) -> Option<Verdict> {
    let text = text.to_lowercase();
    look_up(table, |row| text.contains(row))
}

/// Returns the verdict, unless it is bad input and GitHub's wording says that it is something else.
pub(super) fn reclassified(verdict: Verdict, message: &str) -> Verdict {
    if verdict.code == Validation {
        words(&NOT_BAD_INPUT, message).unwrap_or(verdict)
    } else {
        verdict
    }
}

/// Returns the verdict on a request without an answer. `sent` says whether it may have been sent.
pub(super) fn transport(fault: TransportFault, sent: bool) -> Verdict {
    let verdict = match fault {
        TransportFault::Tls => Verdict::permanent(Network),
        TransportFault::Garbled => Verdict::refused(Server),
        TransportFault::Refused
        | TransportFault::Dns
        | TransportFault::Connect
        | TransportFault::Reset
        | TransportFault::Closed
        | TransportFault::Timeout
        | TransportFault::Other => Verdict::refused(Network),
    };
    let outcome = if sent {
        Outcome::Unknown
    } else {
        Outcome::NotApplied
    };
    Verdict {
        outcome,
        too_much: sent && fault == TransportFault::Timeout,
        ..verdict
    }
}

pub(super) fn body_error(error: BodyError) -> Verdict {
    match error {
        // The next answer would be just as large.
        BodyError::TooLarge { .. } => Verdict {
            retryable: false,
            ..Verdict::unknown(Server).too_much()
        },
        BodyError::Timeout => Verdict::unknown(Network).too_much(),
        BodyError::Broken => Verdict::unknown(Network),
        BodyError::NotStored => Verdict::permanent(ErrorCode::Unknown),
    }
}

fn look_up<K>(table: &[(K, Verdict)], matches: impl Fn(&K) -> bool) -> Option<Verdict> {
    table
        .iter()
        .find(|(key, _)| matches(key))
        .map(|(_, verdict)| *verdict)
}
