//! Numbers as text for people: counts, times, sizes and rates.

/// A count with a comma after each three digits: `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    separated(&number.to_string())
}

/// The digits of a number with a comma after each three.
pub(crate) fn separated(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A time: milliseconds below a second, then seconds, then minutes.
pub(crate) fn elapsed(seconds: f64) -> String {
    let milliseconds = seconds * 1000.0;
    // Limits are those of the rounded numbers.
    if milliseconds < 0.5 {
        "less than 1 ms".to_owned()
    } else if milliseconds < 999.5 {
        format!("{milliseconds:.0} ms")
    } else if seconds < 59.95 {
        format!("{seconds:.1} s")
    } else {
        let seconds = seconds.round() as u64;
        format!("{} min {:02} s", count(seconds / 60), seconds % 60)
    }
}

/// A number of bytes, in powers of 1024.
pub(crate) fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    if value < 1023.5 {
        return format!("{bytes} B");
    }
    let mut units = ["KiB", "MiB", "GiB", "TiB"].into_iter();
    let mut unit = "B";
    while value >= 1023.5 {
        let Some(next) = units.next() else { break };
        (value, unit) = (value / 1024.0, next);
    }
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A rate per second, with three digits at most: a clock is no more exact.
pub(crate) fn rate(number: u64, seconds: f64) -> String {
    let rate = number as f64 / seconds.max(1e-3);
    let rounded = |unit: f64| ((rate / unit).round() * unit) as u64;
    match rate as u64 {
        0..1_000 => count(rounded(1.0)),
        1_000..10_000 => count(rounded(10.0)),
        10_000..100_000 => count(rounded(100.0)),
        _ => count(rounded(1_000.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_separators() {
        let all = [0, 999, 1_000, 65_535, 1_234_567].map(count);
        assert_eq!(all, ["0", "999", "1,000", "65,535", "1,234,567"]);
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        let all = [0.0001, 0.0034, 0.9994, 0.9996, 12.34, 59.99, 125.0].map(elapsed);
        let expected =
            ["less than 1 ms", "3 ms", "999 ms", "1.0 s", "12.3 s", "1 min 00 s", "2 min 05 s"];
        assert_eq!(all, expected);
    }

    #[test]
    fn sizes_and_rates_are_short() {
        let all = [512, 1024, 1_536, 20 << 20, 3 << 30].map(size);
        assert_eq!(all, ["512 B", "1.0 KiB", "1.5 KiB", "20 MiB", "3.0 GiB"]);
        assert_eq!(rate(1_234_567, 1.0), "1,235,000");
        assert_eq!(rate(255, 0.003), "85,000");
        assert_eq!(rate(10, 20.0), "1");
    }
}
