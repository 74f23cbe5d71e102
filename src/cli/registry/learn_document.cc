// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/registry/learn_document.h"

#include "cli/host.h"

namespace cli {
namespace {

std::string without_quotes(const std::string &json) {
    return json.size() < 2 ? json : json.substr(1, json.size() - 2);
}

std::string quoted(const std::string &word) { return "\"" + word + "\""; }

// Joins the texts that `write` makes of each item.
template <class Items, class Write>
std::string joined(const Items &items, const char *between, Write write) {
    std::string out;
    for (const auto &item : items) out.append(out.empty() ? "" : between).append(write(item));
    return out;
}

std::string schema_json(const LearnedSchema &schema) {
    std::string out = quoted(schema.name) + ":{\"code\":" + quoted(schema.code) +
                      ",\"version\":1,\"bind\":[" + joined(schema.bind, ",", quoted) +
                      "],\"fields\":[" +
                      joined(schema.fields, ",", [](const auto &field) { return field; }) + "]";
    if (!schema.defaults.empty())
        out += ",\"defaults\":{" +
               joined(schema.defaults, ",",
                      [](const auto &entry) { return entry.first + ":" + entry.second; }) +
               "}";
    if (!schema.types.empty())
        out += ",\"types\":{" +
               joined(schema.types, ",",
                      [](const auto &entry) { return entry.first + ":" + quoted(entry.second); }) +
               "}";
    return out + "}";
}

}  // namespace

std::vector<LearnMember> members_of(std::string_view json) {
    std::vector<LearnMember> members;
    if (json.size() < 3 || json[0] != '{') return members;
    for (size_t at = 1; at < json.size();) {
        const size_t end = member_end(json, at);
        const std::string_view member = json.substr(at, end - at), value = member_value(member);
        members.push_back(
            {std::string(member.substr(0, member.size() - value.size() - 1)), std::string(value)});
        at = end + 1;
    }
    return members;
}

accp_status LearnReader::read(std::string_view line, LearnMessage &out, accp_error &err) {
    accp_text text = {};
    std::string wire(line);
    accp_status status = ACCP_OK;
    if (line.empty() || line[0] != '@') {
        status = accp_codec_encode(codec_.get(), line.data(), line.size(), &text, &err);
        if (status != ACCP_OK) return status;
        wire.assign(text.text, text.len);
    }
    status = accp_codec_decode(codec_.get(), wire.data(), wire.size(), &text, &err);
    if (status != ACCP_OK) return status;
    out = {};
    out.json.assign(text.text, text.len);
    for (const LearnMember &member : members_of(out.json)) {
        if (member.key == "\"intent\"") out.intent = without_quotes(member.value);
        if (member.key == "\"operation\"") out.operation = without_quotes(member.value);
        if (member.key == "\"payload\"") out.payload = members_of(member.value);
    }
    const std::string *schema = out.find("\"schema\"");
    if (schema == nullptr || (*schema)[0] != '"') return ACCP_OK;
    err = {};
    err.code = ACCP_E1003;
    err.message =
        "the message names its schema, which a learned document does not have; learn from "
        "messages without a schema";
    return err.code;
}

std::string LearnedDocument::json() const {
    std::string out = "{\"version\":1,";
    if (!aliases.empty())
        out += "\"aliases\":{" +
               joined(aliases, ",",
                      [](const auto &entry) { return quoted(entry.second) + ":" + entry.first; }) +
               "},";
    return out + "\"schemas\":{" + (schemas.empty() ? "" : "\n") +
           joined(schemas, ",\n", schema_json) + "}}";
}

}  // namespace cli
