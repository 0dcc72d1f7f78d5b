//! Alternation, preferred and useless steps, ε-greedy choice, types and novelty: they help where an
//! estimate is misleading, and never change completeness or a verdict.

use std::sync::Arc;

use beeline_kernel::{
    Blind, Claims, Cost, Estimate, Expansion, Fault, Heuristic, Space, StepPreference, Stop,
};
use beeline_search::{
    BestFirst, BestFirstConfig, Diversification, Evaluation, GoalTest, Limits, NoveltyWidth,
    Outcome, QueueOrder, Reopening, Search, SearchQuery, SearchTarget, UselessSteps, Weight,
};

use crate::roads::{
    Dice, Oracle, Roads, TARGETS, check_paths, check_slices, city, node, oracles, random_roads,
};

const GREEDY: BestFirstConfig =
    BestFirstConfig { queue_order: QueueOrder::Fifo, ..BestFirstConfig::GREEDY };
const CHANCE: Weight = Weight { over: 1, under: 5 };

/// The preference of the step from one node to another.
type Say = Arc<dyn Fn(u32, u32) -> StepPreference + Send + Sync>;

/// An oracle with step preferences.
#[derive(Clone)]
struct Adviser {
    oracle: Oracle,
    say: Say,
}

impl Heuristic for Adviser {
    fn name(&self) -> &str {
        "adviser"
    }

    fn claims(&self) -> Claims {
        self.oracle.claims
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.oracle.estimate(state)
    }

    fn step_preferences(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        advice: &mut Vec<StepPreference>,
    ) {
        advice.clear();
        advice.extend(successors.states().map(|next| (self.say)(node(state), node(next))));
    }
}

fn greedy(diversification: Diversification) -> BestFirstConfig {
    BestFirstConfig { diversification, ..GREEDY }
}

/// The number of expansions until the first hit.
fn effort(roads: &Roads, first: &Oracle, others: &[&Oracle], method: BestFirstConfig) -> u64 {
    let heuristics = others.iter().map(|other| other.boxed()).collect();
    effort_of(roads, first.boxed(), heuristics, method)
}

fn effort_of<'a>(
    space: &'a dyn Space,
    first: Box<dyn Heuristic + 'a>,
    others: Vec<Box<dyn Heuristic + 'a>>,
    method: BestFirstConfig,
) -> u64 {
    let query = SearchQuery::new(SearchTarget::DEADLOCK);
    let mut search = BestFirst::new(space, first, method, query).expect("it does not fail");
    if !others.is_empty() {
        search = search.with_heuristics(others);
    }
    assert_eq!(search.finish(), Outcome::Found);
    search.stats().expanded
}

#[test]
fn two_heuristics_that_know_half_the_way_each_find_all_of_it() {
    let width = 40;
    let roads = city(width);
    let oracle = |h: &dyn Fn(u32, u32) -> u32| {
        let numbers: Vec<u32> = (0..width * width).map(|at| h(at % width, at / width)).collect();
        Oracle::numbers(&numbers)
    };
    let left = |x, y| 2 * (width - 1) - x - y;
    let near = oracle(&|x, y| left(x, y).min(width));
    // Guides along the middle, to where the other heuristic is informed.
    let far = oracle(&|x, y| if left(x, y) > width { left(x, y) + x.abs_diff(y) } else { width });
    let alone = [&near, &far].map(|one| effort(&roads, one, &[], GREEDY));
    let both = effort(&roads, &near, &[&far], GREEDY);
    assert!(alone.iter().all(|&alone| alone > 400), "{alone:?}");
    assert!(both < 200, "{both}");
    let lazy = BestFirstConfig { evaluation: Evaluation::Lazy, ..GREEDY };
    let both = effort(&roads, &near, &[&far], lazy);
    assert!(both < 300, "{both}");
}

/// A long descent that leads nowhere, and a short path over a hill to the error.
fn valley() -> (Roads, Oracle) {
    let last = 5000;
    let mut edges: Vec<Vec<(u32, u32)>> = (0..last).map(|node| vec![(node + 1, 1)]).collect();
    edges[0].push((last + 1, 1));
    edges.extend([vec![], vec![(last + 2, 1)], vec![]]);
    let roads = Roads { edges, stuck: vec![last + 2], ..Roads::default() };
    let estimates: Vec<u32> = (0..=last).rev().chain([9000, 9000]).collect();
    (roads, Oracle::numbers(&estimates))
}

#[test]
fn chance_leaves_a_valley() {
    let (roads, oracle) = valley();
    assert!(effort(&roads, &oracle, &[], GREEDY) > 4000);
    for seed in 1..=10 {
        let diversification = Diversification { chance: CHANCE, seed, ..Diversification::NONE };
        let expanded = effort(&roads, &oracle, &[], greedy(diversification));
        assert!(expanded < 200, "{expanded}");
    }
}

#[test]
fn a_state_of_a_rare_type_has_its_turn() {
    // A thousand nodes of the same type, and three in a row of another one.
    let mut edges = vec![(1..=1001).map(|node| (node, 1)).collect::<Vec<_>>()];
    edges.extend((1..=1000).map(|_| vec![]));
    edges.extend([vec![(1002, 1)], vec![(1003, 1)], vec![]]);
    let roads = Roads { edges, stuck: vec![1003], ..Roads::default() };
    let mut estimates = vec![1; 1001];
    estimates.extend([5, 5, 5]);
    let oracle = Oracle::numbers(&estimates);
    assert!(effort(&roads, &oracle, &[], GREEDY) > 1000);
    for seed in 1..=10 {
        let diversification = Diversification { types: true, seed, ..Diversification::NONE };
        let expanded = effort(&roads, &oracle, &[], greedy(diversification));
        assert!(expanded < 60, "{expanded}");
    }
}

/// A position, and unrelated counters.
struct Corridor {
    length: u8,
    counters: usize,
}

impl Space for Corridor {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        *state = vec![0; 1 + self.counters];
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        expansion.deadlock = state[0] == self.length;
        let mut next = state.to_vec();
        for at in (0..state.len()).filter(|&at| at > 0 || state[0] < self.length) {
            next[at] = if at == 0 { state[0] + 1 } else { (state[at] + 1) % 16 };
            expansion.push(&next);
            next[at] = state[at];
        }
    }
}

#[test]
fn novelty_crosses_a_plateau() {
    let corridor = Corridor { length: 20, counters: 3 };
    let effort = |novelty| {
        let method = greedy(Diversification { novelty, ..Diversification::NONE });
        effort_of(&corridor, Box::new(Blind), Vec::new(), method)
    };
    let (plain, one, two) =
        (effort(None), effort(Some(NoveltyWidth::One)), effort(Some(NoveltyWidth::Two)));
    assert!(plain > 5_000, "{plain}");
    assert!(one < 100 && two < 1000, "{one} {two}");
}

/// A binary tree of this depth; its last leaf is stuck.
fn tree(depth: u32) -> Roads {
    let inner = (1 << depth) - 1;
    let behind = |at: u32| if at < inner { vec![(2 * at + 1, 1), (2 * at + 2, 1)] } else { vec![] };
    let edges = (0..2 * inner + 1).map(behind).collect();
    Roads { edges, stuck: vec![2 * inner], ..Roads::default() }
}

/// Whether a node of a tree is on the way to its last leaf.
fn is_on_the_way(node: u32) -> bool {
    (node + 2).is_power_of_two()
}

#[test]
fn advice_leads_where_estimates_are_all_the_same() {
    let roads = tree(12);
    let oracle = Oracle::numbers(&vec![1; roads.edges.len()]);
    let adviser = |good: StepPreference, bad: StepPreference| {
        let say: Say = Arc::new(move |_, to| if is_on_the_way(to) { good } else { bad });
        Box::new(Adviser { oracle: oracle.clone(), say })
    };
    let prefers = || adviser(StepPreference::Preferred, StepPreference::Plain);
    let rejects = || adviser(StepPreference::Plain, StepPreference::Useless);
    let preferred = Diversification { preferred: Some(0), ..Diversification::NONE };
    let useless = Diversification { useless: UselessSteps::Last, ..Diversification::NONE };
    for evaluation in [Evaluation::Eager, Evaluation::Lazy] {
        let effort = |adviser: Box<Adviser>, diversification| {
            let method = BestFirstConfig { evaluation, ..greedy(diversification) };
            effort_of(&roads, adviser, Vec::new(), method)
        };
        assert!(effort(prefers(), Diversification::NONE) > 8000);
        assert!(effort(prefers(), preferred) < 30);
        assert!(effort(rejects(), preferred) > 8000);
        assert_eq!(effort(rejects(), useless), 13);
        // Both heuristics are asked, and one of them has preferences.
        let method = BestFirstConfig { evaluation, ..greedy(preferred) };
        let both = effort_of(&roads, oracle.boxed(), vec![prefers()], method);
        assert!(both < 60, "{both}");
    }
}

#[test]
fn progress_gives_turns_to_preferred_steps() {
    // The estimate decreases up to a plateau, where most of the work is.
    let roads = tree(14);
    let depth = |at: usize| (at + 1).ilog2();
    let estimates: Vec<u32> = (0..roads.edges.len()).map(|at| 4 - depth(at).min(4)).collect();
    let say: Say =
        Arc::new(
            |_, to| if to % 2 == 0 { StepPreference::Preferred } else { StepPreference::Plain },
        );
    let effort = |boost| {
        let oracle = Oracle::numbers(&estimates);
        let adviser = Box::new(Adviser { oracle, say: Arc::clone(&say) });
        let method = greedy(Diversification { preferred: Some(boost), ..Diversification::NONE });
        effort_of(&roads, adviser, Vec::new(), method)
    };
    let (without, with) = (effort(0), effort(1000));
    assert!(with < without && with < 20, "{with} {without}");
}

#[test]
fn a_better_step_to_a_waiting_state_counts() {
    // 3 is reached by a useless step, and then by another one.
    let roads = Roads {
        stuck: vec![4],
        ..Roads::plain(&[&[3, 1, 2], &[3], &[5], &[4], &[], &[6], &[7], &[]])
    };
    let oracle = Oracle::numbers(&[1; 8]);
    let say: Say = Arc::new(|from, to| {
        if (from, to) == (0, 3) { StepPreference::Useless } else { StepPreference::Plain }
    });
    let effort = |useless| {
        let adviser = Box::new(Adviser { oracle: oracle.clone(), say: Arc::clone(&say) });
        let method = greedy(Diversification { useless, ..Diversification::NONE });
        effort_of(&roads, adviser, Vec::new(), method)
    };
    // 0 3 1 2 4, and 0 1 2 3 5 4: 3 is expanded before 6 and 7.
    assert_eq!((effort(UselessSteps::Ignored), effort(UselessSteps::Last)), (5, 6));
}

/// All kinds of diversification.
fn varieties() -> Vec<Diversification> {
    let mut all = vec![Diversification { seed: 7, ..Diversification::NONE }];
    let mut vary = |change: &dyn Fn(Diversification) -> Diversification| {
        let changed: Vec<Diversification> =
            all.iter().map(|&diversification| change(diversification)).collect();
        all.extend(changed);
    };
    vary(&|v| Diversification { preferred: Some(3), ..v });
    vary(&|v| Diversification { useless: UselessSteps::Last, ..v });
    vary(&|v| Diversification { chance: CHANCE, ..v });
    vary(&|v| Diversification { types: true, ..v });
    vary(&|v| Diversification { novelty: Some(NoveltyWidth::One), ..v });
    all.push(Diversification { novelty: Some(NoveltyWidth::Two), ..Diversification::NONE });
    all
}

/// An oracle with random preferences.
fn advising(oracle: &Oracle, seed: u64) -> Box<dyn Heuristic> {
    let say: Say = Arc::new(move |from, to| {
        let dice = &mut Dice(seed ^ u64::from(from) << 20 ^ u64::from(to));
        dice.below(9);
        [StepPreference::Useless, StepPreference::Plain, StepPreference::Preferred]
            [dice.below(3) as usize]
    });
    Box::new(Adviser { oracle: oracle.clone(), say })
}

fn make<'a>(
    roads: &'a Roads,
    oracles: &[&Oracle],
    method: BestFirstConfig,
    query: SearchQuery<'a>,
) -> BestFirst<'a> {
    let mut advisers = (1..).zip(oracles).map(|(seed, oracle)| advising(oracle, seed));
    let first = advisers.next().expect("there is one");
    let search = BestFirst::new(roads, first, method, query).expect("roads do not fail");
    search.with_heuristics(advisers.collect())
}

/// The configurations of the tests.
fn methods() -> impl Iterator<Item = BestFirstConfig> {
    let weighted = BestFirstConfig::weighted(Weight { over: 3, under: 2 });
    let lazy = BestFirstConfig { evaluation: Evaluation::Lazy, ..GREEDY };
    let closed = BestFirstConfig { reopening: Reopening::Never, ..BestFirstConfig::A_STAR };
    let early = BestFirstConfig { goal_test: GoalTest::Generation, ..BestFirstConfig::GREEDY };
    let all = [BestFirstConfig::GREEDY, lazy, BestFirstConfig::A_STAR, weighted, closed, early];
    all.into_iter().flat_map(|method| {
        varieties()
            .into_iter()
            .map(move |diversification| BestFirstConfig { diversification, ..method })
    })
}

#[test]
fn no_variety_costs_a_verdict() {
    for (seed, roads) in random_roads().enumerate().skip(3).step_by(9) {
        for target in TARGETS {
            let truth = roads.distances(target)[0];
            let expected = truth.map_or(Outcome::Complete, |_| Outcome::Found);
            let all = oracles(&roads, target, seed as u64);
            for pair in [[0, 3], [2, 1], [3, 2]] {
                let pair = pair.map(|at: usize| &all[at]);
                for method in methods() {
                    let mut search = make(&roads, &pair, method, SearchQuery::new(target));
                    assert_eq!(search.finish(), expected, "{method:?}");
                    // Checks the paths, and that no bound exceeds the true cost.
                    let costs = check_paths(&roads, target, &search);
                    let is_proved = !costs.is_empty() && search.is_shortest(0);
                    assert!(!is_proved || costs[0] == truth.unwrap_or(0), "{method:?}");
                }
            }
        }
    }
}

#[test]
fn every_variety_sees_every_state() {
    let reachable = |roads: &Roads| {
        let query = SearchQuery::new(SearchTarget::NOTHING);
        let mut search =
            BestFirst::new(roads, Box::new(Blind), BestFirstConfig::DIJKSTRA, query).unwrap();
        assert_eq!(search.finish(), Outcome::Complete);
        search.stats().stored
    };
    for (seed, roads) in random_roads().enumerate().skip(4).step_by(10) {
        let expected = reachable(&roads);
        let mut dice = Dice(seed as u64);
        // Wrong dead ends, of heuristics that do not claim to be safe.
        let mut wild = || {
            let estimate = |_| match dice.below(5) {
                0 => Estimate::DeadEnd,
                h => Estimate::Finite(Cost(h)),
            };
            let estimates = roads.edges.iter().map(estimate).collect();
            Oracle { estimates, claims: Claims::NONE }
        };
        let (one, two) = (wild(), wild());
        for method in methods() {
            let query = SearchQuery::new(SearchTarget::NOTHING);
            let mut search = make(&roads, &[&one, &two], method, query);
            assert_eq!(search.finish(), Outcome::Complete, "{method:?}");
            let stats = search.stats();
            assert_eq!(stats.stored, expected, "{method:?}");
            assert_eq!(stats.expanded - stats.reopened, expected, "{method:?}");
        }
    }
}

#[test]
fn a_dead_end_is_believed_if_whoever_says_so_is_safe() {
    // 0 → 1 → 2 and 0 → 3 → 4; the second heuristic reports a dead end at 1.
    let roads = Roads { stuck: vec![4], ..Roads::plain(&[&[1, 3], &[2], &[], &[4], &[]]) };
    let flat = Oracle::numbers(&[1; 5]);
    for evaluation in [Evaluation::Eager, Evaluation::Lazy] {
        for (safe, expected) in [(true, 3), (false, 5)] {
            let mut second = Oracle::numbers(&[1; 5]);
            second.estimates[1] = Estimate::DeadEnd;
            second.claims = Claims { safe, ..Claims::NONE };
            let method = BestFirstConfig { evaluation, ..GREEDY };
            let query = SearchQuery {
                after_hit: beeline_search::AfterHit::Continue,
                ..SearchQuery::new(SearchTarget::DEADLOCK)
            };
            let mut search = make(&roads, &[&flat, &second], method, query);
            assert_eq!(search.finish(), Outcome::Complete);
            assert_eq!((search.stats().expanded, search.hits().len()), (expected, 1));
        }
    }
}

#[test]
fn a_depth_limit_is_admitted() {
    let (mut limited, mut complete) = (0, 0);
    for roads in random_roads().skip(2).step_by(7) {
        let flat = Oracle::numbers(&vec![1; roads.edges.len()]);
        for method in methods() {
            for depth in [3, 12, 1000] {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::NOTHING) };
                let mut search = make(&roads, &[&flat, &flat], method, query);
                match search.finish() {
                    Outcome::Complete => {
                        complete += 1;
                        assert_eq!(
                            search.stats().stored,
                            search.stats().expanded - search.stats().reopened
                        );
                    }
                    outcome => {
                        limited += 1;
                        assert_eq!(outcome, Outcome::Incomplete(Stop::Depth));
                        assert!(
                            search.stats().expanded
                                < search.stats().stored + search.stats().reopened
                        );
                    }
                }
            }
        }
    }
    assert!(limited > 1000 && complete > 500, "{limited} {complete}");
}

#[test]
fn the_same_seed_is_the_same_search() {
    let roads = Roads::random(5, 300, 4, 2);
    let target = SearchTarget::NOTHING;
    let all = oracles(&roads, SearchTarget::DEADLOCK, 3);
    let mut runs = Vec::new();
    for seed in [1, 2] {
        let diversification = Diversification {
            preferred: Some(5),
            useless: UselessSteps::Last,
            chance: CHANCE,
            types: true,
            novelty: Some(NoveltyWidth::Two),
            seed,
        };
        for evaluation in [Evaluation::Eager, Evaluation::Lazy] {
            let method = BestFirstConfig {
                evaluation,
                ..BestFirstConfig::weighted(Weight { over: 2, under: 1 })
            };
            let method = BestFirstConfig { diversification, ..method };
            let make = || -> Box<dyn Search> {
                Box::new(make(&roads, &[&all[3], &all[0]], method, SearchQuery::new(target)))
            };
            runs.push(check_slices(make));
        }
    }
    // Another seed yields another order, which shows in repeated visits on cheaper paths.
    assert_ne!(runs[0].1, runs[2].1);
}
