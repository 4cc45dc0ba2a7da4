//! Inputs that take a name where GitHub wants an id: what is read to find the id, and what is said if nothing has the
//! name. An id is sent as it is, without a read.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::raw::Outline;
use crate::raw::RawHttpLookup;

/// The rows of a page in which a name is looked for. GitHub gives no larger pages.
const LARGEST_PAGE: u64 = 100;

/// What is read to find the id of a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedId {
    /// What has the name: `repository`.
    pub noun: String,
    /// What the name looks like, or what it is: `owner/name`, `title`.
    pub form: String,
    /// A regular expression for the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The path that is read, a template; `$item` is the name.
    pub path: String,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub query: IndexMap<String, String>,
    /// The place of the list in the answer, if the answer is none itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The field that has the name, if a list is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// An expression for what that field has to be; by default the name itself, `$item`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// The field that has the id; `id` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// Returns the lookups of an outline, by the inputs whose names they look for.
pub(super) fn lookups(outline: &Outline) -> IndexMap<String, RawHttpLookup> {
    let lookups = outline.names.iter().map(|(input, named)| {
        let lookup = RawHttpLookup {
            path: with_ids(outline, &named.path),
            query: query(named),
            root: named.at.clone(),
            each: Some(names_in(outline, input)),
            // Of several with the same name, it is unknown which is meant.
            pick: named
                .by
                .as_ref()
                .map(|by| format!(". | {} | only", having(named, by))),
            require: None,
            missing: Some(missing(outline, named)),
            mend: None,
        };
        (input.clone(), lookup)
    });
    lookups.collect()
}

/// Returns the expression for an input: with ids in place of names, if it takes names.
pub(super) fn expression(outline: &Outline, input: &str) -> String {
    match outline.names.get(input) {
        Some(named) => {
            let id = named.id.as_deref().unwrap_or("id");
            format!("$input.{input} | replace_texts(${input}[].{id})")
        }
        None => format!("$input.{input}"),
    }
}

/// Returns a path in which the ids of names stand.
pub(super) fn with_ids(outline: &Outline, path: &str) -> String {
    let inputs = outline.names.keys();
    inputs.fold(path.to_owned(), |path, input| {
        let value = expression(outline, input);
        path.replace(&format!("{{{input}}}"), &format!("{{{value}}}"))
    })
}

/// Lets the inputs of a schema be names.
pub(super) fn add_to_schema(outline: &Outline, properties: &mut Value) -> Result<(), String> {
    for (input, named) in &outline.names {
        let Some(schema) = properties.get_mut(input) else {
            return Err(format!("`names` has `{input}`, which is no input"));
        };
        let schema = if schema["type"] == "array" {
            &mut schema["items"]
        } else {
            schema
        };
        let types = match &schema["type"] {
            Value::String(kind) if kind == "integer" => json!(["integer", "string"]),
            Value::Array(kinds) if *kinds == [json!("integer"), json!("null")] => {
                json!(["integer", "string", "null"])
            }
            _ => return Err(format!("`{input}` takes no integers, so it takes no names")),
        };
        schema["type"] = types;
        schema["minLength"] = json!(1);
        if let Some(pattern) = &named.pattern {
            schema["pattern"] = json!(pattern);
        }
        schema["title"] = json!(named.form);
        schema["description"] = json!(format!("the id, or {}", named.form));
    }
    Ok(())
}

/// Returns whether an input is a list.
fn is_list(outline: &Outline, input: &str) -> bool {
    let mut inputs = outline.input.iter();
    inputs.any(|(name, kind)| name.strip_suffix('?').unwrap_or(name) == input && kind.is_array())
}

/// Returns the expression for the names among the values of an input.
fn names_in(outline: &Outline, input: &str) -> String {
    if is_list(outline, input) {
        format!("$input.{input} | where(. | text)")
    } else {
        format!("$input.{input} | text | list")
    }
}

fn query(named: &NamedId) -> IndexMap<String, Value> {
    let rows = json!(LARGEST_PAGE.to_string());
    let page = named.by.as_ref().map(|_| ("per_page".to_owned(), rows));
    let given = named.query.iter();
    let given = given.map(|(name, value)| (name.clone(), json!(value)));
    given.chain(page).collect()
}

/// Returns the filter for the rows that have the name.
fn having(named: &NamedId, by: &str) -> String {
    format!("where({by} == ({}))", wanted(named))
}

fn wanted(named: &NamedId) -> &str {
    named.wanted.as_deref().unwrap_or("$item")
}

/// Returns the message if nothing has the name: what was looked for, and where.
fn missing(outline: &Outline, named: &NamedId) -> String {
    let NamedId { noun, form, .. } = named;
    let place = place(outline, &named.path);
    let Some(by) = named.by.as_ref() else {
        return format!("there is no {noun} `{{$item}}`{place}: expected its {form}, or its id");
    };
    let same = format!("$found | {} | count", having(named, by));
    let wanted = wanted(named);
    let nearest = format!("$found[].{by} | nearest({wanted}) | join(\", \") | null_if(\"\")");
    format!(
        "{{{same} | case(0, \"there is no\", \"there is more than one\")}} {noun} `{{$item}}`{place}\
         {{$found | count | case({LARGEST_PAGE}, \" among the first {LARGEST_PAGE}\", \"\")}}: \
         expected its {form}, or its id{{{nearest} | prefix(\"; nearest: \") | default(\"\")}}"
    )
}

/// Returns where it is looked for, in words.
fn place(outline: &Outline, path: &str) -> &'static str {
    let has = |blank: &str| path.contains(blank) && outline.call.contains(blank);
    if has("{owner}") {
        " in {owner}/{repo}"
    } else if has("{org}") {
        " in {org}"
    } else if has("{enterprise}") {
        " in {enterprise}"
    } else if has("{username}") {
        " of {username}"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use capstan_core::expr::Scope;
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::outline::compiled;

    fn named(value: &Value) -> NamedId {
        serde_json::from_value(value.clone()).unwrap()
    }

    fn outline() -> Outline {
        let in_path = json!({
            "noun": "project", "form": "title", "path": "/orgs/{org}/projects", "by": "title", "id": "number",
        });
        let in_body = json!({
            "noun": "repository", "form": "owner/name", "pattern": "^[^/]+/[^/]+$", "path": "/repos/{+$item}",
        });
        let of_other = json!({
            "noun": "field", "form": "name", "path": "/orgs/{org}/projects/{project}/fields", "at": "fields",
            "by": "name",
        });
        let input = [
            ("org", json!("string")),
            ("project", json!("integer")),
            ("field?", json!("integer|null")),
            ("repositories?", json!(["integer"])),
        ];
        Outline {
            description: "Do it.".to_owned(),
            call: "POST /orgs/{org}/projects/{project}/do".to_owned(),
            input: input.map(|(name, kind)| (name.to_owned(), kind)).into(),
            answer: Some(crate::outline::AnswerKind::Nothing),
            names: [
                ("project".to_owned(), named(&in_path)),
                ("field".to_owned(), named(&of_other)),
                ("repositories".to_owned(), named(&in_body)),
            ]
            .into(),
            ..Outline::default()
        }
    }

    #[test]
    fn names_become_lookups() {
        let card = compiled("org.do", &outline()).unwrap().compile().unwrap();
        let rest = card.rest.unwrap();
        let names: Vec<_> = rest.resolve.keys().map(String::as_str).collect();
        assert_eq!(names, ["project", "field", "repositories"]);
        let properties = &card.input_schema["properties"];
        assert_eq!(properties["project"]["type"], json!(["integer", "string"]));
        assert_eq!(
            properties["field"]["type"],
            json!(["integer", "string", "null"])
        );
        assert_eq!(
            properties["repositories"]["items"],
            json!({
                "type": ["integer", "string"], "minLength": 1, "pattern": "^[^/]+/[^/]+$", "title": "owner/name",
                "description": "the id, or owner/name",
            })
        );
    }

    #[test]
    fn ids_stay_and_names_are_replaced() {
        let card = compiled("org.do", &outline()).unwrap().compile().unwrap();
        let rest = card.rest.unwrap();
        let input = json!({
            "org": "acme", "project": "Moon", "field": "Phase", "repositories": [7, "acme/rocket", 9],
        });
        let mut variables = Map::new();
        variables.insert("input".to_owned(), input.clone());
        variables.insert("project".to_owned(), json!([{"number": 3, "id": 1}]));
        variables.insert("field".to_owned(), json!([{"id": 5}]));
        variables.insert("repositories".to_owned(), json!([{"id": 8}]));
        let scope = Scope::new(&input, &variables);
        let path = rest.call.path.render(&scope);
        assert_eq!(path.as_deref(), Some("/orgs/acme/projects/3/do"));
        let body = rest.call.body.unwrap().render(&scope).unwrap();
        assert_eq!(body, json!({"field": 5, "repositories": [7, 8, 9]}));
        let fields = &rest.resolve["field"];
        assert_eq!(
            fields.call.path.render(&scope).as_deref(),
            Some("/orgs/acme/projects/3/fields")
        );
    }

    #[test]
    fn what_was_not_given_stays_away() {
        let card = compiled("org.do", &outline()).unwrap().compile().unwrap();
        let rest = card.rest.unwrap();
        let input = json!({"org": "acme", "project": 3, "field": null});
        let mut variables = Map::new();
        variables.insert("input".to_owned(), input.clone());
        let scope = Scope::new(&input, &variables);
        for lookup in rest.resolve.values() {
            let names = lookup.each.as_ref().unwrap().eval(&scope);
            assert_eq!(names.unwrap_or_else(|| json!([])), json!([]));
        }
        for name in rest.resolve.keys() {
            variables.insert(name.clone(), json!([]));
        }
        let scope = Scope::new(&input, &variables);
        let body = rest.call.body.unwrap().render(&scope).unwrap();
        assert_eq!(body, json!({"field": null}));
    }

    #[test]
    fn a_name_of_several_is_no_name() {
        let card = compiled("org.do", &outline()).unwrap().compile().unwrap();
        let project = &card.rest.unwrap().resolve["project"];
        let projects = [
            json!({"title": "Moon", "number": 1}),
            json!({"title": "Mars", "number": 2}),
        ];
        for (rows, number, message) in [
            (projects.to_vec(), Some(1), ""),
            (
                vec![projects[0].clone(), projects[0].clone()],
                None,
                "there is more than one project `Moon` in acme: expected its title, or its id; nearest: Moon",
            ),
            (
                vec![projects[1].clone()],
                None,
                "there is no project `Moon` in acme: expected its title, or its id; nearest: Mars",
            ),
            (
                vec![projects[1].clone(); 100],
                None,
                "there is no project `Moon` in acme among the first 100: expected its title, or its id; nearest: ",
            ),
            (
                Vec::new(),
                None,
                "there is no project `Moon` in acme: expected its title, or its id",
            ),
        ] {
            let found = json!(rows);
            let variables = json!({"input": {"org": "acme"}, "item": "Moon", "found": found});
            let variables = variables.as_object().unwrap();
            let picked = project.pick.as_ref().unwrap();
            let picked = picked.eval(&Scope::new(&found, variables));
            assert_eq!(picked.and_then(|it| it["number"].as_u64()), number);
            if number.is_none() {
                let input = json!({"org": "acme"});
                let said = project.missing.as_ref().unwrap();
                let said = said.render(&Scope::new(&input, variables)).unwrap();
                assert!(said.starts_with(message), "{said}");
            }
        }
    }

    #[test]
    fn only_integers_can_be_names() {
        let mut outline = outline();
        outline.input.insert("project".to_owned(), json!("string"));
        let problem = crate::outline::check("org.do", &outline).unwrap_err();
        assert!(problem.contains("takes no integers"), "{problem}");
        outline.input.shift_remove("project");
        let problem = crate::outline::check("org.do", &outline).unwrap_err();
        assert!(problem.contains("which is no input"), "{problem}");
    }
}
