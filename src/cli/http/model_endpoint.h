// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A server with the HTTP interface of OpenAI: Ollama, llama.cpp, vLLM, or a provider. Nothing is
// sent before post().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/library/failure.h"

namespace cli {

// The server returned an error.
class EndpointRefusal : public host::Failure {
public:
    EndpointRefusal(int of_status, const std::string &what) : Failure(what), status(of_status) {}
    int status;
};

class ModelEndpoint {
public:
    struct Limits {
        int64_t max_ms = 120'000;
        size_t max_bytes = 4 << 20;               // of a response
        const std::atomic<bool> *stop = nullptr;  // ends the call once it is true
    };

    // `place`: the base address, and the name of the model after "#", which may be missing:
    // "http://127.0.0.1:11434/v1#qwen3:8b". The address may end with the path of a call, such as
    // /chat/completions. `option`: names the place in errors, such as "--model". `key_variable`:
    // the environment variable with the key of the server; it may be unset. Throws Failure.
    ModelEndpoint(std::string option, std::string_view place, std::string key_variable);

    // Sends a JSON text to a call of the server, such as "/chat/completions" or "/embeddings".
    // Returns the response as compact JSON. Throws Failure, which begins with the option and the
    // address, if the connection fails, the time is over, or the response is an error, not JSON,
    // cut off or too large. An error is an EndpointRefusal. May be called by several threads at
    // once.
    std::string post(std::string_view call, const std::string &json, const Limits &limits) const;

    const std::string &model() const { return model_; }  // empty: not given
    const std::string &url() const { return url_; }      // the base address

private:
    std::string option_, key_variable_, url_, model_, key_;
};

}  // namespace cli
