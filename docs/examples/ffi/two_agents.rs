// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two agents over libaccp.so, with no crate: rustc two_agents.rs -L /usr/local/lib -l accp; LD_LIBRARY_PATH=/usr/local/lib ./two_agents
use std::ffi::{c_char, c_int, c_void, CStr};
use std::{ptr, slice};

#[repr(C)]
struct Error { code: i32, record: u32, offset: u64, message: *const c_char, had: u64, limit: u64 } // accp_error

#[repr(C)]
#[derive(Clone, Copy)]
struct Text { text: *const u8, len: usize } // accp_text: not ended by NUL

#[repr(C)]
struct Delivery { status: i32, origin: i32, seq: i64, message: Text, mid: Text, cid: Text, reason: *const c_char } // accp_delivery

type Handle = *mut c_void;

extern "C" {
    fn accp_abi_version() -> i32;
    fn accp_status_code_name(status: i32) -> *const c_char;
    fn accp_engine_new(config: Handle, out: *mut Handle, err: *mut Error) -> i32;
    fn accp_engine_free(engine: Handle);
    fn accp_session_open(engine: Handle, id: *const u8, id_len: usize, flags: u32, out: *mut Handle, err: *mut Error) -> i32;
    fn accp_session_close(session: Handle);
    fn accp_session_send(session: Handle, text: *const u8, len: usize, now_ms: i64, out: *mut Text, err: *mut Error) -> i32;
    fn accp_session_receive(session: Handle, text: *const u8, len: usize, now_ms: i64, peer: Handle, err: *mut Error) -> i32;
    fn accp_session_next_delivery(session: Handle, out: *mut Delivery) -> c_int;
    fn accp_session_context(session: Handle, budget: u64, out: *mut Text, tokens: *mut u64, err: *mut Error) -> i32;
}

// A status other than 0 becomes an Err.
fn call(f: impl FnOnce(*mut Error) -> i32) -> Result<(), String> {
    let mut e = Error { code: 0, record: 0, offset: 0, message: ptr::null(), had: 0, limit: 0 };
    match f(&mut e) {
        0 => Ok(()),
        _ => unsafe {
            let code = CStr::from_ptr(accp_status_code_name(e.code)).to_string_lossy();
            Err(format!("{code} at byte {}: {}", e.offset, CStr::from_ptr(e.message).to_string_lossy()))
        },
    }
}

// A view is copied at once: it ends with the handle's next call.
fn copy(view: Text) -> String {
    if view.len == 0 { return String::new(); }
    String::from_utf8_lossy(unsafe { slice::from_raw_parts(view.text, view.len) }).into_owned()
}

const NONE: Text = Text { text: ptr::null(), len: 0 };

struct Agent { engine: Handle, session: Handle }

impl Agent {
    fn new(name: &str) -> Result<Agent, String> {
        let mut agent = Agent { engine: ptr::null_mut(), session: ptr::null_mut() };
        call(|e| unsafe { accp_engine_new(ptr::null_mut(), &mut agent.engine, e) })?;
        call(|e| unsafe { accp_session_open(agent.engine, name.as_ptr(), name.len(), 0, &mut agent.session, e) })?;
        Ok(agent)
    }
    fn send(&mut self, json: &str, now_ms: i64) -> Result<String, String> {
        let mut out = NONE;
        call(|e| unsafe { accp_session_send(self.session, json.as_ptr(), json.len(), now_ms, &mut out, e) })?;
        Ok(copy(out))
    }
    fn receive(&mut self, frame: &str, now_ms: i64) -> Result<Vec<String>, String> {
        call(|e| unsafe { accp_session_receive(self.session, frame.as_ptr(), frame.len(), now_ms, ptr::null_mut(), e) })?;
        let mut one = Delivery { status: 0, origin: 0, seq: 0, message: NONE, mid: NONE, cid: NONE, reason: ptr::null() };
        let mut all = Vec::new();
        while unsafe { accp_session_next_delivery(self.session, &mut one) } != 0 {
            all.push(copy(one.message));
        }
        Ok(all)
    }
    fn context(&mut self) -> Result<(String, u64), String> {
        let (mut out, mut tokens) = (NONE, 0);
        call(|e| unsafe { accp_session_context(self.session, 0, &mut out, &mut tokens, e) })?;
        Ok((copy(out), tokens))
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        unsafe {
            accp_session_close(self.session);
            accp_engine_free(self.engine);
        }
    }
}

fn main() -> Result<(), String> {
    assert_eq!(unsafe { accp_abi_version() }, 1, "another ABI than this program was written for");
    let (mut planner, mut worker, now) = (Agent::new("planner")?, Agent::new("worker")?, 1_714_000_000_000);
    let message = r#"{"agent":"planner","intent":"req","operation":"schedule","payload":{"task":"impl_auth","priority":"high"}}"#;
    let frame = planner.send(message, now)?;
    println!("{}", frame.split('[').next().unwrap_or("")); // without its envelope, whose mid is another one each time
    for said in worker.receive(&frame, now)? {
        println!("{}}}", said.split(",\"meta\"").next().unwrap_or(""));
    }
    let (text, tokens) = worker.context()?;
    println!("{} ({tokens} tokens)", text.trim_end());
    if let Err(error) = planner.send("{\"agent\":", now) {
        println!("{error}");
    }
    Ok(())
}
