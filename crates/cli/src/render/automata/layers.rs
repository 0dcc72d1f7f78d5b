//! Layered graph layout: each node is below its predecessors, except for back edges.
//!
//! After Sugiyama, Tagawa and Toda, simplified: back edges are ignored, a node is one layer below
//! the lowest of its predecessors, long edges pass through dummy nodes, layers are ordered by the
//! barycentre of their neighbours, and then moved under them as far as there is room. The text of
//! an edge is a node of its own, too: half a layer below the source of the edge.

use std::collections::BTreeMap;

/// The graph to be laid out. Nodes are numbered from 0; the first one is the root.
pub(crate) struct Graph {
    /// The width of each node.
    pub(crate) nodes: Vec<f64>,
    /// Source, target, and width of the text.
    pub(crate) edges: Vec<(usize, usize, f64)>,
}

/// The layout of a graph. Rows count from 0: nodes are on even ones, texts on odd ones.
pub(crate) struct GraphLayout {
    /// The middle and the row of each node.
    pub(crate) nodes: Vec<(f64, usize)>,
    pub(crate) edges: Vec<EdgePlace>,
    pub(crate) width: f64,
    pub(crate) rows: usize,
}

/// The layout of an edge.
pub(crate) struct EdgePlace {
    /// The middle and the row of its text.
    pub(crate) text: (f64, usize),
    pub(crate) path: EdgePath,
}

/// The path of an edge after its text.
pub(crate) enum EdgePath {
    /// Down, through these points.
    Down(Vec<(f64, usize)>),
    /// Back up, along the lane at this position on the right.
    Back(f64),
}

/// The space between neighbours on a row.
const GAP: f64 = 26.0;
/// The width of a passing edge.
const THREAD: f64 = 8.0;
/// The space between lanes.
const LANE: f64 = 14.0;
/// Number of passes that order and move rows.
const SWEEPS: usize = 8;

/// An item of a row: a node, a text, or a passing edge.
struct Spot {
    width: f64,
    row: usize,
    above: Vec<usize>,
    below: Vec<usize>,
    x: f64,
}

/// Lays out a graph.
pub(crate) fn place(graph: &Graph) -> GraphLayout {
    let back = back_edges(graph);
    let layers = layers(graph, &back);
    let mut spots: Vec<Spot> = Vec::new();
    let mut add = |width: f64, row: usize| {
        spots.push(Spot { width, row, above: Vec::new(), below: Vec::new(), x: 0.0 });
        spots.len() - 1
    };
    for (node, &width) in graph.nodes.iter().enumerate() {
        add(width, 2 * layers[node]);
    }
    // For each edge its items: the text, then its dummy nodes.
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for (at, &(from, to, width)) in graph.edges.iter().enumerate() {
        let row = 2 * layers[from] + 1;
        let mut chain = vec![add(width, row)];
        if !back[at] {
            chain.extend((row + 1..2 * layers[to]).map(|row| add(THREAD, row)));
        }
        chains.push(chain);
    }
    for (at, &(from, to, _)) in graph.edges.iter().enumerate() {
        let ends = (!back[at]).then_some(to);
        let path: Vec<usize> =
            std::iter::once(from).chain(chains[at].iter().copied()).chain(ends).collect();
        for pair in path.windows(2) {
            spots[pair[0]].below.push(pair[1]);
            spots[pair[1]].above.push(pair[0]);
        }
    }
    let mut rows = rows(&spots);
    arrange(&mut spots, &mut rows);
    let right = spots.iter().map(|spot| spot.x + spot.width / 2.0).fold(0.0, f64::max);
    let lanes = lanes(graph, &back, &layers);
    let edges = graph.edges.iter().enumerate().map(|(at, _)| {
        let spot = |&number: &usize| (spots[number].x, spots[number].row);
        let path = match lanes.get(&at) {
            Some(&lane) => EdgePath::Back(right + GAP + lane as f64 * LANE),
            None => EdgePath::Down(chains[at][1..].iter().map(spot).collect()),
        };
        EdgePlace { text: spot(&chains[at][0]), path }
    });
    let used = lanes.values().max().map_or(0.0, |&lane| GAP + (lane + 1) as f64 * LANE);
    GraphLayout {
        nodes: (0..graph.nodes.len()).map(|node| (spots[node].x, spots[node].row)).collect(),
        edges: edges.collect(),
        width: right + used,
        rows: rows.len(),
    }
}

/// The edges to an ancestor in a depth-first search from the root.
fn back_edges(graph: &Graph) -> Vec<bool> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (at, &(from, ..)) in graph.edges.iter().enumerate() {
        out[from].push(at);
    }
    let mut back = vec![false; graph.edges.len()];
    let mut seen = vec![false; graph.nodes.len()];
    let mut open = vec![false; graph.nodes.len()];
    for root in 0..graph.nodes.len() {
        if seen[root] {
            continue;
        }
        (seen[root], open[root]) = (true, true);
        // A node, and the number of its edges that were followed.
        let mut walk = vec![(root, 0)];
        while let Some((node, next)) = walk.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                open[*node] = false;
                walk.pop();
                continue;
            };
            *next += 1;
            let to = graph.edges[edge].1;
            if open[to] {
                back[edge] = true;
            } else if !seen[to] {
                (seen[to], open[to]) = (true, true);
                walk.push((to, 0));
            }
        }
    }
    back
}

/// The length of the longest path to each node.
fn layers(graph: &Graph, back: &[bool]) -> Vec<usize> {
    let mut layers = vec![0; graph.nodes.len()];
    // Without back edges there is no cycle, so this terminates.
    loop {
        let mut changed = false;
        for (at, &(from, to, _)) in graph.edges.iter().enumerate() {
            if !back[at] && layers[to] <= layers[from] {
                layers[to] = layers[from] + 1;
                changed = true;
            }
        }
        if !changed {
            return layers;
        }
    }
}

fn rows(spots: &[Spot]) -> Vec<Vec<usize>> {
    let count = spots.iter().map(|spot| spot.row + 1).max().unwrap_or(0);
    let mut rows = vec![Vec::new(); count];
    for (number, spot) in spots.iter().enumerate() {
        rows[spot.row].push(number);
    }
    rows
}

/// Orders the rows and moves all items towards their neighbours.
fn arrange(spots: &mut [Spot], rows: &mut [Vec<usize>]) {
    let wish = |spots: &[Spot], number: usize, down: bool| {
        let spot = &spots[number];
        let first = if down { &spot.above } else { &spot.below };
        let near = if first.is_empty() { &spot.below } else { first };
        let sum: f64 = near.iter().map(|&other| spots[other].x).sum();
        if near.is_empty() { spot.x } else { sum / near.len() as f64 }
    };
    for row in rows.iter() {
        settle(spots, row, &vec![0.0; row.len()]);
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let count = rows.len();
        for at in 0..count {
            let row = &mut rows[if down { at } else { count - 1 - at }];
            let mut wishes: Vec<(f64, usize)> =
                row.iter().map(|&number| (wish(spots, number, down), number)).collect();
            wishes.sort_by(|one, two| one.0.total_cmp(&two.0));
            *row = wishes.iter().map(|wish| wish.1).collect();
            let wishes: Vec<f64> = wishes.iter().map(|wish| wish.0).collect();
            settle(spots, row, &wishes);
        }
    }
    let left = spots.iter().map(|spot| spot.x - spot.width / 2.0).fold(f64::INFINITY, f64::min);
    spots.iter_mut().for_each(|spot| spot.x -= left);
}

/// Moves all items of a row to the positions nearest to their preferred ones that keep the order
/// and the gaps: neighbours that prefer the same position share the deviation.
fn settle(spots: &mut [Spot], row: &[usize], wishes: &[f64]) {
    let mut offset = 0.0;
    let mut offsets = Vec::new();
    for (at, &number) in row.iter().enumerate() {
        if at > 0 {
            offset += (spots[row[at - 1]].width + spots[number].width) / 2.0 + GAP;
        }
        offsets.push(offset);
    }
    // Blocks that move together: the sum of their preferred positions, and their number.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        blocks.push((wish - offsets[at], 1));
        while let [.., before, last] = &blocks[..]
            && before.0 / before.1 as f64 > last.0 / last.1 as f64
        {
            let joined = (before.0 + last.0, before.1 + last.1);
            blocks.truncate(blocks.len() - 2);
            blocks.push(joined);
        }
    }
    let mut at = 0;
    for (sum, count) in blocks {
        for _ in 0..count {
            spots[row[at]].x = sum / count as f64 + offsets[at];
            at += 1;
        }
    }
}

/// A lane for each back edge; those that do not overlap share one.
fn lanes(graph: &Graph, back: &[bool], layers: &[usize]) -> BTreeMap<usize, usize> {
    let mut edges: Vec<usize> = (0..graph.edges.len()).filter(|&at| back[at]).collect();
    let reach = |at: usize| {
        let (from, to, _) = graph.edges[at];
        (2 * layers[to], 2 * layers[from] + 1)
    };
    // Shorter edges are further inside.
    edges.sort_by_key(|&at| (reach(at).1 - reach(at).0, at));
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut lanes = BTreeMap::new();
    for at in edges {
        let (top, bottom) = reach(at);
        let is_free =
            |lane: &Vec<(usize, usize)>| lane.iter().all(|&(from, to)| to < top || bottom < from);
        let lane = taken.iter().position(is_free).unwrap_or_else(|| {
            taken.push(Vec::new());
            taken.len() - 1
        });
        taken[lane].push((top, bottom));
        lanes.insert(at, lane);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let edges = edges.iter().map(|&(from, to)| (from, to, 60.0)).collect();
        Graph { nodes: vec![30.0; nodes], edges }
    }

    #[test]
    fn everything_is_below_what_it_comes_from_and_loops_go_back() {
        let places = place(&graph(4, &[(0, 1), (1, 2), (0, 2), (2, 0), (2, 3), (3, 3)]));
        let rows: Vec<usize> = places.nodes.iter().map(|node| node.1).collect();
        assert_eq!(rows, [0, 2, 4, 6]);
        let backs: Vec<bool> =
            places.edges.iter().map(|edge| matches!(edge.path, EdgePath::Back(_))).collect();
        assert_eq!(backs, [false, false, false, true, false, true]);
        // The long edge passes the row of the node between, with its text.
        let EdgePath::Down(passed) = &places.edges[2].path else { panic!("it leads down") };
        assert_eq!(passed.iter().map(|spot| spot.1).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn nothing_overlaps() {
        let edges: Vec<(usize, usize)> =
            (1..8).map(|to| (0, to)).chain((1..8).map(|from| (from, 8))).collect();
        let places = place(&graph(9, &edges));
        let mut texts: Vec<f64> =
            places.edges.iter().filter(|e| e.text.1 == 1).map(|e| e.text.0).collect();
        texts.sort_by(f64::total_cmp);
        assert!(texts.windows(2).all(|pair| pair[1] - pair[0] >= 60.0), "{texts:?}");
        assert!(texts[0] >= 30.0 && places.width >= texts[6] + 30.0);
    }
}
