//! Checks of properties about cycles that take turns with the portfolios.
//!
//! Each check is a [`PacedThread`]: it waits whenever it polls its observer, until the strategy grants
//! it more work. So a long proof of one property keeps no other property waiting.

use std::ops::ControlFlow;
use std::thread::Scope;

use beeline_kernel::{Deadline, Stop};
use beeline_model::{Property, Reason, System, Violation};
use beeline_search::Stats;

use super::paced_thread::{Message, PacedThread, Pacing, Reply};
use crate::liveness::check_claim;
use crate::observe::{Event, Observer};
use crate::plan::{Plan, Store};
use crate::report::{CheckError, SearchReport};
use crate::work::work;

/// What a check tells the strategy between its polls.
enum News {
    /// The property is violated.
    Violated(Violation, String),
    /// There is a shorter trail.
    Shortened(Violation, String),
    Notice(String),
    /// The result.
    Report(Box<Result<SearchReport, CheckError>>),
}

/// The observer inside of the thread of a check.
struct WaitingObserver {
    pacing: Pacing<Stats, News>,
    deadline: Deadline,
}

impl Observer for WaitingObserver {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.pacing.poll(*stats)
    }

    fn deadline(&self) -> Deadline {
        self.deadline
    }

    fn on_event(&mut self, event: &Event<'_>) {
        let news = match *event {
            Event::Violated { violation, by, .. } => {
                News::Violated(violation.clone(), by.to_owned())
            }
            Event::Shortened { violation, by, .. } => {
                News::Shortened(violation.clone(), by.to_owned())
            }
            Event::Notice(text) => News::Notice(text.to_owned()),
            // The strategy announces its own phases and all proofs.
            Event::Holds { .. } | Event::Phase(_) => return,
        };
        self.pacing.teller.tell(news);
    }
}

/// A check that takes turns: between two turns it waits for a reply, or is over.
struct CycleCheck<'a> {
    /// Its place among the properties asked for.
    number: usize,
    property: &'a Property,
    thread: PacedThread<Stats, News>,
    stats: Stats,
    report: Option<Result<SearchReport, CheckError>>,
}

/// All checks of properties about cycles.
pub(super) struct CycleChecks<'a> {
    checks: Vec<CycleCheck<'a>>,
}

impl<'a> CycleChecks<'a> {
    /// Starts a thread for each of these properties, by their places. Each waits for its first turn.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        numbers: &[usize],
        properties: &'a [Property],
        system: &'a dyn System,
        plan: &'a Plan,
        deadline: Deadline,
    ) -> CycleChecks<'a>
    where
        'a: 'scope,
    {
        let start = |&number: &usize| {
            let property = &properties[number];
            let thread = PacedThread::start(scope, None, move |first, pacing| {
                let mut observer = WaitingObserver { pacing, deadline };
                let report = match first {
                    ControlFlow::Continue(()) => {
                        check_claim(system, property, plan, Store::Exact, &mut observer)
                    }
                    ControlFlow::Break(stop) => Ok(SearchReport::unknown(Reason::Stopped(stop))),
                };
                observer.pacing.teller.tell(News::Report(Box::new(report)));
            });
            CycleCheck { number, property, thread, stats: Stats::default(), report: None }
        };
        CycleChecks { checks: numbers.iter().map(start).collect() }
    }

    /// Whether all checks are over.
    pub(super) fn is_over(&self) -> bool {
        self.checks.iter().all(|check| check.report.is_some())
    }

    /// What all checks have done so far.
    pub(super) fn stats(&self) -> Stats {
        let mut all = Stats::default();
        self.checks.iter().for_each(|check| all.add(&check.stats));
        all
    }

    /// Lets each check do this much more work. `past` is what the portfolios have done.
    ///
    /// # Errors
    ///
    /// When the observer stops the search.
    pub(super) fn take_turns(
        &mut self,
        more: u64,
        past: &Stats,
        observer: &mut dyn Observer,
    ) -> ControlFlow<Stop> {
        for at in 0..self.checks.len() {
            let mut others = *past;
            let rest = self.checks.iter().enumerate().filter(|(other, _)| *other != at);
            rest.for_each(|(_, check)| others.add(&check.stats));
            self.checks[at].take_turn(more, &others, observer)?;
        }
        ControlFlow::Continue(())
    }

    /// Ends all checks, and returns the report on each property by its place.
    pub(super) fn finish(
        self,
        stop: Stop,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(usize, SearchReport)>, CheckError> {
        let end = |check: CycleCheck<'a>| Ok((check.number, check.end(stop, observer)?));
        self.checks.into_iter().map(end).collect()
    }
}

impl CycleCheck<'_> {
    /// Lets the check go on until it has done this much more, or is over.
    fn take_turn(
        &mut self,
        more: u64,
        others: &Stats,
        observer: &mut dyn Observer,
    ) -> ControlFlow<Stop> {
        if self.report.is_some() {
            return ControlFlow::Continue(());
        }
        let end = work(&self.stats) + more;
        self.reply(ControlFlow::Continue(()));
        while self.receive(observer) {
            let mut all = *others;
            all.add(&self.stats);
            observer.poll(&all)?;
            if work(&self.stats) >= end {
                break;
            }
            self.reply(ControlFlow::Continue(()));
        }
        ControlFlow::Continue(())
    }

    fn reply(&self, reply: Reply) {
        self.thread.reply(reply);
    }

    /// Receives messages until the check waits for a reply: then `true`, or is over.
    fn receive(&mut self, observer: &mut dyn Observer) -> bool {
        let property = self.property;
        loop {
            let news = match self.thread.next() {
                Message::News(news) => news,
                Message::Polled(stats) => {
                    self.stats = stats;
                    return true;
                }
                Message::Over => unreachable!("a check reports before it is over"),
            };
            match news {
                News::Violated(violation, by) => {
                    let (violation, by) = (&violation, &*by);
                    observer.on_event(&Event::Violated { property, violation, by });
                }
                News::Shortened(violation, by) => {
                    let (property, violation, by) = (Some(property), &violation, &*by);
                    observer.on_event(&Event::Shortened { property, violation, by });
                }
                News::Notice(text) => observer.on_event(&Event::Notice(&text)),
                News::Report(report) => {
                    if let Ok(report) = &*report {
                        self.stats = report.stats;
                    }
                    self.report = Some(*report);
                    return false;
                }
            }
        }
    }

    /// Ends the check for this reason, unless it is over.
    fn end(mut self, stop: Stop, observer: &mut dyn Observer) -> Result<SearchReport, CheckError> {
        while self.report.is_none() {
            self.reply(ControlFlow::Break(stop));
            self.receive(observer);
        }
        self.report.expect("the loop ends with it")
    }
}
