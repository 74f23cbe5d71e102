// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Steps with context packets.
#include "vectors/steps.h"

namespace accp_steps {

using accp_ref::Members;

// The properties of a packet.
static Json tells(accp_status status, const accp_error &err, const accp_packet *packet) {
    return gives(status, err, [&](Members &members) {
        members = {{"checksum", string(copy(accp_packet_checksum(packet)))},
                   {"tokens", integer(static_cast<int64_t>(accp_packet_tokens(packet)))},
                   {"warnings", integer(accp_packet_warnings(packet))}};
    });
}

Json Runner::packet(const Step &step) {
    accp_packet *made = nullptr;
    accp_error err = {};
    accp_status status = accp_packet_new(config_of(step).get(), &made, &err);
    packets_[step.text("name")].reset(made);
    return gives(status, err);
}

Json Runner::packet_read(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    std::string text = step.text("text");
    accp_error err = {};
    accp_status status =
        accp_packet_parse(packet, text.data(), text.size(),
                          step.flag("unverified") ? ACCP_PACKET_UNVERIFIED : 0, &err);
    return tells(status, err, packet);
}

Json Runner::packet_generate(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    std::string task = step.text("task"), text = step.text("text"), creator = step.text("creator"),
                interface = step.text("interface");
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = view(task);
    request.conversation = view(text);
    request.an_interface =
        interface.empty() ? 0 : accp_interface_find(interface.data(), interface.size());
    request.depth = static_cast<int32_t>(step.number("depth"));
    request.budget_tokens = static_cast<uint64_t>(step.number("budget_tokens"));
    request.creator = view(creator);
    request.now_ms = step.number("now_ms");
    accp_error err = {};
    accp_status status = accp_packet_generate(packet, &request, &err);
    return tells(status, err, packet);
}

Json Runner::packet_seal(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    accp_error err = {};
    accp_status status = accp_packet_seal(packet, &err);
    return tells(status, err, packet);
}

Json Runner::packet_print(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    const std::string form = step.text("form");
    const auto print = form == "json"   ? accp_packet_print_json
                       : form == "yaml" ? accp_packet_print_yaml
                                        : accp_packet_print_prompt;
    return gives_text([&](accp_text *out, accp_error *err) { return print(packet, out, err); });
}

Json Runner::packet_layers(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    const auto layers = static_cast<uint32_t>(step.number("layers"));
    accp_text out = {};
    uint64_t tokens = 0;
    accp_error err = {};
    accp_status status = accp_packet_print_layers(packet, layers, &out, &err);
    if (status == ACCP_OK) status = accp_packet_layer_tokens(packet, layers, &tokens, &err);
    return gives(status, err, [&](Members &members) {
        members = {{"out", string(copy(out))}, {"tokens", integer(static_cast<int64_t>(tokens))}};
    });
}

Json Runner::packet_less(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    const std::string how = step.text("how"), task = step.text("task");
    const auto number = [&](const char *key) { return static_cast<uint32_t>(step.number(key)); };
    accp_error err = {};
    accp_status status =
        how == "filter"
            ? accp_packet_filter(packet, task.data(), task.size(),
                                 number("threshold_percent") / 100.0, nullptr, nullptr, &err)
        : how == "fade"     ? accp_packet_fade(packet, number("recent"), number("older"), &err)
        : how == "patterns" ? accp_packet_extract_patterns(packet, number("min_files"), &err)
                            : accp_packet_merge_decisions(packet, &err);
    return tells(status, err, packet);
}

Json Runner::packet_revise(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    const std::string note = step.text("note");
    accp_error err = {};
    accp_status status = accp_packet_revise(packet, packets_.at(step.text("old")).get(),
                                            note.data(), note.size(), &err);
    return tells(status, err, packet);
}

Json Runner::packet_diff(const Step &step) {
    accp_packet *packet = packets_.at(step.text("of")).get();
    const accp_packet *old = packets_.at(step.text("old")).get();
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_packet_print_diff(packet, old, out, err);
    });
}

Json Runner::packet_index(const Step &step) {
    accp_packet_index *made = nullptr;
    accp_error err = {};
    accp_status status = accp_packet_index_new(config_of(step).get(), &made, &err);
    packet_indexes_[step.text("name")].reset(made);
    return gives(status, err);
}

Json Runner::packet_add(const Step &step) {
    accp_packet_index *index = packet_indexes_.at(step.text("of")).get();
    accp_error err = {};
    accp_status status = accp_packet_index_add(index, packets_.at(step.text("packet")).get(), &err);
    return gives(status, err, [&](Members &members) {
        members = {{"size", integer(static_cast<int64_t>(accp_packet_index_count(index)))}};
    });
}

Json Runner::packet_query(const Step &step) {
    accp_packet_index *index = packet_indexes_.at(step.text("of")).get();
    const std::string question = step.text("question"), from = step.text("from");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_packet_index_query(index, question.data(), question.size(), from.data(),
                                       from.size(), out, err);
    });
}

}  // namespace accp_steps
