//! The arguments of a component that was asked for by name.

use beeline_kernel::spec::{Spec, SpecArgument, SpecValue};

/// Arguments that have not been looked at yet.
pub(crate) struct Arguments<'s> {
    values: Vec<(String, &'s SpecValue)>,
}

impl<'s> Arguments<'s> {
    /// Those of a spec, which may have these keys. Values without a key belong to the
    /// keys in order.
    pub(crate) fn new(spec: &'s Spec, keys: &[&str]) -> Result<Arguments<'s>, String> {
        let mut values: Vec<(String, &SpecValue)> = Vec::new();
        for (at, SpecArgument { key, value }) in spec.arguments.iter().enumerate() {
            let key = match key {
                Some(key) if keys.contains(&key.as_str()) => key.clone(),
                None if at < keys.len() => keys[at].to_owned(),
                Some(key) => return Err(unknown(&spec.name, &format!("`{key}`"), keys)),
                None => return Err(unknown(&spec.name, &format!("for `{value}`"), keys)),
            };
            if values.iter().any(|(known, _)| *known == key) {
                return Err(format!("`{}` is given `{key}` twice", spec.name));
            }
            values.push((key, value));
        }
        Ok(Arguments { values })
    }

    /// The value of an argument, if it was given.
    pub(crate) fn take(&mut self, key: &str) -> Option<&'s SpecValue> {
        let at = self.values.iter().position(|(known, _)| known == key)?;
        Some(self.values.swap_remove(at).1)
    }

    /// One of several words; the first is the usual one.
    pub(crate) fn choice<T: Copy>(&mut self, key: &str, all: &[(&str, T)]) -> Result<T, String> {
        let Some(value) = self.take(key) else { return Ok(all[0].1) };
        let found = all.iter().find(|(word, _)| value.text() == Some(word));
        found.map(|&(_, choice)| choice).ok_or_else(|| {
            let words: Vec<_> = all.iter().map(|(word, _)| *word).collect();
            format!("`{key}` is one of {}", words.join(", "))
        })
    }

    /// A number of things.
    pub(crate) fn count(&mut self, key: &str) -> Result<Option<usize>, String> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = value.number().filter(|&n| n >= 0.0 && n.fract() == 0.0 && n <= 1e15);
        number.map(|n| Some(n as usize)).ok_or_else(|| format!("`{key}` is a number from 0 on"))
    }

    /// A whole number that cannot be zero.
    pub(crate) fn size(&mut self, key: &str) -> Result<Option<usize>, String> {
        match self.count(key) {
            Ok(size) if size != Some(0) => Ok(size),
            _ => Err(format!("`{key}` is a number from 1 on")),
        }
    }
}

fn unknown(name: &str, what: &str, keys: &[&str]) -> String {
    if keys.is_empty() {
        format!("`{name}` takes no arguments")
    } else {
        format!("`{name}` has no argument {what}; it has: {}", keys.join(", "))
    }
}
