// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds the items; the readers in read_state.h convert them.
#include "transcript/read.h"

#include <algorithm>

#include "transcript/read_state.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

// The members that identify the kind of an object.
struct Members {
    Item messages, input, system, instructions, history, trajectory, role, type;

    Item *find(std::string_view key) {
        const struct {
            std::string_view key;
            Item *item;
        } known[] = {{"messages", &messages}, {"input", &input},
                     {"system", &system},     {"instructions", &instructions},
                     {"history", &history},   {"trajectory", &trajectory},
                     {"role", &role},         {"type", &type}};
        for (const auto &one : known)
            if (one.key == key) return one.item;
        return nullptr;
    }
};

Status find_members(const Item &object, Members &out) {
    ItemScanner scanner(object, Within::kObject);
    for (Item item; scanner.next(item);) {
        Item *known = out.find(item.key);
        if (!known) continue;
        if (!known->text.empty()) return fail(ACCP_E1001, item.begin, "duplicate key");
        *known = item;
    }
    return scanner.status();
}

}  // namespace

TranscriptReader::TranscriptReader(Memory &memory, const value::JsonLimits &limits)
    : limits_(limits),
      reader_(memory),
      value_(memory),
      state_(memory),
      text_reader_(memory, limits.bytes) {
    state_.limits = limits;
}

Status TranscriptReader::read(Format format, std::string_view text, const Sink &sink) {
    format_ = format;
    state_.directory.clear();
    if (is_text_format()) return text_reader_.read(format, text, sink);
    sink_ = sink;
    has_stopped_ = false;
    items_ = item_ = 0;
    item_at_ = 0;
    state_.turn.clear();
    state_.out.clear();
    state_.calls.clear();
    state_.finished_id.clear();
    const Status status = read_values(text);
    if (has_stopped_) return status;
    state_.turn.end(state_.out);
    const Status delivered = deliver();
    if (status.failed() || delivered.failed()) return status.failed() ? status : delivered;
    return items_ ? Status{} : fail(ACCP_E1001, text.size(), kNoItems);
}

Status TranscriptReader::deliver() {
    const Status status = state_.out.deliver(sink_);
    has_stopped_ = status.failed();
    return status;
}

Status TranscriptReader::read_values(std::string_view text) {
    ItemScanner scanner({text, 0, {}}, Within::kText);
    for (Item item; scanner.next(item);) {
        const Status status = read_value(item);
        if (status.failed()) return status;
    }
    Status status = scanner.status();
    status.record = status.failed() ? items_ : 0;
    return status;
}

Status TranscriptReader::read_value(const Item &item) {
    if (item.first() == '[' && format_ != Format::kSweAgent) return read_list(item, Role::kMessage);
    if (item.first() != '{') {
        Status status = fail(
            ACCP_E1001, item.begin,
            format_ == Format::kSweAgent ? "a trajectory is an object" : "a message is an object");
        status.record = items_;
        return status;
    }
    if (format_ == Format::kClaudeCode || format_ == Format::kCodex || format_ == Format::kPi ||
        format_ == Format::kGemini)
        return read_item(item, Role::kMessage);
    Members members;
    Status status = find_members(item, members);
    if (status.ok() && format_ == Format::kSweAgent)
        return read_trajectory(members.history, members.trajectory);
    status.record = items_;
    if (status.failed()) return status;
    if (!members.role.text.empty()) return read_item(item, Role::kMessage);
    if (members.messages.first() == '[') return read_request(members.system, members.messages);
    const bool has_input = format_ == Format::kOpenAi && members.type.text.empty() &&
                           (members.input.first() == '[' || members.input.first() == '"');
    return has_input ? read_request(members.instructions, members.input)
                     : read_item(item, Role::kMessage);
}

Status TranscriptReader::read_request(const Item &system, const Item &messages) {
    if (!system.text.empty()) {
        const Status status = read_item(system, Role::kSystem);
        if (status.failed()) return status;
    }
    return messages.first() == '[' ? read_list(messages, Role::kMessage)
                                   : read_item(messages, Role::kInput);
}

Status TranscriptReader::read_trajectory(const Item &history, const Item &trajectory) {
    if (trajectory.first() != '[')
        return fail(ACCP_E1001, trajectory.begin, "a trajectory has a list `trajectory`");
    if (history.first() == '[') {
        const Status status = read_list(history, Role::kHistory);
        if (status.failed()) return status;
    }
    return read_list(trajectory, Role::kStep);
}

Status TranscriptReader::read_list(const Item &list, Role role) {
    ItemScanner scanner(list, Within::kArray);
    for (Item item; scanner.next(item);) {
        const Status status = read_item(item, role);
        if (status.failed()) return status;
        if (role == Role::kHistory && state_.is_first_request) return {};
    }
    Status status = scanner.status();
    status.record = status.failed() ? items_ : 0;
    return status;
}

Status TranscriptReader::read_item(const Item &item, Role role) {
    const uint32_t number = items_++;
    const std::string_view text = item.text;
    auto at_item = [&](Status status, uint64_t offset) {
        status.record = number;
        return move_to(status, item.begin + offset);
    };
    if (text.size() > limits_.bytes)
        return at_item({ACCP_E1001, 0, 0, "an item is longer than the limit json_bytes allows",
                        text.size(), limits_.bytes},
                       0);
    Status status = reader_.read(text.data(), text.size(), limits_, value_);
    if (status.failed()) return at_item(status, status.offset);
    if (!continues_turn(role)) {
        state_.turn.end(state_.out);
        status = deliver();
        if (status.failed()) return status;
    }
    const Turn::Mark mark = state_.turn.mark();
    item_ = number;
    item_at_ = item.begin;
    status = interpret(role);
    if (status.ok()) {
        keep(role);
        return deliver();
    }
    state_.turn.rewind(mark);
    state_.out.clear();
    return at_item(status, reader_.origin(static_cast<uint32_t>(status.offset)).value);
}

// Keeps the original of a provider's message if it has more than its text, or if the name of its
// user was changed.
void TranscriptReader::keep(Role role) {
    const value::TreeView tree = value_.view();
    const bool is_openai = format_ == Format::kOpenAi;
    if (role != Role::kMessage || (!is_openai && format_ != Format::kAnthropic)) return;
    const std::string_view name = text_member(tree, 0, "name");
    const bool is_renamed = is_openai && text_member(tree, 0, "role") == "user" && !name.empty() &&
                            state_.name.view() != name;
    if (!is_renamed &&
        !(is_openai ? has_more_openai(tree, 0, state_) : has_more_anthropic(tree, 0)))
        return;
    state_.kept.recycle(kKeptBytes);
    write_kept(tree, 0, state_.kept);
    // It is nested in the message, its metadata and the member of the interface.
    constexpr uint32_t kOuterDepth = 3;
    const value::JsonLimits limits = {UINT64_MAX,
                                      limits_.depth - std::min(limits_.depth, kOuterDepth)};
    const std::string_view kept = state_.kept.view();
    if (state_.arguments_reader.read(kept.data(), kept.size(), limits, state_.arguments).failed())
        return;
    state_.out.keep(format_name(format_), state_.kept.view());
}

bool TranscriptReader::continues_turn(Role role) const {
    const value::TreeView tree = value_.view();
    if (role != Role::kMessage || tree[0].kind != ACCP_MAP) return false;
    if (format_ == Format::kOpenAi) return continues_openai(tree, 0, state_.turn);
    if (format_ == Format::kCodex) return continues_codex(tree, 0, state_.turn);
    if (format_ == Format::kGemini) return continues_gemini(tree, 0, state_);
    return format_ == Format::kClaudeCode && continues_claude_code(tree, 0, state_.turn);
}

// Makes a message from each block, so that the text of each is unchanged.
Status TranscriptReader::read_system_blocks() {
    const value::TreeView tree = value_.view();
    for (uint32_t i = 1; i < tree[0].next; i = tree[i].next) {
        state_.text.clear();
        const Status status = read_content_at(tree, i, state_, state_.text);
        if (status.failed()) return status;
        state_.out.add_system(state_.text.view());
    }
    return {};
}

Status TranscriptReader::interpret(Role role) {
    const value::TreeView tree = value_.view();
    state_.is_first_request = false;
    if (role == Role::kSystem || role == Role::kInput) {
        if (role == Role::kSystem && tree[0].kind == ACCP_ARRAY) return read_system_blocks();
        state_.text.clear();
        const Status status = read_content_at(tree, 0, state_, state_.text);
        if (status.failed()) return status;
        if (role == Role::kInput) state_.out.add_request({}, state_.text.view());
        else state_.out.add_system(state_.text.view());
        return {};
    }
    if (tree[0].kind != ACCP_MAP) return fail(ACCP_E1001, 0, "a message is an object");
    if (role == Role::kHistory) return read_history_item(tree, 0, state_);
    if (role == Role::kStep) return read_step(tree, 0, state_);
    if (format_ == Format::kAnthropic) return read_anthropic_item(tree, 0, state_);
    if (format_ == Format::kClaudeCode) return read_claude_code_line(tree, 0, state_);
    if (format_ == Format::kCodex) return read_codex_line(tree, 0, state_);
    if (format_ == Format::kOpenCode) return read_opencode_message(tree, 0, state_);
    if (format_ == Format::kGemini) return read_gemini_line(tree, 0, state_);
    if (format_ == Format::kPi) return read_pi_line(tree, 0, state_);
    return read_openai_item(tree, 0, state_);
}

namespace {

// Levels around the arguments in a message: the message and its payload.
constexpr uint32_t kOuterDepth = 2;

// Returns whether the text is a JSON object. Its tree is then state.arguments.
bool read_object_text(std::string_view text, ReadState &state) {
    if (state.limits.depth <= kOuterDepth) return false;
    const value::JsonLimits limits = {state.limits.bytes, state.limits.depth - kOuterDepth};
    return state.arguments_reader.read(text.data(), text.size(), limits, state.arguments).ok() &&
           state.arguments.view()[0].kind == ACCP_MAP;
}

}  // namespace

bool has_own_spelling(std::string_view arguments, ReadState &state) {
    if (!has_words(arguments) || !read_object_text(arguments, state)) return false;
    state.scratch.recycle(kKeptBytes);
    value::write_json(state.arguments.view(), 0, state.scratch);
    return state.scratch.view() != arguments;
}

Status read_call(value::TreeView tree, uint32_t at, std::string_view name, std::string_view id,
                 uint32_t arguments, ReadState &state) {
    if (!has_words(name)) return fail(ACCP_E1001, at, "a call names its tool");
    Call call;
    call.name = name, call.id = id;
    const uint8_t kind = arguments ? tree[arguments].kind : uint8_t{ACCP_NULL};
    if (kind == ACCP_MAP) {
        call.tree = tree, call.node = arguments, call.is_map = true;
    } else if (kind == ACCP_STRING) {
        call.text = tree.string(arguments);
        call.is_map = has_words(call.text) && read_object_text(call.text, state);
        if (call.is_map) call.tree = state.arguments.view();
    } else if (kind != ACCP_NULL) {
        return fail(ACCP_E1001, arguments, "arguments are an object, or its JSON as a text");
    }
    state.turn.add_call(call);
    state.calls.add(name, id);
    return {};
}

void add_outcome_of(std::string_view id, std::string_view name, bool is_error, ReadState &state) {
    state.name.clear();
    if (!id.empty()) state.calls.take(id, state.name);
    if (state.name.empty()) state.name.append(name);
    state.out.add_outcome({state.name.view(), id, state.result.view(), is_error});
}

}  // namespace accp::transcript
