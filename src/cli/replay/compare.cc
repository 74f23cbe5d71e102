// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session replay --compare: replays one log with two configurations, or two logs, record by
// record, and prints the first difference. Each side checks frames with its own registry and
// strictness, and appends messages to a new session with its own rules and tokenizer.
#include <array>

#include "cli/frames/frame_checker.h"
#include "cli/host.h"
#include "cli/session/actions.h"
#include "cli/session/log.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// The values to compare after each record, in this order.
constexpr const char *kAspects[] = {"record", "outcome",    "message",
                                    "state",  "checkpoint", "context"};
using StepValues = std::array<std::string, std::size(kAspects)>;  // one for each aspect

struct SideArguments {
    Arguments all;
    std::string export_file;
};

// Returns our arguments, with the values of --compare instead of ours. Rules and strictness are
// added to ours.
SideArguments other_side_of(const Arguments &ours) {
    SideArguments other = {ours, {}};
    Arguments &all = other.all;
    struct Name {
        std::string_view name;
        std::string *text;
        std::vector<std::string> *list;
    };
    const Name names[] = {{"store", &all.store, nullptr},
                          {"session", &all.session, nullptr},
                          {"export", &other.export_file, nullptr},
                          {"tokenizer", &all.tokenizer, nullptr},
                          {"pattern", &all.pattern, nullptr},
                          {"registry", &all.registry, nullptr},
                          {"rules", &all.rule_set, nullptr},
                          {"rule", nullptr, &all.rules},
                          {"strict", nullptr, &all.strict},
                          {"profile", nullptr, &all.profiles},
                          {"ext", nullptr, &all.ext}};
    for (const std::string &text : ours.compare) {
        const size_t equals = text.find('=');
        const Name *found = nullptr;
        std::string known_names;
        for (const Name &name : names) {
            if (name.name == std::string_view(text).substr(0, equals)) found = &name;
            known_names.append(known_names.empty() ? "" : ", ").append(name.name);
        }
        if (equals == std::string::npos || found == nullptr)
            throw Failure("--compare takes NAME=VALUE, and not " + text + "; names are " +
                          known_names);
        const std::string value = text.substr(equals + 1);
        if (found->text != nullptr) *found->text = value;
        else if (found->name == "rule" || found->name == "strict") found->list->push_back(value);
        else *found->list = {value};
    }
    if (all.rule_set != ours.rule_set && all.rule_set != "default" &&
        all.rule_set != "specification")
        throw Failure("--compare rules=" + all.rule_set + ": rules are default or specification");
    return other;
}

Arguments without_store(Arguments arguments) {
    arguments.store.clear();
    return arguments;
}

class ReplaySide {
public:
    explicit ReplaySide(const SideArguments &side)
        : arguments_(side.all),
          log_(arguments_, side.export_file),
          source_(arguments_, true, log_.export_until(log_.records().size())),
          live_arguments_(without_store(side.all)),
          live_(live_arguments_),
          checker_(arguments_) {}

    uint64_t count() const { return log_.records().size(); }
    const LogLine &record(uint64_t number) const { return log_.records()[number - 1]; }

    StepValues step(uint64_t number) {
        StepValues values;
        if (number > count()) {
            values[0] = "the log has ended";
            return values;
        }
        const LogLine &line = record(number);
        values[0] = line.text;
        if (!line.frame.empty()) values[1] = checker_.check(line.frame);
        if (!line.frame.empty()) values[2] = checker_.message();
        const std::string refusal = apply(line);
        if (values[1].empty()) values[1] = refusal.empty() ? "OK" : refusal;
        read_session(values);
        return values;
    }

private:
    // Applies the record to the new session. Returns the error if it is refused.
    std::string apply(const LogLine &line) {
        accp_error err = {};
        accp_status status = ACCP_OK;
        accp_text message = {};
        if (line.is_message()) {
            const std::string ref = "cold.m" + std::to_string(line.number);
            status = accp_session_resolve(source_.get(), ref.data(), ref.size(), nullptr, 0,
                                          line.time_ms, &message, &err);
            if (status == ACCP_OK)
                status =
                    accp_session_append(live_.get(), message.text, message.len, line.time_ms, &err);
        } else if (line.kind == "phase") {
            status = accp_session_checkpoint(live_.get(), line.time_ms, &err);
        }
        if (status == ACCP_OK) return {};
        return std::string(accp_status_code_name(status)) + ": " + message_of(err);
    }
    void read_session(StepValues &values) {
        accp_session *session = live_.get();
        int64_t version = 0;
        const accp_text state = accp_session_state(session, &version);
        values[3] = "version " + std::to_string(version) + " " + std::string(to_view(state));
        values[4] = std::to_string(accp_session_newest_checkpoint(session));
        accp_text context = {};
        uint64_t tokens = 0;
        accp_error err = {};
        const accp_status status =
            accp_session_context(session, arguments_.budget, &context, &tokens, &err);
        values[5] = status == ACCP_OK ? std::to_string(tokens) + " tokens\n"
                                      : std::string(accp_status_code_name(status)) + "\n";
        if (status == ACCP_OK) values[5].append(context.text, context.len);
    }

    const Arguments arguments_;
    const SessionLog log_;
    CommandSession source_;
    const Arguments live_arguments_;
    CommandSession live_;
    FrameChecker checker_;
};

// Writes the first line of the value; if `from` is not 0, also the line at that offset.
void write_value(char mark, const std::string &value, size_t from, std::string &out) {
    const auto line_at = [&](size_t at) {
        return std::string_view(value).substr(at, value.find('\n', at) - at);
    };
    out.append(1, mark).append(" ");
    append_printable(line_at(0), out);
    out.append("\n");
    if (from == 0) return;
    out.append(1, mark).append(" ");
    append_printable(from < value.size() ? line_at(from) : "the end", out);
    out.append("\n");
}

// Returns the offset of the first line that differs, counted from the second line on.
size_t differing_line(const std::string &left, const std::string &right) {
    size_t at = left.find('\n'), other = right.find('\n');
    if (at == std::string::npos || other == std::string::npos) return 0;
    const std::string_view ours = std::string_view(left).substr(at + 1),
                           theirs = std::string_view(right).substr(other + 1);
    size_t same = 0, line = 0;
    for (; same < ours.size() && same < theirs.size() && ours[same] == theirs[same]; ++same)
        if (ours[same] == '\n') line = same + 1;
    return line;
}

void write_difference(uint64_t number, const std::string &kind, size_t aspect,
                      const StepValues &left, const StepValues &right, std::string &out) {
    out.append("record ").append(std::to_string(number)).append(" ").append(kind).append(": ");
    out.append(kAspects[aspect]).append(" differs\n");
    const bool is_context = aspect + 1 == std::size(kAspects);
    const size_t line = is_context ? differing_line(left[aspect], right[aspect]) : 0;
    const auto text = [](const std::string &value) { return value.substr(value.find('\n') + 1); };
    // false: only the numbers of tokens differ
    const bool has_other_text = is_context && text(left[aspect]) != text(right[aspect]);
    for (const auto &[mark, value] :
         {std::pair('<', &left[aspect]), std::pair('>', &right[aspect])})
        write_value(mark, *value, has_other_text ? value->find('\n') + 1 + line : 0, out);
}

}  // namespace

int compare_replays(const Arguments &arguments, Streams &io) {
    ReplaySide left({arguments, {}}), right(other_side_of(arguments));
    const uint64_t count = std::max(left.count(), right.count());
    const uint64_t last = arguments.to ? std::min(*arguments.to, count) : count;
    for (uint64_t number = 1; number <= last; ++number) {
        const StepValues ours = left.step(number), theirs = right.step(number);
        for (size_t aspect = 0; aspect < ours.size(); ++aspect) {
            if (ours[aspect] == theirs[aspect]) continue;
            const ReplaySide &named = number <= left.count() ? left : right;
            write_difference(number, named.record(number).kind, aspect, ours, theirs, io.out.text);
            return 1;
        }
    }
    io.out.text.append("equal: ").append(std::to_string(last)).append(" records\n");
    return 0;
}

}  // namespace cli
