//! Applies all rules to one card.

use capstan_core::CapabilityId;
use capstan_core::card::{Card, CliRoute};

use crate::finding::Finding;
use crate::rules;
use crate::schema::GithubSchema;

/// Returns all findings about a card by itself.
pub fn check_card(card: &Card, schema: &GithubSchema) -> Vec<Finding> {
    let mut findings = rules::form::check(card);
    findings.extend(rules::wording::check(card));
    findings.extend(rules::suitability::check(card));
    // There is no schema of the other services.
    let graphql = card.graphql.as_ref().filter(|_| card.service.is_none());
    if let Some(route) = graphql {
        findings.extend(rules::graphql::check(card, route, schema));
    }
    if let Some(route) = &card.rest {
        findings.extend(rules::rest::check(card, route));
    }
    if let Some(CliRoute::Command(command)) = &card.cli {
        findings.extend(rules::cli::check(card, command));
    }
    findings
}

/// Returns all findings about the calls that a card offers or combines. `find` returns the known
/// cards.
pub fn check_follow_ups<'a>(
    card: &Card,
    find: impl Fn(&CapabilityId) -> Option<&'a Card>,
) -> Vec<Finding> {
    let mut findings = rules::follow_ups::check(card, &find);
    findings.extend(rules::combination::check(card, &find));
    findings
}
