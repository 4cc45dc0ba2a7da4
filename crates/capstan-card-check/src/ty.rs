//! The types that the checker reasons with: what a value may be, and whether it may be missing.

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;
use serde_json::Value;

/// What is known about a value.
#[derive(Clone, Debug)]
pub(crate) struct Ty {
    pub kind: Kind,
    /// It may be there and be null.
    pub null: bool,
    /// It may not be there.
    pub absent: Absent,
    /// Where it comes from, to learn what is never read.
    pub place: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Not known: nothing is checked.
    Any,
    /// No value, other than null where that may be.
    Nothing,
    Text(Texts),
    Integer,
    Number,
    Boolean,
    List(Box<Ty>),
    Object(Rc<Fields>),
    /// One of several; never nested.
    OneOf(Vec<Kind>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    All,
    These(BTreeSet<String>),
}

/// When a value is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    Never,
    /// It is there when the object at `place` is of one of these types.
    Unless {
        place: usize,
        types: BTreeSet<String>,
        of: BTreeSet<String>,
    },
    Maybe,
}

#[derive(Debug)]
pub(crate) struct Fields {
    pub holder: Holder,
    pub fields: IndexMap<String, Ty>,
}

/// What an object is, for the words of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The card's input, or an object in it.
    Input,
    /// What a GraphQL document selects.
    Selection,
    /// What `gh --json` prints.
    JsonFields,
    /// The card's own data, or an object in it.
    Data,
    /// What the engine provides, such as `$page`.
    Engine,
    /// There is nothing to read.
    Nothing,
}

impl Ty {
    pub(crate) fn of(kind: Kind) -> Self {
        Self {
            kind,
            null: false,
            absent: Absent::Never,
            place: None,
        }
    }

    pub(crate) fn any() -> Self {
        Self::of(Kind::Any)
    }

    pub(crate) fn text() -> Self {
        Self::of(Kind::Text(Texts::All))
    }

    pub(crate) fn list(element: Ty) -> Self {
        Self::of(Kind::List(Box::new(element)))
    }

    pub(crate) fn object(holder: Holder, fields: IndexMap<String, Ty>) -> Self {
        Self::of(Kind::Object(Rc::new(Fields { holder, fields })))
    }

    pub(crate) fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self {
                null: true,
                ..Self::of(Kind::Nothing)
            },
            Value::Bool(_) => Self::of(Kind::Boolean),
            Value::Number(number) if number.is_f64() => Self::of(Kind::Number),
            Value::Number(_) => Self::of(Kind::Integer),
            Value::String(text) => Self::of(Kind::Text(Texts::one(text))),
            Value::Array(items) => {
                let element = items.iter().map(Self::of_value).reduce(Self::or);
                Self::list(element.unwrap_or_else(Self::any))
            }
            Value::Object(_) => Self::any(),
        }
    }

    /// Whether there may be no value: null and absent are the same to most readers.
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

    /// The same presence around another kind of value.
    #[must_use]
    pub(crate) fn with_kind(&self, kind: Kind) -> Self {
        Self {
            kind,
            null: self.null,
            absent: self.absent.clone(),
            place: None,
        }
    }

    /// What is either of the two.
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
                        // Two objects stay two; everything else of one sort merges.
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

    /// For messages: `text`, `a list of integers`.
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
    /// What is below something that may be missing may itself be missing.
    #[must_use]
    pub(crate) fn below(&self, parent: &Absent) -> Absent {
        match (self, parent) {
            (Absent::Never, other) | (other, Absent::Never) => other.clone(),
            _ => Absent::Maybe,
        }
    }

    /// Missing only where both are.
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
