// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where in a store the log of a registry of agents lies. It begins as the session
// "accp.capabilities". When it is written anew it goes on in another session,
// "accp.capabilities.GENERATION.RANDOM"; the state of the session "accp.capabilities.log" names the
// one that counts, and the older ones are taken out.
//
// A registry of agents, and where a store is given all that changes it: a session of the store
// whose log has a line of JSON for each change. Whoever has the registry open, in any process,
// applies all of them in the order of the log, and so all have the same one.
//
//   {"register":ENTRY}                        an entry or a publication
//   {"deregister":NAME}
//   {"renew":NAME,"lease_until":SECONDS}
//   {"outcome":NAME,"success":BOOLEAN}
//
// A change that no longer makes sense when it is applied (its agent was taken out in between) is
// none. A log is durable before the call that wrote to it answers.
//
// A log that has grown is written anew: the registry as it stands goes into another session
// (capability_logs.h), and the last record of the old one says where it goes on.
//
//   {"moved":SESSION,"records":COUNT}         the last record: COUNT records there say what all
//                                             before this one did
//   {"snapshot":COUNT}                        the first record there; entries and these refresh:
//   {"outcomes":NAME,"good":COUNT,"all":COUNT}
//
// Whoever writes to a log has parse_record all of it, so nobody writes after a last record.
#pragma once

#include "sacp/agents/capabilities.h"
#include "store/shared_session.h"

namespace accp::sacp {

constexpr std::string_view kCapabilitiesSession = "accp.capabilities";
constexpr std::string_view kCapabilitiesHead = "accp.capabilities.log";

class CapabilityLogDirectory {
public:
    // store: nullptr: nothing is asked of it.
    CapabilityLogDirectory(store::Store *store, Memory &memory)
        : store_(store), batch_(memory), text_(memory), names_(memory) {}

    // The session that counts, as far as the head knows: it may have been moved_on by a record that
    // names the next one.
    Status find_current(Buffer<char> &name);
    // A name for the session after this one, which nobody else makes.
    void make_name(std::string_view before, Buffer<char> &name);
    // Lets the head name this session, unless it names a later one.
    Status set_current(std::string_view name);
    // Takes out all sessions up to the generation of this one, but for itself. To be called by
    // whoever moved_on the one before it: nobody else can make one of these generations count.
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
    // store: nullptr: the registry is in memory alone.
    SharedCapabilities(store::Store *store, Memory &memory);

    // Applies what was written since the last call. To be called before the registry is asked.
    Status refresh();
    Capabilities &agents() { return agents_; }
    const Capabilities &agents() const { return agents_; }

    // What is refused, or about nobody, changes nothing and is ACCP_OK: `verdict` says it, `known`
    // is false. Of a failure after the change became durable (ACCP_ERR_NOMEM) the next refresh()
    // makes up.
    Status add(value::TreeView tree, uint32_t entry, Verdict &verdict);
    // Each element of an array, in few commits; stops at one that is refused. number_out: that one,
    // or the first that was not written; those before it are registered.
    Status load(value::TreeView tree, uint32_t array, Verdict &verdict, uint32_t &number_out);
    Status remove(std::string_view name, bool &known);
    Status renew(std::string_view name, double lease_until, double now, bool &known);
    Status note_outcome(std::string_view name, bool success, bool &known);
    Status sweep(double now, uint64_t &swept);

    // Where compact() stops: for tests, as a death of the process would.
    enum class CompactionStep : uint8_t { kCopied, kMoved, kPointed, kAll };
    // Writes the log anew. All else goes on meanwhile, in every process; a death at any point loses
    // nothing. Called by whoever writes once most records of a log are of the past.
    Status compact(CompactionStep last_step = CompactionStep::kAll);
    // The records of the log, and of them those that it began with.
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
    Verdict verdict_;  // of what is applied
    store::StoreBatch batch_;
    Buffer<char> record_, log_name_;  // the session that is followed
    store::StoreRecords records_;
    value::JsonReader reader_;
    value::Value value_;
    uint64_t next_ = 1;              // of the log, not applied yet
    uint64_t snapshot_records_ = 0;  // so many records it began with that an older log had
};

}  // namespace accp::sacp
