//! Stamps for file names.

use session_core::Time;

/// A time as `20260131T235959Z`.
#[must_use]
pub(crate) fn utc(time: Time) -> String {
    let secs = time.secs();
    let (days, second) = (secs.div_euclid(86_400), secs.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!(
        "{year:04}{month:02}{day:02}T{:02}{:02}{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

/// The calendar day, `days` after 1970-01-01 in the proleptic Gregorian calendar: counted in eras of 400 years that
/// begin on 1 March of the year 0, so that the leap day is a year's last.
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + 400 * era + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "19700101T000000Z")]
    #[case(-1, "19691231T235959Z")]
    #[case(951_782_400, "20000229T000000Z")]
    #[case(1_709_251_199, "20240229T235959Z")]
    #[case(4_107_542_400, "21000301T000000Z")]
    #[case(1_767_225_600, "20260101T000000Z")]
    fn a_stamp_is_the_utc_calendar(#[case] secs: i64, #[case] stamp: &str) {
        assert_eq!(utc(Time(secs * 1_000_000)), stamp);
    }
}
