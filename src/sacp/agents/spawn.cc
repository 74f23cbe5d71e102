// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests for missing agents, and the service that answers them. The service does not run the plan
// of a request, so the plan must have a fixed form and no references.
#include "sacp/agents/spawn.h"

#include <charconv>

#include "base/text.h"
#include "sacp/agents/prompt.h"
#include "sacp/message/reference.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

class RequestWriter {
public:
    RequestWriter(const Feasibility::PlanContext &asked, const Part &step, Buffer<char> &scratch,
                  Buffer<char> &out)
        : plan_(asked),
          step_(step),
          document_(asked.library.document()),
          verb_(asked.library.verb(step.verb)),
          tool_(asked.library.tool(step.tool)),
          scratch_(scratch),
          out_(out) {}

    // skipped_names: how many free names to leave to earlier requests.
    void write(std::string_view msg_id, uint32_t skipped_names) {
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
        write_agent_name(skipped_names);
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
    std::string_view verb() const { return Feasibility::verb_of(plan_, step_); }
    std::string_view tool() const { return Feasibility::tool_of(plan_, step_); }

    // Returns a member of the tool's definition, if wanted and present, else of the verb's; 0 if
    // the library has neither.
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
        for (const Input &input : plan_.library.inputs(*verb_)) {
            out_.push(before);
            before = ',';
            write_text(plan_.library.text(input.name));
        }
        if (before == '[') out_.push('[');
        out_.push(']');
    }
    // Writes the names of the step's params. `escaped`: in a place where strings can be references.
    void write_params(bool escaped) {
        const NameId *name = plan_.scopes.names.data() + step_.names;
        char before = '[';
        const value::TreeView tree = plan_.tree;
        for (uint32_t i = step_.params + 1; i < tree[step_.params].next; i = tree[i].next, ++name) {
            out_.push(before);
            before = ',';
            const std::string_view text = *name ? plan_.library.text(*name) : tree.key(i);
            if (escaped) write_text(text);
            else value::write_json_string(text, out_);
        }
        if (before == '[') out_.push('[');
        out_.push(']');
    }
    // Picks a name that no agent has, not even an expired one.
    void write_agent_name(uint32_t skipped_names) {
        for (uint32_t number = 1;; ++number) {
            scratch_.clear();
            scratch_.append(tool());
            scratch_.append("_AGENT");
            if (number > 1) {
                scratch_.push('_');
                append_decimal(number, scratch_);
            }
            if (!plan_.agents.find(scratch_.view()) && !skipped_names--) break;
        }
        value::write_json_string(scratch_.view(), out_);
    }

    // Escapes texts of the library that would be read as references.
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

    const Feasibility::PlanContext &plan_;
    const Part &step_;
    value::TreeView document_;
    const Verb *verb_;
    const Tool *tool_;
    Buffer<char> &scratch_, &out_;
};

// Returns the literal text of a string in params.
std::string_view unescape(std::string_view text) {
    return read_reference(text).kind == Reference::kEscaped ? text.substr(1) : text;
}

bool are_strings(value::TreeView tree, uint32_t array) {
    bool are = true;
    for (uint32_t i = array + 1; i < tree[array].next; i = tree[i].next)
        are &= tree[i].kind == ACCP_STRING;
    return are;
}

}  // namespace

void write_spawn_request(const Feasibility::PlanContext &asked,
                         std::span<const Feasibility::Missing> missing, size_t number,
                         std::string_view msg_id, Buffer<char> &scratch, Buffer<char> &out) {
    const auto step = [&](size_t i) -> const Part & { return asked.scopes.parts[missing[i].part]; };
    const std::string_view tool = Feasibility::tool_of(asked, step(number));
    uint32_t skipped_names = 0;
    for (size_t i = 0; i < number; ++i)
        skipped_names += Feasibility::tool_of(asked, step(i)) == tool;
    RequestWriter(asked, step(number), scratch, out).write(msg_id, skipped_names);
}

bool Spawner::refuse(Code code, const char *details, uint32_t part, Verdict &verdict) {
    text_.clear();
    request_.scopes->write_path(request_.message(), part, text_);
    return verdict.refuse(code, details, text_.view(), 0);
}

std::string_view Spawner::tool_of(uint32_t i) const {
    return request_.tree.string(request_.tree[part(i).node + 1].next);
}

// Returns 0 if the param is absent.
uint32_t Spawner::param(uint32_t i, NameId wanted) const {
    const Part &step = part(i);
    const NameId *name = request_.scopes->names.data() + step.names;
    for (uint32_t node = step.params + 1; node < request_.tree[step.params].next;
         node = request_.tree[node].next)
        if (*name++ == wanted) return node;
    return 0;
}

bool Spawner::read(const Request &request, Verdict &verdict) {
    request_ = request;
    define_ = instantiate_ = kNoPart;
    const Scope &message = request.message();
    if (!message.is_spawn_request)
        return verdict.refuse(Code::kMALFORMED_MESSAGE,
                              "a request for an agent must have the goal SPAWN_AGENT");
    const uint32_t state = message.node(kState);
    if (state && request.tree.string(state) != "PENDING")
        return verdict.refuse(Code::kINVALID_STATE_TRANSITION,
                              "a request for an agent must be in the state PENDING");
    if (message.node(kSubtaskMember))
        return verdict.refuse(Code::kMALFORMED_PLAN,
                              "a request for an agent cannot have a subtask");
    return find_steps(verdict) && check_texts(verdict) && check_lists(verdict) &&
           check_tool(verdict);
}

// An optional define, then an instantiate.
bool Spawner::find_steps(Verdict &verdict) {
    const Scope &message = request_.message();
    for (uint32_t i = message.first; i < message.end; ++i) {
        const bool is_step = part(i).kind == Part::kStep && !part(i).subtask;
        if (is_step && part(i).verb == kDefine && i == message.first) define_ = i;
        else if (is_step && part(i).verb == kInstantiate && i + 1 == message.end) instantiate_ = i;
        else
            return refuse(Code::kMALFORMED_PLAN,
                          "a request for an agent must be one define and one instantiate", i,
                          verdict);
    }
    return instantiate_ != kNoPart ||
           refuse(Code::kMALFORMED_PLAN, "no instantiate follows the define", define_, verdict);
}

// Refuses references, and names that do not fit on one line of a prompt.
bool Spawner::check_texts(Verdict &verdict) {
    for (const uint32_t i : {define_, instantiate_}) {
        if (i == kNoPart) continue;
        const uint32_t params = part(i).params;
        for (uint32_t node = params + 1; node < request_.tree[params].next; ++node)
            if (request_.tree[node].kind == ACCP_STRING &&
                read_reference(request_.tree.string(node)).is_reference())
                return refuse(Code::kMALFORMED_PLAN,
                              "a request for an agent cannot have references", i, verdict);
    }
    name_ = tool_of(instantiate_);
    tool_ = unescape(request_.tree.string(param(instantiate_, kToolInput)));
    verb_ = unescape(request_.tree.string(param(instantiate_, kVerbInput)));
    return (is_single_line(name_) && is_single_line(tool_) && is_single_line(verb_)) ||
           refuse(Code::kMALFORMED_PLAN,
                  "the name of an agent, its verb or its tool is empty or has a line break",
                  instantiate_, verdict);
}

bool Spawner::check_lists(Verdict &verdict) {
    if (define_ == kNoPart) return true;
    const value::TreeView tree = request_.tree;
    const uint32_t outputs = param(define_, kOutputs);
    const uint8_t kind = tree[outputs].kind;
    if (!are_strings(tree, param(define_, kInputs)))
        return refuse(Code::kINVALID_TYPE, "the inputs of an agent must be an array of names",
                      define_, verdict);
    return kind == ACCP_STRING || kind == ACCP_MAP ||
           (kind == ACCP_ARRAY && are_strings(tree, outputs)) ||
           refuse(Code::kINVALID_TYPE,
                  "the outputs of an agent must be a name, an array of names or an object", define_,
                  verdict);
}

// The tool must be defined in the request or known to the library. Expands the verb's name.
bool Spawner::check_tool(Verdict &verdict) {
    const Library &library = *request_.library;
    const NameId verb = library.full_verb(library.find(verb_));
    if (library.verb(verb)) verb_ = library.text(verb);
    if (define_ != kNoPart)
        return tool_of(define_) == tool_ ||
               refuse(Code::kMALFORMED_PLAN, "the tool of the agent is not the defined one",
                      instantiate_, verdict);
    const Tool *tool = library.tool(library.find(tool_));
    if (!tool)
        return refuse(Code::kUNKNOWN_TOOL, "the tool is neither defined here nor in the library",
                      instantiate_, verdict);
    return !library.verb(verb) || library.supports(*tool, verb) ||
           refuse(Code::kVERB_TOOL_MISMATCH, "the tool does not support the verb", instantiate_,
                  verdict);
}

bool Spawner::is_simulated() const {
    const Scope &message = request_.message();
    uint32_t node = message.node(kTestMode);
    if (!node && message.node(kCtx)) node = request_.tree.find(message.node(kCtx), "test_mode");
    return node && (request_.tree[node].flags & ACCP_NODE_TRUE);
}

// Writes a name, a list of names, or the keys of an object.
void Spawner::write_names(value::TreeView tree, uint32_t node) {
    entry_.push('[');
    if (tree[node].kind == ACCP_STRING)
        value::write_json_string(unescape(tree.string(node)), entry_);
    char before = 0;
    for (uint32_t i = node + 1; value::is_container(tree[node].kind) && i < tree[node].next;
         i = tree[i].next) {
        const bool is_key = tree[node].kind == ACCP_MAP;
        if (!is_key && tree[i].kind != ACCP_STRING) continue;
        if (before) entry_.push(before);
        before = ',';
        value::write_json_string(is_key ? tree.key(i) : unescape(tree.string(i)), entry_);
    }
    entry_.push(']');
}

std::string_view Spawner::write_entry(double lease_until) {
    const Library &library = *request_.library;
    const value::TreeView document = library.document(), tree = request_.tree;
    const Tool *tool = library.tool(library.find(tool_));
    const Verb *verb = library.verb(library.find(verb_));
    entry_.clear();
    const auto member = [this](std::string_view before, std::string_view text) {
        entry_.append(before);
        value::write_json_string(text, entry_);
    };
    member(R"({"agent_name":)", name_);
    member(R"(,"supported_verbs":[)", verb_);
    member(R"(],"supported_tools":[)", tool_);
    entry_.append(R"(],"inputs":)");
    if (define_ != kNoPart) write_names(tree, param(define_, kInputs));
    else if (verb && verb->node) write_names(document, document.find(verb->node, "inputs"));
    else entry_.append("[]");
    entry_.append(R"(,"outputs":)");
    if (define_ != kNoPart) write_names(tree, param(define_, kOutputs));
    else if (verb && verb->node) write_names(document, document.find(verb->node, "outputs"));
    else entry_.append("[]");
    member(R"(,"description":)", define_ != kNoPart
                                     ? unescape(tree.string(param(define_, kDescription)))
                                     : document.string(document.find(tool->node, "description")));
    entry_.append(R"(,"tags":["spawned"])");
    lease_offset_ = entry_.size();
    if (lease_until != HUGE_VAL) {
        entry_.append(R"(,"lease_until":)");
        char *to = entry_.reserve(32);
        entry_.set_end(std::to_chars(to, to + 32, lease_until).ptr);
    }
    entry_.push('}');
    return entry_.view();
}

bool Spawner::is_same(const Capability &agent) const {
    const std::string_view json = agent.json();
    return json.size() == lease_offset_ + 1 &&
           json.substr(0, lease_offset_) == entry_.view().substr(0, lease_offset_);
}

void Spawner::write_confirmation(std::string_view msg_id, Buffer<char> &out) {
    const value::TreeView tree = request_.tree;
    const Scope &message = request_.message();
    const uint32_t asked_by = message.node(kMsgId);
    out.append(R"({"g":"SPAWN_AGENT","plan":)");
    value::write_json(tree, message.node(kPlan), out);
    out.append(R"(,"state":"DONE")");
    const auto member = [&out](std::string_view before, std::string_view text) {
        out.append(before);
        value::write_json_string(text, out);
    };
    if (!msg_id.empty()) member(R"(,"msg_id":)", msg_id);
    if (asked_by) member(R"(,"reply_to":)", tree.string(asked_by));
    member(R"(,"result":{"agent_name":)", name_);
    out.append(R"(,"registered":)");
    out.append(entry_.view());
    text_.clear();
    write_prompt({name_, verb_, tool_}, {}, text_);
    member(R"(,"prompt":)", text_.view());
    out.append(is_simulated() ? R"(,"simulated":true}})" : "}}");
}

}  // namespace accp::sacp
