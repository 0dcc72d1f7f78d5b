//! `:requirements`, and sections that name what is not supported.

use beeline_source::diagnostic::{Diagnostic, did_you_mean};
use beeline_source::source::Span;

use super::feature::Feature;
use super::reader::Reader;
use crate::syntax::Node;

/// Requirements that stand for several others, or for one by another name.
const GROUPS: [(&str, &[Feature]); 5] = [
    (":strips", &[]),
    (
        ":quantified-preconditions",
        &[Feature::ExistentialPreconditions, Feature::UniversalPreconditions],
    ),
    (":fluents", &[Feature::NumericFluents, Feature::ActionCosts]),
    (":numeric-fluents", &[Feature::NumericFluents, Feature::ActionCosts]),
    (
        ":adl",
        &[
            Feature::Typing,
            Feature::NegativePreconditions,
            Feature::DisjunctivePreconditions,
            Feature::Equality,
            Feature::ExistentialPreconditions,
            Feature::UniversalPreconditions,
            Feature::ConditionalEffects,
        ],
    ),
];

/// Requirements, sections and effects that are refused, with what they are.
const REFUSED: [(&str, &str); 15] = [
    (":durative-actions", "durative actions"),
    (":durative-action", "durative actions"),
    (":duration-inequalities", "durative actions"),
    (":continuous-effects", "continuous effects"),
    (":timed-initial-literals", "timed initial literals"),
    (":preferences", "preferences"),
    (":constraints", "trajectory constraints"),
    (":object-fluents", "object fluents"),
    (":process", "processes of PDDL+"),
    (":event", "events of PDDL+"),
    (":time", "processes of PDDL+"),
    (":multi-agent", "several agents"),
    (":probabilistic-effects", "probabilistic effects"),
    (":method", "hierarchical task networks"),
    (":htn", "hierarchical task networks"),
];

impl Reader<'_> {
    pub(super) fn requirements(&mut self, nodes: &[Node]) {
        for node in nodes {
            let Some(name) = node.word() else {
                self.error("pddl-syntax", node.span, "expected a requirement, as `:typing`");
                continue;
            };
            if let Some((_, what)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
                self.refuse(node.span, what);
                continue;
            }
            let group = GROUPS.iter().find(|(group, _)| *group == name);
            let own = Feature::ALL.into_iter().filter(|feature| feature.requirement() == name);
            let features: Vec<Feature> =
                group.map_or_else(|| own.collect(), |(_, features)| features.to_vec());
            if features.is_empty() && group.is_none() {
                let all = Feature::ALL.iter().map(|one| one.requirement());
                let names = GROUPS.iter().map(|(name, _)| *name).chain(all);
                let similar = did_you_mean(name, names);
                let message = format!("unknown requirement `{name}`");
                let mut diagnostic = Diagnostic::error("pddl-requirement", node.span, message);
                if let Some(similar) = similar {
                    let advice = format!("did you mean `{similar}`?");
                    diagnostic = diagnostic.fix(advice, node.span, similar);
                }
                self.diagnostics.push(diagnostic);
            }
            self.declared.extend(features.into_iter().map(Feature::requirement));
        }
    }

    /// Refuses a feature that is not supported.
    pub(super) fn refuse(&mut self, span: Span, what: &str) {
        let message = format!("{what} are not supported");
        let diagnostic = Diagnostic::error("pddl-unsupported", span, message);
        self.diagnostics.push(diagnostic.help("leave them out, if the task allows it"));
    }

    pub(super) fn unknown_section(
        &mut self,
        head: &Node,
        keyword: &str,
        kind: &str,
        known: &[&str],
    ) {
        if let Some((_, what)) = REFUSED.iter().find(|(refused, _)| *refused == keyword) {
            return self.refuse(head.span, what);
        }
        let message = format!("a {kind} has no section `{keyword}`");
        let mut diagnostic = Diagnostic::error("pddl-syntax", head.span, message);
        diagnostic = match did_you_mean(keyword, known.iter().copied()) {
            Some(similar) => {
                diagnostic.fix(format!("did you mean `{similar}`?"), head.span, similar)
            }
            None => diagnostic.help(format!("there are: {}", known.join(", "))),
        };
        self.diagnostics.push(diagnostic);
    }

    /// Warns once of a feature that is used without a declaration.
    pub(super) fn uses(&mut self, feature: Feature, span: Span) {
        let requirement = feature.requirement();
        // Some domains declare nothing at all, which PDDL 1.2 allowed.
        if self.declared.is_empty() || self.declared.contains(requirement) {
            return;
        }
        if self.reported.insert(feature) {
            let message = format!("this needs the requirement `{requirement}`, which is missing");
            let diagnostic = Diagnostic::warning("pddl-requirement", span, message);
            let advice = format!("add `{requirement}` to `(:requirements …)`");
            self.diagnostics.push(diagnostic.help(advice));
        }
    }
}
