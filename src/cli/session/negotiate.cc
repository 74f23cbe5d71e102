// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session negotiate: reads the peer's frames and prints ours until both sides have agreed on a
// registry. The received frames are stored in the session; the next command replays them into a new
// state machine, so a negotiation can take any number of commands.
#include <cstdlib>
#include <vector>

#include "accp/parts.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/session/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

struct NegotiationDeleter {
    void operator()(accp_negotiation *negotiation) const { accp_negotiation_free(negotiation); }
};
struct NegotiationEnded {};  // thrown to leave the loop over the input

class Negotiator {
public:
    explicit Negotiator(const Arguments &arguments)
        : config_(make_config(arguments)), session_(arguments) {
        accp_config *config = config_.get();
        tokenizer_ = open_tokenizer(arguments, config);
        registry_ = open_registry(arguments, config);
        accp_config_set_registry(config, registry_.get(), nullptr);
        accp_config_set_tokenizer(config, tokenizer_.get(), nullptr);
        accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, extensions(arguments) | ACCP_EXT_P1,
                             nullptr);
        accp_config_set_rule(config, ACCP_RULE_MERGES, 1, nullptr);
        for (const std::string &text : arguments.rules) set_rule(config, text);
        frame_ = new_frame(config);
        accp_error err = {};
        accp_negotiation *made = nullptr;
        if (accp_negotiation_new(arguments.agent.data(), arguments.agent.size(), config, &made,
                                 &err) != ACCP_OK)
            throw Failure(std::string("negotiate: ") + message_of(err));
        negotiation_.reset(made);
    }

    // Replays the frames that earlier commands received, without sending their answers again.
    void resume() {
        const std::string received = stored_negotiation(session_.get(), "heard");
        const size_t sent =
            std::strtoull(stored_negotiation(session_.get(), "said").c_str(), nullptr, 10);
        const Handle<accp_value> list = new_value(config_.get());
        accp_error err = {};
        collect_frames();
        if (received.empty()) return;
        if (accp_value_parse_json(list.get(), received.data(), received.size(), &err) != ACCP_OK)
            throw Failure(std::string("$ctx.negotiation: ") + message_of(err));
        const Tree tree = tree_of(list.get());
        for (uint32_t i = 1; i < tree.nodes[0].next; i = tree.nodes[i].next)
            receive(std::string(tree.raw(i)), err);
        frames_.erase(frames_.begin(),
                      frames_.begin() + static_cast<ptrdiff_t>(std::min(sent, frames_.size())));
        sent_ = sent;
        is_resumed_ = true;
    }
    // `text`: a frame of the peer; empty if the peer did not answer in time.
    accp_status receive(const std::string &text, accp_error &err) {
        accp_status status = ACCP_OK;
        if (text.empty()) {
            accp_negotiation_timeout(negotiation_.get(), &err);
        } else {
            status = accp_frame_parse(frame_.get(), text.data(), text.size(), &err);
            if (status == ACCP_OK)
                status = accp_negotiation_receive(negotiation_.get(), frame_.get(), &err);
        }
        received_.push_back(text);
        collect_frames();
        return status;
    }
    // Stores the state of the negotiation, and then prints the frames to send.
    void send(Streams &io) {
        accp_error err = {};
        const std::string json = state();
        constexpr std::string_view kRef = "ctx.negotiation";
        accp_status status = accp_session_put(session_.get(), kRef.data(), kRef.size(), json.data(),
                                              json.size(), 0, &err);
        if (status == ACCP_OK) status = session_.make_durable(io, err);
        if (status != ACCP_OK) throw Failure(std::string("negotiate: ") + message_of(err));
        for (const std::string &frame : frames_) io.out.text.append(frame).append("\n");
        sent_ += frames_.size();
        frames_.clear();
        io.flush();
    }
    bool has_frames() const { return !frames_.empty(); }
    bool is_resumed() const { return is_resumed_; }
    void finish(const Streams &io) { session_.finish(io); }

    accp_agreement agreement() const {
        accp_agreement out = {};
        accp_negotiation_agreement(negotiation_.get(), &out, nullptr);
        return out;
    }

private:
    void collect_frames() {
        accp_error err = {};
        for (accp_text text = {};;) {
            if (accp_negotiation_next_frame(negotiation_.get(), &text, &err) != ACCP_OK)
                throw Failure(std::string("negotiate: ") + message_of(err));
            if (text.len == 0) return;
            frames_.emplace_back(text.text, text.len);
        }
    }
    // The value of $ctx.negotiation.
    std::string state() const {
        const accp_agreement now = agreement();
        std::string json = "{\"state\":" + std::to_string(now.state) +
                           ",\"extensions\":" + std::to_string(now.extensions) +
                           ",\"features\":" + std::to_string(now.features) +
                           ",\"said\":" + std::to_string(sent_ + frames_.size()) + ",\"heard\":[";
        for (size_t i = 0; i < received_.size(); ++i) {
            if (i != 0) json.push_back(',');
            append_json_string(received_[i], json);
        }
        json.append("],\"registry\":");
        if (now.registry == nullptr) return json + "null}";
        return json.append(to_view(info_of(now.registry).canonical)) + "}";
    }

    Handle<accp_config> config_;
    CommandSession session_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_registry> registry_;
    Handle<accp_frame> frame_;
    std::unique_ptr<accp_negotiation, NegotiationDeleter> negotiation_;
    std::vector<std::string> received_, frames_;  // frames_: not sent yet
    size_t sent_ = 0;
    bool is_resumed_ = false;
};

void print_agreement(const accp_agreement &agreement, Streams &io) {
    static constexpr const char *kStates[] = {"open", "agreed", "bare", "refused"};
    std::string &to = io.err.text;
    to.append("accp: ").append(kStates[agreement.state]);
    if (agreement.registry != nullptr)
        to.append(": registry ").append(to_view(info_of(agreement.registry).hash).substr(0, 32));
    const auto names = [&](const char *what, uint32_t bits,
                           std::initializer_list<std::pair<uint32_t, const char *>> rows) {
        std::string list;
        for (const auto &row : rows)
            if (bits & row.first) list.append(list.empty() ? "" : ",").append(row.second);
        to.append(what).append(list.empty() ? "none" : list);
    };
    if (agreement.state == ACCP_NEGOTIATION_AGREED || agreement.state == ACCP_NEGOTIATION_BARE) {
        names("; extensions ", agreement.extensions,
              {{ACCP_EXT_Q1, "q1"},
               {ACCP_EXT_T1, "t1"},
               {ACCP_EXT_P1, "p1"},
               {ACCP_EXT_U8, "u8"},
               {ACCP_EXT_W1, "w1"}});
        names("; features ", agreement.features,
              {{ACCP_FEATURE_MERGES, "m1"},
               {ACCP_FEATURE_PARTS, "f1"},
               {ACCP_FEATURE_STORE, "s1"},
               {ACCP_FEATURE_SENDERS, "n1"}});
    }
    to.append("\n");
}

}  // namespace

int negotiate(const Arguments &arguments, Streams &io) {
    constexpr int kStillOpen = 4;
    Negotiator negotiator(arguments);
    negotiator.resume();
    if (negotiator.has_frames()) negotiator.send(io);
    const auto is_open = [&] { return negotiator.agreement().state == ACCP_NEGOTIATION_OPEN; };
    try {
        for_each_line(arguments, io, record_limit(arguments, ACCP_LIMIT_FRAME_BYTES),
                      Lines::kFrames, [&](std::string_view line) {
                          accp_error err = {};
                          ++io.records;
                          if (negotiator.receive(std::string(line), err) != ACCP_OK)
                              io.refuse(err, line);
                          negotiator.send(io);
                          if (!is_open()) throw NegotiationEnded();
                      });
    } catch (const NegotiationEnded &) {
    }
    if (io.records == 0 && negotiator.is_resumed() && is_open()) {
        accp_error err = {};
        negotiator.receive({}, err);
        negotiator.send(io);
    }
    negotiator.finish(io);
    print_agreement(negotiator.agreement(), io);
    const int32_t state = negotiator.agreement().state;
    return state == ACCP_NEGOTIATION_OPEN ? kStillOpen : state == ACCP_NEGOTIATION_REFUSED;
}

}  // namespace cli
