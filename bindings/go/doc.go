// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Package accp implements the Agent Context Compression Protocol: messages between agents as small
// exact frames, sessions that deliver them once and in order, and a short context for a model in
// place of the history.
//
//	@planner>req:schedule{task:impl_auth|pri:high}[mid:a00000000001,seq:1]
//
// It links libaccp, a C++ library that must be installed first (README.md). pkg-config finds it;
// the build also needs a C compiler (gcc or clang, Linux). The build tag accp_static links the
// library statically, so that the program runs without an installed libaccp.
//
// # Overview
//
//   - [Codec]: messages in JSON to frames and back, with a [Registry] of schemas that both sides
//     know or that a [Negotiation] agrees on. [Marshal] and [Unmarshal] use a [Message]; a [Batch]
//     converts many at once.
//   - [Frame], [Scanner]: frames to trees.
//   - [Session] of an [Engine] with a [Store]: everything together. [Protocol] has the five
//     operations of the specification.
//   - [ContextPacket] is a file with the knowledge that a new worker needs; [PacketIndex] searches
//     many packets for the answer to a question.
//   - [SACP] checks messages by which agents plan against a [Library] of verbs and tools, and
//     [SACPMessage] writes them. [RunPlan] runs plans with functions as tools; [Agents] finds
//     agents.
//   - [Phrases] convert a person's request to a SACP message or a question. [Presenter] writes data
//     as text for people by a template.
//   - [Tokenizer] and [Counter] count tokens exactly; [Renderer] converts JSON to the text for a
//     model.
//   - [Value] holds any JSON value with all digits of its numbers; [Streams], [Deadlines] and
//     [Failure] are parts of sessions for separate use.
//
// From Go 1.23 on there are iterators: [Session.Deliveries], [Session.Records], [Store.Sessions],
// [Scanner.Frames], [Item.Children]. [Hooks] has Event and Trace for logs and spans; [SlogEvents]
// writes events to slog.
//
// # Options
//
// A handle is configured by [Option] values: limits and rules, registry, store, tokenizer, and
// [Hooks], the functions that it calls. Each handle reads the options that it supports, so one list
// may serve a codec, an engine and all others:
//
//	both := []accp.Option{accp.WithAgreement(agreed), accp.WithHooks(accp.Hooks{Log: log})}
//	codec, err := accp.NewCodec(both...)
//	engine, err := accp.NewEngine(both...)
//
// # Goroutines
//
// Any number of goroutines may call anything. A [Tokenizer], [Registry], [Store] and [Engine] serve
// them concurrently. Calls on any other object with a Close method queue in the order in which they
// came. Sessions of one engine run concurrently. A call with a context waits no longer than the
// context allows.
//
// A callback that calls its own object gets [ErrBusy], because it would wait for itself; nothing
// has happened. So does a goroutine that it starts with the callback's context. A callback that
// waits for a goroutine with another context waits forever. A callback must not end its goroutine
// (runtime.Goexit, FailNow of a test): that ends the call in the middle and closes its handle.
// Durable data is there when it is opened again.
//
// A [Frame], a [Batch] and a [Value] own the memory of their trees. Do not read a tree while
// another goroutine parses, as with a slice.
//
// # Closing
//
// Close frees memory outside of Go. It may be called twice or during a call of another goroutine
// (it takes effect when that call ends). Without it the garbage collector closes unreachable
// objects; it runs when C holds more than 64 MiB and twice the amount in use after its last run.
// Use after Close, or of an object that was never opened, returns [ErrClosed]; a session that has
// ended or has another writer returns [ErrSessionClosed]. (Methods of a nil pointer panic, as for
// Go's own types.) An object keeps its dependencies alive: a counter its tokenizer, a session its
// engine and store. A Codec whose [Hooks] refer to it stays reachable and must be closed.
//
// # Errors
//
// Every failure is an *[Error] with a code, the offset of the byte at fault, and one line of text.
// Use errors.Is(err, accp.ErrParseError) for the code, errors.As for the rest. The error or panic
// of a host's function is in its chain. [ErrHeld] and [ErrDropped] are not faults: no message
// is available now.
package accp
