// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_model_text.h.
#include "replay_model_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "run_accp.h"

namespace replay_model {
namespace {

bool is_in(char c, const char *more) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           (c != 0 && std::string(more).find(c) != std::string::npos);
}

bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }

bool has_three(const std::string &text) {
    int words = 0;
    for (size_t i = 0; i < text.size(); ++i)
        words += text[i] != ' ' && text[i] != '\t' &&
                 (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t');
    return words >= 3;
}

}  // namespace

std::string joined(const Texts &texts, const std::string &between) {
    std::string whole;
    for (size_t i = 0; i < texts.size(); ++i) whole += (i ? between : "") + texts[i];
    return whole;
}

Set names(const std::string &text) {
    Set names;
    std::string run;
    for (char c : text + " ") {
        if (is_in(c, "_./-") && !is_high(c)) {
            run += c;
            continue;
        }
        while (!run.empty() && (run.back() == '.' || run.back() == '-')) run.pop_back();
        while (!run.empty() && (run[0] == '.' || run[0] == '-')) run.erase(0, 1);
        const bool letter =
            std::any_of(run.begin(), run.end(), [](char r) { return std::isalpha(r); });
        const bool mark =
            std::any_of(run.begin(), run.end(), [](char r) { return !std::isalpha(r); });
        const bool capital = run.size() > 1 && std::any_of(run.begin() + 1, run.end(),
                                                           [](char r) { return std::isupper(r); });
        if (run.size() >= 4 && letter && (mark || capital)) names.insert(run);
        run.clear();
    }
    return names;
}

std::string spaced(const std::string &text) {
    std::string words = " ";
    bool in_word = false;
    for (char c : text) {
        const bool word = is_in(c, "_") || is_high(c);
        if (word && in_word) words.insert(words.size() - 1, 1, c);
        else if (word || std::isgraph(static_cast<unsigned char>(c)))
            words += std::string(1, c) + " ";
        in_word = word;
    }
    return words;
}

Set phrases(const std::string &text) {
    std::istringstream stream(spaced(text));
    Texts run;
    Set phrases;
    for (std::string word; stream >> word;) {
        run.push_back(word);
        if (run.size() > 6) run.erase(run.begin());
        if (run.size() == 6) phrases.insert(joined(run, " "));
    }
    return phrases;
}

std::string words(const std::string &text) {
    std::string words = " ";
    for (char c : text)
        if (is_in(c, "_") && !is_high(c)) words += c;
        else if (words.back() != ' ') words += ' ';
    if (words.back() == ' ') words.pop_back();
    return words.empty() ? words : words.substr(1);
}

Texts lines(const std::string &text) {
    Texts found;
    for (const std::string &line : lines_of(text))
        if (has_three(line) && !words(line).empty()) found.push_back(words(line));
    return found;
}

Texts sentences(const std::string &text) {
    Texts sentences;
    std::string sentence;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool blank = text[i] == ' ' || text[i] == '\n';
        const bool ends =
            blank && i > 0 && std::string(".!?").find(text[i - 1]) != std::string::npos;
        if (!ends && text[i] != '\n') {
            sentence += text[i];
            continue;
        }
        while (ends && i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\n')) ++i;
        if (has_three(sentence)) sentences.push_back(words(sentence));
        sentence.clear();
    }
    if (has_three(sentence)) sentences.push_back(words(sentence));
    return sentences;
}

}  // namespace replay_model
