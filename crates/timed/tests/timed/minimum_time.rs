//! Searches of least time: the earliest time is that of digitised time, and the run ends then.

use beeline_kernel::{Blind, CostModel};
use beeline_model::{Model, SystemOptions};
use beeline_search::{BestFirst, BestFirstConfig, CoveringStore, Outcome, Search, SearchQuery};
use beeline_timed::model::TimedModel;
use beeline_timed::resolve::queries::QueryCode;

use crate::digitised::earliest;
use crate::exploring::model;
use crate::fixtures::fixtures;
use crate::random::{network, seeds};

/// The least cost of a state that each query `E<>` asks for, with the remark on it.
fn least_costs(model: &TimedModel) -> Vec<Option<(u32, String)>> {
    let properties = model.properties();
    let mut found = Vec::new();
    model.with_system(&properties, SystemOptions::default(), &mut |system| {
        let costed = system.costed(CostModel::Time).expect("a run takes time");
        for property in &properties {
            let target = system.target(property).expect("states decide it");
            let (query, config) = (SearchQuery::new(target), BestFirstConfig::DIJKSTRA);
            let search = BestFirst::<CoveringStore>::with_store(
                costed.space(),
                Box::new(Blind),
                config,
                query,
            );
            let mut search = search.expect("there is an initial state");
            let outcome = search.finish();
            let hit = Search::hits(&search).first().copied();
            found.push(hit.map(|hit| {
                let path = Search::path(&search, 0);
                let violation = costed.witness(&path, hit.kind).expect("the run is executed");
                let cost = hit.cost.expect("paths have costs").0;
                let last_step = costed.cost_of(&violation.trail).expect("it is a trail");
                assert!(last_step <= cost, "{last_step} {cost}");
                let bound = search.lower_bound().0;
                assert_eq!(bound, cost, "it is proved");
                let remark = costed.remark(&violation.trail, hit.kind, bound);
                let remark = remark.expect("there is one");
                // Otherwise the run ends later than the zones say.
                assert!(remark.contains("; there"), "{remark}");
                (cost, remark)
            }));
            assert!(hit.is_some() || outcome == Outcome::Complete);
        }
    });
    found
}

#[test]
fn the_earliest_time_is_that_of_digitised_time() {
    let (mut late, mut strict, mut never) = (0, 0, 0);
    let mut check = |text: &str, queries: &[&str], name: &str| {
        let model = model(text, queries);
        let costs = least_costs(&model);
        for (query, cost) in model.queries().iter().zip(costs) {
            let QueryCode::Possibly(code) = &query.code else { panic!("only E<> is asked") };
            let (wanted, scale) = earliest(&model, 2_000_000, code);
            let wanted = wanted.map(|units| 2 * (units / scale) + i64::from(units % scale != 0));
            let cost = cost.map(|(cost, _)| i64::from(cost));
            assert_eq!(cost, wanted, "{}\n{name}", query.text);
            match wanted {
                None => never += 1,
                Some(cost) => {
                    late += usize::from(cost > 0);
                    strict += usize::from(cost % 2 == 1);
                }
            }
        }
    };
    let mut asked = 0;
    for (name, text, queries) in fixtures() {
        // Without extrapolation, a search for what is not reachable may have no end.
        if text.contains(" - ") {
            continue;
        }
        let queries: Vec<&str> = queries.iter().map(|query| &**query).collect();
        let queries: Vec<&str> = queries
            .into_iter()
            .filter(|query| query.starts_with("E<>") && !query.contains('-'))
            .collect();
        asked += queries.len();
        if !queries.is_empty() {
            check(&text, &queries, &name);
        }
    }
    assert!(asked > 50, "{asked}");
    for seed in 0..seeds(60) {
        let text = network(seed, seed % 2 == 0);
        let queries = ["E<> P0.L1", "E<> v == 2 and x < 1 and y > 1", "E<> P0.L1 and x > 2"];
        check(&text, &queries, &format!("{seed}\n{text}"));
    }
    assert!(late > 30 && strict > 5 && never > 10, "{late} {strict} {never}");
}

#[test]
fn the_remark_says_whether_the_time_is_reached() {
    let text = "clock x, y; process P() { state A { x <= 7 }, B, C; init A; \
                trans A -> B { guard x >= 3; assign y = 0; }, B -> C { guard y > 2; }; }\nsystem P;";
    let queries = ["E<> P.B", "E<> P.C", "E<> P.B and y >= 4", "E<> P.A and x == 0"];
    let remarks: Vec<String> =
        least_costs(&model(text, &queries)).into_iter().flatten().map(|(_, told)| told).collect();
    assert_eq!(remarks[0], "the run ends at time 3; there is no earlier one");
    assert!(
        remarks[1]
            .ends_with("there are runs that end at any time after 5, and none that ends earlier")
    );
    assert_eq!(remarks[2], "the run ends at time 7; there is no earlier one");
    assert_eq!(remarks[3], "the run ends at time 0; there is no earlier one");
}
