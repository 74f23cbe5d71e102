// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registry of agents: what each can do, until when, and how well its work went. Times are
// seconds that the caller passes in; kNoClock means that leases never end.
//
// An agent with an expired lease is no longer found. It stays in the registry until it is
// registered again, removed or swept. A call that fails, even for lack of memory, changes nothing.
#pragma once

#include "base/slots.h"
#include "sacp/agents/capability.h"
#include "sacp/agents/similarity.h"
#include "value/json_reader.h"

namespace accp::sacp {

constexpr double kDefaultThreshold = 0.75;  // cosine; used if the query has no threshold

// A 64-bit Bloom filter over an agent's names: an agent that has all names of a query has all bits
// of the query's filter. Filters are comparable only for the same seed.
uint64_t filter_bits_of(NameList list, std::string_view name, uint64_t seed);
uint64_t filter_of(const Capability &agent, uint64_t seed);

// A query to the registry: which agents can do this?
class CapabilityQuery {
public:
    // Returns false with the reason in `verdict`. The tree must outlive this object.
    bool read(value::TreeView tree, uint32_t root, Verdict &verdict);

    // Returns whether the query has criteria besides the embedding.
    bool has_criteria() const;
    // Returns whether the agent meets all criteria; an absent criterion is met.
    bool matches(const Capability &agent) const;
    uint64_t filter(uint64_t seed) const;

    uint32_t dimension() const { return nodes_[kEmbedding] ? tree_[nodes_[kEmbedding]].len : 0; }
    void read_embedding(double *out) const;
    bool has_model() const { return nodes_[kModel] != 0; }
    std::string_view model() const { return text(kModel); }
    // What the agents should do, in words; an embedder makes the embedding of it.
    bool has_text() const { return nodes_[kText] != 0; }
    std::string_view described() const { return text(kText); }
    double threshold() const { return threshold_; }
    uint64_t top() const { return top_; }  // 0: no limit

    // Calls use(text) for each name in the query.
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
        kText,
        kMembers
    };

    std::string_view text(int member) const {
        return nodes_[member] ? tree_.string(nodes_[member]) : std::string_view();
    }
    // Returns whether is_met(name) holds for all names of a list.
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
    double score;  // 1 for kExact
};

// Bits that extend the ranking of SACP.
enum Ranking : uint32_t {
    kByRules = 0,
    // Adds agents that share words with the query, between the exact and the similar ones.
    kWithLexical = 1,
    // Within each kind of match, agents with good results come first.
    kByOutcomes = 2
};

class Capabilities {
public:
    explicit Capabilities(Memory &memory);
    ~Capabilities();
    Capabilities(const Capabilities &) = delete;
    Capabilities &operator=(const Capabilities &) = delete;

    // Returns whether add() would accept the entry.
    bool check(value::TreeView tree, uint32_t entry, Verdict &verdict);
    // An entry replaces the entry with the same name; a publication (an embedding alone) is merged
    // into it. Returns false with the reason in `verdict`.
    bool add(value::TreeView tree, uint32_t entry, Verdict &verdict);
    bool remove(std::string_view name);
    // Extends the lease. Returns false if the agent is unknown or expired.
    bool renew(std::string_view name, double lease_until, double now);
    bool note_outcome(std::string_view name, bool success);
    bool set_outcomes(std::string_view name, const Share &outcomes);
    void clear();
    // Removes all expired agents and returns their number.
    size_t sweep(double now);

    size_t count() const { return rows_.size(); }
    const Capability *find(std::string_view name) const;
    // Replaces `out` with the matches, best first.
    void find(const CapabilityQuery &query, double now, uint32_t ranking, Buffer<FoundAgent> &out);
    template <class Use>
    void each(Use use) const {
        for (const Row &row : rows_) use(*row.agent);
    }
    // Calls use(agent) for each agent that has `name` in `list`.
    template <class Use>
    void each_with(NameList list, std::string_view name, Use use) const {
        const uint64_t mark = filter_bits_of(list, name, seed_);
        for (const Row &row : rows_)
            if ((row.filter & mark) == mark && row.agent->has(list, name)) use(*row.agent);
    }
    // Replaces `out` with all agents in the order of registration.
    void list(Buffer<const Capability *> &out) const;

private:
    struct Row {
        uint64_t filter;
        Capability *agent;
    };
    // A query with its clock, its ranking and its number.
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
    Slots names_, tables_;  // addresses of Capability and of VectorTable
    Buffer<Scored> scored_;
    Buffer<double> numbers_, query_numbers_;
    Buffer<float> floats_;
    Buffer<uint64_t> topics_;
    uint64_t registration_count_ = 0, query_count_ = 0, seed_;
};

constexpr const char *kNotAnArray = "A registry must be a JSON array of entries";

std::string_view match_name(Match match);

// Appends [{"agent_name":…,"match":…}…]; lexical and similar matches also have a score.
void write_matches(const Buffer<FoundAgent> &found, Buffer<char> &out);
// Appends all entries with their leases, in the order of registration.
void write_entries(const Capabilities &agents, Memory &memory, Buffer<char> &out);

}  // namespace accp::sacp
