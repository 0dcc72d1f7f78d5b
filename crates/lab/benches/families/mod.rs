//! Tables 2 to 4 of [ELL01] with models of the same families.

use std::fmt::Write as _;

use beeline_testkit::spin::Scratch;
use serde_json::Value;

use crate::number;
use beeline_lab::ask::ask;

/// A model of ours, and the published values of the one with its name.
pub(crate) struct Family {
    name: &'static str,
    file: &'static str,
    defines: &'static [&'static str],
    property: &'static str,
    /// The published values: the model's size, and the cells of each column.
    published: Option<(&'static str, [Cell; 3], Option<u64>)>,
}

/// A cell of a table: the length of the trail, and the work.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cell {
    steps: u64,
    stored: u64,
    expanded: u64,
}

const fn cell(steps: u64, stored: u64, expanded: u64) -> Cell {
    Cell { steps, stored, expanded }
}

const FAMILIES: &[Family] = &[
    Family {
        name: "GIOP",
        file: "models/giop.pml",
        defines: &["CLIENTS=3", "SERVERS=3", "MOVES=2"],
        property: "deadlock",
        published: Some((
            "N=2, M=1",
            [cell(134, 326, 326), cell(67, 988, 432), cell(65, 30_629, 24_485)],
            Some(58),
        )),
    },
    Family {
        name: "Marriers",
        file: "models/stable_marriage.pml",
        defines: &["N=4"],
        property: "deadlock",
        published: Some((
            "N=4",
            [cell(121, 407_009, 407_009), cell(99, 26_545, 16_639), cell(66, 225_404, 192_902)],
            Some(62),
        )),
    },
    Family {
        name: "Philosophers",
        file: "models/philosophers.pml",
        defines: &["N=10"],
        property: "deadlock",
        published: None,
    },
    Family {
        name: "Elevator",
        file: "models/elevator.pml",
        defines: &["FLOORS=4"],
        property: "invariant: !(floor == 3 && door_open && call[0] && call[1])",
        published: Some((
            "N=3",
            [cell(510, 292, 292), cell(203, 38_363, 38_423), cell(203, 38_538, 38_259)],
            None,
        )),
    },
    Family {
        name: "POTS",
        file: "models/telephone.pml",
        defines: &["CALLS=0"],
        property: "assertions",
        published: Some((
            "-",
            [cell(756, 506_751, 506_751), cell(67, 2_668, 2_326), cell(67, 2_019, 997)],
            None,
        )),
    },
    Family {
        name: "FMC",
        file: "models/circuit.pml",
        defines: &["STAGES=3"],
        property: "clean",
        published: Some((
            "N=3",
            [cell(259, 270, 279), cell(73, 438, 437), cell(73, 419, 412)],
            None,
        )),
    },
];

/// The measured trails: depth-first, by Hamming distance, by FSM distance, by all methods, and the
/// shortest.
pub(crate) struct Measured {
    family: &'static Family,
    cells: [Cell; 5],
    /// The final lengths of the two directed searches if they continue.
    ends: [u64; 2],
}

/// Measures the families with a wanted name or file.
pub(crate) fn measure(beeline: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<Measured> {
    let wanted = FAMILIES.iter().filter(|one| is_wanted(one.name) || is_wanted(one.file));
    wanted.map(|family| measured(beeline, family)).collect()
}

fn measured(beeline: &str, family: &'static Family) -> Measured {
    let scratch = Scratch::new().expect("a scratch directory");
    let place = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
    let (long, short, other) = (place("long.trail"), place("short.trail"), place("other.trail"));
    let defines: Vec<&str> = family.defines.iter().flat_map(|define| ["-D", define]).collect();
    let check = |search: &str, trail: &str| {
        let words = [beeline, "check", family.file, "--json", "--property", family.property];
        let rest = ["--search", search, "--trail", trail, "--time", "60s"];
        let said = ask(&[&words[..], &rest, &defines].concat()).said;
        let (property, stats) = (&said["properties"][0], &said["stats"]);
        assert_eq!(property["verdict"], "violated", "{}: {said}", family.name);
        let steps = number(&property["trail"]["steps"]);
        cell(steps, number(&stats["stored"]), number(&stats["expanded"]))
    };
    let improve = |by: &[&str]| {
        let words = [beeline, "improve", family.file, &long, "--trail", &short, "--json"];
        let watched: &[&str] = match family.property.starts_with("invariant") {
            true => &["--property", family.property],
            false => &[],
        };
        let said = ask(&[&words[..], &defines, watched, by].concat()).said;
        assert!(said["trail"]["length"].is_u64(), "{}: {said}", family.name);
        said
    };
    let depth_first = check("dfs", &long);
    let full = improve(&["--by", "astar(hamming)"]);
    let partial = improve(&["--by", "astar(fsm-state)"]);
    let all = improve(&[]);
    let dijkstra = check("dijkstra", &other);
    let last = cell(number(&all["trail"]["length"]), 0, number(&all["expanded"]));
    Measured {
        family,
        cells: [depth_first, first(&full), first(&partial), last, dijkstra],
        ends: [&full, &partial].map(|said| number(&said["trail"]["length"])),
    }
}

/// The first shorter trail, or the work of proving that there is none.
fn first(said: &Value) -> Cell {
    let one = &said["improvements"][0];
    if one.is_null() {
        return cell(number(&said["given"]["length"]), 0, number(&said["expanded"]));
    }
    cell(number(&one["length"]), number(&one["stored"]), number(&one["expanded"]))
}

/// The runs, as rows of the table of all trails.
pub(crate) fn rows(all: &[Measured]) -> String {
    let mut out = String::new();
    for Measured { family, cells, ends } in all {
        let [depth_first, _, _, last, least] = cells;
        let methods = ["astar(hamming)", "astar(fsm-state)", "all methods"];
        for (by, steps) in methods.iter().zip([ends[0], ends[1], last.steps]) {
            let model = format!("{} {}", family.file, family.defines.join(" "));
            let (kind, given, least) = (family.property, depth_first.steps, least.steps);
            writeln!(out, "{model}\t{kind}\t{given}\t{steps}\t{by}\t\t{least}\tdijkstra")
                .expect("it is a string");
        }
    }
    out
}

/// The tables.
pub(crate) fn page(all: &[Measured]) -> String {
    let mut out = "# Shortened trails, measured\n\n\
        Printed by `bench/improve`. It measures trails to a state; [Liveness](liveness.md#shorter-lassos)\n\
        describes how lassos are shortened.\n\n\
        ## The families of [ELL01]\n\n\
        Tables 2 to 4 of [ELL01] shorten trails of depth-first search by trail-directed A\\* with\n\
        the Hamming distance and with the FSM distance. Our models differ from those of the paper: they\n\
        belong to the same families, but were written for Beeline. So only the tendency of the numbers can be\n\
        compared; the numbers of the paper are below each. (Philosophers are not in those\n\
        tables.)\n\n\
        A cell is the length of the trail, then states stored / expanded. *TDA\\** is\n\
        `beeline improve --by 'astar(hamming)'` or `--by 'astar(fsm-state)'`: the first shorter\n\
        trail, where HSF-SPIN ends, and after the arrow the last one, if the search may\n\
        continue; the portfolio checks after every 512 expansions, so counts are rounded up. *All* is\n\
        `beeline improve`, which also proves that there is no shorter trail; its stored states are not\n\
        counted. *Shortest* is `beeline check --search dijkstra`.\n\n\
        | model | | DFS | TDA\\* Hamming | TDA\\* FSM | all | shortest |\n\
        |---|---|---|---|---|---|---|\n"
        .to_owned();
    for Measured { family, cells, ends } in all {
        let [depth_first, full, partial, last, least] = cells;
        writeln!(
            out,
            "| {} `{}` | `{}` | {} | {} → {} | {} → {} | {} ({} expanded) | {} |",
            family.name,
            family.property,
            family.defines.join(" "),
            text(depth_first),
            text(full),
            ends[0],
            text(partial),
            ends[1],
            last.steps,
            last.expanded,
            text(least),
        )
        .expect("it is a string");
        if let Some((size, [depth_first, full, partial], least)) = &family.published {
            let cells = [depth_first, full, partial].map(text).join(" | ");
            let least = least.map_or_else(|| "-".to_owned(), |steps| steps.to_string());
            writeln!(out, "| *[ELL01]'s* | {size} | {cells} | - | {least} |")
                .expect("it is a string");
        }
    }
    out
}

fn text(cell: &Cell) -> String {
    format!("**{}** {} / {}", cell.steps, cell.stored, cell.expanded)
}
