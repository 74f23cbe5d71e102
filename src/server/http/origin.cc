// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/origin.h"

namespace server {

accp_peer Origin::peer() const {
    return {{agents_.data(), agents_.size()},
            is_trusted_ ? ACCP_ORIGIN_TRUSTED : ACCP_ORIGIN_UNTRUSTED,
            0};
}

accp_status Origin::take_frame(accp_session *session, std::string_view frame, int64_t now_ms,
                               accp_error &err) const {
    const accp_peer from = peer();
    return accp_session_receive(session, frame.data(), frame.size(), now_ms, &from, &err);
}

accp_status Origin::take_message(accp_session *session, std::string_view message, int64_t now_ms,
                                 accp_error &err) const {
    const accp_peer from = peer();
    return accp_session_append_from(session, message.data(), message.size(), now_ms, &from, &err);
}

accp_status Origin::take_messages(accp_session *session, std::string_view messages,
                                  int32_t an_interface, int64_t now_ms, uint64_t &count,
                                  accp_error &err) const {
    const accp_peer from = peer();
    return accp_session_append_messages_from(session, messages.data(), messages.size(),
                                             an_interface, now_ms, &from, &count, &err);
}

std::string Origin::quoting(std::string message) const {
    return is_trusted_ ? message : marked_untrusted(std::move(message));
}

std::string marked_untrusted(std::string message) {
    message.pop_back();
    return message + (message.size() > 1 ? ",\"untrusted\":true}" : "\"untrusted\":true}");
}

}  // namespace server
