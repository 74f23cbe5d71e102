// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds agents: exact matches, then agents that share words with the query, then similar ones.
#include <algorithm>

#include "base/random.h"
#include "base/utf8.h"
#include "sacp/agents/capabilities.h"
#include "text/words.h"
#include "value/number.h"

namespace accp::sacp {

namespace {

// In the order of QueryMember. Types are checked in this order.
constexpr MemberRule kQuery[] = {
    {"verb", MemberShape::kText},        {"tool", MemberShape::kText},
    {"inputs", MemberShape::kTexts},     {"output_type", MemberShape::kText},
    {"tags", MemberShape::kTexts},       {"min_confidence", MemberShape::kNumber},
    {"embedding", MemberShape::kVector}, {"embedding_model", MemberShape::kText},
    {"threshold", MemberShape::kNumber}, {"top_k", MemberShape::kCount},
    {"text", MemberShape::kText},
};
constexpr MemberRule kOuter[] = {{"query", MemberShape::kText}};

constexpr size_t kShownBytes = 40;  // of an unknown member's name

bool check_names(value::TreeView tree, uint32_t map, std::span<const MemberRule> members,
                 Verdict &verdict) {
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        bool known = false;
        for (const MemberRule &member : members) known |= tree.key(i) == member.name;
        if (known) continue;
        const std::string_view key = tree.key(i);
        return verdict.refuse_member(
            Code::kMALFORMED_MESSAGE,
            key.substr(0, valid_utf8_prefix(key.data(), std::min(key.size(), kShownBytes))),
            " is not a member of a query");
    }
    return true;
}

constexpr double kLexicalThreshold = 0.5;  // share of the total weight of the query's words
constexpr size_t kMaxWords = 64;           // of a query; further words are ignored

// Estimates how likely the agent's work succeeds: the lower bound of the confidence interval after
// adding one success and one failure. An agent without results ranks low; only agents that failed
// rank below it.
double trust(const Share &outcomes) { return Share{outcomes.count + 1, outcomes.all + 2}.low(); }

// Weighs words by inverse document frequency: the logarithm of all agents over those with the word.
struct WordWeights {
    std::span<const uint64_t> topics;
    uint64_t agent_counts[kMaxWords] = {};
    double weights[kMaxWords] = {}, all = 0;

    template <class Use>
    void each_common(std::span<const uint64_t> other, Use use) const {
        size_t k = 0;
        for (size_t i = 0; i < topics.size(); ++i) {
            while (k < other.size() && other[k] < topics[i]) ++k;
            if (k < other.size() && other[k] == topics[i]) use(i);
        }
    }
    void weigh(size_t agents) {
        for (size_t i = 0; i < topics.size(); ++i)
            all += weights[i] =
                std::log1p(static_cast<double>(agents) / static_cast<double>(agent_counts[i] + 1));
    }
    double share_of(std::span<const uint64_t> other) const {
        double sum = 0;
        each_common(other, [&](size_t i) { sum += weights[i]; });
        return all > 0 ? sum / all : 0;
    }
};

}  // namespace

uint64_t filter_bits_of(NameList list, std::string_view name, uint64_t seed) {
    if (list == NameList::kInputs || list == NameList::kOutputs) name = last_segment(name);
    const uint64_t hash = seeded_hash(name.data(), name.size(), seed + static_cast<uint64_t>(list));
    return uint64_t{1} << (hash & 63) | uint64_t{1} << (hash >> 6 & 63);
}

uint64_t filter_of(const Capability &agent, uint64_t seed) {
    uint64_t filter = 0;
    for (const NameList list : {NameList::kVerbs, NameList::kTools, NameList::kInputs,
                                NameList::kOutputs, NameList::kTags})
        for (uint32_t i = 0; i < agent.count(list); ++i)
            filter |= filter_bits_of(list, agent.at(list, i), seed);
    return filter;
}

bool CapabilityQuery::read(value::TreeView tree, uint32_t root, Verdict &verdict) {
    *this = {};
    tree_ = tree;
    if (tree[root].kind != ACCP_MAP)
        return verdict.refuse(Code::kMALFORMED_MESSAGE, "A query must be a JSON object");
    const uint32_t query = tree.find(root, "query");
    if (!query) return verdict.refuse(Code::kMISSING_FIELD, "query is missing");
    if (!check_names(tree, root, kOuter, verdict)) return false;
    if (tree[query].kind != ACCP_MAP)
        return verdict.refuse(Code::kINVALID_TYPE, "query is not an object");
    find_members(tree, query, kQuery, nodes_);
    if (!check_names(tree, query, kQuery, verdict) || !check_shapes(tree, kQuery, nodes_, verdict))
        return false;
    if (nodes_[kConfidence]) min_confidence_ = value::to_double(text(kConfidence));
    if (nodes_[kThreshold]) threshold_ = std::clamp(value::to_double(text(kThreshold)), -2.0, 2.0);
    // clamps larger values
    if (nodes_[kTop]) top_ = static_cast<uint64_t>(std::min(value::to_double(text(kTop)), 0x1p32));
    return true;
}

bool CapabilityQuery::has_criteria() const {
    return std::any_of(nodes_ + kVerb, nodes_ + kEmbedding, [](uint32_t node) { return node; });
}

template <class IsMet>
bool CapabilityQuery::all_of(int member, IsMet is_met) const {
    bool all_met = true;
    if (nodes_[member])
        each_text(tree_, nodes_[member],
                  [&](std::string_view name) { all_met = all_met && is_met(name); });
    return all_met;
}

bool CapabilityQuery::matches(const Capability &agent) const {
    return (!nodes_[kVerb] || agent.has(NameList::kVerbs, text(kVerb))) &&
           (!nodes_[kTool] || agent.has(NameList::kTools, text(kTool))) &&
           (!nodes_[kOutput] || agent.has_segment(NameList::kOutputs, text(kOutput))) &&
           (!nodes_[kConfidence] || agent.confidence >= min_confidence_) &&
           all_of(kInputs, [&](auto name) { return agent.has_segment(NameList::kInputs, name); }) &&
           all_of(kTags, [&](auto name) { return agent.has(NameList::kTags, name); });
}

uint64_t CapabilityQuery::filter(uint64_t seed) const {
    uint64_t filter = 0;
    const auto mark = [&](NameList list, std::string_view name) {
        filter |= filter_bits_of(list, name, seed);
        return true;
    };
    if (nodes_[kVerb]) mark(NameList::kVerbs, text(kVerb));
    if (nodes_[kTool]) mark(NameList::kTools, text(kTool));
    if (nodes_[kOutput]) mark(NameList::kOutputs, text(kOutput));
    (void)all_of(kInputs, [&](auto name) { return mark(NameList::kInputs, name); });
    (void)all_of(kTags, [&](auto name) { return mark(NameList::kTags, name); });
    return filter;
}

void CapabilityQuery::read_embedding(double *out) const {
    each_text(tree_, nodes_[kEmbedding],
              [&](std::string_view number) { *out++ = value::to_double(number); });
}

bool Capabilities::ActiveQuery::comes_before(const FoundAgent &a, const FoundAgent &b) const {
    double by_a = a.match == Match::kExact ? a.agent->confidence : round_score(a.score);
    double by_b = b.match == Match::kExact ? b.agent->confidence : round_score(b.score);
    if (ranking & kByOutcomes) {
        const bool exact = a.match == Match::kExact;
        const double trust_a = trust(a.agent->outcomes) * (exact ? 1 : 1 + a.score),
                     trust_b = trust(b.agent->outcomes) * (exact ? 1 : 1 + b.score);
        if (trust_a != trust_b) return trust_a > trust_b;
    }
    return by_a != by_b ? by_a > by_b : a.agent->name() < b.agent->name();
}

void Capabilities::find(const CapabilityQuery &query, double now, uint32_t ranking,
                        Buffer<FoundAgent> &out) {
    const ActiveQuery asked = {query, now, ranking, ++query_count_};
    const auto is_full = [&] { return query.top() && out.size() >= query.top(); };
    const auto put_in_order = [&](size_t first) {
        FoundAgent *begin = out.begin() + first, *end = out.end();
        const size_t wanted = query.top() ? query.top() - first : out.size();
        const auto before = [&](const FoundAgent &a, const FoundAgent &b) {
            return asked.comes_before(a, b);
        };
        if (wanted >= out.size() - first) return std::sort(begin, end, before);
        std::partial_sort(begin, begin + wanted, end, before);
        out.resize_down(first + wanted);
    };
    out.clear();
    if (query.has_criteria() || !query.dimension()) find_exact(asked, out);
    put_in_order(0);
    if ((ranking & kWithLexical) && !is_full()) {
        const size_t first = out.size();
        find_lexical(asked, out);
        put_in_order(first);
    }
    if (!query.dimension() || is_full()) return;
    const size_t first = out.size();
    find_similar(asked, out);
    put_in_order(first);
}

void Capabilities::find_exact(const ActiveQuery &asked, Buffer<FoundAgent> &out) {
    const uint64_t filter = asked.query.filter(seed_);
    for (const Row &row : rows_) {
        if ((row.filter & filter) != filter || row.agent->is_expired(asked.now) ||
            !asked.query.matches(*row.agent))
            continue;
        row.agent->last_query = asked.number;
        out.push({row.agent, Match::kExact, 1});
    }
}

void Capabilities::find_lexical(const ActiveQuery &asked, Buffer<FoundAgent> &out) {
    text_.clear();
    topics_.clear();
    asked.query.each_name([this](std::string_view name) {
        text_.append(name);
        text_.push('\n');
    });
    text::append_all_topics(text_.view(), topics_);
    WordWeights words = {{topics_.data(), std::min(topics_.size(), kMaxWords)}};
    for (const Row &row : rows_)
        words.each_common(row.agent->topics(), [&](size_t i) { ++words.agent_counts[i]; });
    words.weigh(rows_.size());
    for (const Row &row : rows_) {
        if (row.agent->last_query == asked.number || row.agent->is_expired(asked.now)) continue;
        const double score = words.share_of(row.agent->topics());
        if (score < kLexicalThreshold) continue;
        row.agent->last_query = asked.number;
        out.push({row.agent, Match::kLexical, score});
    }
}

void Capabilities::find_similar(const ActiveQuery &asked, Buffer<FoundAgent> &out) {
    const CapabilityQuery &query = asked.query;
    const uint32_t dimension = query.dimension();
    const VectorTable *table = find_table(query.has_model(), query.model(), dimension);
    if (!table) return;
    query_numbers_.clear();
    double *numbers = query_numbers_.reserve(dimension), *other = numbers_.reserve(dimension);
    query.read_embedding(numbers);
    floats_.clear();
    float *floats = floats_.reserve(dimension);
    if (!normalize(numbers, dimension, floats)) return;
    // With ranking by outcomes a less similar agent may come first, so keep all.
    const uint64_t top = asked.ranking & kByOutcomes || !query.top() ? 0 : query.top() - out.size();
    scan_rows(
        floats, table->rows(), dimension, query.threshold(), top,
        [&](uint32_t row) {
            const Capability &agent = *table->agent(row);
            return agent.last_query != asked.number && !agent.is_expired(asked.now);
        },
        scored_);
    // Agents with the same embedding share one score, so it is computed once.
    std::string_view before;
    double score = 0;
    for (const Scored &scored : scored_) {
        const Capability *agent = table->agent(scored.row);
        if (agent->embedding() != before) {
            agent->read_embedding(other);
            score = cosine(numbers, other, dimension);
            before = agent->embedding();
        }
        if (round_score(score) >= round_score(query.threshold()))
            out.push({agent, Match::kSimilar, score});
    }
}

}  // namespace accp::sacp
