//! Turns the answer to an introspection query into the text of the schema.

use serde_json::Value;

use crate::problem::Problem;

/// How many wrappers a type may have: lists, and what is never null. Standard queries ask for nine.
const MAX_WRAPPERS: usize = 32;
/// Scalars that every schema has.
const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

/// Returns the text of a schema: as it is, or made from the answer to an introspection query.
pub(super) fn schema_text(text: &str) -> Result<String, Problem> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with('{') {
        return Ok(text.to_owned());
    }
    let answer: Value = serde_json::from_str(text)
        .map_err(|error| Problem::new("/", format!("neither a schema nor JSON: {error}")))?;
    let places = ["/data/__schema", "/__schema"];
    let schema = places.iter().find_map(|place| answer.pointer(place));
    let Some(schema) = schema else {
        let message = "expected a schema, or the answer to an introspection query with `__schema`";
        return Err(Problem::new("/", message));
    };
    let mut writer = Writer::default();
    writer.schema(schema)?;
    Ok(writer.text)
}

#[derive(Default)]
struct Writer {
    text: String,
}

impl Writer {
    fn schema(&mut self, schema: &Value) -> Result<(), Problem> {
        let roots = [
            ("query", "queryType"),
            ("mutation", "mutationType"),
            ("subscription", "subscriptionType"),
        ];
        self.text.push_str("schema {\n");
        for (keyword, key) in roots {
            if let Some(name) = schema
                .pointer(&format!("/{key}/name"))
                .and_then(Value::as_str)
            {
                self.line(&format!("  {keyword}: {}", checked(name, key)?));
            }
        }
        self.line("}");
        let Some(types) = schema.get("types").and_then(Value::as_array) else {
            return Err(Problem::new("/__schema/types", "expected a list of types"));
        };
        for ty in types {
            self.ty(ty)?;
        }
        Ok(())
    }

    fn ty(&mut self, ty: &Value) -> Result<(), Problem> {
        let name = name_of(ty, "a type")?;
        if name.starts_with("__") || BUILT_IN.contains(&name) {
            return Ok(());
        }
        self.description(ty, "");
        match ty.get("kind").and_then(Value::as_str) {
            Some("SCALAR") => self.line(&format!("scalar {name}")),
            Some("OBJECT") => self.object("type", name, ty)?,
            Some("INTERFACE") => self.object("interface", name, ty)?,
            Some("UNION") => {
                let names = names(ty, "possibleTypes", name)?;
                self.line(&format!("union {name} = {}", names.join(" | ")));
            }
            Some("ENUM") => {
                self.line(&format!("enum {name} {{"));
                for value in list(ty, "enumValues") {
                    self.description(value, "  ");
                    let value_name = name_of(value, name)?;
                    self.line(&format!("  {value_name}{}", deprecation(value)));
                }
                self.line("}");
            }
            Some("INPUT_OBJECT") => {
                self.line(&format!("input {name} {{"));
                for field in list(ty, "inputFields") {
                    self.description(field, "  ");
                    let field = input(field, name)?;
                    self.line(&format!("  {field}"));
                }
                self.line("}");
            }
            _ => return Err(Problem::new(name, "the kind of the type is not known")),
        }
        Ok(())
    }

    fn object(&mut self, keyword: &str, name: &str, ty: &Value) -> Result<(), Problem> {
        let interfaces = names(ty, "interfaces", name)?;
        let implements = if interfaces.is_empty() {
            String::new()
        } else {
            format!(" implements {}", interfaces.join(" & "))
        };
        self.line(&format!("{keyword} {name}{implements} {{"));
        for field in list(ty, "fields") {
            self.description(field, "  ");
            let arguments = list(field, "args")
                .iter()
                .map(|argument| input(argument, name));
            let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
            let arguments = if arguments.is_empty() {
                String::new()
            } else {
                format!("({})", arguments.join(", "))
            };
            let field_name = name_of(field, name)?;
            let field_type = type_text(field.get("type"), name)?;
            let deprecation = deprecation(field);
            self.line(&format!(
                "  {field_name}{arguments}: {field_type}{deprecation}"
            ));
        }
        self.line("}");
        Ok(())
    }

    fn description(&mut self, described: &Value, indent: &str) {
        let text = described.get("description").and_then(Value::as_str);
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            self.line(&format!("{indent}{}", quoted(text)));
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let list = value.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

fn names<'a>(ty: &'a Value, key: &str, of: &str) -> Result<Vec<&'a str>, Problem> {
    list(ty, key).iter().map(|it| name_of(it, of)).collect()
}

fn name_of<'a>(value: &'a Value, of: &str) -> Result<&'a str, Problem> {
    let name = value.get("name").and_then(Value::as_str);
    checked(name.unwrap_or_default(), of)
}

/// Returns a name that can stand in the text of a schema.
fn checked<'a>(name: &'a str, of: &str) -> Result<&'a str, Problem> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = name.chars().all(is_inner)
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if is_name {
        Ok(name)
    } else {
        let shown: String = name.chars().take(60).collect();
        Err(Problem::new(of, format!("`{shown}` is not a name")))
    }
}

fn input(value: &Value, of: &str) -> Result<String, Problem> {
    let name = name_of(value, of)?;
    let ty = type_text(value.get("type"), of)?;
    let usual = value.get("defaultValue").and_then(Value::as_str);
    let usual = usual.map_or(String::new(), |usual| format!(" = {usual}"));
    Ok(format!("{name}: {ty}{usual}"))
}

fn type_text(ty: Option<&Value>, of: &str) -> Result<String, Problem> {
    let mut ty = ty;
    let mut before = String::new();
    let mut after = String::new();
    for _ in 0..MAX_WRAPPERS {
        let Some(here) = ty else {
            break;
        };
        match here.get("kind").and_then(Value::as_str) {
            Some("NON_NULL") => after.insert(0, '!'),
            Some("LIST") => {
                before.push('[');
                after.insert(0, ']');
            }
            _ => {
                let name = name_of(here, of)?;
                return Ok(format!("{before}{name}{after}"));
            }
        }
        ty = here.get("ofType");
    }
    Err(Problem::new(
        of,
        "a type has no name: ask for more levels of `ofType`",
    ))
}

fn deprecation(value: &Value) -> String {
    if value.get("isDeprecated").and_then(Value::as_bool) != Some(true) {
        return String::new();
    }
    match value.get("deprecationReason").and_then(Value::as_str) {
        Some(reason) => format!(" @deprecated(reason: {})", quoted(reason)),
        None => " @deprecated".to_owned(),
    }
}

/// Writes a text in quotation marks. Those of JSON mean the same in GraphQL.
fn quoted(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
        .collect();
    Value::from(plain).to_string()
}
