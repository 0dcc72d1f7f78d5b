//! Evaluation of rules by joins: a new tuple is joined with what is known, so that each instance of
//! a rule is found once (semi-naive evaluation), and no tuples of parameters are enumerated that
//! miss a condition.
//!
//! Source: [Hel09], relaxed reachability as a logic program.
//! Deviation: the atoms of a rule are joined in a fixed order by indexes, not in pairs with
//! intermediate relations.

use beeline_kernel::Deadline;

use super::relation::Relation;

/// A term of a rule: a variable or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleTerm {
    Variable(usize),
    Object(u32),
}

/// A relation with terms.
#[derive(Clone, Debug)]
pub(super) struct RuleAtom {
    pub(super) relation: usize,
    pub(super) terms: Vec<RuleTerm>,
}

/// A condition besides the joined atoms.
#[derive(Clone, Debug)]
pub(super) enum RuleCheck {
    /// Two terms are the same object.
    Same(RuleTerm, RuleTerm),
    /// They are not.
    Different(RuleTerm, RuleTerm),
    /// A tuple is not in a relation that never changes.
    Absent(RuleAtom),
}

/// A rule: the head holds where all atoms and checks of the body do.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) head: RuleAtom,
    pub(super) body: Vec<RuleAtom>,
    pub(super) checks: Vec<RuleCheck>,
    /// By variable: the objects that it may be, in order, if it occurs in the rule.
    pub(super) domains: Vec<std::sync::Arc<[crate::task::ObjectId]>>,
}

/// Why the evaluation ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvaluationStop {
    Time,
    /// The memory is used up, by so many tuples of a relation that are not inserted yet, or by all.
    Memory {
        /// The relation.
        relation: usize,
        /// The tuples.
        tuples: usize,
    },
}

/// The most positions of a key that is on the stack.
const SHORT_KEY: usize = 16;

/// One step of a join.
#[derive(Clone, Debug)]
enum JoinStep {
    /// Binds variables to the tuples of an atom that agree with what is bound.
    Atom {
        atom: usize,
        index: usize,
        key: Vec<RuleTerm>,
        binds: Vec<(usize, usize)>,
        repeats: Vec<(usize, usize)>,
    },
    /// A variable of no atom: all of its objects.
    Each(usize),
    /// Checks whose variables are bound.
    Check(usize),
}

/// The join of a rule that begins with a tuple of one of its atoms; without one, of all tuples.
#[derive(Clone, Debug)]
struct JoinPlan {
    rule: usize,
    first: Option<usize>,
    steps: Vec<JoinStep>,
}

/// The relations and rules in evaluation.
pub(super) struct Evaluation<'r> {
    pub(super) relations: Vec<Relation>,
    rules: &'r [Rule],
    plans: Vec<JoinPlan>,
    /// By relation: the plans that begin with one of its tuples.
    triggered: Vec<Vec<usize>>,
    /// The tuples whose consequences are not known yet.
    queue: Vec<(usize, u32)>,
    clock: u32,
    deadline: Deadline,
    bytes: usize,
    work: u32,
    /// By rule and variable: whether an object is in the domain.
    members: Vec<Vec<Vec<bool>>>,
}

impl<'r> Evaluation<'r> {
    /// Prepares rules; `is_static` tells the relations that never change.
    pub(super) fn new(
        mut relations: Vec<Relation>,
        rules: &'r [Rule],
        is_static: &[bool],
        objects: usize,
        deadline: Deadline,
        bytes: usize,
    ) -> Self {
        let mut plans = Vec::new();
        let mut triggered = vec![Vec::new(); relations.len()];
        for (at, rule) in rules.iter().enumerate() {
            let fluent: Vec<usize> =
                (0..rule.body.len()).filter(|&atom| !is_static[rule.body[atom].relation]).collect();
            let firsts: Vec<Option<usize>> = match fluent.is_empty() {
                true => vec![None],
                false => fluent.into_iter().map(Some).collect(),
            };
            for first in firsts {
                if let Some(first) = first {
                    triggered[rule.body[first].relation].push(plans.len());
                }
                let steps = order(rule, first, &mut relations);
                plans.push(JoinPlan { rule: at, first, steps });
            }
        }
        let members = rules.iter().map(|rule| {
            let each = rule.domains.iter().map(|domain| {
                let mut is_member = vec![false; objects];
                domain.iter().for_each(|object| is_member[object.0 as usize] = true);
                is_member
            });
            each.collect()
        });
        let members = members.collect();
        Evaluation {
            relations,
            rules,
            plans,
            triggered,
            queue: Vec::new(),
            clock: 0,
            deadline,
            bytes,
            work: 0,
            members,
        }
    }

    /// Adds a tuple that holds initially.
    pub(super) fn add(&mut self, relation: usize, tuple: &[u32]) {
        self.clock += 1;
        if let Some(id) = self.relations[relation].insert(tuple, self.clock) {
            self.queue.push((relation, id));
        }
    }

    /// Derives all tuples.
    pub(super) fn run(&mut self) -> Result<(), EvaluationStop> {
        let mut found = Vec::new();
        let variables = self.rules.iter().map(|rule| rule.domains.len()).max().unwrap_or(0);
        let mut binding = vec![u32::MAX; variables];
        for plan in 0..self.plans.len() {
            if self.plans[plan].first.is_none() {
                binding.fill(u32::MAX);
                self.join_all(plan, &mut binding, u32::MAX, &mut found)?;
            }
        }
        let mut next = 0;
        while let Some(&(relation, id)) = self.queue.get(next) {
            next += 1;
            for at in 0..self.triggered[relation].len() {
                let plan = self.triggered[relation][at];
                let rule = self.plans[plan].rule;
                let first = self.plans[plan].first.expect("triggered plans begin with an atom");
                binding.fill(u32::MAX);
                let time = self.relations[relation].times[id as usize];
                if self.bind_first(rule, first, id, &mut binding) {
                    self.join_all(plan, &mut binding, time, &mut found)?;
                }
            }
        }
        Ok(())
    }

    /// Finds the heads of a plan with these bindings, and inserts them.
    fn join_all(
        &mut self,
        plan: usize,
        binding: &mut [u32],
        time: u32,
        found: &mut Vec<u32>,
    ) -> Result<(), EvaluationStop> {
        let plan = &self.plans[plan];
        let mut join = Join {
            rule: &self.rules[plan.rule],
            members: &self.members[plan.rule],
            relations: &self.relations,
            plan,
            time,
            found,
            work: self.work,
            deadline: self.deadline,
            bytes: self.bytes.saturating_sub(self.queue.capacity() * 16),
        };
        let done = join.steps(0, binding);
        self.work = join.work;
        let rule = plan.rule;
        done?;
        self.take(rule, found)
    }

    /// Inserts the found heads of a rule.
    fn take(&mut self, rule: usize, found: &mut Vec<u32>) -> Result<(), EvaluationStop> {
        let head = self.rules[rule].head.relation;
        let arity = self.relations[head].arity;
        if arity == 0 {
            if !found.is_empty() {
                self.add(head, &[]);
            }
        } else {
            for tuple in found.chunks_exact(arity) {
                self.clock += 1;
                if let Some(id) = self.relations[head].insert(tuple, self.clock) {
                    self.queue.push((head, id));
                }
            }
        }
        found.clear();
        Ok(())
    }

    /// Binds the variables of the first atom to a tuple.
    fn bind_first(&self, rule: usize, first: usize, id: u32, binding: &mut [u32]) -> bool {
        let atom = &self.rules[rule].body[first];
        let tuple = self.relations[atom.relation].tuple(id);
        atom.terms.iter().zip(tuple).all(|(&term, &object)| match term {
            RuleTerm::Object(own) => own == object,
            RuleTerm::Variable(variable) if binding[variable] == u32::MAX => {
                binding[variable] = object;
                self.members[rule][variable][object as usize]
            }
            RuleTerm::Variable(variable) => binding[variable] == object,
        })
    }
}

/// The join of a plan in progress.
struct Join<'a> {
    plan: &'a JoinPlan,
    rule: &'a Rule,
    relations: &'a [Relation],
    members: &'a [Vec<bool>],
    /// When the first atom became known.
    time: u32,
    /// The heads of complete bindings, one after the other.
    found: &'a mut Vec<u32>,
    work: u32,
    deadline: Deadline,
    bytes: usize,
}

impl Join<'_> {
    /// Whether a limit is reached.
    fn poll(&mut self) -> Result<(), EvaluationStop> {
        self.work = self.work.wrapping_add(1);
        if self.work.is_multiple_of(4096) {
            if self.deadline.is_over() {
                return Err(EvaluationStop::Time);
            }
            let held: usize = self.relations.iter().map(Relation::bytes).sum();
            if held + self.found.capacity() * 4 > self.bytes {
                let RuleAtom { relation, terms } = &self.rule.head;
                let (relation, tuples) = (*relation, self.found.len() / terms.len().max(1));
                return Err(EvaluationStop::Memory { relation, tuples });
            }
        }
        Ok(())
    }

    /// Makes the steps from one on; complete bindings add a head to what was found.
    fn steps(&mut self, at: usize, binding: &mut [u32]) -> Result<(), EvaluationStop> {
        self.poll()?;
        let (plan, rule, members) = (self.plan, self.rule, self.members);
        let Some(step) = plan.steps.get(at) else {
            if rule.head.terms.is_empty() {
                self.found.push(0);
            }
            self.found.extend(rule.head.terms.iter().map(|&term| value(term, binding)));
            return Ok(());
        };
        match step {
            JoinStep::Check(check) => {
                if self.passes(&rule.checks[*check], binding) {
                    self.steps(at + 1, binding)?;
                }
            }
            &JoinStep::Each(variable) => {
                for object in rule.domains[variable].iter() {
                    binding[variable] = object.0;
                    self.steps(at + 1, binding)?;
                }
                binding[variable] = u32::MAX;
            }
            JoinStep::Atom { atom, index, key, binds, repeats } => {
                let relation = &self.relations[rule.body[*atom].relation];
                // Atoms before the first one are joined with older tuples only, so that an
                // instance is found by its newest atom, and once.
                let is_before = plan.first.is_some_and(|first| *atom < first);
                let limit = if is_before { self.time } else { self.time.saturating_add(1) };
                let (mut short, mut long) = ([0; SHORT_KEY], Vec::new());
                let values = match short.get_mut(..key.len()) {
                    Some(values) => values,
                    None => {
                        long.resize(key.len(), 0);
                        &mut long[..]
                    }
                };
                values.iter_mut().zip(key).for_each(|(place, &term)| *place = value(term, binding));
                for id in relation.with_key(*index, values) {
                    if relation.times[id as usize] >= limit {
                        break;
                    }
                    let tuple = relation.tuple(id);
                    if repeats.iter().any(|&(one, other)| tuple[one] != tuple[other]) {
                        continue;
                    }
                    let fits = binds.iter().all(|&(position, variable)| {
                        binding[variable] = tuple[position];
                        members[variable][tuple[position] as usize]
                    });
                    if fits {
                        self.steps(at + 1, binding)?;
                    }
                }
                for &(_, variable) in binds {
                    binding[variable] = u32::MAX;
                }
            }
        }
        Ok(())
    }

    fn passes(&self, check: &RuleCheck, binding: &[u32]) -> bool {
        match check {
            RuleCheck::Same(a, b) => value(*a, binding) == value(*b, binding),
            RuleCheck::Different(a, b) => value(*a, binding) != value(*b, binding),
            RuleCheck::Absent(atom) => {
                let tuple: Vec<u32> = atom.terms.iter().map(|&term| value(term, binding)).collect();
                self.relations[atom.relation].find(&tuple).is_none()
            }
        }
    }
}

fn value(term: RuleTerm, binding: &[u32]) -> u32 {
    match term {
        RuleTerm::Variable(variable) => binding[variable],
        RuleTerm::Object(object) => object,
    }
}

/// The steps of a join: the atom with the most bound positions is next; checks come as soon as
/// their variables are bound.
fn order(rule: &Rule, first: Option<usize>, relations: &mut [Relation]) -> Vec<JoinStep> {
    let mut bound = vec![false; rule.domains.len()];
    let bind = |atom: &RuleAtom, bound: &mut [bool]| {
        for term in &atom.terms {
            if let RuleTerm::Variable(variable) = term {
                bound[*variable] = true;
            }
        }
    };
    if let Some(first) = first {
        bind(&rule.body[first], &mut bound);
    }
    let mut left: Vec<usize> = (0..rule.body.len()).filter(|&atom| Some(atom) != first).collect();
    let mut checks: Vec<usize> = (0..rule.checks.len()).collect();
    let mut steps = Vec::new();
    add_checks(rule, &bound, &mut checks, &mut steps);
    while !left.is_empty() {
        let is_bound = |term: &RuleTerm, bound: &[bool]| match term {
            RuleTerm::Object(_) => true,
            RuleTerm::Variable(variable) => bound[*variable],
        };
        // Fewest new variables first; then the most bound positions; then the smaller relation.
        let best = left.iter().enumerate().min_by_key(|&(_, &atom)| {
            let of = &rule.body[atom];
            let known = of.terms.iter().filter(|term| is_bound(term, &bound)).count();
            let free = of.terms.len() - known;
            (free > 0 && known == 0, free, usize::MAX - known, relations[of.relation].len())
        });
        let (place, &atom) = best.expect("some atom is left");
        left.remove(place);
        let of = &rule.body[atom];
        let (mut positions, mut key, mut binds, mut repeats) =
            (Vec::new(), Vec::new(), Vec::<(usize, usize)>::new(), Vec::new());
        for (position, term) in of.terms.iter().enumerate() {
            if is_bound(term, &bound) {
                positions.push(position);
                key.push(*term);
            } else if let RuleTerm::Variable(variable) = *term {
                match binds.iter().find(|one| one.1 == variable) {
                    Some(&(earlier, _)) => repeats.push((earlier, position)),
                    None => binds.push((position, variable)),
                }
            }
        }
        let index = relations[of.relation].index_on(&positions);
        steps.push(JoinStep::Atom { atom, index, key, binds, repeats });
        bind(of, &mut bound);
        add_checks(rule, &bound, &mut checks, &mut steps);
    }
    // Variables of the head and the checks that no atom binds.
    let mut needed = vec![false; bound.len()];
    let mut need = |terms: &[RuleTerm]| {
        for term in terms {
            if let RuleTerm::Variable(variable) = term {
                needed[*variable] = true;
            }
        }
    };
    need(&rule.head.terms);
    for check in &rule.checks {
        match check {
            RuleCheck::Same(a, b) | RuleCheck::Different(a, b) => need(&[*a, *b]),
            RuleCheck::Absent(atom) => need(&atom.terms),
        }
    }
    for variable in 0..bound.len() {
        if needed[variable] && !bound[variable] {
            steps.push(JoinStep::Each(variable));
            bound[variable] = true;
            add_checks(rule, &bound, &mut checks, &mut steps);
        }
    }
    steps
}

fn add_checks(rule: &Rule, bound: &[bool], checks: &mut Vec<usize>, steps: &mut Vec<JoinStep>) {
    let is_bound = |term: &RuleTerm| match term {
        RuleTerm::Object(_) => true,
        RuleTerm::Variable(variable) => bound[*variable],
    };
    checks.retain(|&at| {
        let ready = match &rule.checks[at] {
            RuleCheck::Same(a, b) | RuleCheck::Different(a, b) => is_bound(a) && is_bound(b),
            RuleCheck::Absent(atom) => atom.terms.iter().all(is_bound),
        };
        if ready {
            steps.push(JoinStep::Check(at));
        }
        !ready
    });
}
