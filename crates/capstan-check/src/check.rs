//! All rules over one card.

use capstan_core::card::{Card, CliRoute};

use crate::finding::Finding;
use crate::rules;
use crate::schema::GithubSchema;

/// Everything that is wrong with a card taken by itself.
pub fn check_card(card: &Card, schema: &GithubSchema) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(route) = &card.graphql {
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
