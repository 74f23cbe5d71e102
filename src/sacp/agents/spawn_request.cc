// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See spawn.h: the message that asks for an agent.
#include "base/text.h"
#include "sacp/agents/spawn.h"
#include "sacp/message/reference.h"
#include "value/json_writer.h"

namespace accp::plan {

namespace {

class RequestWriter {
public:
    RequestWriter(const Feasibility::Asked &asked, const Part &step, Buffer<char> &scratch,
                  Buffer<char> &out)
        : asked_(asked),
          step_(step),
          document_(asked.library.document()),
          verb_(asked.library.verb(step.verb)),
          tool_(asked.library.tool(step.tool)),
          scratch_(scratch),
          out_(out) {}

    // passed: so many free names of the agent are left to others.
    void write(std::string_view msg_id, uint32_t passed) {
        out_.append(R"({"g":"SPAWN_AGENT","ctx":{"missing_capability":)");
        value::write_json_string(verb(), out_);
        out_.append(R"(,"input_hints":)");
        write_params(false);
        if (const uint32_t outputs = member("outputs", false)) {
            out_.append(R"(,"output_expectation":)");
            value::write_json(document_, outputs, out_);
        }
        out_.append(R"(},"plan":[["define",)");
        value::write_json_string(tool(), out_);
        write_definition();
        out_.append(R"(}],["instantiate",)");
        write_agent_name(passed);
        out_.append(R"(,{"tool":)");
        write_text(tool());
        out_.append(R"(,"verb":)");
        write_text(verb());
        out_.append("}]]");
        if (!msg_id.empty()) {
            out_.append(R"(,"msg_id":)");
            value::write_json_string(msg_id, out_);
        }
        out_.push('}');
    }

private:
    std::string_view verb() const { return Feasibility::verb_of(asked_, step_); }
    std::string_view tool() const { return Feasibility::tool_of(asked_, step_); }

    // What the library says of the tool, if that is wanted and it says so, else of the verb; 0: it
    // knows neither.
    uint32_t member(std::string_view key, bool of_tool) const {
        if (of_tool && tool_) return document_.find(tool_->node, key);
        return verb_ && verb_->node ? document_.find(verb_->node, key) : 0;
    }

    void write_definition() {
        out_.append(R"(,{"description":)");
        if (const uint32_t described = member("description", true)) {
            write_text(document_.string(described));
        } else {
            value::write_json_string("An agent that does what its verb and its tool say", out_);
        }
        out_.append(R"(,"inputs":)");
        if (verb_ && verb_->node) write_inputs();
        else write_params(true);
        out_.append(R"(,"outputs":)");
        if (const uint32_t outputs = member("outputs", false)) write_value(outputs);
        else out_.append("[]");
    }
    void write_inputs() {
        char before = '[';
        for (const Input &input : asked_.library.inputs(*verb_)) {
            out_.push(before);
            before = ',';
            write_text(asked_.library.text(input.name));
        }
        if (before == '[') out_.push('[');
        out_.push(']');
    }
    // The names of what the step hands over. `escaped`: where there are references.
    void write_params(bool escaped) {
        const NameId *name = asked_.scopes.names.data() + step_.names;
        char before = '[';
        const value::TreeView tree = asked_.tree;
        for (uint32_t i = step_.params + 1; i < tree[step_.params].next; i = tree[i].next, ++name) {
            out_.push(before);
            before = ',';
            const std::string_view text = *name ? asked_.library.text(*name) : tree.key(i);
            if (escaped) write_text(text);
            else value::write_json_string(text, out_);
        }
        if (before == '[') out_.push('[');
        out_.push(']');
    }
    // One that is free, also of agents whose lease has ended.
    void write_agent_name(uint32_t passed) {
        for (uint32_t number = 1;; ++number) {
            scratch_.clear();
            scratch_.append(tool());
            scratch_.append("_AGENT");
            if (number > 1) {
                scratch_.push('_');
                append_decimal(number, scratch_);
            }
            if (!asked_.agents.find(scratch_.view()) && !passed--) break;
        }
        value::write_json_string(scratch_.view(), out_);
    }

    // No text of the library is a reference here.
    void write_text(std::string_view text) {
        const size_t at = out_.size();
        value::write_json_string(text, out_);
        if (read_reference(text).kind == Reference::kText) return;
        out_.push('"');
        std::memmove(out_.data() + at + 2, out_.data() + at + 1, out_.size() - at - 2);
        out_[at + 1] = '$';
    }
    void write_value(uint32_t node) {
        const value::Node &own = document_[node];
        if (own.kind == ACCP_STRING) return write_text(document_.string(node));
        if (!value::is_container(own.kind)) return value::write_json(document_, node, out_);
        const bool map = own.kind == ACCP_MAP;
        out_.push(map ? '{' : '[');
        for (uint32_t i = node + 1; i < own.next; i = document_[i].next) {
            if (i != node + 1) out_.push(',');
            if (map) {
                value::write_json_string(document_.key(i), out_);
                out_.push(':');
            }
            write_value(i);
        }
        out_.push(map ? '}' : ']');
    }

    const Feasibility::Asked &asked_;
    const Part &step_;
    value::TreeView document_;
    const Verb *verb_;
    const Tool *tool_;
    Buffer<char> &scratch_, &out_;
};

}  // namespace

void write_spawn_request(const Feasibility::Asked &asked,
                         std::span<const Feasibility::Missing> missing, size_t number,
                         std::string_view msg_id, Buffer<char> &scratch, Buffer<char> &out) {
    const auto step = [&](size_t i) -> const Part & { return asked.scopes.parts[missing[i].part]; };
    const std::string_view tool = Feasibility::tool_of(asked, step(number));
    uint32_t passed = 0;
    for (size_t i = 0; i < number; ++i) passed += Feasibility::tool_of(asked, step(i)) == tool;
    RequestWriter(asked, step(number), scratch, out).write(msg_id, passed);
}

}  // namespace accp::plan
