//! Findings, stop conditions, and shortest paths to findings.

use beeline_kernel::{Expansion, Fault, FaultKind, Space};
use beeline_search::{
    Exploration, ExplorationOptions, ExplorationOrder, Finding, FindingKind, Outcome, StopCondition,
};

use crate::toys::{Graph, ORDERS, assertion, explore, line, random_graphs};

/// The nodes and kinds found.
fn found(graph: &Graph, options: ExplorationOptions<'_>) -> (Outcome, Vec<(u32, FindingKind)>) {
    let mut exploration = explore(graph, options);
    let outcome = exploration.finish();
    let node = |finding: &Finding| Graph::node(&exploration.state(finding.state));
    (outcome, exploration.findings().iter().map(|found| (node(found), found.kind)).collect())
}

#[test]
fn an_exhaustive_search_keeps_the_first_of_each_kind() {
    let mut graph = line(9);
    graph.faults.insert(2, vec![assertion(1), assertion(1), assertion(2)]);
    graph.faults.insert(5, vec![assertion(2), assertion(1)]);
    let kept = |keep| {
        let (outcome, found) =
            found(&graph, ExplorationOptions { keep, ..ExplorationOptions::default() });
        assert_eq!(outcome, Outcome::Complete);
        found
    };
    let fault = |site| FindingKind::Fault(assertion(site));
    let of_each = [(2, fault(1)), (2, fault(2)), (9, FindingKind::Deadlock)];
    assert_eq!(kept(0), of_each);
    assert_eq!(kept(1), of_each);
    assert_eq!(kept(2).len(), 5);
    assert_eq!(kept(100).len(), 6);
}

#[test]
fn a_search_for_a_kind_stops_at_that_kind() {
    // 0 → 1 → 2 → 3, and 1 → 4 → 5: a fault at 4, dead ends at 3 and 5.
    let edges = vec![vec![1], vec![2, 4], vec![3], vec![], vec![5], vec![]];
    let mut graph = Graph::new(edges);
    graph.faults.insert(4, vec![assertion(1)]);
    let fault = (4, FindingKind::Fault(assertion(1)));
    let check = |order, until, expected: &[(u32, FindingKind)]| {
        let (outcome, found) =
            found(&graph, ExplorationOptions { order, until, ..ExplorationOptions::default() });
        assert_eq!(outcome, Outcome::Found);
        assert_eq!(found, expected);
    };
    let stuck = (3, FindingKind::Deadlock);
    check(ExplorationOrder::Breadth, StopCondition::FirstFinding, &[fault]);
    check(ExplorationOrder::Breadth, StopCondition::FirstFault, &[fault]);
    check(ExplorationOrder::Breadth, StopCondition::FirstDeadlock, &[fault, stuck]);
    check(ExplorationOrder::Depth, StopCondition::FirstFinding, &[stuck]);
    check(ExplorationOrder::Depth, StopCondition::FirstFault, &[stuck, fault]);
    check(ExplorationOrder::Depth, StopCondition::FirstDeadlock, &[stuck]);
}

#[test]
fn a_search_that_finds_nothing_is_complete() {
    let graph = Graph::new(vec![vec![1], vec![0]]);
    for order in ORDERS {
        for until in
            [StopCondition::FirstFinding, StopCondition::FirstFault, StopCondition::FirstDeadlock]
        {
            let options = ExplorationOptions { order, until, ..ExplorationOptions::default() };
            assert_eq!(found(&graph, options), (Outcome::Complete, vec![]));
        }
    }
}

#[test]
fn breadth_first_finds_the_nearest_of_each_kind() {
    for graph in random_graphs() {
        let distances = graph.distances();
        let nearest = |is: &dyn Fn(u32) -> bool| {
            distances.iter().filter(|&(&node, _)| is(node)).map(|(_, &distance)| distance).min()
        };
        let mut exploration = explore(&graph, ExplorationOptions::default());
        exploration.finish();
        for &Finding { state, kind } in exploration.findings() {
            let expected = match kind {
                FindingKind::Deadlock => nearest(&|node| graph.edges[node as usize].is_empty()),
                FindingKind::Invariant(_) => unreachable!("toys have no invariants"),
                FindingKind::Fault(fault) => nearest(&|node| {
                    graph.faults.get(&node).is_some_and(|faults| faults.contains(&fault))
                }),
            };
            assert_eq!(Some(exploration.path_to(state).len() - 1), expected);
        }
    }
}

#[test]
fn all_orders_find_the_same_kinds() {
    for graph in random_graphs() {
        let kinds = |order| {
            let (_, found) =
                found(&graph, ExplorationOptions { order, ..ExplorationOptions::default() });
            let mut kinds: Vec<String> = found.iter().map(|(_, k)| format!("{k:?}")).collect();
            kinds.sort();
            kinds
        };
        assert!(ORDERS.iter().all(|&order| kinds(order) == kinds(ExplorationOrder::Breadth)));
    }
}

#[test]
fn a_model_that_fails_at_once_is_not_explored() {
    struct Broken;
    impl Space for Broken {
        fn initial(&self, _: &mut Vec<u8>) -> Result<(), Fault> {
            Err(Fault { kind: FaultKind::Division, ..assertion(3) })
        }
        fn expand(&self, _: &[u8], _: &mut Expansion) {
            unreachable!("there is no state")
        }
    }
    let fault = Exploration::new(&Broken, ExplorationOptions::default()).err().unwrap();
    assert_eq!(fault.kind, FaultKind::Division);
}
