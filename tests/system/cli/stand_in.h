// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A server on loopback that stands in for one with the interface of OpenAI.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// Returns a whole HTTP reply with this body.
std::string http_reply(const std::string &body, const std::string &status = "200 OK");
// Returns a reply of /chat/completions with this answer of the model.
std::string chat_reply(const std::string &answer, const std::string &finish_reason = "stop");

class StandIn {
public:
    // Returns the bytes to send for a request, which is a head and a body. The connection is then
    // closed. It is called in a thread of this object, for one request at a time.
    using Answer = std::function<std::string(const std::string &request)>;
    explicit StandIn(Answer answer);
    ~StandIn();
    StandIn(const StandIn &) = delete;
    StandIn &operator=(const StandIn &) = delete;

    // "http://127.0.0.1:PORT/v1"
    std::string url() const;
    // All requests so far.
    std::vector<std::string> requests();

private:
    void serve();

    Answer answer_;
    int listener_, port_ = 0;
    std::mutex mutex_;
    std::vector<std::string> requests_;  // guarded by mutex_
    std::thread thread_;
};
