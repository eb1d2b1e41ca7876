//! Merging the person's settings with ours, where an agent reads only one file of them.

use serde_json::Value;

/// Two settings that cannot both hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at} is set in a form that ours does not fit into")]
pub struct Clash {
    /// The path of the setting.
    pub at: String,
}

/// Adds `ours` to `theirs`: objects are merged, lists are joined with theirs first, and nothing of theirs is
/// replaced.
///
/// # Errors
/// When a setting of ours stands where they have something else.
pub fn merge(theirs: &mut Value, ours: &Value) -> Result<(), Clash> {
    merge_at(theirs, ours, "")
}

fn merge_at(theirs: &mut Value, ours: &Value, at: &str) -> Result<(), Clash> {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (key, value) in ours {
                let at = if at.is_empty() {
                    key.clone()
                } else {
                    format!("{at}.{key}")
                };
                match theirs.get_mut(key) {
                    Some(known) => merge_at(known, value, &at)?,
                    None => {
                        theirs.insert(key.clone(), value.clone());
                    }
                }
            }
            Ok(())
        }
        (Value::Array(theirs), Value::Array(ours)) => {
            let new: Vec<Value> = ours
                .iter()
                .filter(|value| !theirs.contains(value))
                .cloned()
                .collect();
            theirs.extend(new);
            Ok(())
        }
        (theirs, ours) if *theirs == *ours => Ok(()),
        _ => Err(Clash {
            at: if at.is_empty() {
                "the whole".to_owned()
            } else {
                at.to_owned()
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!({}), json!({"hooks": {"Stop": [2]}}))]
    #[case(json!({"model": "x"}), json!({"model": "x", "hooks": {"Stop": [2]}}))]
    #[case(json!({"hooks": {}}), json!({"hooks": {"Stop": [2]}}))]
    #[case(
        json!({"hooks": {"Stop": [1], "Setup": [3]}}),
        json!({"hooks": {"Stop": [1, 2], "Setup": [3]}})
    )]
    #[case(json!({"hooks": {"Stop": [2]}}), json!({"hooks": {"Stop": [2]}}))]
    fn case_e1_what_is_theirs_stays_and_ours_comes_after_it(
        #[case] mut theirs: Value,
        #[case] merged: Value,
    ) {
        merge(&mut theirs, &json!({"hooks": {"Stop": [2]}})).unwrap();
        assert_eq!(theirs, merged);
    }

    #[rstest]
    #[case(json!([]), "the whole")]
    #[case(json!({"hooks": []}), "hooks")]
    #[case(json!({"hooks": null}), "hooks")]
    #[case(json!({"hooks": {"Stop": "x"}}), "hooks.Stop")]
    fn what_does_not_fit_is_refused(#[case] mut theirs: Value, #[case] at: &str) {
        let clash = merge(&mut theirs, &json!({"hooks": {"Stop": [2]}})).unwrap_err();
        assert_eq!(clash.at, at);
    }

    proptest! {
        #[test]
        fn merging_twice_is_merging_once(events in proptest::collection::btree_map("[A-C]", 0..3_u8, 0..4)) {
            let theirs: Value = json!({"hooks": events.iter().map(|(name, n)| (name.clone(), vec![*n])).collect::<std::collections::BTreeMap<_, _>>()});
            let ours = json!({"hooks": {"A": [7], "B": [8]}});
            let mut once = theirs;
            merge(&mut once, &ours).unwrap();
            let mut twice = once.clone();
            merge(&mut twice, &ours).unwrap();
            prop_assert_eq!(once, twice);
        }
    }
}
