// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session dead: frames that could not be taken, and requests of ours that nobody answered.
#include "cli/host.h"
#include "cli/replay/request_end.h"
#include "cli/session/actions.h"
#include "cli/session/receiver.h"

namespace cli {
namespace {

// A request that was given up, by its record.
struct GivenUp {
    uint64_t record;
    std::string mid;
};

void append_given_up(const LogLine &line, const RequestEnd &end, std::string &out) {
    out.append("{\"direction\":\"out\",\"record\":").append(std::to_string(line.number));
    out.append(",\"mid\":");
    append_json_string(line.mid, out);
    out.append(",\"code\":\"E3001\",\"message\":");
    append_json_string(end.text(), out);
    out.append(",\"time_ms\":").append(std::to_string(line.time_ms)).append(",\"frame\":");
    append_json_string(line.frame, out);
    out.append("}\n");
}

// Requests that nobody answered in time and nobody has sent again; `out`: each as a line.
std::vector<GivenUp> find_given_up(const Arguments &arguments, std::string *out) {
    const SessionLog log(arguments);
    FrameChecker judge(arguments);
    std::vector<GivenUp> found;
    for (const LogLine &line : log.records()) {
        if (line.kind != "request") continue;
        const RequestEnd end = end_of_request(log, line, judge);
        if (!end.is_given_up()) continue;
        found.push_back({line.number, line.mid});
        if (out) append_given_up(line, end, *out);
    }
    return found;
}

int list_letters(const Arguments &arguments, Streams &io) {
    const SessionTools tools(arguments, true);
    const DeadLetters letters(tools.session());
    for (const DeadLetter &letter : letters.all()) {
        std::string object;
        append_letter(letter, object);
        io.out.text.append("{\"direction\":\"in\",").append(object, 1).append("\n");
        io.flush_if_full();
    }
    (void)find_given_up(arguments, &io.out.text);
    if (letters.lost() != 0)
        io.err.text.append("accp: older letters that had no room: ")
            .append(std::to_string(letters.lost()))
            .append("\n");
    return 0;
}

// Hands out again what is asked for; a letter that is taken is none any more.
class Requeue {
public:
    Requeue(const Arguments &arguments, Streams &io)
        : wanted_(arguments.requeue),
          given_up_(find_given_up(arguments, nullptr)),
          io_(io),
          tools_(arguments),
          receiver_(tools_) {}

    int run() {
        for (size_t i = 0; i < receiver_.letters().all().size();)
            i += is_wanted(receiver_.letters().all()[i].mid) && receive(i) ? 0 : 1;
        for (const GivenUp &one : given_up_)
            if (is_wanted(one.mid)) send(one);
        tools_.finish(io_);
        if (found_) return refused_ ? 1 : 0;
        throw Failure("no dead letter has the mid " + wanted_ + ": accp session dead lists them");
    }

private:
    bool is_wanted(const std::string &mid) {
        const bool wanted = wanted_ == "all" || mid == wanted_;
        found_ = found_ || wanted || wanted_ == "all";
        return wanted;
    }
    // True: it was taken, and is off the list.
    bool receive(size_t i) {
        const DeadLetter letter = receiver_.letters().all()[i];
        accp_error err = {};
        accp_status status = receiver_.take(letter, false, io_, err);
        const bool taken = status == ACCP_OK || status == ACCP_HELD;
        if (taken) {
            receiver_.letters().remove(i);
            status = receiver_.letters().put(err);
        }
        if (const accp_status kept = tools_.keep(io_, err); kept != ACCP_OK) status = kept;
        if (status != ACCP_OK) tell(letter.mid, status, err);
        receiver_.received.write(io_.out.text);
        if (taken) io_.out.text.append("\n");
        return taken;
    }
    void send(const GivenUp &one) {
        accp_text frame = {};
        accp_error err = {};
        accp_status status =
            accp_session_retry(tools_.session(), one.record, tools_.now(), &frame, &err);
        const std::string text(to_view(frame));
        if (status == ACCP_OK) status = tools_.keep(io_, err);
        if (status != ACCP_OK) tell(one.mid, status, err);
        else io_.out.text.append(text).append("\n");
    }
    void tell(const std::string &mid, accp_status status, const accp_error &err) {
        refused_ = true;
        io_.err.text.append("accp: ");
        append_printable(mid, io_.err.text);
        io_.err.text.append(": ").append(accp_status_code_name(status)).append(": ");
        io_.err.text.append(message_of(err)).append("\n");
    }

    const std::string &wanted_;
    const std::vector<GivenUp> given_up_;
    Streams &io_;
    SessionTools tools_;
    Receiver receiver_;
    bool found_ = false, refused_ = false;
};

}  // namespace

int dead_letters(const Arguments &arguments, Streams &io) {
    return arguments.requeue.empty() ? list_letters(arguments, io) : Requeue(arguments, io).run();
}

}  // namespace cli
