// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See settings.h.
#include "packet/panes/settings.h"

#include "accp/packet.h"
#include "base/status.h"
#include "packet/panes/files.h"
#include "value/yaml_plain.h"

namespace accp::panes {

namespace {

constexpr uint32_t kConfigDepth = 32;
constexpr uint64_t kMaxLockSeconds = 3600;

struct DepthName {
    std::string_view name;
    int32_t depth;
};
constexpr DepthName kDepths[] = {{"minimal", ACCP_PACKET_MINIMAL},
                                 {"standard", ACCP_PACKET_STANDARD},
                                 {"deep", ACCP_PACKET_DEEP},
                                 {"simple", ACCP_PACKET_MINIMAL},
                                 {"complex", ACCP_PACKET_DEEP}};

class SettingsReader {
public:
    SettingsReader(Memory &memory, PaneSettings &out)
        : yaml_(memory), value_(memory), scratch_(memory), out_(out) {}

    Status read(std::string_view text) {
        Status status = yaml_.read(text, {kMaxConfigBytes, kConfigDepth}, value_);
        if (status.failed()) return std::string_view(status.message) == "empty" ? Status{} : status;
        if (tree()[0].kind != ACCP_MAP) return refuse(0, "not a mapping");
        const uint32_t context = tree().find(0, "context");
        if (!context || is_null(context)) return {};
        return read_map(context, "context", &SettingsReader::read_member);
    }

private:
    using Take = Status (SettingsReader::*)(uint32_t node);

    Status read_map(uint32_t map, std::string_view name, Take take) {
        if (tree()[map].kind != ACCP_MAP)
            return refuse(map, interned_text({name, ": not a mapping"}, "not a mapping"));
        for (uint32_t i = map + 1; i < tree()[map].next; i = tree()[i].next) {
            Status status = (this->*take)(i);
            if (status.failed()) return status;
        }
        return {};
    }

    Status read_member(uint32_t node) {
        const std::string_view key = tree().key(node);
        if (key == "default_depth") {
            const int32_t depth = tree()[node].kind == ACCP_STRING ? find_depth(text(node)) : -1;
            if (depth < 0) return no_value(node, "minimal, standard or deep");
            out_.depth = depth;
            return {};
        }
        if (key == "budgets")
            return read_map(node, "context.budgets", &SettingsReader::read_budget);
        if (key == "pane") {
            uint64_t pane;
            if (!read_count(node, pane) || pane > static_cast<uint64_t>(kMaxPane))
                return no_value(node, "a number from 0 to 9999");
            out_.pane = static_cast<int64_t>(pane);
            return {};
        }
        if (key == "lock_seconds") {
            uint64_t seconds;
            if (!read_count(node, seconds) || seconds > kMaxLockSeconds)
                return no_value(node, "a number from 0 to 3600");
            out_.lock_seconds = static_cast<uint32_t>(seconds);
            return {};
        }
        if (key == "auto_generate") return read_switch(node, out_.auto_generate);
        if (key == "track_efficiency") return read_switch(node, out_.track_efficiency);
        if (key == "auto_cleanup") return read_switch(node, out_.auto_cleanup);
        return no_setting(node,
                          ": none of default_depth, budgets, auto_generate, track_efficiency, "
                          "auto_cleanup, lock_seconds, pane");
    }

    Status read_budget(uint32_t node) {
        const std::string_view key = tree().key(node);
        const int32_t depth = find_depth(key);
        if (depth < 0) return no_setting(node, ": none of minimal, standard, deep");
        uint64_t tokens;
        if (!read_count(node, tokens) || !tokens)
            return no_value(node, "a number of tokens from 1");
        out_.budgets[depth] = tokens;
        return {};
    }

    Status read_switch(uint32_t node, bool &out) {
        scratch_.clear();
        if (!is_plain(node)) return no_value(node, "true or false");
        const value::PlainScalar plain = value::resolve_plain(text(node), scratch_);
        if (plain.kind != ACCP_BOOL) return no_value(node, "true or false");
        out = plain.is_true;
        return {};
    }
    bool read_count(uint32_t node, uint64_t &out) {
        return is_plain(node) && value::read_plain_count(text(node), out);
    }

    Status no_setting(uint32_t node, std::string_view why) {
        return fail(
            ACCP_E1004, yaml_.origin(node).key,
            interned_text({"context: ", tree().key(node), why}, "context: no such setting"));
    }
    Status no_value(uint32_t node, std::string_view what) {
        return refuse(node, interned_text({"context: ", tree().key(node), " is ", what},
                                          "context: no such value"));
    }
    Status refuse(uint32_t node, const char *message) {
        return fail(ACCP_E1004, yaml_.origin(node).value, message);
    }
    bool is_plain(uint32_t node) const {
        return tree()[node].kind == ACCP_STRING && (tree()[node].flags & value::kPlainScalar);
    }
    bool is_null(uint32_t node) const { return is_plain(node) && value::is_plain_null(text(node)); }
    std::string_view text(uint32_t node) const { return tree().string(node); }
    value::TreeView tree() const { return value_.view(); }

    value::YamlReader yaml_;
    value::Value value_;
    Buffer<char> scratch_;
    PaneSettings &out_;
};

}  // namespace

int32_t find_depth(std::string_view name) {
    for (const DepthName &each : kDepths)
        if (each.name == name) return each.depth;
    return -1;
}

Status read_settings(std::string_view text, Memory &memory, PaneSettings &out) {
    PaneSettings read = out;
    Status status = SettingsReader(memory, read).read(text);
    if (status.ok()) out = read;
    return status;
}

}  // namespace accp::panes
