//! The constants of specification §9, as the server uses them. A changed constant fails the test with its name.

use waraq_core::InterfaceLanguage;
use waraq_core::accounts::{PASSWORD_LENGTH, check_password};
use waraq_core::catalogue::{DEFAULT_LIMIT, Search, Sort};
use waraq_core::limits::MAIL_WAIT_SECONDS;
use waraq_core::one_time_password::parse_code;
use waraq_core::saved::SavedSort;

#[test]
fn documents_per_page() {
    assert_eq!(DEFAULT_LIMIT, 12);
}

#[test]
fn default_sort_orders() {
    assert_eq!((Search::default().sort, SavedSort::default()), (Sort::Newest, SavedSort::Newest));
}

#[test]
fn minimum_length_of_a_password() {
    assert_eq!(*PASSWORD_LENGTH.start(), 8);
    assert!(check_password("1234567", "password").is_err() && check_password("12345678", "password").is_ok());
}

#[test]
fn digits_of_a_code() {
    assert!(parse_code("123456").is_ok() && parse_code("12345").is_err() && parse_code("1234567").is_err());
}

#[test]
fn seconds_between_two_codes() {
    assert_eq!(MAIL_WAIT_SECONDS, 60);
}

#[test]
fn languages_of_the_interface() {
    assert_eq!(InterfaceLanguage::ALL.map(InterfaceLanguage::code), ["en", "fr", "ar"]);
    assert_eq!(InterfaceLanguage::default().code(), "en");
}
