//! Collects the variables and fragments that an operation uses, directly or in fragments.

use apollo_compiler::Name;
use apollo_compiler::ast::{Definition, DirectiveList, Document, Selection, Value};
use apollo_compiler::parser::SourceSpan;
use indexmap::IndexMap;

/// The variables and fragments that an operation uses.
#[derive(Default)]
pub(super) struct Usage {
    /// Each variable with the position of its first use.
    pub(super) variables: IndexMap<String, Option<SourceSpan>>,
    pub(super) fragments: Vec<String>,
}

pub(super) fn usage(document: &Document, selections: &[Selection]) -> Usage {
    let mut usage = Usage::default();
    usage.collect_selections(document, selections);
    usage
}

impl Usage {
    fn collect_selections(&mut self, document: &Document, selections: &[Selection]) {
        for selection in selections {
            match selection {
                Selection::Field(field) => {
                    for argument in &field.arguments {
                        self.collect_value(&argument.value, argument.value.location());
                    }
                    self.collect_directives(&field.directives);
                    self.collect_selections(document, &field.selection_set);
                }
                Selection::InlineFragment(inline) => {
                    self.collect_directives(&inline.directives);
                    self.collect_selections(document, &inline.selection_set);
                }
                Selection::FragmentSpread(spread) => {
                    self.collect_directives(&spread.directives);
                    self.collect_spread(document, &spread.fragment_name);
                }
            }
        }
    }

    fn collect_spread(&mut self, document: &Document, name: &Name) {
        if self.fragments.iter().any(|known| name == known.as_str()) {
            return;
        }
        self.fragments.push(name.to_string());
        for definition in &document.definitions {
            if let Definition::FragmentDefinition(fragment) = definition
                && fragment.name == *name
            {
                self.collect_selections(document, &fragment.selection_set);
            }
        }
    }

    fn collect_directives(&mut self, directives: &DirectiveList) {
        for argument in directives.iter().flat_map(|directive| &directive.arguments) {
            self.collect_value(&argument.value, argument.value.location());
        }
    }

    fn collect_value(&mut self, value: &Value, span: Option<SourceSpan>) {
        match value {
            Value::Variable(name) => {
                self.variables.entry(name.to_string()).or_insert(span);
            }
            Value::List(items) => {
                for item in items {
                    self.collect_value(item, item.location());
                }
            }
            Value::Object(fields) => {
                for (_, item) in fields {
                    self.collect_value(item, item.location());
                }
            }
            _ => {}
        }
    }
}
