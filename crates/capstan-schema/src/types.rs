//! Sets of JSON types.

use std::fmt;

use serde_json::Value;

/// A JSON type as schemas name it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// A set of JSON types. Integers are numbers: a set that contains `Number` contains `Integer`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeSet(u8);

/// The types with their names, in the order of display.
const NAMES: [(&str, TypeSet); 7] = [
    ("object", TypeSet::OBJECT),
    ("array", TypeSet::ARRAY),
    ("string", TypeSet::STRING),
    ("number", TypeSet::NUMBER),
    ("integer", TypeSet::INTEGER),
    ("boolean", TypeSet::BOOLEAN),
    ("null", TypeSet::NULL),
];

impl TypeSet {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(0b111_1111);

    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(1 << 1);
    pub(crate) const INTEGER: Self = Self(1 << 2);
    /// Numbers that are not integers. `FRACTION` and `INTEGER` together are `NUMBER`.
    pub(crate) const FRACTION: Self = Self(1 << 3);
    pub(crate) const NUMBER: Self = Self(0b1100);
    pub(crate) const STRING: Self = Self(1 << 4);
    pub(crate) const ARRAY: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    /// Types of values without parts.
    pub(crate) const SCALAR: Self = Self(0b001_1111);
    /// Types with few values.
    pub(crate) const FINITE: Self = Self(0b11);

    /// Returns the set with only this type.
    pub fn of(one: Type) -> Self {
        match one {
            Type::Null => Self::NULL,
            Type::Boolean => Self::BOOLEAN,
            Type::Integer => Self::INTEGER,
            Type::Number => Self::NUMBER,
            Type::String => Self::STRING,
            Type::Array => Self::ARRAY,
            Type::Object => Self::OBJECT,
        }
    }

    /// Returns the type of a value. As in the standard, `1.0` is an integer.
    pub fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_i64() || number.is_u64() => Self::INTEGER,
            Value::Number(number) => match number.as_f64() {
                Some(float) if float.fract() == 0.0 => Self::INTEGER,
                Some(_) => Self::FRACTION,
                None => Self::NUMBER,
            },
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// Whether every value of this type has a type of the set.
    pub fn contains(self, one: Type) -> bool {
        Self::of(one).is_subset(self)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// Returns the disjoint smallest sets that it consists of.
    pub(crate) fn atoms(self) -> impl Iterator<Item = Self> {
        (0..7)
            .map(|bit| Self(1 << bit))
            .filter(move |atom| self.meets(*atom))
    }

    /// Parses the value of the keyword `type`; `None` if it is malformed.
    pub(crate) fn of_keyword(value: &Value) -> Option<Self> {
        match value {
            Value::String(name) => Self::named(name),
            Value::Array(names) if !names.is_empty() => {
                names.iter().try_fold(Self::NONE, |set, name| {
                    Some(set.union(Self::named(name.as_str()?)?))
                })
            }
            _ => None,
        }
    }

    /// Returns the names of the types in the order of display.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let mut left = self;
        let mut names = Vec::new();
        for (name, set) in NAMES {
            if set.is_subset(left) {
                names.push(name);
                left = left.without(set);
            }
        }
        if left.meets(Self::FRACTION) {
            names.push("number");
        }
        names
    }

    fn named(name: &str) -> Option<Self> {
        NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, set)| *set)
    }
}

impl fmt::Display for TypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ALL => f.write_str("anything"),
            Self::NONE => f.write_str("nothing"),
            _ => f.write_str(&self.names().join(" | ")),
        }
    }
}

impl fmt::Debug for TypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeSet({self})")
    }
}
