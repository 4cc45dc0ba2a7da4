//! What a caller must know to run a skill.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use capstan_core::ResultError;
use capstan_core::card::Deprecation;
use capstan_skill::render::{LevelShown, order};
use capstan_skill::{Plan, Skill, Version};

use super::Discovery;
use super::explanation::{Explanation, deprecation};
use crate::plans::skill_card;

#[derive(Clone, Debug)]
pub struct SkillSheet {
    /// The name by which it is run: `report`, or `report@1.2.0` if the short name means another version.
    pub name: String,
    pub id: String,
    pub version: String,
    pub level: u8,
    /// Example intents.
    pub intents: Vec<String>,
    pub explanation: Explanation,
    /// An example input with a placeholder for each required field.
    pub input: Map<String, Value>,
    /// The levels of its steps, in the order of execution.
    pub order: Vec<LevelShown>,
    /// Its file, or its document in the file.
    pub text: String,
}

/// A skill and its versions, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillVersions {
    pub id: String,
    pub versions: Vec<String>,
}

impl Discovery {
    /// Returns all skills, valid or not, sorted by id.
    pub fn skills(&self) -> Vec<SkillVersions> {
        let Some(library) = self.directory.library() else {
            return Vec::new();
        };
        let mut all: BTreeMap<&str, Vec<&Version>> = BTreeMap::new();
        for skill in library.skills() {
            all.entry(skill.id.as_str())
                .or_default()
                .push(&skill.version);
        }
        let sorted = all.into_iter().map(|(id, mut versions)| {
            versions.sort_unstable_by(|left, right| right.cmp(left));
            SkillVersions {
                id: id.to_owned(),
                versions: versions.into_iter().map(ToString::to_string).collect(),
            }
        });
        sorted.collect()
    }

    /// Returns the sheet of one version, or an error if the skill is invalid.
    pub async fn skill_sheet(&self, id: &str, version: &str) -> Result<SkillSheet, ResultError> {
        let full_name = format!("{id}@{version}");
        let plan = self.plans.skill(&full_name).await?;
        let library = self.directory.library();
        let skill = library.and_then(|library| library.find(&full_name));
        let newest = library.and_then(|library| library.newest(id));
        let is_newest = newest.is_some_and(|newest| newest.version == plan.version);
        Ok(SkillSheet {
            name: if is_newest { id.to_owned() } else { full_name },
            id: id.to_owned(),
            version: version.to_owned(),
            level: plan.level.number(),
            intents: skill.map(|it| it.intents.clone()).unwrap_or_default(),
            explanation: explanation_of(&plan, skill.map(|it| &**it)),
            input: example_input(&plan),
            order: order(&plan, &|_| false),
            text: skill.map(|it| it.document().to_owned()).unwrap_or_default(),
        })
    }
}

fn explanation_of(plan: &Plan, skill: Option<&Skill>) -> Explanation {
    let mut explanation = Explanation::from_card(&skill_card(plan));
    let deprecated = skill.and_then(|skill| skill.deprecated.as_ref());
    explanation.deprecated = deprecated.map(|it| {
        deprecation(&Deprecation {
            since: it.since.clone(),
            sunset: it.sunset.as_ref().map(|day| day.value.clone()),
            replacement: it.replacement.clone(),
        })
    });
    explanation
}

fn example_input(plan: &Plan) -> Map<String, Value> {
    let schema = plan.contract.input.as_deref();
    let part = |key: &str| schema.and_then(|schema| schema.get(key));
    let properties = part("properties").and_then(Value::as_object);
    let required = part("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let of_each = required.map(|name| {
        let schema = properties.and_then(|properties| properties.get(name));
        (
            name.to_owned(),
            placeholder_value(name, schema.unwrap_or(&Value::Null)),
        )
    });
    of_each.collect()
}

/// Returns a value of the required type that is recognizable as a placeholder.
fn placeholder_value(name: &str, schema: &Value) -> Value {
    let first = |key: &str| schema.get(key).and_then(|all| all.get(0)).cloned();
    let known = schema
        .get("default")
        .or_else(|| schema.get("const"))
        .cloned();
    if let Some(known) = known
        .or_else(|| first("examples"))
        .or_else(|| first("enum"))
    {
        return known;
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first(),
        kind => kind,
    };
    match kind.and_then(Value::as_str) {
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(Value::from(1)),
        Some("boolean") => Value::Bool(false),
        Some("array") => Value::Array(Vec::new()),
        Some("object") => Value::Object(Map::new()),
        Some("null") => Value::Null,
        _ => Value::String(format!("<{name}>")),
    }
}
