// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Package accp is the Agent Context Compression Protocol: messages between agents as small exact frames, sessions that deliver them once and in order, and the
// text that a model should be given instead of the history.
//
//	@planner>req:schedule{task:impl_auth|pri:high}[mid:a00000000001,seq:1]
//
// It is libaccp, a C++ library that is installed first, as README.md says; pkg-config finds it, and
// a C compiler (gcc or clang, Linux) is all else that it needs. The build tag accp_static links the
// library in whole, so that the program runs where it is not installed.
//
// # What is where
//
//   - [Codec]: messages in JSON to frames and back; under a [Registry] by schemas that both sides know, to which a [Negotiation] comes. [Marshal] and [Unmarshal] do
//     it with a [Message], a [Batch] with many at once.
//   - [Frame], [Scanner]: frames to trees.
//   - [Session] of an [Engine], over a [Store]: everything together. [Protocol] has the five operations of the specification.
//   - [ContextPacket] is what a worker that starts anew must know, in a file, and [PacketIndex] answers questions from many of them.
//   - [SACP] checks messages by which agents plan for each other against a [Library] of verbs and tools, and [SACPMessage] writes them. [RunPlan] runs
//     their plans with functions as tools, and [Agents] knows who can do what, and who is missing.
//   - [Phrases] make a message of SACP of what a person says, or a question. [Presenter] writes data as a text for people, by a template.
//   - [Tokenizer] and [Counter] count tokens exactly; [Renderer] writes what a model reads in place of JSON.
//   - [Value] holds any JSON value with all digits of its numbers; [Streams], [Deadlines], [Failure] are parts of sessions for those who have their own.
//
// # Options
//
// What a handle is made of are its [Option] values: limits and rules, registry, store, tokenizer, and [Hooks], the functions that it calls. One list may serve a
// codec, an engine and all others, as each reads what concerns it:
//
//	both := []accp.Option{accp.WithAgreement(agreed), accp.WithHooks(accp.Hooks{Log: log})}
//	codec, err := accp.NewCodec(both...)
//	engine, err := accp.NewEngine(both...)
//
// # Goroutines
//
// Everything may be called by any number of goroutines. A [Tokenizer], [Registry], [Store] and [Engine] serve them all at once; the calls of anything else with a Close method queue, and are
// taken one after another in the order in which they came, whatever store is below. Sessions of one engine run at the same time. A call with a context waits no longer than that lets it.
//
// A callback that calls what has called it gets [ErrBusy], and nothing has happened: it would wait for itself. So does a goroutine that it starts with the context that it was given. A goroutine
// that it starts with another context, and waits for, waits for ever. A callback must not end its goroutine (runtime.Goexit, FailNow of a test): the call ends in the middle, and its handle is
// closed; what was durable is there when it is opened again.
//
// The trees of a [Frame], a [Batch] and a [Value] are their own memory: who reads one while another goroutine parses reads nonsense, as with a slice.
//
// # Closing
//
// Close gives back memory that is not Go's. It may be called twice, during a call of another goroutine (it takes effect when that ends), and never: the garbage
// collector closes what cannot be reached. It is told what is held in C: where that passes 64 MiB, and twice what was in use when it last ran so, it runs. What is used after Close, or was never opened, answers [ErrClosed]; a session that has ended, or
// that another writer has opened, [ErrSessionClosed]. (A nil pointer is no handle: its methods panic, as those of Go's own types do.) Whatever was made with another thing keeps it: a counter its tokenizer, a session
// its engine and store. A Codec whose [Hooks] refer to it is reachable, and must be closed.
//
// # Errors
//
// Every failure is an *[Error] with a code, the byte of the text that cannot stand, and one line: errors.Is(err, accp.ErrParseError) asks for the code,
// errors.As for the rest. What a function of the host's failed with, or panicked with, is in its chain. [ErrHeld] and [ErrDropped] say that nothing is wrong, and that there is no message now.
package accp
