// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The limits of the library, each with the attack or the cost behind it. Data over a limit is
// refused; nothing is ever truncated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accp/config.h"

namespace accp {

// Limits that the caller can set (accp_config_set_limit), in the order of enum accp_limit.
struct LimitRule {
    const char *name;
    uint64_t standard;
    uint64_t min;
    uint64_t max;
};

// Offsets have 32 bits, and a text must stay below them even if every byte is escaped.
constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxStreamBytes = 16 << 20;
constexpr uint32_t kMaxChunksAhead = 1024;
constexpr uint32_t kMaxOpenStreams = 256;

constexpr LimitRule kLimits[] = {
    // decision A18: a frame is a message, not a file; bounds the work for one line
    {"frame_bytes", 64 << 10, 16, kMaxTextBytes},
    // decision A18: keeps duplicate checks cheap and tables readable
    {"params", 256, 1, 1 << 20},
    // decision A18: bounds what a host allocates for an array from a peer
    {"items", 4096, 1, 1 << 24},
    // decision A18: a node stores the length of a key in 16 bits
    {"key_bytes", 256, 1, 65535},
    // specification 9.5: deep nesting overflows recursive hosts
    {"depth", 5, 1, 64},
    {"json_bytes", 16 << 20, 2, kMaxTextBytes},  // the whole JSON text is kept in memory
    // the JSON parsers of hosts accept this depth without a stack overflow
    {"json_depth", 1024, 1, 1024},
    // memory of one handle, for any input
    {"memory_bytes", uint64_t{1} << 30, 64 << 10, UINT64_MAX},
    // of all streams together: chunks that wait, and assembled texts
    {"stream_bytes", kMaxStreamBytes, 1, kMaxStreamBytes},
    // chunks that wait for an earlier one: each costs a search and an insertion
    {"stream_ahead", kMaxChunksAhead, 1, kMaxChunksAhead},
    // a peer can open streams and never end them
    {"open_streams", kMaxOpenStreams, 1, kMaxOpenStreams},
};
constexpr int kLimitCount = sizeof kLimits / sizeof kLimits[0];

constexpr uint32_t kMaxDepth = 64;        // size of the parser's stack
constexpr uint32_t kMaxJsonDepth = 1024;  // size of the JSON reader's stack
constexpr uint32_t kMaxKeyBytes = 65535;  // accp_node.key_len
// Up to this many keys, duplicates are found by comparison; above it, with a hash set.
constexpr uint32_t kLinearKeys = 16;
// For a number in the hash form: exponents are added in 64 bits.
constexpr int kMaxExponentDigits = 18;

// A person and a model read a context packet, so larger texts are refused. Nobody writes packets
// this deep.
constexpr size_t kMaxPacketBytes = 256 << 10;
constexpr uint32_t kMaxPacketDepth = 32;

constexpr int kDecimalPlaces = 6;          // specification 3.1.1: written by an encoder
constexpr int kDecimalIntegerDigits = 17;  // docs/wire.md 3: with more digits, the = form is used
constexpr size_t kMidBytes = 12;           // specification 3.5
// Pieces whose token count is cached. The cache grows up to this size, which is 1 MiB.
constexpr uint32_t kTokenCache = 65536;
constexpr uint32_t kMaxTokenCache = 1 << 20;  // a larger one no longer fits the processor's caches
// Scratch memory that an idle handle keeps; more is freed.
constexpr size_t kKeptBytes = 1 << 20;
// Limits of one registry. A document over one of these limits is refused as a whole, because a
// registry can come from a peer.
constexpr uint32_t kMaxSchemas = 4096;        // lookups stay in cache, and a listing is readable
constexpr uint32_t kMaxSchemaFields = 256;    // as many as a payload has params by default
constexpr uint32_t kMaxSchemaBindings = 64;   // twelve intents and a few operations
constexpr uint32_t kMaxRegistryNames = 4096;  // custom operations, and aliases for every schema
constexpr size_t kMaxDefaultBytes =
    // JSON of a schema's defaults with their names: decoding a frame can add all of them
    16 << 10;
// For the name of a field and the key of an alias: the default limit for a key.
constexpr size_t kMaxRegistryKeyBytes = 256;
constexpr uint32_t kMaxCodeBytes = 32;  // of the code of a schema
// Of a delta that arrives in chunks. Nothing is allocated from the total that a peer states.
constexpr uint32_t kMaxDeltaChunks = 65536;
constexpr uint64_t kMaxDeltaBytes = 16 << 20;  // of such a delta, assembled
// Limits of the inbox and the chains of one session. They bound the memory, whatever the history
// is.
constexpr uint32_t kReorderWindow = 64;      // decision A25: frames that wait for an earlier frame
constexpr uint64_t kMaxHeldBytes = 1 << 20;  // of the frames that wait
// Guaranteed to each sender, so that one sender cannot block the others.
constexpr uint64_t kMinHeldShare = 16 << 10;
// Charged for each waiting frame in addition to its text.
constexpr uint64_t kHeldCost = 64;
// The frames that wait under one counter have at most this many windows, and this many times
// kMaxHeldBytes. One sender has one window.
constexpr uint64_t kMaxWindows = 4;
// Numbers of one counter that were used ahead of a gap. They are part of each snapshot.
constexpr uint32_t kMaxAhead = 64;
// Largest step of a counter or a version, so that a peer cannot exhaust the range.
constexpr int64_t kMaxJump = 65536;
// Largest number of a frame or a version: the next number still fits in 64 bits.
constexpr int64_t kMaxSeq = INT64_MAX - 1;
// Other senders with a counter of their own (decision A22): a peer can use any number of names.
constexpr uint32_t kMaxSenders = 256;
constexpr uint32_t kMaxOwnSenders = 256;  // our own senders; all senders are part of each snapshot
constexpr uint32_t kMaxSenderBytes = 64;  // of a sender's name
// Of all names that a session sends as: each incoming frame is compared with them.
constexpr size_t kMaxOwnAgentBytes = 16 << 10;
constexpr uint32_t kMaxMidBytes = 64;  // decision A19: of a mid in a session that is not strict
// Of all cancelled chains, remote and local: a peer can cancel chains that never existed.
constexpr uint64_t kMaxChainsCost = 256 << 10;
constexpr uint64_t kChainCost = 192;             // charged for each chain in addition to its name
constexpr size_t kMaxChainBytes = kMaxKeyBytes;  // of the name of a chain
// Of the state that both sides share: without a limit, deltas could double it again and again.
constexpr uint64_t kMaxSharedBytes = 256 << 10;
constexpr size_t kMinHashDigits = 12;  // of the hash of a state from a peer
// Records that are searched for the cause of a frame.
constexpr uint32_t kMaxLookback = 1024;
// Bytes of these records that are read when a chain is cancelled, because large frames are an
// attack.
constexpr size_t kMaxCauseBytes = 4 << 20;
constexpr size_t kScanBytes = 1 << 20;  // of the log, in one read
constexpr uint64_t kSnapshotBytes =
    // A checkpoint writes a snapshot when the log has grown by this much, if half of the last
    // snapshot is not more. Opening a session applies at most that much.
    16 << 10;
constexpr uint32_t kMaxStandingValues = 256;        // hot and warm values that each context shows
constexpr size_t kMaxRefKeyBytes = 200;             // of the key of a ref that is looked up
constexpr uint32_t kMaxRefLabels = 16;              // labels of such a key, which are tried in turn
constexpr uint64_t kMaxFrameTokens = 240;           // specification 3.4: of a frame in a session
constexpr uint64_t kMidCounters = 100'000'000'000;  // decision A53: eleven digits
constexpr uint64_t kIssuerCounters = 1'000'000'000;
constexpr int64_t kGapMs = 5000;        // decision A25
constexpr int64_t kFutureMs = 300'000;  // decision A32
// Times that one step is sent again before a negotiation is given up.
constexpr uint32_t kNegotiationTries = 5;
// Values by reference, and messages in parts.
// Depth of refs that contain refs; this also ends a cycle.
constexpr uint32_t kRefHops = 8;
// Bytes inserted for the refs of one frame, with repeats: ten refs to ten refs each are a bomb.
constexpr uint64_t kExpandBytes = 64 << 10;
// specification 3.3: with the option, a longer string is kept in the state
constexpr uint64_t kInlineCharacters = 50;
// of a delta, in one frame: below the 240 tokens of a session
constexpr uint32_t kChunkBytes = 200;
// Messages with some parts received: a peer can begin any number.
constexpr uint32_t kMaxOpenSequences = 64;
// Parts of one message. Nothing is allocated from the total that a peer states.
constexpr uint32_t kMaxSequenceParts = 1024;
constexpr uint64_t kMaxSequenceBytes = 1 << 20;  // bytes held for all of these messages
// Messages guaranteed to each agent, so that one agent cannot block the others.
constexpr uint32_t kMinOpenShare = 8;
constexpr uint64_t kMinSequenceShare = 64 << 10;  // bytes guaranteed to each agent
// with these guarantees, at most this many times the two limits above
constexpr uint64_t kMaxSequenceShares = 4;
// Charged for each part in addition to its text, so that empty parts cost too.
constexpr uint64_t kPartCost = 128;

// How many tokens a frame and its parts should have at most (specification 3.4). Over the soft
// limit there is a warning; over the hard limit a session acts.
struct TokenLimit {
    uint64_t soft, hard;
};
constexpr TokenLimit kHeaderTokens = {5, 10}, kBodyTokens = {50, 200}, kMetadataTokens = {10, 30},
                     kFrameTokens = {65, 240};
// Limits of a store. A batch over one of these limits is refused as a whole.
constexpr size_t kMaxSessionIdBytes = 256;  // a key of an index
constexpr size_t kMaxBlobKeyBytes = 256;    // the default limit for a key of a frame
// Written with every commit that changes it.
constexpr size_t kMaxStateBytes = 4 << 20;
// Of a value from a peer, which is kept in memory as a whole, and of a record.
constexpr size_t kMaxBlobBytes = 64 << 20;
// Of the hash form of a registry: a session stores it as one blob.
constexpr size_t kMaxRegistryBytes = kMaxBlobBytes;
// Committed and not yet synced; over this, commit() syncs.
constexpr size_t kMaxQueuedBytes = 4 << 20;
// Of one session: number and sequence share 63 bits.
constexpr uint64_t kMaxRecords = (1ull << 40) - 1;
constexpr uint64_t kMaxSessions = (1ull << 23) - 1;  // of one store
// Of all mid filters of a store. One session gets at most 1/32, enough for 500,000
// mids.
constexpr size_t kMaxFilterBytes = 32 << 20;
// Mids of a session that are compared one by one before they move to its index: 2 KiB.
constexpr size_t kMidTail = 256;
// Streams that one receiver puts in order. Nothing is allocated from the total that a peer states.
// Closed streams whose cid is remembered, so that late chunks are recognised.
constexpr uint32_t kMaxClosedStreams = 1024;

// Requests without an answer yet: a peer may never send one.
constexpr uint32_t kMaxRequests = 4096;
// Of the names whose values are left out of a log: each is compared with every key.
constexpr uint32_t kMaxRedactedBytes = 4096;
// Of the context of one session, whatever its token budget is. Over it, everything that can be
// closed is closed.
constexpr size_t kMaxContextBytes = 1 << 20;
// Of lines that are left out because the context has them already; they come back if it loses them.
constexpr size_t kMaxHiddenBytes = 256 << 10;
// Of the fields of one message while it is examined: the path before each text has 64 bytes or
// more.
constexpr size_t kMaxWrittenBytes = 1 << 20;
constexpr uint32_t kMaxFacts = 48;  // of one message

}  // namespace accp
