// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See peers.h.
#include "peers.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <simdjson.h>

#include <cstdio>
#include <cstring>

#include "rows.h"

namespace accp_bench {

namespace {

// The lines are in padded memory, so simdjson need not copy them. Its parser is reused.
struct SimdjsonParse {
    SimdjsonParse(const Lines &lines, const simdjson::implementation *which) : lines(lines) {
        simdjson::get_active_implementation() = which;
    }
    bool operator()(size_t i) {
        return !parser.parse(lines[i].data(), lines[i].size(), false).get(root);
    }

    const Lines &lines;
    simdjson::dom::parser parser;
    simdjson::dom::element root;
};

const simdjson::implementation *best_simdjson() {
    return simdjson::get_available_implementations().detect_best_supported();
}

// As in RapidJSON's tutorial: both allocators use the caller's memory, so that nothing is allocated
// on the heap.
class RapidParse {
public:
    using Pool = rapidjson::MemoryPoolAllocator<>;
    using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, Pool, Pool>;

    explicit RapidParse(const Lines &lines)
        : lines_(lines), text_(lines.all().size()), values_(64 << 10), stack_(16 << 10) {}

    // Parsing in situ modifies the text.
    void prepare(size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) {
            std::memcpy(text(i), lines_[i].data(), lines_[i].size());
            text(i)[lines_[i].size()] = '\0';
        }
    }
    bool operator()(size_t i) {
        Pool values(values_.data(), values_.size()), stack(stack_.data(), stack_.size());
        Document document(&values, 4096, &stack);
        document.ParseInsitu(text(i));
        return !document.HasParseError();
    }

private:
    char *text(size_t i) { return text_.data() + (lines_[i].data() - lines_.all().data()); }

    const Lines &lines_;
    std::vector<char> text_, values_, stack_;
};

// Writes existing documents, all of a block in one pool, with one reused Writer and buffer.
struct RapidWrite {
    explicit RapidWrite(const Lines &lines) : lines(lines) {}
    void prepare(size_t first, size_t end) {
        documents.clear();
        pool.Clear();
        for (size_t i = first; i < end; ++i) {
            documents.emplace_back(&pool);
            documents.back().Parse(lines[i].data(), lines[i].size());
        }
    }
    bool operator()(size_t i) {
        buffer.Clear();
        writer.Reset(buffer);
        return documents[i % kBlock].Accept(writer);
    }

    const Lines &lines;
    rapidjson::MemoryPoolAllocator<> pool;
    std::vector<rapidjson::Document> documents;
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer{buffer};
};

bool complain(const char *peer, size_t i) {
    std::fprintf(stderr, "accp_bench: %s does not read or write message %zu as it should\n", peer,
                 i + 1);
    return false;
}

// Compares values, because the peers may spell a number differently.
class SameValue {
public:
    bool operator()(std::string_view a, std::string_view b) {
        return a == b || hash_form(a) == hash_form(b);
    }

private:
    std::string hash_form(std::string_view text) {
        accp_text out = {};
        if (accp_value_parse_json(value_.get(), text.data(), text.size(), nullptr))
            return "no JSON";
        if (accp_value_print_hash_form(value_.get(), &out, nullptr)) return "no hash form";
        return {out.text, out.len};
    }
    Value value_ = make_value();
};

}  // namespace

std::string simdjson_choice() {
    return best_simdjson()->name() + std::string(" ") + SIMDJSON_STRINGIFY(SIMDJSON_VERSION);
}

bool check_peers(const Corpus &corpus) {
    const Lines &lines = corpus.compact;
    SimdjsonParse simdjson(lines, best_simdjson());
    RapidParse rapid(lines);
    RapidWrite write(lines);
    SameValue same;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (!simdjson(i) || !same(simdjson::minify(simdjson.root), lines[i]))
            return complain("simdjson", i);
        if (i % kBlock == 0) write.prepare(i, std::min(i + kBlock, lines.size()));
        if (!write(i) || !same({write.buffer.GetString(), write.buffer.GetSize()}, lines[i]))
            return complain("RapidJSON's Writer", i);
    }
    rapid.prepare(0, lines.size());
    for (size_t i = 0; i < lines.size(); ++i)
        if (!rapid(i)) return complain("RapidJSON in situ", i);
    return true;
}

void add_peer_rows(const Corpus &corpus, const SacpLines &sacp) {
    auto add_simdjson = [](const char *name, const Lines &lines,
                           const simdjson::implementation *which) {
        add_row(name, lines, [&lines, which]() { return SimdjsonParse(lines, which); });
    };
    add_simdjson(kSimdjson, corpus.compact, best_simdjson());
    add_simdjson(kSimdjsonMessage, corpus.messages, best_simdjson());
    add_simdjson(kSimdjsonTalk, corpus.talk, best_simdjson());
    add_simdjson(kSimdjsonJudged, sacp.example, best_simdjson());
    add_simdjson(kSimdjsonVarious, sacp.various, best_simdjson());
    const simdjson::implementation *haswell = simdjson::get_available_implementations()["haswell"];
    if (haswell && haswell->supported_by_runtime_system())
        add_simdjson(kSimdjsonHaswell, corpus.compact, haswell);
    add_row(kRapidInSitu, corpus.compact, [&corpus]() { return RapidParse(corpus.compact); });
    add_row(kRapidWriter, corpus.compact, [&corpus]() { return RapidWrite(corpus.compact); });
}

}  // namespace accp_bench
