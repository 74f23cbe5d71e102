// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Registration, removal and JSON output of agents; capability_query.cc has the search.
#include "sacp/agents/capabilities.h"

#include <algorithm>
#include <charconv>
#include <new>

#include "base/random.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

// For texts that the registry wrote itself. They already passed the caller's limits.
constexpr value::JsonLimits kOwnText = {kMaxTextBytes, kMaxJsonDepth};

uint64_t agent_hash(uint64_t agent) { return reinterpret_cast<const Capability *>(agent)->hash; }
uint64_t table_hash_of(uint64_t table) {
    return reinterpret_cast<const VectorTable *>(table)->hash;
}
uint64_t number_of(const void *object) { return reinterpret_cast<uint64_t>(object); }

constexpr std::string_view kMatches[] = {"exact", "lexical", "similar"};
constexpr int kPlaces = 6;

// Writes kPlaces decimals and strips trailing zeros, but keeps one decimal: 0.707107, 1.0.
void write_score(double score, Buffer<char> &out) {
    if (score > -0.5e-6 && score < 0.5e-6) score = 0;  // no negative zero
    char *const to = out.reserve(32);
    char *end = std::to_chars(to, to + 32, score, std::chars_format::fixed, kPlaces).ptr;
    while (end[-1] == '0' && end[-2] != '.') --end;
    out.set_end(end);
}

}  // namespace

Capabilities::Capabilities(Memory &memory)
    : memory_(memory),
      reader_(memory),
      json_reader_(memory),
      old_(memory),
      merged_(memory),
      text_(memory),
      rows_(memory),
      names_(memory),
      tables_(memory),
      scored_(memory),
      numbers_(memory),
      query_numbers_(memory),
      floats_(memory),
      topics_(memory),
      seed_(random_seed()) {}

Capabilities::~Capabilities() {
    tables_.each([this](uint64_t table) { destroy_table(reinterpret_cast<VectorTable *>(table)); });
    for (const Row &row : rows_) reader_.release(row.agent);
}

bool Capabilities::check(value::TreeView tree, uint32_t entry, Verdict &verdict) {
    if (!reader_.check(tree, entry, verdict)) return false;
    if (reader_.is_publication() && !find_mutable(reader_.name()))
        return verdict.refuse(Code::kNO_AGENT, "The agent of this embedding is not registered");
    return true;
}

bool Capabilities::add(value::TreeView tree, uint32_t entry, Verdict &verdict) {
    if (!check(tree, entry, verdict)) return false;
    Capability *old = find_mutable(reader_.name());
    const bool is_publication = reader_.is_publication();
    Capability *made = is_publication ? make_merged(*old, verdict) : reader_.make();
    if (!made) return false;
    if (is_publication) made->lease_until = old->lease_until;
    insert(made, old);
    return true;
}

// Returns nullptr if the merged entry is invalid; `verdict` has the reason.
Capability *Capabilities::make_merged(const Capability &old, Verdict &verdict) {
    const std::string_view json = old.json();
    if (json_reader_.read(json.data(), json.size(), kOwnText, old_).failed()) return nullptr;
    reader_.write_merged(old_.view(), text_);
    if (json_reader_.read(text_.data(), text_.size(), kOwnText, merged_).failed()) return nullptr;
    return reader_.check(merged_.view(), 0, verdict) ? reader_.make() : nullptr;
}

// Takes ownership of `made`, even if memory runs out.
void Capabilities::insert(Capability *made, Capability *old) {
    struct Held {
        ~Held() { reader.release(made); }
        CapabilityReader &reader;
        Capability *made;
    } held = {reader_, made};
    made->hash = seeded_hash(made->name().data(), made->name().size(), seed_);
    names_.reserve(1, agent_hash);
    rows_.reserve(1);
    VectorTable *vectors = table_for(*made);
    // nothing below allocates
    held.made = nullptr;
    if (vectors) vectors->add(floats_.data(), made);
    if (old) made->outcomes = old->outcomes;
    made->registration = old ? old->registration : ++registration_count_;
    if (old) erase(old);
    made->table_row = static_cast<uint32_t>(rows_.size());
    rows_.push({filter_of(*made, seed_), made});
    names_.add(made->hash, number_of(made));
}

// Normalizes the agent's embedding into floats_ and returns the table for it, with space reserved.
// Returns nullptr if the agent has no embedding or a zero vector.
VectorTable *Capabilities::table_for(const Capability &agent) {
    const uint32_t dimension = agent.dimension();
    agent.read_embedding(numbers_.reserve(dimension));
    floats_.clear();
    if (!normalize(numbers_.data(), dimension, floats_.reserve(dimension))) return nullptr;
    VectorTable *table = find_table(agent.has_model(), agent.model(), dimension);
    if (table) {
        table->reserve();
        return table;
    }
    tables_.reserve(1, table_hash_of);
    struct Held {
        ~Held() { self.destroy_table(made); }
        Capabilities &self;
        VectorTable *made;
    } held = {*this, new (memory_.allocate(sizeof(VectorTable))) VectorTable(memory_, dimension)};
    held.made->reserve();
    held.made->hash = table_hash(agent.has_model(), agent.model(), dimension);
    table = held.made;
    held.made = nullptr;
    tables_.add(table->hash, number_of(table));
    return table;
}

uint64_t Capabilities::table_hash(bool has_model, std::string_view model,
                                  uint32_t dimension) const {
    return seeded_hash(model.data(), model.size(), seed_ + 2 * uint64_t{dimension} + has_model);
}

VectorTable *Capabilities::find_table(bool has_model, std::string_view model,
                                      uint32_t dimension) const {
    return reinterpret_cast<VectorTable *>(
        tables_.find(table_hash(has_model, model, dimension), [&](uint64_t table) {
            return reinterpret_cast<const VectorTable *>(table)->matches(has_model, model,
                                                                         dimension);
        }));
}

void Capabilities::destroy_table(VectorTable *table) noexcept {
    if (!table) return;
    table->~VectorTable();
    memory_.release(table, sizeof(VectorTable));
}

void Capabilities::drop_vector(const Capability &agent) noexcept {
    VectorTable *table = agent.vectors;
    if (!table) return;
    table->remove(agent);
    if (!table->empty()) return;
    const uint64_t number = number_of(table);
    tables_.remove(table->hash, table_hash_of, [number](uint64_t each) { return each == number; });
    destroy_table(table);
}

void Capabilities::erase(Capability *agent) noexcept {
    drop_vector(*agent);
    const uint64_t number = number_of(agent);
    names_.remove(agent->hash, agent_hash, [number](uint64_t each) { return each == number; });
    const Row &last = rows_[rows_.size() - 1];
    last.agent->table_row = agent->table_row;
    rows_[agent->table_row] = last;
    rows_.resize_down(rows_.size() - 1);
    reader_.release(agent);
}

Capability *Capabilities::find_mutable(std::string_view name) const {
    return reinterpret_cast<Capability *>(
        names_.find(seeded_hash(name.data(), name.size(), seed_), [name](uint64_t agent) {
            return reinterpret_cast<const Capability *>(agent)->name() == name;
        }));
}

const Capability *Capabilities::find(std::string_view name) const { return find_mutable(name); }

bool Capabilities::remove(std::string_view name) {
    Capability *agent = find_mutable(name);
    if (agent) erase(agent);
    return agent != nullptr;
}

bool Capabilities::renew(std::string_view name, double lease_until, double now) {
    Capability *agent = find_mutable(name);
    if (!agent || agent->is_expired(now)) return false;
    agent->lease_until = lease_until;
    return true;
}

bool Capabilities::note_outcome(std::string_view name, bool success) {
    Capability *agent = find_mutable(name);
    if (agent) agent->outcomes.add(success);
    return agent != nullptr;
}

bool Capabilities::set_outcomes(std::string_view name, const Share &outcomes) {
    Capability *agent = find_mutable(name);
    if (agent) agent->outcomes = outcomes;
    return agent != nullptr;
}

void Capabilities::clear() {
    while (!rows_.empty()) erase(rows_[rows_.size() - 1].agent);
}

size_t Capabilities::sweep(double now) {
    const size_t before = rows_.size();
    for (size_t i = before; i-- > 0;)
        if (rows_[i].agent->is_expired(now)) erase(rows_[i].agent);
    return before - rows_.size();
}

void Capabilities::list(Buffer<const Capability *> &out) const {
    out.clear();
    for (const Row &row : rows_) out.push(row.agent);
    std::sort(out.begin(), out.end(), [](const Capability *a, const Capability *b) {
        return a->registration < b->registration;
    });
}

std::string_view match_name(Match match) { return kMatches[static_cast<size_t>(match)]; }

void write_matches(const Buffer<FoundAgent> &found, Buffer<char> &out) {
    out.push('[');
    for (const FoundAgent &each : found) {
        if (&each != found.begin()) out.push(',');
        out.append(R"({"agent_name":)");
        value::write_json_string(each.agent->name(), out);
        out.append(R"(,"match":")");
        out.append(match_name(each.match));
        out.push('"');
        if (each.match != Match::kExact) {
            out.append(R"(,"score":)");
            write_score(each.score, out);
        }
        out.push('}');
    }
    out.push(']');
}

void write_entries(const Capabilities &agents, Memory &memory, Buffer<char> &out) {
    Buffer<const Capability *> all(memory);
    agents.list(all);
    out.push('[');
    for (const Capability *const &agent : all) {
        if (&agent != all.begin()) out.push(',');
        agent->write(out);
    }
    out.push(']');
}

}  // namespace accp::sacp
