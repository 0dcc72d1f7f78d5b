//! The pages about the codes of messages: what a code means, an example, and the fix.
//!
//! The page `messages.md` of the book is the only source of these texts.

/// The page of the book with all codes.
const BOOK: &str = include_str!("../../../../docs/book/messages.md");

/// The page about a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CodePage {
    pub(crate) code: &'static str,
    /// `error` or `warning`.
    pub(crate) severity: String,
    /// What the code means.
    pub(crate) meaning: String,
    /// A model that triggers the code, unless it would be too large.
    pub(crate) example: Option<&'static str>,
    /// The remedy.
    pub(crate) fix: String,
}

/// All pages, in the order of their codes.
pub(crate) fn pages() -> Vec<CodePage> {
    let sections = BOOK.split("\n## `").skip(1);
    sections.map(|section| page(section).expect("each section of the page is complete")).collect()
}

/// The page of a section: the code, the severity, the meaning, perhaps an example, and the fix.
fn page(section: &'static str) -> Option<CodePage> {
    let (code, rest) = section.split_once("`\n\n*")?;
    let (severity, rest) = rest.split_once(".*\n")?;
    let (rest, fix) = rest.rsplit_once("\nFix: ")?;
    let (meaning, example) = match rest.split_once("\n\n```") {
        Some((meaning, fenced)) => {
            let (_, example) = fenced.split_once('\n')?;
            (meaning, Some(example.trim_end().strip_suffix("```")?))
        }
        None => (rest, None),
    };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(CodePage {
        code,
        severity: severity.to_lowercase(),
        meaning: words(meaning),
        example,
        fix: words(fix),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_complete_and_they_are_in_order() {
        let pages = pages();
        assert!(pages.len() > 100);
        assert!(pages.is_sorted_by(|one, other| one.code < other.code));
        for page in &pages {
            assert!(["error", "warning"].contains(&&*page.severity), "{page:?}");
            assert!(page.meaning.ends_with('.') && page.fix.ends_with('.'), "{page:?}");
            assert!(!page.meaning.contains("```") && !page.fix.contains('\n'), "{page:?}");
        }
    }
}
