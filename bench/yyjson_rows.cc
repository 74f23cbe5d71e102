// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// yyjson, if ACCP_YYJSON_DIR names its source, because Debian has no package. Read in situ with a
// pool of the caller, and written into a buffer of the caller, the fastest way of its
// documentation.
#include <yyjson.h>

#include <cstring>
#include <vector>

#include "rows.h"

namespace accp_bench {

namespace {

class YyjsonParse {
public:
    explicit YyjsonParse(const Lines &lines)
        : lines_(lines),
          text_(lines.all().size() + YYJSON_PADDING_SIZE * lines.size()),
          pool_(64 << 10) {}

    // Parsing in situ modifies the text.
    void prepare(size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) {
            std::memcpy(text(i), lines_[i].data(), lines_[i].size());
            std::memset(text(i) + lines_[i].size(), 0, YYJSON_PADDING_SIZE);
        }
    }
    bool operator()(size_t i) {
        yyjson_alc pool;
        yyjson_alc_pool_init(&pool, pool_.data(), pool_.size());
        return yyjson_read_opts(text(i), lines_[i].size(), YYJSON_READ_INSITU, &pool, nullptr);
    }

private:
    char *text(size_t i) {
        return text_.data() + (lines_[i].data() - lines_.all().data()) + i * YYJSON_PADDING_SIZE;
    }

    const Lines &lines_;
    std::vector<char> text_, pool_;
};

class YyjsonWrite {
public:
    explicit YyjsonWrite(const Lines &lines) : lines_(lines), buffer_(64 << 10) {}
    ~YyjsonWrite() { clear(); }
    YyjsonWrite(const YyjsonWrite &) = delete;
    YyjsonWrite &operator=(const YyjsonWrite &) = delete;
    YyjsonWrite(YyjsonWrite &&) = default;

    void prepare(size_t first, size_t end) {
        clear();
        for (size_t i = first; i < end; ++i)
            documents_.push_back(yyjson_read(lines_[i].data(), lines_[i].size(), 0));
    }
    bool operator()(size_t i) {
        return yyjson_write_buf(buffer_.data(), buffer_.size(), documents_[i % kBlock], 0,
                                nullptr) > 0;
    }

private:
    void clear() {
        for (yyjson_doc *document : documents_) yyjson_doc_free(document);
        documents_.clear();
    }

    const Lines &lines_;
    std::vector<yyjson_doc *> documents_;
    std::vector<char> buffer_;
};

}  // namespace

void add_yyjson_rows(const Corpus &corpus) {
    add_row(kYyjsonInSitu, corpus.compact, [&corpus]() { return YyjsonParse(corpus.compact); });
    add_row(kYyjsonWrite, corpus.compact, [&corpus]() { return YyjsonWrite(corpus.compact); });
}

}  // namespace accp_bench
