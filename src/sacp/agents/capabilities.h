// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry of agents: who can do what, for how long, and how that went. Time is handed in, in
// seconds, and a registry without a clock (kNoClock) knows no end of a lease.
//
// An agent whose lease is over is not found any more; it stays until it is registered anew, taken
// out, or swept out. Any call that fails, also for want of memory, changes nothing.
#pragma once

#include "base/slots.h"
#include "sacp/agents/capability_query.h"
#include "sacp/agents/vector_table.h"
#include "value/json_reader.h"

namespace accp::plan {

constexpr double kNoClock = -HUGE_VAL;

enum class Match : uint8_t { kExact, kLexical, kSimilar };

struct Found {
    const Capability *agent;
    Match match;
    double score;  // of kExact 1
};

// How an answer is put in order beyond the rules, as bits.
enum Ranking : uint32_t {
    kByRules = 0,
    kWithLexical = 1,  // between the exact and the similar ones: who has words of the query
    kByOutcomes = 2    // of each kind of match those first whose work went well
};

class Capabilities {
public:
    explicit Capabilities(Memory &memory);
    ~Capabilities();
    Capabilities(const Capabilities &) = delete;
    Capabilities &operator=(const Capabilities &) = delete;

    // Would add() take it?
    bool check(value::TreeView tree, uint32_t entry, Verdict &verdict);
    // An entry takes the place of one of that name; a publication is put into it. False: `verdict`
    // says why not.
    bool add(value::TreeView tree, uint32_t entry, Verdict &verdict);
    bool remove(std::string_view name);
    // Lets it live until then. False: there is none, or it is gone already.
    bool renew(std::string_view name, double lease_until, double now);
    bool note_outcome(std::string_view name, bool success);
    bool set_outcomes(std::string_view name, const Share &outcomes);
    // Takes out all.
    void clear();
    // Takes out all that are gone; how many.
    size_t sweep(double now);

    size_t count() const { return rows_.size(); }
    const Capability *find(std::string_view name) const;
    // Replaces `out`: the agents that a query finds, best first.
    void find(const CapabilityQuery &query, double now, uint32_t ranking, Buffer<Found> &out);
    template <class Use>
    void each(Use use) const {
        for (const Row &row : rows_) use(*row.agent);
    }
    // Those that have a name in this list.
    template <class Use>
    void each_with(NameList list, std::string_view name, Use use) const {
        const uint64_t mark = mark_of(list, name, seed_);
        for (const Row &row : rows_)
            if ((row.marks & mark) == mark && row.agent->has(list, name)) use(*row.agent);
    }
    // All of them in the order of their registration.
    void list(Buffer<const Capability *> &out) const;

private:
    struct Row {
        uint64_t marks;
        Capability *agent;
    };
    // A query, and what it is asked under.
    struct Asked {
        const CapabilityQuery &query;
        double now;
        uint32_t ranking;
        uint64_t number;

        bool comes_before(const Found &a, const Found &b) const;
    };

    Capability *look_up(std::string_view name) const;
    Capability *make_merged(const Capability &old, Verdict &verdict);
    void insert(Capability *made, Capability *old);
    VectorTable *place_for(const Capability &agent);
    VectorTable *find_table(bool has_model, std::string_view model, uint32_t dimension) const;
    uint64_t table_hash(bool has_model, std::string_view model, uint32_t dimension) const;
    void erase(Capability *agent) noexcept;
    void drop_vector(const Capability &agent) noexcept;
    void end_table(VectorTable *table) noexcept;

    void find_exact(const Asked &asked, Buffer<Found> &out);
    void find_lexical(const Asked &asked, Buffer<Found> &out);
    void find_similar(const Asked &asked, Buffer<Found> &out);

    Memory &memory_;
    CapabilityReader reader_;
    value::JsonReader json_reader_;
    value::Value old_, merged_;
    Buffer<char> text_;
    Buffer<Row> rows_;
    Slots names_, tables_;  // of Capability, and of VectorTable, by their addresses
    Buffer<Scored> scored_;
    Buffer<double> numbers_, asked_numbers_;
    Buffer<float> floats_;
    Buffer<uint64_t> topics_;
    uint64_t registered_ = 0, questions_ = 0, seed_;
};

}  // namespace accp::plan
