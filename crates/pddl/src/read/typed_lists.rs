//! Typed lists: `a b - type c`, with `(either …)`.

use beeline_source::source::Span;

use super::feature::Feature;
use super::reader::Reader;
use crate::syntax::Node;
use crate::task::TypeId;

/// The type after a `-`, as it was written.
#[derive(Clone, Debug)]
pub(super) struct WrittenType<'n> {
    pub(super) names: Vec<&'n Node>,
}

/// A list of nodes, each with its type if it has one.
pub(super) type TypedList<'n> = Vec<(&'n Node, Option<WrittenType<'n>>)>;

impl Reader<'_> {
    /// Reads a typed list.
    pub(super) fn typed_list<'n>(&mut self, nodes: &'n [Node]) -> TypedList<'n> {
        let mut list: TypedList<'n> = Vec::new();
        let (mut untyped, mut at) = (0, 0);
        while at < nodes.len() {
            let node = &nodes[at];
            at += 1;
            if node.word() != Some("-") {
                list.push((node, None));
                continue;
            }
            self.uses(Feature::Typing, node.span);
            let Some(type_node) = nodes.get(at) else {
                self.error("pddl-syntax", node.span, "expected a type after `-`");
                break;
            };
            at += 1;
            if untyped == list.len() {
                self.error("pddl-syntax", node.span, "expected a name before `-`");
            }
            let Some(written) = self.written_type(type_node) else {
                untyped = list.len();
                continue;
            };
            for (_, of) in &mut list[untyped..] {
                *of = Some(written.clone());
            }
            untyped = list.len();
        }
        list
    }

    fn written_type<'n>(&mut self, node: &'n Node) -> Option<WrittenType<'n>> {
        if node.word().is_some() {
            return Some(WrittenType { names: vec![node] });
        }
        if let Some((_, "either", rest)) = node.headed()
            && !rest.is_empty()
        {
            return Some(WrittenType { names: rest.iter().collect() });
        }
        self.error("pddl-syntax", node.span, "expected a type, or `(either TYPE …)`");
        None
    }

    /// The types of an element; `object` without a type.
    pub(super) fn types_of(&mut self, written: Option<&WrittenType<'_>>) -> Vec<TypeId> {
        let Some(written) = written else { return vec![TypeId(0)] };
        let mut types = Vec::new();
        for node in &written.names {
            let Some(name) = self.name(node, "a type") else { continue };
            match self.names.types.get(&name) {
                Some(id) => types.push(TypeId(id)),
                None => {
                    let unknown = self.names.types.unknown(&name, node.span);
                    self.diagnostics.push(unknown);
                }
            }
        }
        types
    }

    /// Checks the form of a variable.
    pub(super) fn variable_name<'n>(&mut self, node: &'n Node) -> Option<(&'n str, Span)> {
        match node.word() {
            Some(word) if word.len() > 1 && word.starts_with('?') => Some((word, node.span)),
            _ => {
                self.error("pddl-syntax", node.span, "expected a variable, as `?x`");
                None
            }
        }
    }
}
