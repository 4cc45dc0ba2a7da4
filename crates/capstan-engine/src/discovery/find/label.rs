//! The labels of entries in the search index: what filters and priors need to know of a capability, in one byte.

use capstan_catalog::outline::Audience;
use capstan_core::card::Kind;
use capstan_search::Prior;

use super::index_entry::IndexedCapability;
use super::request::SearchRequest;

/// The bits of the kind. They are never 0, because the index gives 0 to entries that are not visible.
const KIND: u8 = 0b0111;
const GENERATED: u8 = 1 << 3;
const DEPRECATED: u8 = 1 << 4;
/// The bits of who can use it.
const AUDIENCE: u8 = 0b11 << 5;
const ORGANIZATION: u8 = 1 << 5;
const ENTERPRISE: u8 = 2 << 5;
const OTHER_AUDIENCE: u8 = 3 << 5;
const COMMON: u8 = 1 << 7;

/// Lowers every generated card, so that a card that people wrote comes first if both fit about equally.
const GENERATED_PRIOR: f32 = -1.0;
/// Raises generated cards for what people often need.
const COMMON_PRIOR: f32 = 0.4;
/// Lowers what only some users can use, unless the query names them.
const AUDIENCE_PRIOR: f32 = -1.0;
/// Lowers what is deprecated so much that it comes last.
const DEPRECATED_PRIOR: f32 = -2.0;

/// Returns the label of a capability.
pub(super) fn label(capability: &IndexedCapability) -> u8 {
    let standing = capability.standing;
    let mut label = kind_label(capability.kind);
    if standing.is_generated {
        label |= GENERATED;
        if standing.is_deprecated {
            label |= DEPRECATED;
        }
        if standing.is_common {
            label |= COMMON;
        }
    }
    match standing.audience {
        Some(Audience::Organization) => label | ORGANIZATION,
        Some(Audience::Enterprise) => label | ENTERPRISE,
        Some(Audience::App | Audience::Installation | Audience::OauthApp) => label | OTHER_AUDIENCE,
        None => label,
    }
}

fn kind_label(kind: Kind) -> u8 {
    kind as u8 + 1
}

/// Returns whether an entry is visible and included in the request.
pub(super) fn is_requested(request: &SearchRequest, key: &str, label: u8) -> bool {
    let domain = |domain: &String| key.split('.').next() == Some(domain);
    let kind = label & KIND;
    let is_of_kind = request
        .kind
        .map_or(kind > 0, |requested| kind_label(requested) == kind);
    let is_included = request.with_generated || label & GENERATED == 0;
    is_of_kind && is_included && request.domain.as_ref().is_none_or(domain)
}

/// Returns what counts for or against entries, whatever the query asks for.
pub(super) fn priors(query: &str) -> Vec<Prior> {
    let query = query.to_lowercase();
    let names = |beginnings: &[&str]| {
        let mut words = query.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| {
            beginnings
                .iter()
                .any(|beginning| word.starts_with(beginning))
        })
    };
    let flag = |bits, score| Prior {
        mask: bits,
        bits,
        score,
    };
    let mut priors = vec![
        flag(GENERATED, GENERATED_PRIOR),
        flag(DEPRECATED, DEPRECATED_PRIOR),
        flag(COMMON, COMMON_PRIOR),
    ];
    let audiences: [(u8, &[&str]); 3] = [
        (ORGANIZATION, &["org", "member", "team"]),
        (ENTERPRISE, &["enterprise"]),
        (OTHER_AUDIENCE, &["app", "oauth", "installation"]),
    ];
    let unnamed = audiences.into_iter().filter(|(_, words)| !names(words));
    priors.extend(unnamed.map(|(bits, _)| Prior {
        mask: AUDIENCE,
        bits,
        score: AUDIENCE_PRIOR,
    }));
    priors
}
