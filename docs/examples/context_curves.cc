// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What an agent's calls cost when it resends its history, and when it sends what a session gives it
// instead: context_curves FILE.jsonl... draws the first file step by step, and sums up all of them.
// Messages are one a line; uses the public headers only.
#include <accp/accp.h>
#include <accp/parts.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int64_t kNow = 1'700'000'000'000;  // any time will do: nothing here expires

void need(accp_status status, const accp_error &err) {
    if (status != ACCP_OK)
        throw std::runtime_error(std::string(accp_status_code_name(status)) + ": " + err.message);
}

// What one call of the model reads.
struct Step {
    uint64_t history = 0, context = 0;  // tokens
};

// A session beside its plain history.
class Run {
public:
    Run() {
        accp_error err = {};
        need(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer_, &err), err);
        need(accp_counter_new(tokenizer_, nullptr, &counter_, &err), err);
        need(accp_engine_new(nullptr, &engine_, &err), err);
        need(accp_session_open(engine_, "demo", 4, 0, &session_, &err), err);
        need(accp_value_new(nullptr, &value_, &err), err);
    }
    ~Run() {
        accp_value_free(value_);
        accp_session_close(session_);
        accp_engine_free(engine_);
        accp_counter_free(counter_);
        accp_tokenizer_free(tokenizer_);
    }
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    // What a model would be given before this message is said; then it is said.
    Step say(const std::string &line) {
        accp_error err = {};
        Step step = {history_, 0};
        accp_text text = {};
        uint64_t tokens = 0;
        need(accp_session_context(session_, 0, &text, &step.context, &err), err);
        need(accp_value_parse_json(value_, line.data(), line.size(), &err), err);
        need(accp_value_print_json(value_, &text, &err), err);
        need(accp_counter_count(counter_, text.text, text.len, UINT64_MAX, &tokens, &err), err);
        need(accp_session_append(session_, text.text, text.len, kNow, &err), err);
        said_.push_back(std::string(text.text, text.len));
        history_ += tokens;
        return step;
    }

    // Is every message still there, byte for byte?
    bool remembers_all() const {
        accp_error err = {};
        for (size_t i = 0; i < said_.size(); ++i) {
            accp_log_record record = {};
            need(accp_session_record(session_, i + 1, &record, &err), err);
            if (said_[i] != std::string(record.text.text, record.text.len)) return false;
        }
        return accp_session_record_count(session_) == said_.size();
    }

private:
    accp_tokenizer *tokenizer_ = nullptr;
    accp_counter *counter_ = nullptr;
    accp_engine *engine_ = nullptr;
    accp_session *session_ = nullptr;
    accp_value *value_ = nullptr;
    std::vector<std::string> said_;
    uint64_t history_ = 0;
};

std::string bar(uint64_t tokens, uint64_t max, const char *piece) {
    std::string out;
    for (uint64_t i = 0; i < (tokens * 60 + max / 2) / max; ++i) out += piece;
    return out;
}

// Both curves, one line a step: what the session gives is the beginning of what the history would
// be.
void draw(const std::vector<Step> &steps) {
    const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    uint64_t max = 1;
    for (const Step &step : steps) max = std::max({max, step.history, step.context});
    std::printf("  step  history  context\n");
    for (size_t i = 0; i < steps.size(); ++i) {
        const std::string context = bar(steps[i].context, max, "█");
        const std::string rest =
            bar(steps[i].history - std::min(steps[i].context, steps[i].history), max, "░");
        std::printf("  %4zu  %7" PRIu64 "  %7" PRIu64 "  %s%s%s%s\n", i + 1, steps[i].history,
                    steps[i].context, colour ? "\033[32m" : "", context.c_str(),
                    colour ? "\033[0m" : "", rest.c_str());
    }
    std::printf("\n");
}

Step replay(const std::string &path, bool shown) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(path + ": cannot be read");
    Run run;
    std::vector<Step> steps;
    for (std::string line; std::getline(in, line);) steps.push_back(run.say(line));
    if (!run.remembers_all()) throw std::runtime_error(path + ": a message was lost");
    if (shown) draw(steps);
    Step sum;
    for (const Step &step : steps) {
        sum.history += step.history;
        sum.context += step.context;
    }
    std::printf(
        "  %-24s %3zu calls %9" PRIu64 " tokens of history, %8" PRIu64
        " of contexts: %5.1f %% saved\n",
        std::filesystem::path(path).stem().string().c_str(), steps.size(), sum.history, sum.context,
        sum.history == 0
            ? 0
            : 100 - 100.0 * static_cast<double>(sum.context) / static_cast<double>(sum.history));
    return sum;
}

}  // namespace

int main(int argc, char **argv) {
    try {
        std::printf(
            "A coding agent's session: what each call of the model reads when the history is sent "
            "again (all of a bar, as compact JSON),\n"
            "and what a session gives it instead (its beginning). Tokens of o200k_base, "
            "exact.\n\n");
        Step all;
        for (int i = 1; i < argc; ++i) {
            const Step sum = replay(argv[i], i == 1);
            all.history += sum.history;
            all.context += sum.context;
        }
        std::printf("  %-24s           %9" PRIu64 " tokens of history, %8" PRIu64
                    " of contexts: %5.1f %% saved\n",
                    "all of them", all.history, all.context,
                    all.history == 0 ? 0
                                     : 100 - 100.0 * static_cast<double>(all.context) /
                                                 static_cast<double>(all.history));
        std::printf("\nEvery message is still there, byte for byte.\n\n");
        return argc > 1 ? 0 : 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "context_curves: %s\n", error.what());
        return 1;
    }
}
