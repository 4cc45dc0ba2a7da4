//! The table of known failures: the code of each, whether a retry can help, and what it means for a
//! write. On GitHub's routes, nothing else decides these.

use capstan_core::ErrorCode::{
    self, AdapterUnsupported, Auth, Conflict, Network, NotFound, RateLimit, Server, Validation,
};
use capstan_core::Outcome;
use capstan_http::{BodyError, TransportFault};

/// What a failure means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) code: ErrorCode,
    pub(super) retryable: bool,
    pub(super) outcome: Outcome,
    /// Whether a smaller request may work.
    pub(super) too_much: bool,
}

/// The exit code that `gh` documents for a missing login.
pub(super) const GH_NOT_LOGGED_IN: i32 = 4;

pub(super) const INVALID_BODY: Verdict = unknown(Server);
/// A program that succeeds without printing JSON will do so again, so a retry does not help.
pub(super) const GH_NOT_JSON: Verdict = Verdict {
    outcome: Outcome::Applied,
    ..permanent(Server)
};
pub(super) const GRAPHQL_MISSING: Verdict = refused(AdapterUnsupported);
pub(super) const UNKNOWN: Verdict = unknown(ErrorCode::Unknown);

const STATUSES: [(u16, Verdict); 22] = [
    (400, refused(Validation)),
    (401, refused(Auth)),
    (403, refused(Auth)),
    (404, refused(NotFound)),
    // GitHub's status for "this pull request cannot be merged".
    (405, refused(Validation)),
    (406, refused(AdapterUnsupported)),
    (407, permanent(Network)),
    (408, refused(Network)),
    (409, refused(Conflict)),
    (410, refused(NotFound)),
    (412, refused(Conflict)),
    (413, refused(Validation)),
    (415, refused(AdapterUnsupported)),
    (422, refused(Validation)),
    (423, refused(Conflict)),
    (426, refused(AdapterUnsupported)),
    (429, refused(RateLimit)),
    (451, refused(NotFound)),
    (500, unknown(Server)),
    (502, too_much(unknown(Server))),
    (503, unknown(Server)),
    (504, too_much(unknown(Server))),
];

/// Verdicts by `errors[].type` of a GraphQL answer.
const TYPES: &[(&str, Verdict)] = &[
    ("NOT_FOUND", refused(NotFound)),
    ("FORBIDDEN", refused(Auth)),
    ("INSUFFICIENT_SCOPES", refused(Auth)),
    ("UNAUTHENTICATED", refused(Auth)),
    ("UNAUTHORIZED", refused(Auth)),
    ("SAML", refused(Auth)),
    ("IP_ALLOW_LIST", refused(Auth)),
    ("TRADE_CONTROLS", refused(Auth)),
    ("RATE_LIMITED", refused(RateLimit)),
    ("RATE_LIMIT", refused(RateLimit)),
    ("UNPROCESSABLE", refused(Validation)),
    ("BAD_REQUEST", refused(Validation)),
    ("BAD_USER_INPUT", refused(Validation)),
    ("EXCESSIVE_PAGINATION", refused(Validation)),
    ("MISSING_PAGINATION_BOUNDARIES", refused(Validation)),
    ("INVALID_CURSOR_ARGUMENTS", refused(Validation)),
    // More ids than `nodes` accepts, or a negative page size.
    ("ARGUMENT_LIMIT", refused(Validation)),
    ("ARGUMENT_ERROR", refused(Validation)),
    ("INVALID_ARGUMENT", refused(Validation)),
    ("UNPROCESSABLE_ENTITY", refused(Validation)),
    ("NOT_IMPLEMENTED", refused(AdapterUnsupported)),
    ("MAX_NODE_LIMIT_EXCEEDED", too_much(refused(Validation))),
    // GitHub notices this while it runs the document, so part of it may have been applied.
    ("RESOURCE_LIMITS_EXCEEDED", too_much(unknown(Validation))),
    ("STALE_DATA", refused(Conflict)),
    ("CONFLICT", refused(Conflict)),
    ("SERVICE_UNAVAILABLE", unknown(Server)),
    ("INTERNAL", unknown(Server)),
    ("INTERNAL_ERROR", unknown(Server)),
    ("TIMEOUT", too_much(unknown(Server))),
];

/// Verdicts by `extensions.code`. With all of these, GitHub refused the document before it ran. If
/// its schema lacks something, another route may still work; the other codes are about the input.
const CODES: &[(&str, Verdict)] = &[
    ("undefinedField", refused(AdapterUnsupported)),
    ("undefinedType", refused(AdapterUnsupported)),
    ("undefinedDirective", refused(AdapterUnsupported)),
    ("argumentNotAccepted", refused(AdapterUnsupported)),
    ("selectionMismatch", refused(AdapterUnsupported)),
    ("cannotSpreadFragment", refused(AdapterUnsupported)),
    ("fragmentOnNonCompositeType", refused(AdapterUnsupported)),
    ("directiveCannotBeApplied", refused(AdapterUnsupported)),
    ("missingQueryConfiguration", refused(AdapterUnsupported)),
    ("missingMutationConfiguration", refused(AdapterUnsupported)),
    (
        "missingSubscriptionConfiguration",
        refused(AdapterUnsupported),
    ),
    ("argumentLiteralsIncompatible", refused(Validation)),
    ("argumentNotUnique", refused(Validation)),
    ("defaultValueInvalidType", refused(Validation)),
    ("defaultValueInvalidOnNonNullVariable", refused(Validation)),
    ("directiveNotUniqueForLocation", refused(Validation)),
    ("fieldConflict", refused(Validation)),
    ("fragmentNotUnique", refused(Validation)),
    ("infiniteLoop", refused(Validation)),
    ("inputFieldNotUnique", refused(Validation)),
    ("invalidOneOfInputObject", refused(Validation)),
    ("notSingleSubscription", refused(Validation)),
    ("queryContainsSchemaDefinitions", refused(Validation)),
    ("undefinedFragment", refused(Validation)),
    ("uniquelyNamedOperations", refused(Validation)),
    ("useAndDefineFragment", refused(Validation)),
    ("variableNotDefined", refused(Validation)),
    ("variableNotUnique", refused(Validation)),
    ("variableNotUsed", refused(Validation)),
    ("missingRequiredArguments", refused(Validation)),
    ("missingRequiredInputObjectAttribute", refused(Validation)),
    ("variableMismatch", refused(Validation)),
    ("variableRequiresValidType", refused(Validation)),
];

/// Verdicts by GitHub's wording, for errors without structure. The first match counts.
pub(super) const GITHUB_WORDS: [(&str, Verdict); 18] = [
    ("was submitted too quickly", refused(RateLimit)),
    ("secondary rate limit", refused(RateLimit)),
    ("abuse detection mechanism", refused(RateLimit)),
    ("api rate limit exceeded", refused(RateLimit)),
    ("api rate limit already exceeded", refused(RateLimit)),
    ("bad credentials", refused(Auth)),
    ("required scopes", refused(Auth)),
    ("resource not accessible", refused(Auth)),
    ("saml enforcement", refused(Auth)),
    ("must have admin rights", refused(Auth)),
    ("does not have the correct permissions", refused(Auth)),
    ("does not have permission", refused(Auth)),
    ("could not resolve to", refused(NotFound)),
    ("parse error on", refused(Validation)),
    ("a query attribute must be specified", refused(Validation)),
    ("something went wrong", unknown(Server)),
    (
        "couldn't respond to your request in time",
        too_much(unknown(Server)),
    ),
    ("timeout on validation of query", too_much(refused(Server))),
];

/// Verdicts by GitHub's wording for errors that GitHub reports as bad input but that are something
/// else.
const NOT_BAD_INPUT: [(&str, Verdict); 2] = [
    // REST answers 409 in this case.
    ("head branch was modified", refused(Conflict)),
    // A search names a repository or user that does not exist. Elsewhere that is a 404.
    ("cannot be searched either because", refused(NotFound)),
];

/// Verdicts by `gh`'s own wording on standard error. Go libraries write part of it.
pub(super) const GH_WORDS: [(&str, Verdict); 27] = [
    ("unknown json field", refused(AdapterUnsupported)),
    ("unknown flag", refused(AdapterUnsupported)),
    ("unknown shorthand flag", refused(AdapterUnsupported)),
    ("unknown command", refused(AdapterUnsupported)),
    ("gh auth login", refused(Auth)),
    ("gh auth refresh", refused(Auth)),
    ("no oauth token", refused(Auth)),
    ("not a git repository", refused(Validation)),
    ("no git remotes found", refused(Validation)),
    ("error connecting to", refused(Network)),
    ("connection refused", refused(Network)),
    ("no such host", refused(Network)),
    ("dial tcp", refused(Network)),
    ("dial unix", refused(Network)),
    ("x509:", permanent(Network)),
    ("tls: failed to verify", permanent(Network)),
    ("tls: handshake failure", permanent(Network)),
    ("tls handshake timeout", refused(Network)),
    ("connection reset", unknown(Network)),
    ("broken pipe", unknown(Network)),
    ("i/o timeout", unknown(Network)),
    ("deadline exceeded", unknown(Network)),
    ("unexpected eof", unknown(Network)),
    (": eof", unknown(Network)),
    // Messages of Go's JSON decoder: the answer was not in the format that GitHub documents.
    ("invalid character '", unknown(Server)),
    ("json: cannot unmarshal", unknown(Server)),
    ("unexpected end of json input", unknown(Server)),
];

/// Returns the verdict on an HTTP status that is not a success.
pub(super) fn status(status: u16) -> Verdict {
    match look_up(&STATUSES, |row| *row == status) {
        Some(verdict) => verdict,
        None if (300..400).contains(&status) => redirect(status),
        None if (400..500).contains(&status) => refused(Validation),
        None => unknown(Server),
    }
}

/// Returns the verdict on a redirect. A 307 or 308 asks to send the same request elsewhere, so it
/// was not applied here. A 303 points at the result of an applied request, and servers use 301 and
/// 302 in the same way.
pub(super) fn redirect(status: u16) -> Verdict {
    match status {
        307 | 308 => refused(AdapterUnsupported),
        _ => unknown(AdapterUnsupported),
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
        TransportFault::Tls => permanent(Network),
        TransportFault::Garbled => refused(Server),
        TransportFault::Refused
        | TransportFault::Dns
        | TransportFault::Connect
        | TransportFault::Reset
        | TransportFault::Closed
        | TransportFault::Timeout
        | TransportFault::Other => refused(Network),
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
            ..too_much(unknown(Server))
        },
        BodyError::Timeout => too_much(unknown(Network)),
        BodyError::Broken => unknown(Network),
        BodyError::NotStored => permanent(ErrorCode::Unknown),
    }
}

/// Returns the verdict on a request that GitHub refused or that never reached it: nothing was
/// applied.
pub(super) const fn refused(code: ErrorCode) -> Verdict {
    Verdict {
        code,
        retryable: matches!(code, RateLimit | Network | Server),
        outcome: Outcome::NotApplied,
        too_much: false,
    }
}

/// Returns the verdict on a request that may have been applied.
pub(super) const fn unknown(code: ErrorCode) -> Verdict {
    Verdict {
        outcome: Outcome::Unknown,
        ..refused(code)
    }
}

/// Marks a verdict: a smaller request may succeed.
const fn too_much(verdict: Verdict) -> Verdict {
    Verdict {
        too_much: true,
        ..verdict
    }
}

/// Returns the verdict on a refusal that stays until somebody changes something.
const fn permanent(code: ErrorCode) -> Verdict {
    Verdict {
        retryable: false,
        ..refused(code)
    }
}

fn look_up<K>(table: &[(K, Verdict)], matches: impl Fn(&K) -> bool) -> Option<Verdict> {
    table
        .iter()
        .find(|(key, _)| matches(key))
        .map(|(_, verdict)| *verdict)
}
