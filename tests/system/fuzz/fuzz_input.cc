// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See fuzz_input.h.
#include "fuzz/fuzz_input.h"

namespace accp_fuzz {

Answer hash_form(std::string_view json) {
    accp_value *value = nullptr;
    REQUIRE(accp_value_new(nullptr, &value, nullptr) == ACCP_OK);
    const Exact text(json);
    accp_error error = untouched_error();
    accp_status status = accp_value_parse_json(value, text.data(), text.size(), &error);
    check_error(status, error, text.size());
    Answer answer = {status, error.offset, {}, nullptr};
    if (answer.ok())
        answer = ask(0, [value](auto... out) { return accp_value_print_hash_form(value, out...); });
    accp_value_free(value);
    return answer;
}

}  // namespace accp_fuzz
