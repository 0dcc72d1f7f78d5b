//! The texts of steps: short, with the actual values of messages.

use beeline_model::{Message, MessageRole, StatementKind, StepDetails, StoryStep, ValueChange};

/// The text of a step.
pub(crate) fn row(told: &StoryStep, details: &StepDetails, messages: &[Message]) -> String {
    let mut text = match details.parts[..] {
        _ if details.ended.is_some() => return "ends".to_owned(),
        [part] if details.kind != StatementKind::Block => exchange(part, messages),
        _ => statement(told, details),
    };
    for more in &details.merged {
        text += &format!("; {more}");
    }
    let printed = told.printed.trim_end().replace('\n', " ⏎ ");
    if printed.is_empty() {
        return text;
    }
    let only_prints = details.kind == StatementKind::Print && details.merged.is_empty();
    if only_prints { format!("» {printed}") } else { format!("{text} » {printed}") }
}

/// `q!7`, `q?7`, or `q?<7>` for a receive that leaves the message.
pub(crate) fn exchange(part: MessageRole, messages: &[Message]) -> String {
    let bare = |message: &Message| {
        let inner = message.text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        inner.unwrap_or(&message.text).to_owned()
    };
    match part {
        MessageRole::Sends(number) => {
            let message = &messages[number];
            format!("{}!{}", message.channel, bare(message))
        }
        MessageRole::Takes(number) => {
            let message = &messages[number];
            format!("{}?{}", message.channel, bare(message))
        }
        MessageRole::Looks(number) => {
            let message = &messages[number];
            format!("{}?<{}>", message.channel, bare(message))
        }
    }
}

fn statement(told: &StoryStep, details: &StepDetails) -> String {
    match details.kind {
        StatementKind::Block if !told.changes.is_empty() => {
            let change = |change: &ValueChange| format!("{} = {}", change.name, change.after);
            let changes: Vec<String> = told.changes.iter().map(change).collect();
            format!("d_step {{ {} }}", changes.join("; "))
        }
        _ => details.first.clone(),
    }
}

/// Whether a step only determines the next location.
pub(crate) fn is_idle(details: &StepDetails) -> bool {
    details.kind == StatementKind::Jump && details.merged.is_empty()
}

/// A text, truncated if it is too long.
pub(crate) fn shorten(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_letters() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "äö…");
    }
}
