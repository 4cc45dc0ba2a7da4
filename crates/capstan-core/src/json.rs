//! Reads JSON that people and agents write, strictly: a duplicate key in an object is an error,
//! because one of the two values would be lost silently. And measures JSON.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::brief::brief;

/// How many characters of a key are shown.
const LONGEST_KEY: usize = 80;

/// Why a text could not be read.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// Its source gives the place of the error and what was expected there, never the text itself.
    #[error("not JSON")]
    Syntax(#[from] serde_json::Error),
    #[error("{0}")]
    Duplicate(DuplicateKey),
}

/// A duplicate key of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The path of the object, such as `steps[0].input`; empty for the outermost.
    pub within: String,
    pub key: String,
}

/// A value, and its first duplicate key.
#[derive(Debug)]
pub struct Read {
    pub value: Value,
    pub duplicate: Option<DuplicateKey>,
}

/// Reads one value.
pub fn from_str(text: &str) -> Result<Value, JsonError> {
    serde_json::from_str::<Read>(text)?.strict()
}

/// Reads one value.
pub fn from_slice(bytes: &[u8]) -> Result<Value, JsonError> {
    serde_json::from_slice::<Read>(bytes)?.strict()
}

/// Reads consecutive values, for instance one per line.
pub fn stream(text: &str) -> Result<Vec<Value>, JsonError> {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Read>();
    values.map(|read| read?.strict()).collect()
}

/// Returns the length of a value as compact JSON, in bytes, without writing it.
pub fn length(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Neither a value nor a counter can fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

impl Read {
    fn strict(self) -> Result<Value, JsonError> {
        match self.duplicate {
            None => Ok(self.value),
            Some(duplicate) => Err(JsonError::Duplicate(duplicate)),
        }
    }
}

impl fmt::Display for DuplicateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the key `{}` is given twice", self.key)?;
        if !self.within.is_empty() {
            write!(f, " in `{}`", self.within)?;
        }
        f.write_str(": write it once")
    }
}

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut duplicate = None;
        let reader = Reader {
            place: &JsonPath::Root,
            duplicate: &mut duplicate,
        };
        let value = reader.deserialize(deserializer)?;
        Ok(Self { value, duplicate })
    }
}

/// The place of a value.
enum JsonPath<'a> {
    Root,
    Key(&'a JsonPath<'a>, &'a str),
    Index(&'a JsonPath<'a>, usize),
}

impl JsonPath<'_> {
    fn write(&self, path: &mut String) {
        match self {
            JsonPath::Root => {}
            JsonPath::Key(parent, key) => {
                parent.write(path);
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&brief(key, LONGEST_KEY));
            }
            JsonPath::Index(parent, index) => {
                parent.write(path);
                path.push_str(&format!("[{index}]"));
            }
        }
    }
}

struct Reader<'a> {
    place: &'a JsonPath<'a>,
    duplicate: &'a mut Option<DuplicateKey>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let Self { place, duplicate } = self;
        let mut list = Vec::new();
        loop {
            let reader = Reader {
                place: &JsonPath::Index(place, list.len()),
                duplicate: &mut *duplicate,
            };
            match items.next_element_seed(reader)? {
                Some(item) => list.push(item),
                None => return Ok(Value::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let Self { place, duplicate } = self;
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if duplicate.is_none() && object.contains_key(&key) {
                let mut within = String::new();
                place.write(&mut within);
                *duplicate = Some(DuplicateKey {
                    within,
                    key: brief(&key, LONGEST_KEY).into_owned(),
                });
            }
            let value = fields.next_value_seed(Reader {
                place: &JsonPath::Key(place, &key),
                duplicate: &mut *duplicate,
            })?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_that_is_given_twice_is_named_with_its_place() {
        for (text, said) in [
            (
                r#"{"a":1,"a":2}"#,
                "the key `a` is given twice: write it once",
            ),
            (
                r#"{"a":1,"\u0061":1}"#,
                "the key `a` is given twice: write it once",
            ),
            (
                r#"[{}, {"input": {"x": [1, {"y": 1, "y": 1}]}}]"#,
                "the key `y` is given twice in `[1].input.x[1]`: write it once",
            ),
            (r#"{"":1,"":2}"#, "the key `` is given twice: write it once"),
        ] {
            assert_eq!(from_str(text).unwrap_err().to_string(), said);
            assert_eq!(from_slice(text.as_bytes()).unwrap_err().to_string(), said);
        }
        let long = "k".repeat(10_000);
        let said = from_str(&format!(r#"{{"{long}":1,"{long}":2}}"#)).unwrap_err();
        assert!(said.to_string().len() < 300, "{said}");
    }

    #[test]
    fn everything_else_is_read_as_ever() {
        for text in [
            r#"{"b":1,"a":[null,true,"\u00e9\ud83d\ude00",{"b":{}}],"c":-0.0}"#,
            "18446744073709551615",
            "-9223372036854775808",
            "9007199254740993",
            "1.5e300",
            "1e2",
            "\"\"",
            "[]",
        ] {
            let expected: Value = serde_json::from_str(text).unwrap();
            let read = from_str(text).unwrap();
            assert_eq!(read, expected);
            assert_eq!(read.to_string(), expected.to_string(), "order and digits");
        }
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "1 2",
            "1e400",
            "nul",
            "{a:1}",
        ] {
            assert!(
                matches!(from_str(text), Err(JsonError::Syntax(_))),
                "{text}"
            );
        }
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert!(matches!(from_str(&deep), Err(JsonError::Syntax(_))));
    }

    #[test]
    fn the_length_is_that_of_the_text() {
        let value = json!({"a": [1, 2.5, null, true], "é\n": {"\u{1}": "\"…"}});
        assert_eq!(length(&value), value.to_string().len());
    }

    #[test]
    fn values_that_follow_each_other_are_each_strict() {
        let values = stream("{\"a\":1}\n{\"a\":2}\n").unwrap();
        assert_eq!(values, [json!({"a": 1}), json!({"a": 2})]);
        assert!(matches!(
            stream("{\"a\":1}\n{\"a\":2,\"a\":3}"),
            Err(JsonError::Duplicate(_))
        ));
    }
}
