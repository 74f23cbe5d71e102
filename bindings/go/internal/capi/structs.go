// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// #include "libaccp.h"
import "C"

import "unsafe"

// Envelope is accp_envelope.
type Envelope struct {
	Fields, Reserved   uint32
	Seq, Ts, TTL       int64
	Mid, Cid, Aid, Sid View
}

// PartBudget is accp_part_budget, FrameBudget accp_frame_budget.
type PartBudget struct{ Tokens, Soft, Hard uint64 }
type FrameBudget struct{ Header, Body, Metadata, Total PartBudget }

// Outcome is accp_outcome.
type Outcome struct {
	Parts, Kept        uint64
	Warnings, Reserved uint32
}

// PolicyCase is accp_policy_case.
type PolicyCase struct {
	Direction, Untrusted                   int32
	Agent, Intent, Operation, Schema, Text View
}

// Event is accp_event.
type Event struct {
	Kind, Status, Direction, Reserved int32
	Seq                               int64
	Bytes, Tokens                     uint64
	Session, Agent, Mid, Cid, Aid     View
	Count, History, Cached, Written   uint64
}

// Schema is accp_schema, Field accp_field.
type Schema struct {
	Name, Code          View
	Version             int64
	FieldCount, BuiltIn uint32
}
type Field struct {
	Name, Wire, DefaultJSON View
	Kind                    int32
	Required                uint32
}

// RegistryInfo is accp_registry_info, Agreement accp_agreement.
type RegistryInfo struct {
	Text, Canonical, Hash View
	Version               int64
	SchemaCount, Reserved uint32
}
type Agreement struct {
	State                          int32
	Extensions, Features, Reserved uint32
	Registry, Peer                 unsafe.Pointer
	PeerTokenizer                  View
}

// StreamPart is accp_stream_part.
type StreamPart struct {
	Data, Whole View
	Chunks      int64
	State       int32
	Reserved    uint32
}

// Failure is accp_failure.
type Failure struct {
	Code, Retry                         int32
	Agent, Message, Detail, Source, Cid View
}

// Counts is accp_counts, Damage accp_damage.
type Counts struct{ Sessions, Records, RecordBytes, Blobs, BlobBytes, Mids, Grants uint64 }
type Damage struct {
	Session View
	What    unsafe.Pointer
	Record  uint64
	Name    View
}

// Delivery is accp_delivery, LogRecord accp_log_record, Budget accp_budget.
type Delivery struct {
	Status, Origin    int32
	Seq               int64
	Message, Mid, Cid View
	Reason            unsafe.Pointer
}
type LogRecord struct {
	Kind     int32
	Reserved uint32
	TimeMs   int64
	Text     View
}
type Budget struct{ HotUsed, HotMax, WarmUsed, WarmMax, TotalUsed, TotalMax uint64 }

// Block is accp_context_block.
type Block struct {
	Kind, IsStable       int32
	Checkpoint, Reserved uint32
	Tokens, Since        uint64
	Text                 View
}

// Verdict is accp_verdict.
type Verdict struct {
	Answer, Code        int32
	Byte                uint64
	Details, Step       View
	NeedCount, Reserved uint32
}

// FoundAgent is accp_found_agent.
type FoundAgent struct {
	Name, Entry         View
	Match, Reserved     int32
	Score               float64
	Successes, Outcomes uint64
}

// RunEffect is accp_run_effect, RunStep accp_run_step.
type RunEffect struct {
	Kind                        int32
	Step                        uint32
	Call                        uint64
	DueMs                       int64
	Path, Verb, Tool, Text, Key View
}
type RunStep struct {
	Kind, State      int32
	Tries            uint32
	Path, Verb, Tool View
}

// Blocks returns the blocks of a call: s.Handle has their address, s.Count their number.
func Blocks(s *Scratch) []Block {
	if s.Count == 0 {
		return nil
	}
	return unsafe.Slice((*Block)(s.Handle), s.Count)
}

// The compiler checks these mirrored sizes, and that Scratch has space for each.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Envelope{})-C.sizeof_accp_envelope]
	_ = [1]struct{}{}[unsafe.Sizeof(Outcome{})-C.sizeof_accp_outcome]
	_ = [1]struct{}{}[unsafe.Sizeof(FrameBudget{})-C.sizeof_accp_frame_budget]
	_ = [1]struct{}{}[unsafe.Sizeof(PolicyCase{})-C.sizeof_accp_policy_case]
	_ = [1]struct{}{}[unsafe.Sizeof(Event{})-C.sizeof_accp_event]
	_ = [1]struct{}{}[unsafe.Sizeof(Schema{})-C.sizeof_accp_schema]
	_ = [1]struct{}{}[unsafe.Sizeof(Field{})-C.sizeof_accp_field]
	_ = [1]struct{}{}[unsafe.Sizeof(RegistryInfo{})-C.sizeof_accp_registry_info]
	_ = [1]struct{}{}[unsafe.Sizeof(Agreement{})-C.sizeof_accp_agreement]
	_ = [1]struct{}{}[unsafe.Sizeof(StreamPart{})-C.sizeof_accp_stream_part]
	_ = [1]struct{}{}[unsafe.Sizeof(Failure{})-C.sizeof_accp_failure]
	_ = [1]struct{}{}[unsafe.Sizeof(Counts{})-C.sizeof_accp_counts]
	_ = [1]struct{}{}[unsafe.Sizeof(Damage{})-C.sizeof_accp_damage]
	_ = [1]struct{}{}[unsafe.Sizeof(Delivery{})-C.sizeof_accp_delivery]
	_ = [1]struct{}{}[unsafe.Sizeof(LogRecord{})-C.sizeof_accp_log_record]
	_ = [1]struct{}{}[unsafe.Sizeof(Budget{})-C.sizeof_accp_budget]
	_ = [1]struct{}{}[unsafe.Sizeof(Block{})-C.sizeof_accp_context_block]
	_ = [1]struct{}{}[unsafe.Sizeof(Verdict{})-C.sizeof_accp_verdict]
	_ = [1]struct{}{}[unsafe.Sizeof(FoundAgent{})-C.sizeof_accp_found_agent]
	_ = [1]struct{}{}[unsafe.Sizeof(RunEffect{})-C.sizeof_accp_run_effect]
	_ = [1]struct{}{}[unsafe.Sizeof(RunStep{})-C.sizeof_accp_run_step]
	_ = [1]struct{}{}[unsafe.Offsetof(Event{}.Written)-unsafe.Offsetof(C.accp_event{}.written)]
	_ = [1]struct{}{}[unsafe.Offsetof(Block{}.Text)-unsafe.Offsetof(C.accp_context_block{}.text)]
	_ = [1]struct{}{}[unsafe.Offsetof(Envelope{}.Sid)-unsafe.Offsetof(C.accp_envelope{}.sid)]
	_ = [1]struct{}{}[unsafe.Offsetof(RegistryInfo{}.Version)-unsafe.Offsetof(C.accp_registry_info{}.version)]
	_ = [1]struct{}{}[unsafe.Offsetof(Agreement{}.Registry)-unsafe.Offsetof(C.accp_agreement{}.registry)]
	_ = [1]struct{}{}[unsafe.Offsetof(Failure{}.Cid)-unsafe.Offsetof(C.accp_failure{}.cid)]
	_ = [1]struct{}{}[unsafe.Offsetof(Verdict{}.Step)-unsafe.Offsetof(C.accp_verdict{}.step)]
	_ = [1]struct{}{}[unsafe.Offsetof(FoundAgent{}.Outcomes)-unsafe.Offsetof(C.accp_found_agent{}.outcomes)]
	_ = [1]struct{}{}[unsafe.Offsetof(RunEffect{}.Key)-unsafe.Offsetof(C.accp_run_effect{}.key)]
	_ = [1]struct{}{}[unsafe.Offsetof(RunStep{}.Tool)-unsafe.Offsetof(C.accp_run_step{}.tool)]
	_ = [1]struct{}{}[unsafe.Offsetof(Delivery{}.Reason)-unsafe.Offsetof(C.accp_delivery{}.reason)]
	_ = uint(unsafe.Sizeof(Scratch{}.Room) - unsafe.Sizeof(Envelope{}))
	_ = uint(unsafe.Sizeof(Scratch{}.Room) - unsafe.Sizeof(Failure{}))
)
