//! Processes: their number, which of them `init` and others start, and their arguments.

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::parts::Runnable;
use super::scope::Type;

impl Generator<'_> {
    /// All processes; never more than the configured number run.
    pub(super) fn processes(&mut self, units: &mut Vec<UnitKind>) {
        let (least, most) = self.config.processes;
        // Larger numbers are less likely.
        let count = self.rng.between(least, most).min(self.rng.between(least, most));
        let mut left = count.max(1);
        let with_init = self.chosen(Feature::Run);
        let channels = with_init && self.weight(Feature::Buffered) + self.rendezvous_weight() > 0;
        let private = (channels && self.chosen(Feature::LocalChannel)).then(|| self.signature(1));
        self.plan_roles(left);
        self.process_count = left;
        left -= u32::from(with_init);
        let mut number = 0;
        while left > 0 {
            let runnable = with_init && self.rng.percent(75);
            let cost = self.proctype(number, runnable, left, private, units);
            left -= cost.min(left);
            number += 1;
        }
        if with_init {
            let body = self.init(number, private);
            let priority = self.priority();
            units.push(UnitKind::Init(Init { priority, body }));
        }
    }

    fn plan_roles(&mut self, processes: u32) {
        self.all_roles = (0..=processes as usize).map(|process| self.roles(process)).collect();
    }

    /// Starts the proctypes that no process has started yet, then some other statements.
    fn init(&mut self, number_of: usize, private: Option<usize>) -> Sequence {
        let globals = self.vars.len();
        self.enter_process(number_of);
        let mut declarations = Vec::new();
        if let Some(signature) = private {
            let name = format!("q{}", self.vars.len()).into();
            let channel = self.declare_channel(name, signature, false, false);
            declarations.push(node(StmtKind::Variables(channel)));
        }
        let mut runs = Vec::new();
        for number in 0..self.runnables.len() {
            if !self.runnables[number].started {
                runs.extend(self.run(number).map(guard));
            }
        }
        let mut body = match runs.len() {
            0 => vec![skip()],
            1 => runs,
            _ if self.rng.percent(70) && self.weight(Feature::Atomic) > 0 => {
                vec![node(StmtKind::Atomic(runs))]
            }
            _ => runs,
        };
        let place = self.top();
        // A jump back would start all processes again.
        self.labels.clear();
        for _ in 0..self.rng.below(self.crowd(self.config.statements.1)) {
            self.append(place, &mut body);
        }
        let mut duties = self.duties();
        body.append(&mut duties);
        self.declare_counters(&mut declarations);
        declarations.append(&mut body);
        self.leave_process(globals);
        declarations
    }

    /// `run P(e)` within the budget of the current process.
    pub(super) fn run_statement(&mut self) -> Option<Stmt> {
        let affordable: Vec<usize> = (0..self.runnables.len())
            .filter(|&number| self.runnables[number].cost <= self.spawn_budget)
            .collect();
        let number = *self.rng.pick(&affordable)?;
        let run = self.run(number)?;
        self.spawn_budget -= self.runnables[number].cost;
        Some(guard(run))
    }

    fn run(&mut self, number_of: usize) -> Option<Expr> {
        let Runnable { name, params, .. } = self.runnables[number_of].clone();
        let mut args = Vec::new();
        for param in params {
            args.push(match param.ty {
                Type::Chan(_) => {
                    let path = self.find(|p| p.ty == param.ty)?;
                    read(self.reach(&path))
                }
                // SPIN does not allow passing a variable of a named set.
                Type::Mtype(set) => var(self.mtypes[set].constants[0].clone()),
                ty => self.value(ty, param.bound),
            });
        }
        self.runnables[number_of].started = true;
        let priority = self.priority().map(Box::new);
        Some(node(ExprKind::Run { proctype: ident(name), args, priority }))
    }
}
