//! What may be run at all. It holds for everything that is run, also for what code calls.

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::{ErrorCode, ResultError};
use capstan_skill::{Plan, Range, Version};

use crate::capability::Behind;
use crate::glob;

/// Capabilities are named in any way in which they can be run, with `*` and `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Nothing that changes anything.
    pub read_only: bool,
    /// Each list that there is must have a pattern that fits.
    pub allow: Vec<Vec<String>>,
    /// None of these, whatever else is said.
    pub deny: Vec<String>,
}

impl Policy {
    /// Whether something may be run. Each of its names can be denied, and one that is allowed is enough.
    pub(crate) fn check(&self, card: &Card, behind: &Behind) -> Result<(), ResultError> {
        let id = card.id.as_str();
        self.check_names(id, &Names::new(card, behind))?;
        // Skills that are composed are not run by their names; everything else is, and is checked then.
        for part in behind.plan().into_iter().flat_map(Plan::skills) {
            let names = Names::of_skill(part);
            if let Some(pattern) = self.deny.iter().find(|pattern| names.fit(pattern)) {
                let why = format!("the policy denies `{pattern}`, and it is made of `{part}`");
                return refuse(id, &why);
            }
        }
        // Code changes nothing by itself: what it calls is checked when it calls it.
        if self.read_only
            && card.operation == Operation::Write
            && !matches!(card.kind(), Kind::Code | Kind::Skill)
        {
            return refuse(id, "it changes things, and only reading is allowed");
        }
        Ok(())
    }

    /// The same, and nothing that changes anything.
    pub(crate) fn reading(&self) -> Self {
        Self {
            read_only: true,
            ..self.clone()
        }
    }

    /// Whether code that comes with the call may be run.
    pub(crate) fn check_direct_code(&self) -> Result<(), ResultError> {
        let names = Names {
            all: vec![DIRECT_CODE.to_owned()],
            skill: None,
        };
        self.check_names(DIRECT_CODE, &names)
    }

    fn check_names(&self, id: &str, names: &Names) -> Result<(), ResultError> {
        if let Some(pattern) = self.deny.iter().find(|pattern| names.fit(pattern)) {
            return refuse(id, &format!("the policy denies `{pattern}`"));
        }
        let allows = |list: &&Vec<String>| list.iter().any(|pattern| names.fit(pattern));
        if let Some(list) = self.allow.iter().find(|list| !allows(list)) {
            return refuse(id, &format!("the policy allows only {}", list.join(", ")));
        }
        Ok(())
    }
}

/// What code that comes with the call is called in a policy.
const DIRECT_CODE: &str = "code.exec";

/// Everything that one capability can be called by, whoever calls it.
struct Names {
    all: Vec<String>,
    /// Skills are also run by ranges of versions, of which there is no end.
    skill: Option<(String, Version)>,
}

impl Names {
    fn new(card: &Card, behind: &Behind) -> Self {
        let mut names = match behind.plan() {
            Some(plan) => Self::of_skill(&format!("{}@{}", plan.id, plan.version)),
            None => Self {
                all: vec![card.id.to_string()],
                skill: None,
            },
        };
        if let Some(code) = behind.code() {
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

    /// Of `report@1.2.0`.
    fn of_skill(full_name: &str) -> Self {
        let (id, version) = full_name.split_once('@').unwrap_or((full_name, ""));
        let version = Version::parse(version).ok();
        let names = Self {
            all: vec![id.to_owned(), full_name.to_owned()],
            skill: version.map(|version| (id.to_owned(), version)),
        };
        names.in_code("caps")
    }

    /// Also as code says them.
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

fn refuse(id: &str, why: &str) -> Result<(), ResultError> {
    let message = format!("{id} is not allowed here: {why}");
    Err(ResultError::new(ErrorCode::Policy, message))
}
