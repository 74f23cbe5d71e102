// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Completes a plan: missing params get their value from the context or from added steps, chosen as
// the shortest chain by the inputs and outputs of the library. Independent steps can be moved into
// parallels. The planner asks instead of guessing.
#pragma once

#include "sacp/library/library.h"
#include "sacp/message/spelling.h"

namespace accp::sacp {

constexpr uint32_t kUnreachable = UINT32_MAX;

// How a verb produces a name: as its whole output, or as a member of it.
struct Producer {
    uint32_t verb = kUnreachable;  // index in Library::verbs()
    bool member = false;
};

// Finds the cheapest chain of verbs that produces each name.
class Chains {
public:
    explicit Chains(Memory &memory) : producers_(memory), costs_(memory), productions_(memory) {}

    // Reads the outputs of all verbs that have a tool.
    void load(const Library &library);
    // `has(name)` returns whether a name is available without a step. Takes time linear in the
    // library for each step of the longest chain.
    template <class Has>
    void find(const Library &library, Has has) {
        reset();
        for (NameId name = 1; name < library.name_count(); ++name)
            if (has(name)) costs_[name] = 0;
        find_costs(library);
    }

    // The number of steps to produce a name; 0: available; kUnreachable: impossible.
    uint32_t cost(NameId name) const { return costs_[name]; }
    // The producer of a name whose cost is positive.
    Producer producer(NameId name) const { return producers_[name]; }
    // Returns whether a verb, by index, produces a name; `member`: as a member of its output.
    bool produces(uint32_t verb, NameId name, bool &member) const;
    // Calls use(name) for each name that a verb produces.
    template <class Use>
    void each_output(uint32_t verb, Use use) const {
        for (const Production &production : productions_)
            if (production.verb == verb) use(production.name);
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

// Returns the first tool that supports a verb, or 0.
NameId tool_for(const Library &library, NameId verb);

class Planner {
public:
    explicit Planner(Memory &memory);

    // Appends the message with a complete plan and full names. It has no msg_id; the msg_id of the
    // given message becomes its reply_to. If the message has an error, appends nothing and returns
    // false. `verdict` has the error, or the values that are still missing. `parallelize`: move
    // independent steps into parallels.
    bool plan(std::string_view message, const Library &library, bool parallelize,
              uint64_t max_bytes, Buffer<char> &out, Verdict &verdict);

private:
    static constexpr uint32_t kFromCtx = UINT32_MAX;  // the source of a value: the context
    static constexpr uint32_t kNoSource = kFromCtx - 1;
    static constexpr uint32_t kMaxChain = 32;  // steps to produce one name

    static constexpr uint32_t kMaxPlanned = 1024;  // steps; each pair is compared

    // A part of the original plan, or an added step.
    struct Item {
        uint32_t part;  // kNoPart: an added step
        NameId verb, tool;
        uint32_t level;           // steps of one level run in parallel
        uint32_t number, branch;  // position in the new plan; branch 0: not in a parallel
    };
    // A param and the source of its value.
    struct Fill {
        uint32_t part;  // a step of the original plan; kNoPart: the added step `item`
        uint32_t item;
        NameId input;
        uint32_t source;  // an item, or kFromCtx
        bool member;      // the value is a member of the item's output
        uint32_t number;  // in order of discovery
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
    Buffer<uint32_t> producer_items_;  // for each name: the item that produces it, or kNoSource
    Buffer<uint32_t> item_of_part_;    // the item of each part of the original plan, by position
    Buffer<char> text_;
    value::TreeView tree_ = {};
    const Library *library_ = nullptr;
};

}  // namespace accp::sacp
