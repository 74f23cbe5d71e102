// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Opens the store, the engine and the session that the arguments name.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

struct Rule {
    int32_t number;
    int64_t value;
};
// Sets the rule of the text NAME=N. Throws Failure.
Rule set_rule(accp_config *config, const std::string &text);

class SessionStore {
public:
    // Opens the store of --store; `existing`: fails if it does not exist. If `export_text` is not
    // empty, imports it into a new store in memory instead. Throws Failure.
    SessionStore(const Arguments &arguments, bool existing, const std::string &export_text = {});
    accp_store *get() const { return store_.get(); }
    // Appends the ids of all sessions.
    accp_status append_ids(std::vector<std::string> &ids, accp_error &err) const;
    // Returns ACCP_OK if everything that the store accepted is durable.
    accp_status close(accp_error &err) { return accp_store_close(store_.release(), &err); }

private:
    Handle<accp_config> config_;
    Handle<accp_store> store_;
};

// The engine never waits for the disk: its user calls accp_session_sync().
class SessionEngine {
public:
    // `existing`, `export_text`: as for SessionStore.
    // `agreement`: apply what the session of the arguments has negotiated.
    // `own_agents`: comma-separated names that no other agent may use.
    // Throws Failure.
    SessionEngine(const Arguments &arguments, bool existing, const std::string &export_text,
                  bool agreement, const std::string &own_agents = {});

    accp_engine *get() const { return engine_.get(); }
    SessionStore &store() { return store_; }
    const accp_registry *registry() const { return registry_.get(); }
    const accp_tokenizer *tokenizer() const { return tokenizer_.get(); }
    // The value of the rule durable: output waits until the change that it reports is durable.
    bool is_durable() const { return is_durable_; }

private:
    Handle<accp_config> config_;
    SessionStore store_;
    Handle<accp_registry> registry_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_engine> engine_;
    bool is_durable_ = true;
};

class CommandSession {
public:
    // Opens the session of --session. `read_only`: the store and the session must exist, and a
    // process that writes the session keeps it. If `export_text` is not empty, the session is read
    // from that export and not from --store. Throws Failure.
    explicit CommandSession(const Arguments &arguments, bool read_only = false,
                            const std::string &export_text = {});

    // Throws Failure after make_durable() had to close the store.
    accp_session *get() const;
    // Milliseconds since the epoch, from --now or the clock.
    int64_t now() const;

    // Call this before you print the result of a change. Returns ACCP_OK when the change is
    // durable, and ACCP_ERR_CLOSED or ACCP_ERR_CORRUPT if it is lost. If the store cannot be
    // written, retries for a second and then closes the store, which writes once more. If that
    // succeeds, get() throws from then on. If it fails, throws a Failure that names what is
    // lost. With the rule durable=0 only finish() writes.
    accp_status make_durable(const Streams &io, accp_error &err);
    // Call this after the last record, with any value of the rule durable. Throws Failure.
    void finish(const Streams &io);

private:
    void attach_project();
    accp_status sync_or_close(const Streams &io, accp_error &err);

    const Arguments &arguments_;
    SessionEngine engine_;
    Handle<accp_session> session_;
    bool is_closed_ = false;  // by sync_or_close(), without loss
};

// A member of $ctx.negotiation as JSON; empty if the session has none. `accp session negotiate`
// stores there the negotiation's state, the agreement, the frames received and the number sent.
std::string stored_negotiation(accp_session *session, const char *member);

// Prints messages as compact JSON, without the members that --ignore names.
class MessageReader {
public:
    explicit MessageReader(const Arguments &arguments);

    accp_status read(std::string_view line, std::string &compact, accp_error &err);
    // True if the last line is a request with arguments: a model called for it.
    bool is_call() const { return is_call_; }
    // The time of the last message by its meta.ts, in milliseconds since the epoch, or 0. A number
    // below 10^11 is seconds.
    int64_t time_ms() const { return time_ms_; }

private:
    void read_time(uint32_t meta);

    std::vector<std::string> ignored_;
    Handle<accp_config> config_;
    Handle<accp_value> value_;
    bool is_call_ = false;
    int64_t time_ms_ = 0;
};

// Converts the transcript of --from into messages, one per element. Throws Failure.
std::vector<std::string> messages_of_transcript(const Arguments &arguments);

}  // namespace cli
