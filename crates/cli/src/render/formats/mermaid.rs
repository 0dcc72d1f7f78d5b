//! A chart as a diagram for Mermaid: <https://mermaid.js.org/syntax/sequenceDiagram.html>.

use crate::render::chart::ChartInput;
use crate::render::chart::layout::{Layout, STAYS};
use crate::render::chart::sequence::{self, Line};

/// The diagram.
pub(crate) fn mermaid(input: &ChartInput<'_>) -> String {
    let ChartInput { chronicle, layout, title, .. } = input;
    let mut out = format!("---\ntitle: {}\n---\nsequenceDiagram\n", quoted(title));
    for column in &layout.columns {
        out += &format!("    participant p{} as {}\n", column.pid, escaped(&column.title));
    }
    let mut indent = "    ";
    for line in &sequence::lines(chronicle, layout) {
        out += indent;
        out += &match line {
            Line::Send(from, to, text) => format!("p{from}-)p{to}: {}", escaped(text)),
            Line::Meet(from, to, text) => format!("p{from}->>p{to}: {}", escaped(text)),
            Line::Start(from, to, text) => format!("p{from}-->>p{to}: {}", escaped(text)),
            Line::Note(over, texts) => {
                let texts: Vec<String> = texts.iter().map(|text| escaped(text)).collect();
                format!("Note over p{over}: {}", texts.join("<br/>"))
            }
            Line::Cycle => {
                indent = "        ";
                "loop the cycle".to_owned()
            }
            Line::Stays => format!("Note over {}: {STAYS}", over(layout)),
        };
        out.push('\n');
    }
    if layout.cycle_start.is_some() {
        out += "    end\n";
    }
    if !layout.columns.is_empty() {
        let over = over(layout);
        let mark = if layout.end.error.is_some() { "✗ " } else { "" };
        let text = escaped(&layout.end.text);
        out +=
            &format!("    rect rgb(255, 214, 211)\n    Note over {over}: {mark}{text}\n    end\n");
    }
    out
}

/// All processes.
fn over(layout: &Layout) -> String {
    let pids = layout.columns.first().into_iter().chain(layout.columns.iter().skip(1).last());
    pids.map(|column| format!("p{}", column.pid)).collect::<Vec<_>>().join(",")
}

/// Text of a message or a note. Characters with a meaning in Mermaid, or in the HTML that it
/// generates, are written as numbers.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let in_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut last = ' ';
    for (at, letter) in text.char_indices() {
        let rest = &text[at..];
        let begins = !in_word(last);
        last = letter;
        match letter {
            // The word `end` would end a block at any position.
            'e' | 'E'
                if begins
                    && rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("end"))
                    && !rest[3..].starts_with(in_word) =>
            {
                out += &format!("#{};", u32::from(letter));
            }
            'a'..='z' | 'A'..='Z' | '0'..='9' => out.push(letter),
            ' ' | '.' | ',' | '!' | '?' | '(' | ')' | '[' | ']' | '=' | '*' | '_' | '/' => {
                out.push(letter);
            }
            '+' | '-' | '|' | '…' | '»' | '✗' => out.push(letter),
            letter if letter.is_control() => out.push(' '),
            letter => out += &format!("#{};", u32::from(letter)),
        }
    }
    out
}

/// A text for the head of the diagram, which is YAML.
fn quoted(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_means_anything_to_mermaid() {
        assert_eq!(escaped("a<b; x%%y #1 : \"q\""), "a#60;b#59; x#37;#37;y #35;1 #58; #34;q#34;");
        assert_eq!(escaped("a\nb"), "a b");
        assert_eq!(escaped("goto end, ended End_ (END)"), "goto #101;nd, ended End_ (#69;ND)");
        assert_eq!(quoted("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
    }
}
