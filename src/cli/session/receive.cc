// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session receive: frames that come in.
#include "cli/frames/filter.h"
#include "cli/session/receiver.h"
#include "cli/session/actions.h"

namespace cli {

// For each frame a JSON array of what it delivered: [{"seq":1,"message":{…}}].
int receive_frames(const Arguments &arguments, Streams &io) {
    SessionTools tools(arguments);
    Receiver receiver(tools);
    const int answered = run_filter(
        arguments, io, Lines::kFrames, [&](std::string_view line, Streams &to, accp_error &err) {
            DeadLetter frame;
            frame.from = arguments.from;
            frame.untrusted = arguments.untrusted;
            frame.frame = line;
            const accp_status status = receiver.take(frame, true, to, err);
            accp_error lost = {};
            accp_status kept = receiver.keep_letters(lost);
            if (kept == ACCP_OK || kept == ACCP_ERR_IO) kept = tools.keep(to, lost);
            if (kept != ACCP_OK) {
                err = lost;
                return kept;
            }
            receiver.received.write(to.out.text);
            return status == ACCP_HELD || status == ACCP_DROPPED ? accp_status{ACCP_OK} : status;
        });
    tools.finish(io);
    return answered ? answered : receiver.received.status();
}

}  // namespace cli
