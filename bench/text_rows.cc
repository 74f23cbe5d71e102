// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See script_rows.h. Times a frame with one text of 16 KiB, and values that are built piece by
// piece, beside the same text and values in JSON. Each text repeats a few lines.
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "rows.h"
#include "script_rows.h"

#if ACCP_BENCH_YYJSON
#include <yyjson.h>
#endif

namespace accp_bench {

namespace {

struct Text {
    const char *name;
    const char *unit;
};
constexpr Text kTexts[] = {
    {"quotes and lines", "She said \"yes, of course\" and left.\nNobody asked: why?\n"},
    {"program text",
     "    if (at < end && text[at] == '\\n') {\n        count += 1;  // a line\n"
     "    }\n"},
    {"JSON", "{\"id\":17,\"name\":\"a \\\"b\\\"\",\"list\":[1,2,3]}\n"},
    {"only escapes", "\"\n\\\t"},
    {"plain words", "plain"},
};
constexpr const char *kSizes[] = {"values: 64 scalars", "values: 64 rows of 5"};

std::string whole(const Text &text) {
    std::string all;
    while (all.size() < 16000) all += text.unit;
    return all;
}

std::string row(const char *name, const char *by) {
    return std::string("text, ") + name + ": " + by;
}

struct Write : Result {
    explicit Write(const std::string &text) : frame(make_frame()), payload(make_value()) {
        bool good = accp_value_begin(payload.get(), ACCP_MAP, nullptr, 0, nullptr) == ACCP_OK &&
                    accp_value_add(payload.get(), ACCP_STRING, "text", 4, text.data(), text.size(),
                                   nullptr) == ACCP_OK &&
                    accp_value_end(payload.get(), nullptr) == ACCP_OK;
        if (!good) throw std::runtime_error("no value of a text");
    }
    bool operator()(size_t) {
        return accp_frame_build(frame.get(), {"a", 1}, {"req", 3}, {"op", 2}, payload.get(),
                                nullptr, &out, &error) == ACCP_OK;
    }

    Frame frame;
    Value payload;
};

struct WriteRapid {
    explicit WriteRapid(const std::string &text) : text(text) {}
    bool operator()(size_t) {
        out.Clear();
        rapidjson::Writer<rapidjson::StringBuffer> writer(out);
        return writer.String(text.data(), static_cast<unsigned>(text.size()));
    }

    const std::string &text;
    rapidjson::StringBuffer out;
};

struct Copy {
    explicit Copy(const std::string &text) : text(text), to(text.size(), 0) {}
    bool operator()(size_t) {
        std::memcpy(to.data(), text.data(), text.size());
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
        return true;
    }

    const std::string &text;
    std::vector<char> to;
};

constexpr const char *kKeys[] = {"id", "name", "size", "ok", "note"};
constexpr const char *kWords[] = {"17", "a name", "1024", "true", "nothing to say here"};
constexpr int kKinds[] = {ACCP_INT, ACCP_STRING, ACCP_INT, ACCP_BOOL, ACCP_STRING};

// Builds an array of 64 values of five kinds, or of 64 maps with five values each.
struct MakeValue {
    explicit MakeValue(bool rows) : rows(rows), value(make_value()) {}
    bool operator()(size_t) {
        accp_value *to = value.get();
        accp_value_reset(to);
        bool good = accp_value_begin(to, ACCP_ARRAY, nullptr, 0, nullptr) == ACCP_OK;
        for (size_t i = 0; i < 64; ++i) {
            if (!rows) {
                good &= add(i % 5, nullptr, 0);
                continue;
            }
            good &= accp_value_begin(to, ACCP_MAP, nullptr, 0, nullptr) == ACCP_OK;
            for (size_t j = 0; j < 5; ++j) good &= add(j, kKeys[j], std::strlen(kKeys[j]));
            good &= accp_value_end(to, nullptr) == ACCP_OK;
        }
        return good && accp_value_end(to, nullptr) == ACCP_OK;
    }
    bool add(size_t j, const char *key, size_t len) {
        return accp_value_add(value.get(), kKinds[j], key, len, kWords[j], std::strlen(kWords[j]),
                              nullptr) == ACCP_OK;
    }

    bool rows;
    Value value;
};

#if ACCP_BENCH_YYJSON
struct WriteYyjson {
    explicit WriteYyjson(const std::string &text)
        : document(yyjson_mut_doc_new(nullptr)), to(6 * text.size() + 64) {
        yyjson_mut_doc_set_root(document, yyjson_mut_strn(document, text.data(), text.size()));
    }
    ~WriteYyjson() { yyjson_mut_doc_free(document); }
    WriteYyjson(const WriteYyjson &) = delete;
    WriteYyjson &operator=(const WriteYyjson &) = delete;
    bool operator()(size_t) {
        return yyjson_mut_val_write_buf(to.data(), to.size(), yyjson_mut_doc_get_root(document), 0,
                                        nullptr) > 0;
    }

    yyjson_mut_doc *document;
    std::vector<char> to;
};

// Copies the texts and keeps numbers as digits, as the library does.
struct MakeYyjson {
    explicit MakeYyjson(bool rows) : rows(rows), pool(256 << 10) {}
    bool operator()(size_t) {
        yyjson_alc alc;
        yyjson_alc_pool_init(&alc, pool.data(), pool.size());
        yyjson_mut_doc *document = yyjson_mut_doc_new(&alc);
        yyjson_mut_val *list = yyjson_mut_arr(document);
        yyjson_mut_doc_set_root(document, list);
        bool good = true;
        for (size_t i = 0; i < 64; ++i) {
            yyjson_mut_val *map = rows ? yyjson_mut_obj(document) : nullptr;
            for (size_t j = rows ? 0 : i % 5, last = rows ? 5 : j + 1; j < last; ++j) {
                yyjson_mut_val *one = make(document, j);
                good &=
                    rows ? yyjson_mut_obj_add(
                               map, yyjson_mut_strncpy(document, kKeys[j], std::strlen(kKeys[j])),
                               one)
                         : yyjson_mut_arr_append(list, one);
            }
            if (rows) good &= yyjson_mut_arr_append(list, map);
        }
        return good;
    }
    static yyjson_mut_val *make(yyjson_mut_doc *document, size_t j) {
        const size_t len = std::strlen(kWords[j]);
        if (kKinds[j] == ACCP_BOOL) return yyjson_mut_bool(document, true);
        return kKinds[j] == ACCP_INT ? yyjson_mut_rawncpy(document, kWords[j], len)
                                     : yyjson_mut_strncpy(document, kWords[j], len);
    }

    bool rows;
    std::vector<char> pool;
};
#endif

template <class Operation>
void add(const char *name, const char *by, const std::string *text) {
    add_row(row(name, by), 1, text->size(), text->size(), [text]() { return Operation(*text); });
}

}  // namespace

void add_text_rows() {
    for (const Text &text : kTexts) {
        const auto *all = new std::string(whole(text));  // used until the program ends
        add<Write>(text.name, "frame", all);
        add<WriteRapid>(text.name, "RapidJSON", all);
        add<Copy>(text.name, "memcpy", all);
#if ACCP_BENCH_YYJSON
        add<WriteYyjson>(text.name, "yyjson", all);
#endif
    }
    for (bool rows : {false, true}) {
        const size_t items = rows ? 64 * 5 : 64;
        add_row(row(kSizes[rows], "frame"), 1, items, items, [=]() { return MakeValue(rows); });
#if ACCP_BENCH_YYJSON
        add_row(row(kSizes[rows], "yyjson"), 1, items, items, [=]() { return MakeYyjson(rows); });
#endif
    }
}

void print_text_ratios(const RatioTable &table) {
    std::printf(
        "\nTexts of 16 KiB into a frame, nanoseconds a byte; values from scalars, nanoseconds a "
        "scalar. In brackets: our time over the peer's; beside yyjson a text may take 2.0, scalars "
        "1.2 and rows 1.5%s\n",
        ACCP_BENCH_YYJSON ? "" : " (not here: ACCP_YYJSON_DIR does not name its source)");
    std::printf("  %-22s %8s %18s %18s %18s\n", "", "ns", "yyjson", "RapidJSON Writer", "memcpy");
    auto print = [&](const char *name) {
        const double ns = table.median_ns(row(name, "frame").c_str());
        std::printf("  %-22s %8.3f", name, ns);
        for (const char *peer : {"yyjson", "RapidJSON", "memcpy"}) {
            const double other = table.median_ns(row(name, peer).c_str());
            if (other > 0) std::printf(" %9.3f (%6.2f)", other, ns / other);
            else std::printf(" %18s", "-");
        }
        std::printf("\n");
    };
    for (const Text &text : kTexts) print(text.name);
    for (const char *name : kSizes) print(name);
}

}  // namespace accp_bench
