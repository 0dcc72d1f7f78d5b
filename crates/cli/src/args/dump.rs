//! Options of `dump`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::input::{Input, PROMELA_ONLY};
use crate::args::meaning::Meaning;
use crate::args::number::whole;
use crate::args::property::parse_property;
use crate::args::report::Reporting;

const EXAMPLES: &str = "\
Examples:
  beeline dump mutex.pml --form ast                the model as it was read
  beeline dump mutex.pml --form automata --dot | dot -Tpdf > mutex.pdf
  beeline dump mutex.pml --form claim --property p the automaton of a formula
  beeline dump train-gate.xml --form automata      timed automata, with templates instantiated";

/// Options of `dump`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("model", |model| model.help(PROMELA_ONLY)))]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The form to print
    #[arg(long, value_enum)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) pictures: Pictures,
    /// No statement merging, no dead-variable reset
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

/// The forms of a model, in the order of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tokens after preprocessing, one per line, with the macros they came from
    Tokens,
    /// The syntax tree, printed as Promela
    Ast,
    /// The model with every name resolved and every type known
    Hir,
    /// The automata of the processes
    Automata,
    /// All reachable states of a small model, and the steps between them
    States,
    /// The automata of the negated ltl formulas, as never claims that SPIN reads
    Claim,
    /// The factored view: factors with the values they can have, and steps that read and write them
    #[value(alias = "model")]
    Factored,
    /// The guard, reads and writes of each step, and the variables that never change
    Facts,
}

/// The default limit of states of a graph.
pub(crate) const STATES: usize = 2_000;

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
    /// Show which edges a trail takes, how often, and where it ends; with --dot or --svg
    #[arg(long, value_name = "FILE", conflicts_with = "plain")]
    pub(crate) trail: Option<PathBuf>,
    /// Refuse to print more states than this [default: 2000]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) states: Option<usize>,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
}

impl Dump {
    /// A message about an option that would have no effect, if there is one.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let Pictures { dot, svg, trail, states, hoa, properties, .. } = &self.pictures;
        let (automata, graph) = (self.form == Form::Automata, self.form == Form::States);
        let claim = self.form == Form::Claim;
        if *dot && !automata && !graph && !claim {
            Some("`--dot` draws graphs: use it with `--form automata`, `states` or `claim`")
        } else if *hoa && !claim {
            Some("`--hoa` is a format for claims: use it with `--form claim`")
        } else if !properties.is_empty() && !claim {
            Some("`--property` selects a claim: use it with `--form claim`")
        } else if self.plain
            && !automata
            && !graph
            && !matches!(self.form, Form::Factored | Form::Facts)
        {
            Some(
                "`--plain` is about automata: use it with `--form automata`, `states` or \
                 `factored`",
            )
        } else if *dot && graph && self.report.json {
            Some("states are either a graph for Graphviz or JSON: drop `--dot` or `--json`")
        } else if *svg && !automata {
            Some("`--svg` draws automata: use it with `--form automata`")
        } else if trail.is_some() && !(automata && (*dot || *svg)) {
            Some(
                "`--trail` shows a trail in automata: use it with `--form automata` and `--svg` \
                 or `--dot`",
            )
        } else if states.is_some() && !graph {
            Some("`--states` is a limit for `--form states`")
        } else {
            None
        }
    }
}
