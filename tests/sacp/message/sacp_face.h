// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The C interface of SACP for tests: a checker with a library, and texts as input and output.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "accp/accp.h"

namespace accp_test {

inline std::string to_string(accp_text text) { return {text.len ? text.text : "", text.len}; }

class Sacp {
public:
    explicit Sacp(const std::string &library = {}, const accp_config *config = nullptr) {
        accp_library *made = nullptr;
        EXPECT_EQ(accp_library_new(library.data(), library.size(), config, &made, nullptr), 0);
        EXPECT_EQ(accp_sacp_new(made, config, &sacp_, nullptr), 0);
        accp_library_free(made);
    }
    Sacp(const Sacp &) = delete;
    Sacp &operator=(const Sacp &) = delete;
    ~Sacp() { accp_sacp_free(sacp_); }

    accp_sacp *get() const { return sacp_; }

    // Returns the text that a call produces, or the verdict if it is refused.
    template <class Call>
    std::string text(Call call) {
        accp_text out = {};
        if (call(&out) == ACCP_OK) return to_string(out);
        return verdict();
    }
    std::string verdict() {
        accp_text out = {};
        EXPECT_EQ(accp_sacp_print_verdict(sacp_, &out, nullptr), ACCP_OK);
        return to_string(out);
    }

    std::string check(const std::string &message) {
        EXPECT_EQ(accp_sacp_check(sacp_, message.data(), message.size(), ACCP_SACP_STRICT, nullptr,
                                  nullptr),
                  ACCP_OK);
        return verdict();
    }
    std::string plan(const std::string &message, bool beside = false) {
        return text([&](accp_text *out) {
            return accp_sacp_plan(sacp_, message.data(), message.size(), beside, out, nullptr);
        });
    }
    std::string to_message(const std::string &sacp, const std::string &agent) {
        return text([&](accp_text *out) {
            return accp_sacp_to_message(sacp_, sacp.data(), sacp.size(), agent.data(), agent.size(),
                                        out, nullptr);
        });
    }
    std::string from_message(const std::string &message) {
        return text([&](accp_text *out) {
            return accp_sacp_from_message(sacp_, message.data(), message.size(), out, nullptr);
        });
    }

private:
    accp_sacp *sacp_ = nullptr;
};

}  // namespace accp_test
