// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/access.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "server/http/caller.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/digest.h"
#include "server/library/failure.h"

namespace server {
namespace {

constexpr size_t kHashDigits = 64;
// Names that an untrusted peer cannot use through the agents * (accp_peer).
constexpr std::string_view kRoles[] = {"system",    "developer", "user",
                                       "assistant", "tool",      "function"};

// Returns the token of "Bearer TOKEN", or empty for another scheme. The scheme is not
// case-sensitive (RFC 9110, 11.1).
std::string_view token_of(std::string_view authorization) {
    constexpr std::string_view kScheme = "bearer ";
    if (authorization.size() <= kScheme.size()) return {};
    for (size_t i = 0; i < kScheme.size(); ++i) {
        const char c = authorization[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != kScheme[i]) return {};
    }
    const size_t begin = authorization.find_first_not_of(' ', kScheme.size());
    return authorization.substr(std::min(begin, authorization.size()));
}

// Calls `each` for each text of a list member.
template <typename Each>
void each_text(const host::JsonTree &json, std::string_view key, Each each) {
    const uint32_t list = json.find(0, key);
    if (!list || json.kind(list) != ACCP_ARRAY)
        throw host::Failure("\"" + std::string(key) + "\" must be a list of names");
    for (uint32_t i = list + 1; i < json.next(list); i = json.next(i)) {
        if (json.kind(i) != ACCP_STRING || json.text(i).empty())
            throw host::Failure("\"" + std::string(key) + "\" must contain only names");
        each(json.text(i));
    }
}

bool read_flag(const host::JsonTree &json, std::string_view key, bool otherwise) {
    const uint32_t node = json.find(0, key);
    if (!node) return otherwise;
    if (json.kind(node) != ACCP_BOOL)
        throw host::Failure("\"" + std::string(key) + "\" must be true or false");
    return json.is_true(node);
}

uint64_t read_limit(const host::JsonTree &json, std::string_view key, uint64_t otherwise) {
    constexpr uint64_t kMax = 1'000'000;
    const uint32_t node = json.find(0, key);
    if (!node) return otherwise;
    const std::string_view text = json.text(node);
    uint64_t limit = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), limit);
    if (json.kind(node) == ACCP_STRING || read.ec != std::errc() ||
        read.ptr != text.data() + text.size() || limit > kMax)
        throw host::Failure("\"" + std::string(key) + "\" must be a number from 0 to 1000000");
    return limit;
}

void check_members(const host::JsonTree &json) {
    constexpr std::string_view kKnown[] = {"sha256",  "agents", "sessions", "name",
                                           "trusted", "write",  "rate",     "max_sessions"};
    for (uint32_t i = 1; i < json.next(0); i = json.next(i)) {
        bool known = false;
        for (const std::string_view key : kKnown) known = known || json.key(i) == key;
        if (!known)
            throw host::Failure(
                "unknown member of a token: \"" + std::string(json.key(i)) +
                "\"; allowed are sha256, agents, sessions, name, trusted, write, rate and "
                "max_sessions");
    }
}

}  // namespace

std::string random_digits() {
    constexpr size_t kBytes = 32;
    char bytes[kBytes];
    if (!std::ifstream("/dev/urandom", std::ios::binary).read(bytes, sizeof bytes))
        throw host::Failure("/dev/urandom cannot be read");
    std::string digits;
    for (const char byte : bytes) {
        static constexpr char kHex[] = "0123456789abcdef";
        digits += kHex[static_cast<unsigned char>(byte) >> 4];
        digits += kHex[byte & 15];
    }
    return digits;
}

bool Grant::allows_session(std::string_view id) const {
    if (is_own_session(id)) return false;
    for (const std::string &one : sessions) {
        if (one.ends_with('*') ? id.starts_with(std::string_view(one).substr(0, one.size() - 1))
                               : id == one)
            return true;
    }
    return false;
}

bool Grant::allows_agent(std::string_view id) const {
    const auto lists = [names = "," + agents + ","](const std::string &name) {
        return names.find("," + name + ",") != std::string::npos;
    };
    const bool is_role = std::find(std::begin(kRoles), std::end(kRoles), id) != std::end(kRoles);
    return lists(std::string(id)) || (lists("*") && (is_trusted || !is_role));
}

bool Grant::sees_all() const {
    return std::find(sessions.begin(), sessions.end(), "*") != sessions.end();
}

bool Grant::may_create_session(std::string_view id) const {
    if (!use || !limits.max_sessions) return true;
    return use->created.size() < limits.max_sessions || use->created.count(std::string(id)) != 0;
}

void Grant::count_session(std::string_view id) const {
    if (use && limits.max_sessions) use->created.emplace(id);
}

Access::Access(const CallerLimits &limits) {
    Grant all;
    all.name = "anybody";
    // lets a local program import a conversation; its messages are still marked as untrusted
    for (const std::string_view role : kRoles) all.agents.append(",").append(role);
    all.sessions = {"*"};
    all.limits = limits;
    all.use = std::make_shared<CallerUse>();
    all.use->rate = RateLimit(limits.rate);
    everybody_ = std::make_shared<const Grant>(std::move(all));
}

Access::Access(std::string_view file, const CallerLimits &limits, const Access *before) {
    for (size_t at = 0, number = 1; at < file.size(); ++number) {
        const size_t end = std::min(file.find('\n', at), file.size());
        const std::string_view line = file.substr(at, end - at);
        at = end + 1;
        if (line.find_first_not_of(" \t\r") == line.npos || line.starts_with('#')) continue;
        try {
            entries_.push_back(read_line(line, limits, before));
        } catch (const host::Failure &failure) {
            throw host::Failure("tokens, line " + std::to_string(number) + ": " + failure.what());
        }
    }
    for (const Entry &entry : entries_) entry.grant->use->rate.set(entry.grant->limits.rate);
}

std::shared_ptr<CallerUse> Access::use_of(std::string_view hash) const {
    for (const Entry &entry : entries_)
        if (entry.hash == hash) return entry.grant->use;
    return nullptr;
}

Access::Entry Access::read_line(std::string_view line, const CallerLimits &limits,
                                const Access *before) {
    const host::JsonTree json(line);
    check_members(json);
    Grant grant;
    const uint32_t hash = json.find(0, "sha256"), name = json.find(0, "name");
    if (!hash || json.text(hash).size() != kHashDigits ||
        json.text(hash).find_first_not_of("0123456789abcdef") != std::string_view::npos)
        throw host::Failure("\"sha256\" must be the token's SHA-256, 64 digits of 0-9 and a-f");
    grant.agents.clear();
    each_text(json, "agents", [&](std::string_view agent) {
        grant.agents.append(grant.agents.empty() ? "" : ",").append(agent);
    });
    each_text(json, "sessions", [&](std::string_view id) { grant.sessions.emplace_back(id); });
    grant.name = name ? std::string(json.text(name)) : grant.agents;
    grant.is_trusted = read_flag(json, "trusted", false);
    grant.may_write = read_flag(json, "write", true);
    grant.limits.rate = read_limit(json, "rate", limits.rate);
    grant.limits.max_sessions = read_limit(json, "max_sessions", limits.max_sessions);
    if (before) grant.use = before->use_of(json.text(hash));
    if (!grant.use) grant.use = std::make_shared<CallerUse>();
    return {std::string(json.text(hash)), std::make_shared<const Grant>(std::move(grant))};
}

std::shared_ptr<const Grant> Access::find(std::string_view authorization) const {
    if (everybody_) return everybody_;
    const std::string_view token = token_of(authorization);
    if (token.empty()) return nullptr;
    const std::string hash = sha256_of(token);
    std::shared_ptr<const Grant> found;
    for (const Entry &entry : entries_)
        if (is_same_secret(entry.hash, hash)) found = entry.grant;
    return found;
}

bool Access::has(const Grant &grant) const {
    if (everybody_) return *everybody_ == grant;
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry &entry) { return *entry.grant == grant; });
}

Access::Token Access::make(const Grant &grant) {
    Token made;
    made.token = random_digits();
    const std::string listed = grant.agents + ",";
    host::JsonList agents, sessions;
    for (size_t begin = 0, end; (end = listed.find(',', begin)) != listed.npos; begin = end + 1)
        agents.text(std::string_view(listed).substr(begin, end - begin));
    for (const std::string &id : grant.sessions) sessions.text(id);
    host::JsonObject line;
    line.text("sha256", sha256_of(made.token));
    line.json("agents", agents.end()).json("sessions", sessions.end());
    if (!grant.name.empty()) line.text("name", grant.name);
    if (grant.is_trusted) line.flag("trusted", true);
    if (!grant.may_write) line.flag("write", false);
    if (grant.limits.rate) line.json("rate", std::to_string(grant.limits.rate));
    if (grant.limits.max_sessions)
        line.json("max_sessions", std::to_string(grant.limits.max_sessions));
    made.line = line.end();
    return made;
}

}  // namespace server
