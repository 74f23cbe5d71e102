// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How much a file of code says of a task: BM25 of its words, the names that it defines, and what
// kind of file it is. In whole numbers, so that every machine has the same order.
#pragma once

#include <algorithm>

#include "packet/code/files.h"

namespace accp::packet {

template <class Visit>
void each_symbol(const CodeFile &file, Visit visit) {
    for (size_t at = 0; at < file.symbols.size();) {
        const size_t end = file.symbols.find('\n', at);
        visit(file.symbols.substr(at, end - at));
        at = end + 1;
    }
}

inline bool has_hash(std::span<const uint64_t> sorted, uint64_t hash) {
    return std::binary_search(sorted.begin(), sorted.end(), hash);
}

class CodeScorer {
public:
    explicit CodeScorer(Memory &memory) : weights_(memory) {}

    // The query is borrowed; of the pick all but its files is known.
    void begin(const CodeQuery &query, const CodePick &pick);
    int64_t score(const CodeFile &file) const;
    // No file of any length has more that has word number `word` of the query so often; what it has
    // for names is added to the sum of these.
    int64_t max_of_word(size_t word, int64_t count) const { return of_word(word, count, kBase); }
    static int64_t of_names(int asked, int spoken);

private:
    static constexpr int64_t kBase = 300;  // of the norm, for a file without words
    int64_t of_word(size_t word, int64_t count, int64_t norm) const {
        return weights_[word] * count * 2200 / (count * 1000 + norm);
    }

    const CodeQuery *query_ = nullptr;
    Buffer<int64_t> weights_;
    int64_t mean_length_ = 1;
};

}  // namespace accp::packet
