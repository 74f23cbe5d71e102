// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/scalar.h"

#include <cstring>

#include "base/bytes.h"
#include "value/number.h"

namespace accp::frame {

namespace {

struct Sign {
    char symbol;
    std::string_view words;
};
constexpr Sign kSigns[] = {
    {'+', "plus "}, {'-', "minus "}, {'>', "greater than "}, {'<', "less than "}};
constexpr std::string_view kPercentWord = " percent", kPercentSymbol = "%";

// Reads a number and an optional percent word or symbol after the sign.
Quantity read_rest(char sign, std::string_view text, std::string_view percent) {
    Quantity out;
    if (text.empty() || !is_digit(static_cast<unsigned char>(text[0]))) return out;
    const value::NumberToken token = value::scan_number(text.data(), text.data() + text.size());
    const std::string_view after = text.substr(token.len);
    const bool is_percent = after == percent;
    if (token.len == 0 || token.kind == ACCP_NUMBER || (!is_percent && !after.empty())) return out;
    if (!is_percent && (sign == 0 || sign == '-')) return out;
    return {sign, text.substr(0, token.len), is_percent};
}

char *put(std::string_view text, char *to) {
    std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

}  // namespace

Quantity read_words(std::string_view text) {
    for (const Sign &sign : kSigns)
        if (text.starts_with(sign.words))
            return read_rest(sign.symbol, text.substr(sign.words.size()), kPercentWord);
    return read_rest(0, text, kPercentWord);
}

Quantity read_symbols(std::string_view text) {
    for (const Sign &sign : kSigns)
        if (!text.empty() && text[0] == sign.symbol)
            return read_rest(sign.symbol, text.substr(1), kPercentSymbol);
    return read_rest(0, text, kPercentSymbol);
}

char *write_symbols(const Quantity &quantity, char *to) {
    if (quantity.sign == '>') *to++ = '\\';
    if (quantity.sign) *to++ = quantity.sign;
    to = put(quantity.number, to);
    return quantity.percent ? put(kPercentSymbol, to) : to;
}

char *write_words(const Quantity &quantity, char *to) {
    for (const Sign &sign : kSigns)
        if (quantity.sign == sign.symbol) to = put(sign.words, to);
    to = put(quantity.number, to);
    return quantity.percent ? put(kPercentWord, to) : to;
}

}  // namespace accp::frame
