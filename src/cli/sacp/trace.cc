// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp trace: runs plans with scripted tools. Each line is a case of trace.jsonl
// (docs/sacp.md). Prints the trace and the result of each.
#include <map>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// The outcomes of tools: one for each call of a tool; the last is repeated.
class ToolScript {
public:
    explicit ToolScript(std::string_view tools) : tools_(tools) {}

    // Returns {"ok":V}, {"fail":text} or {"timeout":true}; empty if no agent has the tool.
    std::string_view next(std::string_view tool, std::string_view path) {
        std::string name = std::string(tool) + "@" + std::string(path);
        std::vector<std::string_view> outcomes = json_items(json_member(tools_, name));
        if (outcomes.empty()) outcomes = json_items(json_member(tools_, name = tool));
        if (outcomes.empty()) return {};
        const size_t call = calls_[name]++;
        return outcomes[call < outcomes.size() ? call : outcomes.size() - 1];
    }

private:
    std::string_view tools_;
    std::map<std::string, size_t> calls_;
};

void apply_outcome(PlanRun &run, const accp_run_effect &call, std::string_view outcome,
                   int64_t now) {
    const std::string_view output = json_member(outcome, "ok");
    if (outcome.empty()) return run.fail(call.call, ACCP_RUN_NO_AGENT, "", now);
    if (!output.empty()) return run.complete(call.call, output, now);
    const bool timeout = json_member(outcome, "timeout") == "true";
    run.fail(call.call, timeout ? ACCP_RUN_TIMED_OUT : ACCP_RUN_TOOL_FAILED,
             json_word(json_member(outcome, "fail")), now);
}

// The clock advances only to the next deadline of the run.
void run_script(PlanRun &run, ToolScript &script) {
    for (int64_t now = 0;;) {
        const accp_run_effect effect = run.next(now);
        if (effect.kind == ACCP_RUN_ENDED) return;
        if (effect.kind == ACCP_RUN_CALL)
            apply_outcome(run, effect, script.next(to_view(effect.tool), to_view(effect.path)),
                          now);
        if (effect.kind == ACCP_RUN_NOTHING) run.tick(now = run.due());
    }
}

}  // namespace

int sacp_trace(const Arguments &arguments, Streams &io) {
    const std::string &directory = arguments.library_dir;
    if (directory.empty()) throw Failure("sacp trace needs --library-dir");
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    const Handle<accp_config> config = make_config(arguments);
    std::map<std::string, std::string> libraries;
    for_each_line(arguments, io, limit, Lines::kMessages, [&](std::string_view line) {
        const std::string one = compact_json(line);
        const std::string name(json_word(json_member(one, "library")));
        if (name.find('/') != name.npos)
            throw Failure("a library is the name of a file in --library-dir, and not " + name);
        const auto known = libraries.try_emplace(name);
        if (known.second && !name.empty())
            known.first->second = read_file(directory + "/" + name + ".json");
        PlanSource source;
        source.message = json_member(one, "message");
        source.library = known.first->second;
        source.policy = json_member(one, "policy");
        source.config = config.get();
        source.lenient = json_member(one, "strict") == "false";
        PlanRun run(source);
        ToolScript script(json_member(one, "tools"));
        run_script(run, script);
        io.out.text.append("{\"trace\":" + run.trace() + ",\"final\":" + run.final() + "}\n");
        io.flush_if_full();
    });
    return io.status();
}

}  // namespace cli
