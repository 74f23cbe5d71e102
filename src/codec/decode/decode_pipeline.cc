// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The six steps in (specification 7.3), in their order. The sixth is what the caller does with the
// message.
#include "codec/decode/incoming.h"
#include "frame/message/json.h"

namespace accp::codec {

Status decode_steps(Incoming &in) {
    static constexpr Status (*kSteps[])(Incoming &) = {
        resolve_codes,   // 2
        resolve_refs,    // 2
        expand_keys,     // 3
        fill_defaults,   // 4
        check_incoming,  // the rules of the profiles, and the host's
    };
    for (auto step : kSteps) {
        Status status = step(in);
        if (status.failed()) return status;
    }
    return {};
}

namespace {

// Steps 1 to 5 and the host's policy.
Status run(Incoming &in, std::string_view frame, Buffer<char> &out) {
    const size_t start = out.size();
    Status status = parse_frame(in, frame);
    if (status.ok() && in.setup.reassembles) status = join_parts(in);
    if (status.ok()) status = decode_steps(in);
    if (status.ok()) status = write_message(in, out);
    if (status.ok()) status = check_decoded(in, {out.data() + start, out.size() - start});
    if (status.failed()) out.resize_down(start);
    return status;
}

}  // namespace

Status Codec::decode(std::string_view frame, const DecodeCall &call, Buffer<char> &out) {
    warnings_ = parts_ = kept_ = 0;
    scratch_.arena.reset();
    if (!setup.registry && !call.resolver && !setup.reassembles) {
        scratch_.nodes.recycle(kKeptBytes);
        Status status = coder.parse(frame.data(), frame.size(), scratch_.nodes);
        const value::TreeView tree = {scratch_.nodes.data(), frame.data()};
        if (status.ok())
            status = check_intent(tree.string(frame::kIntent), tree[frame::kIntent].offset);
        if (status.ok())
            status = coder.decode_parsed(frame.data(), frame.size(), scratch_.nodes, 0, out);
        if (status.failed() || !call.untrusted) return status;
        out.resize_down(out.size() - 1);
        out.append(message::kUntrustedEnd);
        return status;
    }
    Incoming in(setup, call, scratch_, coder, partial);
    Status status = run(in, frame, out);
    if (status.ok()) warnings_ = in.warnings;
    scratch_.recycle();
    if (in.was_parts && status.code >= 0) partial.finish();  // else the last part may come again
    if (in.was_parts && status.failed()) status.offset = 0;  // of what came in, no byte is at fault
    return status;
}

Status Codec::parse(std::string_view frame) {
    scratch_.recycle();
    return parse_text(scratch_, coder, frame);
}

Status Codec::decode_parsed(const DecodeCall &call, message::Message &out) {
    scratch_.arena.reset();
    Incoming in(setup, call, scratch_, coder, partial);
    Status status = find_intent(in);
    if (status.ok()) status = decode_steps(in);
    if (status.ok()) status = compose_message(in, out);
    warnings_ = in.warnings;
    if (status.failed() || !asks_policy(in)) return status;
    scratch_.json.clear();
    message::write_json(out, scratch_.json);
    return check_decoded(in, {scratch_.json.data(), scratch_.json.size()});
}

}  // namespace accp::codec
