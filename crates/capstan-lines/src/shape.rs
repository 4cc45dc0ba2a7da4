//! The values that an input accepts, as far as its schema describes them by type.

use serde_json::{Map, Value};

/// The kinds of values that a schema accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    pub text: bool,
    pub integer: bool,
    /// Any number.
    pub number: bool,
    pub boolean: bool,
    pub null: bool,
    pub object: bool,
    /// The elements of a list.
    pub list: Option<Box<Shape>>,
    /// Single values.
    pub choices: Vec<Value>,
}

/// The largest number of schemas that are examined for one input, because schemas may refer to themselves.
const MOST_SCHEMAS: usize = 200;

impl Shape {
    /// Returns the shape of a schema; `$ref` is resolved in `root`.
    pub(crate) fn from_schema(schema: &Value, root: &Value) -> Self {
        let mut shape = Shape::default();
        let mut left = MOST_SCHEMAS;
        shape.add(schema, root, &mut left);
        shape
    }

    /// Returns the shape of an input without a description.
    pub(crate) fn any() -> Self {
        Self {
            list: Some(Box::new(Self {
                list: None,
                ..Self::everything()
            })),
            ..Self::everything()
        }
    }

    /// Whether it accepts only texts, apart from null. Then every text is taken unchanged.
    pub(crate) fn is_text_only(&self) -> bool {
        let others = [self.integer, self.number, self.boolean, self.object];
        self.text
            && !others.contains(&true)
            && self.list.is_none()
            && self.choices.iter().all(Value::is_string)
    }

    /// Whether it accepts only true and false, apart from null.
    pub(crate) fn is_boolean_only(&self) -> bool {
        let others = [self.text, self.integer, self.number, self.object];
        self.boolean && !others.contains(&true) && self.list.is_none() && self.choices.is_empty()
    }

    /// Whether it accepts only whole numbers, apart from null.
    pub(crate) fn is_integer_only(&self) -> bool {
        let others = [self.text, self.number, self.boolean, self.object];
        self.integer && !others.contains(&true) && self.list.is_none() && self.choices.is_empty()
    }

    /// Whether it accepts only listed values, apart from null.
    pub(crate) fn is_choice_only(&self) -> bool {
        let others = [
            self.text,
            self.integer,
            self.number,
            self.boolean,
            self.object,
        ];
        !self.choices.is_empty() && !others.contains(&true) && self.list.is_none()
    }

    /// Whether it accepts a text unchanged.
    pub(crate) fn admits_text(&self, text: &str) -> bool {
        self.text || self.choices.iter().any(|choice| choice == text)
    }

    /// Describes the accepted values in words.
    pub(crate) fn expected(&self) -> String {
        let mut expected = Vec::new();
        if !self.choices.is_empty() {
            expected.push(self.choice_names().join(", "));
        }
        if self.integer {
            expected.push("an integer".to_owned());
        }
        if self.number {
            expected.push("a number".to_owned());
        }
        if self.boolean {
            expected.push("true or false".to_owned());
        }
        if let Some(items) = &self.list {
            expected.push(if items.is_choice_only() {
                format!("a list of {}", items.choice_names().join(", "))
            } else if items.object {
                "a list in JSON".to_owned()
            } else {
                "a list, such as `a,b`".to_owned()
            });
        }
        if self.object {
            expected.push("an object in JSON".to_owned());
        }
        if self.text {
            expected.push("a text".to_owned());
        }
        if expected.is_empty() {
            expected.push("null".to_owned());
        }
        expected.join(" or ")
    }

    /// Returns the choices as they are written.
    pub(crate) fn choice_names(&self) -> Vec<String> {
        let choices = self.choices.iter();
        choices
            .map(|choice| match choice {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            })
            .collect()
    }

    fn everything() -> Self {
        Self {
            text: true,
            integer: true,
            number: true,
            boolean: true,
            null: true,
            object: true,
            list: None,
            choices: Vec::new(),
        }
    }

    fn add(&mut self, schema: &Value, root: &Value, left: &mut usize) {
        let Some(schema) = schema.as_object() else {
            return self.join(Self::any());
        };
        if *left == 0 {
            return self.join(Self::any());
        }
        *left -= 1;
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let target = target.strip_prefix('#').and_then(|at| root.pointer(at));
            return self.add(target.unwrap_or(&Value::Null), root, left);
        }
        let enumerated = schema.get("enum").and_then(Value::as_array);
        let constant = schema.get("const").map(std::slice::from_ref);
        if let Some(choices) = enumerated.map(Vec::as_slice).or(constant) {
            self.null |= choices.contains(&Value::Null);
            let choices = choices.iter().filter(|choice| !choice.is_null()).cloned();
            self.choices.extend(choices);
            return;
        }
        if let Some(types) = schema.get("type") {
            let types = types
                .as_array()
                .map_or(std::slice::from_ref(types), Vec::as_slice);
            for name in types {
                self.add_type(name.as_str().unwrap_or_default(), schema, root, left);
            }
            return;
        }
        let mut combined = ["anyOf", "oneOf", "allOf"].into_iter();
        let combined = combined.find_map(|key| schema.get(key)?.as_array());
        if let Some(combined) = combined.filter(|combined| !combined.is_empty()) {
            for schema in combined {
                self.add(schema, root, left);
            }
        } else if schema.contains_key("properties") {
            self.object = true;
        } else if schema.contains_key("items") {
            self.add_type("array", schema, root, left);
        } else {
            self.join(Self::any());
        }
    }

    fn add_type(
        &mut self,
        name: &str,
        schema: &Map<String, Value>,
        root: &Value,
        left: &mut usize,
    ) {
        match name {
            "string" => self.text = true,
            "integer" => self.integer = true,
            "number" => self.number = true,
            "boolean" => self.boolean = true,
            "null" => self.null = true,
            "object" => self.object = true,
            "array" => {
                let mut items = self.list.take().map(|items| *items).unwrap_or_default();
                match schema.get("items") {
                    Some(schema) => items.add(schema, root, left),
                    None => items.join(Self::everything()),
                }
                self.list = Some(Box::new(items));
            }
            _ => {}
        }
    }

    fn join(&mut self, other: Self) {
        self.text |= other.text;
        self.integer |= other.integer;
        self.number |= other.number;
        self.boolean |= other.boolean;
        self.null |= other.null;
        self.object |= other.object;
        self.choices.extend(other.choices);
        if let Some(items) = other.list {
            let mut joined = self.list.take().map(|items| *items).unwrap_or_default();
            joined.join(*items);
            self.list = Some(Box::new(joined));
        }
    }
}
