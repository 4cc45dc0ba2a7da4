//! Generates random selections of fields and fragments.

use std::collections::HashMap;

use apollo_compiler::ast::{FieldDefinition, Type};
use apollo_compiler::ty;

use super::choices::Choices;
use super::literal::Literal;
use super::types::{conditions, fields, is_leaf, overlap};
use super::values::{Place, value};
use super::variables::Variables;

/// A document under construction.
#[derive(Debug)]
pub(super) struct Generator<'b> {
    pub(super) choices: Choices<'b>,
    pub(super) variables: Variables,
    /// Whether every connection has a page size.
    pub(super) is_sized: bool,
    /// The meaning of each response key: the same wherever fields may merge.
    keys: HashMap<String, String>,
    /// The fields at the root: the type of each, without its selections.
    roots: Vec<(&'static str, String, Type)>,
    fragment_names: Vec<String>,
    fragments: Vec<Fragment>,
}

#[derive(Debug)]
struct Fragment {
    name: String,
    on: &'static str,
    text: String,
}

/// Fields that the simulator answers from its world, and fields that lead there.
const PREFERRED: [&str; 46] = [
    "repository",
    "viewer",
    "user",
    "organization",
    "node",
    "nodes",
    "search",
    "relay",
    "repositoryOwner",
    "resource",
    "issue",
    "issues",
    "pullRequest",
    "pullRequests",
    "issueOrPullRequest",
    "labels",
    "label",
    "assignees",
    "author",
    "comments",
    "milestone",
    "reviews",
    "reviewThreads",
    "edges",
    "pageInfo",
    "totalCount",
    "title",
    "number",
    "body",
    "id",
    "login",
    "name",
    "state",
    "url",
    "createdAt",
    "owner",
    "isDraft",
    "issueCount",
    "commentEdge",
    "labelable",
    "assignable",
    "subject",
    "lockedRecord",
    "clientMutationId",
    "thread",
    "defaultBranchRef",
];

/// The mutations that the simulator supports.
const MUTATIONS: [&str; 36] = [
    "addComment",
    "updateIssueComment",
    "deleteIssueComment",
    "addReaction",
    "removeReaction",
    "createIssue",
    "updateIssue",
    "closeIssue",
    "reopenIssue",
    "deleteIssue",
    "lockLockable",
    "unlockLockable",
    "pinIssue",
    "unpinIssue",
    "addSubIssue",
    "removeSubIssue",
    "updateIssueIssueType",
    "createLabel",
    "updateLabel",
    "deleteLabel",
    "addLabelsToLabelable",
    "removeLabelsFromLabelable",
    "clearLabelsFromLabelable",
    "addAssigneesToAssignable",
    "removeAssigneesFromAssignable",
    "requestReviews",
    "createPullRequest",
    "updatePullRequest",
    "mergePullRequest",
    "closePullRequest",
    "reopenPullRequest",
    "convertPullRequestToDraft",
    "addPullRequestReview",
    "dismissPullRequestReview",
    "addPullRequestReviewThreadReply",
    "resolveReviewThread",
];

impl<'b> Generator<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            choices: Choices::new(bytes),
            variables: Variables::default(),
            is_sized: true,
            keys: HashMap::new(),
            roots: Vec::new(),
            fragment_names: Vec::new(),
            fragments: Vec::new(),
        }
    }

    /// Returns the text between the braces of the operation.
    pub(super) fn root(&mut self, type_name: &'static str, depth: usize) -> String {
        let mut all = self.field(type_name, depth, true);
        for _ in 0..self.choices.below(4) {
            all.push(' ');
            all.push_str(&self.selection(type_name, depth, true));
        }
        all
    }

    /// Returns the definitions of all fragments that were spread.
    pub(super) fn fragments(&self) -> String {
        let definition = |fragment: &Fragment| {
            let Fragment { name, on, text } = fragment;
            format!(" fragment {name} on {on} {{ {text} }}")
        };
        self.fragments.iter().map(definition).collect()
    }

    fn selections(&mut self, type_name: &'static str, depth: usize, is_root: bool) -> String {
        let count = 1 + self.choices.below(4);
        let all: Vec<String> = (0..count)
            .map(|_| self.selection(type_name, depth, is_root))
            .collect();
        let between = *self.choices.pick(&[" ", ", ", "\n", " # } {\n"]);
        all.join(between)
    }

    fn selection(&mut self, type_name: &'static str, depth: usize, is_root: bool) -> String {
        match self.choices.below(100) {
            78..88 if depth > 0 => self.spread(type_name, depth, is_root),
            88..100 if depth > 0 => self.inline(type_name, depth, is_root),
            _ => self.field(type_name, depth, is_root),
        }
    }

    fn inline(&mut self, type_name: &'static str, depth: usize, is_root: bool) -> String {
        let (on, type_name) = if self.choices.percent(70) {
            let on = *self.choices.pick(conditions(type_name));
            (format!(" on {on}"), on)
        } else {
            (String::new(), type_name)
        };
        let directives = self.directives();
        let inside = self.selections(type_name, depth - 1, is_root);
        format!("...{on}{directives} {{ {inside} }}")
    }

    fn spread(&mut self, type_name: &'static str, depth: usize, is_root: bool) -> String {
        let known: Vec<&str> = self
            .fragments
            .iter()
            .filter(|fragment| overlap(fragment.on, type_name))
            .map(|fragment| fragment.name.as_str())
            .collect();
        let again = self.choices.percent(50) || self.fragment_names.len() >= 5;
        let name = if again && !known.is_empty() {
            (*self.choices.pick(&known)).to_owned()
        } else if self.fragment_names.len() < 5 {
            self.define(type_name, depth, is_root)
        } else {
            return self.field(type_name, depth, is_root);
        };
        format!("...{name}{}", self.directives())
    }

    /// Generates a fragment, which can be spread once it is complete.
    fn define(&mut self, type_name: &'static str, depth: usize, is_root: bool) -> String {
        let names = ["F", "Card", "Issue", "a_0", "query"];
        let mut name = (*self.choices.pick(&names)).to_owned();
        if self.fragment_names.contains(&name) {
            name = format!("{name}{}", self.fragment_names.len());
        }
        self.fragment_names.push(name.clone());
        let on = *self.choices.pick(conditions(type_name));
        let text = self.selections(on, depth - 1, is_root);
        self.fragments.push(Fragment {
            name: name.clone(),
            on,
            text,
        });
        name
    }

    fn field(&mut self, type_name: &'static str, depth: usize, is_root: bool) -> String {
        if is_root && self.choices.percent(8) {
            let mut known = self.roots.iter();
            if let Some((_, head, ty)) = known.find(|(of, ..)| *of == type_name).cloned() {
                return self.complete(head, &ty, depth);
            }
        }
        if self.choices.is_empty() || self.choices.percent(4) {
            let ty = ty!(String!);
            let key = self.key("__typename", "__typename", &ty);
            return format!("{key}__typename{}", self.directives());
        }
        if is_root && type_name == "Query" && self.choices.percent(2) {
            let head = "__type(name: \"Issue\")";
            let key = self.key("__type", head, &ty!(__Type));
            return format!("{key}{head} {{ name kind }}");
        }
        let Some(field) = self.choose(type_name, depth) else {
            return "__typename".to_owned();
        };
        let arguments = self.arguments(type_name, field);
        let head = format!("{}{arguments}", field.name);
        let key = self.key(&field.name, &head, &field.ty);
        let head = format!("{key}{head}");
        if is_root {
            self.roots.push((type_name, head.clone(), field.ty.clone()));
        }
        self.complete(head, &field.ty, depth)
    }

    /// Generates directives and inner selections for a field.
    fn complete(&mut self, head: String, ty: &Type, depth: usize) -> String {
        let directives = self.directives();
        if is_leaf(ty) {
            return head + &directives;
        }
        let known = crate::support::schema().types.get(ty.inner_named_type());
        let type_name = known.unwrap().name().as_str();
        let inside = self.selections(type_name, depth.saturating_sub(1), false);
        format!("{head}{directives} {{ {inside} }}")
    }

    fn choose(
        &mut self,
        type_name: &'static str,
        depth: usize,
    ) -> Option<&'static FieldDefinition> {
        let all: Vec<&FieldDefinition> = fields(type_name)
            .into_iter()
            .map(|field| &**field)
            .filter(|field| depth > 0 || is_leaf(&field.ty))
            .collect();
        let preferred: Vec<&FieldDefinition> = all
            .iter()
            .copied()
            .filter(|field| {
                let name = field.name.as_str();
                PREFERRED.contains(&name) || (type_name == "Mutation" && MUTATIONS.contains(&name))
            })
            .collect();
        let from = match preferred.as_slice() {
            [] => &all,
            _ if self.choices.percent(15) => &all,
            _ => &preferred,
        };
        (!from.is_empty()).then(|| *self.choices.pick(from))
    }

    /// Returns the alias with its colon, if the field gets one or needs one.
    fn key(&mut self, name: &str, head: &str, ty: &Type) -> String {
        let means = format!("{head}: {ty}");
        let mut fits = |key: &str| {
            let known = self.keys.entry(key.to_owned());
            *known.or_insert_with(|| means.clone()) == means
        };
        let aliased = self.choices.percent(35);
        let alias = *self
            .choices
            .pick(&["a", "data", "query", "viewer", "a_0", "id", "nodes"]);
        if aliased && fits(alias) {
            return format!("{alias}: ");
        }
        if !aliased && fits(name) {
            return String::new();
        }
        let mut number = 0;
        loop {
            let alias = format!("{name}_{number}");
            if fits(&alias) {
                return format!("{alias}: ");
            }
            number += 1;
        }
    }

    fn arguments(&mut self, type_name: &str, field: &FieldDefinition) -> String {
        let mut all = Vec::new();
        for argument in &field.arguments {
            let name = argument.name.as_str();
            let place = Place {
                within: type_name,
                name,
            };
            let given = match name {
                "first" if self.choices.percent(96) => self.page(&argument.ty, place),
                "first" => {
                    self.is_sized = false;
                    continue;
                }
                "last" if self.choices.percent(3) => self.page(&argument.ty, place),
                "last" => continue,
                _ if argument.is_required() || self.choices.percent(12) => {
                    let variables = &mut self.variables;
                    let mut offer = |choices: &mut Choices<'_>, ty: &Type, place: Place<'_>| {
                        variables.offer(choices, ty, place)
                    };
                    value(&mut self.choices, &argument.ty, place, 3, &mut offer)
                }
                _ => continue,
            };
            all.push(format!("{name}: {}", given.graphql()));
        }
        match all.as_slice() {
            [] => String::new(),
            all => format!("({})", all.join(", ")),
        }
    }

    fn page(&mut self, ty: &Type, place: Place<'_>) -> Literal {
        if self.choices.percent(30) {
            Literal::Variable(self.variables.page(&mut self.choices, ty, place))
        } else {
            value(
                &mut self.choices,
                &ty.clone().non_null(),
                place,
                0,
                &mut |_, _, _| None,
            )
        }
    }

    fn directives(&mut self) -> String {
        let condition = |this: &mut Self| {
            let ty = ty!(Boolean!);
            let place = Place {
                within: "Directive",
                name: "if",
            };
            let variables = &mut this.variables;
            let mut offer = |choices: &mut Choices<'_>, ty: &Type, place: Place<'_>| {
                variables.offer(choices, ty, place)
            };
            value(&mut this.choices, &ty, place, 0, &mut offer).graphql()
        };
        let mut all = String::new();
        for name in ["include", "skip"] {
            if self.choices.percent(7) {
                all += &format!(" @{name}(if: {})", condition(self));
            }
        }
        all
    }
}
