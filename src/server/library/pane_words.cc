// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The texts of the roles of seed 003, in our own wording.
#include "server/library/pane_words.h"

#include <ctime>
#include <iomanip>
#include <sstream>

#include "accp/panes.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/unix_time.h"

namespace host {
namespace {

template <typename Each>
void for_each_item(std::string_view lines, Each each) {
    while (!lines.empty()) {
        const size_t end = lines.find('\n');
        each(lines.substr(0, end));
        lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
    }
}

std::string listed(std::string_view lines) {
    std::string text;
    for_each_item(lines, [&](std::string_view item) { text.append("- ").append(item) += '\n'; });
    return text;
}

std::string json_list(std::string_view lines) {
    std::string json = "[";
    for_each_item(lines, [&](std::string_view item) {
        json.append(json.size() > 1 ? "," : "");
        append_json_string(item, json);
    });
    return json + "]";
}

std::string on_one_line(std::string text) {
    for (char &c : text)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
}

// " (3 days ago)"; empty for another form of a time.
std::string age_of(const std::string &created, int64_t now_ms) {
    std::tm fields = {};
    std::istringstream text(created);
    if (!(text >> std::get_time(&fields, "%Y-%m-%dT%H:%M:%SZ")) || text.peek() != EOF) return {};
    const int64_t minutes = (now_ms / 1000 - unix_seconds(fields)) / 60;
    if (minutes < 0) return {};
    if (minutes < 60) return " (within the last hour)";
    const bool is_days = minutes >= 48 * 60;
    const int64_t count = is_days ? minutes / (24 * 60) : minutes / 60;
    const std::string unit = is_days ? " days ago)" : count == 1 ? " hour ago)" : " hours ago)";
    return " (" + std::to_string(count) + unit;
}

std::string orchestrator_text(bool has_tools) {
    std::string text =
        R"(## Handing over context

Before you start a worker, make a context packet for it.

1. Judge the task: simple, standard or complex.
2. Choose the depth by that:
   - simple (minimal): goal and constraints
   - standard (standard): and decisions, files and patterns
   - complex (deep): and failed attempts and open questions
)";
    text +=
        has_tools
            ?
            R"(3. Say with `session_append` what was discussed and is not there yet, and write the packet of the
   worker's pane, here of pane 1: `context_generate(task="TASK", depth="standard", pane=1)`
)"
            :
            R"(   `agentwire context advise --kind KIND` says what has been enough for such tasks.
3. Write the packet of the worker's pane, here of pane 1:
   `agentwire context generate "TASK" --depth standard --pane 1 --conversation FILE`
   Look at it with `agentwire context preview --pane 1`, and correct it with `edit`.
)";
    text += R"(4. Begin the worker's task with this line:
   )" + reading_line(1) +
            "\n";
    if (has_tools) return text;
    return text + R"(
When something changes, `agentwire context push --pane 1 FILE` replaces the packet and prints the
frame that tells the worker. When the task is over, say how it went:
`agentwire context record --pane 1 --kind KIND --success` (or `--fail`).
)";
}

std::string worker_text(bool has_tools) {
    const char *read = has_tools ? "context_read()" : "agentwire context read";
    const char *report =
        has_tools
            ? R"(`context_feedback(gaps=["Needed: ..."], unused=["Received: ..."])` writes it to
`.agentwire/feedback/pane-{N}.md`. If nothing was missing: `gaps=["No context gaps"]`.
)"
            : R"(`agentwire context feedback --gap "Needed: ..." --unused "Received: ..."` writes it to
`.agentwire/feedback/pane-{N}.md`. If nothing was missing: `--gap "No context gaps"`.
)";
    return std::string(R"(## Your context packet

When you begin:
1. Read your packet: `.agentwire/context/pane-{N}.yaml`, or with what all share:
   `)") + read +
           R"(`.
2. Its decisions are made. Do not decide them again.
3. Follow its constraints exactly.
4. If it is out of date or not enough, say so and ask, before you look for everything yourself.

When you are done, say what the packet was like:
- What context would have helped?
- What context was provided but unused?

)" + report;
}

}  // namespace

std::string pane_path(int64_t pane) {
    return pane == ACCP_PANES_SHARED ? ".agentwire/context/shared.yaml"
                                     : ".agentwire/context/pane-" + std::to_string(pane) + ".yaml";
}

std::string reading_line(int64_t pane) {
    return "Read your context packet first: " + pane_path(pane);
}

std::string about_packet(std::string_view packet_json, int64_t now_ms, std::string_view stale,
                         std::string_view missed) {
    std::string text = "\n## About this packet\n";
    const std::string created = json_text(json_member(packet_json, "created"));
    text += "Made " + on_one_line(created) + age_of(created, now_ms);
    const std::string_view context = json_member(packet_json, "context");
    const std::string_view version = json_member(context, "version");
    if (!version.empty()) text.append(", version ").append(version);
    text += ".\n";
    for (const std::string_view entry : json_items(json_member(context, "changelog")))
        for (const auto &[key, note] : json_members(entry))
            text += "- " + on_one_line(json_text("\"" + std::string(key) + "\"")) + ": " +
                    on_one_line(json_text(note)) + "\n";
    if (!stale.empty()) text += "Changed since then; read them again:\n" + listed(stale);
    return text + frequent_gaps_text(missed);
}

std::string frequent_gaps(std::string_view stats_json) {
    constexpr uint64_t kMinTasks = 3, kOneOf = 5;
    const JsonTree stats(stats_json);
    std::string lines;
    const uint32_t gaps = stats.find(0, "gaps");
    for (uint32_t i = gaps + 1; gaps && i < stats.next(gaps); i = stats.next(i)) {
        const uint32_t tasks = stats.find(i, "tasks");
        const std::string_view name = stats.text(stats.find(i, "gap"));
        const std::string count(stats.text(stats.find(tasks, "count"))),
            of(stats.text(stats.find(tasks, "of")));
        const uint64_t had = std::stoull(count);
        if (name == "other" || had < kMinTasks || had * kOneOf < std::stoull(of)) continue;
        lines.append(name).append(" (" + count + " of " + of + " tasks)\n");
    }
    return lines;
}

std::string frequent_gaps_text(std::string_view missed) {
    if (missed.empty()) return {};
    return "Earlier workers often lacked what follows. If you need it and it is not above, find it "
           "out before you begin, and report it:\n" +
           listed(missed);
}

int32_t depth_of(std::string_view name) {
    if (name == "minimal" || name == "simple") return ACCP_PACKET_MINIMAL;
    return name == "deep" || name == "complex" ? ACCP_PACKET_DEEP : ACCP_PACKET_STANDARD;
}

std::string feedback_text(std::string_view gaps, std::string_view unused) {
    std::string text = gaps.empty() ? "No context gaps\n" : "Context gaps:\n" + listed(gaps);
    return unused.empty() ? text : text + "Unused context:\n" + listed(unused);
}

std::string feedback_json(int64_t pane, std::string_view gaps, std::string_view unused) {
    return "{\"pane\":" + std::to_string(pane) + ",\"gaps\":" + json_list(gaps) +
           ",\"unused\":" + json_list(unused) + "}";
}

std::string role_text(Role role, PaneInterface way) {
    return role == Role::kWorker ? worker_text(way == PaneInterface::kTools)
                                 : orchestrator_text(way == PaneInterface::kTools);
}

}  // namespace host
