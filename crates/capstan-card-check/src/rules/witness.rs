//! Fills in a template's blanks with sample values, because a template does not expose the text
//! around them.

use serde_json::{Map, Value};

use capstan_core::expr::{Expr, Filter, Path, Root, Scope, Segment, Template};

/// Renders the template with `x` in every blank; `None` if some blank cannot be filled in.
pub(crate) fn render(template: &Template) -> Option<String> {
    let (this, names) = values(template);
    template.render_with(&Scope::new(&this, &names), |_| "x".to_owned())
}

/// Returns whether the template is a single blank without text, so that the blank's type is kept.
pub(crate) fn is_one_blank(template: &Template) -> bool {
    let expressions: Vec<_> = template.expressions().collect();
    let [expr] = expressions.as_slice() else {
        return false;
    };
    let (this, names) = values(template);
    let scope = Scope::new(&this, &names);
    template.value(&scope) == expr.eval(&scope)
}

/// Returns a current value and named values in which every path of the template exists.
fn values(template: &Template) -> (Value, Map<String, Value>) {
    let mut this = Value::Null;
    let mut names = Map::new();
    for expr in template.expressions() {
        let value = accepted_value(expr);
        for path in expr.paths() {
            let start = match &path.root {
                Root::This => &mut this,
                Root::Variable(name) => names.entry(name.clone()).or_insert(Value::Null),
            };
            put(start, path, value.clone());
        }
    }
    (this, names)
}

/// Returns a value that an expression's filters accept; for a table, its first row.
fn accepted_value(expr: &Expr) -> Value {
    match expr {
        Expr::Filtered(inner, Filter::Case(pairs, _)) => match (inner.as_ref(), pairs.first()) {
            (Expr::Path(_), Some((is, _))) => is.clone(),
            _ => accepted_value(inner),
        },
        Expr::Filtered(inner, _) => accepted_value(inner),
        _ => Value::from(7),
    }
}

fn put(start: &mut Value, path: &Path, value: Value) {
    let mut at = start;
    for segment in &path.segments {
        at = match segment {
            Segment::Key(key) => {
                if !at.is_object() {
                    *at = Value::Object(Map::new());
                }
                match at.as_object_mut() {
                    Some(object) => object.entry(key.clone()).or_insert(Value::Null),
                    None => return,
                }
            }
            Segment::Each | Segment::Index(_) => {
                if !at.is_array() {
                    *at = Value::Array(vec![Value::Null]);
                }
                match at.as_array_mut().and_then(|items| items.first_mut()) {
                    Some(item) => item,
                    None => return,
                }
            }
        };
    }
    *at = value;
}
