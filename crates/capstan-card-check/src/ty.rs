//! The types of the checker: what a value may be, and whether it may be missing.

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;
use serde_json::Value;

/// The facts that are known about a value.
#[derive(Clone, Debug)]
pub(crate) struct Ty {
    pub kind: Kind,
    /// Whether it may be present and null.
    pub null: bool,
    /// When it may be absent.
    pub absent: Absent,
    /// The index of its tracked place, which shows whether it is read.
    pub place: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// The kind is unknown, so nothing is checked.
    Any,
    /// No value, except null if that is allowed.
    Nothing,
    Text(Texts),
    Integer,
    Number,
    Boolean,
    List(Box<Ty>),
    Object(Rc<Fields>),
    /// One of several kinds; never nested.
    OneOf(Vec<Kind>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    All,
    These(BTreeSet<String>),
}

/// When a value is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    Never,
    /// The value is present if the object at `place` is of one of these types.
    Unless {
        place: usize,
        types: BTreeSet<String>,
        of: BTreeSet<String>,
    },
    Maybe,
}

#[derive(Debug)]
pub(crate) struct Fields {
    pub holder: ObjectSource,
    pub fields: IndexMap<String, Ty>,
}

/// The source of an object, for the text of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectSource {
    /// The card's input, or an object in it.
    Input,
    /// The selection of a GraphQL document.
    Selection,
    /// The output of `gh --json`.
    JsonFields,
    /// The card's own data, or an object in it.
    Data,
    /// Values that the engine provides, such as `$page`.
    Engine,
    /// No source: there is nothing to read.
    Nothing,
}

impl Ty {
    pub(crate) fn from_kind(kind: Kind) -> Self {
        Self {
            kind,
            null: false,
            absent: Absent::Never,
            place: None,
        }
    }

    pub(crate) fn any() -> Self {
        Self::from_kind(Kind::Any)
    }

    pub(crate) fn text() -> Self {
        Self::from_kind(Kind::Text(Texts::All))
    }

    pub(crate) fn list(element: Ty) -> Self {
        Self::from_kind(Kind::List(Box::new(element)))
    }

    pub(crate) fn object(holder: ObjectSource, fields: IndexMap<String, Ty>) -> Self {
        Self::from_kind(Kind::Object(Rc::new(Fields { holder, fields })))
    }

    pub(crate) fn from_value(value: &Value) -> Self {
        match value {
            Value::Null => Self {
                null: true,
                ..Self::from_kind(Kind::Nothing)
            },
            Value::Bool(_) => Self::from_kind(Kind::Boolean),
            Value::Number(number) if number.is_f64() => Self::from_kind(Kind::Number),
            Value::Number(_) => Self::from_kind(Kind::Integer),
            Value::String(text) => Self::from_kind(Kind::Text(Texts::one(text))),
            Value::Array(items) => {
                let element = items.iter().map(Self::from_value).reduce(Self::or);
                Self::list(element.unwrap_or_else(Self::any))
            }
            Value::Object(_) => Self::any(),
        }
    }

    /// Returns whether there may be no value. To most readers null and absent are the same.
    pub(crate) fn may_be_missing(&self) -> bool {
        self.null || self.absent != Absent::Never
    }

    #[must_use]
    pub(crate) fn present(mut self) -> Self {
        self.null = false;
        self.absent = Absent::Never;
        self
    }

    #[must_use]
    pub(crate) fn maybe_absent(mut self) -> Self {
        self.absent = Absent::Maybe;
        self
    }

    /// Returns another kind of value with the same presence.
    #[must_use]
    pub(crate) fn with_kind(&self, kind: Kind) -> Self {
        Self {
            kind,
            null: self.null,
            absent: self.absent.clone(),
            place: None,
        }
    }

    /// Returns the type of a value that has either type.
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        let absent = match (&self.absent, &other.absent) {
            (Absent::Never, Absent::Never) => Absent::Never,
            (one, other) if one == other => self.absent.clone(),
            _ => Absent::Maybe,
        };
        Self {
            null: self.null || other.null,
            absent,
            kind: self.kind.or(other.kind),
            place: None,
        }
    }
}

impl Kind {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Kind::Any, _) | (_, Kind::Any) => Kind::Any,
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => kind,
            (Kind::Text(one), Kind::Text(other)) => Kind::Text(one.or(other)),
            (Kind::Integer, Kind::Integer) => Kind::Integer,
            (Kind::Integer | Kind::Number, Kind::Integer | Kind::Number) => Kind::Number,
            (Kind::Boolean, Kind::Boolean) => Kind::Boolean,
            (Kind::List(one), Kind::List(other)) => Kind::List(Box::new(one.or(*other))),
            (one, other) => {
                let mut all = one.alternatives();
                for kind in other.alternatives() {
                    let alike = |known: &Kind| {
                        std::mem::discriminant(known) == std::mem::discriminant(&kind)
                    };
                    match all.iter().position(alike) {
                        // Two objects stay separate; all other kinds merge with their own.
                        Some(at) if !matches!(kind, Kind::Object(_)) => {
                            let known = all.swap_remove(at);
                            all.push(known.or(kind));
                        }
                        _ => all.push(kind),
                    }
                }
                Kind::OneOf(all)
            }
        }
    }

    pub(crate) fn alternatives(self) -> Vec<Kind> {
        match self {
            Kind::OneOf(all) => all,
            one => vec![one],
        }
    }

    /// Returns the name for messages: `text`, `a list of integers`.
    pub(crate) fn name(&self) -> String {
        match self {
            Kind::Any => "anything".to_owned(),
            Kind::Nothing => "null".to_owned(),
            Kind::Text(Texts::All) => "text".to_owned(),
            Kind::Text(Texts::These(texts)) => {
                let shown: Vec<_> = texts
                    .iter()
                    .take(12)
                    .map(|text| format!("`{text}`"))
                    .collect();
                let more = if texts.len() > shown.len() {
                    ", …"
                } else {
                    ""
                };
                format!("one of {}{more}", shown.join(", "))
            }
            Kind::Integer => "an integer".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Boolean => "a boolean".to_owned(),
            Kind::List(element) => format!("a list of ({})", element.kind.name()),
            Kind::Object(_) => "an object".to_owned(),
            Kind::OneOf(all) => {
                let names: Vec<_> = all.iter().map(Kind::name).collect();
                names.join(" or ")
            }
        }
    }
}

impl Texts {
    pub(crate) fn one(text: &str) -> Self {
        Texts::These(BTreeSet::from([text.to_owned()]))
    }

    pub(crate) fn map(&self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Texts::All => Texts::All,
            Texts::These(texts) => Texts::These(texts.iter().map(|text| change(text)).collect()),
        }
    }

    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Texts::These(mut one), Texts::These(other)) => {
                one.extend(other);
                Texts::These(one)
            }
            _ => Texts::All,
        }
    }
}

impl Absent {
    /// Returns the absence of a value below `parent`: if the parent may be missing, so may the value.
    #[must_use]
    pub(crate) fn below(&self, parent: &Absent) -> Absent {
        match (self, parent) {
            (Absent::Never, other) | (other, Absent::Never) => other.clone(),
            _ => Absent::Maybe,
        }
    }

    /// Returns the absence of a value that is missing only if both are.
    #[must_use]
    pub(crate) fn both(&self, other: &Absent) -> Absent {
        match (self, other) {
            (Absent::Never, _) | (_, Absent::Never) => Absent::Never,
            (
                Absent::Unless { place, types, of },
                Absent::Unless {
                    place: other_place,
                    types: other_types,
                    ..
                },
            ) if place == other_place => {
                let types: BTreeSet<_> = types.union(other_types).cloned().collect();
                if types.is_superset(of) {
                    Absent::Never
                } else {
                    Absent::Unless {
                        place: *place,
                        types,
                        of: of.clone(),
                    }
                }
            }
            _ => Absent::Maybe,
        }
    }
}
