//! Every field of the schema executes. Fields that are not modelled return a default of their type.

use super::fixture::{run_as, world};
use apollo_compiler::Schema;
use apollo_compiler::ast::{FieldDefinition, InputValueDefinition};
use apollo_compiler::parser::Parser;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use serde_json::{Value, json};

const REPOSITORY: &str = "repository(owner: \"acme\", name: \"rocket\")";

#[test]
fn every_root_field_executes() {
    check_type("Query", "", "");
}

#[test]
fn every_field_of_a_repository_executes() {
    check_type("Repository", &format!("{REPOSITORY} {{"), "}");
}

#[test]
fn every_field_of_an_issue_executes() {
    check_type(
        "Issue",
        &format!("{REPOSITORY} {{ issue(number: 1) {{"),
        "} }",
    );
}

#[test]
fn every_field_of_a_pull_request_executes() {
    check_type(
        "PullRequest",
        &format!("{REPOSITORY} {{ pullRequest(number: 6) {{"),
        "} }",
    );
}

#[test]
fn every_field_of_a_commit_executes() {
    check_type(
        "Commit",
        &format!("{REPOSITORY} {{ object(expression: \"main\") {{ ... on Commit {{"),
        "} } }",
    );
}

#[test]
fn every_field_of_accounts_executes() {
    check_type("User", "viewer {", "}");
    check_type("Organization", "organization(login: \"acme\") {", "}");
}

#[test]
fn defaults_depend_on_the_type() {
    let mut world = world();
    let query = format!(
        "{{ {REPOSITORY} {{
            isMirror mirrorUrl diskUsage codeOfConduct {{ name }} issueTemplates {{ name }}
            deployments(first: 3) {{ totalCount nodes {{ id }} edges {{ cursor }} pageInfo {{ hasNextPage endCursor }} }}
            planFeatures {{ codeowners maximumAssignees }} mergeCommitTitle
            openGraphImageUrl fundingLinks {{ url }} projectV2(number: 1) {{ title }}
        }} }}"
    );
    let outcome = run_as(&mut world, "octocat", &query, json!({}));
    assert_eq!(outcome.json["errors"], Value::Null);
    assert_eq!(
        outcome.json["data"]["repository"],
        json!({
            "isMirror": false, "mirrorUrl": null, "diskUsage": null, "codeOfConduct": null,
            "issueTemplates": [],
            "deployments": { "totalCount": 0, "nodes": [], "edges": [],
                "pageInfo": { "hasNextPage": false, "endCursor": null } },
            "planFeatures": { "codeowners": false, "maximumAssignees": 0 },
            "mergeCommitTitle": "MERGE_MESSAGE",
            "openGraphImageUrl": "https://github.com", "fundingLinks": [],
            // What is asked for by its name is made up.
            "projectV2": { "title": "" },
        })
    );
}

/// Executes one document per field of a type. Each selects all sub-fields without required arguments.
#[track_caller]
fn check_type(type_name: &str, open: &str, close: &str) {
    let schema = schema();
    let mut world = world();
    let definition = schema.get_object(type_name).unwrap();
    let mut checked = 0;
    for field in definition.fields.values() {
        let query = format!("{{ {open} {} {close} }}", render(&schema, field, 2));
        let outcome = run_as(&mut world, "octocat", &query, json!({}));
        let none = Vec::new();
        for error in outcome.json["errors"].as_array().unwrap_or(&none) {
            // A generated argument may refer to nothing, which is NOT_FOUND. Any other error is a failure.
            assert_eq!(error["type"], "NOT_FOUND", "{query}: {error}");
        }
        assert!(
            outcome.json["data"].is_object(),
            "{query}: {}",
            outcome.json
        );
        assert!(!outcome.applied);
        checked += 1;
    }
    assert!(checked > 20, "{type_name} has {checked} fields");
}

fn render(schema: &Schema, field: &FieldDefinition, depth: usize) -> String {
    let arguments = render_arguments(schema, field);
    let inner = field.ty.inner_named_type();
    let name = &field.name;
    let below = match schema.types.get(inner) {
        Some(ExtendedType::Object(object)) => {
            fields(schema, object.fields.values().map(|f| &***f), depth)
        }
        Some(ExtendedType::Interface(interface)) => {
            fields(schema, interface.fields.values().map(|f| &***f), depth)
        }
        Some(ExtendedType::Union(union)) => {
            let members = union.members.iter().map(|member| {
                let object = schema.get_object(member.as_str()).unwrap();
                let chosen = fields(schema, object.fields.values().map(|f| &***f), 0);
                format!("... on {member} {chosen}")
            });
            // Members may have fields with the same name and different types, so there is one document for each member.
            let first = members.into_iter().next().unwrap_or_default();
            format!("{{ __typename {first} }}")
        }
        _ => String::new(),
    };
    format!("{name}{arguments} {below}")
}

fn fields<'f>(
    schema: &Schema,
    all: impl Iterator<Item = &'f FieldDefinition>,
    depth: usize,
) -> String {
    let mut chosen = vec!["__typename".to_owned()];
    for field in all {
        let required = field
            .arguments
            .iter()
            .any(|argument| argument.is_required());
        let composite = matches!(
            schema.types.get(field.ty.inner_named_type()),
            Some(ExtendedType::Object(_) | ExtendedType::Interface(_) | ExtendedType::Union(_))
        );
        if !required && (!composite || depth > 0) {
            chosen.push(render(schema, field, depth.saturating_sub(1)));
        }
    }
    format!("{{ {} }}", chosen.join(" "))
}

fn render_arguments(schema: &Schema, field: &FieldDefinition) -> String {
    let mut given = Vec::new();
    for argument in &field.arguments {
        if argument.name == "first" {
            given.push("first: 2".to_owned());
        } else if argument.is_required() {
            given.push(format!("{}: {}", argument.name, literal(schema, argument)));
        }
    }
    if given.is_empty() {
        String::new()
    } else {
        format!("({})", given.join(", "))
    }
}

fn literal(schema: &Schema, argument: &InputValueDefinition) -> String {
    let inner = argument.ty.inner_named_type();
    match schema.types.get(inner) {
        Some(ExtendedType::Enum(definition)) => {
            definition.values.keys().next().unwrap().to_string()
        }
        Some(ExtendedType::InputObject(definition)) => {
            let required = definition
                .fields
                .values()
                .filter(|field| field.is_required());
            let parts: Vec<String> = required
                .map(|field| format!("{}: {}", field.name, literal(schema, field)))
                .collect();
            format!("{{ {} }}", parts.join(", "))
        }
        _ => match inner.as_str() {
            "Int" => "1".to_owned(),
            "Boolean" => "true".to_owned(),
            _ => "\"x\"".to_owned(),
        },
    }
}

fn schema() -> Valid<Schema> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/");
    let mut builder = Schema::builder();
    let mut parser = Parser::new();
    for file in ["github.graphql", "extensions.graphql"] {
        let text = std::fs::read_to_string(format!("{root}{file}")).unwrap();
        parser.parse_into_schema_builder(text, file, &mut builder);
    }
    builder.build().unwrap().validate().unwrap()
}

#[test]
fn what_nobody_modelled_is_made_up_from_the_request() {
    let mut world = world();
    let query = format!(
        "{{ {REPOSITORY} {{ discussion(number: 7) {{ id number title author {{ login }} }} }} }}"
    );
    let outcome = run_as(&mut world, "octocat", &query, json!({}));
    assert!(outcome.is_made_up);
    assert_eq!(
        outcome.json["data"]["repository"]["discussion"],
        json!({ "id": "Discussion:7", "number": 7, "title": "", "author": null })
    );
    let modelled = format!("{{ {REPOSITORY} {{ issue(number: 1) {{ id }} }} }}");
    let outcome = run_as(&mut world, "octocat", &modelled, json!({}));
    assert!(!outcome.is_made_up);
    let issue = outcome.json["data"]["repository"]["issue"]["id"].clone();
    // The issue is that of the world, and the world does not change.
    let mutation = "mutation($id: ID!) {
        transferIssue(input: {issueId: $id, repositoryId: \"R\", clientMutationId: \"me\"}) { clientMutationId issue { number } }
        createDiscussion(input: {repositoryId: \"R\", categoryId: \"C\", title: \"T\", body: \"B\"}) {
            discussion { id title body }
        }
    }";
    let outcome = run_as(&mut world, "octocat", mutation, json!({ "id": issue }));
    assert!(outcome.is_made_up && !outcome.applied);
    assert_eq!(
        outcome.json,
        json!({ "data": {
            "transferIssue": { "clientMutationId": "me", "issue": { "number": 1 } },
            "createDiscussion": { "discussion": { "id": "Discussion:B/C/R/T", "title": "T", "body": "B" } },
        } })
    );
}
