// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The trace in the order of paths, the final result and the reply (SACP-RULES R42, R48).
#include "sacp/message/validator.h"
#include "sacp/run/data_flow.h"
#include "sacp/run/run.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

bool is_text(std::string_view json) { return json.size() > 2 && json[0] == '"'; }

// The text to summarize: a JSON string, or any other value.
std::string_view find_text(std::string_view output) {
    if (output[0] != '{') return output;
    const std::string_view member = find_member(output, "\"summary\"");
    return is_text(member) ? member : output;
}

}  // namespace

void write_summary(size_t begin, size_t end, Buffer<char> &out) {
    const std::string_view output = out.view().substr(begin, end - begin), text = find_text(output);
    const bool is_string = is_text(text);
    // offsets, because `out` moves when it grows
    size_t at = begin + static_cast<size_t>(text.data() - output.data()) + is_string, last = 0;
    end = at + text.size() - 2 * is_string;
    out.push('"');
    for (size_t count = 0; at < end && count < kMaxSummary; ++count) {
        last = out.size();
        size_t bytes = 1;
        if (is_string && out[at] == '\\') bytes = out[at + 1] == 'u' ? 6 : 2;
        while (at + bytes < end && (out[at + bytes] & 0xC0) == 0x80) ++bytes;
        if (!is_string && (out[at] == '"' || out[at] == '\\')) out.push('\\');
        for (; bytes > 0; --bytes) {
            const char c = out[at++];
            out.push(c);
        }
    }
    if (at < end) {
        out.resize_down(last);
        out.append("…");
    }
    out.push('"');
}

// Scopes and parts are already in order, except that nested messages in steps come after their
// outer message.
class TraceWriter {
public:
    TraceWriter(const Run &run, Buffer<char> &out) : run_(run), out_(out) {}

    void write_scope(uint32_t number) {
        const Program &program = run_.progress_.program;
        for (uint32_t i = 1; i <= program.subtask_count(number); ++i)
            write_scope(program.subtask_scope(number, i));
        const Scope &scope = program.scope(number);
        for (uint32_t i = scope.first; i < scope.end; ++i) {
            if (program.is_step(i) && program.part(i).inner) write_scope(program.part(i).inner);
            uint32_t entry = run_.progress_.parts[i].first_entry;
            for (; entry; entry = run_.trace_[entry - 1].next) write_entry(i, entry - 1);
        }
    }

private:
    void write_entry(uint32_t part, uint32_t number) {
        const Progress &progress = run_.progress_;
        const PartProgress &run = progress.parts[part];
        const Run::Entry &entry = run_.trace_[number];
        out_.append(any_ ? ",{\"step\":\"" : "{\"step\":\"");
        any_ = true;
        progress.program.scopes().write_path(progress.program.scope(run.scope), part, out_);
        out_.append("\",\"verb\":");
        value::write_json_string(progress.program.verb(part), out_);
        out_.append(",\"tool\":");
        value::write_json_string(run_.tool_of(part, entry.fallback), out_);
        out_.append(",\"params\":");
        if (run.has_params) out_.append(progress.text(run.params));
        else run_.flow_.write_as_written(part, out_);
        out_.append(",\"outcome\":\"");
        out_.append(outcome_name(entry.outcome));
        if (entry.reason.len) {
            out_.append("\",\"reason\":");
            value::write_json_string({run_.reasons_.data() + entry.reason.at, entry.reason.len},
                                     out_);
            return out_.push('}');
        }
        out_.append("\"}");
    }

    const Run &run_;
    Buffer<char> &out_;
    bool any_ = false;
};

void Run::write_trace(Buffer<char> &out) const {
    out.push('[');
    TraceWriter(*this, out).write_scope(0);
    out.push(']');
}

void Run::write_final(Buffer<char> &out) const {
    out.append(succeeded() ? "{\"state\":\"DONE\",\"result\":"
                           : "{\"state\":\"FAILED\",\"result\":");
    write_result(out, false);
    out.push('}');
}

void Run::write_reply(std::string_view id, Buffer<char> &out) const {
    const Program &program = progress_.program;
    out.append("{\"g\":");
    out.append(program.received_goal());
    out.append(",\"plan\":");
    out.append(program.received_plan());
    out.append(succeeded() ? ",\"state\":\"DONE\",\"msg_id\":"
                           : ",\"state\":\"FAILED\",\"msg_id\":");
    value::write_json_string(id, out);
    if (!program.message_id().empty()) {
        out.append(",\"reply_to\":");
        value::write_json_string(program.message_id(), out);
    }
    out.append(",\"result\":");
    write_result(out, program.out_fmt() == OutFmt::kSummary);
    out.push('}');
}

void Run::write_result(Buffer<char> &out, bool with_summary) const {
    const Scope &scope = progress_.program.scope(0);
    if (succeeded()) {
        out.append("{\"output\":");
        const size_t begin = out.size();
        (void)flow_.write_output(progress_.scopes[0].last_part, UINT64_MAX, out);
        if (with_summary) {
            constexpr std::string_view kKey = ",\"summary\":";
            const size_t end = out.size();
            out.append(kKey);
            write_summary(begin, end, out);
        }
    } else {
        out.append("{\"error\":");
        out.append(progress_.text(progress_.scopes[0].output));
    }
    out.append(",\"step_results\":{");
    bool any = false;
    for (uint32_t i = scope.first; i < scope.end; ++i) {
        if (!progress_.program.is_step(i) || progress_.parts[i].state != State::kDone) continue;
        out.append(any ? ",\"" : "\"");
        any = true;
        progress_.program.scopes().write_path(scope, i, out);
        out.append("\":");
        out.append(progress_.text(progress_.parts[i].output));
    }
    out.append(progress_.scopes[0].dry ? "},\"simulated\":true}" : "}}");
}

}  // namespace accp::sacp
