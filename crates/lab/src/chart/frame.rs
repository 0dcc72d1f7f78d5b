//! The frame of all charts: a title, two axes with marks, a grid.

use std::fmt::Write as _;

/// The name and the marks of an axis, with positions from 0 to 1.
pub(super) struct Axis<'a> {
    pub(super) name: &'a str,
    pub(super) marks: Vec<(f64, String)>,
}

/// The size of the drawing.
pub(super) struct Frame {
    width: f64,
    height: f64,
}

pub(super) const LEFT: f64 = 64.0;
pub(super) const TOP: f64 = 40.0;

impl Frame {
    pub(super) fn new(width: f64, height: f64) -> Frame {
        Frame { width, height }
    }

    pub(super) fn right(&self) -> f64 {
        self.width - 20.0
    }

    pub(super) fn bottom(&self) -> f64 {
        self.height - 50.0
    }

    pub(super) fn x(&self, share: f64) -> f64 {
        LEFT + (self.right() - LEFT) * share
    }

    pub(super) fn y(&self, share: f64) -> f64 {
        self.bottom() - (self.bottom() - TOP) * share
    }

    /// An SVG with the frame, in which `inside` is drawn.
    pub(super) fn svg(&self, title: &str, axes: [&Axis<'_>; 2], inside: &str) -> String {
        let Frame { width, height } = self;
        let (right, bottom) = (self.right(), self.bottom());
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{title}</text>\n",
        );
        let mut add = |text: String| writeln!(out, "{text}").expect("writing to a string succeeds");
        let [across, up] = axes;
        for (share, word) in &across.marks {
            let (x, y) = (self.x(*share), bottom + 16.0);
            add(format!("<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#e4e4e4\"/>"));
            add(format!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{word}</text>"));
        }
        for (share, word) in &up.marks {
            let y = self.y(*share);
            add(format!("<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#e4e4e4\"/>"));
            let (x, y) = (LEFT - 6.0, y + 4.0);
            add(format!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{word}</text>"));
        }
        let (middle, below) = ((LEFT + right) / 2.0, bottom + 38.0);
        add(format!(
            "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>",
            across.name
        ));
        let middle = (TOP + bottom) / 2.0;
        add(format!(
            "<text transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            up.name
        ));
        out + inside + "</svg>\n"
    }
}
