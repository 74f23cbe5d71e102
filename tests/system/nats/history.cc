// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See history.h: the model, and histories as text.
#include "nats/history.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace nats_tests {

bool SessionModel::apply(const Operation &op) {
    using Op = Operation;
    if (op.kind == Op::kReadFence) return op.seen == fence;
    if (op.kind != Op::kWrite && op.expects == Op::kAnyFence && !fence)
        return op.outcome == Op::kRefused;
    const bool stands = op.expects == Op::kAnyFence || op.expects == fence;
    if (op.outcome == Op::kRefused) return !stands;
    if (!stands) return false;
    if (op.kind == Op::kReadLog) return op.records == log;
    if (op.kind == Op::kReadValue) return op.values[op.key] == values[op.key];
    fence = op.sets;
    log.insert(log.end(), op.records.begin(), op.records.end());
    for (size_t i = 0; i < Op::kValues; ++i)
        if (op.values[i]) values[i] = op.values[i];
    return op.outcome == Op::kUnknown || op.seen == log.size();
}

static std::string line_of(const Operation &op, int64_t from) {
    static const char *const kinds[] = {"write", "read log", "read value", "read fence"};
    static const char *const outcomes[] = {"done", "refused", "unknown"};
    const auto time = [&](int64_t at) { return std::to_string((at - from) / 1000); };
    std::string out = time(op.begin) + " ";
    out += op.outcome == Operation::kUnknown ? "-" : time(op.end);
    out += " client " + std::to_string(op.client) + " " + kinds[op.kind];
    if (op.expects != Operation::kAnyFence) out += " expects " + std::to_string(op.expects);
    if (op.sets) out += " sets " + std::to_string(op.sets);
    out += std::string(" ") + outcomes[op.outcome] + " seen " + std::to_string(op.seen);
    for (size_t i = 0; i < Operation::kValues; ++i)
        if (op.values[i]) out += " value" + std::to_string(i) + "=" + std::to_string(op.values[i]);
    if (op.kind == Operation::kReadValue) out += " of value" + std::to_string(op.key);
    for (const uint64_t record : op.records) out += " +" + std::to_string(record);
    return out;
}

std::string keep_if_broken(const History &history, const std::string &name,
                           const std::vector<Mark> &marks) {
    const Judgement judgement = judge(history);
    if (judgement.verdict == Verdict::kLinear) return "";
    const std::string file = (std::filesystem::temp_directory_path() /
                              ("accp-history-" + name + "-" + std::to_string(getpid())))
                                 .string();
    int64_t from = INT64_MAX;
    for (const Operation &op : history) from = std::min(from, op.begin);
    std::ofstream out(file);
    for (const Mark &mark : marks)
        out << "# " << (mark.at - from) / 1000 << " " << mark.what << "\n";
    out << "# begin and end in microseconds; an order that explains as many as any:\n";
    std::vector<bool> is_explained(history.size());
    for (const size_t at : judgement.explained) {
        is_explained[at] = true;
        out << line_of(history[at], from) << "\n";
    }
    out << (judgement.verdict == Verdict::kBroken ? "# nothing explains the rest:\n"
                                                  : "# given up; the rest:\n");
    for (size_t at = 0; at < history.size(); ++at)
        if (!is_explained[at]) out << line_of(history[at], from) << "\n";
    return file;
}

}  // namespace nats_tests
