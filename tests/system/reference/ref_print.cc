// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The canonical form and the typed JSON of a frame.
#include "reference/ref_print.h"

namespace accp_ref {
namespace {

struct NoForm {
    size_t offset;
};

std::string number(const Value &value) {
    if (value.kind == Kind::kInt) return value.text;
    std::string text = value.text;
    while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
    if (text.size() - text.find('.') - 1 > 6) throw NoForm{value.offset};
    return text == "-0.0" ? "0.0" : text;
}

std::string print(const Value &value);

std::string print(const Entries &entries, char separator) {
    std::string out;
    for (const auto &entry : entries) {
        if (!out.empty()) out += separator;
        out += entry.first + ":" + print(entry.second);
    }
    return out;
}

std::string print_map(Entries entries) {
    entries.sort([](const auto &a, const auto &b) { return a.first < b.first; });
    return "{" + print(entries, ',') + "}";
}

std::string print_array(const std::vector<Value> &items) {
    std::string out;
    for (const Value &item : items) out += (out.empty() ? "" : ",") + print(item);
    return "[" + out + "]";
}

std::string print(const Value &value) {
    switch (value.kind) {
        case Kind::kNull: return "~";
        case Kind::kBool: return value.text;
        case Kind::kInt:
        case Kind::kDec: return number(value);
        case Kind::kString: return escape(value.text);
        case Kind::kRef: return "$" + value.text;
        case Kind::kArray: return print_array(value.items);
        case Kind::kMap: return print_map(value.entries);
    }
    return {};
}

Json typed(const Value &value);

Json typed_map(const Entries &entries) {
    Json pairs = Json::array({});
    for (const auto &entry : entries)
        pairs.items.push_back(Json::array({Json::string(entry.first), typed(entry.second)}));
    return Json::object({{"map", pairs}});
}

Json typed(const Value &value) {
    switch (value.kind) {
        case Kind::kNull: return Json::object({{"null", Json()}});
        case Kind::kBool:
            return Json::object(
                {{"bool", Json{value.truth ? JsonKind::kTrue : JsonKind::kFalse, {}, {}, {}}}});
        case Kind::kInt: return Json::object({{"int", Json::string(value.text)}});
        case Kind::kDec: return Json::object({{"dec", Json::string(value.text)}});
        case Kind::kString: return Json::object({{"str", Json::string(value.text)}});
        case Kind::kRef: return Json::object({{"ref", Json::string(value.text)}});
        case Kind::kMap: return typed_map(value.entries);
        case Kind::kArray: break;
    }
    Json items = Json::array({});
    for (const Value &item : value.items) items.items.push_back(typed(item));
    return Json::object({{"array", items}});
}

}  // namespace

std::string escape(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("@>:{}[]|$,~\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

Canonical canonical(const Frame &frame) {
    try {
        std::string out = "@" + frame.agent + ">" + frame.intent + ":" + frame.operation + "{" +
                          print(frame.payload, '|') + "}";
        if (frame.meta) out += "[" + print(*frame.meta, ',') + "]";
        return {out, 0};
    } catch (const NoForm &none) {
        return {std::nullopt, none.offset};
    }
}

Json typed(const Frame &frame) {
    return Json::object({{"agent", Json::string(frame.agent)},
                         {"intent", Json::string(frame.intent)},
                         {"operation", Json::string(frame.operation)},
                         {"payload", typed_map(frame.payload)},
                         {"meta", frame.meta ? typed_map(*frame.meta) : Json()}});
}

}  // namespace accp_ref
