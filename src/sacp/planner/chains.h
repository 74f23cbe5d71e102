// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which verbs make what other verbs need: the cheapest way to every name, by inputs and outputs of
// the library.
#pragma once

#include "sacp/library/library.h"

namespace accp::plan {

constexpr uint32_t kNoWay = UINT32_MAX;

// How a verb makes a name: its output is it, or has a member of this name.
struct Producer {
    uint32_t verb = kNoWay;  // its place in Library::verbs()
    bool member = false;
};

class Chains {
public:
    explicit Chains(Memory &memory) : producers_(memory), costs_(memory), makes_(memory) {}

    // Reads what all verbs make that some tool supports.
    void begin(const Library &library);
    // `has(name)` says what is there without a step. Linear in the library for each link of the
    // longest chain.
    template <class Has>
    void find(const Library &library, Has has) {
        forget();
        for (NameId name = 1; name < library.name_count(); ++name)
            if (has(name)) costs_[name] = 0;
        find_costs(library);
    }

    // How many steps a name costs; 0: it is there; kNoWay: nothing makes it.
    uint32_t cost(NameId name) const { return costs_[name]; }
    // What makes it, where it costs something.
    Producer producer(NameId name) const { return producers_[name]; }
    // Does a verb, by its place, make a name, and is that a member of what it makes?
    bool makes(uint32_t verb, NameId name, bool &member) const;
    // Calls `use` with each name that a verb makes.
    template <class Use>
    void each_made(uint32_t verb, Use use) const {
        for (const Make &make : makes_)
            if (make.verb == verb) use(make.name);
    }

private:
    struct Make {
        NameId name;
        uint32_t verb;
        bool member;
    };
    void forget();
    void add_make(const Library &library, std::string_view name, uint32_t verb, bool member);
    void find_costs(const Library &library);

    Buffer<Producer> producers_;  // for each name
    Buffer<uint32_t> costs_;
    Buffer<Make> makes_;
};

// The first tool that supports a verb; 0: none does.
NameId tool_for(const Library &library, NameId verb);

}  // namespace accp::plan
