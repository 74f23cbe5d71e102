// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mapping.h: back to SACP.
#include "base/text.h"
#include "sacp/message/mapping.h"
#include "value/json_writer.h"

namespace accp::plan {

namespace {

// What an error of others means here (R63); the default is that it is malformed.
struct ForeignCode {
    std::string_view accp;
    Code code;
};
constexpr ForeignCode kForeign[] = {{"E1003", Code::kUNSUPPORTED_VERSION},
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

// Appends the members of a payload to the object that text_ begins, those in `deep` as what they
// are.
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
    if (all[deep].kind != ACCP_MAP) return refuse(verdict, "deep is an object of JSON texts", deep);
    for (uint32_t i = deep + 1; i < all[deep].next; i = all[i].next) {
        if (all[i].kind != ACCP_STRING) return refuse(verdict, "deep has JSON texts", i);
        if (is_among(all.key(i), without)) continue;
        if (all.find(payload, all.key(i)))
            return refuse(verdict, "a member stands in the payload and in deep", i);
        if (!read_json(deep_reader_, all.string(i), max_bytes_, made_, verdict)) return false;
        key(all.key(i), text_);
        value::write_json(made_.view(), 0, text_);
    }
    return true;
}

// Does a member that repeats what the intent says contradict it? It is a string, which `deep` never
// has.
bool Mapper::says(uint32_t payload, std::string_view name, std::string_view what,
                  Verdict &verdict) {
    const value::TreeView all = tree();
    const uint32_t deep = all.find(payload, "deep"), said = all.find(payload, name),
                   hidden = deep && all[deep].kind == ACCP_MAP ? all.find(deep, name) : 0;
    if (!hidden && (!said || (all[said].kind == ACCP_STRING && all.string(said) == what)))
        return true;
    return refuse(verdict, "the state is not what the intent says", hidden ? hidden : said);
}

// Neither it nor `deep` has names that would make another thing of what is written.
bool Mapper::has_none_of(uint32_t payload, std::initializer_list<std::string_view> names,
                         Verdict &verdict) {
    const uint32_t deep = tree().find(payload, "deep");
    return has_free_names(payload, names, verdict) &&
           (!deep || tree()[deep].kind != ACCP_MAP || has_free_names(deep, names, verdict));
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
        return refuse(verdict, "a message has an intent, an operation and a payload, an object", 0);
    const std::string_view from = all.string(intent), doing = all.string(operation);
    const auto is = [&](std::string_view a, std::string_view b) { return from == a && doing == b; };
    if (is("fail", "error")) return error_from(payload, out, verdict);
    text_.clear();
    first_ = true;
    text_.push('{');
    if (is("ack", "execute") || is("qry", "clarify")) {
        const std::string_view status = from == "ack" ? "VALID" : "REQ_CLARIFY";
        if (!says(payload, "status", status, verdict) || !has_none_of(payload, {"g"}, verdict))
            return false;
        key("status", text_);
        value::write_json_string(status, text_);
        if (!add_payload(payload, {"schema", "status"}, verdict)) return false;
    } else if (is("qry", "lookup") || is("done", "lookup")) {
        if (from == "done" && !has_none_of(payload, {"status", "g", "query"}, verdict))
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
            return refuse(verdict, "no message of SACP has this intent", intent);
        return message_from(payload, state, out, verdict);
    } else {
        return refuse(verdict, "no message of SACP has this intent and operation", operation);
    }
    text_.push('}');
    out.append(text_.view());
    return true;
}

bool Mapper::message_from(uint32_t payload, std::string_view state, Buffer<char> &out,
                          Verdict &verdict) {
    if (!says(payload, "state", state.empty() ? "PENDING" : state, verdict)) return false;
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

// Reads what text_ has, and writes it in its canonical form.
bool Mapper::finish_message(Buffer<char> &out, Verdict &verdict) {
    return read_json(reader_, text_.view(), kMaxTextBytes, value_, verdict) &&
           speller_.spell(tree(), none_, Spelling::kAsIs, &reader_, out, verdict);
}

// Appends an ERR object, with what `rest` says more; 0: nothing.
void Mapper::write_error_object(uint32_t payload, value::TreeView more, uint32_t rest) {
    const value::TreeView all = tree();
    const auto text_of = [&](std::string_view name) {
        const uint32_t node = all.find(payload, name);
        return node && all[node].kind == ACCP_STRING ? all.string(node) : std::string_view();
    };
    Code code = find_code(text_of("detail"));
    if (code == Code::kNone) {
        code = Code::kMALFORMED_MESSAGE;
        for (const ForeignCode &known : kForeign)
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

// What the result of a failed message has beside its error, which stands in `deep` or in the
// payload.
bool Mapper::add_failed_result(uint32_t payload, Verdict &verdict) {
    value::TreeView all = tree();
    uint32_t result = all.find(payload, "result");
    const uint32_t deep = all.find(payload, "deep"),
                   text = deep && all[deep].kind == ACCP_MAP ? all.find(deep, "result") : 0;
    if (text) {
        if (result || all[text].kind != ACCP_STRING)
            return refuse(verdict, "a member stands in the payload and in deep", text);
        if (!read_json(deep_reader_, all.string(text), max_bytes_, made_, verdict)) return false;
        all = made_.view();
        result = 0;
    }
    if (!text && !result) return write_error_object(payload, all, 0), true;
    if (all[result].kind != ACCP_MAP) return refuse(verdict, "result is an object", payload);
    const uint32_t error = all.find(result, "error");
    if (error && all[error].kind != ACCP_MAP)
        return refuse(verdict, "the error of a result is an object here", payload);
    write_error_object(payload, all, error);
    for (uint32_t i = result + 1; i < all[result].next; i = all[i].next) {
        if (i == error) continue;
        key(all.key(i), text_);
        value::write_json(all, i, text_);
    }
    return true;
}

bool Mapper::error_from(uint32_t payload, Buffer<char> &out, Verdict &verdict) {
    text_.clear();
    const value::TreeView all = tree();
    if (!all.find(payload, "g")) {
        if (!has_none_of(payload, {"status", "details", "g"}, verdict)) return false;
        write_error_object(payload, all, 0);
        text_.resize_down(text_.size() - 1);
        if (!add_payload(payload, {"schema", "code", "msg", "retry", "detail"}, verdict))
            return false;
        text_.push('}');
        out.append(text_.view());
        return true;
    }
    if (!says(payload, "state", "FAILED", verdict)) return false;
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

}  // namespace accp::plan
