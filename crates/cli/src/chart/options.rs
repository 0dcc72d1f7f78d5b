//! Options of charts, which several commands share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Stands for standard output.
const STDOUT: &str = "-";

/// Whether to draw a trail, where to, and how.
#[derive(Debug, Args)]
pub(crate) struct Drawing {
    /// Draw the trail as a message sequence chart: FILE ends in .svg, .html (a page to
    /// look at each state), .mmd (Mermaid) or .puml (PlantUML); `-` is standard output
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// What to draw, whatever the name of the file says
    #[arg(long, value_enum, value_name = "FORMAT", requires = "chart")]
    chart_format: Option<Format>,
}

/// The formats of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A drawing
    Svg,
    /// A page that needs no network
    Html,
    /// Text for Mermaid
    Mermaid,
    /// Text for PlantUML
    Plantuml,
}

/// The ends of file names, and what they stand for.
const EXTENSIONS: &[(&str, Format)] = &[
    ("svg", Format::Svg),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("mmd", Format::Mermaid),
    ("mermaid", Format::Mermaid),
    ("puml", Format::Plantuml),
    ("plantuml", Format::Plantuml),
];

/// A chart that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// `None` is standard output.
    pub(crate) file: Option<PathBuf>,
    pub(crate) format: Format,
}

impl Drawing {
    /// What was asked for. `Err` is what is wrong with it, and what to do.
    /// With `json`, standard output is taken.
    pub(crate) fn wanted(&self, json: bool) -> Result<Option<Wanted>, (String, String)> {
        let Some(file) = &self.chart else { return Ok(None) };
        if json && file.to_str() == Some(STDOUT) {
            let message = "standard output cannot hold both the chart and JSON".to_owned();
            return Err((message, "name a file for the chart".to_owned()));
        }
        let extension = file.extension().map(|end| end.to_string_lossy().to_lowercase());
        let by_name = EXTENSIONS.iter().find(|row| extension.as_deref() == Some(row.0));
        let Some(format) = self.chart_format.or(by_name.map(|row| row.1)) else {
            let message = match file.to_str() {
                Some(STDOUT) => "standard output does not tell which chart to draw".to_owned(),
                _ => format!("the name `{}` does not tell which chart to draw", file.display()),
            };
            let help = "let it end in .svg, .html, .mmd or .puml, or add --chart-format";
            return Err((message, help.to_owned()));
        };
        let file = (file.to_str() != Some(STDOUT)).then(|| file.clone());
        Ok(Some(Wanted { file, format }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(chart: &str, chart_format: Option<Format>) -> Option<(bool, Format)> {
        let drawing = Drawing { chart: Some(chart.into()), chart_format };
        let wanted = drawing.wanted(false).ok()??;
        Some((wanted.file.is_some(), wanted.format))
    }

    #[test]
    fn the_name_tells_the_format_unless_it_is_given() {
        assert_eq!(wanted("a.b/x.SVG", None), Some((true, Format::Svg)));
        assert_eq!(wanted("x.html", None), Some((true, Format::Html)));
        assert_eq!(wanted("x.mmd", None), Some((true, Format::Mermaid)));
        assert_eq!(wanted("x.puml", Some(Format::Svg)), Some((true, Format::Svg)));
        assert_eq!(wanted("-", Some(Format::Html)), Some((false, Format::Html)));
        for unclear in ["x", "x.png", "-", "svg"] {
            assert_eq!(wanted(unclear, None), None, "{unclear}");
        }
    }
}
