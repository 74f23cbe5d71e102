// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which verbs make what other verbs need: the cheapest way to every name, by inputs and outputs of
// the library.
//
// Makes a plan whole: params that are missing come from the context or from steps that are put
// before, by the inputs and outputs of the library, in the shortest chain; and steps that do not
// need each other may go side by side. It asks where it would have to guess.
#pragma once

#include "sacp/library/library.h"
#include "sacp/message/spelling.h"

namespace accp::sacp {

constexpr uint32_t kUnreachable = UINT32_MAX;

// How a verb makes a name: its output is it, or has a member of this name.
struct Producer {
    uint32_t verb = kUnreachable;  // its place in Library::verbs()
    bool member = false;
};

class Chains {
public:
    explicit Chains(Memory &memory) : producers_(memory), costs_(memory), productions_(memory) {}

    // Reads what all verbs make that some tool supports.
    void load(const Library &library);
    // `has(name)` says what is there without a step. Linear in the library for each link of the
    // longest chain.
    template <class Has>
    void find(const Library &library, Has has) {
        reset();
        for (NameId name = 1; name < library.name_count(); ++name)
            if (has(name)) costs_[name] = 0;
        find_costs(library);
    }

    // How many steps a name costs; 0: it is there; kUnreachable: nothing makes it.
    uint32_t cost(NameId name) const { return costs_[name]; }
    // What makes it, where it costs something.
    Producer producer(NameId name) const { return producers_[name]; }
    // Does a verb, by its place, make a name, and is that a member of what it makes?
    bool makes(uint32_t verb, NameId name, bool &member) const;
    // Calls `use` with each name that a verb makes.
    template <class Use>
    void each_output(uint32_t verb, Use use) const {
        for (const Production &make : productions_)
            if (make.verb == verb) use(make.name);
    }

private:
    struct Production {
        NameId name;
        uint32_t verb;
        bool member;
    };
    void reset();
    void add_production(const Library &library, std::string_view name, uint32_t verb, bool member);
    void find_costs(const Library &library);

    Buffer<Producer> producers_;  // for each name
    Buffer<uint32_t> costs_;
    Buffer<Production> productions_;
};

// The first tool that supports a verb; 0: none does.
NameId tool_for(const Library &library, NameId verb);

class Planner {
public:
    explicit Planner(Memory &memory);

    // Appends the message with full contains_name, reply_to the msg_id that it had, and no msg_id.
    // False, with a verdict, and nothing appended: it has a fault. The verdict may also say what is
    // still missing. `parallelize`: put steps side by side that do not need each other.
    bool plan(std::string_view message, const Library &library, bool parallelize,
              uint64_t max_bytes, Buffer<char> &out, Verdict &verdict);

private:
    static constexpr uint32_t kFromCtx = UINT32_MAX;  // where a value comes from: the context
    static constexpr uint32_t kNoSource = kFromCtx - 1;
    static constexpr uint32_t kMaxChain = 32;  // steps for one name: what is longer is no plan

    static constexpr uint32_t kMaxPlanned = 1024;  // steps: each is compared with each

    // A part of the plan as it was, or a step that is put in.
    struct Item {
        uint32_t part;  // kNoPart: it is new
        NameId verb, tool;
        uint32_t level;           // of a run of steps: those of one level go side by side
        uint32_t number, branch;  // where it stands in the new plan; branch 0: alone
    };
    // A param that gets its value from somewhere.
    struct Fill {
        uint32_t part;  // of a step of the old plan; kNoPart: of the new step that `item` is
        uint32_t item;
        NameId input;
        uint32_t source;  // an item, or kFromCtx
        bool member;      // is it a member of what the item makes?
        uint32_t number;  // in the order in which they were found
    };

    // planner.cc
    void find_items();
    void find_chains();
    void plan_goal();
    void fill_parts(uint32_t part);
    void fill_step(uint32_t part);
    void fill(NameId input, uint32_t part, uint32_t item);
    void add_part(uint32_t part);
    uint32_t find_source(NameId name, bool &member);
    uint32_t add_step(uint32_t verb);
    void note_outputs(uint32_t verb, uint32_t item);
    bool has_param(const Part &step, NameId name) const;
    bool has_ctx(NameId name) const;
    bool may_fill(const AliasTable &table, NameId input) const;

    // planner_write.cc
    void place_items(bool parallelize);
    void find_levels(uint32_t begin, uint32_t end);
    void sort_fills();
    std::span<const Fill> fills_of(uint32_t part, uint32_t item) const;
    bool needs(uint32_t item, uint32_t other) const;
    bool is_movable(const Item &item) const;
    void write(Buffer<char> &out);
    void write_items(Buffer<char> &out);
    void write_item(uint32_t item, Buffer<char> &out);
    void write_part(uint32_t part, Buffer<char> &out);
    void write_params(uint32_t part, uint32_t item, Buffer<char> &out);
    void write_value(uint32_t node, bool message, Buffer<char> &out);
    void write_escaped(std::string_view text, Buffer<char> &out);
    void write_string(std::string_view text, Buffer<char> &out);
    void write_path(uint32_t item, Buffer<char> &out);

    const Part &part(uint32_t i) const { return checker_.scopes().parts[i]; }
    const Scope &message() const { return checker_.scopes().scopes[0]; }

    value::JsonReader reader_;
    value::Value value_;
    Speller speller_;
    Checker checker_;
    Chains chains_;
    Buffer<Item> items_;
    Buffer<Fill> fills_;
    Buffer<uint32_t> producer_items_;  // for each name the item that makes it; kNoSource: none
    Buffer<uint32_t> item_of_part_;    // the item of each part of the old plan, by its number
    Buffer<char> text_;
    value::TreeView tree_ = {};
    const Library *library_ = nullptr;
};

}  // namespace accp::sacp
