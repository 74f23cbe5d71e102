// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Both directions of the mapping between SACP and ACCP.
#include "sacp/message/mapping.h"

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr uint32_t kMaxDepth = 5;  // containers in one member; the default limit of frames

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

// Returns the code of an ERR object, or kNone if it is not one.
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

// The SACP code for an ACCP error (R63); any other code means MALFORMED_MESSAGE.
struct AccpToSacpCode {
    std::string_view accp;
    Code code;
};
constexpr AccpToSacpCode kAccpToSacpCodes[] = {{"E1003", Code::kUNSUPPORTED_VERSION},
                                               {"E1004", Code::kINVALID_TYPE},
                                               {"E2001", Code::kMISSING_FIELD},
                                               {"E2002", Code::kMISSING_FIELD},
                                               {"E2003", Code::kLIMIT},
                                               {"E3001", Code::kTIMEOUT},
                                               {"E4001", Code::kUNKNOWN_TOOL},
                                               {"E4002", Code::kTOOL_FAILED},
                                               {"E4003", Code::kVERB_TOOL_MISMATCH},
                                               {"E5001", Code::kNO_AGENT},
                                               {"E5002", Code::kNO_AGENT}};

}  // namespace

void Mapper::begin_payload(std::string_view agent, const char *intent, std::string_view operation,
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

void Mapper::end_payload(Buffer<char> &out) {
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

void Mapper::write_other_members(uint32_t parent, std::initializer_list<std::string_view> without,
                                 Buffer<char> &out) {
    for (uint32_t i = parent + 1; i < tree()[parent].next; i = tree()[i].next)
        if (!is_among(tree().key(i), without)) write_node(i, out);
}

// Refuses members whose names the payload uses itself.
bool Mapper::has_no_reserved_names(uint32_t parent, std::initializer_list<std::string_view> taken,
                                   Verdict &verdict) {
    for (uint32_t i = parent + 1; i < tree()[parent].next; i = tree()[i].next)
        if (is_among(tree().key(i), taken))
            return refuse(verdict, "a member of this name cannot be mapped to ACCP", i);
    return true;
}

bool Mapper::to_accp(std::string_view sacp, std::string_view agent, uint64_t max_bytes,
                     Buffer<char> &out, Verdict &verdict) {
    verdict.clear();
    if (!read_json(reader_, sacp, max_bytes, value_, verdict)) return false;
    if (tree()[0].kind != ACCP_MAP) return refuse(verdict, "a message is an object", 0);
    if (tree().find(0, "g")) return write_accp_message(agent, out, verdict);
    if (const uint32_t status = tree().find(0, "status"))
        return write_accp_status(status, agent, out, verdict);
    if (tree().find(0, "query") || tree().find(0, "agents"))
        return write_accp_lookup(agent, out, verdict);
    return write_accp_message(agent, out, verdict);  // refuses it with what is missing
}

bool Mapper::write_accp_message(std::string_view agent, Buffer<char> &out, Verdict &verdict) {
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
    begin_payload(agent, intent,
                  known_error                ? "error"
                  : message.is_spawn_request ? "route"
                                             : "execute",
                  out);
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
    end_payload(out);
    return true;
}

// Writes the members of schema ER for an ERR object.
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

// Writes the members of the result other than the error, which the payload already has.
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

bool Mapper::write_accp_status(uint32_t status, std::string_view agent, Buffer<char> &out,
                               Verdict &verdict) {
    const std::string_view word =
        tree()[status].kind == ACCP_STRING ? tree().string(status) : std::string_view();
    if (word == "ERR") {
        if (code_of_error(tree(), 0) == Code::kNone)
            return refuse(verdict, "an ERR must have a code of SACP, and details, a string",
                          status);
        if (!has_no_reserved_names(0, {"schema", "deep", "msg", "retry", "detail", "g"}, verdict))
            return false;
        begin_payload(agent, "fail", "error", out);
        key("schema", out);
        out.append("\"ER\"");
        write_error(0, out);
        write_other_members(0, {"status", "code", "details"}, out);
    } else if (word == "VALID" || word == "REQ_CLARIFY") {
        if (!has_no_reserved_names(0, {"schema", "deep"}, verdict)) return false;
        if (word == "VALID") begin_payload(agent, "ack", "execute", out);
        else begin_payload(agent, "qry", "clarify", out);
        write_other_members(0, {"status"}, out);
    } else {
        return refuse(verdict, "status must be VALID, ERR or REQ_CLARIFY", status);
    }
    end_payload(out);
    return true;
}

bool Mapper::write_accp_lookup(std::string_view agent, Buffer<char> &out, Verdict &verdict) {
    const uint32_t query = tree().find(0, "query");
    if (query && (tree()[query].kind != ACCP_MAP || tree()[0].len != 1))
        return refuse(verdict, "a query must be {\"query\":{…}}", query);
    if (!has_no_reserved_names(query, {"schema", "deep"}, verdict)) return false;
    begin_payload(agent, query ? "qry" : "done", "lookup", out);
    key("schema", out);
    out.append("\"CAP\"");
    write_other_members(query, {}, out);
    end_payload(out);
    return true;
}

// Appends the members of a payload to the object in text_. Members in `deep` are parsed from their
// text.
bool Mapper::add_payload(uint32_t payload, std::initializer_list<std::string_view> without,
                         Verdict &verdict) {
    const value::TreeView all = tree();
    for (uint32_t i = payload + 1; i < all[payload].next; i = all[i].next) {
        if (all.key(i) == "deep" || is_among(all.key(i), without)) continue;
        key(all.key(i), text_);
        value::write_json(all, i, text_);
    }
    const uint32_t deep = all.find(payload, "deep");
    if (!deep) return true;
    if (all[deep].kind != ACCP_MAP)
        return refuse(verdict, "deep must be an object of JSON texts", deep);
    for (uint32_t i = deep + 1; i < all[deep].next; i = all[i].next) {
        if (all[i].kind != ACCP_STRING)
            return refuse(verdict, "the members of deep must be JSON texts", i);
        if (is_among(all.key(i), without)) continue;
        if (all.find(payload, all.key(i)))
            return refuse(verdict, "a member is in the payload and in deep", i);
        if (!read_json(deep_reader_, all.string(i), max_bytes_, made_, verdict)) return false;
        key(all.key(i), text_);
        value::write_json(made_.view(), 0, text_);
    }
    return true;
}

// Refuses a member that contradicts the intent. It must be a string, so it is never in `deep`.
bool Mapper::agrees_with_intent(uint32_t payload, std::string_view name, std::string_view what,
                                Verdict &verdict) {
    const value::TreeView all = tree();
    const uint32_t deep = all.find(payload, "deep"), said = all.find(payload, name),
                   hidden = deep && all[deep].kind == ACCP_MAP ? all.find(deep, name) : 0;
    if (!hidden && (!said || (all[said].kind == ACCP_STRING && all.string(said) == what)))
        return true;
    return refuse(verdict, "the state does not match the intent", hidden ? hidden : said);
}

// Refuses names, in the payload or in `deep`, that would change the kind of the message.
bool Mapper::payload_has_none_of(uint32_t payload, std::initializer_list<std::string_view> names,
                                 Verdict &verdict) {
    const uint32_t deep = tree().find(payload, "deep");
    return has_no_reserved_names(payload, names, verdict) &&
           (!deep || tree()[deep].kind != ACCP_MAP || has_no_reserved_names(deep, names, verdict));
}

bool Mapper::from_accp(std::string_view message, uint64_t max_bytes, Buffer<char> &out,
                       Verdict &verdict) {
    verdict.clear();
    max_bytes_ = max_bytes;
    if (!read_json(reader_, message, max_bytes, value_, verdict)) return false;
    const value::TreeView all = tree();
    const uint32_t intent = all[0].kind == ACCP_MAP ? all.find(0, "intent") : 0,
                   operation = intent ? all.find(0, "operation") : 0,
                   payload = intent ? all.find(0, "payload") : 0;
    if (!operation || !payload || all[payload].kind != ACCP_MAP ||
        all[intent].kind != ACCP_STRING || all[operation].kind != ACCP_STRING)
        return refuse(verdict,
                      "a message must have an intent, an operation and a payload, an object", 0);
    const std::string_view from = all.string(intent), doing = all.string(operation);
    const auto is = [&](std::string_view a, std::string_view b) { return from == a && doing == b; };
    if (is("fail", "error")) return write_sacp_error(payload, out, verdict);
    text_.clear();
    first_ = true;
    text_.push('{');
    if (is("ack", "execute") || is("qry", "clarify")) {
        const std::string_view status = from == "ack" ? "VALID" : "REQ_CLARIFY";
        if (!agrees_with_intent(payload, "status", status, verdict) ||
            !payload_has_none_of(payload, {"g"}, verdict))
            return false;
        key("status", text_);
        value::write_json_string(status, text_);
        if (!add_payload(payload, {"schema", "status"}, verdict)) return false;
    } else if (is("qry", "lookup") || is("done", "lookup")) {
        if (from == "done" && !payload_has_none_of(payload, {"status", "g", "query"}, verdict))
            return false;
        if (from == "qry") text_.append("\"query\":{");
        if (!add_payload(payload, {"schema"}, verdict)) return false;
        if (from == "qry") text_.push('}');
    } else if (doing == "execute" || doing == "route") {
        const std::string_view state = from == "wait"   ? "IN_PROGRESS"
                                       : from == "done" ? "DONE"
                                       : from == "fail" ? "FAILED"
                                                        : "";
        if (state.empty() && from != "req")
            return refuse(verdict, "the intent does not map to a message of SACP", intent);
        return write_sacp_message(payload, state, out, verdict);
    } else {
        return refuse(verdict, "the intent and operation do not map to a message of SACP",
                      operation);
    }
    text_.push('}');
    out.append(text_.view());
    return true;
}

bool Mapper::write_sacp_message(uint32_t payload, std::string_view state, Buffer<char> &out,
                                Verdict &verdict) {
    if (!agrees_with_intent(payload, "state", state.empty() ? "PENDING" : state, verdict))
        return false;
    if (!state.empty()) {
        key("state", text_);
        value::write_json_string(state, text_);
    }
    if (!add_payload(payload,
                     state.empty() ? std::initializer_list<std::string_view>{"schema"}
                                   : std::initializer_list<std::string_view>{"schema", "state"},
                     verdict))
        return false;
    text_.push('}');
    return finish_message(out, verdict);
}

// Parses text_ and writes it in canonical form.
bool Mapper::finish_message(Buffer<char> &out, Verdict &verdict) {
    return read_json(reader_, text_.view(), kMaxTextBytes, value_, verdict) &&
           speller_.spell(tree(), none_, Spelling::kAsIs, &reader_, out, verdict);
}

// Appends an ERR object with the further members of `rest`, unless that is 0.
void Mapper::write_error_object(uint32_t payload, value::TreeView more, uint32_t rest) {
    const value::TreeView all = tree();
    const auto text_of = [&](std::string_view name) {
        const uint32_t node = all.find(payload, name);
        return node && all[node].kind == ACCP_STRING ? all.string(node) : std::string_view();
    };
    Code code = find_code(text_of("detail"));
    if (code == Code::kNone) {
        code = Code::kMALFORMED_MESSAGE;
        for (const AccpToSacpCode &known : kAccpToSacpCodes)
            if (known.accp == text_of("code")) code = known.code;
    }
    text_.append(R"({"status":"ERR","code":")");
    text_.append(code_name(code));
    text_.append(R"(","details":)");
    value::write_json_string(text_of("msg"), text_);
    first_ = false;
    for (uint32_t i = rest + 1; rest && i < more[rest].next; i = more[i].next) {
        key(more.key(i), text_);
        value::write_json(more, i, text_);
    }
    text_.push('}');
}

// Appends the members of a failed message's result, which is in `deep` or in the payload.
bool Mapper::add_failed_result(uint32_t payload, Verdict &verdict) {
    value::TreeView all = tree();
    uint32_t result = all.find(payload, "result");
    const uint32_t deep = all.find(payload, "deep"),
                   text = deep && all[deep].kind == ACCP_MAP ? all.find(deep, "result") : 0;
    if (text) {
        if (result || all[text].kind != ACCP_STRING)
            return refuse(verdict, "a member is in the payload and in deep", text);
        if (!read_json(deep_reader_, all.string(text), max_bytes_, made_, verdict)) return false;
        all = made_.view();
        result = 0;
    }
    if (!text && !result) return write_error_object(payload, all, 0), true;
    if (all[result].kind != ACCP_MAP) return refuse(verdict, "result must be an object", payload);
    const uint32_t error = all.find(result, "error");
    if (error && all[error].kind != ACCP_MAP)
        return refuse(verdict, "the error of a result must be an object here", payload);
    write_error_object(payload, all, error);
    for (uint32_t i = result + 1; i < all[result].next; i = all[i].next) {
        if (i == error) continue;
        key(all.key(i), text_);
        value::write_json(all, i, text_);
    }
    return true;
}

bool Mapper::write_sacp_error(uint32_t payload, Buffer<char> &out, Verdict &verdict) {
    text_.clear();
    const value::TreeView all = tree();
    if (!all.find(payload, "g")) {
        if (!payload_has_none_of(payload, {"status", "details", "g"}, verdict)) return false;
        write_error_object(payload, all, 0);
        text_.resize_down(text_.size() - 1);
        if (!add_payload(payload, {"schema", "code", "msg", "retry", "detail"}, verdict))
            return false;
        text_.push('}');
        out.append(text_.view());
        return true;
    }
    if (!agrees_with_intent(payload, "state", "FAILED", verdict)) return false;
    first_ = true;
    text_.push('{');
    if (!add_payload(payload, {"schema", "code", "msg", "retry", "detail", "state", "result"},
                     verdict))
        return false;
    key("state", text_);
    text_.append("\"FAILED\",\"result\":{\"error\":");
    if (!add_failed_result(payload, verdict)) return false;
    text_.append("}}");
    return finish_message(out, verdict);
}

}  // namespace accp::sacp
