// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See registry_frames.h: both sides of a negotiation, of which one is made up.
#include "server/hub/registry_frames.h"

#include "server/mcp/text_cut.h"

namespace server {
namespace {

class Side {
public:
    Side(const std::string &agent, const accp_config *config) : frame_(host::new_frame(config)) {
        accp_error err = {};
        accp_negotiation *made = nullptr;
        check(accp_negotiation_new(agent.data(), agent.size(), config, &made, &err), err);
        held_.reset(made);
    }
    std::vector<std::string> say() {
        std::vector<std::string> frames;
        accp_error err = {};
        for (accp_text text = {};;) {
            check(accp_negotiation_next_frame(held_.get(), &text, &err), err);
            if (text.len == 0) return frames;
            frames.emplace_back(host::to_view(text));
        }
    }
    void hear(const std::string &text) {
        accp_error err = {};
        check(accp_frame_parse(frame_.get(), text.data(), text.size(), &err), err);
        check(accp_negotiation_receive(held_.get(), frame_.get(), &err), err);
    }

private:
    struct EndNegotiation {
        void operator()(accp_negotiation *held) const { accp_negotiation_free(held); }
    };
    host::Handle<accp_frame> frame_;
    std::unique_ptr<accp_negotiation, EndNegotiation> held_;
};

host::Handle<accp_config> bare_config() {
    host::Handle<accp_config> config = host::new_config();
    accp_error err = {};
    accp_registry *registry = nullptr;
    check(accp_registry_new(ACCP_PROFILE_ALL, "", 0, nullptr, &registry, &err), err);
    const host::Handle<accp_registry> held(registry);
    check(accp_config_set_registry(config.get(), registry, &err), err);
    return config;
}

// Does it say something of the registry, and not of how the negotiation goes?
bool tells_registry(const std::string &frame) {
    const std::string_view body = std::string_view(frame).substr(frame.find('{') + 1);
    return !body.starts_with("get:") && !body.starts_with("ok:");
}

}  // namespace

std::vector<std::string> registry_frames(const std::string &agent, const accp_config *config) {
    Side ours(agent, config), peer("peer", bare_config().get());
    std::vector<std::string> all;
    for (bool is_over = false; !is_over;) {
        is_over = true;
        for (const std::string &frame : ours.say()) {
            if (tells_registry(frame)) all.push_back(frame);
            peer.hear(frame);
            is_over = false;
        }
        for (const std::string &frame : peer.say()) {
            ours.hear(frame);
            is_over = false;
        }
    }
    return all;
}

}  // namespace server
