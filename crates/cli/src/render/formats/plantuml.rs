//! A chart as a diagram for PlantUML: <https://plantuml.com/sequence-diagram>.

use crate::render::chart::ChartInput;
use crate::render::chart::layout::{Layout, STAYS};
use crate::render::chart::sequence::{self, Line};

/// The diagram.
pub(crate) fn plantuml(input: &ChartInput<'_>) -> String {
    let ChartInput { chronicle, layout, title, .. } = input;
    let mut out = format!("@startuml\ntitle {}\n", escaped(title));
    out += "skinparam noteTextAlignment left\n";
    for column in &layout.columns {
        out += &format!("participant \"{}\" as p{}\n", escaped(&column.title), column.pid);
    }
    for line in &sequence::lines(chronicle, layout) {
        out += &match line {
            Line::Send(from, to, text) => format!("p{from} ->> p{to} : {}", escaped(text)),
            Line::Meet(from, to, text) => format!("p{from} -> p{to} : {}", escaped(text)),
            Line::Start(from, to, text) => format!("p{from} --> p{to} : {}", escaped(text)),
            Line::Note(over, texts) => {
                let texts: Vec<String> = texts.iter().map(|text| escaped(text)).collect();
                format!("rnote over p{over}\n{}\nendrnote", texts.join("\n"))
            }
            Line::Cycle => "loop the cycle".to_owned(),
            Line::Stays => format!("hnote over {} : {STAYS}", over(layout)),
        };
        out.push('\n');
    }
    if layout.cycle_start.is_some() {
        out += "end\n";
    }
    if !layout.columns.is_empty() {
        let over = over(layout);
        let mark = if layout.end.error.is_some() { "<U+2717> " } else { "" };
        let text = escaped(&layout.end.text);
        out += &format!("hnote over {over} #FFD6D3 : {mark}{text}\n");
    }
    out + "@enduml\n"
}

/// All processes.
fn over(layout: &Layout) -> String {
    let pids = layout.columns.first().into_iter().chain(layout.columns.iter().skip(1).last());
    pids.map(|column| format!("p{}", column.pid)).collect::<Vec<_>>().join(", ")
}

/// Text. PlantUML has much markup, and lines may begin with commands: all characters but letters
/// and a few others are written as numbers.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => out.push(letter),
            ' ' | '.' | ',' | '(' | ')' | ':' | '?' | '+' => out.push(letter),
            letter if letter.is_control() => out.push(' '),
            letter => out += &format!("<U+{:04X}>", u32::from(letter)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_means_anything_to_plantuml() {
        assert_eq!(escaped("x < 3"), "x <U+003C> 3");
        assert_eq!(
            escaped("**b**\\n\"q\""),
            "<U+002A><U+002A>b<U+002A><U+002A><U+005C>n<U+0022>q<U+0022>"
        );
    }
}
