//! Reading models from disk for tests, as the command line does.

use std::path::{Path, PathBuf};

use beeline_engine::automata::AutomataOptions;
use beeline_promela::Frontend;
use beeline_promela::hir::{Expr, ExprKind, Model, Root};
use beeline_promela::preprocess::{FileLoader, LoadedFile, PreprocessOptions};

/// How automata are built: as written, and optimised.
pub const MODES: [AutomataOptions; 2] = [AutomataOptions::PLAIN, AutomataOptions::OPTIMISED];

/// Resolves `#include` next to the including file.
#[derive(Debug, Default)]
pub struct Disk;

impl FileLoader for Disk {
    fn load(&mut self, name: &str, from: &str, _angled: bool) -> Option<LoadedFile> {
        let path: PathBuf = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let bytes = std::fs::read(&path).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(LoadedFile { name: path.to_string_lossy().into_owned(), text })
    }
}

/// Runs the front-end on a file.
pub fn read(file: &Path) -> std::io::Result<Frontend> {
    let bytes = std::fs::read(file)?;
    Ok(read_text(&file.to_string_lossy(), &String::from_utf8_lossy(&bytes)))
}

/// Reads a model with more text at its end.
///
/// # Errors
/// When the file cannot be read.
pub fn read_with(file: &Path, more: &str) -> std::io::Result<Frontend> {
    let bytes = std::fs::read(file)?;
    let text = String::from_utf8_lossy(&bytes).into_owned() + more;
    Ok(read_text(&file.to_string_lossy(), &text))
}

/// Runs the front-end on a text.
pub fn read_text(name: &str, text: &str) -> Frontend {
    beeline_promela::read(name, text, &mut Disk, &PreprocessOptions::default())
}

/// The first error of a model, as `line: message`.
pub fn first_error(front: &Frontend) -> Option<String> {
    let error = front
        .diagnostics
        .iter()
        .find(|d| d.severity == beeline_promela::diagnostic::Severity::Error)?;
    let place = front.sources.location(error.span);
    Some(format!("{}: {}", place.line, error.message))
}

/// The expressions in the processes of a model that name global variables only.
pub fn global_expressions(model: &Model) -> Vec<Expr> {
    let mut found = Vec::new();
    for stmt in model.processes.iter().flat_map(|process| &process.body) {
        stmt.visit_exprs(&mut |expr| found.push(expr.clone()));
    }
    let is_global = |expr: &Expr| {
        !expr.any(|part| match &part.kind {
            ExprKind::Read(access) => !matches!(access.root, Root::Global(_)),
            ExprKind::Const(_) | ExprKind::Mtype { .. } => false,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional(..) => false,
            _ => true,
        })
    };
    found.retain(is_global);
    found
}
