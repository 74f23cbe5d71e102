// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See bare_text.h.
#include "reference/bare_text.h"

#include <algorithm>

#include "reference/ref_print.h"

namespace accp_ref {
namespace {

const std::pair<const char *, const char *> kAbbreviations[] = {
    {"data", "d"},
    {"findings", "f"},
    {"next_action", "nx"},
    {"source", "src"},
    {"destination", "dst"},
    {"query", "q"},
    {"format", "fmt"},
    {"priority", "pri"},
    {"error", "err"},
    {"version", "v"},
    {"timestamp", "ts"},
    {"time_to_live", "ttl"},
    {"context_reference", "ctx"},
    {"target", "who"},
    {"temporal_constraint", "when"},
    {"rationale_code", "why"},
};
constexpr size_t kMaxDepth = 5, kMaxPlaces = 6;

struct NoSpelling {};

bool all_in(std::string_view text, std::string_view more) {
    for (char c : text)
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
            more.find(c) == std::string_view::npos)
            return false;
    return !text.empty();
}

// `@strategy:plan` and `@dev`, which the examples do not escape.
bool is_bare_name(std::string_view text) {
    if (text.empty() || text[0] != '@') return false;
    const size_t colon = std::min(text.find(':'), text.size());
    return all_in(text.substr(1, colon - 1), "-_") &&
           (colon == text.size() || all_in(text.substr(colon + 1), "_"));
}

// `churn:+3.2%` in an array.
bool is_bare_pair(std::string_view text) {
    const size_t colon = text.find(':');
    return colon != std::string_view::npos && all_in(text.substr(0, colon), "_") &&
           all_in(text.substr(colon + 1), "_+-.%");
}

class BareWriter {
public:
    explicit BareWriter(Spelling spelling) : loose_(spelling == Spelling::kExamples) {}

    std::string payload(const Json &object) const {
        std::string out;
        for (const auto &member : object.members) {
            if (!out.empty()) out += "|";
            out += key(abbreviated(member.first)) + ":" + value(member.second, kMaxDepth, false);
        }
        return out;
    }

private:
    static std::string abbreviated(const std::string &name) {
        for (const auto &pair : kAbbreviations) {
            if (name == pair.first) return pair.second;
            if (name == pair.second) throw NoSpelling();  // it would come back as another key
        }
        return name;
    }

    static const std::string &key(const std::string &name) {
        return all_in(name, "_") ? name : throw NoSpelling();
    }

    std::string value(const Json &json, size_t depth, bool in_array) const {
        switch (json.kind) {
            case JsonKind::kNull: return "~";
            case JsonKind::kTrue: return "true";
            case JsonKind::kFalse: return "false";
            case JsonKind::kNumber: return number(json.text);
            case JsonKind::kString: return string(json.text, in_array);
            default: break;
        }
        if (depth == 0) throw NoSpelling();
        return json.is_object() ? "{" + map(json, depth - 1) + "}"
                                : "[" + list(json, depth - 1) + "]";
    }

    std::string map(const Json &object, size_t depth) const {
        Members sorted = object.members;
        sorted.sort([](const auto &a, const auto &b) { return a.first < b.first; });
        std::string out;
        for (const auto &member : sorted)
            out += (out.empty() ? "" : ",") + key(member.first) + ":" +
                   value(member.second, depth, false);
        return out;
    }

    std::string list(const Json &array, size_t depth) const {
        std::string out;
        for (const Json &item : array.items)
            out += (out.empty() ? "" : ",") + value(item, depth, true);
        return out;
    }

    static std::string number(std::string text) {
        if (is_integer(text)) return text;
        if (!is_decimal(text)) throw NoSpelling();
        while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
        if (text.size() - text.find('.') - 1 > kMaxPlaces) throw NoSpelling();
        return text;
    }

    std::string string(const std::string &text, bool in_array) const {
        for (char c : text)
            if (c < 0x21 || c > 0x7E) throw NoSpelling();
        if (text.empty() || text == "true" || text == "false" || is_integer(text) ||
            is_decimal(text))
            throw NoSpelling();
        if (loose_ && (in_array ? is_bare_pair(text) : is_bare_name(text))) return text;
        return escape(text);
    }

    const bool loose_;
};

Json read_value(const Value &value);

Json read_map(const Entries &entries) {
    Json object = Json::object({});
    for (const auto &entry : entries)
        object.members.emplace_back(entry.first, read_value(entry.second));
    return object;
}

Json read_value(const Value &value) {
    switch (value.kind) {
        case Kind::kNull: return Json();
        case Kind::kBool: return Json{value.truth ? JsonKind::kTrue : JsonKind::kFalse, {}, {}, {}};
        case Kind::kInt:
        case Kind::kDec: return Json::number(value.text);
        case Kind::kString: return Json::string(value.text);
        case Kind::kRef: return Json::string("$" + value.text);
        case Kind::kMap: return read_map(value.entries);
        case Kind::kArray: break;
    }
    Json array = Json::array({});
    for (const Value &item : value.items) array.items.push_back(read_value(item));
    return array;
}

}  // namespace

std::optional<std::string> write_bare(const Json &message, const std::string &metadata,
                                      Spelling spelling) {
    try {
        return "@" + message.find("agent")->text + ">" + message.find("intent")->text + ":" +
               message.find("operation")->text + "{" +
               BareWriter(spelling).payload(*message.find("payload")) + "}[" + metadata + "]";
    } catch (const NoSpelling &) {
        return std::nullopt;
    }
}

Json read_bare(const Frame &frame) {
    Json payload = read_map(frame.payload);
    for (auto &member : payload.members)
        for (const auto &pair : kAbbreviations)
            if (member.first == pair.second) {
                member.first = pair.first;
                break;
            }
    return Json::object({{"agent", Json::string(frame.agent)},
                         {"intent", Json::string(frame.intent)},
                         {"operation", Json::string(frame.operation)},
                         {"payload", payload}});
}

std::string field_of(const Frame &frame, const std::string &name) {
    if (frame.meta)
        for (const auto &entry : *frame.meta)
            if (entry.first == name) return entry.second.text;
    return {};
}

}  // namespace accp_ref
