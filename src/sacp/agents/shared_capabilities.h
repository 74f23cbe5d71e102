// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry of agents that several processes share through a store. Every change is one line of
// JSON in the log of a session. Each process applies all records in the order of the log, so all
// have the same registry.
//
//   {"register":ENTRY}                        an entry or a publication
//   {"deregister":NAME}
//   {"renew":NAME,"lease_until":SECONDS}
//   {"outcome":NAME,"success":BOOLEAN}
//
// A change has no effect if it no longer applies, for example because its agent was removed in
// between. The log is durable before the call that wrote it returns.
//
// A long log is compacted: a snapshot of the registry goes to a new session, and the last record of
// the old log names it.
//
//   {"moved":SESSION,"records":COUNT}         the last record: COUNT records of SESSION replace all
//                                             records before this one
//   {"snapshot":COUNT}                        the first record of SESSION; entries follow, and:
//   {"outcomes":NAME,"good":COUNT,"all":COUNT}
//
// A writer has always read the whole log, so no record follows a "moved" record.
//
// The first log is the session "accp.capabilities". After a compaction it is
// "accp.capabilities.GENERATION.RANDOM". The state of the session "accp.capabilities.log", the
// head, names the current one; older ones are erased.
#pragma once

#include "sacp/agents/capabilities.h"
#include "store/store.h"

namespace accp::sacp {

constexpr std::string_view kCapabilitiesSession = "accp.capabilities";
constexpr std::string_view kCapabilitiesHead = "accp.capabilities.log";

// Finds and switches the session that holds the log.
class CapabilityLogDirectory {
public:
    // `store` may be nullptr; then no other member may be called.
    CapabilityLogDirectory(store::Store *store, Memory &memory)
        : store_(store), batch_(memory), text_(memory), names_(memory) {}

    // Stores the name of the current session according to the head. A "moved" record in it can
    // already name a newer one.
    Status find_current(Buffer<char> &name);
    // Makes a unique name for the session after `before`.
    void make_name(std::string_view before, Buffer<char> &name);
    // Sets the head to this session unless it already names a newer one.
    Status set_current(std::string_view name);
    // Erases all sessions up to the generation of `name`, except `name`. Only the process that
    // wrote the "moved" record of the previous log may call this, because only it can make one of
    // these generations current.
    Status erase_older(std::string_view name);

    static uint64_t generation_of(std::string_view name);

private:
    Status set_current_once(std::string_view name);

    store::Store *store_;
    store::StoreBatch batch_;
    Buffer<char> text_, names_;
};

class SharedCapabilities {
public:
    // Without a store (nullptr) the registry is only in memory.
    SharedCapabilities(store::Store *store, Memory &memory);

    // Applies all records since the last call. Call it before each query.
    Status refresh();
    Capabilities &agents() { return agents_; }
    const Capabilities &agents() const { return agents_; }

    // A refused change returns ACCP_OK and changes nothing: the reason is in `verdict`; for an
    // unknown agent `known` is false. If a call fails with ACCP_ERR_NOMEM after its change became
    // durable, the next refresh() applies the change.
    Status add(value::TreeView tree, uint32_t entry, Verdict &verdict);
    // Adds each element of an array in few commits and stops at the first refused one. number_out
    // is the index of that element, or of the first one that was not written; all before it are
    // registered.
    Status load(value::TreeView tree, uint32_t array, Verdict &verdict, uint32_t &number_out);
    Status remove(std::string_view name, bool &known);
    Status renew(std::string_view name, double lease_until, double now, bool &known);
    Status note_outcome(std::string_view name, bool success, bool &known);
    Status sweep(double now, uint64_t &swept);

    // The step after which compact() stops, for tests that simulate the death of the process.
    enum class CompactionStep : uint8_t { kCopied, kMoved, kPointed, kAll };
    // Replaces the log by a snapshot. Other processes continue meanwhile, and no record is lost if
    // the process dies. Writers call it once the log is much longer than the registry.
    Status compact(CompactionStep last_step = CompactionStep::kAll);
    // The number of records of the log, and how many of them are the snapshot.
    uint64_t record_count() const { return next_ - 1; }
    uint64_t snapshot_count() const { return snapshot_records_; }

private:
    Status commit_batch();
    Status commit_batch_once();
    Status read_log(bool &moved_on);
    Status restart(bool &moved_on);
    Status parse_record(std::string_view record);
    void apply(bool &moved_on);
    void begin_record(std::string_view change, std::string_view name);
    void append_register_record(value::TreeView tree, uint32_t entry);
    Status compact_once(CompactionStep last_step);
    Status write_snapshot(std::string_view to, uint64_t &count);
    bool needs_compaction() const;

    store::Store *store_;
    Memory &memory_;
    Capabilities agents_;
    CapabilityLogDirectory directory_;
    Verdict verdict_;  // for applied records
    store::StoreBatch batch_;
    Buffer<char> record_, log_name_;  // log_name_: the current session
    store::StoreRecords records_;
    value::JsonReader reader_;
    value::Value value_;
    uint64_t next_ = 1;              // the first record that is not applied yet
    uint64_t snapshot_records_ = 0;  // the records of the snapshot at its start
};

}  // namespace accp::sacp
