// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rules of a session (of an engine's config), the host's hooks, and the agents and peers of a
// session.
#pragma once

#include <algorithm>
#include <iterator>

#include "accp/hooks.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "codec/hooks.h"
#include "context/context.h"
#include "delivery/inbox.h"

namespace accp::session {

// The agents of the host, the untrusted agents, and the peer that sent a frame or a message.
//
// When the session sends a frame under an agent's name, that agent belongs to the host from then
// on. The blob `agents!` has these names as of the snapshot, each with a NUL after it; the records
// after the snapshot add the others.

// A short list of names, searched by comparison.
class NameSet {
public:
    explicit NameSet(Memory &memory) : text_(memory) {}

    bool has(std::string_view name) const { return has_name(text(), name); }
    std::string_view text() const { return text_.view(); }
    void add(std::string_view name) {
        if (has(name)) return;
        text_.reserve_exact(text_.size() + name.size() + 1);
        text_.append(name);
        text_.push('\0');
    }
    void remove(std::string_view name) {
        for (size_t at = 0; at < text_.size();) {
            const std::string_view entry(text_.data() + at);
            if (entry != name) {
                at += entry.size() + 1;
                continue;
            }
            std::copy(text_.begin() + at + entry.size() + 1, text_.end(), text_.begin() + at);
            return text_.resize_down(text_.size() - entry.size() - 1);
        }
    }
    void clear() { text_.clear(); }
    // Restores what text() returned. ACCP_ERR_CORRUPT: the last byte is not NUL.
    Status restore(std::string_view text) {
        if (!text.empty() && text.back() != '\0')
            return fail(ACCP_ERR_CORRUPT, 0, "the session's list of own agents is damaged");
        text_.clear();
        text_.reserve_exact(text.size());
        text_.append(text);
        return {};
    }

private:
    Buffer<char> text_;
};

// The agents that the host has listed, for all sessions of an engine.
struct AgentRules {
    explicit AgentRules(Memory &memory) : own(memory), untrusted(memory) {}
    NameSet own;        // agents of the host: a received frame under such a name is refused
    NameSet untrusted;  // their messages are untrusted, whichever peer sends them
};

// Names of the roles in a conversation (src/transcript/read.h).
constexpr std::string_view kRoleNames[] = {"system",    "developer", "user",
                                           "assistant", "tool",      "function"};

// The peer that a frame or a message came from, as the host identified it.
struct Peer {
    static constexpr std::string_view kAnybody = "*";

    std::string_view agents =
        kAnybody;            // the agents whose names it may use, separated by commas; "*": any
    bool untrusted = false;  // its messages are untrusted

    // Returns E5001 with the reason if the peer may not speak as this agent. An untrusted peer may
    // use the name of a role only if the host lists it.
    Status check(std::string_view agent) const {
        if (lists(agent)) return {};
        if (!lists(kAnybody))
            return fail(ACCP_E5001, 0, "the host does not allow this peer to send as this agent");
        if (untrusted &&
            std::find(std::begin(kRoleNames), std::end(kRoleNames), agent) != std::end(kRoleNames))
            return fail(ACCP_E5001, 0,
                        "its agent has the name of a role: an untrusted peer must use another "
                        "name, unless the host lists this one among the peer's agents");
        return {};
    }

private:
    bool lists(std::string_view agent) const {
        for (std::string_view left = agents; !left.empty();) {
            const std::string_view name = left.substr(0, left.find(','));
            if (name == agent) return true;
            left.remove_prefix(name.size() < left.size() ? name.size() + 1 : left.size());
        }
        return false;
    }
};

// A store of the host for the values of the cold tier (specification 5.1, 7.1: IExternalStore). A
// value is stored there under the SHA-256 of its text before anything refers to it. The session's
// own store then has a stub with that hash. Existence, expiry and grants are therefore decided in
// one place, a failed put leaves only an unused text, and a value that is read back can be
// verified.
class ColdStore {
public:
    // Stores `text` durably. The same text is stored under the same key, perhaps repeatedly.
    virtual Status put(std::string_view key, std::string_view text) = 0;
    // Reads a stored text: a view until the next call. ACCP_E2001: not found.
    virtual Status get(std::string_view key, std::string_view &text) = 0;

protected:
    ~ColdStore() = default;
};

struct SessionRules {
    delivery::InboxRules inbox;
    context::ContextOptions context;
    uint64_t max_tokens = kMaxFrameTokens;  // of a sent frame; 0: no limit
    // of mids, if several senders share the session (accp_mid_format)
    uint32_t issuer = 0;
    bool shares_store = false;   // the peer resolves refs: long values go to the store
    bool parts = false;          // both sides accept messages in parts
    bool refuses_parts = false;  // the host or an agreement has forbidden parts
    // both sides support m1: changes of the shared state contain only changed cells
    bool merges = false;
    bool names_session = false;  // frames carry the sid
    // a session keeps the registry that it was last written under
    bool pins_registry = false;
    bool waits_for_agreement =
        false;  // no frame may be sent or received until a registry is agreed
    // time for the answer to a request; 0: no limit
    uint64_t deadline_ms = 0;
    // changes are durable when a call returns; otherwise after sync()
    bool durable = true;
    // resolves refs of received frames in the peer's session
    codec::RefResolver *peer_resolver = nullptr;
    // stores the values of the cold tier; nullptr: the session's store
    ColdStore *cold_store = nullptr;
    // checks of a message when it is received or sent, but not when it is read again
    codec::CodecHooks codec_hooks;

    Status check_agreed() const {
        return waits_for_agreement
                   ? fail(ACCP_E1003, 0,
                          "rule require_registry is set, but no registry was negotiated: negotiate "
                          "one, and set the agreement in the config")
                   : Status{};
    }
};

// The hooks of the host for every session of an engine; see include/accp/hooks.h.
struct SessionHooks {
    accp_summarise_function summarise = nullptr;
    accp_log_function log = nullptr;
    void *user = nullptr;
    const AgentRules *agents = nullptr;

    bool is_untrusted(std::string_view agent) const {
        return agents && agents->untrusted.has(agent);
    }
};

}  // namespace accp::session
