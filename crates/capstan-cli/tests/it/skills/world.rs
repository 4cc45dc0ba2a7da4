//! A place with skills and a GitHub whose requests are seen.

use github_sim::Sim;
use serde_json::{Value, json};

use crate::cli::harness::{Github, Place};
use crate::code::surface::{Surface as _, World};

pub(super) struct Workshop {
    pub(super) github: Github,
    pub(super) world: World,
}

impl Workshop {
    pub(super) fn with(skills: &str) -> Self {
        let github = Github::serving(Sim::demo());
        let place = Place::new().online(&github);
        let file = place.write("skills.yaml", skills);
        let world = World::at(place, &["--skills", file.to_str().unwrap()]);
        Self { github, world }
    }

    pub(super) fn run(&self, skill: &str, input: &Value) -> Value {
        self.world.cli().run(skill, input)
    }

    /// How many requests left, by whether they changed anything.
    pub(super) fn requests(&self) -> usize {
        self.github.sim.requests().len()
    }

    /// What was written, as the fields of mutations, in order.
    pub(super) fn written(&self) -> Vec<String> {
        let seen = self.github.sim.requests().into_iter();
        let writes = seen.filter(|it| it.applied).flat_map(|it| it.root_fields);
        writes.collect()
    }

    pub(super) fn state_of(&self, issue: u64) -> String {
        let input = json!({"owner": "acme", "repo": "rocket", "issue_number": issue});
        let seen = self.world.cli().run("issue.view", &input);
        seen["data"]["state"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

/// The repository that everything is about.
pub(super) fn rocket(more: Value) -> Value {
    let mut input = json!({"owner": "acme", "repo": "rocket"});
    if let (Some(input), Value::Object(more)) = (input.as_object_mut(), more) {
        input.extend(more);
    }
    input
}

/// How often each thing was called.
pub(super) fn calls(envelope: &Value) -> Vec<(String, u64)> {
    let calls = envelope["meta"]["calls"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let count = |it: &Value| {
        let name = it["capability"].as_str().unwrap_or_default().to_owned();
        (name, it["count"].as_u64().unwrap_or_default())
    };
    calls.iter().map(count).collect()
}
