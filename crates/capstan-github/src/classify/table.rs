//! The table: every known failure with its code, whether repeating it can help, and what it
//! means for a write. Nothing else in the project decides these.

use capstan_core::ErrorCode::{
    self, AdapterUnsupported, Auth, Conflict, Network, NotFound, RateLimit, Server, Validation,
};
use capstan_core::Outcome;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) code: ErrorCode,
    pub(super) retryable: bool,
    pub(super) outcome: Outcome,
    /// Less at once may work.
    pub(super) too_much: bool,
}

/// Why a request got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Refused,
    Dns,
    Tls,
    /// Connecting failed in another way, or took too long.
    Connect,
    Reset,
    /// The other side closed the connection without an answer.
    Closed,
    Timeout,
    /// What came back is not HTTP.
    Garbled,
    Other,
}

/// Why an answer could not be read whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    TooLarge {
        limit: usize,
    },
    /// The connection ended, or the bytes make no sense.
    Broken,
    Timeout,
}

/// `gh` documents this exit code.
pub(super) const GH_NOT_LOGGED_IN: i32 = 4;

pub(super) const NONSENSE: Verdict = unknown(Server);
/// A program that succeeds without JSON will do so again.
pub(super) const GH_TEXT: Verdict = Verdict {
    outcome: Outcome::Applied,
    ..lasting(Server)
};
pub(super) const NO_GRAPHQL: Verdict = refused(AdapterUnsupported);
pub(super) const UNKNOWN: Verdict = unknown(ErrorCode::Unknown);

const STATUSES: [(u16, Verdict); 22] = [
    (400, refused(Validation)),
    (401, refused(Auth)),
    (403, refused(Auth)),
    (404, refused(NotFound)),
    // GitHub's word for "this pull request cannot be merged".
    (405, refused(Validation)),
    (406, refused(AdapterUnsupported)),
    (407, lasting(Network)),
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

/// `errors[].type` of a GraphQL answer.
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
    // More ids than `nodes` takes, or a page of less than nothing.
    ("ARGUMENT_LIMIT", refused(Validation)),
    ("ARGUMENT_ERROR", refused(Validation)),
    ("INVALID_ARGUMENT", refused(Validation)),
    ("UNPROCESSABLE_ENTITY", refused(Validation)),
    ("NOT_IMPLEMENTED", refused(AdapterUnsupported)),
    ("MAX_NODE_LIMIT_EXCEEDED", too_much(refused(Validation))),
    // Found out while running, so part of it may have been done.
    ("RESOURCE_LIMITS_EXCEEDED", too_much(unknown(Validation))),
    ("STALE_DATA", refused(Conflict)),
    ("CONFLICT", refused(Conflict)),
    ("SERVICE_UNAVAILABLE", unknown(Server)),
    ("INTERNAL", unknown(Server)),
    ("INTERNAL_ERROR", unknown(Server)),
    ("TIMEOUT", too_much(unknown(Server))),
];

/// `extensions.code`: the document was refused before it ran. What this GitHub's schema lacks
/// another route may still do; the rest is about the input.
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

/// GitHub's words, for what carries no structure. The first match counts.
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

/// GitHub's words for what it calls bad input and is something else.
const NOT_BAD_INPUT: [(&str, Verdict); 2] = [
    // REST answers 409 to this.
    ("head branch was modified", refused(Conflict)),
    // A search names a repository or user that is not there; elsewhere that is a 404.
    ("cannot be searched either because", refused(NotFound)),
];

/// `gh`'s own words on standard error, which its Go libraries partly write.
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
    ("x509:", lasting(Network)),
    ("tls: failed to verify", lasting(Network)),
    ("tls: handshake failure", lasting(Network)),
    ("tls handshake timeout", refused(Network)),
    ("connection reset", unknown(Network)),
    ("broken pipe", unknown(Network)),
    ("i/o timeout", unknown(Network)),
    ("deadline exceeded", unknown(Network)),
    ("unexpected eof", unknown(Network)),
    (": eof", unknown(Network)),
    // Go's JSON reader: what came was not what GitHub promises.
    ("invalid character '", unknown(Server)),
    ("json: cannot unmarshal", unknown(Server)),
    ("unexpected end of json input", unknown(Server)),
];

pub(super) fn status(status: u16) -> Verdict {
    match look_up(&STATUSES, |row| *row == status) {
        Some(verdict) => verdict,
        None if (300..400).contains(&status) => redirect(status),
        None if (400..500).contains(&status) => refused(Validation),
        None => unknown(Server),
    }
}

/// An answer that points elsewhere. With 307 and 308 the request is to be sent again as it is, so
/// it was not carried out here. 303 points at the result of what was done, and 301 and 302 are in
/// use for the same.
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

pub(super) fn words(table: &[(&str, Verdict)], text: &str) -> Option<Verdict> {
    let text = text.to_lowercase();
    look_up(table, |row| text.contains(row))
}

/// The verdict on bad input, unless GitHub's words say that it is something else.
pub(super) fn refined(verdict: Verdict, said: &str) -> Verdict {
    if verdict.code == Validation {
        words(&NOT_BAD_INPUT, said).unwrap_or(verdict)
    } else {
        verdict
    }
}

pub(super) fn transport(fault: Fault, sent: bool) -> Verdict {
    let verdict = match fault {
        Fault::Tls => lasting(Network),
        Fault::Garbled => refused(Server),
        Fault::Refused
        | Fault::Dns
        | Fault::Connect
        | Fault::Reset
        | Fault::Closed
        | Fault::Timeout
        | Fault::Other => refused(Network),
    };
    let outcome = if sent {
        Outcome::Unknown
    } else {
        Outcome::NotApplied
    };
    Verdict {
        outcome,
        too_much: sent && fault == Fault::Timeout,
        ..verdict
    }
}

pub(super) fn cut(cut: Cut) -> Verdict {
    match cut {
        // The next answer would be as large.
        Cut::TooLarge { .. } => Verdict {
            retryable: false,
            ..too_much(unknown(Server))
        },
        Cut::Timeout => too_much(unknown(Network)),
        Cut::Broken => unknown(Network),
    }
}

/// GitHub, or the way to it, said no before anything happened.
pub(super) const fn refused(code: ErrorCode) -> Verdict {
    Verdict {
        code,
        retryable: matches!(code, RateLimit | Network | Server),
        outcome: Outcome::NotApplied,
        too_much: false,
    }
}

/// It may have happened.
pub(super) const fn unknown(code: ErrorCode) -> Verdict {
    Verdict {
        outcome: Outcome::Unknown,
        ..refused(code)
    }
}

/// A part of it may well succeed.
const fn too_much(verdict: Verdict) -> Verdict {
    Verdict {
        too_much: true,
        ..verdict
    }
}

/// Refused, and it will be until somebody changes something.
const fn lasting(code: ErrorCode) -> Verdict {
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
