//! Generates whole documents: an operation, its fragments, and sometimes other operations.

use serde_json::{Map, Value, json};

use super::selections::Generator;

/// A document with its variables.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) document: String,
    pub(crate) operation_name: Option<String>,
    pub(crate) variables: Map<String, Value>,
    /// Whether every connection in it has a page size.
    pub(crate) is_sized: bool,
}

/// Generates a query. With `count` it also requests, as `counted`, the nodes that the server
/// counts.
pub(crate) fn query(bytes: &[u8], count: bool) -> Operation {
    let mut generator = Generator::new(bytes);
    let mut selections = generator.root("Query", 5);
    if count {
        selections.push_str(" counted: rateLimit { nodeCount }");
    }
    finish(generator, "query", &selections)
}

pub(crate) fn mutation(bytes: &[u8]) -> Operation {
    let mut generator = Generator::new(bytes);
    let selections = generator.root("Mutation", 4);
    finish(generator, "mutation", &selections)
}

/// Other operations that may be in the document.
const OTHERS: [&str; 4] = [
    "",
    " query Other { viewer { login } } ",
    " query Other($n: Int!) { viewer { ...OnlyOther } } fragment OnlyOther on User { followers(first: $n) { totalCount } } ",
    " mutation Other { closeIssue(input: {issueId: \"}{\"}) { clientMutationId } } ",
];

fn finish(mut generator: Generator<'_>, keyword: &str, selections: &str) -> Operation {
    let choices = &mut generator.choices;
    let other = if choices.percent(15) {
        *choices.pick(&OTHERS)
    } else {
        ""
    };
    let name = *choices.pick(&["", "Q", "Chain", "query"]);
    let name = if other.is_empty() { name } else { "Meant" };
    let (other_first, named, stray) = (
        choices.percent(50),
        choices.percent(50) || !other.is_empty(),
        choices.percent(10),
    );
    let definitions = generator.variables.definitions();
    let mut document = match (keyword, name, definitions.as_str()) {
        ("query", "", "") => format!("{{ {selections} }}"),
        _ => format!("{keyword} {name}{definitions} {{ {selections} }}"),
    };
    document += &generator.fragments();
    let mut variables = generator.variables.values();
    if stray {
        variables.insert("stray".to_owned(), json!({ "of": ["nothing"] }));
    }
    Operation {
        document: if other_first {
            format!("{other}{document}")
        } else {
            format!("{document}{other}")
        },
        operation_name: (named && !name.is_empty()).then(|| name.to_owned()),
        variables,
        is_sized: generator.is_sized,
    }
}
