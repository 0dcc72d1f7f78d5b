//! The preprocessor against gcc's output and against expected messages.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use beeline_promela::diagnostic::{Diagnostics, Severity};
use beeline_promela::lexer::tokenize;
use beeline_promela::preprocess::{
    Define, FileLoader, LoadedFile, NoIncludes, PreprocessOptions, preprocess,
};
use beeline_promela::source::{SourceMap, Span};
use beeline_promela::token::{Interner, Token, TokenKind};
use beeline_testkit::corpus::corpus_or_skip;
use beeline_testkit::need::Need;
use expect_test::{Expect, expect};

/// Included files given in the test.
struct InMemory(HashMap<&'static str, &'static str>);

impl FileLoader for InMemory {
    fn load(&mut self, name: &str, _from: &str, _angled: bool) -> Option<LoadedFile> {
        let text = self.0.get(name)?;
        Some(LoadedFile { name: name.to_owned(), text: (*text).to_owned() })
    }
}

/// Files next to the one that includes them.
struct OnDisk;

impl FileLoader for OnDisk {
    fn load(&mut self, name: &str, from: &str, _angled: bool) -> Option<LoadedFile> {
        let path = Path::new(from).with_file_name(name);
        Some(LoadedFile { text: read(&path)?, name: path.to_str()?.to_owned() })
    }
}

fn read(path: &Path) -> Option<String> {
    Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned())
}

/// The results of a run of the preprocessor.
struct Run {
    sources: SourceMap,
    interner: Interner,
    diagnostics: Diagnostics,
    tokens: Vec<Token>,
}

fn run(name: &str, input: &str, loader: &mut dyn FileLoader, defines: &[Define]) -> Run {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let root = sources.add_file(name, input, None);
    let options = PreprocessOptions { defines: defines.to_vec() };
    let tokens = preprocess(root, &mut sources, &mut interner, loader, &options, &mut diagnostics);
    Run { sources, interner, diagnostics, tokens }
}

impl Run {
    fn place(&self, span: Span) -> String {
        let at = self.sources.location(span);
        let chain = self.sources.chain(span).map(|step| format!(" in {}", step.kind.name()));
        format!("{}:{}:{}{}", at.file, at.line, at.column, chain.collect::<String>())
    }

    /// The output as text: one line per line, with a space between tokens.
    fn text(&self) -> String {
        let mut text = String::new();
        for token in &self.tokens {
            if !text.is_empty() {
                text.push(if token.starts_line { '\n' } else { ' ' });
            }
            text += self.interner.text(token.text);
        }
        text
    }

    fn messages(&self) -> String {
        let mut text = String::new();
        for message in self.diagnostics.iter() {
            let severity = match message.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let place = self.place(message.span);
            text += &format!("{severity}[{}] {place}: {}", message.code, message.message);
            if !message.label.is_empty() {
                text += &format!(" -- {}", message.label);
            }
            text += "\n";
            for label in &message.related {
                text += &format!("  related {}: {}\n", self.place(label.span), label.text);
            }
            for note in &message.notes {
                text += &format!("  note: {note}\n");
            }
            if let Some(fix) = &message.fix {
                text += &format!("  help: {}", fix.advice);
                if let Some((span, new)) = &fix.edit {
                    text += &format!(" [{} becomes {new}]", self.sources.text(*span));
                }
                text += "\n";
            }
        }
        text
    }
}

/// Checks the output for an input, and its messages.
fn check(input: &str, expected: Expect) {
    check_files(input, &[], &[], expected);
}

fn check_files(
    input: &str,
    files: &[(&'static str, &'static str)],
    defines: &[Define],
    expected: Expect,
) {
    let mut loader = InMemory(files.iter().copied().collect());
    let run = run("m.pml", input, &mut loader, defines);
    expected.assert_eq(&format!("{}{}", run.text(), run.messages()));
}

/// Checks the position of each token, and the macros it came through.
fn check_places(input: &str, expected: Expect) {
    let run = run("m.pml", input, &mut NoIncludes, &[]);
    let show =
        |token: &Token| format!("{} {}\n", run.interner.text(token.text), run.place(token.span));
    expected.assert_eq(&run.tokens.iter().map(show).collect::<String>());
}

/// A token as far as gcc can confirm it.
type Seen = (TokenKind, String, bool);

fn seen(tokens: &[Token], interner: &Interner) -> Vec<Seen> {
    let seen =
        |token: &Token| (token.kind, interner.text(token.text).to_string(), token.starts_line);
    tokens.iter().map(seen).collect()
}

/// The tokens that SPIN reads: gcc's output without its line markers.
fn through_gcc(file: &Path) -> Vec<Seen> {
    let directory = file.parent().expect("a file stands in a directory");
    let output = Command::new("gcc")
        .current_dir(directory)
        .args(["-std=gnu99", "-E", "-x", "c"])
        .arg(file.file_name().expect("a file has a name"))
        .output()
        .expect("gcc was there a moment ago");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.split('\n').map(|line| if line.starts_with('#') { "" } else { line });
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let file = sources.add_file("gcc", &text, None);
    let tokens = tokenize(file, &sources, &mut interner, &mut Diagnostics::default());
    seen(&tokens, &interner)
}

/// The first difference between our tokens and gcc's for a file.
fn difference(file: &Path) -> Option<String> {
    let text = read(file).unwrap_or_else(|| panic!("cannot read {}", file.display()));
    let name = file.to_str().expect("the corpus has plain file names");
    let ours = run(name, &text, &mut OnDisk, &[]);
    let theirs = through_gcc(file);
    let ours = seen(&ours.tokens, &ours.interner);
    let mut at = ours.iter().zip(&theirs).position(|(our, their)| our != their);
    if at.is_none() && ours.len() != theirs.len() {
        at = Some(ours.len().min(theirs.len()));
    }
    let at = at?;
    let window = |seen: &[Seen]| {
        let from = at.saturating_sub(6);
        let show = |(_, text, line): &Seen| format!("{}{text}", if *line { "⏎" } else { "" });
        seen.iter().skip(from).take(12).map(show).collect::<Vec<_>>().join(" ")
    };
    Some(format!("token {at}\n  ours   {}\n  theirs {}", window(&ours), window(&theirs)))
}

#[test]
fn tokens_and_lines_equal_those_of_gcc() {
    if !Need::Gcc.is_here_or_skip("tokens_and_lines_equal_those_of_gcc") {
        return;
    }
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("against-gcc");
    std::fs::create_dir_all(&directory).expect("the target directory can be written");
    std::fs::write(directory.join("x.h"), "header X\n#define FROM_X 1\n").expect("likewise");
    std::fs::write(directory.join("open.h"), "f\n").expect("likewise");
    let mut failures = Vec::new();
    for (number, input) in AGAINST_GCC.iter().enumerate() {
        let file = directory.join(format!("case{number}.pml"));
        std::fs::write(&file, input).expect("the target directory can be written");
        if let Some(difference) = difference(&file) {
            failures.push(format!("{input}\n{difference}\n"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("----\n"));
}

/// Inputs whose output must equal gcc's.
const AGAINST_GCC: &[&str] = &[
    // Plain macros, and macros of macros.
    "#define N 3\nint a[N]; N..5 NN N N\n",
    "#define A B\n#define B A\nA B A\n",
    "#define f f\n#define g f g\nf g\n",
    "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n",
    "#define EMPTY\n#define LP (\n#define f(x) [x]\nf EMPTY (1) f LP 1) f EMPTY EMPTY x\n",
    "#define f(x) x+1\n#define call(g) g(2)\ncall(f) f f(f)(1) f(f(f(1)))\n",
    "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
     #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n\
     #define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n\
     f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
     p() i(q()) = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
     char c[2][6] = { str(hello), str() };\n",
    "#define str(s) # s\n#define xstr(s) str(s)\n#define glue(a, b) a ## b\n\
     #define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n\
     xstr(strncmp(\"abc\\0d\", \"abc\", '\\4') == 0) str(: @\\n) xstr(a  +\n b)\n\
     glue(HIGH, LOW) xglue(HIGH, LOW) str( ) str(\"\\\"\" 'x' '\"')\n",
    "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
     #define join(c, d) in_between(c hash_hash d)\njoin(x, y)\n",
    "#define c(a,b,d) a##b##d\nc(x,,y) c(,x,) c(,,)| c(1,x,3) c(1,.,2) c(-,,>) c(x,1,2)\n",
    "#define m(x) x##1 2##x x##x\n#define N 7\nm(N) m(a b) m() m(3)\n",
    "#define f(x,...) {x,##__VA_ARGS__|__VA_ARGS__}\n#define g(...) {,##__VA_ARGS__}\n\
     #define h(a, rest...) a(rest) #rest\n\
     f(1) f(1,) f(1,2,3) f() g() g(1) g(,) h(x) h(x,y , z) h(p,(q,r),s)\n",
    "#define e(a) a\n#define k() 1\nk() k( ) k e() e((,)) e(\"),\") e(')')\n",
    // Numbers differ from C's, except that `1N` is one.
    "#define N 5\n#define x1F y\n1N 0x1F 5N 1 N\n",
    // Lines.
    "a /*\n*/ b c\n/* x */ d\n",
    "a \\\n b c;\\\nd e f\\\ng h \\ \n i\n",
    "#define f(x,y) x y\nf(1,\n2) c d e\nz\nf\n(1\n,2);x; y\n",
    "#define f(x,y) x y\n#define M p q r\nf(1,\n2) M c d\nz f(1,\n2)M\n",
    "#define f(x) x a x\nf(1\n)f(2) f(\n3) b c\nf(f(\n1\n)\n)\n{ f(1\n) }\n",
    "#define E\n E a\nE\nE E b E c\nE\n\nE f E\n",
    "#define f(x) x\nf\nq f\n#define z\n(1)\n f\n(2) y\nf",
    "#define f(x) x\nf(1 /*\n*/ 2 \\\n 3) 4 /*\n*/5\n",
    "#define LINE(x) __LINE__ x __LINE__\nLINE(__LINE__)\n__LINE__ LINE(\n__LINE__)\n",
    "#line 100 \"other.c\"\n__LINE__ __FILE__\n# 7\n__LINE__\n",
    "__COUNTER__ __COUNTER__ __STDC__\n#if __COUNTER__ == 2\nyes\n#endif\n",
    // Directives in arguments.
    "#define f(x, y) x|y\nf(1,\n#define Q 5\nQ) x\nf(\n#if 0\nno\n#else\nyes\n#endif\n, 2) y z\n",
    // Conditions.
    "#if 1\na\n#elif 1/0\nb\n#else\nc\n#endif\n#if 0\na\n#elif 1\nb\n#else\nc\n#endif\n",
    "#if 0\n#if 1\nx\n#else\ny\n#endif\n#error no\n#bogus 'don't \"\n#else z\nok\n#endif x\n",
    "#ifdef A\n1\n#endif\n#define A\n#ifdef A\n2\n#endif\n#ifndef A\n3\n#else\n4\n#endif\n",
    "#define A 0\n#if defined A && !A && defined(A) && !defined B\nyes\n#endif\n",
    "#define D defined(FOO)\n#define FOO bar\n#if D\nyes\n#endif\n#undef FOO\n#if D\nno\n#endif\n",
    "#if 0x10 == 16 && 010 == 8 && 10UL == 10 && 'a' == 97 && '\\n' == 10 && '\\101' == 65\ny\n#endif\n",
    "#if -1 < 0 && !(-1 < 0u) && (1 ? 2 : 3) == 2 && 1 + 2 * 3 == 7 && (7 & 3 | 8) == 11\ny\n#endif\n",
    "#if 1 << 3 == 8 && ~0 == -1 && -7 / 2 == -3 && -7 % 3 == -1 && !!5 == 1 && 5 - 2 - 1 == 2\ny\n#endif\n",
    "#if (0 && 1/0) || (1 || 1/0) && (1 ? 1 : 1/0)\ny\n#endif\n#if undefined_name\nn\n#endif\n",
    "#if 0 ? 1 : 0 ? 2 : 3\ny\n#endif\n#if - - 1 == 1 && 1 == 1 == 1 && 1 ^ 1 ^ 1\ny\n#endif\n",
    "#define f(x) (x) + 1\n#if f(f(1)) == 3 && \\\n  f(0) /* here\n and here */ == 1\ny\n#endif\n",
    "#define AND &&\n#if 1 AND 1\ny\n#endif\n#if '\\'' == 39 && '\\\\' == 92 && '\\x41' == 65\nz\n#endif\n",
    "#if 0, 1\ny\n#endif\n#if (1, 0)\nn\n#endif\n",
    "#if 0\n#elifdef X\na\n#elifndef X\nb\n#endif\n",
    "#\n# /* nothing */\n/* c */ # define A 1 /* d\n */ + 2\nA\n#pragma x\n#ident \"y\"\nb\n",
    "%\n a # b \\# c\nx #define A 1\nA\n",
    // Files.
    "a\n#include \"x.h\"\nFROM_X b\n#define NAME \"x.h\"\n#include NAME // again\nc",
    "#define f(x) x\n#include \"open.h\"\n(1)\n",
    // Macro definitions.
    "#define f(x)x\n#define g (x)\n#define h( a , b )a b\nf(1) g h(1,2) h((1,2),3)\n",
    "#define A 1\n#define A 1\n#define A 2\nA\n#undef A\nA\n#undef nothing\n",
    "#define str(x) #x\nstr(  a\tb /* c */ d\n\n e ) str(a+b) str(-> ..)\n",
    "#define n(x) a ## 1st b ## 1x x ## 2nd\n#define p(a, b) a ## b\nn(q) p(q, 1st) p(1, st) p(1st, 2)\n",
    "#define E\n#define s(x) #x\n#define t(x) s(x)\n#define e(x) [+ x;]\nt(a E(b) E c(E)) t(e()) t(e(1))\n",
    "#define s(x) #x #x\n#define v(...) #__VA_ARGS__\ns(1) v(a, b,c) v()\n",
    "#define if(x) :: x ->\ndo if(1) skip od\n#define proctype foo\nproctype x\n",
    "#define p(x) printf(\"x\", x, 'x')\np(1)\n",
    "#define f(x) x\n#define g f(1\ng) g + 2)\n",
    "#define a(x) b(x\n#define b(x) <x>\na(1)) c\na\n(1\n)\n) d\n",
    "#define LBRACE {\n#define BEGIN LBRACE\nBEGIN x; } BEGIN\ny\n",
    "#define ch(x) q?x\nch(1);ch(2) ch(eval(x));\nch(1)->y!!z??w\n",
];

#[test]
fn every_model_of_the_corpus_reads_as_it_does_for_spin() {
    let name = "every_model_of_the_corpus_reads_as_it_does_for_spin";
    let Some(corpus) = corpus_or_skip(name) else {
        return;
    };
    if !Need::Gcc.is_here_or_skip(name) {
        return;
    }
    let mut failures = Vec::new();
    for entry in &corpus.entries {
        if let Some(difference) = difference(&entry.file) {
            failures.push(format!("{}: {difference}", entry.name));
        }
    }
    assert!(failures.is_empty(), "{} models:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn expanded_tokens_remember_where_they_were_written() {
    check_places(
        "#define N 3\n#define f(x) x + N\n#define g(x) f(x)\ny g(N) f(z)\n",
        expect![[r#"
            y m.pml:4:1
            3 m.pml:1:11 in N in f in g
            + m.pml:2:16 in f in g
            3 m.pml:1:11 in N in f in g
            z m.pml:4:10 in f
            + m.pml:2:16 in f
            3 m.pml:1:11 in N in f
             m.pml:5:1
        "#]],
    );
}

#[test]
fn glued_and_quoted_tokens_point_to_their_call() {
    check_places(
        "#define f(x) x##1 #x\n#define g(x) f(x)\n g(a) __LINE__",
        expect![[r#"
            a1 m.pml:2:14 in f in g
            "a" m.pml:2:14 in f in g
            3 m.pml:3:7
             m.pml:3:15
        "#]],
    );
}

#[test]
fn definitions_of_the_command_line_come_first() {
    check_files(
        "N M F(2) P\n#define N 9\n",
        &[],
        &[
            Define::set("N=4+1"),
            Define::set("M"),
            Define::set("F(x)=x*x"),
            Define::set("P=1"),
            Define::unset("P"),
            Define::set("3=4"),
        ],
        expect![[r#"
            4 + 1 1 2 * 2 P
            error[macro-name] <command line>:6:9: a macro's name must be a word -- `3` is not a word
              note: a word consists of letters, digits and `_`, and does not begin with a digit
            warning[macro-redefined] m.pml:2:9: macro `N` is defined again, and differently -- this definition counts from here on
              related <command line>:1:9: first defined here
              help: write `#undef` before a definition that is meant to replace another
        "#]],
    );
}

#[test]
fn a_different_definition_is_a_warning_that_shows_the_first() {
    check(
        "#define A 1\n#define A  1\n#define A 2\nA\n",
        expect![[r#"
            2
            warning[macro-redefined] m.pml:3:9: macro `A` is defined again, and differently -- this definition counts from here on
              related m.pml:1:9: first defined here
              help: write `#undef` before a definition that is meant to replace another
        "#]],
    );
}

#[test]
fn an_unknown_directive_is_an_error_with_a_suggestion() {
    check(
        "#if 0\n#nothing\n#elsif 1\nx\n#endif\n#elsif 1\n#elseif\n#inlcude \"x\"\n#frobnicate\n",
        expect![[r#"
            error[unknown-directive] m.pml:6:1: there is no directive `#elsif` -- did you mean `#elif`?
              note: a `#` at the start of a line is an instruction to the preprocessor
              help: write `#elif` [elsif becomes elif]
            error[unknown-directive] m.pml:7:1: there is no directive `#elseif` -- did you mean `#elif`?
              note: a `#` at the start of a line is an instruction to the preprocessor
              help: write `#elif` [elseif becomes elif]
            error[unknown-directive] m.pml:8:1: there is no directive `#inlcude` -- did you mean `#include`?
              note: a `#` at the start of a line is an instruction to the preprocessor
              help: write `#include` [inlcude becomes include]
            error[unknown-directive] m.pml:9:1: there is no directive `#frobnicate`
              note: a `#` at the start of a line is an instruction to the preprocessor
        "#]],
    );
}

#[test]
fn conditionals_must_match() {
    check(
        "#if 1\n#else\n#else\n#elif 1\n#endif\n#endif\n#else\n#elif 1\n",
        expect![[r#"
            error[misplaced-else] m.pml:3:2: `#else` follows the `#else` of its `#if`
              related m.pml:1:2: the `#if` is here
              related m.pml:2:2: its `#else` is here
              help: the `#else` comes last; is an `#endif` missing between the two?
            error[misplaced-else] m.pml:4:2: `#elif` follows the `#else` of its `#if`
              related m.pml:1:2: the `#if` is here
              related m.pml:2:2: its `#else` is here
              help: the `#else` comes last; is an `#endif` missing between the two?
            error[unopened-if] m.pml:6:2: `#endif` without an `#if` -- no `#if`, `#ifdef` or `#ifndef` is open here
            error[unopened-if] m.pml:7:2: `#else` without an `#if` -- no `#if`, `#ifdef` or `#ifndef` is open here
            error[unopened-if] m.pml:8:2: `#elif` without an `#if` -- no `#if`, `#ifdef` or `#ifndef` is open here
        "#]],
    );
    check(
        "#ifdef A\n#ifndef B\nx\n#else\n",
        expect![[r#"
        error[unterminated-if] m.pml:1:2: this `#ifdef` has no `#endif` -- opened here, and open until the end of the file
          help: add `#endif` where the conditional part ends
        error[unterminated-if] m.pml:2:2: this `#ifndef` has no `#endif` -- opened here, and open until the end of the file
          related m.pml:4:2: its `#else` is here
          help: add `#endif` where the conditional part ends
    "#]],
    );
}

#[test]
fn conditions_say_what_is_wrong_with_them() {
    check(
        "#if\n#endif\n#if 1 +\n#endif\n#if 1 2\n#endif\n#if (1\n#endif\n#if 1 ? 2\n#endif\n\
         #if 4 / ZERO\n#endif\n#if defined\n#endif\n#if defined(A\n#endif\n#if \"x\"\n#endif\n\
         #if 1.5\n#endif\n#if 99999999999999999999\n#endif\n#if a = 1\n#endif\n#ifdef\n#endif\n\
         #ifdef 3\n#endif\n#if 12ab\n#endif\n",
        expect![[r#"
            error[condition] m.pml:1:4: `#if` lacks a condition -- expected an expression
              help: to test whether a macro is defined, write `#ifdef NAME`
            error[condition] m.pml:3:8: this condition is not an integer expression -- a number or a name is missing here
            error[condition] m.pml:5:7: this condition is not an integer expression -- `2` was not expected here
            error[condition] m.pml:7:7: this condition is not an integer expression -- expected `)`
              related m.pml:7:5: to close this
            error[condition] m.pml:9:10: this condition is not an integer expression -- expected `:`, the second half of `?`
            error[condition-division] m.pml:11:7: this condition divides by zero -- the right side is 0
              note: a name that is not defined as a macro counts as 0
            error[condition] m.pml:13:5: `defined` takes the name of one macro -- no name follows
              help: write `defined(NAME)`
            error[condition] m.pml:15:5: `defined` takes the name of one macro -- the `)` after the name is missing
              help: write `defined(NAME)`
            error[condition] m.pml:17:5: this condition is not an integer expression -- `"x"` cannot stand here; expected a number or a name
            error[condition] m.pml:19:6: this condition is not an integer expression -- `.` was not expected here
            error[condition] m.pml:21:5: this condition is not an integer expression -- `99999999999999999999` is not a 64-bit integer
            error[condition] m.pml:23:7: this condition is not an integer expression -- `=` was not expected here
            error[macro-name] m.pml:25:7: `#ifdef` lacks the name of a macro -- expected a name
            error[macro-name] m.pml:27:8: a macro's name must be a word -- `3` is not a word
              note: a word consists of letters, digits and `_`, and does not begin with a digit
            error[condition] m.pml:29:5: this condition is not an integer expression -- `12ab` is not a 64-bit integer
        "#]],
    );
}

#[test]
fn definitions_say_what_is_wrong_with_them() {
    check(
        "#define\n#define 3 4\n#define defined 1\n#define f(3) x\n#define f(a\n#define f(a,a) a\n\
         #define f(a...,b)\n#define f(a b)\n#define f(x) #y\n#define f(x) ## x\n#define f x ##\n\
         #define f(,) x\n#define N=5\n#undef\n#undef a b\n",
        expect![[r#"
            error[macro-name] m.pml:1:8: `#define` lacks the name of a macro -- expected a name
            error[macro-name] m.pml:2:9: a macro's name must be a word -- `3` is not a word
              note: a word consists of letters, digits and `_`, and does not begin with a digit
            error[macro-name] m.pml:3:9: `defined` cannot be a macro's name
              note: `defined` is an operator in the conditions of `#if` and `#elif`
            error[macro-parameters] m.pml:4:11: the parameters of this macro are not a list of names -- expected a parameter's name
              note: a `(` directly after the name starts a parameter list; after a space it does not
            error[macro-parameters] m.pml:5:12: the parameters of this macro are not a list of names -- expected `,` or `)`
              note: a `(` directly after the name starts a parameter list; after a space it does not
            error[macro-parameters] m.pml:6:13: two parameters are called `a`
            error[macro-parameters] m.pml:7:15: the parameters of this macro are not a list of names -- expected `)` behind `...`
              note: a `(` directly after the name starts a parameter list; after a space it does not
            error[macro-parameters] m.pml:8:13: the parameters of this macro are not a list of names -- expected `,` or `)`
              note: a `(` directly after the name starts a parameter list; after a space it does not
            error[macro-quote] m.pml:9:14: `#` is not followed by a parameter of the macro -- expected a parameter
              note: in a macro with parameters, `#x` is the argument `x` as a string
            error[macro-paste] m.pml:10:14: `##` is at the edge of a macro's body -- `##` joins two tokens, and one is missing
            error[macro-paste] m.pml:11:13: `##` is at the edge of a macro's body -- `##` joins two tokens, and one is missing
            error[macro-parameters] m.pml:12:11: the parameters of this macro are not a list of names -- expected a parameter's name
              note: a `(` directly after the name starts a parameter list; after a space it does not
            warning[macro-space] m.pml:13:9: there is no space between the name of this macro and its body -- `N` is the name
              related m.pml:13:10: the body starts here
              help: put a space between them [ becomes  ]
            error[macro-name] m.pml:14:7: `#undef` lacks the name of a macro -- expected a name
            warning[directive-extra] m.pml:15:10: `#undef` ends before this -- ignored
              help: make it a comment
        "#]],
    );
}

#[test]
fn calls_must_pass_what_the_macro_takes() {
    check(
        "#define f(a, b) a b\n#define g() z\n#define h(a, b, ...) a\nf(1) f(1,2,3) g(1) h(1) h(1,2)\n",
        expect![[r#"
            1 1 1 2 z 1 1
            error[macro-arguments] m.pml:4:1: macro `f` takes 2 arguments, but this call passes 1 -- 1 argument here
              related m.pml:1:9: the macro is defined here
            error[macro-arguments] m.pml:4:6: macro `f` takes 2 arguments, but this call passes 3 -- 3 arguments here
              related m.pml:1:9: the macro is defined here
            error[macro-arguments] m.pml:4:15: macro `g` takes 0 arguments, but this call passes 1 -- 1 argument here
              related m.pml:2:9: the macro is defined here
            error[macro-arguments] m.pml:4:20: macro `h` takes at least 2 arguments, but this call passes 1 -- 1 argument here
              related m.pml:3:9: the macro is defined here
        "#]],
    );
    check(
        "#define f(a) a\nx f(1, (2)\ny z\n",
        expect![[r#"
        x
        error[macro-unterminated] m.pml:2:3: the arguments of macro `f` are not closed -- the `(` after this name has no `)`
          related m.pml:1:9: the macro is defined here
          note: everything up to the end of the file became an argument
    "#]],
    );
}

#[test]
fn glue_that_does_not_hold_is_an_error() {
    check(
        "#define f(a, b) a ## b\nf(+, x) f(/, /) f(+, =) f(1, .5)\n",
        expect![[r#"
            + x / / + = 1 . 5
            error[macro-paste] m.pml:2:1: `+` and `x` joined are not one token -- in the expansion of this macro
              related m.pml:2:3 in f: `##` joins this
              related m.pml:2:6 in f: to this
              help: remove `##`: adjacent tokens need no operator
            error[macro-paste] m.pml:2:9: `/` and `/` joined are not one token -- in the expansion of this macro
              related m.pml:2:11 in f: `##` joins this
              related m.pml:2:14 in f: to this
              help: remove `##`: adjacent tokens need no operator
        "#]],
    );
}

#[test]
fn the_model_may_speak_for_itself() {
    check(
        "#error   don't  do /* x */ this\n#warning beware\n#error\n",
        expect![[r#"
            error[error-directive] m.pml:1:2: `#error`: don't  do /* x */ this -- reported by the model itself
            warning[warning-directive] m.pml:2:2: `#warning`: beware -- reported by the model itself
            error[error-directive] m.pml:3:2: `#error` -- reported by the model itself
        "#]],
    );
}

#[test]
fn included_files_are_read_in_place() {
    check_files(
        "#include \"a.h\"\n#include <b.h>\n#define ANGLED <b.h>\n#include ANGLED\nend A\n",
        &[("a.h", "#define A from a\nA"), ("b.h", "#pragma once\nb __FILE__ __LINE__\n")],
        &[],
        expect![[r#"
            from a
            b "b.h" 2
            end from a
        "#]],
    );
}

#[test]
fn a_missing_file_is_an_error() {
    check(
        "#include \"no.h\"\n#include <stdio.h>\n#include\n#include 3\nx\n",
        expect![[r#"
            x
            error[include-not-found] m.pml:1:10: cannot find `no.h`, which is included here -- no such file
              note: the name is taken relative to the directory of `m.pml`
            error[include-not-found] m.pml:2:10: cannot find `stdio.h`, which is included here -- no such file
              note: `<...>` names a file of the system; a file of the model is named "..."
            error[include-name] m.pml:3:9: `#include` lacks the name of a file -- expected a name in quotation marks
              help: write `#include "file"`
            error[include-name] m.pml:4:10: `#include` lacks the name of a file -- expected a name in quotation marks
              help: write `#include "file"`
        "#]],
    );
}

#[test]
fn a_cycle_of_includes_is_shown() {
    check_files(
        "#include \"a.h\"\nx\n",
        &[("a.h", "#include \"b.h\"\n#include \"b.h\"\n"), ("b.h", "#include \"a.h\"\n")],
        &[],
        expect![[r#"
            x
            error[include-cycle] b.h:1:10: `a.h` includes itself recursively -- this include exceeds the limit
              note: the chain of includes is a.h → b.h → a.h
              note: nothing is included from here on
              help: wrap the file in `#ifndef NAME`, `#define NAME` and `#endif`
        "#]],
    );
}

#[test]
fn a_file_may_include_itself_as_often_as_conditions_let_it() {
    check_files(
        "#include \"a.h\"\n",
        &[(
            "a.h",
            "#ifndef A\n#define A\n1\n#include \"a.h\"\n#elif !defined B\n#define B\n2\n#include \"a.h\"\n#endif\n",
        )],
        &[],
        expect![[r#"
            1
            2
        "#]],
    );
}

#[test]
fn line_directives_rename_places() {
    check(
        "#line 70 \"orig.pml\"\n#error a\n# 5 \"more.pml\" 1 2\n__LINE__ __FILE__\n#line x\n#line 3 x\n",
        expect![[r#"
            5 "more.pml"
            error[error-directive] orig.pml:70:2: `#error`: a -- reported by the model itself
            error[line-directive] more.pml:6:7: `#line` lacks a line number -- expected a decimal number
            error[line-directive] more.pml:7:9: `#line` names a file without quotes -- expected a string
        "#]],
    );
}

#[test]
fn unknown_characters_pass_through() {
    check(
        "#define s(x) #x x\n` s(é) \"open\n'x\n",
        expect![[r#"
        ` "é" é "open
        ' x
    "#]],
    );
}

/// Checks that the input takes little time and memory.
fn check_quick(what: &str, input: &str, code: Option<&str>) {
    let started = Instant::now();
    let run = run("m.pml", input, &mut NoIncludes, &[]);
    let taken = started.elapsed();
    assert!(taken < Duration::from_secs(5), "{what} took {taken:?}");
    assert!(run.tokens.len() < 4_000_000, "{what} gave {} tokens", run.tokens.len());
    let codes: Vec<_> = run.diagnostics.iter().map(|message| message.code).collect();
    match code {
        Some(code) => assert!(codes.contains(&code), "{what} gave {codes:?}"),
        None => assert!(codes.is_empty(), "{what} gave {codes:?}"),
    }
}

#[test]
fn bombs_do_not_explode() {
    let doubling = |name: &str, body: &str| -> String {
        let step = |n: usize| {
            let body = body.replace("@", &(n - 1).to_string());
            format!("#define {name}{n} {body}\n")
        };
        (1..60).map(step).collect::<String>()
    };
    let bombs = [
        ("doubling", format!("{}a59\n", doubling("a", "a@ a@"))),
        ("empty", format!("#define a0\n{}a59\n", doubling("a", "a@ a@"))),
        ("arguments", format!("#define f(x) x x\n{}a59\n", doubling("a", "f(a@)"))),
        (
            "glue",
            format!(
                "#define g(x,y) x##y\n#define h(x,y) g(x,y)\n#define a0 x\n{}a59\n",
                doubling("a", "h(a@,a@)")
            ),
        ),
        (
            "quotes",
            format!(
                "#define s(x) #x\n#define t(x) s(x)\n#define a0 \"\\\\\"\n{}a59\n",
                doubling("a", "t(a@)")
            ),
        ),
        (
            "nested calls",
            format!("#define f(x) x\n{}1{}\n", "f(".repeat(50_000), ")".repeat(50_000)),
        ),
        (
            "repeated argument",
            format!("#define f(x) {}\nf({})\n", "x ".repeat(100_000), "1 ".repeat(100_000)),
        ),
    ];
    for (what, input) in &bombs {
        check_quick(what, input, Some("macro-bomb"));
    }
    let chain: String = (0..50_000).map(|n| format!("#define a{n} f(a{})\n", n + 1)).collect();
    check_quick("chain", &format!("#define f(x) x\n{chain}a0\n"), Some("macro-too-deep"));
    let endless = "#define f(x) x\n".to_owned() + &"f(".repeat(1_000_000);
    check_quick("endless calls", &endless, Some("macro-unterminated"));
}

#[test]
fn deep_and_long_inputs_are_quick() {
    let deep = "#if 1\n".repeat(100_000) + "x\n" + &"#endif\n".repeat(100_000);
    check_quick("deep #if", &deep, None);
    check_quick("skipped #if", &deep.replacen('1', "0", 1), None);
    check_quick("open #if", &"#if 0\n".repeat(100_000), Some("unterminated-if"));
    let nested = format!("#if {}1{}\n#endif\n", "(".repeat(100_000), ")".repeat(100_000));
    check_quick("nested condition", &nested, Some("condition-too-deep"));
    check_quick(
        "signs",
        &format!("#if {}1\n#endif\n", "- ".repeat(100_000)),
        Some("condition-too-deep"),
    );
    check_quick("sum", &format!("#if {}1\n#endif\n", "1 + ".repeat(100_000)), None);
    let many: String = (0..20_000).map(|n| format!("#define a{n} {n}\na{n}\n")).collect();
    check_quick("many macros", &many, None);
    check_quick("splices", &"\\\n".repeat(1_000_000), None);
    check_quick("quotes", &"'".repeat(1_000_000), None);
}

#[test]
fn files_that_include_themselves_twice_do_not_explode() {
    let started = Instant::now();
    check_files(
        "#include \"a.h\"\nx\n",
        &[("a.h", "#if __COUNTER__ % 40 != 39\n#include \"a.h\"\n#include \"a.h\"\n#endif\n")],
        &[],
        expect![[r#"
            x
            error[include-cycle] a.h:2:10: `a.h` includes itself recursively -- this include exceeds the limit
              note: the chain of includes is a.h → a.h
              note: nothing is included from here on
              help: wrap the file in `#ifndef NAME`, `#define NAME` and `#endif`
        "#]],
    );
    assert!(started.elapsed() < Duration::from_secs(5));
}
