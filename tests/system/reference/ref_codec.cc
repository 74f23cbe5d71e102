// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reference codec. Maps are sorted by their written keys. For every array a table is tried,
// from the outside in.
#include "reference/ref_codec.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "reference/ref_q1.h"

namespace accp_ref {
namespace {

struct Refusal {
    int status;
};

template <class T>
T or_refuse(std::optional<T> value, int status) {
    if (!value) throw Refusal{status};
    return *value;
}

// Returns the depth of nested arrays and objects; 0 for a scalar.
size_t depth_of(const Json &value) {
    size_t deepest = 0;
    for (const Json &item : value.items) deepest = std::max(deepest, depth_of(item));
    for (const auto &member : value.members) deepest = std::max(deepest, depth_of(member.second));
    return value.kind == JsonKind::kArray || value.is_object() ? deepest + 1 : 0;
}

std::set<std::string> keys_of(const Json &object) {
    std::set<std::string> keys;
    for (const auto &member : object.members) keys.insert(member.first);
    return keys;
}

// mid, cid, aid and sid are strings, whatever they look like.
bool is_text_field(const std::string &key) {
    return key == "mid" || key == "cid" || key == "aid" || key == "sid";
}

bool is_field_text(const std::pair<std::string, Json> &member) {
    return is_text_field(member.first) && member.second.kind == JsonKind::kString;
}

// Of the metadata: never quoted or escaped.
std::string plain_field_text(const std::string &text) {
    for (char c : text)
        if (c < 0x21 || c > 0x7E || std::strchr("@>:{}[]|$,~\\", c)) throw Refusal{1004};
    return text.empty() ? throw Refusal{1004} : text;
}

class Writer {
public:
    explicit Writer(const Codec &codec) : codec_(codec) {}

    // removes: write entries with null so that a peer which reads compat removes them (decision
    // A35).
    std::string entries(const Json &object, char separator, KeyRule rule, size_t depth, bool sorted,
                        bool removes = false) const {
        std::vector<std::pair<std::string, std::string>> written;
        for (const auto &member : object.members) {
            const std::string key = or_refuse(write_key(member.first, rule), 1004);
            const Json &of = member.second;
            std::string text;
            if (removes && of.kind == JsonKind::kString && of.text == "null") text = "\"null\"";
            else if (rule.payload_level && key == "delta" && of.is_object() && depth)
                text = "{" + entries(of, ',', {}, depth - 1, true, true) + "}";
            else if (separator == ',' && !sorted && is_field_text(member))
                text = plain_field_text(of.text);
            else text = value(of, depth);
            written.emplace_back(key, text);
        }
        std::set<std::string> keys;
        for (const auto &entry : written) {
            if (!keys.insert(entry.first).second) throw Refusal{1001};
        }
        if (sorted) std::sort(written.begin(), written.end());
        std::string out;
        for (const auto &entry : written) {
            if (!out.empty()) out += separator;
            out += entry.first + ":" + entry.second;
        }
        return out;
    }

    // depth: how many levels of containers are permitted from here on.
    std::string value(const Json &json, size_t depth) const {
        switch (json.kind) {
            case JsonKind::kNull: return "~";
            case JsonKind::kTrue: return "true";
            case JsonKind::kFalse: return "false";
            case JsonKind::kNumber: return write_number(json.text);
            case JsonKind::kString:
                return or_refuse(codec_.w1 ? write_text_w1(json.text, codec_.u8)
                                           : write_text(json.text, codec_.u8),
                                 1004);
            default: break;
        }
        if (depth == 0) throw Refusal{1004};
        if (json.is_object()) return "{" + entries(json, ',', {}, depth - 1, true) + "}";
        if (codec_.t1 && is_table(json, depth)) return table(json, depth);
        return "[" + list(json.items, depth - 1) + "]";
    }

private:
    std::string list(const std::vector<Json> &items, size_t depth) const {
        std::string out;
        for (const Json &item : items) out += (out.empty() ? "" : ",") + value(item, depth);
        return out;
    }

    static bool is_table(const Json &array, size_t depth) {
        if (array.items.size() < 2 || !array.items[0].is_object()) return false;
        const std::set<std::string> keys = keys_of(array.items[0]);
        if (keys.empty() || (array.items.size() - 1) * keys.size() < 4) return false;
        size_t cells = 0;
        for (const Json &row : array.items) {
            if (!row.is_object() || keys_of(row) != keys) return false;
            cells = std::max(cells, depth_of(row) - 1);
        }
        return 3 + cells <= depth;  // the map, __rows, a row, and the contents of its cells
    }

    std::string table(const Json &array, size_t depth) const {
        const std::set<std::string> keys = keys_of(array.items[0]);
        std::string columns, rows;
        for (const std::string &key : keys) {
            columns += (columns.empty() ? "" : ",") + or_refuse(write_text(key, codec_.u8), 1004);
        }
        for (const Json &row : array.items) {
            std::vector<Json> cells;
            for (const std::string &key : keys) cells.push_back(*row.find(key));
            rows += (rows.empty() ? "[" : ",[") + list(cells, depth - 3) + "]";
        }
        return "{__cols:[" + columns + "],__rows:[" + rows + "]}";
    }

    const Codec &codec_;
};

class ValueReader {
public:
    explicit ValueReader(const Codec &codec) : codec_(codec) {}

    Json metadata(const Entries &entries) const {
        Json object = Json::object({});
        for (const auto &entry : entries) {
            std::string key = or_refuse(read_key(entry.first, {}), 1004);
            if (object.find(key)) throw Refusal{1001};
            object.members.emplace_back(std::move(key), is_text_field(entry.first)
                                                            ? field_text(entry.second)
                                                            : value(entry.second));
        }
        return object;
    }

    Json entries(const Entries &entries, KeyRule rule) const {
        Json object = Json::object({});
        for (const auto &entry : entries) {
            std::string key = or_refuse(read_key(entry.first, rule), 1004);
            if (object.find(key)) throw Refusal{1001};
            object.members.emplace_back(std::move(key), value(entry.second));
        }
        return object;
    }

private:
    // A string that is read unchanged, whatever it looks like.
    Json field_text(const Value &value) const {
        switch (value.kind) {
            case Kind::kBool: return Json::string(value.truth ? "true" : "false");
            case Kind::kInt:
            case Kind::kDec: return Json::string(value.text);
            case Kind::kString: return Json::string(plain_field_text(value.text));
            default: return this->value(value);
        }
    }

    Json value(const Value &value) const {
        switch (value.kind) {
            case Kind::kNull: return Json();
            case Kind::kBool:
                return Json{value.truth ? JsonKind::kTrue : JsonKind::kFalse, {}, {}, {}};
            case Kind::kInt:
            case Kind::kDec: return Json::number(value.text);
            case Kind::kString: return string(value.text);
            case Kind::kRef: throw Refusal{2001};
            case Kind::kArray: return array(value.items);
            case Kind::kMap: break;
        }
        for (const auto &entry : value.entries) {
            if (codec_.t1 && (entry.first == "__cols" || entry.first == "__rows"))
                return table(value.entries);
        }
        return entries(value.entries, {});
    }

    Json string(const std::string &text) const {
        return string(codec_.w1 ? read_text_w1(text) : read_text(text));
    }

    static Json string(const ReadText &read) {
        if (read.kind == ReadText::kMalformed) throw Refusal{1001};
        return read.kind == ReadText::kNumber ? Json::number(read.text) : Json::string(read.text);
    }

    Json array(const std::vector<Value> &items) const {
        Json array = Json::array({});
        for (const Value &item : items) array.items.push_back(value(item));
        return array;
    }

    Json table(const Entries &entries) const {
        std::map<std::string, const Value *> members;
        for (const auto &entry : entries) members[entry.first] = &entry.second;
        const Value *cols = members["__cols"], *rows = members["__rows"];
        if (members.size() != 2 || !cols || !rows || cols->kind != Kind::kArray ||
            rows->kind != Kind::kArray)
            throw Refusal{1004};
        std::vector<std::string> keys;
        for (const Value &column : cols->items) {
            const Json key = column.kind == Kind::kString ? string(read_text(column.text)) : Json();
            if (key.kind != JsonKind::kString) throw Refusal{1004};
            if (std::find(keys.begin(), keys.end(), key.text) != keys.end()) throw Refusal{1001};
            keys.push_back(key.text);
        }
        Json out = Json::array({});
        for (const Value &row : rows->items) {
            if (row.kind != Kind::kArray || row.items.size() != keys.size()) throw Refusal{1004};
            Json object = Json::object({});
            for (size_t i = 0; i < keys.size(); ++i)
                object.members.emplace_back(keys[i], value(row.items[i]));
            out.items.push_back(std::move(object));
        }
        return out;
    }

    const Codec &codec_;
};

template <class Work>
Coded guarded(Work work) {
    try {
        return {work(), 0};
    } catch (const Refusal &refusal) {
        return {std::nullopt, refusal.status};
    }
}

}  // namespace

Coded write_value(const Json &value, const Codec &codec) {
    return guarded([&] { return Writer(codec).value(value, codec.limits.depth); });
}

Coded write_message(const Json &message, const Codec &codec) {
    return guarded([&] {
        const Writer writer(codec);
        const size_t depth = codec.limits.depth;
        std::string out = "@" + message.find("agent")->text + ">" + message.find("intent")->text +
                          ":" + message.find("operation")->text + "{";
        const Json &payload = *message.find("payload");
        const bool text = payload.kind == JsonKind::kString;
        out += (text ? "___:" + writer.value(payload, depth)
                     : writer.entries(payload, '|', {true, codec.abbreviate}, depth, false)) +
               "}";
        const Json *meta = message.find("meta");
        if (meta && !meta->members.empty())
            out += "[" + writer.entries(*meta, ',', {}, depth, false) + "]";
        return out;
    });
}

Json without_empty_meta(Json message) {
    message.members.remove_if([](const auto &member) {
        return member.first == "meta" && member.second == Json::object({});
    });
    return message;
}

Coded read_message(std::string_view frame, const Codec &codec) {
    const Parsed parsed =
        parse_frame(frame, codec.u8 ? Dialect::kU8 : Dialect::kStrict, codec.limits);
    if (!parsed.frame) return {std::nullopt, 1001};
    return guarded([&] {
        const ValueReader reader(codec);
        const Entries &params = parsed.frame->payload;
        Json payload = reader.entries(params, {true, codec.abbreviate});
        if (params.size() == 1 && params.front().first == "___" &&
            payload.members.front().second.kind == JsonKind::kString)
            payload = Json(payload.members.front().second);
        Json message = Json::object({{"agent", Json::string(parsed.frame->agent)},
                                     {"intent", Json::string(parsed.frame->intent)},
                                     {"operation", Json::string(parsed.frame->operation)},
                                     {"payload", payload}});
        if (parsed.frame->meta)
            message.members.emplace_back("meta", reader.metadata(*parsed.frame->meta));
        return write_json(message);
    });
}

Json normal(Json value) {
    for (Json &item : value.items) item = normal(item);
    for (auto &member : value.members) member.second = normal(member.second);
    value.members.sort([](const auto &a, const auto &b) { return a.first < b.first; });
    if (value.kind == JsonKind::kNumber) {
        const std::string written = write_number(value.text);
        value.text = written[0] == '=' ? written.substr(1) : written;
    }
    return value;
}

}  // namespace accp_ref
