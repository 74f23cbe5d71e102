// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What accp proxy adds to a model call: reading, recognising and rewriting its body, and reading
// the bill in a streamed answer. A conversation grows by one turn a call, as an agent's does.
// Prints the median and the 99th percentile.
//
// accp_rewriter_bench [CALLS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "proxy/rewriter.h"

namespace {

// This thread's own time, because others may use the core too.
double now_ms() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// One call of a tool with a result of `lines` lines, as two messages.
std::string turn(int number, int lines) {
    const std::string id = "\"toolu_" + std::to_string(number) + "\"";
    std::string text;
    for (int line = 0; line < lines; ++line)
        text += std::to_string(line + 1) + "\\tconst value_" + std::to_string(number * 31 + line) +
                " = compute(\\\"" + std::to_string(line * 7 + number) + "\\\");\\n";
    return R"(,{"role":"assistant","content":[{"type":"tool_use","id":)" + id +
           R"(,"name":"Read","input":{"file_path":"src/file)" + std::to_string(number) +
           R"(.ts"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":)" + id +
           R"(,"content":")" + text + R"("}]})";
}

void print(const char *what, std::vector<double> times, const char *unit) {
    std::sort(times.begin(), times.end());
    std::printf("  %-34s p50 %8.3f %s   p99 %8.3f %s\n", what, times[times.size() / 2], unit,
                times[times.size() * 99 / 100], unit);
}

// `evicts`: false: all conversations are held out, so that nothing is replaced.
void measure(size_t bytes, int calls, bool evicts) {
    proxy::Conversations conversations({});
    proxy::RewriteOptions options;
    options.holdout = evicts ? 0 : 1;
    proxy::Rewriter rewriter(options, conversations, proxy::PriceTable());
    std::string body =
        R"({"model":"claude-opus-5","system":"You are an agent.","messages":[{"role":"user","content":"Mend it."})";
    int turns = 0;
    while (body.size() < bytes) body += turn(turns++, 40);
    const proxy::Headers headers;
    std::vector<double> times;
    double first = 0;
    size_t sent_bytes = 0;
    for (int call = 0; call <= calls; ++call) {
        const std::string whole = body + "]}";
        const double begin = now_ms();
        const auto sent = rewriter.outgoing(static_cast<uint64_t>(call),
                                            {"POST", "/v1/messages", headers, "anthropic"}, whole,
                                            1'795'824'000'000 + call * 1000);
        const double end = now_ms();
        if (call) times.push_back(end - begin);
        else first = end - begin;
        sent_bytes = sent.value_or(whole).size();
        body += turn(turns++, 4);
    }
    char what[64];
    std::snprintf(what, sizeof what, "%zu KB, %s", bytes / 1000,
                  evicts ? "rewritten" : "only read");
    print(what, times, "ms");
    std::printf("  %-34s     %8.3f ms   sent %zu KB of %zu\n", "  the first time", first,
                sent_bytes / 1000, body.size() / 1000);
}

void measure_stream(int rounds) {
    std::string stream =
        "event: message_start\ndata: "
        "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":10}}}\n\n";
    const std::string chunk =
        "event: content_block_delta\ndata: "
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":"
        "\" and then some words\"}}\n\n";
    proxy::UsageReader reader;
    reader.read_head(200, {{"content-type", "text/event-stream"}});
    reader.read_bytes(stream);
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const double begin = now_ms();
        for (int i = 0; i < 1000; ++i) reader.read_bytes(chunk);
        times.push_back(now_ms() - begin);
    }
    if (!reader.usage()) std::abort();
    print("a chunk of a stream, 130 bytes", times, "us");
}

}  // namespace

int main(int argc, char **argv) {
    const int calls = argc > 1 ? std::atoi(argv[1]) : 200;
    if (calls < 1) {
        std::fprintf(stderr, "usage: accp_rewriter_bench [CALLS]\n");
        return 2;
    }
    std::printf("Added to a model call by accp proxy, without sockets (%d calls):\n", calls);
    for (const size_t bytes : {size_t{200'000}, size_t{2'000'000}})
        for (const bool evicts : {true, false}) measure(bytes, calls, evicts);
    measure_stream(calls);
}
