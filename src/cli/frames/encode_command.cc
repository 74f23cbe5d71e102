// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp encode: messages as JSON to frames; with --envelope also mid, seq and ts. A refused message
// takes no seq, so none is missing; one in parts takes as many as it has.
#include <chrono>
#include <optional>

#include "cli/frames/coding.h"
#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/settings.h"
#include "cli/frames/trace.h"

namespace cli {
namespace {

// The envelope of one run: seq counts up, and the mid's counter is the seq.
class Stamps {
public:
    explicit Stamps(const Arguments &arguments)
        : issuer_(arguments.issuer), seq_(arguments.first_seq), ts_(arguments.ts) {
        if (arguments.letter.size() != 1 || arguments.letter[0] < 'a' || arguments.letter[0] > 'f')
            throw Failure("--letter is one of a to f");
        if (ts_ && *ts_ < 0) throw Failure("--ts counts from 0");
        letter_ = static_cast<uint32_t>(arguments.letter[0] - 'a');
    }

    void put_on(Coding &coding) {
        accp_error err = {};
        accp_envelope envelope = {};
        taken_ = 0;
        envelope.fields = ACCP_ENVELOPE_TS;
        envelope.ts =
            ts_ ? *ts_ : std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
        if (number(envelope, err) != ACCP_OK || coding.set_envelope(&envelope, err) != ACCP_OK) {
            throw Failure("--envelope: issuer " + std::to_string(issuer_) + ", seq " +
                          std::to_string(seq_) + ": " + message_of(err));
        }
    }

    // Of a part of the message that put_on() was for.
    static accp_status next(accp_envelope *envelope, void *user) {
        accp_error err = {};
        return static_cast<Stamps *>(user)->number(*envelope, err);
    }

    void used(uint64_t count) { seq_ += count; }

private:
    accp_status number(accp_envelope &envelope, accp_error &err) {
        const uint64_t seq = seq_ + taken_++;
        envelope.fields |= ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
        envelope.seq = static_cast<int64_t>(seq);
        envelope.mid = {mid_, sizeof mid_};
        return accp_mid_format(letter_, issuer_, seq, mid_, &err);
    }

    char mid_[12] = {};
    uint64_t taken_ = 0;  // numbers of the message in hand
    uint32_t letter_;
    uint32_t issuer_;
    uint64_t seq_;
    std::optional<int64_t> ts_;
};

}  // namespace

int run_encode(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    Stamps stamps(arguments);
    Coding coding(arguments, io, arguments.split ? Stamps::next : nullptr, &stamps);
    std::optional<Trace> trace;
    if (arguments.trace) trace.emplace(config.get(), coding.marking());
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          if (arguments.envelope) stamps.put_on(coding);
                          std::string_view text;
                          const accp_status status = coding.encode(line, text, err);
                          if (status == ACCP_OK) {
                              stamps.used(coding.parts());
                              streams.out.text.append(text);
                              coding.warn(streams);
                          }
                          if (trace) trace->encoded(streams, line, text, coding.parts());
                          return status;
                      });
}

}  // namespace cli
