//! Times and sizes in options, such as `60s` or `4G`; numbers of steps in words; and the memory of
//! the machine.

use std::fmt;
use std::time::Duration;

use crate::base::numbers::count;

/// Memory limit if neither an option nor the machine determines one.
const FALLBACK: usize = 4 << 30;

/// Why a text is not a time or a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnitError {
    /// This is not a unit of time.
    TimeUnit(String),
    /// The number of a time is missing.
    Time,
    /// The time does not fit a duration.
    TimeRange,
    /// This is not a unit of memory.
    SizeUnit(String),
    /// The number of a size is missing.
    Size,
    /// The size is negative.
    NegativeSize,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitError::TimeUnit(unit) => {
                write!(f, "`{unit}` is not a unit of time: use ms, s, m or h, as in 60s")
            }
            UnitError::Time => f.write_str("expected a number with a unit, as in 60s"),
            UnitError::TimeRange => {
                f.write_str("the time is negative or too long: write a time such as 60s")
            }
            UnitError::SizeUnit(unit) => {
                write!(f, "`{unit}` is not a unit of memory: use K, M, G or T, as in 4G")
            }
            UnitError::Size => f.write_str("expected a number with a unit, as in 4G"),
            UnitError::NegativeSize => f.write_str("the size is negative: write a size such as 4G"),
        }
    }
}

impl std::error::Error for UnitError {}

/// A time: `500ms`, `60s`, `5m`, `1h`, or a number of seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, UnitError> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(UnitError::TimeUnit(unit.to_owned())),
    };
    let number: f64 = number.parse().map_err(|_| UnitError::Time)?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| UnitError::TimeRange)
}

/// A size: `512M`, `4G`, `4GiB`, or a number of bytes. Units are powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<usize, UnitError> {
    let (number, unit) = split(text);
    let upper = unit.to_ascii_uppercase();
    let factor = match upper.trim_end_matches('B').trim_end_matches('I') {
        "" => 1.0,
        "K" => 1024.0,
        "M" => 1024.0 * 1024.0,
        "G" => 1024.0 * 1024.0 * 1024.0,
        "T" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(UnitError::SizeUnit(unit.to_owned())),
    };
    let number: f64 = number.parse().map_err(|_| UnitError::Size)?;
    if number.is_nan() || number < 0.0 {
        return Err(UnitError::NegativeSize);
    }
    // The cast saturates, which no machine reaches.
    Ok((number * factor) as usize)
}

/// A number of steps in words.
pub(crate) fn steps(number: u64) -> String {
    format!("{} step{}", count(number), if number == 1 { "" } else { "s" })
}

/// The steps of a cycle: `1 step repeats for ever`, `6 steps repeat for ever`.
pub(crate) fn repeated(number: u64) -> String {
    format!("{} repeat{} for ever", steps(number), if number == 1 { "s" } else { "" })
}

/// The number, and the letters after it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    (text[..end].trim_end(), &text[end..])
}

/// Files of Linux with the memory limit of a container.
const CONTAINERS: [&str; 2] =
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// Half of the memory of the machine, or a default if that is unknown.
pub(crate) fn half_of_memory() -> usize {
    known_memory().map_or(FALLBACK, |bytes| bytes / 2)
}

/// The memory of the machine, or the largest number if that is unknown.
pub(crate) fn memory() -> usize {
    known_memory().unwrap_or(usize::MAX)
}

/// The memory of the machine, or of the container.
fn known_memory() -> Option<usize> {
    let read = |file: &str| std::fs::read_to_string(file).ok();
    let machine = read("/proc/meminfo").and_then(|text| total(&text));
    let containers = CONTAINERS.iter().filter_map(|file| read(file)?.trim().parse().ok());
    containers.chain(machine).min()
}

/// The memory of this process, if the system reports it.
pub(crate) fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmRSS:")
}

fn total(meminfo: &str) -> Option<usize> {
    kilobytes(meminfo, "MemTotal:")
}

/// The value of a name, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert_eq!(bytes("100"), Ok(100));
        for bad in ["", "s", "-1s", "3 parsecs", "1e"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        for bad in ["", "G", "4Q", "-1G", "-1", "nan"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_machine_says_how_much_memory_it_has() {
        assert_eq!(total("MemFree: 1 kB\nMemTotal:       2048 kB\n"), Some(2048 * 1024));
        assert_eq!(total("nonsense"), None);
    }
}
