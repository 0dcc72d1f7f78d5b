//! Charts as SVG: lines over two axes, or points that compare two things.

mod frame;
mod scatter;

use std::fmt::Write as _;

use frame::{Axis, Frame, LEFT, TOP};

pub use scatter::Scatter;

/// A line with a name.
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// Lines over two axes that begin at zero.
pub struct Chart {
    /// The title.
    pub title: String,
    /// The name of the horizontal axis.
    pub across: String,
    /// The name of the vertical axis.
    pub up: String,
    /// The lines, at most eight.
    pub lines: Vec<Line>,
}

const COLORS: [&str; 8] =
    ["#1f5fa8", "#c4512d", "#3d8b40", "#7b4fa3", "#8a6d1a", "#20878c", "#b0367a", "#555555"];

impl Chart {
    /// The drawing.
    pub fn svg(&self) -> String {
        let most = |value: fn(&(f64, f64)) -> f64| {
            let points = self.lines.iter().flat_map(|line| &line.points);
            points.map(value).fold(0.0, f64::max)
        };
        let (step_x, end_x) = scale(most(|point| point.0));
        let (step_y, end_y) = scale(most(|point| point.1));
        let marks = |step: f64, end: f64| {
            let values = (0..=(end / step).round() as u32).map(|at| f64::from(at) * step);
            values.map(|value| (value / end, word(value))).collect()
        };
        let across = Axis { name: &self.across, marks: marks(step_x, end_x) };
        let up = Axis { name: &self.up, marks: marks(step_y, end_y) };
        let frame = Frame::new(640.0, 360.0);
        // The names stand in the upper corner that the lines leave free.
        let rise = self.lines.iter().all(|line| match line.points[..] {
            [first, .., last] => first.1 < last.1,
            _ => false,
        });
        let mut inside = String::new();
        let mut add =
            |text: String| writeln!(inside, "{text}").expect("writing to a string succeeds");
        for (at, (line, color)) in self.lines.iter().zip(COLORS).enumerate() {
            let place = |&(a, b): &(f64, f64)| {
                format!("{:.1},{:.1}", frame.x(a / end_x), frame.y(b / end_y))
            };
            let points: Vec<String> = line.points.iter().map(place).collect();
            add(format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
                points.join(" ")
            ));
            let y = TOP + 16.0 + 16.0 * at as f64;
            let (x, anchor) =
                if rise { (LEFT + 8.0, "start") } else { (frame.right() - 8.0, "end") };
            add(format!(
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{color}\">{}</text>",
                line.name
            ));
        }
        frame.svg(&self.title, [&across, &up], &inside)
    }
}

/// The distance of marks up to this number, and the position of the last one.
fn scale(most: f64) -> (f64, f64) {
    let rough = (most / 6.0).max(1e-9);
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * unit);
    let step = step.into_iter().find(|&step| step >= rough).expect("ten times is enough");
    (step, (most / step).ceil().max(1.0) * step)
}

fn word(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
