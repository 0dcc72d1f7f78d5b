//! Strongly connected components of a graph, by Tarjan's algorithm [Tar72] without recursion.
//!
//! Components are numbered so that edges lead to the same or a smaller number.

/// The component of each node; nodes are numbers below `count`.
pub(crate) fn components<F, I>(count: usize, successors: F) -> Vec<usize>
where
    F: Fn(usize) -> I,
    I: Iterator<Item = usize>,
{
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; count];
    let mut lowest = vec![UNSEEN; count];
    let mut component = vec![UNSEEN; count];
    let mut stack = Vec::new();
    let mut visited = 0;
    let mut found = 0;
    for root in 0..count {
        if order[root] != UNSEEN {
            continue;
        }
        order[root] = visited;
        lowest[root] = visited;
        visited += 1;
        stack.push(root);
        let mut path = vec![(root, successors(root))];
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            if let Some(next) = rest.next() {
                if order[next] == UNSEEN {
                    order[next] = visited;
                    lowest[next] = visited;
                    visited += 1;
                    stack.push(next);
                    path.push((next, successors(next)));
                } else if component[next] == UNSEEN {
                    lowest[node] = lowest[node].min(order[next]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_lead_to_smaller_numbers() {
        let graph: [&[usize]; 5] = [&[1, 2], &[0], &[3], &[3, 4], &[]];
        let found = components(5, |node| graph[node].iter().copied());
        assert_eq!(found, [3, 3, 2, 1, 0]);
    }
}
