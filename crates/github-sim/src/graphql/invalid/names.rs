//! Which variables and fragments an operation uses, also through fragments.

use apollo_compiler::Name;
use apollo_compiler::ast::{Definition, DirectiveList, Document, Selection, Value};
use apollo_compiler::parser::SourceSpan;
use indexmap::IndexMap;

#[derive(Default)]
pub(super) struct Usage {
    /// Each with the place of its first use.
    pub(super) variables: IndexMap<String, Option<SourceSpan>>,
    pub(super) fragments: Vec<String>,
}

pub(super) fn usage(document: &Document, selections: &[Selection]) -> Usage {
    let mut usage = Usage::default();
    usage.selections(document, selections);
    usage
}

impl Usage {
    fn selections(&mut self, document: &Document, selections: &[Selection]) {
        for selection in selections {
            match selection {
                Selection::Field(field) => {
                    for argument in &field.arguments {
                        self.value(&argument.value, argument.value.location());
                    }
                    self.directives(&field.directives);
                    self.selections(document, &field.selection_set);
                }
                Selection::InlineFragment(inline) => {
                    self.directives(&inline.directives);
                    self.selections(document, &inline.selection_set);
                }
                Selection::FragmentSpread(spread) => {
                    self.directives(&spread.directives);
                    self.spread(document, &spread.fragment_name);
                }
            }
        }
    }

    fn spread(&mut self, document: &Document, name: &Name) {
        if self.fragments.iter().any(|known| name == known.as_str()) {
            return;
        }
        self.fragments.push(name.to_string());
        for definition in &document.definitions {
            if let Definition::FragmentDefinition(fragment) = definition
                && fragment.name == *name
            {
                self.selections(document, &fragment.selection_set);
            }
        }
    }

    fn directives(&mut self, directives: &DirectiveList) {
        for argument in directives.iter().flat_map(|directive| &directive.arguments) {
            self.value(&argument.value, argument.value.location());
        }
    }

    fn value(&mut self, value: &Value, span: Option<SourceSpan>) {
        match value {
            Value::Variable(name) => {
                self.variables.entry(name.to_string()).or_insert(span);
            }
            Value::List(items) => {
                for item in items {
                    self.value(item, item.location());
                }
            }
            Value::Object(fields) => {
                for (_, item) in fields {
                    self.value(item, item.location());
                }
            }
            _ => {}
        }
    }
}
