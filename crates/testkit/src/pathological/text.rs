//! Very long texts and tokens.

use super::input::Ending::{Built, Error, Errors};
use super::input::{Input, input, process};
use crate::rng::Rng;

pub(super) const INPUTS: &[Input] = &[
    input("random bytes", 10_000_000, random_bytes, Errors),
    input("letters without end", 10_000_000, |n| "a".repeat(n), Errors),
    input("words", 10_000_000, |n| "ab ".repeat(n / 3), Errors),
    input("digits without end", 5_000_000, |n| process(&format!("x = {}", "9".repeat(n))), Built),
    input("one long line", 5_000_000, |n| process(&"x = x + 1; ".repeat(n / 22)), Built),
    input("empty lines", 10_000_000, |n| process(&("\n".repeat(n) + "skip")), Built),
    input(
        "comments only",
        5_000_000,
        |n| "/* nothing */ // at all\n".repeat(n / 24),
        Error("no-process"),
    ),
    input("ends of comments", 10_000_000, |n| "*/".repeat(n / 2), Errors),
    input("starts of comments", 10_000_000, |n| "/*".repeat(n / 2), Error("unterminated-comment")),
    input("quotes", 5_000_000, |n| "\"".repeat(n), Errors),
    input("apostrophes", 5_000_000, |n| "'".repeat(n), Errors),
    input("a string without end", 10_000_000, |n| format!("\"{}", "x".repeat(n)), Errors),
    input("backslashes", 5_000_000, |n| "\\ ".repeat(n / 2), Errors),
    input("joined lines", 5_000_000, |n| process(&("x\\\n".repeat(n / 3) + " = 1")), Errors),
    input("NUL bytes", 10_000_000, |n| "\0".repeat(n) + &process("skip"), Built),
    input("byte order marks", 9_000_000, |n| "\u{feff}".repeat(n / 3), Errors),
    input("carriage returns", 5_000_000, |n| process(&"x = 1;\r\n".repeat(n / 40)), Built),
    input("numbers too large", 200_000, |n| process(&"x = 99999999999;".repeat(n / 16)), Built),
    input("braces that close", 5_000_000, |n| "}".repeat(n), Errors),
    input("semicolons", 5_000_000, |n| ";".repeat(n) + &process("skip"), Built),
];

fn random_bytes(size: usize) -> String {
    let mut rng = Rng::new(1);
    let bytes: Vec<u8> = (0..size.div_ceil(8)).flat_map(|_| rng.next_u64().to_le_bytes()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
