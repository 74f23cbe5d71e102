// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A question to the registry: which agents can do this?
//
// The registry of agents: who can do what, for how long, and how that went. Time is handed in, in
// seconds, and a registry without a clock (kNoClock) knows no end of a lease.
//
// An agent whose lease is over is not found any more; it stays until it is registered anew, taken
// out, or swept out. Any call that fails, also for want of memory, changes nothing.
//
// Answers of the registry, and the registry itself, as JSON.
#pragma once

#include "base/slots.h"
#include "sacp/agents/capability.h"
#include "sacp/agents/similarity.h"
#include "value/json_reader.h"

namespace accp::sacp {

constexpr double kDefaultThreshold = 0.75;  // of cosines, where a query names none

// Lists of names as 64 bits: whoever has all the names has all the bits of their filter. Of one
// kind with one seed.
uint64_t filter_bits_of(NameList list, std::string_view name, uint64_t seed);
uint64_t filter_of(const Capability &agent, uint64_t seed);

class CapabilityQuery {
public:
    // False: `verdict` says why not. All calls after it are about this value, which must stay.
    bool read(value::TreeView tree, uint32_t root, Verdict &verdict);

    // Is anything asked but for likeness?
    bool has_criteria() const;
    // Does the agent fulfil all criteria? Those that are not there are fulfilled.
    bool matches(const Capability &agent) const;
    uint64_t filter(uint64_t seed) const;

    uint32_t dimension() const { return nodes_[kEmbedding] ? tree_[nodes_[kEmbedding]].len : 0; }
    void read_embedding(double *out) const;
    bool has_model() const { return nodes_[kModel] != 0; }
    std::string_view model() const { return text(kModel); }
    double threshold() const { return threshold_; }
    uint64_t top() const { return top_; }  // 0: all

    // Calls use(text) for each name in it.
    template <class Use>
    void each_name(Use use) const {
        for (const QueryMember m : {kVerb, kTool, kOutput})
            if (nodes_[m]) use(text(m));
        for (const QueryMember m : {kInputs, kTags})
            if (nodes_[m]) each_text(tree_, nodes_[m], use);
    }

private:
    enum QueryMember {
        kVerb,
        kTool,
        kInputs,
        kOutput,
        kTags,
        kConfidence,
        kEmbedding,
        kModel,
        kThreshold,
        kTop,
        kMembers
    };

    std::string_view text(int member) const {
        return nodes_[member] ? tree_.string(nodes_[member]) : std::string_view();
    }
    // Does is_met(name) hold for all names of a list?
    template <class IsMet>
    bool all_of(int member, IsMet is_met) const;

    value::TreeView tree_ = {};
    uint32_t nodes_[kMembers] = {};
    double min_confidence_ = 0, threshold_ = kDefaultThreshold;
    uint64_t top_ = 0;
};

constexpr double kNoClock = -HUGE_VAL;

enum class Match : uint8_t { kExact, kLexical, kSimilar };

struct FoundAgent {
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
    void find(const CapabilityQuery &query, double now, uint32_t ranking, Buffer<FoundAgent> &out);
    template <class Use>
    void each(Use use) const {
        for (const Row &row : rows_) use(*row.agent);
    }
    // Those that have a name in this list.
    template <class Use>
    void each_with(NameList list, std::string_view name, Use use) const {
        const uint64_t mark = filter_bits_of(list, name, seed_);
        for (const Row &row : rows_)
            if ((row.filter & mark) == mark && row.agent->has(list, name)) use(*row.agent);
    }
    // All of them in the order of their registration.
    void list(Buffer<const Capability *> &out) const;

private:
    struct Row {
        uint64_t filter;
        Capability *agent;
    };
    // A query, and what it is asked under.
    struct ActiveQuery {
        const CapabilityQuery &query;
        double now;
        uint32_t ranking;
        uint64_t number;

        bool comes_before(const FoundAgent &a, const FoundAgent &b) const;
    };

    Capability *find_mutable(std::string_view name) const;
    Capability *make_merged(const Capability &old, Verdict &verdict);
    void insert(Capability *made, Capability *old);
    VectorTable *table_for(const Capability &agent);
    VectorTable *find_table(bool has_model, std::string_view model, uint32_t dimension) const;
    uint64_t table_hash(bool has_model, std::string_view model, uint32_t dimension) const;
    void erase(Capability *agent) noexcept;
    void drop_vector(const Capability &agent) noexcept;
    void destroy_table(VectorTable *table) noexcept;

    void find_exact(const ActiveQuery &asked, Buffer<FoundAgent> &out);
    void find_lexical(const ActiveQuery &asked, Buffer<FoundAgent> &out);
    void find_similar(const ActiveQuery &asked, Buffer<FoundAgent> &out);

    Memory &memory_;
    CapabilityReader reader_;
    value::JsonReader json_reader_;
    value::Value old_, merged_;
    Buffer<char> text_;
    Buffer<Row> rows_;
    Slots names_, tables_;  // of Capability, and of VectorTable, by their addresses
    Buffer<Scored> scored_;
    Buffer<double> numbers_, query_numbers_;
    Buffer<float> floats_;
    Buffer<uint64_t> topics_;
    uint64_t registration_count_ = 0, query_count_ = 0, seed_;
};

constexpr const char *kNotAnArray = "A registry is a JSON array of entries";

std::string_view match_name(Match match);

// Appends [{"agent_name":…,"match":…}…], with the score where one agent is more alike than another.
void write_matches(const Buffer<FoundAgent> &found, Buffer<char> &out);
// Appends the entries, leases and all, in the order of their registration.
void write_entries(const Capabilities &agents, Memory &memory, Buffer<char> &out);

}  // namespace accp::sacp
