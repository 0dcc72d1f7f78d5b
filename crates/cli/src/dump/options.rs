//! Options of `dump` that are about pictures.

use std::path::PathBuf;

use clap::Args;

use crate::options::{Dump, Form, Meaning, parse_property};

/// The most states of a graph when nobody says.
pub(super) const STATES: usize = 2_000;

/// What to draw, and how.
#[derive(Debug, Args)]
pub(crate) struct Pictures {
    /// Print automata, states or claims as a graph for Graphviz
    #[arg(long)]
    pub(crate) dot: bool,
    /// Print claims in the Hanoi Omega-Automata format
    #[arg(long, conflicts_with = "dot")]
    pub(crate) hoa: bool,
    /// The claim of this property only: the name of an ltl block, or 'ltl: FORMULA'; repeatable
    #[arg(long = "property", value_name = "P", value_parser = parse_property)]
    pub(crate) properties: Vec<String>,
    /// Draw the automata as SVG
    #[arg(long, conflicts_with_all = ["dot", "json"])]
    pub(crate) svg: bool,
    /// Show what a trail uses of the automata, how often, and where it ends; with --dot or --svg
    #[arg(long, value_name = "FILE", conflicts_with = "plain")]
    pub(crate) trail: Option<PathBuf>,
    /// Refuse to print more states than this [default: 2000]
    #[arg(long, value_name = "N")]
    pub(crate) states: Option<usize>,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
}

impl Dump {
    /// The first option that would have no effect, in words.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let Pictures { dot, svg, trail, states, hoa, properties, .. } = &self.pictures;
        let (automata, graph) = (self.form == Form::Automata, self.form == Form::States);
        let claim = self.form == Form::Claim;
        if *dot && !automata && !graph && !claim {
            Some("`--dot` draws graphs: use it with `--form automata`, `states` or `claim`")
        } else if *hoa && !claim {
            Some("`--hoa` is a format for claims: use it with `--form claim`")
        } else if !properties.is_empty() && !claim {
            Some("`--property` names what a claim is about: use it with `--form claim`")
        } else if self.plain
            && !automata
            && !graph
            && !matches!(self.form, Form::Factored | Form::Facts)
        {
            Some(
                "`--plain` is about automata: use it with `--form automata`, `states` or `factored`",
            )
        } else if *dot && graph && self.report.json {
            Some("states are either a graph for Graphviz or JSON: drop `--dot` or `--json`")
        } else if *svg && !automata {
            Some("`--svg` draws automata: use it with `--form automata`")
        } else if trail.is_some() && !(automata && (*dot || *svg)) {
            Some(
                "`--trail` shows a trail in automata: use it with `--form automata` and `--svg` or `--dot`",
            )
        } else if states.is_some() && !graph {
            Some("`--states` is a limit for `--form states`")
        } else {
            None
        }
    }
}
