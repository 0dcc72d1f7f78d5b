//! Formulas on which papers measure translations.
//!
//! Sources: the 55 patterns of [DAC99], the 27 formulas of [SB00], the 12 of [EH00].
#![allow(dead_code, reason = "each test uses its own part")]

use beeline_logic::{Formula, parse};

/// Specification patterns: absence, existence, universality, precedence, response, each
/// globally, before r, after q, between q and r, after q until r.
pub(crate) const PATTERNS: &[&str] = &[
    "[](!p)",
    "<>r -> (!p U r)",
    "[](q -> [](!p))",
    "[]((q && !r && <>r) -> (!p U r))",
    "[](q && !r -> (!p W r))",
    "<>p",
    "!r W (p && !r)",
    "[](!q) || <>(q && <>p)",
    "[](q && !r -> (!r W (p && !r)))",
    "[](q && !r -> (!r U (p && !r)))",
    "(!p W (p W (!p W (p W []!p))))",
    "<>r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
    "<>q -> (!q U (q && (!p W (p W (!p W (p W []!p))))))",
    "[]((q && <>r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r))))))))))",
    "[](q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p W r) || []p)))))))))",
    "[]p",
    "<>r -> (p U r)",
    "[](q -> []p)",
    "[]((q && !r && <>r) -> (p U r))",
    "[](q && !r -> (p W r))",
    "!p W s",
    "<>r -> (!p U (s || r))",
    "[]!q || <>(q && (!p W s))",
    "[]((q && !r && <>r) -> (!p U (s || r)))",
    "[](q && !r -> (!p W (s || r)))",
    "[](p -> <>s)",
    "<>r -> (p -> (!r U (s && !r))) U r",
    "[](q -> [](p -> <>s))",
    "[]((q && !r && <>r) -> (p -> (!r U (s && !r))) U r)",
    "[](q && !r -> ((p -> (!r U (s && !r))) W r))",
    "<>p -> (!p U (s && !p && X(!p U t)))",
    "<>r -> (!p U (r || (s && !p && X(!p U t))))",
    "([]!q) || (!q U (q && <>p -> (!p U (s && !p && X(!p U t)))))",
    "[]((q && <>r) -> (!p U (r || (s && !p && X(!p U t)))))",
    "[](q -> (<>p -> (!p U (r || (s && !p && X(!p U t))))))",
    "(<>(s && X<>t)) -> ((!s) U p)",
    "<>r -> ((!(s && (!r) && X(!r U (t && !r)))) U (r || p))",
    "([]!q) || ((!q) U (q && ((<>(s && X<>t)) -> ((!s) U p))))",
    "[]((q && <>r) -> ((!(s && (!r) && X(!r U (t && !r)))) U (r || p)))",
    "[](q -> (!(s && (!r) && X(!r U (t && !r))) U (r || p) || [](!(s && X<>t))))",
    "[](s && X<>t -> X(<>(t && <>p)))",
    "<>r -> (s && X(!r U t) -> X(!r U (t && <>p))) U r",
    "[](q -> [](s && X<>t -> X(!t U (t && <>p))))",
    "[]((q && <>r) -> (s && X(!r U t) -> X(!r U (t && <>p))) U r)",
    "[](q -> (s && X(!r U t) -> X(!r U (t && <>p))) U (r || [](s && X(!r U t) -> X(!r U (t && <>p)))))",
    "[](p -> <>(s && X<>t))",
    "<>r -> (p -> (!r U (s && !r && X(!r U t)))) U r",
    "[](q -> [](p -> (s && X<>t)))",
    "[]((q && <>r) -> (p -> (!r U (s && !r && X(!r U t)))) U r)",
    "[](q -> (p -> (!r U (s && !r && X(!r U t)))) U (r || [](p -> (s && X<>t))))",
    "[](p -> <>(s && !z && X(!z U t)))",
    "<>r -> (p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U r",
    "[](q -> [](p -> (s && !z && X(!z U t))))",
    "[]((q && <>r) -> (p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U r)",
    "[](q -> (p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U (r || [](p -> (s && !z && X(!z U t)))))",
];

/// The formulas of [SB00].
pub(crate) const SOMENZI_BLOEM: &[&str] = &[
    "p U q",
    "p U (q U r)",
    "!(p U (q U r))",
    "([]<>p) -> ([]<>q)",
    "(<>p) U ([]q)",
    "([]p) U q",
    "!((<><>p) <-> (<>p))",
    "!(([]<>p) -> ([]<>q))",
    "!(([]<>p) <-> ([]<>q))",
    "p V (p || q)",
    "((X p) U (X q)) || !X(p U q)",
    "((X p) U q) || !X(p U (p && q))",
    "([](p -> <>q)) && (((X p) U q) || !X(p U (p && q)))",
    "([](p -> <>q)) && (((X p) U (X q)) || !X(p U q))",
    "[](p -> <>q)",
    "!([](p -> X(q V r)))",
    "!((<>[]p) || (<>[]q))",
    "[]((<>p) && (<>q))",
    "(<>p) && (<>!p)",
    "((X q) && r) V (X(((s U p) V r) U (s V r)))",
    "([](q || []<>p) && [](r || []<>!p)) || []q || []r",
    "([](q || <>[]p) && [](r || <>[]!p)) || []q || []r",
    "!(([](q || []<>p) && [](r || []<>!p)) || []q || []r)",
    "!(([](q || <>[]p) && [](r || <>[]!p)) || []q || []r)",
    "([](q || X[]p)) && ([](r || X[]!p))",
    "[](q || (X p && X !p))",
    "(p U p) || (q U p)",
];

/// The formulas of [EH00].
pub(crate) const ETESSAMI_HOLZMANN: &[&str] = &[
    "p U (q && []r)",
    "p U (q && X(r U s))",
    "p U (q && X(r && <>(s && X(<>(t && X(<>(u && X(<>v))))))))",
    "<>(p && X[]q)",
    "<>(p && X(q && X<>r))",
    "<>(p && X(q U r))",
    "(<>[]p) || ([]<>q)",
    "[](p -> (q U r))",
    "[](p && X<>(q && X<>(r && X<>s)))",
    "([]<>p) && ([]<>q) && ([]<>r) && ([]<>s) && ([]<>t)",
    "(p U (q U r)) || (q U (r U p)) || (r U (p U q))",
    "[](p -> (q U (([]r) || ([]s))))",
];

/// All of them, with the name of their set.
pub(crate) fn all() -> Vec<(&'static str, &'static str, Formula)> {
    let sets = [
        ("patterns", PATTERNS),
        ("Somenzi-Bloem", SOMENZI_BLOEM),
        ("Etessami-Holzmann", ETESSAMI_HOLZMANN),
    ];
    let read = |text: &str| parse(text, &mut Vec::new()).expect("the formulas are well-formed");
    sets.iter()
        .flat_map(|(name, set)| set.iter().map(move |text| (*name, *text, read(text))))
        .collect()
}
