// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One side of a negotiation, for tests: frames in and out as text.
#pragma once

#include <string>
#include <vector>

#include "frame/parse.h"
#include "registry/negotiation.h"
#include "unit.h"

namespace accp_unit {

inline accp::registry::RegistryRef shared_registry(std::string_view text, uint32_t profiles) {
    accp::registry::RegistryRef out;
    if (accp::registry::make_registry(accp::Settings(), profiles, text, out).failed())
        out = accp::registry::RegistryRef();
    return out;
}

class Peer : Room {
public:
    Peer(const accp::registry::RegistryRef &own, const char *agent, uint32_t extensions)
        : own_(own) {
        it.start(own, agent, extensions);
    }

    // "OK", or the code, also of a text that is not a frame.
    std::string take(const std::string &text) {
        accp::Buffer<accp::value::Node> nodes(memory);
        accp::Status status = parser_.parse(text.data(), text.size(), nodes);
        if (status.ok()) status = it.receive({nodes.data(), text.data()});
        return status.ok() ? "OK" : "E" + std::to_string(status.code);
    }
    std::vector<std::string> say() {
        std::vector<std::string> frames;
        for (;;) {
            accp::Buffer<char> out(memory);
            if (!it.next(out)) return frames;
            frames.push_back(text_of(out));
        }
    }
    const accp::registry::RegistryRef &own() const { return own_; }

private:
    accp::Settings settings_;
    accp::registry::RegistryRef own_;

public:
    accp::registry::Negotiation it{memory, settings_};

private:
    accp::frame::Parser parser_{memory, settings_};
};

// The valid results of two sides: neither misreads the frames of the other.
inline bool is_sound(const accp::registry::Negotiation &a, const accp::registry::Negotiation &b) {
    using State = accp::registry::Negotiation::State;
    if (a.state() == State::kAgreed && b.state() == State::kAgreed)
        return a.extensions() == b.extensions() &&
               a.agreed()->canonical() == b.agreed()->canonical();
    if (a.state() == State::kBare && b.state() == State::kBare)
        return a.extensions() == b.extensions();
    return !(a.state() == State::kAgreed && b.state() == State::kBare) &&
           !(a.state() == State::kBare && b.state() == State::kAgreed);
}

}  // namespace accp_unit
