//! Binary for cargo-fuzz: runs the target of this name in `fuzz/targets.rs`.

#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let target = targets::TARGETS.iter().find(|target| target.name == "games");
    (target.unwrap().run)(data);
});
