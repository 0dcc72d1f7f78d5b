//! Automata as a drawing: locations are circles, statements are boxes between them, and the edges
//! of a trail are highlighted.

use beeline_engine::automata::{self, Automaton, Edge, EdgeCoverage, Location};
use beeline_promela::hir::Model;

use crate::base::text::{escaped, push};
use crate::render::automata::layers::{self, EdgePath, Graph};
use crate::render::chart::label::shorten;

const STYLE: &str = include_str!("automata.css");
const LETTER: f64 = 7.2;
/// The height of a row.
const ROW: f64 = 44.0;
const RADIUS: f64 = 14.0;
/// Longer statements are truncated.
const LONGEST: usize = 40;
/// The margin around an automaton.
const BORDER: f64 = 24.0;
/// The height of its title.
const TITLE: f64 = 44.0;
/// The height of the legend.
const LEGEND: f64 = 34.0;

/// Draws automata, one below the other.
pub(crate) fn picture(
    automata: &[Automaton],
    model: &Model,
    route: Option<&EdgeCoverage>,
) -> String {
    let mut top = LEGEND;
    let mut width: f64 = 640.0;
    let mut body = String::new();
    for automaton in automata {
        let drawn = Drawing::new(automaton, model, route);
        let (own_width, height, text) = drawn.draw();
        push(&mut body, format_args!("<g transform=\"translate(0 {top})\">\n{text}</g>\n"));
        top += height;
        width = width.max(own_width);
    }
    let mut legend = "bold circle: start; dashed circle: valid end; double: accept; green: \
                      progress; dashed box: atomic; dotted box: d_step"
        .to_owned();
    if route.is_some() {
        legend += "; blue: on the trail; red: location at its end";
    }
    width = width.max(legend.chars().count() as f64 * 6.2 + 2.0 * BORDER);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{top:.0}\" \
         viewBox=\"0 0 {width:.0} {top:.0}\" role=\"img\" aria-label=\"process automata\">\n\
         <title>process automata</title>\n<style>\n{STYLE}</style>\n\
         <defs>{}{}</defs>\n\
         <rect class=\"back\" width=\"{width:.0}\" height=\"{top:.0}\"/>\n\
         <text class=\"legend\" x=\"{BORDER}\" y=\"22\">{legend}</text>\n{body}</svg>\n",
        tip("tip"),
        tip("usedtip"),
    )
}

fn tip(name: &str) -> String {
    format!(
        "<marker id=\"{name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" \
         markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path class=\"{name}\" d=\"M0 0L10 5L0 10Z\"/></marker>"
    )
}

struct Drawing<'a> {
    automaton: &'a Automaton,
    route: Option<&'a EdgeCoverage>,
    /// The locations, the initial one first.
    locations: Vec<Location>,
    /// The text of each edge.
    texts: Vec<Text>,
    graph: Graph,
}

/// The text of an edge, and its displayed part.
struct Text {
    full: String,
    shown: String,
}

impl Text {
    /// The width of its box.
    fn room(&self) -> f64 {
        self.shown.chars().count() as f64 * LETTER + 14.0
    }
}

impl<'a> Drawing<'a> {
    fn new(
        automaton: &'a Automaton,
        model: &Model,
        route: Option<&'a EdgeCoverage>,
    ) -> Drawing<'a> {
        let mut locations = vec![automaton.start];
        for edge in &automaton.edges {
            for end in [edge.from, edge.to] {
                if !locations.contains(&end) {
                    locations.push(end);
                }
            }
        }
        let process = model.process(automaton.process);
        let text = |edge: &Edge| {
            let parts = edge.steps.iter().map(|step| match step.text(model, process) {
                text if text == "1" => "skip".to_owned(),
                text => text,
            });
            let full = parts.collect::<Vec<_>>().join("; ");
            let shown = match route.map_or(0, |route| route.taken(automaton, edge)) {
                0 => shorten(&full, LONGEST),
                times => format!("{} ×{times}", shorten(&full, LONGEST)),
            };
            Text { full, shown }
        };
        let texts: Vec<Text> = automaton.edges.iter().map(text).collect();
        let at = |location| {
            locations.iter().position(|&one| one == location).expect("both ends were added")
        };
        let edges = automaton.edges.iter().zip(&texts);
        let graph = Graph {
            nodes: vec![2.0 * RADIUS; locations.len()],
            edges: edges.map(|(edge, text)| (at(edge.from), at(edge.to), text.room())).collect(),
        };
        Drawing { automaton, route, locations, texts, graph }
    }

    /// Width, height, and the drawing.
    fn draw(&self) -> (f64, f64, String) {
        let places = layers::place(&self.graph);
        let x = |x: f64| BORDER + x;
        let y = |row: usize| TITLE + RADIUS + row as f64 * ROW;
        let mut out = String::new();
        let title = escaped(&automata::title(self.automaton));
        push(
            &mut out,
            format_args!("<text class=\"title\" x=\"{BORDER}\" y=\"24\">{title}</text>\n"),
        );
        // Lines come first, so that boxes and circles cover them.
        for (at, edge) in self.automaton.edges.iter().enumerate() {
            let place = &places.edges[at];
            let (from, to) =
                (places.nodes[self.graph.edges[at].0], places.nodes[self.graph.edges[at].1]);
            let (tx, ty) = (x(place.text.0), y(place.text.1));
            let used = self.taken(edge) > 0;
            let (class, tip) = if used { ("edge used", "usedtip") } else { ("edge", "tip") };
            let mut path = curve(x(from.0), y(from.1) + RADIUS, tx, ty - 10.0);
            match &place.path {
                EdgePath::Down(passed) => {
                    let (mut px, mut py) = (tx, ty + 10.0);
                    for &(qx, row) in passed {
                        path += &curve(px, py, x(qx), y(row));
                        (px, py) = (x(qx), y(row));
                    }
                    path += &curve(px, py, x(to.0), y(to.1) - RADIUS - 1.0);
                }
                EdgePath::Back(lane) => {
                    // Below its row, up along the lane, and in from above, so that it passes
                    // between rows and is covered by nothing.
                    let below = ty + 14.0 + 3.0 * (at % 3) as f64;
                    let above = y(to.1) - RADIUS - 6.0;
                    let end = x(to.0) + RADIUS * 0.6;
                    path += &rounded(&[
                        (tx, ty + 10.0),
                        (tx, below),
                        (x(*lane), below),
                        (x(*lane), above),
                        (end, above),
                        (end, y(to.1) - RADIUS * 0.8 - 1.0),
                    ]);
                }
            }
            push(
                &mut out,
                format_args!("<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#{tip})\"/>\n"),
            );
        }
        for (at, edge) in self.automaton.edges.iter().enumerate() {
            let (tx, row) = places.edges[at].text;
            out += &self.statement(edge, &self.texts[at], x(tx), y(row));
        }
        for (at, &location) in self.locations.iter().enumerate() {
            let (nx, row) = places.nodes[at];
            out += &self.location(location, x(nx), y(row));
        }
        let height = y(places.rows.saturating_sub(1)) + RADIUS + BORDER;
        (places.width + 2.0 * BORDER, height, out)
    }

    fn taken(&self, edge: &Edge) -> usize {
        self.route.map_or(0, |route| route.taken(self.automaton, edge))
    }

    fn statement(&self, edge: &Edge, text: &Text, x: f64, y: f64) -> String {
        let times = self.taken(edge);
        let room = text.room();
        let hold = match edge.hold {
            hold if hold.d_step => " dstep",
            hold if hold.atomic || hold.last_atomic => " atomic",
            _ => "",
        };
        let used = if times > 0 { " usedbox" } else { "" };
        let title =
            format!("edge {} from {} to {}: {}", edge.id.0, edge.from.0, edge.to.0, text.full);
        let (left, top, base) = (x - room / 2.0, y - 10.0, y + 4.0);
        format!(
            "<g data-edge=\"{}\" data-taken=\"{times}\"><title>{}</title>\
             <rect class=\"box{hold}{used}\" x=\"{left:.1}\" y=\"{top}\" width=\"{room:.1}\" \
             height=\"20\" rx=\"4\"/><text x=\"{x:.1}\" y=\"{base}\">{}</text></g>\n",
            edge.id.0,
            escaped(&title),
            escaped(&text.shown)
        )
    }

    fn location(&self, location: Location, x: f64, y: f64) -> String {
        let automaton = self.automaton;
        let marks = automaton.marks.get(location.0 as usize).copied().unwrap_or_default();
        let mut class = "spot".to_owned();
        let ends = self.route.map_or(0, |route| route.resting(automaton, location));
        if self.route.is_some_and(|route| route.passes(automaton, location)) {
            class += if ends > 0 { " resting" } else { " passed" };
        }
        for (set, word) in [
            (location == automaton.start, " start"),
            (marks.end, " end"),
            (marks.progress, " progress"),
        ] {
            class += if set { word } else { "" };
        }
        let ring = if marks.accept {
            format!(
                "<circle class=\"{class} ring\" cx=\"{x:.1}\" cy=\"{y}\" r=\"{}\"/>",
                RADIUS + 3.0
            )
        } else {
            String::new()
        };
        let note = match ends {
            0 => String::new(),
            _ => format!(
                "<text class=\"here\" x=\"{:.1}\" y=\"{}\">{}</text>",
                x + RADIUS + 5.0,
                y - 8.0,
                if ends == 1 {
                    "here at the end".to_owned()
                } else {
                    format!("{ends} here at the end")
                }
            ),
        };
        let gone = location.0 == 0;
        let text = if gone { "■".to_owned() } else { location.0.to_string() };
        let title = if gone { "gone".to_owned() } else { format!("location {text}") };
        format!(
            "<g data-location=\"{}\"><title>{title}</title>{ring}\
             <circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y}\" r=\"{RADIUS}\"/>\
             <text x=\"{x:.1}\" y=\"{}\">{text}</text>{note}</g>\n",
            location.0,
            y + 4.0
        )
    }
}

/// A line from one point down to another, bent only if necessary.
fn curve(x1: f64, y1: f64, x2: f64, y2: f64) -> String {
    if (x1 - x2).abs() < 0.5 {
        return format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
    }
    let middle = (y1 + y2) / 2.0;
    format!("M{x1:.1} {y1:.1}C{x1:.1} {middle:.1} {x2:.1} {middle:.1} {x2:.1} {y2:.1}")
}

/// A path with right angles, whose corners are round if there is room.
fn rounded(points: &[(f64, f64)]) -> String {
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    for three in points.windows(3) {
        let [before, corner, after] = [three[0], three[1], three[2]];
        let length =
            |one: (f64, f64), two: (f64, f64)| (one.0 - two.0).abs() + (one.1 - two.1).abs();
        let radius = (length(before, corner).min(length(corner, after)) / 2.0).min(6.0);
        let toward = |other: (f64, f64)| {
            let step = |from: f64, to: f64| from + (to - from).clamp(-radius, radius);
            (step(corner.0, other.0), step(corner.1, other.1))
        };
        let (start, end) = (toward(before), toward(after));
        path += &format!(
            "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.0, start.1, corner.0, corner.1, end.0, end.1
        );
    }
    let last = points[points.len() - 1];
    path + &format!("L{:.1} {:.1}", last.0, last.1)
}
