// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The agents that the host speaks as, the agents whose messages are untrusted, and the peer that a
// frame or a message came from.
//
// When the session sends a frame under an agent's name, that agent becomes the host's own. The blob
// `agents!` has these names as of the snapshot, each with a NUL after it; the records after the
// snapshot add the others.
#pragma once

#include <algorithm>
#include <iterator>

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

namespace accp::session {

// Few names; a look-up compares each.
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
    // Replaces the names by what text() was. ACCP_ERR_CORRUPT: the last byte is no NUL.
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

// What the host says of agents, for all sessions of an engine.
struct AgentRules {
    explicit AgentRules(Memory &memory) : own(memory), untrusted(memory) {}
    NameSet own;        // the host's: a frame from outside under such a name is refused
    NameSet untrusted;  // their messages are untrusted, whoever delivers them
};

// Names of the roles in a conversation (src/transcript/read.h).
constexpr std::string_view kRoleNames[] = {"system",    "developer", "user",
                                           "assistant", "tool",      "function"};

// The peer that a frame or a message came from, as the host identified it.
struct Peer {
    static constexpr std::string_view kAnybody = "*";

    std::string_view agents =
        kAnybody;            // the agents it may speak as, separated by commas; "*": any
    bool untrusted = false;  // its messages are untrusted

    // Returns E5001 with the reason if the peer may not speak as this agent. An untrusted peer may
    // use the name of a role only if the host lists it.
    Status check(std::string_view agent) const {
        if (lists(agent)) return {};
        if (!lists(kAnybody))
            return fail(ACCP_E5001, 0, "its agent is none that the host lets this peer speak as");
        if (untrusted &&
            std::find(std::begin(kRoleNames), std::end(kRoleNames), agent) != std::end(kRoleNames))
            return fail(ACCP_E5001, 0,
                        "its agent has the name of a role, which an untrusted peer has only if the "
                        "host lists it among the peer's agents: use a name of your own");
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

}  // namespace accp::session
