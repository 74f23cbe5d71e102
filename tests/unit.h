// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared by the tests of internals: memory, text with space after it, and a source of uniform,
// repeatable random numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/memory.h"
#include "value/json_writer.h"

namespace accp_unit {

// Memory without an end, and an arena over it.
struct Room {
    accp::Memory memory{accp::private_allocator(), UINT64_MAX};
    accp::Arena arena{memory};
};

// A text with exactly a Buffer's slack after it, as the inner functions want it.
class Padded {
public:
    explicit Padded(std::string_view text)
        : memory_(new char[text.size() + accp::Buffer<char>::kSlack]), size_(text.size()) {
        if (size_) std::memcpy(memory_.get(), text.data(), size_);
        std::memset(memory_.get() + size_, '"', accp::Buffer<char>::kSlack);
    }
    std::string_view view() const { return {memory_.get(), size_}; }

private:
    std::unique_ptr<char[]> memory_;
    size_t size_;
};

inline std::string text_of(const accp::Buffer<char> &buffer) {
    return {buffer.data() ? buffer.data() : "", buffer.size()};
}

// Returns the whole tree as JSON.
inline std::string json_of(accp::Memory &memory, accp::value::TreeView tree) {
    accp::Buffer<char> out(memory);
    accp::value::write_json(tree, 0, out);
    return text_of(out);
}

// SplitMix64.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    size_t below(size_t bound) { return next() % bound; }
    std::string text(std::string_view alphabet, size_t len) {
        std::string made;
        for (size_t i = 0; i < len; ++i) made += alphabet[below(alphabet.size())];
        return made;
    }

private:
    uint64_t state_;
};

// Calls `use` with every text over `alphabet` of up to `max` characters.
template <class Use>
void each_text(std::string_view alphabet, size_t max, Use use) {
    std::string text;
    auto extend = [&](auto &self) -> void {
        use(text);
        if (text.size() == max) return;
        for (char c : alphabet) {
            text.push_back(c);
            self(self);
            text.pop_back();
        }
    };
    extend(extend);
}

}  // namespace accp_unit
