// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What every action of `accp session` needs: a store, an engine by the arguments, a session, the
// clock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

struct Rule {
    int32_t number;
    int64_t value;
};
// Sets a rule by its name: NAME=N. Throws Failure.
Rule set_rule(accp_config *config, const std::string &text);

// The store of --store; `existing`: it must be there.
class SessionStore {
public:
    // `lines`: an export, which is then in a store of its own, in memory.
    SessionStore(const Arguments &arguments, bool existing, const std::string &lines = {});
    accp_store *get() const { return store_.get(); }
    // Closes it, at once: whether all that it took is durable.
    accp_status close(accp_error &err) { return accp_store_close(store_.release(), &err); }

private:
    Handle<accp_config> config_;
    Handle<accp_store> store_;
};

// The store, and an engine by the arguments, which waits for no write of the device: whoever uses
// it syncs.
class SessionEngine {
public:
    // `reads`: the store must exist. Throws Failure.
    // `lines`: as for SessionStore.
    // `agreement`: applies what the session of the arguments has negotiated.
    // `own_agents`: names of this program, separated by commas. No other agent may use them.
    SessionEngine(const Arguments &arguments, bool reads, const std::string &lines, bool agreement,
                  const std::string &own_agents = {});

    accp_engine *get() const { return engine_.get(); }
    SessionStore &store() { return store_; }
    const accp_registry *registry() const { return registry_.get(); }
    const accp_tokenizer *tokenizer() const { return tokenizer_.get(); }
    // Does the rule durable say that an answer waits until what it tells is durable?
    bool waits() const { return waits_; }

private:
    Handle<accp_config> config_;
    SessionStore store_;
    Handle<accp_registry> registry_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_engine> engine_;
    bool waits_ = true;
};

class SessionTools {
public:
    // Opens the store and the session that were asked for; `reads`: both must be there, and who has
    // the session open keeps it. Throws Failure.
    // `lines`: the session is in this export, and not in a store.
    explicit SessionTools(const Arguments &arguments, bool reads = false,
                          const std::string &lines = {});

    // Throws Failure where the run has to end: see keep().
    accp_session *session() const;
    // Milliseconds since the epoch: of --now, else of the clock.
    int64_t now() const;

    // To be called before anything is said of what a call changed: returns ACCP_OK once that is
    // durable, and ACCP_ERR_CLOSED or ACCP_ERR_CORRUPT where it is lost. A store that cannot be
    // written is tried for a second, and once more as it closes. Where that works, session() throws
    // from then on; where it does not, this throws a Failure that says what is not kept. The rule
    // durable=0 leaves it to finish().
    accp_status keep(const Streams &io, accp_error &err);
    // The end of a run over records, under any rule.
    void finish(const Streams &io);

private:
    void tell_project();
    accp_status keep_now(const Streams &io, accp_error &err);

    const Arguments &arguments_;
    SessionEngine engine_;
    Handle<accp_session> session_;
    bool closed_ = false;  // the store took its last as it was closed
};

// A message as compact JSON without the members that --ignore names; and the texts in its payload.
class MessageReader {
public:
    explicit MessageReader(const Arguments &arguments);

    accp_status read(std::string_view line, std::string &compact, accp_error &err);
    // Of the message that was read last: is it a request with arguments, an agent's own act?
    bool is_act() const { return is_act_; }
    const std::vector<std::string_view> &texts() const { return texts_; }

private:
    std::vector<std::string> ignored_;
    Handle<accp_config> config_;
    Handle<accp_value> value_;
    std::vector<std::string_view> texts_;
    bool is_act_ = false;
};

// Of append and replay with --from: what others have as messages of ours, a line each. Throws
// Failure.
std::vector<std::string> messages_of_transcript(const Arguments &arguments);

// accp session replay.
int replay_session(const Arguments &arguments, Streams &io);

}  // namespace cli
