// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: packets that are asked.
#include "base/handle.h"
#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/packet_handle.h"
#include "packet/query/answer.h"
#include "transcript/read.h"

using namespace accp;
using namespace accp::capi;

struct accp_packet_index {
    explicit accp_packet_index(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          index(memory),
          question(memory),
          out(memory) {}

    Settings settings;
    Memory memory;
    packet::Index index;
    packet::Question question;
    Buffer<char> out;
};

namespace {

Status query(accp_packet_index &index, std::string_view question, std::string_view from) {
    if (!transcript::has_words(question)) return fail(ACCP_ERR_ARG, 0, "there is no question");
    const size_t valid = valid_utf8_prefix(question.data(), question.size());
    if (valid != question.size()) return fail(ACCP_E1004, valid, "not UTF-8");
    index.question.read(question);
    Status status = index.index.ask(index.question, from);
    if (status.failed()) return status;
    if (index.index.hits().empty())
        return fail(ACCP_E2001, 0, "nothing in the packets answers the question");
    index.out.recycle(kKeptBytes);
    packet::Answer(index.index, index.question, index.memory).write(!from.empty(), index.out);
    return {};
}

}  // namespace

extern "C" {

accp_status accp_packet_index_new(const accp_config *config, accp_packet_index **out,
                                  accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_packet_index>(capi::settings_of(config));
        return Status{};
    });
}

void accp_packet_index_free(accp_packet_index *index) noexcept { destroy_handle(index); }

accp_status accp_packet_index_add(accp_packet_index *index, const accp_packet *packet,
                                  accp_error *err) noexcept {
    if (!index) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_filled(packet, err)) return status;
    return capi::guard(err, [&] {
        index->index.add(packet->packet.view(), packet->packet.checksum());
        return Status{};
    });
}

uint64_t accp_packet_index_size(const accp_packet_index *index) noexcept {
    return index ? index->index.size() : 0;
}

accp_status accp_packet_index_query(accp_packet_index *index, const char *question,
                                    size_t question_len, const char *from, size_t from_len,
                                    accp_text *out, accp_error *err) noexcept {
    if (!index || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(question, question_len) || !capi::is_text(from, from_len))
        return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(question, index->out) || capi::lies_in(from, index->out))
        return capi::refuse(err, capi::kOwnText);
    return capi::guard(err, [&] {
        Status status = query(*index, to_view(question, question_len), to_view(from, from_len));
        if (status.ok()) hand_out(index->out, out);
        return status;
    });
}

}  // extern "C"
