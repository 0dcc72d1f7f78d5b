//! The presentation of a diagnostic.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Patch, Renderer};
use beeline_promela::diagnostic::{Diagnostic, Fix, Severity};
use beeline_promela::source::{SourceMap, Span};

use crate::base::color::Paint;
use crate::render::diagnostics::clean::clean;
use crate::render::diagnostics::edit::editable;
use crate::render::diagnostics::expansion;
use crate::render::diagnostics::place::{Excerpt, Place};

/// Draws a diagnostic. The text ends with a line end.
pub(crate) fn render(diagnostic: &Diagnostic, sources: &SourceMap, paint: Paint) -> String {
    let mut report = vec![main_group(diagnostic, sources)];
    report.extend(expansion::groups(diagnostic.span, sources));
    report.extend(diagnostic.fix.as_ref().and_then(|fix| fix_group(fix, sources)));
    let renderer = match paint {
        Paint::Plain => Renderer::plain(),
        Paint::Colored => Renderer::styled(),
    };
    let mut text = renderer.render(&report);
    text.push('\n');
    text
}

/// The message, its source, and remarks.
fn main_group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let mut group = Group::with_title(title).elements(causes(diagnostic, sources));
    if let Some(text) = expansion::made_text(diagnostic.span, sources) {
        group = group.element(Level::NOTE.message(text));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(clean(note)));
    }
    if let Some(text) = included_from(diagnostic.span, sources) {
        group = group.element(Level::NOTE.message(text));
    }
    match &diagnostic.fix {
        Some(fix) if editable(fix, sources).is_none() => {
            group.element(Level::HELP.message(clean(&fix.advice)))
        }
        _ => group,
    }
}

/// The source excerpts: one for the message itself with all related spans that fit into it, and one
/// for each group of the others.
fn causes<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Element<'a>> {
    let main = (diagnostic.span, diagnostic.label.as_str(), AnnotationKind::Primary);
    let related = diagnostic.related.iter();
    let related = related.map(|label| (label.span, label.text.as_str(), AnnotationKind::Context));
    let mut pieces: Vec<Vec<(Place<'a>, &str, AnnotationKind)>> = Vec::new();
    for (span, label, kind) in std::iter::once(main).chain(related) {
        let place = Place::new(sources, span);
        match pieces.iter_mut().find(|piece| piece[0].0.shares_snippet(&place)) {
            Some(piece) => piece.push((place, label, kind)),
            None => pieces.push(vec![(place, label, kind)]),
        }
    }
    let draw = |piece: &Vec<(Place<'a>, &'a str, AnnotationKind)>| -> Vec<Element<'a>> {
        let places: Vec<_> = piece.iter().map(|(place, ..)| place).collect();
        let excerpt = Excerpt::around(&places);
        if !excerpt.fits() {
            return places.iter().map(|place| place.origin().into()).collect();
        }
        let marks = piece.iter().map(|(place, label, kind)| {
            kind.span(excerpt.range(place)).label((!label.is_empty()).then(|| clean(label)))
        });
        vec![excerpt.snippet().annotations(marks).into()]
    };
    pieces.iter().flat_map(draw).collect()
}

/// The fix, with the source after it.
fn fix_group<'a>(fix: &'a Fix, sources: &'a SourceMap) -> Option<Group<'a>> {
    let (span, replacement) = editable(fix, sources)?;
    let place = Place::new(sources, span);
    let excerpt = Excerpt::around(&[&place]);
    if !excerpt.fits() {
        let title = Level::HELP.secondary_title(clean(&fix.advice));
        return Some(title.element(place.origin()));
    }
    let patch = Patch::new(excerpt.range(&place), replacement);
    let title = Level::HELP.secondary_title(clean(&fix.advice));
    Some(title.element(excerpt.snippet().patch(patch)))
}

/// The chain of includes of the file of `span`.
fn included_from(span: Span, sources: &SourceMap) -> Option<String> {
    const MOST: usize = 4;
    let site = |span: Span| sources.file(sources.written(span).file).included_from;
    let sites: Vec<Span> = std::iter::successors(site(span), |&span| site(span)).collect();
    let name = |&span: &Span| {
        let place = sources.location(span);
        format!("from {}:{}", place.file, place.line)
    };
    let mut names: Vec<String> = sites.iter().map(name).collect();
    let last = names.pop()?;
    if names.len() >= MOST {
        let left_out = names.len() - (MOST - 2);
        names.truncate(MOST - 2);
        names.push(format!("… {left_out} more"));
    }
    names.push(last);
    Some(clean(&format!("included {}", names.join(", "))))
}
