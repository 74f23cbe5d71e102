// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every limit of the library, each with the attack or the cost that set it. A limit refuses;
// nothing is ever cut to fit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accp/config.h"

namespace accp {

// Limits that a caller may set (accp_config_set_limit), in the order of enum accp_limit.
struct LimitRule {
    const char *name;
    uint64_t standard;
    uint64_t min;
    uint64_t max;
};

// offsets are 32 bits wide, and worst-case escaping must stay below them
constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxStreamBytes = 16 << 20;
constexpr uint32_t kMaxChunksAhead = 1024;
constexpr uint32_t kMaxOpenStreams = 256;

constexpr LimitRule kLimits[] = {
    // decision A18: a frame is a message, not a file; bounds the work that one line can ask for
    {"frame_bytes", 64 << 10, 16, kMaxTextBytes},
    // decision A18: duplicate checks stay cheap, tables readable
    {"params", 256, 1, 1 << 20},
    // decision A18: bounds what a peer's array makes a host allocate
    {"items", 4096, 1, 1 << 24},
    // decision A18: a node counts the bytes of a key in 16 bits
    {"key_bytes", 256, 1, 65535},
    // specification 9.5: nesting is an attack on recursive hosts
    {"depth", 5, 1, 64},
    {"json_bytes", 16 << 20, 2, kMaxTextBytes},  // one JSON text is held whole
    // what hosts' own JSON parsers take without overflowing their stacks
    {"json_depth", 1024, 1, 1024},
    // what one handle may hold, whatever it is fed
    {"memory_bytes", uint64_t{1} << 30, 64 << 10, UINT64_MAX},
    // held of all streams together: chunks that wait, and what is kept whole
    {"stream_bytes", kMaxStreamBytes, 1, kMaxStreamBytes},
    // that wait for an earlier one: each costs a search, and a place in order
    {"stream_ahead", kMaxChunksAhead, 1, kMaxChunksAhead},
    // a peer may open streams and never end them
    {"open_streams", kMaxOpenStreams, 1, kMaxOpenStreams},
};
constexpr int kLimitCount = sizeof kLimits / sizeof kLimits[0];

constexpr uint32_t kMaxDepth = 64;        // the stack of levels in the parser is this long
constexpr uint32_t kMaxJsonDepth = 1024;  // the stack of levels in the JSON reader
constexpr uint32_t kMaxKeyBytes = 65535;  // accp_node.key_len
// up to here duplicate keys are looked for one by one, above with a hashed set
constexpr uint32_t kLinearKeys = 16;
// of a number in the hash form: exponents are added up in 64 bits
constexpr int kMaxExponentDigits = 18;

// A context packet is read by a person and a model: larger ones are no packets. So deep is nothing
// that anybody writes.
constexpr size_t kMaxPacketBytes = 256 << 10;
constexpr uint32_t kMaxPacketDepth = 32;

constexpr int kDecimalPlaces = 6;          // specification 3.1.1: what an encoder may write
constexpr int kDecimalIntegerDigits = 17;  // docs/wire.md 3: beyond it the = form
constexpr size_t kMidBytes = 12;           // specification 3.5
// pieces of text whose count a counter remembers: 1 MiB, which it grows to as it meets new ones
constexpr uint32_t kTokenCache = 65536;
constexpr uint32_t kMaxTokenCache = 1 << 20;  // beyond it a cache misses the processor's own
// what an idle handle keeps of a scratch area; larger ones are given back
constexpr size_t kKeptBytes = 1 << 20;
// Of one registry. A document beyond one of these is refused whole (a registry is a
// peer's text too).
constexpr uint32_t kMaxSchemas = 4096;        // lookups stay in cache, a listing stays readable
constexpr uint32_t kMaxSchemaFields = 256;    // as many as a payload has params
constexpr uint32_t kMaxSchemaBindings = 64;   // twelve intents, and a few operations
constexpr uint32_t kMaxRegistryNames = 4096;  // custom operations; aliases for every schema
constexpr size_t kMaxDefaultBytes =
    // of a schema's defaults as JSON, names and all: a frame that leaves them out is a message with
    // them
    16 << 10;
// of a field's name, and of a key that an alias stands for: as of a key by default
constexpr size_t kMaxRegistryKeyBytes = 256;
constexpr uint32_t kMaxCodeBytes = 32;  // a code is short or it is no code
// of a delta on its way: a peer's total is never allocated from
constexpr uint32_t kMaxDeltaChunks = 65536;
constexpr uint64_t kMaxDeltaBytes = 16 << 20;  // of a delta on its way, put together
// Of one session's inbox and its chains. Memory is bounded by these, never by history.
constexpr uint32_t kReorderWindow = 64;      // decision A25: frames that wait for an earlier one
constexpr uint64_t kMaxHeldBytes = 1 << 20;  // of frames that wait
// of them, for each sender: one that fills the rest does not stop the others
constexpr uint64_t kMinHeldShare = 16 << 10;
// what a frame that waits is charged beside its text
constexpr uint64_t kHeldCost = 64;
// of frames that wait under one count: one sender has one window
constexpr uint64_t kMaxWindows = 4;
// numbers of one count that are used ahead of a gap: they are in each snapshot
constexpr uint32_t kMaxAhead = 64;
// numbers, or versions, that a state may pass: the range must never come to its end
constexpr int64_t kMaxJump = 65536;
// of frames and versions: the number after it can still be told
constexpr int64_t kMaxSeq = INT64_MAX - 1;
// of other sides, who count for themselves (decision A22): a peer may have any number of names
constexpr uint32_t kMaxSenders = 256;
constexpr uint32_t kMaxOwnSenders = 256;  // of ours: both are in each snapshot
constexpr uint32_t kMaxSenderBytes = 64;  // of the name of one of these
// of the names that a session sends as: each frame that comes is compared with them
constexpr size_t kMaxOwnAgentBytes = 16 << 10;
constexpr uint32_t kMaxMidBytes = 64;  // decision A19: of a mid in a session that is not strict
// of cancelled chains, of others and of ours: a peer may cancel what never was
constexpr uint64_t kMaxChainsCost = 256 << 10;
constexpr uint64_t kChainCost = 192;             // what one of them is charged beside its name
constexpr size_t kMaxChainBytes = kMaxKeyBytes;  // of such a name
// of the state that two sides share: a delta must not be able to double it for ever
constexpr uint64_t kMaxSharedBytes = 256 << 10;
constexpr size_t kMinHashDigits = 12;  // of a hash that a peer gives of a state
// records among which the cause of a frame is looked for
constexpr uint32_t kMaxLookback = 1024;
// of them, that are read when a chain is cancelled: large frames are an attack
constexpr size_t kMaxCauseBytes = 4 << 20;
constexpr size_t kScanBytes = 1 << 20;  // of the log, read at a time
constexpr uint64_t kSnapshotBytes =
    // of a session's log, after which a checkpoint brings a snapshot, where half of the last one is
    // not more: opening applies that much, and writing snapshots costs little beside the log
    16 << 10;
constexpr uint32_t kMaxStandingValues = 256;        // under hot and warm, in each context
constexpr size_t kMaxRefKeyBytes = 200;             // of the key of a ref that is looked up
constexpr uint32_t kMaxRefLabels = 16;              // of it, tried one after the other
constexpr uint64_t kMaxFrameTokens = 240;           // specification 3.4: of a frame in a session
constexpr uint64_t kMidCounters = 100'000'000'000;  // decision A53: eleven digits
constexpr uint64_t kIssuerCounters = 1'000'000'000;
constexpr int64_t kGapMs = 5000;        // decision A25
constexpr int64_t kFutureMs = 300'000;  // decision A32
// times one step is sent again before a negotiation is given up
constexpr uint32_t kNegotiationTries = 5;
// Of values that go by reference, and of messages that go in parts.
// refs that lead from one to another: a cycle ends here
constexpr uint32_t kRefHops = 8;
// put in for the refs of one frame, repeats too: ten refs to ten refs each are a bomb
constexpr uint64_t kExpandBytes = 64 << 10;
// specification 3.3: a longer string is kept in the state (an option)
constexpr uint64_t kInlineCharacters = 50;
constexpr uint32_t kChunkBytes = 200;  // of a delta in one frame: under a session's 240 tokens
// messages of which parts are held: a peer may begin any number
constexpr uint32_t kMaxOpenSequences = 64;
// of one message; a peer's total is never allocated from
constexpr uint32_t kMaxSequenceParts = 1024;
constexpr uint64_t kMaxSequenceBytes = 1 << 20;  // held for all of them
// of those messages, for each agent: one that fills the rest does not stop the others
constexpr uint32_t kMinOpenShare = 8;
constexpr uint64_t kMinSequenceShare = 64 << 10;  // the same of those bytes
constexpr uint64_t kMaxSequenceShares = 4;        // times the two limits above, with such shares
// what a part is charged beside its text, so that empty ones cost too
constexpr uint64_t kPartCost = 128;

// How many tokens a frame and its parts should have at most (specification 3.4): beyond the soft
// limit is a warning, beyond the hard one a session acts.
struct TokenLimit {
    uint64_t soft, hard;
};
constexpr TokenLimit kHeaderTokens = {5, 10}, kBodyTokens = {50, 200}, kMetadataTokens = {10, 30},
                     kFrameTokens = {65, 240};
// Of a store. A batch that is over one of these is refused whole.
constexpr size_t kMaxSessionIdBytes = 256;  // a key of an index
constexpr size_t kMaxBlobKeyBytes = 256;    // as many as a key of a frame has by default
// it is written with every commit that changes it
constexpr size_t kMaxStateBytes = 4 << 20;
// a peer's value is held whole; also of a record
constexpr size_t kMaxBlobBytes = 64 << 20;
// committed and not yet synced; beyond it commit() syncs by itself
constexpr size_t kMaxQueuedBytes = 4 << 20;
// of one session: number and sequence share 63 bits
constexpr uint64_t kMaxRecords = (1ull << 40) - 1;
constexpr uint64_t kMaxSessions = (1ull << 23) - 1;  // of one store
// of all a store's filters of mids; of one session a 32nd: 500,000 mids without loss
constexpr size_t kMaxFilterBytes = 32 << 20;
// mids of a session that are looked for one by one, before they go to its index: 2 KiB
constexpr size_t kMidTail = 256;
// Of the streams that one receiver puts in order. A peer's total is never allocated from.
// whose cid is remembered, so that what comes after their end is told apart
constexpr uint32_t kMaxClosedStreams = 1024;

// that wait for their answer: a peer that never answers
constexpr uint32_t kMaxRequests = 4096;
// of the names whose values a log leaves out: each is compared with every key
constexpr uint32_t kMaxRedactedBytes = 4096;
// Of one session's context, whatever its tokens are: beyond it all that can close does.
constexpr size_t kMaxContextBytes = 1 << 20;
// of lines that stand above in it already, and come back when those go
constexpr size_t kMaxHiddenBytes = 256 << 10;
// of one message's fields, as it is looked at: a path before each text is 64 bytes and more
constexpr size_t kMaxWrittenBytes = 1 << 20;
constexpr uint32_t kMaxFacts = 48;  // of one message

}  // namespace accp
