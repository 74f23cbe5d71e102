// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a series of calls on one set of handles, with NULLs among the arguments and an
// allocator that sometimes fails. All statuses must be documented ones, a failure must change
// nothing, and at the end all memory must be released.
#include <vector>

#include "fuzz/fuzz_input.h"
#include "fuzz/tree_check.h"

using namespace accp_fuzz;

namespace {

struct Heap {
    int64_t blocks = 0;
    uint32_t until_failure = 0;  // 0: never
};

void *take(size_t size, void *user) {
    auto *heap = static_cast<Heap *>(user);
    if (heap->until_failure && --heap->until_failure == 0) return nullptr;
    ++heap->blocks;
    return std::malloc(size);
}

void give(void *memory, size_t, void *user) {
    --static_cast<Heap *>(user)->blocks;
    std::free(memory);
}

class Calls {
public:
    Calls(const uint8_t *data, size_t size) : next_(data), end_(data + size) {
        Config config(settings_from(byte()));
        config.rule(ACCP_RULE_DIALECT, byte() % 3).allocator({take, give, &heap_});
        REQUIRE(accp_frame_new(config.get(), &frame_, nullptr) == ACCP_OK);
        REQUIRE(accp_codec_new(config.get(), &codec_, nullptr) == ACCP_OK);
        REQUIRE(accp_value_new(config.get(), &value_, nullptr) == ACCP_OK);
        REQUIRE(accp_value_new(config.get(), &meta_, nullptr) == ACCP_OK);
        REQUIRE(accp_batch_new(config.get(), &batch_, nullptr) == ACCP_OK);
    }
    ~Calls() {
        accp_frame_free(frame_);
        accp_codec_free(codec_);
        accp_value_free(value_);
        accp_value_free(meta_);
        accp_batch_free(batch_);
        REQUIRE(heap_.blocks == 0);
    }
    void run() {
        while (next_ < end_) call();
    }

private:
    uint8_t byte() { return next_ < end_ ? *next_++ : 0; }
    // Returns a text of the input, which stays valid until the end of the run; sometimes NULL.
    accp_text text() {
        uint8_t len = byte();
        if (len == 255) return {nullptr, 0};
        size_t left = static_cast<size_t>(end_ - next_);
        size_t want = len < left ? len : left;
        kept_.emplace_back(text_of(next_, want));
        next_ += want;
        return {kept_.back().data(), want};
    }
    bool null() { return byte() % 16 == 15; }
    accp_frame *frame() { return null() ? nullptr : frame_; }
    accp_value *value() { return null() ? nullptr : value_; }
    accp_batch *batch() { return null() ? nullptr : batch_; }

    void call();
    void frame_call(uint8_t which);
    void value_call(uint8_t which);
    void batch_call(uint8_t which);
    accp_status build(uint8_t which, accp_error *error);
    void check(accp_status status, const accp_error &error);
    template <class Call>
    void view(Call call) {
        const Answer answer = ask(SIZE_MAX, call);
        check_code(answer.status);
    }
    void check_code(accp_status status) {
        REQUIRE(status == ACCP_OK || status == ACCP_E1001 || status == ACCP_E1004 ||
                status == ACCP_E2001 || status == ACCP_ERR_NOMEM || status == ACCP_ERR_ARG ||
                status == ACCP_ERR_SPACE);
    }

    const uint8_t *next_, *end_;
    Heap heap_;
    std::vector<Exact> kept_;
    accp_frame *frame_ = nullptr;
    accp_codec *codec_ = nullptr;  // writes and reads messages with the frame's envelope
    accp_value *value_ = nullptr, *meta_ = nullptr;
    accp_batch *batch_ = nullptr;
};

void Calls::check(accp_status status, const accp_error &error) {
    check_error(status, error, SIZE_MAX);
    check_code(status);
}

void Calls::frame_call(uint8_t which) {
    accp_frame *frame = this->frame();
    accp_codec *codec = frame ? codec_ : nullptr;
    accp_text text = which < 4 ? this->text() : accp_text{};
    accp_error error = untouched_error();
    switch (which) {
        case 0:
        case 1: return check(accp_frame_parse(frame, text.text, text.len, &error), error);
        case 2:
            return view(
                [=](auto... out) { return accp_codec_encode(codec, text.text, text.len, out...); });
        case 3:
            return view(
                [=](auto... out) { return accp_codec_decode(codec, text.text, text.len, out...); });
        case 4: return view([=](auto... out) { return accp_frame_print(frame, out...); });
        case 5: return check(accp_frame_payload(frame, value(), &error), error);
        case 6: return check(accp_frame_meta(frame, value(), &error), error);
        case 7: {
            accp_value *payload = value(), *meta = null() ? meta_ : nullptr;
            accp_text agent = this->text(), intent = this->text(), operation = this->text();
            return view([=](auto... out) {
                return accp_frame_build(frame, agent, intent, operation, payload, meta, out...);
            });
        }
        case 8: {
            accp_envelope envelope = {byte(), 0, int8_t(byte()), 0, 0, this->text(), this->text(),
                                      {},     {}};
            const accp_envelope *set = null() ? nullptr : &envelope;
            check(accp_frame_set_envelope(frame, set, &error), error);
            error = untouched_error();
            return check(accp_codec_set_envelope(codec, set, &error), error);
        }
        case 9: {
            accp_envelope envelope = {};
            return check(accp_frame_envelope(frame, &envelope, &error), error);
        }
        case 10: {
            char buffer[16];
            size_t len = 0;
            return check(accp_frame_string(frame, byte(), buffer, byte() % 17, &len, &error),
                         error);
        }
        default: {
            size_t count = 0;
            const accp_node *nodes = accp_frame_nodes(frame, &count);
            if (frame) check_tree(nodes, count, accp_frame_text(frame), true);
            accp_text key = this->text();
            REQUIRE(accp_frame_find(frame, byte(), key.text, key.len) <= count);
        }
    }
}

accp_status Calls::build(uint8_t which, accp_error *error) {
    accp_value *value = this->value();
    accp_text key = byte() % 2 ? text() : accp_text{};
    accp_text content = which % 4 == 0 ? text() : accp_text{};
    switch (which) {
        case 0:
            return accp_value_add(value, ACCP_STRING, key.text, key.len, content.text, content.len,
                                  error);
        case 4:
            return accp_value_add(value, ACCP_NUMBER, key.text, key.len, content.text, content.len,
                                  error);
        case 8:
            return accp_value_add(value, ACCP_REF, key.text, key.len, content.text, content.len,
                                  error);
        case 1: return accp_value_add(value, ACCP_NULL, key.text, key.len, nullptr, 0, error);
        case 2: {
            const std::string_view said = byte() ? "true" : "false";
            return accp_value_add(value, ACCP_BOOL, key.text, key.len, said.data(), said.size(),
                                  error);
        }
        case 3: {
            const std::string digits = std::to_string(int8_t(byte()));
            return accp_value_add(value, ACCP_INT, key.text, key.len, digits.data(), digits.size(),
                                  error);
        }
        case 5:
        case 6: return accp_value_begin(value, ACCP_ARRAY, key.text, key.len, error);
        case 7: return accp_value_begin(value, ACCP_MAP, key.text, key.len, error);
        default: return accp_value_end(value, error);
    }
}

void Calls::value_call(uint8_t which) {
    accp_error error = untouched_error();
    if (which < 10) {
        size_t before = 0, after = 0;
        accp_value_nodes(value_, &before);
        accp_status status = build(which, &error);
        check(status, error);
        accp_value_nodes(value_, &after);
        REQUIRE(after == before + (status == ACCP_OK && which < 9));
        return;
    }
    accp_value *value = this->value();
    if (which == 10) return view([=](auto... out) { return accp_value_print_json(value, out...); });
    if (which == 11)
        return view([=](auto... out) { return accp_value_print_hash_form(value, out...); });
    if (which == 12) return accp_value_reset(value);
    accp_text json = text();
    check(accp_value_parse_json(which == 13 ? meta_ : value, json.text, json.len, &error), error);
}

void Calls::batch_call(uint8_t which) {
    accp_batch *batch = this->batch();
    accp_text text = this->text();
    accp_error error = untouched_error();
    auto call = which == 0 ? accp_batch_parse : which == 1 ? accp_batch_encode : accp_batch_decode;
    accp_status status = call(batch, text.text, text.len, &error);
    check(status, error);
    REQUIRE(status == ACCP_OK || status == ACCP_ERR_ARG || status == ACCP_ERR_NOMEM);
    if (!batch) return;
    size_t records = 0, nodes = 0;
    const accp_record *record = accp_batch_records(batch, &records);
    const accp_node *node = accp_batch_nodes(batch, &nodes);
    const accp_text out = accp_batch_text(batch);
    REQUIRE(status == ACCP_OK || status == ACCP_ERR_ARG || records == 0);
    for (size_t i = 0; i < records && status == ACCP_OK; ++i) {
        check_code(record[i].status);
        REQUIRE((record[i].message == nullptr) == (record[i].status == ACCP_OK));
        REQUIRE(record[i].first_node + record[i].node_count <= nodes);
        if (which == 0 && record[i].status == ACCP_OK)
            check_tree(node + record[i].first_node, record[i].node_count,
                       {text.text + record[i].offset, record[i].len}, true);
        if (which != 0 && record[i].status == ACCP_OK)
            REQUIRE(record[i].offset + record[i].len < out.len &&
                    out.text[record[i].offset + record[i].len] == '\n');
    }
}

void Calls::call() {
    uint8_t which = byte();
    if (which < 12 * 8) return frame_call(which / 8);
    if (which < 12 * 8 + 15 * 8) return value_call((which - 96) / 8);
    if (which < 12 * 8 + 15 * 8 + 24) return batch_call((which - 216) / 8);
    if (which < 248) heap_.until_failure = byte();
    else heap_.until_failure = 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Calls(data, size).run();
    return 0;
}
