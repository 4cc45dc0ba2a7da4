//! Renders expressions as text.

use capstan_core::expr::{Comparison, Expr, Filter};
use serde_json::Value;

/// Renders an expression as text. Parsing the text returns the same expression.
pub fn expression(expr: &Expr) -> String {
    let mut text = String::new();
    write(expr, OR, &mut text);
    text
}

/// Precedences. An expression with a lower precedence than its place requires is put in parentheses.
const OR: u8 = 0;
const AND: u8 = 1;
const NOT: u8 = 2;
const COMPARISON: u8 = 3;
const FILTERED: u8 = 4;
const PRIMARY: u8 = 5;

fn write(expr: &Expr, place: u8, text: &mut String) {
    let own = match expr {
        Expr::Or(..) => OR,
        Expr::And(..) => AND,
        Expr::Not(_) => NOT,
        Expr::Compare(..) => COMPARISON,
        Expr::Filtered(..) => FILTERED,
        Expr::Literal(_) | Expr::Path(_) => PRIMARY,
    };
    let is_loose = own < place;
    if is_loose {
        text.push('(');
    }
    match expr {
        Expr::Or(left, right) => pair(left, " or ", right, (OR, AND), text),
        Expr::And(left, right) => pair(left, " and ", right, (AND, NOT), text),
        Expr::Not(inner) => {
            text.push_str("not ");
            // The parser removes pairs of `not`, so a nested `not` needs parentheses.
            write(inner, COMPARISON, text);
        }
        Expr::Compare(comparison, left, right) => {
            let sign = format!(" {} ", sign(*comparison));
            pair(left, &sign, right, (FILTERED, FILTERED), text);
        }
        Expr::Filtered(inner, filter) => {
            write(inner, FILTERED, text);
            text.push_str(" | ");
            write_filter(filter, text);
        }
        Expr::Literal(value) => text.push_str(&literal(value)),
        Expr::Path(path) => text.push_str(&path.to_string()),
    }
    if is_loose {
        text.push(')');
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        value => value.to_string(),
    }
}

fn pair(left: &Expr, between: &str, right: &Expr, places: (u8, u8), text: &mut String) {
    write(left, places.0, text);
    text.push_str(between);
    write(right, places.1, text);
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::In => "in",
        Comparison::SubsetOf => "subset_of",
    }
}

fn write_filter(filter: &Filter, text: &mut String) {
    let quoted = |it: &String| Value::from(it.as_str()).to_string();
    let (name, arguments) = match filter {
        Filter::Lower => ("lower", Vec::new()),
        Filter::Upper => ("upper", Vec::new()),
        Filter::Trim => ("trim", Vec::new()),
        Filter::Count => ("count", Vec::new()),
        Filter::First => ("first", Vec::new()),
        Filter::Last => ("last", Vec::new()),
        Filter::Only => ("only", Vec::new()),
        Filter::Quote => ("quote", Vec::new()),
        Filter::List => ("list", Vec::new()),
        Filter::Integer => ("integer", Vec::new()),
        Filter::Number => ("number", Vec::new()),
        Filter::Text => ("text", Vec::new()),
        Filter::Words => ("words", Vec::new()),
        Filter::LastOf(count) => ("last", vec![count.to_string()]),
        Filter::Join(it) => ("join", vec![quoted(it)]),
        Filter::Prefix(it) => ("prefix", vec![quoted(it)]),
        Filter::Suffix(it) => ("suffix", vec![quoted(it)]),
        Filter::StripPrefix(it) => ("strip_prefix", vec![quoted(it)]),
        Filter::StripSuffix(it) => ("strip_suffix", vec![quoted(it)]),
        Filter::Contains(it) => ("contains", vec![quoted(it)]),
        Filter::BeforeLast(it) => ("before_last", vec![quoted(it)]),
        Filter::AfterLast(it) => ("after_last", vec![quoted(it)]),
        Filter::Nearest(it) => ("nearest", vec![expression(it)]),
        Filter::ReplaceTexts(it) => ("replace_texts", vec![expression(it)]),
        Filter::NullIf(value) => ("null_if", vec![value.to_string()]),
        Filter::Default(it) => ("default", vec![expression(it)]),
        Filter::Where(it) => ("where", vec![expression(it)]),
        Filter::Concat(it) => ("concat", vec![expression(it)]),
        Filter::Add(it) => ("add", vec![expression(it)]),
        Filter::SecondsSince(it) => ("seconds_since", vec![expression(it)]),
        Filter::Map(it) => ("map", vec![expression(it)]),
        Filter::Sum(it) => ("sum", vec![expression(it)]),
        Filter::Sort(keys) => ("sort", keys.iter().map(expression).collect()),
        Filter::Case(pairs, otherwise) => {
            let pairs = pairs.iter().flat_map(|(is, becomes)| [is, becomes]);
            let values = pairs.chain(otherwise).map(Value::to_string);
            ("case", values.collect())
        }
    };
    text.push_str(name);
    if !arguments.is_empty() {
        text.push('(');
        text.push_str(&arguments.join(", "));
        text.push(')');
    }
}
