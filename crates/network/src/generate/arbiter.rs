//! The arbiter tree: a binary tree that gives a token to one of its leaves at a time.
//!
//! Source: [DFP06] §6. A tree of height k has 2^k clients, an arbiter for each inner node, and a
//! process that grants the token at the root. An arbiter accepts requests of its children at any
//! time, requests the token from its parent when it has none, grants it to a waiting child, and
//! takes it back on release; then it serves the other child, or releases the token. The fault:
//! client 0 may release the token and continue as if it had it, repeatedly. In an error state,
//! clients 0 and 2^k - 1, in opposite halves of the tree, both have the token.
//!
//! The shortest trail has 5k + 2 steps: 2T + 1 are the paper's 25 and 35 for k = 2 and 3.

use std::collections::HashMap;

use crate::builder::NetworkBuilder;
use crate::network::Network;

/// The position of the token relative to an arbiter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Token {
    /// Not here, and not requested.
    Elsewhere,
    /// Requested.
    Awaited,
    Free,
    Left,
    Right,
}

/// The state of an arbiter: the position of the token, and the waiting children.
type State = (Token, bool, bool);

/// The tree of this height, with the fault.
pub fn arbiter(height: u32) -> Network {
    let clients = 1 << height;
    let mut network = NetworkBuilder::default();
    network.process("handler", 3).initial(0).all_errors();
    cycle(&mut network, 0);
    for node in 0..clients - 1 {
        inner_node(&mut network, node);
    }
    for client in 0..clients {
        let node = clients - 1 + client;
        network.process(&format!("client{client}"), 3).initial(0);
        if client == 0 || client == clients - 1 {
            network.error(2);
        } else {
            network.all_errors();
        }
        cycle(&mut network, node);
        if client == 0 {
            network.transition(2, &release(node), 2);
        }
    }
    network.finish()
}

fn request(node: usize) -> String {
    format!("req_{node}")
}

fn grant(node: usize) -> String {
    format!("gra_{node}")
}

fn release(node: usize) -> String {
    format!("rel_{node}")
}

/// Request, grant and release of a node, in turn.
fn cycle(network: &mut NetworkBuilder, node: usize) {
    network.transition(0, &request(node), 1);
    network.transition(1, &grant(node), 2);
    network.transition(2, &release(node), 0);
}

/// The transitions of an arbiter from a state: action and target.
fn moves(node: usize, (token, left, right): State) -> Vec<(String, State)> {
    let (l, r) = (2 * node + 1, 2 * node + 2);
    let mut all = Vec::new();
    if !left && token != Token::Left {
        all.push((request(l), (token, true, right)));
    }
    if !right && token != Token::Right {
        all.push((request(r), (token, left, true)));
    }
    match token {
        Token::Elsewhere if left || right => {
            all.push((request(node), (Token::Awaited, left, right)));
        }
        Token::Elsewhere => {}
        Token::Awaited => all.push((grant(node), (Token::Free, left, right))),
        Token::Free => {
            if left {
                all.push((grant(l), (Token::Left, false, right)));
            }
            if right {
                all.push((grant(r), (Token::Right, left, false)));
            }
            all.push((release(node), (Token::Elsewhere, left, right)));
        }
        Token::Left => all.push((release(l), (Token::Free, left, right))),
        Token::Right => all.push((release(r), (Token::Free, left, right))),
    }
    all
}

fn inner_node(network: &mut NetworkBuilder, node: usize) {
    // States are numbered in the order of generation.
    let mut met: Vec<State> = vec![(Token::Elsewhere, false, false)];
    let mut numbers = HashMap::from([(met[0], 0)]);
    let mut transitions = Vec::new();
    let mut at = 0;
    while at < met.len() {
        for (action, next) in moves(node, met[at]) {
            let to = *numbers.entry(next).or_insert_with(|| {
                met.push(next);
                met.len() as u32 - 1
            });
            transitions.push((at as u32, action, to));
        }
        at += 1;
    }
    network.process(&format!("arb{node}"), met.len() as u32).initial(0).all_errors();
    for (from, action, to) in transitions {
        network.transition(from, &action, to);
    }
}
