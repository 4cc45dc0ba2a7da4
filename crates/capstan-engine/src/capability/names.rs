//! Everything that a capability can be called by, as a policy sees it.

use capstan_core::ResultError;
use capstan_core::card::{Card, Kind};
use capstan_exec::{Names, Policy, glob};
use capstan_skill::{Plan, Range, Version};

use super::Implementation;

/// What code that comes with the call is called in a policy.
const DIRECT_CODE: &str = "code.exec";

/// Checks whether the policy lets something be run.
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

/// Checks whether the policy lets code be run that comes with the call.
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

struct CapabilityNames<'a> {
    own: NameSet,
    /// Of a skill: what it is made of.
    plan: Option<&'a Plan>,
}

impl Names for CapabilityNames<'_> {
    fn fit(&self, pattern: &str) -> bool {
        self.own.fit(pattern)
    }

    fn fitting_part<'p>(&self, patterns: &'p [String]) -> Option<(String, &'p str)> {
        // Skills that are composed are not run by their names; everything else is, and is checked then.
        let mut parts = self.plan.into_iter().flat_map(Plan::skills);
        parts.find_map(|part| {
            let names = NameSet::from_skill(part);
            let pattern = patterns.iter().find(|pattern| names.fit(pattern))?;
            Some((part.to_owned(), pattern.as_str()))
        })
    }
}

/// The names of one thing.
struct NameSet {
    all: Vec<String>,
    /// Skills are also run by ranges of versions, of which there is no end.
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
                // The full name is also understood without its hash.
                format!("{}.{}.{}", record.scope, record.namespace, record.action),
                record.action.clone(),
            ];
            names.all.extend(others);
            let aliases = record.aliases.iter().map(ToString::to_string);
            names.all.extend(aliases);
        }
        names.in_code(match card.kind() {
            Kind::Card | Kind::System => "capstan",
            Kind::Tool => "mcp",
            Kind::Code | Kind::Skill => "caps",
        })
    }

    /// The names of `report@1.2.0`.
    fn from_skill(full_name: &str) -> Self {
        let (id, version) = full_name.split_once('@').unwrap_or((full_name, ""));
        let version = Version::parse(version).ok();
        let names = Self {
            all: vec![id.to_owned(), full_name.to_owned()],
            skill: version.map(|version| (id.to_owned(), version)),
        };
        names.in_code("caps")
    }

    /// Adds the names as code says them.
    fn in_code(mut self, object: &str) -> Self {
        let called = self.all.iter().map(|name| format!("{object}.{name}"));
        let called: Vec<_> = called.collect();
        self.all.extend(called);
        self
    }

    fn fit(&self, pattern: &str) -> bool {
        let pattern = pattern.trim();
        self.all.iter().any(|name| glob::fits(pattern, name)) || self.is_in_range(pattern)
    }

    /// `report@^1`: the name of a skill, and versions of which its own is one.
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
