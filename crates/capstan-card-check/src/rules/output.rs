//! Checks how an answer becomes the output: every path exists, every value fits `output_schema`,
//! and the fields have its order, so that all routes give the same bytes.

use indexmap::IndexMap;
use serde_json::Value;

use capstan_core::Severity;
use capstan_core::card::{Card, FieldMapping, Output, resolve_reference};
use capstan_core::expr::{Expr, Path, Root};

use crate::finding::{Finding, KEYS, PATH, TYPE};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::json_schema::{allows_null, fits, is_required};
use crate::rules::request::{element, untracked};
use crate::ty::{Absent, Kind, ObjectSource, Ty};

/// The values from which an output is read.
pub(crate) struct Answer<'a> {
    /// The type of the whole answer, or of the lookup that replaces it.
    pub ty: Ty,
    /// The card's input and the results of the lookups.
    pub names: &'a TypeScope,
}

pub(crate) fn check(
    checker: &mut Checker,
    card: &Card,
    output: &Output,
    answer: &Answer<'_>,
    pointer: &str,
) {
    let root = match &output.root {
        Some(path) => {
            let pointer = format!("{pointer}/root");
            path_type(checker, path, &answer.ty, answer.names, &pointer)
        }
        None => answer.ty.clone(),
    };
    fields(checker, card, output, root, answer.names, pointer);
}

/// Checks the output's fields, which are read from its root.
pub(crate) fn fields(
    checker: &mut Checker,
    card: &Card,
    output: &Output,
    root: Ty,
    names: &TypeScope,
    pointer: &str,
) {
    // Nothing at the root means that the object does not exist, and then nothing is read.
    let scope = names.with_this(root.present());
    let scope = scope.with("changed", Ty::from_kind(Kind::Boolean));
    let scope = scope.with("overridden", Ty::list(Ty::text()));
    if let Some(require) = &output.require {
        let pointer = format!("{pointer}/require");
        checker.infer(
            require,
            &scope,
            ExprLocation {
                pointer: &pointer,
                code: PATH,
            },
        );
    }
    for (index, warning) in output.warn.iter().enumerate() {
        let when = format!("{pointer}/warn/{index}/when");
        let message = format!("{pointer}/warn/{index}/message");
        let at = |pointer| ExprLocation {
            pointer,
            code: PATH,
        };
        checker.infer(&warning.when, &scope, at(&when));
        let blanks = checker.blanks(&warning.message, &scope, at(&message));
        if blanks.iter().any(Ty::may_be_missing) {
            let problem = "a blank in this message may have no value";
            checker.report(Finding::new(TYPE, &message, problem));
        }
    }
    let mut mapper = Mapper {
        checker,
        whole: &card.output_schema,
    };
    mapper.object(
        &output.fields,
        &card.output_schema,
        &scope,
        &format!("{pointer}/fields"),
        NullHandling::Drop,
    );
}

/// Returns the type of a path from the top of an answer.
pub(crate) fn path_type(
    checker: &mut Checker,
    path: &Path,
    answer: &Ty,
    names: &TypeScope,
    pointer: &str,
) -> Ty {
    let at = ExprLocation {
        pointer,
        code: PATH,
    };
    checker.path(path, &names.with_this(answer.clone()), at)
}

struct Mapper<'a> {
    checker: &'a mut Checker,
    whole: &'a Value,
}

/// How a field without a value is handled.
#[derive(Clone, Copy, PartialEq)]
enum NullHandling {
    Drop,
    /// All rows of a list have the same columns.
    Keep,
    /// A null stays null, and an absent value stays absent.
    AsTheyAre,
}

impl Mapper<'_> {
    fn object(
        &mut self,
        mappings: &IndexMap<String, FieldMapping>,
        schema: &Value,
        scope: &TypeScope,
        pointer: &str,
        nulls: NullHandling,
    ) {
        let schema = resolve_reference(schema, self.whole);
        self.keys(mappings, schema, pointer);
        for (name, mapping) in mappings {
            let property = schema.get("properties").and_then(|all| all.get(name));
            let pointer = format!("{pointer}/{name}");
            let Some(ty) = self.field(mapping, property, scope, &pointer) else {
                continue;
            };
            let Some(property) = property else {
                continue;
            };
            let mut there = ty.clone();
            match nulls {
                NullHandling::Drop => there.null = false,
                NullHandling::Keep => there.null = ty.may_be_missing(),
                NullHandling::AsTheyAre => {}
            }
            let may_be_left_out = match nulls {
                NullHandling::Drop => ty.may_be_missing(),
                NullHandling::Keep => false,
                NullHandling::AsTheyAre => ty.absent != Absent::Never,
            };
            if let Err(why) = fits(&there, property, self.whole) {
                let mut finding = Finding::new(
                    TYPE,
                    &pointer,
                    format!("`{name}` does not fit `output_schema`: {why}"),
                );
                if there.null && !allows_null(property, self.whole) {
                    finding = finding
                        .with_help("add `| default(…)`, or let the schema's type be null too");
                }
                self.checker.report(finding);
            }
            if may_be_left_out && is_required(schema, name) {
                let message =
                    format!("`{name}` may have no value, and `output_schema` requires it");
                self.checker.report(
                    Finding::new(TYPE, &pointer, message)
                        .with_help("add `| default(…)`, or remove it from `required`"),
                );
            }
        }
    }

    /// Returns the type of a value, and checks the contents of objects and lists of objects.
    fn field(
        &mut self,
        mapping: &FieldMapping,
        property: Option<&Value>,
        scope: &TypeScope,
        pointer: &str,
    ) -> Option<Ty> {
        let unknown = Value::Bool(true);
        let property = resolve_reference(property.unwrap_or(&unknown), self.whole);
        match mapping {
            FieldMapping::Value(expr) => {
                let at = ExprLocation {
                    pointer,
                    code: PATH,
                };
                let ty = if repeats_input(expr) {
                    self.checker.infer(expr, &without_tracking(scope), at)
                } else {
                    self.checker.infer(expr, scope, at)
                };
                self.checker.places.mark_all_read(&ty);
                Some(ty)
            }
            FieldMapping::Object(fields) => {
                self.object(
                    fields,
                    property,
                    scope,
                    &format!("{pointer}/fields"),
                    NullHandling::Drop,
                );
                // Its fields are checked one by one. What remains is whether an object is allowed
                // here.
                self.check_allowed_type(property, "object", pointer);
                None
            }
            FieldMapping::ObjectFrom { from, fields } => {
                let at = format!("{pointer}/from");
                let whole = self.checker.infer(
                    from,
                    scope,
                    ExprLocation {
                        pointer: &at,
                        code: PATH,
                    },
                );
                let scope = scope.with_this(whole.clone().present());
                self.object(
                    fields,
                    property,
                    &scope,
                    &format!("{pointer}/fields"),
                    NullHandling::AsTheyAre,
                );
                self.check_allowed_type(property, "object", pointer);
                // Its fields are checked. What remains is whether there is an object.
                Some(whole.with_kind(Kind::Any))
            }
            FieldMapping::Each { each, fields } => {
                let at = format!("{pointer}/each");
                let list = self.checker.infer(
                    each,
                    scope,
                    ExprLocation {
                        pointer: &at,
                        code: PATH,
                    },
                );
                let element = element(self.checker, &list, &at).present();
                let items = property.get("items").unwrap_or(&unknown);
                let scope = scope.with_this(element);
                self.object(
                    fields,
                    items,
                    &scope,
                    &format!("{pointer}/fields"),
                    NullHandling::Keep,
                );
                self.check_allowed_type(property, "array", pointer);
                // The rows are checked. What remains is whether there is a list.
                Some(list.with_kind(Kind::Any))
            }
        }
    }

    fn check_allowed_type(&mut self, property: &Value, expected: &str, pointer: &str) {
        let types = match property.get("type") {
            Some(Value::String(name)) => vec![name.as_str()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => return,
        };
        if !types.contains(&expected) {
            let message = format!(
                "this makes an {expected}, but `output_schema` says {}",
                types.join(" or ")
            );
            self.checker.report(Finding::new(TYPE, pointer, message));
        }
    }

    fn keys(&mut self, mappings: &IndexMap<String, FieldMapping>, schema: &Value, pointer: &str) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return;
        };
        let given: Vec<_> = mappings.keys().map(String::as_str).collect();
        let wanted: Vec<_> = properties.keys().map(String::as_str).collect();
        if given == wanted {
            return;
        }
        let lacking: Vec<_> = wanted
            .iter()
            .filter(|key| !given.contains(key))
            .copied()
            .collect();
        let unknown: Vec<_> = given
            .iter()
            .filter(|key| !wanted.contains(key))
            .copied()
            .collect();
        // Fields that are not required may be missing, and any order is fine for a single route.
        let breaks = !unknown.is_empty() || lacking.iter().any(|key| is_required(schema, key));
        let severity = if breaks {
            Severity::Error
        } else {
            Severity::Warning
        };
        let mut parts = Vec::new();
        if !lacking.is_empty() {
            parts.push(format!("lacks {}", lacking.join(", ")));
        }
        if !unknown.is_empty() {
            parts.push(format!("has {} in addition", unknown.join(", ")));
        }
        if parts.is_empty() {
            parts.push("has another order".to_owned());
        }
        let message = format!(
            "the fields differ from `output_schema`: the output {}",
            parts.join(" and ")
        );
        self.checker.report(
            Finding::new(KEYS, pointer, message)
                .with_help(format!("write: {}", wanted.join(", ")))
                .with_severity(severity),
        );
    }
}

/// Returns whether a field only repeats the caller's input.
fn repeats_input(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.root == Root::Variable("input".to_owned()),
        Expr::Filtered(inner, _) => repeats_input(inner),
        _ => false,
    }
}

fn without_tracking(scope: &TypeScope) -> TypeScope {
    let mut scope = scope.clone();
    if let Some(input) = scope.names.get("input").map(untracked) {
        scope.names.insert("input".to_owned(), input);
    }
    scope
}

/// Returns the type of what `gh --json` prints: the requested fields, of unknown types.
pub(crate) fn json_fields(checker: &mut Checker, names: &[String]) -> Ty {
    let fields = names.iter().map(|name| {
        let ty = Ty {
            place: Some(checker.places.add(name.clone(), true)),
            ..Ty::any()
        };
        (name.clone(), ty)
    });
    let fields = fields.collect();
    Ty::object(ObjectSource::JsonFields, fields)
}
