//! Atomic writing of files, and the files of heuristics.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use beeline_checker::FileAccess;
use beeline_kernel::Files;

/// Writes a file. On failure the file keeps its contents.
pub(crate) fn replace(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    let text = text.as_ref();
    // Devices, pipes and links are written in place, not replaced.
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, text);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    match fs::write(&part, text).and_then(|()| fs::rename(&part, path)) {
        Err(error) => {
            // The partial file may not exist.
            let _ = fs::remove_file(&part);
            match error.kind() {
                // A directory without write permission may hold a writable file.
                ErrorKind::PermissionDenied => fs::write(path, text),
                _ => Err(error),
            }
        }
        Ok(()) => Ok(()),
    }
}

/// Names are paths of files, as everywhere on the command line.
#[derive(Debug)]
struct OnDisk;

impl Files for OnDisk {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        replace(Path::new(name), bytes)
    }
}

/// The files that heuristics may read and write.
pub(crate) fn access() -> FileAccess {
    FileAccess::new(OnDisk)
}
