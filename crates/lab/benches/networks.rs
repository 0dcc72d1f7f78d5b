//! Process networks and the distance-preserving abstraction, compared with [DFP06]: writes
//! `bench/networks.tsv` and `docs/book/networks.md` with its figures. `BEELINE_BENCH_SECONDS`
//! limits each run (default 10); memory is limited to 3 GiB. With names, only networks whose name
//! begins with one of them, printed and not written. With `--page`, the page is rewritten from the
//! existing table, with newly measured figures.

#[path = "networks/figures.rs"]
mod figures;
#[path = "networks/measure.rs"]
mod measure;
#[path = "networks/page.rs"]
mod page;
#[path = "networks/paper.rs"]
mod paper;

use std::fs;
use std::path::Path;

use measure::{Instance, Row};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table = root.join("bench/networks.tsv");
    if std::env::args().any(|arg| arg == "--page") {
        let text = fs::read_to_string(&table).expect("there is a table");
        let rows: Option<Vec<Row>> = text.lines().skip(1).map(Row::read).collect();
        return write_page(&root, &rows.expect("each line is a row"));
    }
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |instance: &Instance| {
        names.is_empty() || names.iter().any(|name| instance.name.starts_with(name.as_str()))
    };
    let mut rows: Vec<Row> = Vec::new();
    for instance in measure::instances().iter().filter(|instance| is_wanted(instance)) {
        for row in measure::measure(instance) {
            eprintln!("{}", row.line());
            rows.push(row);
        }
    }
    if names.is_empty() {
        let lines: Vec<String> = rows.iter().map(Row::line).collect();
        write(&table, &format!("{}\n{}\n", Row::HEAD, lines.join("\n")));
        write_page(&root, &rows);
    }
}

fn write_page(root: &Path, rows: &[Row]) {
    let pictures = root.join("docs/book/networks");
    fs::create_dir_all(&pictures).expect("the book is ours");
    let figures = figures::all();
    for figure in &figures {
        write(&pictures.join(figure.file), &figure.chart.svg());
    }
    write(&root.join("docs/book/networks.md"), &page::page(rows, &figures));
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
