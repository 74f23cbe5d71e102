// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mapping.h: from SACP.
#include "base/text.h"
#include "sacp/message/mapping.h"
#include "value/json_writer.h"

namespace accp::plan {

namespace {

constexpr uint32_t kMaxDepth = 5;  // of containers in one member, as frames allow by default

struct AccpCode {
    std::string_view code;
    bool retryable;
};
constexpr AccpCode kAccpCodes[] = {
    {"", false},
#define ACCP_SACP_CODE(name, accp_code, retryable) {#accp_code, retryable},
#include "sacp/message/codes.def"
#undef ACCP_SACP_CODE
};

// An ERR object with one of our codes; kNone: it is none.
Code code_of_error(value::TreeView tree, uint32_t error) {
    if (tree[error].kind != ACCP_MAP) return Code::kNone;
    const uint32_t status = tree.find(error, "status"), code = tree.find(error, "code"),
                   details = tree.find(error, "details");
    if (!status || !code || !details || tree[status].kind != ACCP_STRING ||
        tree.string(status) != "ERR" || tree[code].kind != ACCP_STRING ||
        tree[details].kind != ACCP_STRING)
        return Code::kNone;
    return find_code(tree.string(code));
}

}  // namespace

void Mapper::begin(std::string_view agent, const char *intent, std::string_view operation,
                   Buffer<char> &out) {
    deep_.clear();
    first_ = true;
    out.append("{\"agent\":");
    value::write_json_string(agent, out);
    out.append(",\"intent\":\"");
    out.append(intent);
    out.append("\",\"operation\":\"");
    out.append(operation);
    out.append("\",\"payload\":{");
}

void Mapper::end(Buffer<char> &out) {
    if (!deep_.empty()) {
        key("deep", out);
        out.push('{');
        out.append(deep_.view());
        out.push('}');
    }
    out.append("}}");
}

void Mapper::key(std::string_view name, Buffer<char> &out) {
    if (!first_) out.push(',');
    first_ = false;
    value::write_json_string(name, out);
    out.push(':');
}

void Mapper::write_member(std::string_view name, std::string_view json, Buffer<char> &out) {
    if (!find_too_deep(json, kMaxDepth)) {
        key(name, out);
        return out.append(json);
    }
    if (!deep_.empty()) deep_.push(',');
    value::write_json_string(name, deep_);
    deep_.push(':');
    value::write_json_string(json, deep_);
}

void Mapper::write_node(uint32_t node, Buffer<char> &out) {
    text_.clear();
    value::write_json(tree(), node, text_);
    write_member(tree().key(node), text_.view(), out);
}

void Mapper::write_rest(uint32_t parent, std::initializer_list<std::string_view> without,
                        Buffer<char> &out) {
    for (uint32_t i = parent + 1; i < tree()[parent].next; i = tree()[i].next)
        if (!is_among(tree().key(i), without)) write_node(i, out);
}

// Has an object none of the names that the payload has a meaning for?
bool Mapper::has_free_names(uint32_t parent, std::initializer_list<std::string_view> taken,
                            Verdict &verdict) {
    for (uint32_t i = parent + 1; i < tree()[parent].next; i = tree()[i].next)
        if (is_among(tree().key(i), taken))
            return refuse(verdict, "a member of this name has no place in a message of ACCP", i);
    return true;
}

bool Mapper::to_accp(std::string_view sacp, std::string_view agent, uint64_t max_bytes,
                     Buffer<char> &out, Verdict &verdict) {
    verdict.clear();
    if (!read_json(reader_, sacp, max_bytes, value_, verdict)) return false;
    if (tree()[0].kind != ACCP_MAP) return refuse(verdict, "a message is an object", 0);
    if (tree().find(0, "g")) return message_to(agent, out, verdict);
    if (const uint32_t status = tree().find(0, "status"))
        return status_to(status, agent, out, verdict);
    if (tree().find(0, "query") || tree().find(0, "agents")) return lookup_to(agent, out, verdict);
    return message_to(agent, out, verdict);  // which says what is missing
}

bool Mapper::message_to(std::string_view agent, Buffer<char> &out, Verdict &verdict) {
    if (!speller_.check(tree(), none_, &reader_, verdict)) return false;
    const Scope &message = speller_.message();
    const std::string_view state =
        message.node(kState) ? tree().string(message.node(kState)) : std::string_view();
    const uint32_t result = message.node(kResult);
    const uint32_t error = state == "FAILED" && result ? tree().find(result, "error") : 0;
    const bool known_error = error && code_of_error(tree(), error) != Code::kNone;
    const char *intent = state == "IN_PROGRESS" ? "wait"
                         : state == "DONE"      ? "done"
                         : state == "FAILED"    ? "fail"
                                                : "req";
    begin(agent, intent, known_error ? "error" : message.spawns ? "route" : "execute", out);
    key("schema", out);
    out.append(known_error ? "\"ER\"" : "\"SM\"");
    if (known_error) write_error(error, out);
    for (uint32_t i = 0; i < kMembers; ++i) {
        const auto member = static_cast<Member>(i);
        const uint32_t node = message.node(member);
        if (!node || (member == kOutFmt && tree().string(node) == "raw") ||
            (member == kState && *intent != 'r'))
            continue;
        if (member == kResult && known_error) {
            write_failed_result(result, error, out);
            continue;
        }
        text_.clear();
        speller_.write_own_member(member, text_);
        write_member(member_name(member), text_.view(), out);
    }
    end(out);
    return true;
}

// The members of schema ER that say what an ERR says.
void Mapper::write_error(uint32_t error, Buffer<char> &out) {
    const AccpCode &code = kAccpCodes[static_cast<size_t>(code_of_error(tree(), error))];
    key("code", out);
    value::write_json_string(code.code, out);
    key("msg", out);
    value::write_json(tree(), tree().find(error, "details"), out);
    key("retry", out);
    out.append(code.retryable ? "true" : "false");
    key("detail", out);
    value::write_json(tree(), tree().find(error, "code"), out);
}

// What the result says beside the error that stands in the payload already.
void Mapper::write_failed_result(uint32_t result, uint32_t error, Buffer<char> &out) {
    const value::TreeView all = tree();
    text_.clear();
    for (uint32_t i = result + 1; i < all[result].next; i = all[i].next) {
        const size_t before = text_.size();
        text_.push(text_.empty() ? '{' : ',');
        value::write_json_string(all.key(i), text_);
        text_.push(':');
        if (i != error) {
            value::write_json(all, i, text_);
            continue;
        }
        char separator = '{';
        for (uint32_t j = error + 1; j < all[error].next; j = all[j].next) {
            if (is_among(all.key(j), {"status", "code", "details"})) continue;
            text_.push(separator);
            separator = ',';
            value::write_json_string(all.key(j), text_);
            text_.push(':');
            value::write_json(all, j, text_);
        }
        if (separator == '{') text_.resize_down(before);
        else text_.push('}');
    }
    if (text_.empty()) return;
    text_.push('}');
    write_member("result", text_.view(), out);
}

bool Mapper::status_to(uint32_t status, std::string_view agent, Buffer<char> &out,
                       Verdict &verdict) {
    const std::string_view word =
        tree()[status].kind == ACCP_STRING ? tree().string(status) : std::string_view();
    if (word == "ERR") {
        if (code_of_error(tree(), 0) == Code::kNone)
            return refuse(verdict, "an ERR has a code of SACP, and details, a string", status);
        if (!has_free_names(0, {"schema", "deep", "msg", "retry", "detail", "g"}, verdict))
            return false;
        begin(agent, "fail", "error", out);
        key("schema", out);
        out.append("\"ER\"");
        write_error(0, out);
        write_rest(0, {"status", "code", "details"}, out);
    } else if (word == "VALID" || word == "REQ_CLARIFY") {
        if (!has_free_names(0, {"schema", "deep"}, verdict)) return false;
        if (word == "VALID") begin(agent, "ack", "execute", out);
        else begin(agent, "qry", "clarify", out);
        write_rest(0, {"status"}, out);
    } else {
        return refuse(verdict, "a status is VALID, ERR or REQ_CLARIFY", status);
    }
    end(out);
    return true;
}

bool Mapper::lookup_to(std::string_view agent, Buffer<char> &out, Verdict &verdict) {
    const uint32_t query = tree().find(0, "query");
    if (query && (tree()[query].kind != ACCP_MAP || tree()[0].len != 1))
        return refuse(verdict, "a query is {\"query\":{…}}", query);
    if (!has_free_names(query, {"schema", "deep"}, verdict)) return false;
    begin(agent, query ? "qry" : "done", "lookup", out);
    key("schema", out);
    out.append("\"CAP\"");
    write_rest(query, {}, out);
    end(out);
    return true;
}

}  // namespace accp::plan
