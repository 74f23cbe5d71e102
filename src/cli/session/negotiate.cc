// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session negotiate: the peer's frames in, ours out, until both have one registry. The state
// machine lives as long as the command; what it heard is kept with the session, and heard again by
// the next one, so it does not matter how many commands a negotiation takes.
#include <cstdlib>
#include <vector>

#include "accp/parts.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/session/actions.h"
#include "cli/session/agreement.h"
#include "cli/settings.h"

namespace cli {
namespace {

struct EndNegotiation {
    void operator()(accp_negotiation *negotiation) const { accp_negotiation_free(negotiation); }
};
struct Over {};  // thrown out of the loop over the input

class Negotiator {
public:
    explicit Negotiator(const Arguments &arguments)
        : config_(make_config(arguments)), tools_(arguments) {
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

    // What earlier commands heard; what they said is not said again.
    void resume() {
        const std::string heard = kept_negotiation(tools_.session(), "heard");
        const size_t said =
            std::strtoull(kept_negotiation(tools_.session(), "said").c_str(), nullptr, 10);
        const Handle<accp_value> list = new_value(config_.get());
        accp_error err = {};
        drain();
        if (heard.empty()) return;
        if (accp_value_parse_json(list.get(), heard.data(), heard.size(), &err) != ACCP_OK)
            throw Failure(std::string("$ctx.negotiation: ") + message_of(err));
        const Tree tree = tree_of(list.get());
        for (uint32_t i = 1; i < tree.nodes[0].next; i = tree.nodes[i].next)
            hear(std::string(tree.raw(i)), err);
        frames_.erase(frames_.begin(),
                      frames_.begin() + static_cast<ptrdiff_t>(std::min(said, frames_.size())));
        said_ = said;
        resumed_ = true;
    }
    // One frame of the peer's; empty: it was silent for as long as the caller waited.
    accp_status hear(const std::string &text, accp_error &err) {
        accp_status status = ACCP_OK;
        if (text.empty()) {
            accp_negotiation_timeout(negotiation_.get(), &err);
        } else {
            status = accp_frame_parse(frame_.get(), text.data(), text.size(), &err);
            if (status == ACCP_OK)
                status = accp_negotiation_receive(negotiation_.get(), frame_.get(), &err);
        }
        heard_.push_back(text);
        drain();
        return status;
    }
    // Keeps what was heard and agreed, and then says what is to be said.
    void say(Streams &io) {
        accp_error err = {};
        const std::string json = kept();
        constexpr std::string_view kRef = "ctx.negotiation";
        accp_status status = accp_session_put(tools_.session(), kRef.data(), kRef.size(),
                                              json.data(), json.size(), 0, &err);
        if (status == ACCP_OK) status = tools_.keep(io, err);
        if (status != ACCP_OK) throw Failure(std::string("negotiate: ") + message_of(err));
        for (const std::string &frame : frames_) io.out.text.append(frame).append("\n");
        said_ += frames_.size();
        frames_.clear();
        io.flush();
    }
    bool has_to_say() const { return !frames_.empty(); }
    bool resumed() const { return resumed_; }
    void finish(const Streams &io) { tools_.finish(io); }

    accp_agreement agreement() const {
        accp_agreement out = {};
        accp_negotiation_agreement(negotiation_.get(), &out, nullptr);
        return out;
    }

private:
    void drain() {
        accp_error err = {};
        for (accp_text text = {};;) {
            if (accp_negotiation_next_frame(negotiation_.get(), &text, &err) != ACCP_OK)
                throw Failure(std::string("negotiate: ") + message_of(err));
            if (text.len == 0) return;
            frames_.emplace_back(text.text, text.len);
        }
    }
    std::string kept() const {
        const accp_agreement now = agreement();
        std::string json = "{\"state\":" + std::to_string(now.state) +
                           ",\"extensions\":" + std::to_string(now.extensions) +
                           ",\"features\":" + std::to_string(now.features) +
                           ",\"said\":" + std::to_string(said_ + frames_.size()) + ",\"heard\":[";
        for (size_t i = 0; i < heard_.size(); ++i) {
            if (i != 0) json.push_back(',');
            append_json_string(heard_[i], json);
        }
        json.append("],\"registry\":");
        if (now.registry == nullptr) return json + "null}";
        return json.append(to_view(info_of(now.registry).canonical)) + "}";
    }

    Handle<accp_config> config_;
    SessionTools tools_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_registry> registry_;
    Handle<accp_frame> frame_;
    std::unique_ptr<accp_negotiation, EndNegotiation> negotiation_;
    std::vector<std::string> heard_, frames_;
    size_t said_ = 0;
    bool resumed_ = false;
};

void tell(const accp_agreement &agreement, Streams &io) {
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
    constexpr int kNotYet = 4;
    Negotiator side(arguments);
    side.resume();
    if (side.has_to_say()) side.say(io);
    const auto is_open = [&] { return side.agreement().state == ACCP_NEGOTIATION_OPEN; };
    try {
        for_each_line(arguments, io, record_limit(arguments, ACCP_LIMIT_FRAME_BYTES),
                      Lines::kFrames, [&](std::string_view line) {
                          accp_error err = {};
                          ++io.records;
                          if (side.hear(std::string(line), err) != ACCP_OK) io.refuse(err, line);
                          side.say(io);
                          if (!is_open()) throw Over();
                      });
    } catch (const Over &) {
    }
    if (io.records == 0 && side.resumed() && is_open()) {
        accp_error err = {};
        side.hear({}, err);
        side.say(io);
    }
    side.finish(io);
    tell(side.agreement(), io);
    const int32_t state = side.agreement().state;
    return state == ACCP_NEGOTIATION_OPEN ? kNotYet : state == ACCP_NEGOTIATION_REFUSED;
}

}  // namespace cli
