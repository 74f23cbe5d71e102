// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// #include "callbacks.h"
import "C"

import (
	"fmt"
	"runtime/cgo"
	"runtime/debug"
	"sync/atomic"
	"time"
	"unsafe"
)

// The statuses of callbacks if a Go function fails without a code of its own.
const (
	statusOK       = 0
	statusInternal = 9999
	statusNoMemory = -1
	statusIO       = -5
)

// Hooks are the functions that C calls back, on the thread of the call. C identifies them by a
// runtime/cgo.Handle. A function that fails leaves its error in the Call and returns Status(error,
// …).
type Hooks struct {
	Resolve      func(call *Call, ref string) (string, error)
	Keep         func(json string) (string, error)
	NextEnvelope func(*Envelope) (mid, cid, aid, sid string, err error)
	CheckTool    func(name, arguments string) error
	CheckPolicy  func(*PolicyCase) error
	Log          func(direction, status int32, text string)
	Summarise    func(call *Call, hot string, maxTokens int) (string, error)
	ColdPut      func(call *Call, key string, text []byte) error // with ColdGet
	ColdGet      func(call *Call, key string) ([]byte, error)
	Event        func(call *Call, event *Event)
	Extract      func(json string) (string, error)

	Count  func(text string) (int64, error) // of a tokenizer
	Text   func(text []byte) error          // of a store
	Damage func(*Damage)
	Model  func(call *Call, prompt, specification, refused string) (string, error) // of phrases

	Status func(err error, otherwise int32) int32
}

// Call is one call from Go into C, identified by its thread.
type Call struct {
	Context any
	Began   time.Time
	Of      any   // the handle
	Outer   *Call // the call whose callback made this call
	Over    atomic.Bool
	Cause   error
	Exited  bool // a callback of this call or of a nested call ended its goroutine: the C frames are lost
}

// exit records that the goroutine of a call ends, and with it all its enclosing calls.
func (c *Call) exit() {
	C.accp_go_unwound()
	for ; c != nil; c = c.Outer {
		c.Exited = true
	}
}

// Panic is the value with which a callback panicked; it does not pass through C.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("accp: a callback panicked: %v", p.Value) }

// Unwrap returns the panic value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// New makes the handle for C.
func (h *Hooks) New() uintptr { return uintptr(cgo.NewHandle(h)) }

// DeleteHooks deletes a handle.
func DeleteHooks(handle uintptr) { cgo.Handle(handle).Delete() }

// SetCall sets the current call of the thread. The caller has locked its goroutine to the thread.
func SetCall(call *Call) (done func()) {
	handle := cgo.NewHandle(call)
	before := C.accp_go_set_call(C.uintptr_t(handle))
	call.Outer = known(before)
	return func() {
		C.accp_go_set_call(before)
		handle.Delete()
		call.Over.Store(true)
	}
}

// CurrentCall returns the call of which this goroutine runs a callback; nil if none. Another
// goroutine never runs on a thread that is in a call.
func CurrentCall() *Call { return known(C.accp_go_call()) }

func known(call C.uintptr_t) *Call {
	if call == 0 {
		return nil
	}
	return cgo.Handle(call).Value().(*Call)
}

// SetHooks sets the hooks that are not nil in a C config.
func SetHooks(config unsafe.Pointer, h *Hooks, user uintptr, s *Scratch) int {
	which := C.uint32_t(0)
	for bit, there := range []bool{h.Resolve != nil, h.Keep != nil, h.NextEnvelope != nil, h.CheckTool != nil, h.CheckPolicy != nil, h.Log != nil,
		h.Summarise != nil, h.ColdPut != nil, h.Event != nil, h.Extract != nil} {
		if there {
			which |= 1 << bit
		}
	}
	return int(C.accp_go_set_hooks(config, which, C.uintptr_t(user), s.err()))
}

// Functions that C calls and that are not in a config.
func CountFunction() unsafe.Pointer  { return unsafe.Pointer(C.accp_go_count) }
func TextFunction() unsafe.Pointer   { return unsafe.Pointer(C.accp_go_text) }
func DamageFunction() unsafe.Pointer { return unsafe.Pointer(C.accp_go_damage) }
func ModelFunction() unsafe.Pointer  { return unsafe.Pointer(C.accp_go_model) }

// run calls a function of the host, catches panics, and returns a status. Its error goes to *cause.
// runtime.Goexit cannot be stopped: it leaves the C frames for good, and marks its call.
func run(hooks *Hooks, of *Call, cause *error, otherwise int32, function func() error) (status C.accp_status) {
	returned := false
	defer func() {
		if !returned {
			of.exit()
		}
	}()
	err := Guard(function)
	if returned = true; err == nil {
		return statusOK
	}
	if *cause = err; isPanic(err) {
		return C.accp_status(otherwise)
	}
	return C.accp_status(hooks.Status(err, otherwise))
}

func isPanic(err error) bool {
	_, ok := err.(*Panic)
	return ok
}

// Guard converts a panic to an error. It does not return if the function ends its goroutine.
func Guard(function func() error) (err error) {
	ended := false
	defer func() {
		if !ended { // recover() returns nil for panic(nil) before Go 1.21
			err = &Panic{Value: recover(), Stack: debug.Stack()}
		}
	}()
	err = function()
	ended = true
	return err
}

func hooksOf(user C.uintptr_t) *Hooks { return cgo.Handle(user).Value().(*Hooks) }

func callOf(call C.uintptr_t) *Call {
	if of := known(call); of != nil {
		return of
	}
	return &Call{}
}

// copied replaces C.GoStringN, whose length is limited to 2 GiB.
func copied(p *C.char, n C.size_t) string { return string(borrowed(p, n)) }

func borrowed(p *C.char, n C.size_t) []byte {
	return View{Text: unsafe.Pointer(p), Len: uint64(n)}.Bytes()
}

// reply stores a text for the thread and points to it.
func reply(text string, out *C.accp_text) error {
	p, n := chars(text)
	kept := C.accp_go_reply(p, n)
	if kept == nil {
		return errNoMemory{}
	}
	out.text, out.len = kept, n
	return nil
}

type errNoMemory struct{}

func (errNoMemory) Error() string { return "accp: out of memory" }

//export accpGoResolve
func accpGoResolve(ref *C.char, refLen C.size_t, out *C.accp_text, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusIO, func() error {
		text, err := hooks.Resolve(of, copied(ref, refLen))
		if err != nil {
			return err
		}
		return reply(text, out)
	})
}

//export accpGoKeep
func accpGoKeep(json *C.char, jsonLen C.size_t, out *C.accp_text, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusIO, func() error {
		name, err := hooks.Keep(copied(json, jsonLen))
		if err != nil {
			return err
		}
		return reply(name, out)
	})
}

//export accpGoExtract
func accpGoExtract(json *C.char, jsonLen C.size_t, out *C.accp_text, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusIO, func() error {
		name, err := hooks.Extract(copied(json, jsonLen))
		if err != nil {
			return err
		}
		return reply(name, out)
	})
}

//export accpGoNextEnvelope
func accpGoNextEnvelope(envelope *C.accp_envelope, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusInternal, func() error {
		at := (*Envelope)(unsafe.Pointer(envelope))
		mid, cid, aid, sid, err := hooks.NextEnvelope(at)
		if err != nil {
			return err
		}
		var all C.accp_text
		if err := reply(mid+cid+aid+sid, &all); err != nil {
			return err
		}
		from := unsafe.Pointer(all.text)
		for _, text := range []struct {
			view *View
			len  int
		}{{&at.Mid, len(mid)}, {&at.Cid, len(cid)}, {&at.Aid, len(aid)}, {&at.Sid, len(sid)}} {
			*text.view = View{Text: from, Len: uint64(text.len)}
			from = unsafe.Add(from, text.len)
		}
		return nil
	})
}

//export accpGoCheckTool
func accpGoCheckTool(name *C.char, nameLen C.size_t, arguments *C.char, argumentsLen C.size_t, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusInternal, func() error {
		return hooks.CheckTool(copied(name, nameLen), copied(arguments, argumentsLen))
	})
}

//export accpGoCheckPolicy
func accpGoCheckPolicy(asked *C.accp_policy_case, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusInternal, func() error { return hooks.CheckPolicy((*PolicyCase)(unsafe.Pointer(asked))) })
}

//export accpGoLog
func accpGoLog(direction C.int32_t, status C.accp_status, text *C.char, textLen C.size_t, user, call C.uintptr_t) {
	hooks := hooksOf(user)
	run(hooks, callOf(call), new(error), statusOK, func() error {
		hooks.Log(int32(direction), int32(status), copied(text, textLen))
		return nil
	})
}

//export accpGoEvent
func accpGoEvent(event *C.accp_event, user, call C.uintptr_t) {
	hooks := hooksOf(user)
	of := callOf(call)
	run(hooks, of, new(error), statusOK, func() error {
		hooks.Event(of, (*Event)(unsafe.Pointer(event)))
		return nil
	})
}

//export accpGoSummarise
func accpGoSummarise(hot *C.char, hotLen C.size_t, maxTokens C.uint32_t, out *C.accp_text, user, call C.uintptr_t) C.int {
	hooks, of, summary := hooksOf(user), callOf(call), ""
	if run(hooks, of, new(error), statusIO, func() (err error) {
		if summary, err = hooks.Summarise(of, copied(hot, hotLen), int(maxTokens)); err == nil {
			err = reply(summary, out)
		}
		return err
	}) != statusOK || summary == "" {
		return 0
	}
	return 1
}

//export accpGoColdPut
func accpGoColdPut(key *C.char, keyLen C.size_t, text *C.char, textLen C.size_t, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusIO, func() error {
		return hooks.ColdPut(of, copied(key, keyLen), append([]byte{}, borrowed(text, textLen)...))
	})
}

//export accpGoColdGet
func accpGoColdGet(key *C.char, keyLen C.size_t, out *C.accp_text, user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusIO, func() error {
		text, err := hooks.ColdGet(of, copied(key, keyLen))
		if err != nil {
			return err
		}
		return reply(Text(text), out)
	})
}

//export accpGoCount
func accpGoCount(text *C.char, textLen C.size_t, user, call C.uintptr_t) C.int64_t {
	hooks, of, count := hooksOf(user), callOf(call), int64(0)
	if run(hooks, of, &of.Cause, statusIO, func() (err error) {
		count, err = hooks.Count(copied(text, textLen))
		return err
	}) != statusOK {
		return -1
	}
	return C.int64_t(count)
}

//export accpGoText
func accpGoText(text *C.char, textLen C.size_t, user, call C.uintptr_t) C.int {
	hooks, of := hooksOf(user), callOf(call)
	if run(hooks, of, &of.Cause, statusIO, func() error { return hooks.Text(borrowed(text, textLen)) }) != statusOK {
		return 1
	}
	return 0
}

//export accpGoDamage
func accpGoDamage(damage *C.accp_damage, user, call C.uintptr_t) {
	hooks, of := hooksOf(user), callOf(call)
	if of.Cause == nil {
		run(hooks, of, &of.Cause, statusOK, func() error {
			hooks.Damage((*Damage)(unsafe.Pointer(damage)))
			return nil
		})
	}
}

//export accpGoModel
func accpGoModel(prompt *C.char, promptLen C.size_t, specification *C.char, specificationLen C.size_t, refused *C.char, refusedLen C.size_t, out *C.accp_text,
	user, call C.uintptr_t) C.accp_status {
	hooks, of := hooksOf(user), callOf(call)
	return run(hooks, of, &of.Cause, statusIO, func() error {
		text, err := hooks.Model(of, copied(prompt, promptLen), copied(specification, specificationLen), copied(refused, refusedLen))
		if err != nil {
			return err
		}
		return reply(text, out)
	})
}
