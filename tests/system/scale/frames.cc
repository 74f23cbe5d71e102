// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/frames.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "scale/library.h"

namespace scale {

// Omits chunks of streams, deltas and refs, because a new session does not have what they refer to.
Frames::Frames() {
    std::ifstream file(ACCP_SOURCE_DIR "/data/corpus/frames.txt");
    Engine engine(nullptr, nullptr);
    const Handle<accp_session> session = engine.open("s");
    for (std::string line; std::getline(file, line);) {
        const size_t begin = line.find('>'), end = line.rfind('[');
        const std::string_view intent = std::string_view(line).substr(begin + 1, 4);
        const bool is_plain = intent == "req:" || intent == "done" || intent == "fail";
        if (begin == line.npos || end == line.npos || !is_plain || line.find('$') != line.npos)
            continue;
        bodies_.push_back(line.substr(begin, end - begin));
        const std::string tried = text(bodies_.size() - 1, 0, bodies_.size(), 0);
        accp_error err = {};
        if (accp_session_receive(session.get(), tried.data(), tried.size(), kEpochMs, nullptr,
                                 &err) != ACCP_OK)
            bodies_.pop_back();
        drain(session.get());
    }
    if (bodies_.size() < 100) throw std::runtime_error("data/corpus has no frames to say");
}

std::string Frames::text(uint64_t number, unsigned agent, uint64_t seq, Nanos said) const {
    char envelope[96];
    std::snprintf(envelope, sizeof envelope, "[mid:a%011llx,seq:%llu,ts:%lld]",
                  static_cast<unsigned long long>(number), static_cast<unsigned long long>(seq),
                  static_cast<long long>(clock_ms(said, 0) / 1000));
    return "@agent_" + std::to_string(agent) + bodies_[mix(number) % bodies_.size()] + envelope;
}

uint64_t Frames::number_of(std::string_view text) {
    constexpr std::string_view kBegin = "[mid:a";
    const size_t at = text.rfind(kBegin);
    if (at == text.npos || text.size() < at + kBegin.size() + 11) return UINT64_MAX;
    return std::stoull(std::string(text.substr(at + kBegin.size(), 11)), nullptr, 16);
}

std::string session_name(uint64_t number) {
    char name[32];
    std::snprintf(name, sizeof name, "s%07llu", static_cast<unsigned long long>(number));
    return name;
}

}  // namespace scale
