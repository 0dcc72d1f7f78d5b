//! A scatter plot with two logarithmic axes that compares two methods, one point for each task.
//! Below the diagonal, the method of the vertical axis took less.

use std::fmt::Write as _;

use super::frame::{Axis, Frame, LEFT, TOP};

/// Points, with the names of the axes.
pub struct Scatter {
    /// The measure.
    pub title: String,
    /// The method of the horizontal axis.
    pub across: String,
    /// The method of the vertical axis.
    pub up: String,
    /// Values of both methods; `None` if missing. Zero is drawn as `least`.
    pub points: Vec<(Option<f64>, Option<f64>)>,
    /// The least value that is distinguished from zero.
    pub least: f64,
}

impl Scatter {
    /// The drawing. A cross has both values; a triangle has one, and is drawn at the end of the
    /// other axis.
    pub fn svg(&self) -> String {
        let values = self.points.iter().flat_map(|&(a, b)| [a, b]).flatten();
        let values: Vec<f64> = values.map(|value| value.max(self.least).log10()).collect();
        let least = values.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let most = values.iter().copied().fold(least, f64::max);
        // Triangles are drawn after the last mark.
        let (from, to) = (least.floor(), most.ceil().max(least.floor() + 1.0) + 0.4);
        let share = |value: Option<f64>| match value {
            Some(value) => (value.max(self.least).log10() - from) / (to - from),
            None => (to - 0.15 - from) / (to - from),
        };
        let marks: Vec<(f64, String)> = (from as i32..to as i32 + 1)
            .map(|power| ((f64::from(power) - from) / (to - from), word(power)))
            .filter(|mark| mark.0 <= 1.0)
            .collect();
        let frame = Frame::new(360.0, 380.0);
        let mut inside = format!(
            "<path d=\"M{LEFT} {}L{} {TOP}\" stroke=\"#888\"/>\n",
            frame.bottom(),
            frame.right()
        );
        for &(a, b) in &self.points {
            let (x, y) = (frame.x(share(a)), frame.y(share(b)));
            let drawn = if a.is_some() && b.is_some() {
                format!("<path d=\"M{x:.1} {y:.1}m-3-3l6 6m0-6l-6 6\" stroke=\"#1f5fa8\"/>")
            } else {
                format!("<path d=\"M{x:.1} {y:.1}m-4 3h8l-4-7z\" fill=\"#c4512d\"/>")
            };
            writeln!(inside, "{drawn}").expect("writing to a string succeeds");
        }
        let axis = |name| Axis { name, marks: marks.clone() };
        frame.svg(&self.title, [&axis(&self.across), &axis(&self.up)], &inside)
    }
}

/// A power of ten in a short form.
fn word(power: i32) -> String {
    match power {
        ..-3 => format!("1e{power}"),
        -3..0 => format!("{}", 10f64.powi(power)),
        0..3 => format!("{:.0}", 10f64.powi(power)),
        3..6 => format!("{:.0}k", 10f64.powi(power - 3)),
        6..9 => format!("{:.0}M", 10f64.powi(power - 6)),
        9.. => format!("{:.0}G", 10f64.powi(power - 9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_the_diagonal_is_drawn_below_it() {
        let points = vec![(Some(1000.0), Some(10.0)), (None, Some(10.0))];
        let title = "states".to_owned();
        let (across, up) = ("one".to_owned(), "two".to_owned());
        let svg = Scatter { title, across, up, points, least: 1.0 }.svg();
        let start = |color: &str| {
            let line = svg.lines().find(|line| line.contains(color)).expect("it is drawn");
            let numbers = line.split("d=\"M").nth(1).expect("it is a path");
            let (x, rest) = numbers.split_once(' ').expect("there are two");
            let y: f64 = rest.split('m').next().expect("it goes on").parse().expect("a number");
            (x.parse::<f64>().expect("a number"), y)
        };
        let ((x, y), (behind, level)) = (start("#1f5fa8"), start("#c4512d"));
        assert_eq!(y, level);
        assert!(behind > x, "a missing value is behind all others");
        let frame = Frame::new(360.0, 380.0);
        let diagonal = frame.y((x - LEFT) / (frame.right() - LEFT));
        assert!(y > diagonal, "{y} is above {diagonal}");
    }
}
