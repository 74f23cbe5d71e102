// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session replay --compare: two replays of a log, or of two logs, record by record, and the
// first difference. Each frame is judged by its side's registry and strictness, and each message
// goes through a new session under its side's rules and tokenizer.
#include <array>

#include "cli/frames/frame_checker.h"
#include "cli/host.h"
#include "cli/replay/log.h"
#include "cli/session/log.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// What a replay shows after a record, in the order in which it is compared.
constexpr const char *kThings[] = {"record", "outcome",    "message",
                                   "state",  "checkpoint", "context"};
using Seen = std::array<std::string, std::size(kThings)>;

struct SideArguments {
    Arguments all;
    std::string export_file;
};

// The other side: ours, with what --compare says in its place; rules and strictness are added.
SideArguments other_side(const Arguments &ours) {
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
        std::string known;
        for (const Name &name : names) {
            if (name.name == std::string_view(text).substr(0, equals)) found = &name;
            known.append(known.empty() ? "" : ", ").append(name.name);
        }
        if (equals == std::string::npos || found == nullptr)
            throw Failure("--compare takes NAME=VALUE, and not " + text + "; names are " + known);
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

class Side {
public:
    explicit Side(const SideArguments &side)
        : arguments_(side.all),
          log_(arguments_, side.export_file),
          source_(arguments_, true, log_.until(log_.records().size())),
          live_arguments_(without_store(side.all)),
          live_(live_arguments_),
          checker_(arguments_) {}

    uint64_t count() const { return log_.records().size(); }
    const LogLine &record(uint64_t number) const { return log_.records()[number - 1]; }

    Seen step(uint64_t number) {
        Seen seen;
        if (number > count()) {
            seen[0] = "the log ends before";
            return seen;
        }
        const LogLine &line = record(number);
        seen[0] = line.text;
        if (!line.frame.empty()) seen[1] = checker_.check(line.frame);
        if (!line.frame.empty()) seen[2] = checker_.message();
        const std::string kept = keep(line);
        if (seen[1].empty()) seen[1] = kept.empty() ? "OK" : kept;
        look(seen);
        return seen;
    }

private:
    // What the record does to a session under the side's rules; why it does nothing.
    std::string keep(const LogLine &line) {
        accp_error err = {};
        accp_status status = ACCP_OK;
        accp_text message = {};
        if (line.is_message()) {
            const std::string ref = "cold.m" + std::to_string(line.number);
            status = accp_session_resolve(source_.session(), ref.data(), ref.size(), nullptr, 0,
                                          line.time_ms, &message, &err);
            if (status == ACCP_OK)
                status = accp_session_append(live_.session(), message.text, message.len,
                                             line.time_ms, &err);
        } else if (line.kind == "phase") {
            status = accp_session_checkpoint(live_.session(), line.time_ms, &err);
        }
        if (status == ACCP_OK) return {};
        return std::string(accp_status_code_name(status)) + ": " + message_of(err);
    }
    void look(Seen &seen) {
        accp_session *session = live_.session();
        int64_t version = 0;
        const accp_text state = accp_session_state(session, &version);
        seen[3] = "version " + std::to_string(version) + " " + std::string(to_view(state));
        seen[4] = std::to_string(accp_session_newest_checkpoint(session));
        accp_text context = {};
        uint64_t tokens = 0;
        accp_error err = {};
        const accp_status status =
            accp_session_context(session, arguments_.budget, &context, &tokens, &err);
        seen[5] = status == ACCP_OK ? std::to_string(tokens) + " tokens\n"
                                    : std::string(accp_status_code_name(status)) + "\n";
        if (status == ACCP_OK) seen[5].append(context.text, context.len);
    }

    const Arguments arguments_;
    const SessionLog log_;
    SessionTools source_;
    const Arguments live_arguments_;
    SessionTools live_;
    FrameChecker checker_;
};

// The lines from the first that differs: of both one, or of a context its tokens and one.
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

// Where the line begins that differs first, after the first line.
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

void write_difference(uint64_t number, const std::string &kind, size_t thing, const Seen &left,
                      const Seen &right, std::string &out) {
    out.append("record ").append(std::to_string(number)).append(" ").append(kind).append(": ");
    out.append(kThings[thing]).append(" differs\n");
    const bool lines = thing + 1 == std::size(kThings);
    const size_t line = lines ? differing_line(left[thing], right[thing]) : 0;
    const auto text = [](const std::string &seen) { return seen.substr(seen.find('\n') + 1); };
    const bool texts = lines && text(left[thing]) != text(right[thing]);  // or the tokens alone
    for (const auto &[mark, seen] : {std::pair('<', &left[thing]), std::pair('>', &right[thing])})
        write_value(mark, *seen, texts ? seen->find('\n') + 1 + line : 0, out);
}

}  // namespace

int compare_replays(const Arguments &arguments, Streams &io) {
    Side left({arguments, {}}), right(other_side(arguments));
    const uint64_t count = std::max(left.count(), right.count());
    const uint64_t last = arguments.to ? std::min(*arguments.to, count) : count;
    for (uint64_t number = 1; number <= last; ++number) {
        const Seen ours = left.step(number), theirs = right.step(number);
        for (size_t thing = 0; thing < ours.size(); ++thing) {
            if (ours[thing] == theirs[thing]) continue;
            const Side &named = number <= left.count() ? left : right;
            write_difference(number, named.record(number).kind, thing, ours, theirs, io.out.text);
            return 1;
        }
    }
    io.out.text.append("equal: ").append(std::to_string(last)).append(" records\n");
    return 0;
}

}  // namespace cli
