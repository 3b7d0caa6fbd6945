//! The API through HTTP, on the real gateway with its real stores in a folder of its own.

mod accounts;
mod answers;
mod attacks;
mod catalogue;
mod contracts;
mod crash;
mod documents;
mod door;
mod editing;
mod enumeration;
mod filling;
mod google;
mod house;
mod lambda;
mod local_house;
mod lockouts;
mod logs;
mod lookups;
mod loopback;
mod ministack;
mod own_data;
#[cfg(feature = "drill")]
mod panic;
mod platform;
mod publishing;
mod refusals;
mod restoring;
mod rotation;
mod saved;
mod saved_crash;
mod saved_files;
mod search;
mod sessions;
mod silence;
mod support;
mod users;
