//! Sign-in, registration and verification of e-mail addresses.

pub mod change_email;
pub mod change_password;
pub mod forgot_password;
pub mod google_login;
pub mod login;
pub mod logout;
pub mod refresh;
pub mod register;
pub mod resend_otp;
pub mod reset_password;
pub mod restore_email;
pub mod verify_change_email_otp;
pub mod verify_otp;
