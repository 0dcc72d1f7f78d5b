//! A chart as a drawing of its own. Colours follow the reader's preference for light or dark; the
//! full forms of truncated texts are in the titles of their elements.

use std::fmt::Write as _;

use crate::base::text::escaped;
use crate::render::chart::ChartInput;
use crate::render::chart::label::shorten;
use crate::render::chart::layout::{
    Arrow, Kind, LETTER, LONGEST, Layout, Look, MARGIN, ROW, Row, STAYS, Side,
};

/// The style, which the page shares.
pub(crate) const STYLE: &str = include_str!("chart.css");
/// The height above the first row.
const HEAD: f64 = 74.0;
/// The width for texts right of the last column.
const RIGHT: f64 = 60.0;
/// The length of the arrow of a message that is never received.
const STUB: f64 = 34.0;

/// Draws a chart.
pub(crate) fn svg(input: &ChartInput<'_>) -> String {
    let (layout, title) = (&input.layout, &input.title);
    let mut drawing = Drawing::new(layout, title);
    drawing.ground(title);
    drawing.lifelines();
    layout.arrows.iter().for_each(|arrow| drawing.arrow(arrow));
    drawing.boxes();
    drawing.heads();
    for at in 0..layout.rows.len() {
        drawing.step(at);
    }
    drawing.cycle();
    drawing.end();
    drawing.out.push_str("</svg>\n");
    drawing.out
}

struct Drawing<'a> {
    layout: &'a Layout,
    middles: Vec<f64>,
    width: f64,
    out: String,
}

/// The middle of a row.
fn y(row: usize) -> f64 {
    HEAD + (row * ROW) as f64 + ROW as f64 / 2.0
}

impl<'a> Drawing<'a> {
    fn new(layout: &'a Layout, title: &str) -> Drawing<'a> {
        let middles = layout.middles();
        let columns: usize = layout.columns.iter().map(|column| column.width).sum();
        // Texts right of a column may need more room.
        let reach = layout.rows.iter().filter(|row| row.look != Look::Local);
        let reach = reach.filter(|row| row.side == Side::Right).map(|row| {
            let letters = row.text.chars().count().min(LONGEST) as f64;
            middles.get(row.column).unwrap_or(&0.0) + letters * LETTER + 2.0 * STUB
        });
        let banner = layout.margin as f64 + layout.end.text.chars().count().min(120) as f64 * 8.0;
        let title = title.chars().count().min(120) as f64 * 8.6 + 32.0;
        let width = (layout.margin + columns) as f64 + RIGHT;
        let width = reach.fold(width, f64::max).max(banner).max(title).max(360.0);
        Drawing { layout, middles, width, out: String::new() }
    }

    fn put(&mut self, args: std::fmt::Arguments<'_>) {
        self.out.write_fmt(args).expect("writing to a string succeeds");
        self.out.push('\n');
    }

    /// The vertical position after the last row.
    fn bottom(&self) -> f64 {
        HEAD + (self.layout.rows.len() * ROW) as f64 + 8.0
    }

    fn ground(&mut self, title: &str) {
        let rests = if self.layout.end.rests.is_empty() { 0.0 } else { 34.0 };
        let (width, height) = (self.width, self.bottom() + rests + 50.0);
        let title = escaped(title);
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"back\" width=\"{width}\" height=\"{height}\"/>\n\
             <text class=\"title\" x=\"16\" y=\"24\">{title}</text>\n\
             <text class=\"line\" x=\"40\" y=\"56\">step</text>\
             <text class=\"line\" x=\"82\" y=\"56\">line</text>"
        ));
        if self.layout.times > 0 {
            let x = self.end_of_times();
            self.put(format_args!("<text class=\"line\" x=\"{x}\" y=\"56\">time</text>"));
        }
        for row in (0..self.layout.rows.len()).skip(1).step_by(2) {
            let top = y(row) - ROW as f64 / 2.0;
            self.put(format_args!(
                "<rect class=\"zebra\" y=\"{top}\" width=\"{width}\" height=\"{ROW}\"/>"
            ));
        }
    }

    /// Where the times of steps end.
    fn end_of_times(&self) -> usize {
        MARGIN - 10 + self.layout.times
    }

    fn lifelines(&mut self) {
        for (at, column) in self.layout.columns.iter().enumerate() {
            let x = self.middles[at];
            for life in &column.lives {
                let from = life.from.map_or(HEAD - 8.0, y);
                let to = life.to.map_or(self.bottom(), y);
                self.put(format_args!(
                    "<line class=\"life\" x1=\"{x}\" y1=\"{from}\" x2=\"{x}\" y2=\"{to}\"/>"
                ));
            }
        }
    }

    /// The names of processes, at their starts.
    fn heads(&mut self) {
        for (at, column) in self.layout.columns.iter().enumerate() {
            for life in &column.lives {
                let middle = life.from.map_or(HEAD - 22.0, y);
                let name = format!("{}({})", life.name, column.pid);
                let room = (name.chars().count() as f64 * LETTER + 18.0).min(column.width as f64);
                let x = self.middles[at];
                let (left, top, base) = (x - room / 2.0, middle - 11.0, middle + 4.0);
                let shown = escaped(&shorten(&name, (room / LETTER) as usize));
                self.put(format_args!(
                    "<g><title>{}</title><rect class=\"head\" x=\"{left:.1}\" y=\"{top}\" \
                     width=\"{room:.1}\" height=\"22\" rx=\"4\"/>\
                     <text class=\"headtext\" x=\"{x}\" y=\"{base}\">{shown}</text></g>",
                    escaped(&name)
                ));
            }
        }
    }

    fn arrow(&mut self, arrow: &Arrow) {
        let (Some(&x1), Some(&x2)) = (self.middles.get(arrow.from.0), self.middles.get(arrow.to.0))
        else {
            return;
        };
        let title = escaped(&arrow.title);
        let body = self.arrow_body(arrow, x1, x2);
        let kind = match arrow.kind {
            Kind::Message => "message",
            Kind::Rendezvous => "rendezvous",
            Kind::Waits => "unreceived",
            Kind::Lost => "lost",
            Kind::Start => "start",
        };
        let (from, to) = (arrow.from.1 + 1, arrow.to.1 + 1);
        self.put(format_args!(
            "<g data-arrow=\"{kind}\" data-from=\"{from}\" data-to=\"{to}\">\
             <title>{title}</title>{body}</g>"
        ));
    }

    /// The line of an arrow between two columns, with its tip.
    fn arrow_body(&self, arrow: &Arrow, x1: f64, x2: f64) -> String {
        let (y1, y2) = (y(arrow.from.1), y(arrow.to.1));
        let colour = arrow.channel.map_or_else(String::new, |channel| format!(" c{}", channel % 8));
        let right = if x2 >= x1 { 1.0 } else { -1.0 };
        match arrow.kind {
            Kind::Waits | Kind::Lost => {
                let end = x1 + STUB;
                let mark = match arrow.kind {
                    Kind::Waits => {
                        format!("<circle class=\"open{colour}\" cx=\"{end}\" cy=\"{y1}\" r=\"4\"/>")
                    }
                    _ => cross(end, y1),
                };
                let line = end - 4.0;
                format!("<path class=\"arrow waits{colour}\" d=\"M{x1} {y1}H{line}\"/>{mark}")
            }
            Kind::Start => {
                let room = self.head_room(arrow.to.0);
                let end = x2 - right * room;
                let tip = tip(end, y2, right, 0.0);
                format!(
                    "<path class=\"starts\" d=\"M{x1} {y1}H{end:.1}\"/>\
                     <path class=\"starttip\" d=\"{tip}\"/>"
                )
            }
            Kind::Rendezvous => {
                let (line, tip) = (x2 - right * 9.0, tip(x2, y2, right, 1.5));
                format!(
                    "<path class=\"arrow meets{colour}\" d=\"M{x1} {y1}H{line}\"/>\
                     <path class=\"tip{colour}\" d=\"{tip}\"/>"
                )
            }
            Kind::Message if arrow.waits_aside() => {
                let lane = 12.0 + 5.0 * (arrow.track % 8) as f64;
                let aside = if arrow.from.0 == arrow.to.0 { x2 + lane } else { x2 - right * lane };
                let inward = if aside < x2 { 1.0 } else { -1.0 };
                let tip = tip(x2, y2, inward, 0.0);
                format!(
                    "<path class=\"arrow{colour}\" d=\"M{x1} {y1}H{aside:.1}M{aside:.1} {y2}H{x2}\"/>\
                     <path class=\"arrow rests{colour}\" d=\"M{aside:.1} {y1}V{y2}\"/>\
                     <path class=\"tip{colour}\" d=\"{tip}\"/>"
                )
            }
            Kind::Message => {
                let length = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt().max(1.0);
                let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
                let (bx, by) = (x2 - 10.0 * dx, y2 - 10.0 * dy);
                let (nx, ny) = (-dy * 4.0, dx * 4.0);
                format!(
                    "<path class=\"arrow{colour}\" d=\"M{x1} {y1}L{bx:.1} {by:.1}\"/>\
                     <path class=\"tip{colour}\" d=\"M{x2} {y2}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
                    bx + nx,
                    by + ny,
                    bx - nx,
                    by - ny
                )
            }
        }
    }

    fn head_room(&self, column: usize) -> f64 {
        let column = &self.layout.columns[column];
        let longest = column.lives.iter().map(|life| life.name.chars().count()).max().unwrap_or(0);
        let letters = longest + column.pid.to_string().len() + 2;
        (letters as f64 * LETTER + 18.0).min(column.width as f64) / 2.0
    }

    /// Boxes around consecutive local steps of a process.
    fn boxes(&mut self) {
        let rows = &self.layout.rows;
        let is_local = |row: &Row| row.look == Look::Local && row.fault.is_none();
        let mut at = 0;
        while at < rows.len() {
            let first = at;
            at += 1;
            if !is_local(&rows[first]) {
                continue;
            }
            while rows.get(at).is_some_and(|row| {
                is_local(row)
                    && row.column == rows[first].column
                    && self.layout.cycle_start != Some(at)
            }) {
                at += 1;
            }
            let widest = rows[first..at].iter().map(box_room).fold(0.0, f64::max);
            let x = self.middles[rows[first].column] - widest / 2.0;
            let (top, height) = (y(first) - 10.0, ((at - first) * ROW) as f64 - 8.0);
            self.put(format_args!(
                "<rect class=\"box\" x=\"{x:.1}\" y=\"{top}\" width=\"{widest:.1}\" \
                 height=\"{height}\" rx=\"3\"/>"
            ));
        }
    }

    fn step(&mut self, at: usize) {
        let row = &self.layout.rows[at];
        let (x, y) = (self.middles[row.column], y(at));
        let text = escaped(&shorten(&row.text, LONGEST));
        let title =
            format!("step {}: {} ({})\n{}", at + 1, self.name(row.column), row.place, row.text);
        let (number, base) = (at + 1, y + 4.0);
        let mut body = format!(
            "<text class=\"number\" x=\"40\" y=\"{base}\">{number}</text>\
             <text class=\"line\" x=\"82\" y=\"{base}\">:{}</text>",
            row.line
        );
        if let Some(time) = &row.time {
            let x = self.end_of_times();
            body += &format!("<text class=\"line time\" x=\"{x}\" y=\"{base}\">{time}</text>");
        }
        let bad = match (&row.fault, row.is_idle) {
            (Some(_), _) => " faulttext",
            (None, true) => " idle",
            (None, false) => "",
        };
        match row.look {
            Look::Local => {
                if row.fault.is_some() {
                    let room = box_room(row);
                    let (left, top) = (x - room / 2.0, y - 11.0);
                    body += &format!(
                        "<rect class=\"faultbox\" x=\"{left:.1}\" y=\"{top}\" \
                         width=\"{room:.1}\" height=\"22\" rx=\"3\"/>"
                    );
                }
                body +=
                    &format!("<text class=\"boxtext{bad}\" x=\"{x}\" y=\"{base}\">{text}</text>");
            }
            Look::End => {
                body += &cross(x, y);
                body += &note(x + 12.0, base, "", &text);
            }
            Look::Send | Look::Meet | Look::Take => {
                // Above an arrow that begins here, beside one that ends here.
                let base = if row.look == Look::Take { base } else { y - 6.0 };
                let right = row.side == Side::Right;
                let x = if right { x + 9.0 } else { x - 9.0 };
                let class = if right { bad.to_owned() } else { format!("{bad} left") };
                body += &note(x, base, &class, &text);
            }
        }
        self.put(format_args!(
            "<g data-step=\"{number}\"><title>{}</title>{body}</g>",
            escaped(&title)
        ));
    }

    fn name(&self, column: usize) -> &str {
        &self.layout.columns[column].title
    }

    fn cycle(&mut self) {
        let Some(start) = self.layout.cycle_start else { return };
        let (at, width) = (HEAD + (start * ROW) as f64, self.width);
        let (side, end, base) = (width - 10.0, width - 22.0, at - 4.0);
        let (words, back) = if self.layout.stays() {
            (STAYS, String::new())
        } else {
            // From the last step back to the first one.
            let last = HEAD + (self.layout.rows.len() * ROW) as f64 - ROW as f64 / 2.0;
            let (left, right, low) = (side - 4.0, side + 4.0, at + 10.0);
            let back = format!(
                "<path class=\"round\" d=\"M{end} {last}H{side}V{low}\"/>\
                 <path class=\"roundtip\" d=\"M{side} {at}L{left} {low}H{right}Z\"/>"
            );
            ("the cycle begins", back)
        };
        self.put(format_args!(
            "<g data-cycle=\"{}\"><line class=\"cycle\" x1=\"8\" y1=\"{at}\" x2=\"{width}\" \
             y2=\"{at}\"/><text class=\"note cycletext left\" x=\"{end}\" y=\"{base}\">\
             {words}</text>{back}</g>",
            start + 1
        ));
    }

    fn end(&mut self) {
        let end = &self.layout.end;
        let mut top = self.bottom();
        for rest in &end.rests {
            let fits = (self.layout.columns[rest.column].width as f64 - 22.0) / LETTER;
            let text = shorten(&rest.text, fits as usize);
            let room = text.chars().count() as f64 * LETTER + 16.0;
            let (class, bad) =
                if rest.is_fine { ("finebox", "") } else { ("restbox", " faulttext") };
            let x = self.middles[rest.column];
            let (left, base) = (x - room / 2.0, top + 15.0);
            let (title, text) = (escaped(&rest.text), escaped(&text));
            self.put(format_args!(
                "<g><title>{title}</title><rect class=\"{class}\" x=\"{left:.1}\" y=\"{top}\" \
                 width=\"{room:.1}\" height=\"22\" rx=\"3\"/>\
                 <text class=\"boxtext{bad}\" x=\"{x}\" y=\"{base}\">{text}</text></g>"
            ));
        }
        if !end.rests.is_empty() {
            top += 34.0;
        }
        let (class, mark) = if end.error.is_some() { ("banner", "✗ ") } else { ("calm", "") };
        let (width, base) = (self.width - 16.0, top + 20.0);
        let text = escaped(&shorten(&end.text, ((width - 24.0) / 7.6) as usize));
        let title = escaped(&end.text);
        self.put(format_args!(
            "<g data-end=\"{class}\"><title>{title}</title>\
             <rect class=\"{class}\" x=\"8\" y=\"{top}\" width=\"{width}\" height=\"30\" rx=\"4\"/>\
             <text class=\"bannertext\" x=\"20\" y=\"{base}\">{mark}{text}</text></g>"
        ));
    }
}

fn box_room(row: &Row) -> f64 {
    row.text.chars().count().min(LONGEST) as f64 * LETTER + 16.0
}

fn note(x: f64, y: f64, class: &str, text: &str) -> String {
    format!("<text class=\"note{class}\" x=\"{x}\" y=\"{y}\">{text}</text>")
}

fn cross(x: f64, y: f64) -> String {
    let (left, right, up, down) = (x - 5.0, x + 5.0, y - 5.0, y + 5.0);
    format!("<path class=\"cross\" d=\"M{left} {up}L{right} {down}M{right} {up}L{left} {down}\"/>")
}

/// A triangle that points to the right or to the left.
fn tip(x: f64, y: f64, direction: f64, extra: f64) -> String {
    let back = x - direction * (10.0 + extra);
    let (up, down) = (y - 4.0 - extra, y + 4.0 + extra);
    format!("M{x:.1} {y}L{back:.1} {up}L{back:.1} {down}Z")
}
