// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See gaps.h.
#include "packet/panes/gaps.h"

#include "accp/packet.h"
#include "base/bytes.h"
#include "text/phrases.h"

namespace accp::panes {

namespace {

// What is more definite comes first.
constexpr GapRule kRules[kGapKinds] = {
    {"testing approach", "test|tests|testing|tested|unittest*|pytest|fixture*|mock*|coverage",
     ACCP_PACKET_STANDARD},
    {"error handling", "error|errors|exception*|retry|retries|timeout* / failure handling",
     ACCP_PACKET_STANDARD},
    {"failed attempts", "tried|attempt|attempts|attempted|history|pivot* / failed before",
     ACCP_PACKET_DEEP},
    {"open questions", "unresolved|undecided / open question|questions / still open",
     ACCP_PACKET_DEEP},
    {"decisions", "decision*|decided|rationale|tradeoff*|why|chosen|choice*", ACCP_PACKET_STANDARD},
    {"success criteria", "acceptance|criteria|criterion|expected|definition / done when",
     ACCP_PACKET_MINIMAL},
    {"constraints", "constraint*|requirement*|forbidden|allowed|compat*|version*|limit*",
     ACCP_PACKET_MINIMAL},
    {"data model", "schema*|database*|table*|model|models|migration*|column*",
     ACCP_PACKET_STANDARD},
    {"interfaces", "api|apis|endpoint*|protocol*|contract*|signature*|payload*",
     ACCP_PACKET_STANDARD},
    {"environment",
     "environment*|env|config*|deploy*|credential*|secret*|command*|build|install*|dependenc*|"
     "library|libraries|package*",
     ACCP_PACKET_STANDARD},
    {"style", "style*|naming|convention*|lint*|format|formatting", ACCP_PACKET_STANDARD},
    {"existing code", "file*|code*|codebase|module*|function*|class|classes|pattern*|path*|where",
     ACCP_PACKET_STANDARD},
    {"other", "", ACCP_PACKET_STANDARD},
};

constexpr std::string_view kSectionNames[kSections] = {
    "goal",           "success_criteria", "constraints", "decisions",       "relevant_files",
    "patterns",       "anti_patterns",    "examples",    "failed_attempts", "pivots",
    "open_questions", "not_included",     "other"};

// In any case, with blanks or hyphens for the underscores, and not inside another name.
bool has_name(std::string_view text, std::string_view name) {
    for (size_t at = 0; at + name.size() <= text.size(); ++at) {
        if (at && (is_word(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '-'))
            continue;
        size_t same = 0;
        while (same < name.size()) {
            const char c = to_lower(text[at + same]);
            if (c != name[same] && !(name[same] == '_' && (c == ' ' || c == '-'))) break;
            ++same;
        }
        if (same == name.size()) return true;
    }
    return false;
}

}  // namespace

const GapRule &gap_rule(int kind) { return kRules[kind]; }

int gap_kind(std::string_view text, Memory &memory) {
    text::Words words(memory);
    words.read(text);
    for (int kind = 0; kind < kGapKinds - 1; ++kind)
        if (text::has_phrase(words, kRules[kind].phrases)) return kind;
    return kGapKinds - 1;
}

std::string_view section_name(int section) { return kSectionNames[section]; }

bool names_section(std::string_view text, int section) {
    if (section < kSections - 1) return has_name(text, kSectionNames[section]);
    for (int each = 0; each < kSections - 1; ++each)
        if (has_name(text, kSectionNames[each])) return false;
    return true;
}

}  // namespace accp::panes
