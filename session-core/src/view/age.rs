//! Ages for people.

/// An age in the shortest form that still tells: `7s`, `4m`, `3h`, `2d`.
#[must_use]
pub fn age(ms: i64) -> String {
    let secs = ms.max(0) / 1000;
    match secs {
        0..60 => format!("{secs}s"),
        60..3_600 => format!("{}m", secs / 60),
        3_600..86_400 => format!("{}h", secs / 3_600),
        _ => format!("{}d", secs / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(-5, "0s")]
    #[case(59_999, "59s")]
    #[case(60_000, "1m")]
    #[case(3_599_000, "59m")]
    #[case(7_200_000, "2h")]
    #[case(172_800_000, "2d")]
    fn an_age_has_one_unit(#[case] ms: i64, #[case] text: &str) {
        assert_eq!(age(ms), text);
    }
}
