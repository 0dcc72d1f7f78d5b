//! A validator for JSON Schema: the part of draft 7 that our schemas and SARIF's use. An unknown
//! keyword is a failure.

use serde_json::{Map, Value};

/// Keywords without effect on validation.
const REMARKS: &[&str] =
    &["$schema", "$id", "title", "description", "default", "definitions", "format"];

/// Fails if a value does not obey a schema, with the path and the reason.
pub(crate) fn obeys(value: &Value, schema: &Value) {
    if let Err(why) = (Schema { root: schema }).check(value, schema, "$") {
        panic!("{why}\n{value:#}");
    }
}

/// Fails if a value obeys a schema.
pub(crate) fn disobeys(value: &Value, schema: &Value) {
    assert!((Schema { root: schema }).check(value, schema, "$").is_err(), "{value:#}");
}

struct Schema<'a> {
    root: &'a Value,
}

impl Schema<'_> {
    fn check(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(true) => return Ok(()),
            _ => return Err(format!("{at}: nothing may be here")),
        };
        // In draft 7, a reference overrides all other keywords.
        if let Some(Value::String(reference)) = schema.get("$ref") {
            let path = reference.strip_prefix('#').expect("references stay in the file");
            let target = self.root.pointer(path).unwrap_or_else(|| panic!("{reference}"));
            return self.check(value, target, at);
        }
        for (keyword, rule) in schema {
            self.keyword(value, schema, keyword, rule, at)?;
        }
        Ok(())
    }

    fn keyword(
        &self,
        value: &Value,
        schema: &Map<String, Value>,
        keyword: &str,
        rule: &Value,
        at: &str,
    ) -> Result<(), String> {
        let holds = match (keyword, value) {
            ("type", _) => one_or_many(rule).iter().any(|ty| is_of(value, ty)),
            ("enum", _) => list(rule).contains(value),
            ("not", _) => self.check(value, rule, at).is_err(),
            ("anyOf", _) => list(rule).iter().any(|one| self.check(value, one, at).is_ok()),
            ("oneOf", _) => {
                list(rule).iter().filter(|one| self.check(value, one, at).is_ok()).count() == 1
            }
            ("minimum", Value::Number(number)) => number.as_f64() >= rule.as_f64(),
            ("maximum", Value::Number(number)) => number.as_f64() <= rule.as_f64(),
            ("minItems", Value::Array(items)) => items.len() as u64 >= number(rule),
            ("maxItems", Value::Array(items)) => items.len() as u64 <= number(rule),
            ("uniqueItems", Value::Array(items)) if rule == &Value::Bool(true) => {
                (1..items.len()).all(|at| !items[..at].contains(&items[at]))
            }
            ("required", Value::Object(object)) => {
                let missing = list(rule).iter().find(|key| !object.contains_key(text(key)));
                if let Some(key) = missing {
                    return Err(format!("{at}: {key} is missing"));
                }
                true
            }
            ("items", Value::Array(items)) => {
                for (number, item) in items.iter().enumerate() {
                    self.check(item, rule, &format!("{at}[{number}]"))?;
                }
                true
            }
            ("properties", Value::Object(object)) => {
                for (key, rule) in rule.as_object().expect("properties have names") {
                    if let Some(value) = object.get(key) {
                        self.check(value, rule, &format!("{at}.{key}"))?;
                    }
                }
                true
            }
            ("additionalProperties", Value::Object(object)) => {
                let known = schema.get("properties").and_then(Value::as_object);
                let is_known = |key: &String| known.is_some_and(|known| known.contains_key(key));
                for (key, value) in object.iter().filter(|(key, _)| !is_known(key)) {
                    self.check(value, rule, &format!("{at}.{key}"))?;
                }
                true
            }
            ("pattern", Value::String(_)) => panic!("{at}: patterns are not understood: {rule}"),
            (
                "minimum"
                | "maximum"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "required"
                | "items"
                | "properties"
                | "additionalProperties"
                | "pattern",
                _,
            ) => true,
            _ if REMARKS.contains(&keyword) => true,
            _ => panic!("{at}: the keyword {keyword} is not understood"),
        };
        if holds { Ok(()) } else { Err(format!("{at}: {value} against {keyword} {rule}")) }
    }
}

fn is_of(value: &Value, ty: &Value) -> bool {
    match (text(ty), value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) => number.is_i64() || number.is_u64(),
        _ => false,
    }
}

fn one_or_many(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}
