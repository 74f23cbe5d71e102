// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/context_values.h"

#include "session/ref_name.h"

namespace accp::session {

namespace {

constexpr std::string_view kHeading = "(values)\n";
constexpr const char *kTooManyTokens =
    "too many tokens of values in this tier, which stand in each context: put them under cold, "
    "and let messages refer to them";
constexpr const char *kTooMany =
    "too many values stand in each context: put them under cold, and let messages refer to them";

bool is_hot(std::string_view name) { return name.starts_with("hot."); }

void write_line(std::string_view name, std::string_view json, Buffer<char> &out) {
    out.push('$');
    out.append(name);
    out.append(std::string_view(": "));
    out.append(json);
    out.push('\n');
}

}  // namespace

// Loads the names. A session that was opened to read loads them every time, because another handle
// may write.
Status ContextValues::load(Scratch &scratch) {
    if (loaded_ && driver_.writes()) return {};
    Buffer<char> &found = scratch.refs.found;
    Status status = driver_.store().blob(store::Tier::kWarm, kValuesKey, 0, found);
    const bool none = status.code == ACCP_E2001;
    if (status.failed() && !none) return status;
    names_.clear();
    if (!none) names_.append(found.view());
    loaded_ = true;
    return {};
}

// The time of the newest record. A context is requested without a time.
Status ContextValues::now(Scratch &scratch, uint64_t &out) {
    out = 0;
    if (!driver_.last_record()) return {};
    Record newest;
    Status status = read_record(driver_.store(), driver_.last_record(), scratch.log.records,
                                scratch.refs.found, newest);
    out = newest.time_ms;
    return status;
}

// Appends the line of a value and counts its tokens. Does nothing if the value no longer exists.
Status ContextValues::add_line(std::string_view name, uint64_t now_ms, Scratch &scratch,
                               Buffer<char> &out, ContextValueTokens &tokens) {
    const size_t start = out.size(), dot = name.find('.');
    Buffer<char> &found = scratch.refs.found;
    Status status = driver_.store().blob(is_hot(name) ? store::Tier::kHot : store::Tier::kWarm,
                                         name.substr(dot + 1), now_ms, found);
    if (status.code == ACCP_E2001 || status.code == ACCP_E2002) return {};
    if (status.failed()) return status;
    if (!tokens.sum()) out.append(kHeading);
    write_line(name, found.view(), out);
    return count(name, out.view().substr(start), scratch, tokens);
}

Status ContextValues::count(std::string_view name, std::string_view text, Scratch &scratch,
                            ContextValueTokens &tokens) {
    uint64_t more = 0;
    Status status = scratch.counter.count(text, UINT64_MAX, more);
    (is_hot(name) ? tokens.hot : tokens.warm) += more;
    return status;
}

Status ContextValues::write(Scratch &scratch, Buffer<char> &out, ContextValueTokens &tokens) {
    tokens = {};
    uint64_t now_ms = 0;
    Status status = load(scratch);
    if (status.ok() && !names_.empty()) status = now(scratch, now_ms);
    for (Unpacker names(names_.view()); status.ok() && !names.rest().empty();)
        status = add_line(names.text(), now_ms, scratch, out, tokens);
    return status;
}

// Puts the new list of names into next_ and the batch: with or without `name`, and without values
// that no longer exist. `others` receives the tokens of the other values.
Status ContextValues::set(std::string_view name, bool stands, Scratch &scratch,
                          ContextValueTokens &others) {
    uint64_t now_ms = 0;
    Status status = load(scratch);
    if (status.ok() && !names_.empty()) status = now(scratch, now_ms);
    next_.clear();
    Packer packer(next_);
    Buffer<char> lines(scratch.memory);
    uint32_t count = stands;
    for (Unpacker names(names_.view()); status.ok() && !names.rest().empty();) {
        const std::string_view one = names.text();
        if (stands && one >= name) packer.text(name), stands = false;
        if (one == name) continue;
        const size_t before = lines.size();
        status = add_line(one, now_ms, scratch, lines, others);
        if (lines.size() == before) continue;
        packer.text(one);
        ++count;
    }
    if (stands) packer.text(name);
    if (status.ok() && count > kMaxStandingValues)
        status = fail_limit(count, kMaxStandingValues, kTooMany);
    if (status.ok() && next_.view() != names_.view())
        scratch.log.batch.put(store::Tier::kWarm, kValuesKey, next_.view());
    return status;
}

Status ContextValues::add(std::string_view name, std::string_view json, Scratch &scratch) {
    ContextValueTokens tokens;
    Status status = set(name, true, scratch, tokens);
    Buffer<char> line(scratch.memory);
    line.append(tokens.sum() ? std::string_view() : kHeading);
    write_line(name, json, line);
    if (status.ok()) status = count(name, line.view(), scratch, tokens);
    const context::ContextOptions &options = driver_.rules.context;
    const uint64_t had = is_hot(name) ? tokens.hot : tokens.warm,
                   max = is_hot(name) ? options.hot_max : options.warm_max();
    return status.failed() || had <= max ? status : fail_limit(had, max, kTooManyTokens);
}

Status ContextValues::remove(std::string_view name, Scratch &scratch) {
    ContextValueTokens others;
    return set(name, false, scratch, others);
}

}  // namespace accp::session
