//! The colours of pages.

/// A style sheet with the colours of pages, light and dark.
pub(crate) const PAGE_COLORS: &str = include_str!("page_colors.css");
