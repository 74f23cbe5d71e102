// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Steps without a registry: statuses, JSON, frames, batches, rendering, counting.
#include "vectors/steps.h"

namespace accp_steps {

using accp_ref::Members;

Json Runner::status(const Step &step) {
    auto number = static_cast<accp_status>(step.number("number"));
    return object({{"code", string(accp_status_code_name(number))},
                   {"name", string(accp_status_name(number))},
                   {"meaning", string(accp_status_meaning(number))},
                   {"retryable", integer(accp_status_is_retryable(number))},
                   {"category", integer(accp_status_category(number))}});
}

Json Runner::json(const Step &step) {
    std::unique_ptr<accp_value, Deleter<accp_value, accp_value_free>> value;
    accp_value *made = nullptr;
    accp_error err = {};
    if (accp_value_new(config_of(step).get(), &made, &err) == ACCP_OK) value.reset(made);
    std::string text = step.text("text");
    accp_text out = {}, hash = {};
    accp_status status = accp_value_parse_json(made, text.data(), text.size(), &err);
    if (status != ACCP_OK) return gives(status, err);
    std::string printed;
    if ((status = accp_value_print_json(made, &out, &err)) == ACCP_OK) printed = copy(out);
    if (status == ACCP_OK) status = accp_value_print_hash_form(made, &hash, &err);
    return gives(status, err, [&](Members &members) {
        members = {{"out", string(printed)}, {"hash_form", string(copy(hash))}};
    });
}

Json Runner::frame(const Step &step) {
    accp_frame *made = nullptr;
    accp_error err = {};
    accp_codec *codec = nullptr;
    const Config config = config_of(step);
    accp_status status = accp_frame_new(config.get(), &made, &err);
    if (status == ACCP_OK) status = accp_codec_new(config.get(), &codec, &err);
    frames_[step.text("name")].reset(made);
    codecs_[step.text("name")].reset(codec);
    return gives(status, err);
}

Json Runner::parse(const Step &step) {
    accp_frame *frame = frames_.at(step.text("of")).get();
    accp_error err = {};
    std::string text = step.text("text");
    accp_status status = accp_frame_parse(frame, text.data(), text.size(), &err);
    size_t count = 0;
    const accp_node *nodes = accp_frame_nodes(frame, &count);
    return gives(status, err, [&](Members &members) {
        const char *const names[] = {"agent", "intent", "operation"};
        for (int i = 0; i < 3; ++i)
            members.emplace_back(names[i], string(text.substr(nodes[i].offset, nodes[i].len)));
        members.emplace_back("nodes", integer(static_cast<int64_t>(count)));
        accp_text out = {};
        accp_error why = {};
        accp_status printed = accp_frame_print(frame, &out, &why);
        members.emplace_back("canonical",
                             printed == ACCP_OK ? string(std::string(out.text, out.len)) : Json{});
    });
}

Json Runner::envelope(const Step &step) {
    accp_frame *frame = frames_.at(step.text("of")).get();
    std::string text = step.text("text");
    accp_error err = {};
    accp_envelope read = {};
    accp_status status = accp_frame_parse(frame, text.data(), text.size(), &err);
    if (status == ACCP_OK) status = accp_frame_envelope(frame, &read, &err);
    return gives(status, err, [&](Members &members) {
        members = {{"fields", integer(read.fields)}, {"mid", string(copy(read.mid))},
                   {"seq", integer(read.seq)},       {"ts", integer(read.ts)},
                   {"cid", string(copy(read.cid))},  {"aid", string(copy(read.aid))},
                   {"sid", string(copy(read.sid))},  {"ttl", integer(read.ttl)}};
    });
}

Json Runner::frame_encode(const Step &step) {
    std::string text = step.text("text");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_codec_encode(codecs_.at(step.text("of")).get(), text.data(), text.size(), out,
                                 err);
    });
}

Json Runner::frame_decode(const Step &step) {
    std::string text = step.text("text");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_codec_decode(codecs_.at(step.text("of")).get(), text.data(), text.size(), out,
                                 err);
    });
}

Json Runner::mid_format(const Step &step) {
    char buf[12];
    accp_error err = {};
    accp_status status = accp_mid_format(static_cast<uint32_t>(step.number("letter")),
                                         static_cast<uint32_t>(step.number("issuer")),
                                         static_cast<uint64_t>(step.number("counter")), buf, &err);
    return gives(status, err, [&](Members &members) {
        members.emplace_back("out", string(std::string(buf, 12)));
    });
}

Json Runner::traceparent(const Step &step) {
    char buf[56];
    accp_error err = {};
    const std::string cid = step.text("cid"), mid = step.text("mid");
    accp_status status =
        accp_traceparent_format(cid.data(), cid.size(), mid.data(), mid.size(), buf, &err);
    return gives(status, err, [&](Members &members) { members.emplace_back("out", string(buf)); });
}

Json Runner::batch(const Step &step,
                   accp_status (*call)(accp_batch *, const char *, size_t, accp_error *),
                   bool results) {
    accp_batch *made = nullptr;
    accp_error err = {};
    accp_status status = accp_batch_new(config_of(step).get(), &made, &err);
    std::unique_ptr<accp_batch, Deleter<accp_batch, accp_batch_free>> batch(made);
    std::string text = step.text("text");
    if (status == ACCP_OK) status = call(made, text.data(), text.size(), &err);
    return gives(status, err, [&](Members &members) {
        size_t count = 0;
        const accp_record *records = accp_batch_records(made, &count);
        const char *out = accp_batch_text(made).text;
        Json list = Json::array({});
        for (size_t i = 0; i < count; ++i) {
            accp_error one = {records[i].status,  0, records[i].error_offset,
                              records[i].message, 0, 0};
            list.items.push_back(gives(records[i].status, one, [&](Members &record) {
                if (results)
                    record.emplace_back(
                        "out", string(std::string(out + records[i].offset, records[i].len)));
                else
                    record = {{"nodes", integer(records[i].node_count)},
                              {"at", integer(static_cast<int64_t>(records[i].offset))}};
            }));
        }
        members.emplace_back("records", list);
    });
}
Json Runner::batch_parse(const Step &step) { return batch(step, accp_batch_parse, false); }
Json Runner::batch_encode(const Step &step) { return batch(step, accp_batch_encode, true); }
Json Runner::batch_decode(const Step &step) { return batch(step, accp_batch_decode, true); }

using Render = std::unique_ptr<accp_render, Deleter<accp_render, accp_render_free>>;
static Render render_of(const Step &step) {
    accp_render *made = nullptr;
    accp_render_new(config_of(step).get(), &made, nullptr);
    return Render(made);
}

Json Runner::render(const Step &step) {
    Render render = render_of(step);
    std::string text = step.text("text");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_render_json(render.get(), text.data(), text.size(),
                                static_cast<uint32_t>(step.number("flags")), out, err);
    });
}
Json Runner::render_frame(const Step &step) {
    Render render = render_of(step);
    std::string text = step.text("text");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_render_frame(render.get(), text.data(), text.size(),
                                 static_cast<uint32_t>(step.number("flags")), out, err);
    });
}
Json Runner::render_parse(const Step &step) {
    Render render = render_of(step);
    std::string text = step.text("text");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_render_parse(render.get(), text.data(), text.size(), out, err);
    });
}

const accp_tokenizer *Runner::tokenizer(const std::string &name) {
    auto &found = tokenizers_[name];
    accp_tokenizer *made = nullptr;
    if (!found && accp_tokenizer_new(name.data(), name.size(), nullptr, &made, nullptr) == ACCP_OK)
        found.reset(made);
    return found.get();
}

accp_counter *Runner::counter(const std::string &name) {
    auto &found = counters_[name];
    accp_counter *made = nullptr;
    if (!found && accp_counter_new(tokenizer(name), nullptr, &made, nullptr) == ACCP_OK)
        found.reset(made);
    return found.get();
}

Json Runner::count(const Step &step) {
    std::string text = step.text("text");
    accp_error err = {};
    uint64_t tokens = 0;
    const uint32_t *ids = nullptr;
    size_t ids_count = 0;
    accp_counter *counts = counter(step.text("tokenizer"));
    accp_status status =
        accp_counter_count(counts, text.data(), text.size(), UINT64_MAX, &tokens, &err);
    if (status == ACCP_OK)
        status = accp_counter_encode(counts, text.data(), text.size(), &ids, &ids_count, &err);
    return gives(status, err, [&](Members &members) {
        Json list = Json::array({});
        for (size_t i = 0; i < ids_count; ++i) list.items.push_back(integer(ids[i]));
        members = {{"tokens", integer(static_cast<int64_t>(tokens))}, {"ids", list}};
    });
}

}  // namespace accp_steps
