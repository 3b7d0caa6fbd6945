//! The API through HTTP, on the real gateway with its real stores in a folder of its own.

mod accounts;
mod attacks;
mod catalogue;
mod contracts;
mod crash;
mod documents;
mod door;
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
mod platform;
mod publishing;
mod restoring;
mod rotation;
mod sessions;
mod silence;
mod users;
