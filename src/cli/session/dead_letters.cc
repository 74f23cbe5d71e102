// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session dead: lists rejected frames and our own requests that timed out, or requeues them.
#include "cli/session/dead_letters.h"

#include <charconv>

#include "cli/frames/frame_checker.h"
#include "cli/host.h"
#include "cli/session/actions.h"
#include "cli/session/log.h"
#include "cli/session/receiver.h"

namespace cli {
namespace {

constexpr std::string_view kRef = "ctx.dead_letters";

bool is_utf8(std::string_view text) {
    const Handle<accp_config> config = new_config();
    const Handle<accp_value> value = new_value(config.get());
    return accp_value_add(value.get(), ACCP_STRING, nullptr, 0, text.data(), text.size(),
                          nullptr) == ACCP_OK;
}

void append_hex(std::string_view bytes, std::string &out) {
    for (const unsigned char c : bytes)
        out.append(1, "0123456789abcdef"[c >> 4]).append(1, "0123456789abcdef"[c & 15]);
}

std::string decode_hex(std::string_view hex) {
    std::string bytes;
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned byte = 0;
        std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

uint64_t number_of(std::string_view digits) {
    uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

DeadLetter letter_of(const Tree &tree, uint32_t map) {
    DeadLetter letter;
    for (uint32_t i = map + 1; i < tree.nodes[map].next; i = tree.nodes[i].next) {
        const std::string_view key = tree.key(i);
        const bool is_true = (tree.nodes[i].flags & ACCP_NODE_TRUE) != 0;
        if (key == "mid") letter.mid = tree.raw(i);
        else if (key == "code") letter.code = tree.raw(i);
        else if (key == "message") letter.message = tree.raw(i);
        else if (key == "from") letter.from = tree.raw(i);
        else if (key == "frame") letter.frame = tree.raw(i);
        else if (key == "frame_hex") letter.frame = decode_hex(tree.raw(i));
        else if (key == "time_ms") letter.time_ms = static_cast<int64_t>(number_of(tree.raw(i)));
        else if (key == "untrusted") letter.untrusted = is_true;
    }
    return letter;
}

size_t bytes_of(const DeadLetter &letter) {
    return 128 + letter.frame.size() + letter.from.size() + letter.mid.size();
}

void append_letter(const DeadLetter &letter, std::string &out) {
    const auto text = [&](const char *name, const std::string &value) {
        out.append(name);
        append_json_string(value, out);
    };
    text("{\"mid\":", letter.mid);
    text(",\"code\":", letter.code);
    text(",\"message\":", letter.message);
    out.append(",\"time_ms\":").append(std::to_string(letter.time_ms));
    text(",\"from\":", letter.from);
    out.append(",\"untrusted\":").append(letter.untrusted ? "true" : "false");
    if (is_utf8(letter.frame)) {
        text(",\"frame\":", letter.frame);
    } else {
        out.append(",\"frame_hex\":\"");
        append_hex(letter.frame, out);
        out.append("\"");
    }
    out.append("}");
}

}  // namespace

std::string mid_of(std::string_view text) {
    const Handle<accp_config> config = new_config();
    accp_config_set_rule(config.get(), ACCP_RULE_DIALECT, ACCP_U8, nullptr);
    const Handle<accp_frame> frame = new_frame(config.get());
    accp_envelope envelope = {};
    if (accp_frame_parse(frame.get(), text.data(), text.size(), nullptr) != ACCP_OK ||
        accp_frame_envelope(frame.get(), &envelope, nullptr) != ACCP_OK)
        return {};
    return std::string(to_view(envelope.mid));
}

DeadLetters::DeadLetters(accp_session *session) : session_(session) {
    accp_text json = {};
    accp_error err = {};
    const accp_status status =
        accp_session_resolve(session, kRef.data(), kRef.size(), nullptr, 0, 0, &json, &err);
    if (status == ACCP_OK) read(to_view(json));
    else if (status != ACCP_E2001)
        throw Failure("$ctx.dead_letters: " + std::string(accp_status_code_name(status)) + ": " +
                      message_of(err));
}

void DeadLetters::read(std::string_view json) {
    const Handle<accp_config> config = new_config();
    const Handle<accp_value> value = new_value(config.get());
    if (accp_value_parse_json(value.get(), json.data(), json.size(), nullptr) != ACCP_OK) json = {};
    const Tree tree = tree_of(value.get());
    uint32_t letters = 0;
    for (uint32_t i = 1; !json.empty() && tree.nodes[0].kind == ACCP_MAP && i < tree.nodes[0].next;
         i = tree.nodes[i].next) {
        if (tree.key(i) == "lost") lost_ = number_of(tree.raw(i));
        if (tree.key(i) == "letters" && tree.nodes[i].kind == ACCP_ARRAY) letters = i;
    }
    if (letters == 0)
        throw Failure(
            "$ctx.dead_letters is not a list of dead letters: erase it, or store your value under "
            "another ref");
    for (uint32_t i = letters + 1; i < tree.nodes[letters].next; i = tree.nodes[i].next)
        letters_.push_back(letter_of(tree, i));
}

void DeadLetters::add(DeadLetter letter) {
    letters_.push_back(std::move(letter));
    size_t bytes = 0, kept = 0;
    for (; kept < letters_.size() && kept < kMaxLetters; ++kept) {
        bytes += bytes_of(letters_[letters_.size() - 1 - kept]);
        if (bytes > kMaxLetterBytes && kept != 0) break;
    }
    const size_t dropped = letters_.size() - kept;
    lost_ += dropped;
    letters_.erase(letters_.begin(), letters_.begin() + static_cast<std::ptrdiff_t>(dropped));
}

accp_status DeadLetters::put(accp_error &err) {
    std::string json = "{\"untrusted\":true,\"lost\":" + std::to_string(lost_) + ",\"letters\":[";
    for (size_t i = 0; i < letters_.size(); ++i) {
        json.append(i == 0 ? "" : ",");
        append_letter(letters_[i], json);
    }
    json.append("]}");
    return accp_session_put(session_, kRef.data(), kRef.size(), json.data(), json.size(), 0, &err);
}

namespace {

// A request that timed out and was not sent again.
struct DeadRequest {
    uint64_t record;
    std::string mid;
};

void append_dead_request(const LogLine &line, const RequestOutcome &outcome, std::string &out) {
    out.append("{\"direction\":\"out\",\"record\":").append(std::to_string(line.number));
    out.append(",\"mid\":");
    append_json_string(line.mid, out);
    out.append(",\"code\":\"E3001\",\"message\":");
    append_json_string(outcome.text(), out);
    out.append(",\"time_ms\":").append(std::to_string(line.time_ms)).append(",\"frame\":");
    append_json_string(line.frame, out);
    out.append("}\n");
}

// `out`: if not null, each request is appended to it as a line of JSON.
std::vector<DeadRequest> find_dead_requests(const Arguments &arguments, std::string *out) {
    const SessionLog log(arguments);
    FrameChecker judge(arguments);
    std::vector<DeadRequest> requests;
    for (const LogLine &line : log.records()) {
        if (line.kind != "request") continue;
        const RequestOutcome outcome = request_outcome(log, line, judge);
        if (!outcome.is_dead()) continue;
        requests.push_back({line.number, line.mid});
        if (out) append_dead_request(line, outcome, *out);
    }
    return requests;
}

int list_dead_letters(const Arguments &arguments, Streams &io) {
    const CommandSession session(arguments, true);
    const DeadLetters letters(session.get());
    for (const DeadLetter &letter : letters.all()) {
        std::string object;
        append_letter(letter, object);
        io.out.text.append("{\"direction\":\"in\",").append(object, 1).append("\n");
        io.flush_if_full();
    }
    (void)find_dead_requests(arguments, &io.out.text);
    if (letters.lost() != 0)
        io.err.text.append("accp: older dead letters dropped for lack of room: ")
            .append(std::to_string(letters.lost()))
            .append("\n");
    return 0;
}

// Receives the chosen letters again and sends the chosen requests again. A letter that is accepted
// is removed from the list.
class Requeue {
public:
    Requeue(const Arguments &arguments, Streams &io)
        : wanted_(arguments.requeue),
          requests_(find_dead_requests(arguments, nullptr)),
          io_(io),
          session_(arguments),
          receiver_(session_) {}

    int run() {
        for (size_t i = 0; i < receiver_.letters().all().size();)
            i += is_wanted(receiver_.letters().all()[i].mid) && receive(i) ? 0 : 1;
        for (const DeadRequest &request : requests_)
            if (is_wanted(request.mid)) send(request);
        session_.finish(io_);
        if (is_found_) return is_refused_ ? 1 : 0;
        throw Failure("no dead letter has the mid " + wanted_ + ": accp session dead lists them");
    }

private:
    bool is_wanted(const std::string &mid) {
        const bool is_match = wanted_ == "all" || mid == wanted_;
        is_found_ = is_found_ || is_match || wanted_ == "all";
        return is_match;
    }
    // Returns true if the letter was accepted and removed.
    bool receive(size_t i) {
        const DeadLetter letter = receiver_.letters().all()[i];
        accp_error err = {};
        accp_status status = receiver_.receive(letter, false, io_, err);
        const bool is_accepted = status == ACCP_OK || status == ACCP_HELD;
        if (is_accepted) {
            receiver_.letters().remove(i);
            status = receiver_.letters().put(err);
        }
        if (const accp_status stored = session_.make_durable(io_, err); stored != ACCP_OK)
            status = stored;
        if (status != ACCP_OK) report_refusal(letter.mid, status, err);
        receiver_.deliveries.write(io_.out.text);
        if (is_accepted) io_.out.text.append("\n");
        return is_accepted;
    }
    void send(const DeadRequest &request) {
        accp_text frame = {};
        accp_error err = {};
        accp_status status =
            accp_session_retry(session_.get(), request.record, session_.now(), &frame, &err);
        const std::string text(to_view(frame));
        if (status == ACCP_OK) status = session_.make_durable(io_, err);
        if (status != ACCP_OK) report_refusal(request.mid, status, err);
        else io_.out.text.append(text).append("\n");
    }
    void report_refusal(const std::string &mid, accp_status status, const accp_error &err) {
        is_refused_ = true;
        io_.err.text.append("accp: ");
        append_printable(mid, io_.err.text);
        io_.err.text.append(": ").append(accp_status_code_name(status)).append(": ");
        io_.err.text.append(message_of(err)).append("\n");
    }

    const std::string &wanted_;
    const std::vector<DeadRequest> requests_;
    Streams &io_;
    CommandSession session_;
    Receiver receiver_;
    bool is_found_ = false, is_refused_ = false;
};

}  // namespace

int run_dead_letters(const Arguments &arguments, Streams &io) {
    return arguments.requeue.empty() ? list_dead_letters(arguments, io)
                                     : Requeue(arguments, io).run();
}

}  // namespace cli
