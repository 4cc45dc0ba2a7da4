//! All names by which a capability can be called. A policy is checked against each of them.

use capstan_catalog::Catalog;
use capstan_core::card::{Card, Kind};
use capstan_core::{ErrorCode, ResultError, glob};
use capstan_exec::{Names, Policy, sends_same_request};
use capstan_skill::{Plan, Range, Version};

use super::Implementation;

/// The name in policies of code that comes with the call.
const DIRECT_CODE: &str = "code.exec";

/// Checks whether the policy permits a capability.
pub(crate) fn check_policy(
    policy: &Policy,
    card: &Card,
    implementation: &Implementation,
) -> Result<(), ResultError> {
    let names = CapabilityNames {
        own: NameSet::new(card, implementation),
        plan: implementation.plan(),
    };
    policy.check(card, &names)
}

/// Checks whether the policy denies a card that sends the same request as a raw call: a denied operation must not be
/// possible under another name. Only denied cards are unpacked.
pub(crate) fn check_same_requests(
    policy: &Policy,
    catalog: &Catalog,
    made: &Card,
) -> Result<(), ResultError> {
    if made.request.is_none() || policy.deny.is_empty() {
        return Ok(());
    }
    let denied = catalog.ids().filter_map(|id| {
        let names = NameSet {
            all: vec![id.to_owned()],
            skill: None,
        };
        let names = names.with_code_names("capstan");
        let pattern = policy.deny.iter().find(|pattern| names.fit(pattern))?;
        Some((id, pattern))
    });
    for (id, pattern) in denied {
        let Some(card) = catalog.unpack_once(id) else {
            continue;
        };
        if card.request.is_none() && sends_same_request(made, &card) {
            let message = format!(
                "{} is not allowed here: the policy denies `{pattern}`, and `{id}` sends such a request",
                made.id
            );
            return Err(ResultError::new(ErrorCode::Policy, message));
        }
    }
    Ok(())
}

/// Checks whether the policy permits code that comes with the call.
pub(crate) fn check_direct_code(policy: &Policy) -> Result<(), ResultError> {
    let names = CapabilityNames {
        own: NameSet {
            all: vec![DIRECT_CODE.to_owned()],
            skill: None,
        },
        plan: None,
    };
    policy.check_names(DIRECT_CODE, &names)
}

/// The names of a capability and, if it is a skill, of the skills that it is composed of.
struct CapabilityNames<'a> {
    own: NameSet,
    /// The plan, if the capability is a skill.
    plan: Option<&'a Plan>,
}

impl Names for CapabilityNames<'_> {
    fn fit(&self, pattern: &str) -> bool {
        self.own.fit(pattern)
    }

    fn fitting_part<'p>(&self, patterns: &'p [String]) -> Option<(String, &'p str)> {
        // Inner skills are not run by their names, so they are checked here. All other parts are run by name and
        // are checked then.
        let mut parts = self.plan.into_iter().flat_map(Plan::skills);
        parts.find_map(|part| {
            let names = NameSet::from_skill(part);
            let pattern = patterns.iter().find(|pattern| names.fit(pattern))?;
            Some((part.to_owned(), pattern.as_str()))
        })
    }
}

/// The names of one capability.
struct NameSet {
    all: Vec<String>,
    /// Id and version of a skill. Skills can also be called with a range of versions, and there are infinitely many.
    skill: Option<(String, Version)>,
}

impl NameSet {
    fn new(card: &Card, implementation: &Implementation) -> Self {
        let mut names = match implementation.plan() {
            Some(plan) => Self::from_skill(&format!("{}@{}", plan.id, plan.version)),
            None => Self {
                all: vec![card.id.to_string()],
                skill: None,
            },
        };
        if let Some(code) = implementation.code() {
            let record = &code.record;
            let others = [
                record.name.to_string(),
                record.fqdn.to_string(),
                // The full name also works without its hash.
                format!("{}.{}.{}", record.scope, record.namespace, record.action),
                record.action.clone(),
            ];
            names.all.extend(others);
            let aliases = record.aliases.iter().map(ToString::to_string);
            names.all.extend(aliases);
        }
        names.with_code_names(match card.kind() {
            Kind::Card | Kind::System => "capstan",
            Kind::Tool => "mcp",
            Kind::Code | Kind::Skill => "caps",
        })
    }

    /// Returns the names of a skill, given as `report@1.2.0`.
    fn from_skill(full_name: &str) -> Self {
        let (id, version) = full_name.split_once('@').unwrap_or((full_name, ""));
        let version = Version::parse(version).ok();
        let names = Self {
            all: vec![id.to_owned(), full_name.to_owned()],
            skill: version.map(|version| (id.to_owned(), version)),
        };
        names.with_code_names("caps")
    }

    /// Adds the names as code writes them, with the object before each: `caps.report`.
    fn with_code_names(mut self, object: &str) -> Self {
        let called = self.all.iter().map(|name| format!("{object}.{name}"));
        let called: Vec<_> = called.collect();
        self.all.extend(called);
        self
    }

    fn fit(&self, pattern: &str) -> bool {
        let pattern = pattern.trim();
        self.all.iter().any(|name| glob::fits(pattern, name)) || self.is_in_range(pattern)
    }

    /// Returns whether the pattern has the form `report@^1` and fits the id and the version of this skill.
    fn is_in_range(&self, pattern: &str) -> bool {
        let pattern = pattern.strip_prefix("caps.").unwrap_or(pattern);
        let (Some((id, version)), Some((named, range))) = (&self.skill, pattern.split_once('@'))
        else {
            return false;
        };
        let range = Range::parse(range);
        glob::fits(named, id) && range.is_ok_and(|range| range.allows(version))
    }
}
