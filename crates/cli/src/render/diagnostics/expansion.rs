//! The chain from the text of a macro or inline to the call in the model.

use annotate_snippets::{AnnotationKind, Group, Level};
use beeline_promela::source::{ExpansionKind, SourceMap, Span, TextExpansion};

use crate::render::diagnostics::clean::clean;
use crate::render::diagnostics::place::{Excerpt, Place};

/// At most this many calls are shown: the innermost ones, and the outermost, which is in the model
/// itself.
const MOST: usize = 4;

/// A group for each call in the expansion of `span`, the outermost last.
pub(crate) fn groups<'a>(span: Span, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let here = Place::new(sources, span);
    let mut calls: Vec<_> = sources
        .chain(span)
        .filter(|call| !matches!(call.kind, ExpansionKind::Argument(_)))
        .map(|call| (call, Place::new(sources, call.call_site)))
        // Text written inside the call, as an argument, is visible there.
        .filter(|(_, place)| !place.encloses(&here))
        .collect();
    let outermost = calls.pop();
    let left_out = (calls.len() + 1).saturating_sub(MOST);
    if left_out > 0 {
        calls.truncate(MOST - 1);
    }
    let mut groups: Vec<_> = calls.iter().map(|(call, place)| group(call, place)).collect();
    if left_out > 0 {
        let text = format!("… {left_out} more");
        groups.push(Group::with_title(Level::NOTE.secondary_title(text)));
    }
    groups.extend(outermost.iter().map(|(call, place)| group(call, place)));
    groups
}

fn group<'a>(call: &TextExpansion, place: &Place<'a>) -> Group<'a> {
    let title = Level::NOTE.secondary_title(clean(&match &call.kind {
        ExpansionKind::Macro(name) => format!("in this expansion of macro `{name}`"),
        ExpansionKind::Inline(name) => format!("in this call of inline `{name}`"),
        ExpansionKind::Argument(name) => format!("for parameter `{name}` here"),
    }));
    let excerpt = Excerpt::around(&[place]);
    if !excerpt.fits() {
        return title.element(place.origin());
    }
    let mark = AnnotationKind::Primary.span(excerpt.range(place));
    title.element(excerpt.snippet().annotation(mark))
}

/// A remark about text that is in no file, since `#` or `##` made it.
pub(crate) fn made_text(span: Span, sources: &SourceMap) -> Option<String> {
    if !sources.file(span.file).synthetic {
        return None;
    }
    let name = sources.expansion(span.expansion?).kind.name();
    Some(clean(&format!("macro `{name}` makes `{}` here", sources.text(span))))
}
