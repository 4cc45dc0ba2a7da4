//! Follows a path through a type.

use capstan_core::expr::{Path, Root, Segment};

use super::{Checker, ExprLocation, TypeScope};
use crate::finding::{Finding, INPUT};
use crate::ty::{Absent, Fields, Kind, ObjectSource, Ty};

impl Checker {
    /// Returns the type at the end of a path, and marks it as read.
    pub(crate) fn path(&mut self, path: &Path, scope: &TypeScope, at: ExprLocation<'_>) -> Ty {
        let start = match &path.root {
            Root::This => &scope.this,
            Root::Variable(name) => match scope.names.get(name) {
                Some(ty) => ty,
                None => {
                    let known: Vec<_> = scope.names.keys().map(|name| format!("${name}")).collect();
                    let finding =
                        Finding::new(at.code, at.pointer, format!("there is no `${name}` here"))
                            .with_help(format!("available: {}", known.join(", ")));
                    self.report(finding);
                    return Ty::any();
                }
            },
        };
        self.walk(start, path, 0, at)
    }

    fn walk(&mut self, ty: &Ty, path: &Path, done: usize, at: ExprLocation<'_>) -> Ty {
        let Some(segment) = path.segments.get(done) else {
            self.places.mark_read(ty);
            return ty.clone();
        };
        // Nothing can be read from null, so everything below a null is absent.
        let missing = if ty.null {
            Absent::Maybe
        } else {
            ty.absent.clone()
        };
        let below = |mut ty: Ty| {
            ty.absent = ty.absent.below(&missing);
            ty
        };
        match (segment, &ty.kind) {
            (Segment::Key(_), Kind::OneOf(all)) if all.iter().all(is_object) => {
                let types: Vec<_> = all
                    .iter()
                    .map(|kind| self.walk(&Ty::from_kind(kind.clone()), path, done, at))
                    .collect();
                types.into_iter().reduce(Ty::or).map_or_else(Ty::any, below)
            }
            (_, Kind::Any | Kind::OneOf(_)) => {
                self.places.mark_read(ty);
                Ty::any()
            }
            (Segment::Key(key), Kind::Object(object)) => match object.fields.get(key) {
                Some(field) => {
                    let field = below(field.clone());
                    self.walk(&field, path, done + 1, at)
                }
                None => {
                    self.report(no_such_field(object, key, path, done, at));
                    Ty::any()
                }
            },
            (Segment::Each, Kind::List(element)) => {
                let mut element = element.as_ref().clone();
                if done + 1 < path.segments.len() {
                    element = element.present();
                }
                let mut element = self.walk(&element, path, done + 1, at);
                // Elements without the rest of the path are left out of the list.
                element.absent = Absent::Never;
                below(Ty::list(element))
            }
            (Segment::Index(_), Kind::List(element)) => {
                let element = element.as_ref().clone().maybe_absent();
                self.walk(&element, path, done + 1, at)
            }
            (Segment::Key(key), Kind::List(_)) => {
                let before = shown(path, done);
                let message = format!("`{before}` is a list and has no `{key}`");
                let help = format!("write `{before}[].{key}` for every element");
                self.report(Finding::new(at.code, at.pointer, message).with_help(help));
                Ty::any()
            }
            (_, kind) => {
                let (before, whole) = (shown(path, done), shown(path, done + 1));
                let message = format!("`{whole}` reads into `{before}`, which is {}", kind.name());
                self.report(Finding::new(at.code, at.pointer, message));
                Ty::any()
            }
        }
    }
}

fn is_object(kind: &Kind) -> bool {
    matches!(kind, Kind::Object(_))
}

fn no_such_field(
    object: &Fields,
    key: &str,
    path: &Path,
    done: usize,
    at: ExprLocation<'_>,
) -> Finding {
    let known: Vec<_> = object.fields.keys().map(String::as_str).collect();
    let there = format!("available: {}", known.join(", "));
    let whole = shown(path, done + 1);
    let (code, message) = match object.holder {
        ObjectSource::Input => (INPUT, format!("the input has no `{whole}`")),
        ObjectSource::Selection => (at.code, format!("the document does not select `{whole}`")),
        ObjectSource::JsonFields => (at.code, format!("`json_fields` does not ask for `{key}`")),
        ObjectSource::Data => (at.code, format!("`output_schema` has no `{whole}`")),
        ObjectSource::Engine => (at.code, format!("there is no `{whole}`")),
        ObjectSource::Nothing => {
            let message = format!("`{whole}` reads data, and a failure has none");
            return Finding::new(at.code, at.pointer, message).with_help("use `$input`");
        }
    };
    Finding::new(code, at.pointer, message).with_help(there)
}

/// Returns the start of a path as text, up to a number of segments.
fn shown(path: &Path, segments: usize) -> String {
    Path {
        root: path.root.clone(),
        segments: path.segments.iter().take(segments).cloned().collect(),
    }
    .to_string()
}
