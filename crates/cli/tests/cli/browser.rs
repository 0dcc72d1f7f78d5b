//! The page of a chart in a real browser: headless Chromium without network access. With
//! `#selftest` the script of the page clicks, types, hides and scrolls, and records the results on
//! the root element.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use beeline_testkit::need::Need;
use beeline_testkit::spin;
use serde_json::Value;

use crate::run::{run_in, scratch};

const LIMIT: Duration = Duration::from_secs(120);

/// Ten steps to the error, with a process start, buffered messages and a rendezvous.
const SHORT: &str = "mtype = { req, ack };\nchan line = [2] of { mtype, byte };\n\
    chan done = [0] of { byte };\nbyte x;\n\
    proctype Worker(byte id) { byte n; line?req, n; x = n; line!ack, n; done!id }\n\
    init { byte n; run Worker(7); line!req, 3; x == 3; line?<ack, n>; line?ack, n; done?n; \
    assert(n == 3) }\n";

/// At least two thousand steps, for any search.
const LONG: &str = "chan up = [4] of { short };\nchan down = [0] of { short };\nshort sent, got;\n\
    active proctype Sender() { do :: sent < 300 -> up!sent; sent++ od }\n\
    active proctype Receiver() { short n; do :: up?n -> got++; down!n od }\n\
    active proctype Monitor() { short last; do :: down?last -> assert(last < 299) od }\n";

/// A directory with the page of the model's first error, and the steps of its trail as data.
fn page(name: &str, model: &str) -> (PathBuf, Value) {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    let args = ["check", "m.pml", "--plain", "--quiet", "--property", "assertions"];
    let result = run_in(&folder, &[&args[..], &["--chart", "c.html"]].concat());
    assert_eq!(result.code, 1, "{result:?}");
    let told = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    (folder, serde_json::from_str(&told.out).expect("it is JSON"))
}

/// Opens the page at a fragment. Chromium's own messages on standard error are ignored.
fn chromium(folder: &Path, place: &str, args: &[&str]) -> String {
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let address = format!("file://{}{place}", folder.join("c.html").display());
    let fixed = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--window-size=1280,800",
    ];
    let all = fixed.iter().copied().chain([&*profile]).chain(args.iter().copied());
    let finished = spin::run("chromium", all.chain([&*address]), folder, LIMIT);
    finished.expect("Chromium comes to its end").stdout
}

/// The data of the root element.
fn report(dom: &str) -> BTreeMap<String, String> {
    let (_, rest) = dom.split_once("<html").expect("there is a page");
    let (tag, _) = rest.split_once('>').expect("its first tag ends");
    let mut report = BTreeMap::new();
    for part in tag.split(" data-").skip(1) {
        let (name, value) = part.split_once("=\"").expect("attributes have values");
        let value = value.trim_end().trim_end_matches('"');
        let value = value.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&");
        report.insert(name.to_owned(), value);
    }
    report
}

/// Runs the self-test of the page, and compares the displayed values with those of `replay`.
fn uses_itself(folder: &Path, told: &Value) -> BTreeMap<String, String> {
    let dom = chromium(folder, "#selftest", &["--dump-dom"]);
    let report = report(&dom);
    assert_eq!(report.get("selftest").map(String::as_str), Some("ok"), "{report:?}");
    let steps = told["steps"].as_array().expect("steps are listed").len();
    assert_eq!(report["steps"], steps.to_string());
    assert_eq!(report["resources"], "0", "nothing was loaded");
    let shown: Vec<(String, String)> =
        serde_json::from_str(&report["final"]).expect("the state is JSON");
    let shown: BTreeMap<String, String> = shown.into_iter().collect();
    let text = |value: &Value| value.as_str().expect("values are text").to_owned();
    let values = told["values"].as_array().expect("values are listed").iter();
    let end = values.map(|one| (text(&one["name"]), text(&one["value"]))).collect();
    assert_eq!(shown, end, "the script arrives at the last state");
    report
}

#[test]
fn a_page_of_ten_steps_works_in_a_browser() {
    if !Need::Chromium.is_here_or_skip("a_page_of_ten_steps_works_in_a_browser") {
        return;
    }
    let (folder, told) = page("browser-short", SHORT);
    let report = uses_itself(&folder, &told);
    assert_eq!(report["columns"], "2");
    assert_eq!(report["arrows"], "3", "{report:?}");
    // It opens at the error, with its line of the source: that of `init`.
    assert_eq!((&*report["opened"], &*report["line"]), ("10", "6"), "{report:?}");
    // A link selects a step, with the state after it.
    let dom = chromium(&folder, "#step=4", &["--dump-dom"]);
    assert!(dom.contains("<h2>Step 4 of 10</h2>"), "{dom}");
    assert!(dom.contains("<td>x</td><td><del>0</del>3</td>"), "{dom}");
    let own = dom.replace("http://www.w3.org/2000/svg", "");
    assert!(!own.contains("http://") && !own.contains("https://"), "no address of anything else");
    // The page can be drawn as a picture, too.
    chromium(&folder, "", &["--screenshot=c.png", "--hide-scrollbars"]);
    let picture = fs::read(folder.join("c.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 10_000, "{}", picture.len());
}

#[test]
fn a_page_of_two_thousand_steps_is_small_and_quick() {
    if !Need::Chromium.is_here_or_skip("a_page_of_two_thousand_steps_is_small_and_quick") {
        return;
    }
    let (folder, told) = page("browser-long", LONG);
    let report = uses_itself(&folder, &told);
    assert_eq!(report["opened"], report["steps"], "{report:?}");
    assert_eq!(report["line"], "6", "{report:?}");
    let number = |name: &str| report[name].parse::<u64>().unwrap();
    assert!(number("steps") >= 2_000, "{report:?}");
    assert!(number("without-first") < number("steps"), "{report:?}");
    // A generous limit: it takes some tens of milliseconds on an idle machine.
    assert!(number("first-draw") < 3_000 && number("draw") < 1_000, "{report:?}");
    let size = fs::metadata(folder.join("c.html")).unwrap().len();
    assert!(size < 1 << 20, "{size} bytes");
}

#[test]
fn a_page_of_a_cycle_opens_where_the_cycle_begins() {
    if !Need::Chromium.is_here_or_skip("a_page_of_a_cycle_opens_where_the_cycle_begins") {
        return;
    }
    let folder = scratch("browser-cycle");
    let model = "#define next(x) (x + 1)\nbyte n;\ninline step(to) {\n  n = to\n}\n\
        active proctype P() {\n  n = next(n);\n  do :: step(2); step(3) od\n}\n\
        ltl p { <> (n == 9) }\n";
    fs::write(folder.join("m.pml"), model).unwrap();
    let args = ["check", "m.pml", "--plain", "--quiet", "--property", "p", "--chart", "c.html"];
    let result = run_in(&folder, &args);
    assert_eq!(result.code, 1, "{result:?}");
    let told = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    let told: Value = serde_json::from_str(&told.out).expect("it is JSON");
    let begins = told["cycle_start"].as_u64().expect("there is a cycle") + 1;
    let report = uses_itself(&folder, &told);
    assert_eq!(report["opened"], begins.to_string(), "{report:?}");
    // The statement is in the inline.
    assert_eq!(report["line"], "4", "{report:?}");
}
