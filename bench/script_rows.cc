// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See script_rows.h: token counts. "warm" uses a counter that has already counted the texts, "first
// pass" a new counter for each pass over the set, and "new counter" one for each text. quicktok is
// measured only if ACCP_QUICKTOK_DIR names its source. It has a single tokenizer, which keeps what
// it learned for the whole run.
#include "script_rows.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "rows.h"
#include "token_counts.h"

#if ACCP_BENCH_QUICKTOK
#include <quicktok.h>
#endif

namespace accp_bench {

namespace {

struct Set {
    const char *name;
    Texts texts;
};

Texts paragraphs(const std::string &path) {
    Texts texts;
    std::istringstream lines(whole_file(ACCP_SOURCE_DIR "/data/texts/" + path));
    for (std::string line; std::getline(lines, line);) texts.push_back(line);
    return texts;
}

// Messages of programs in another language, from the translations (GNU gettext .mo files) that
// Debian's packages install, in texts of 16 KiB. They are larger than the paragraphs, so they show
// better what a cold cache costs.
Texts translations(const char *language) {
    Texts texts;
    for (const char *name : {"coreutils", "bash", "dpkg", "gnupg2", "glib20"}) {
        std::ifstream file(
            std::string("/usr/share/locale/") + language + "/LC_MESSAGES/" + name + ".mo",
            std::ios::binary);
        std::ostringstream read;
        read << file.rdbuf();
        const std::string all = read.str();
        auto word = [&all](size_t at) {
            uint32_t number = 0;
            if (at + 4 <= all.size()) std::memcpy(&number, all.data() + at, 4);
            return number;
        };
        const uint32_t count = word(0) == 0x950412DE ? word(8) : 0, table = word(16);
        for (uint32_t i = 1; i < count; ++i) {
            const uint32_t len = word(table + 8 * i), at = word(table + 8 * i + 4);
            if (at > all.size() || len > all.size() - at) break;
            if (texts.empty() || texts.back().size() > (16 << 10)) texts.emplace_back();
            texts.back().append(all, at, len).append("\n");
        }
    }
    return texts;
}

// Joins all texts into one.
Texts joined(const Texts &texts) {
    std::string all;
    for (const std::string &text : texts) all += text + "\n\n";
    return {all};
}

const std::vector<Set> &sets() {
    static const std::vector<Set> made = [] {
        std::vector<Set> all = {{"English", english_texts()},
                                {"Chinese", paragraphs("chinese.txt")},
                                {"Russian", paragraphs("russian.txt")},
                                {"code", code_texts()},
                                {"one long text", joined(english_texts())},
                                {"messages, Chinese", translations("zh_CN")},
                                {"messages, Russian", translations("ru")}};
        std::erase_if(all, [](const Set &set) { return set.texts.empty(); });
        return all;
    }();
    return made;
}

std::string row(const Set &set, const char *what) {
    return std::string("tokens, ") + set.name + ": " + what;
}

// Uses a new counter for each text; creating and freeing it is timed too.
struct CountNew {
    explicit CountNew(const Texts &texts) : texts(texts) {}
    bool operator()(size_t i) {
        const Texts one = {};
        Count count(one);
        return count.add(texts[i]);
    }

    const Texts &texts;
};

#if ACCP_BENCH_QUICKTOK
struct CountQuicktok {
    explicit CountQuicktok(const Texts &texts) : texts(texts) {}
    bool operator()(size_t i) {
        return qt_count(tokenizer(), texts[i].data(), texts[i].size()) != static_cast<size_t>(-1);
    }
    static qt_tokenizer *tokenizer() {
        static qt_tokenizer *made = [] {
            char error[256] = "";
            qt_tokenizer *out = qt_load_dir(ACCP_QUICKTOK_DATA, "o200k_base", error, sizeof error);
            if (!out) throw std::runtime_error(error);
            return out;
        }();
        return made;
    }

    const Texts &texts;
};

void check(const Set &set) {
    Count ours(set.texts);
    for (size_t i = 0; i < set.texts.size(); ++i) {
        const uint64_t before = ours.total;
        if (!ours(i) || ours.total - before != qt_count(CountQuicktok::tokenizer(),
                                                        set.texts[i].data(), set.texts[i].size()))
            throw std::runtime_error(std::string("quicktok counts otherwise: ") + set.name);
    }
}
#endif

template <class Operation>
void add(const Set &set, const char *what) {
    size_t bytes = 0;
    for (const std::string &text : set.texts) bytes += text.size();
    add_row(row(set, what), set.texts.size(), bytes, bytes,
            [&set]() { return Operation(set.texts); });
}

}  // namespace

void add_script_rows() {
    for (const Set &set : sets()) {
        add<Count>(set, "warm");
        add<CountFirst>(set, "first pass");
        add<CountNew>(set, "new counter");
#if ACCP_BENCH_QUICKTOK
        check(set);
        add<CountQuicktok>(set, "quicktok");
#endif
    }
}

void print_script_ratios(const RatioTable &table) {
    std::printf(
        "\nTokens by script, o200k_base: nanoseconds a byte, and in brackets how many times as "
        "fast as quicktok counts the same texts%s\n",
        ACCP_BENCH_QUICKTOK ? "" : " (not here: ACCP_QUICKTOK_DIR does not name its source)");
    std::printf("  %-18s %18s %18s %18s %10s\n", "texts", "warm (3.0)", "first pass (2.0)",
                "new counter", "quicktok");
    for (const Set &set : sets()) {
        const double peer = table.median_ns(row(set, "quicktok").c_str());
        std::printf("  %-18s", set.name);
        for (const char *what : {"warm", "first pass", "new counter"}) {
            const double ns = table.median_ns(row(set, what).c_str());
            std::printf(" %10.2f (%5.2f)", ns, ns > 0 ? peer / ns : 0);
        }
        std::printf(" %10.2f\n", peer);
    }
}

}  // namespace accp_bench
