//! Infers the type that each filter produces.

use std::collections::BTreeSet;

use serde_json::Value;

use capstan_core::expr::{Expr, Filter};

use super::{Checker, ExprLocation, TypeScope, narrowed};
use crate::finding::{Finding, TYPE};
use crate::ty::{Absent, Kind, Texts, Ty};

impl Checker {
    pub(super) fn filter(
        &mut self,
        ty: &Ty,
        filter: &Filter,
        scope: &TypeScope,
        at: ExprLocation<'_>,
    ) -> Ty {
        match filter {
            Filter::Lower => self.texts(ty, "lower", at, &str::to_lowercase),
            Filter::Upper => self.texts(ty, "upper", at, &str::to_uppercase),
            Filter::Trim => self.texts(ty, "trim", at, &|text| text.trim().to_owned()),
            Filter::Quote => self.texts(ty, "quote", at, &|text| {
                format!("\"{}\"", text.replace(['"', '\\'], " "))
            }),
            Filter::Prefix(prefix) => {
                self.shown(ty, "prefix", at, |text| format!("{prefix}{text}"))
            }
            Filter::Suffix(suffix) => {
                self.shown(ty, "suffix", at, |text| format!("{text}{suffix}"))
            }
            Filter::StripPrefix(prefix) => self.texts(ty, "strip_prefix", at, &|text| {
                text.strip_prefix(prefix.as_str())
                    .unwrap_or(text)
                    .to_owned()
            }),
            Filter::StripSuffix(suffix) => self.texts(ty, "strip_suffix", at, &|text| {
                text.strip_suffix(suffix.as_str())
                    .unwrap_or(text)
                    .to_owned()
            }),
            Filter::Count => {
                if !matches!(
                    ty.kind,
                    Kind::List(_) | Kind::Text(_) | Kind::Any | Kind::OneOf(_)
                ) {
                    self.report_misuse("count", "a list or a text", ty, at);
                }
                null_is_absent(ty.with_kind(Kind::Integer))
            }
            Filter::BeforeLast(part) => self.texts(ty, "before_last", at, &|text| {
                let parts = text.rsplit_once(part.as_str());
                parts.map_or("", |(before, _)| before).to_owned()
            }),
            Filter::AfterLast(part) => self.texts(ty, "after_last", at, &|text| {
                let parts = text.rsplit_once(part.as_str());
                parts.map_or(text, |(_, after)| after).to_owned()
            }),
            Filter::Only => self.element(ty, "only", at),
            Filter::First => self.element(ty, "first", at),
            Filter::Last => self.element(ty, "last", at),
            Filter::LastOf(_) => {
                let element = self.list_of(ty, "last", at);
                null_is_absent(ty.with_kind(Kind::List(Box::new(element))))
            }
            Filter::Join(_) => {
                if let Kind::List(element) = &ty.kind
                    && matches!(element.kind, Kind::List(_) | Kind::Object(_))
                {
                    self.report_misuse("join", "a list of texts or numbers", ty, at);
                }
                self.list_of(ty, "join", at);
                null_is_absent(ty.with_kind(Kind::Text(Texts::All)))
            }
            Filter::Nearest(wanted) => {
                self.list_of(ty, "nearest", at);
                self.infer(wanted, scope, at);
                null_is_absent(
                    ty.with_kind(Kind::List(Box::new(Ty::from_kind(Kind::Text(Texts::All))))),
                )
            }
            Filter::ReplaceTexts(others) => {
                let others = self.infer(others, scope, at);
                let other = self.list_of(&others, "replace_texts", at);
                replaced_texts(ty, &other)
            }
            Filter::Default(other) => {
                let other = self.infer(other, scope, at);
                default(ty, other)
            }
            Filter::NullIf(nothing) => null_if(ty, nothing),
            Filter::Where(predicate) => {
                let element = match predicate.as_ref() {
                    // Cards write an empty list this way.
                    Expr::Literal(Value::Bool(false)) => Ty::from_kind(Kind::Nothing),
                    _ => self.list_of(ty, "where", at),
                };
                let facts = self.facts(predicate, &scope.with_this(element.clone()), at);
                let element = narrowed(&element, &facts);
                null_is_absent(ty.with_kind(Kind::List(Box::new(element))))
            }
            Filter::Contains(_) => {
                if !matches!(ty.kind, Kind::Text(_) | Kind::Any | Kind::OneOf(_)) {
                    self.report_misuse("contains", "a text", ty, at);
                }
                null_is_absent(ty.with_kind(Kind::Boolean))
            }
            Filter::Words => {
                if !matches!(ty.kind, Kind::Text(_) | Kind::Any | Kind::OneOf(_)) {
                    self.report_misuse("words", "a text", ty, at);
                }
                null_is_absent(ty.with_kind(Kind::List(Box::new(Ty::text()))))
            }
            Filter::Concat(other) => {
                let element = self.list_of(ty, "concat", at);
                let other = self.infer(other, scope, at);
                let element = element.or(self.list_of(&other, "concat", at));
                let mut list = Ty::list(element);
                list.absent = null_is_absent(ty.clone())
                    .absent
                    .both(&null_is_absent(other).absent);
                list
            }
            Filter::Sort(keys) => {
                let element = self.list_of(ty, "sort", at);
                let inside = scope.with_this(element.clone());
                for key in keys {
                    self.infer(key, &inside, at);
                }
                null_is_absent(ty.with_kind(Kind::List(Box::new(element))))
            }
            Filter::Add(other) => {
                let other = self.infer(other, scope, at);
                for side in [ty, &other] {
                    if !matches!(
                        side.kind,
                        Kind::Integer | Kind::Number | Kind::Any | Kind::OneOf(_)
                    ) {
                        self.report_misuse("add", "numbers", side, at);
                    }
                }
                let absent = null_is_absent(ty.clone())
                    .absent
                    .both(&null_is_absent(other.clone()).absent);
                Ty {
                    absent,
                    null: false,
                    ..ty.clone().or(other)
                }
            }
            Filter::SecondsSince(other) => {
                let other = self.infer(other, scope, at);
                for side in [ty, &other] {
                    if !matches!(side.kind, Kind::Text(_) | Kind::Any | Kind::OneOf(_)) {
                        self.report_misuse("seconds_since", "timestamps", side, at);
                    }
                }
                // We cannot know which texts are timestamps, and assume that a time from GitHub is
                // present.
                let either = ty.clone().or(other);
                null_is_absent(either.with_kind(Kind::Integer))
            }
            Filter::Case(pairs, otherwise) => self.case(ty, pairs, otherwise.as_ref(), at),
            Filter::List => {
                let mut element = ty.clone();
                element.absent = Absent::Never;
                let mut list = Ty::list(element);
                list.absent = ty.absent.clone();
                list
            }
            Filter::Number => narrowed_to(ty, &|kind| matches!(kind, Kind::Integer | Kind::Number)),
            Filter::Text => narrowed_to(ty, &|kind| matches!(kind, Kind::Text(_))),
            Filter::Map(expr) => {
                let element = self.list_of(ty, "map", at);
                let mut value = self.infer(expr, &scope.with_this(element), at);
                // Elements without a value are left out of the list.
                value.absent = Absent::Never;
                null_is_absent(ty.with_kind(Kind::List(Box::new(value))))
            }
            Filter::Sum(summand) => {
                let element = self.list_of(ty, "sum", at);
                let summand = self.infer(summand, &scope.with_this(element), at);
                if !matches!(
                    summand.kind,
                    Kind::Integer | Kind::Number | Kind::Any | Kind::OneOf(_)
                ) {
                    self.report_misuse("sum", "numbers", &summand, at);
                }
                let kind = match summand.kind {
                    Kind::Number => Kind::Number,
                    _ => Kind::Integer,
                };
                null_is_absent(ty.with_kind(kind))
            }
            Filter::Integer => match &ty.kind {
                Kind::Integer => ty.clone(),
                Kind::Any => Ty::from_kind(Kind::Integer),
                Kind::Text(_) => Ty::from_kind(Kind::Integer).maybe_absent(),
                _ => {
                    self.report_misuse("integer", "a text", ty, at);
                    Ty::from_kind(Kind::Integer).maybe_absent()
                }
            },
        }
    }

    /// Infers the type of a filter that changes texts, alone or in a list.
    fn texts(
        &mut self,
        ty: &Ty,
        name: &str,
        at: ExprLocation<'_>,
        change: &dyn Fn(&str) -> String,
    ) -> Ty {
        match &ty.kind {
            Kind::Text(texts) => ty.with_kind(Kind::Text(texts.map(change))),
            Kind::List(element) => {
                let element = self.texts(element, name, at, change);
                ty.with_kind(Kind::List(Box::new(element)))
            }
            Kind::Any | Kind::OneOf(_) | Kind::Nothing => Ty::any(),
            _ => {
                self.report_misuse(name, "texts", ty, at);
                ty.clone()
            }
        }
    }

    /// Infers the type of a filter that adds to the text of any scalar.
    fn shown(
        &mut self,
        ty: &Ty,
        name: &str,
        at: ExprLocation<'_>,
        change: impl Fn(&str) -> String,
    ) -> Ty {
        let text = |kind: &Kind| match kind {
            Kind::Text(texts) => Some(Kind::Text(texts.map(&change))),
            Kind::List(_) | Kind::Object(_) => None,
            _ => Some(Kind::Text(Texts::All)),
        };
        let kind = match &ty.kind {
            Kind::List(element) => {
                text(&element.kind).map(|kind| Kind::List(Box::new(Ty::from_kind(kind))))
            }
            kind => text(kind),
        };
        match kind {
            Some(kind) => null_is_absent(ty.with_kind(kind)),
            None => {
                self.report_misuse(name, "texts, numbers or booleans", ty, at);
                Ty::text().maybe_absent()
            }
        }
    }

    fn element(&mut self, ty: &Ty, name: &str, at: ExprLocation<'_>) -> Ty {
        self.list_of(ty, name, at).maybe_absent()
    }

    /// Returns the type of the elements, and reports a finding if it is not a list.
    fn list_of(&mut self, ty: &Ty, name: &str, at: ExprLocation<'_>) -> Ty {
        match &ty.kind {
            Kind::List(element) => element.as_ref().clone(),
            Kind::Any | Kind::OneOf(_) => Ty::any(),
            _ => {
                self.report_misuse(name, "a list", ty, at);
                Ty::any()
            }
        }
    }

    fn case(
        &mut self,
        ty: &Ty,
        pairs: &[(Value, Value)],
        otherwise: Option<&Value>,
        at: ExprLocation<'_>,
    ) -> Ty {
        let fallback = || match otherwise {
            Some(value) => Ty::from_value(value),
            None => Ty::from_kind(Kind::Nothing).maybe_absent(),
        };
        let for_null = || {
            let pair = pairs.iter().find(|(is, _)| is.is_null());
            pair.map_or_else(fallback, |(_, becomes)| Ty::from_value(becomes))
        };
        let mut results = Vec::new();
        if ty.may_be_missing() {
            results.push(for_null());
        }
        match &ty.kind {
            Kind::Text(Texts::These(texts)) => {
                self.impossible_cases(texts, ty.may_be_missing(), pairs, at);
                for text in texts {
                    let pair = pairs
                        .iter()
                        .find(|(is, _)| is.as_str() == Some(text.as_str()));
                    results
                        .push(pair.map_or_else(fallback, |(_, becomes)| Ty::from_value(becomes)));
                }
            }
            kind => {
                results.extend(pairs.iter().map(|(_, becomes)| Ty::from_value(becomes)));
                let values: BTreeSet<_> = pairs.iter().filter_map(|(is, _)| is.as_bool()).collect();
                let complete = matches!(kind, Kind::Boolean) && values.len() == 2;
                match otherwise {
                    Some(value) => results.push(Ty::from_value(value)),
                    // An unknown value is assumed to match a case.
                    None if complete || matches!(kind, Kind::Any) => {}
                    None => results.push(fallback()),
                }
            }
        }
        results.into_iter().reduce(Ty::or).unwrap_or_else(Ty::any)
    }

    fn impossible_cases(
        &mut self,
        texts: &BTreeSet<String>,
        may_be_missing: bool,
        pairs: &[(Value, Value)],
        at: ExprLocation<'_>,
    ) {
        for (is, _) in pairs {
            let possible = match is {
                Value::String(text) => texts.contains(text),
                // A case for null that never occurs is a safeguard, not a mistake.
                Value::Null => true,
                _ => false,
            };
            if !possible {
                let kind = Kind::Text(Texts::These(texts.clone()));
                let or_null = if may_be_missing { " or null" } else { "" };
                let message = format!(
                    "the case {is} never occurs: the value is {}{or_null}",
                    kind.name()
                );
                self.report(Finding::new(TYPE, at.pointer, message));
            }
        }
    }

    fn report_misuse(&mut self, filter: &str, takes: &str, ty: &Ty, at: ExprLocation<'_>) {
        let message = format!("`{filter}` takes {takes}, and this is {}", ty.kind.name());
        self.report(Finding::new(TYPE, at.pointer, message));
    }
}

/// Models texts that are replaced by other values, alone or in a list.
fn replaced_texts(ty: &Ty, other: &Ty) -> Ty {
    match &ty.kind {
        Kind::List(element) => {
            let element = element.as_ref().clone().or(other.clone());
            ty.with_kind(Kind::List(Box::new(element)))
        }
        _ => ty.clone().or(other.clone()).maybe_absent(),
    }
}

/// Returns the type without the kinds that `passes` rejects.
fn narrowed_to(ty: &Ty, passes: &dyn Fn(&Kind) -> bool) -> Ty {
    let all = ty.kind.clone().alternatives();
    let count = all.len();
    let mut left: Vec<Kind> = all.into_iter().filter(passes).collect();
    let lost = left.len() < count;
    let kind = match (&ty.kind, left.len()) {
        (Kind::Any, _) => Kind::Any,
        (_, 0) => Kind::Nothing,
        (_, 1) => left.remove(0),
        _ => Kind::OneOf(left),
    };
    let mut narrowed = null_is_absent(ty.with_kind(kind));
    if lost {
        narrowed.absent = Absent::Maybe;
    }
    narrowed
}

/// Models filters that produce no value for null.
fn null_is_absent(mut ty: Ty) -> Ty {
    if ty.null {
        ty.null = false;
        ty.absent = Absent::Maybe;
    }
    ty
}

fn default(ty: &Ty, other: Ty) -> Ty {
    if !ty.may_be_missing() {
        return ty.clone();
    }
    let absent = if ty.null {
        other.absent.clone()
    } else {
        ty.absent.both(&other.absent)
    };
    let null = other.null;
    let mut either = ty.clone().present().or(other);
    either.absent = absent;
    either.null = null;
    either
}

fn null_if(ty: &Ty, nothing: &Value) -> Ty {
    let kind = match (&ty.kind, nothing) {
        (Kind::Text(Texts::These(texts)), Value::String(text)) => {
            if !texts.contains(text) {
                return ty.clone();
            }
            let others = texts.iter().filter(|other| *other != text).cloned();
            Kind::Text(Texts::These(others.collect()))
        }
        (Kind::Any, _) => return Ty::any(),
        (_, Value::Null) => return null_is_absent(ty.clone()),
        (kind, _) => kind.clone(),
    };
    ty.with_kind(kind).maybe_absent()
}
