//! A panic costs one request. `cargo xtask drill panic` runs this on release programs with a feature that panics on
//! certain values.

use functions::engine::drill::{ENGINE, HANDLER};
use serde_json::{Value, json};

use crate::platform::{Function, invoke, program};
use crate::silence::{FunctionWorld, template_functions};

const FILL: &str = "documents-fill-fields";

/// Number of panics, large enough to show a leak of memory.
const PANICS: usize = 200;
/// Maximum growth of the memory after the first panics. Allocators keep memory once they have it.
const MOST_GROWTH_BYTES: u64 = 32 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn process_serves_requests_after_a_panic() {
    let world = FunctionWorld::new().await;
    let described = template_functions();
    let fill = &described[FILL];
    let mut function = Function::start(&program(FILL), &world.environment(fill, ("", "")), None).await.unwrap();
    let process = function.id().unwrap();
    let good = world.event(FILL);
    let mut memory = Vec::new();
    for place in [HANDLER, ENGINE] {
        let bad = with_value(&good, place);
        for number in 0..PANICS {
            let panicked = invoke(&mut function, with_source(&bad, number), fill.time_out).await.expect("an answer");
            assert_eq!(panicked.status_and_code(), Some((500, "internal".to_owned())), "{place}");
        }
        let answered = invoke(&mut function, good.clone(), fill.time_out).await.expect("an answer");
        assert_eq!(answered.status_and_code().unwrap().0, 200, "after a {place}: {answered:?}");
        assert_eq!(function.id(), Some(process), "it is the same process");
        memory.push(resident_bytes(process));
        println!(
            "{PANICS} times {place}: coded 500, the next answered 200 by the same process, {} MB",
            memory[memory.len() - 1] >> 20
        );
    }
    assert!(memory[1] < memory[0] + MOST_GROWTH_BYTES, "{memory:?}");
}

/// Returns the event with this value in its first field and without the idempotency key.
fn with_value(event: &Value, value: &str) -> Value {
    let mut body: Value = serde_json::from_str(event["body"].as_str().unwrap()).unwrap();
    let first = body["fieldsAndValues"][0].as_object_mut().unwrap();
    for kept in first.values_mut() {
        *kept = json!(value);
    }
    let mut event = event.clone();
    event["body"] = body.to_string().into();
    event["headers"].as_object_mut().unwrap().remove("idempotency-key");
    event
}

/// Returns the event with another source address, because one guest may send only so many requests.
fn with_source(event: &Value, number: usize) -> Value {
    let mut event = event.clone();
    event["requestContext"]["http"]["sourceIp"] = format!("203.0.113.{number}").into();
    event
}

fn resident_bytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    kilobytes * 1024
}
