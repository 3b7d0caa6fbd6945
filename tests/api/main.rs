//! The API through HTTP, on the real gateway with its real stores in a folder of its own.

mod catalogue;
mod crash;
mod documents;
mod filling;
mod house;
mod lookups;
mod publishing;
mod sessions;
