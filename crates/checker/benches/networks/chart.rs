//! A chart with lines, as SVG.

use std::fmt::Write as _;

/// A line with a name.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines over two axes that begin at zero.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) across: String,
    pub(crate) up: String,
    pub(crate) lines: Vec<Line>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Left, right, top and bottom of what is drawn.
const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = HEIGHT - 50.0;
const COLORS: [&str; 3] = ["#1f5fa8", "#c4512d", "#3d8b40"];

impl Chart {
    pub(crate) fn svg(&self) -> String {
        let most = |value: fn(&(f64, f64)) -> f64| {
            let points = self.lines.iter().flat_map(|line| &line.points);
            points.map(value).fold(0.0, f64::max)
        };
        let (step_x, end_x) = scale(most(|point| point.0));
        let (step_y, end_y) = scale(most(|point| point.1));
        let x = |value: f64| LEFT + (RIGHT - LEFT) * value / end_x;
        let y = |value: f64| BOTTOM - (BOTTOM - TOP) * value / end_y;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{}</text>\n",
            self.title
        );
        let mut add = |text: String| writeln!(out, "{text}").expect("writing to a string succeeds");
        for at in 0..=(end_x / step_x).round() as u32 {
            let value = f64::from(at) * step_x;
            let (x, y) = (x(value), BOTTOM + 16.0);
            add(format!("<path d=\"M{x:.1} {TOP}V{BOTTOM}\" stroke=\"#e4e4e4\"/>"));
            add(format!(
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
                word(value)
            ));
        }
        for at in 0..=(end_y / step_y).round() as u32 {
            let value = f64::from(at) * step_y;
            let y = y(value);
            add(format!("<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#e4e4e4\"/>"));
            let (x, y) = (LEFT - 6.0, y + 4.0);
            add(format!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>", word(value)));
        }
        let (middle, below) = ((LEFT + RIGHT) / 2.0, BOTTOM + 38.0);
        add(format!(
            "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>",
            self.across
        ));
        let middle = (TOP + BOTTOM) / 2.0;
        add(format!(
            "<text transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            self.up
        ));
        for (at, (line, color)) in self.lines.iter().zip(COLORS).enumerate() {
            let points: Vec<String> =
                line.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
            add(format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
                points.join(" ")
            ));
            let (x, y) = (RIGHT - 8.0, TOP + 16.0 + 16.0 * at as f64);
            add(format!(
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" fill=\"{color}\">{}</text>",
                line.name
            ));
        }
        out + "</svg>\n"
    }
}

/// How far marks are apart up to this number, and where the last one is.
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
