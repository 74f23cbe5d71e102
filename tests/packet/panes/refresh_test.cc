// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A packet that is made again keeps what people changed; and a packet comes back from the archive.
#include "packet/panes/project.h"

namespace {

using namespace accp_panes_test;

class PanesRefresh : public Project {
protected:
    PanesRefresh() { open(); }
    // Returns the error, or "".
    std::string refresh(const std::string &made, const std::string &note = {},
                        const std::string &revision = {}) {
        accp_error error = {};
        made_ = packet_of(made);
        return told(accp_panes_refresh(panes_.get(), 1, made_.get(), revision.data(),
                                       revision.size(), note.data(), note.size(), &error),
                    error);
    }
    std::string restore(int64_t pane) {
        accp_error error = {};
        return told(accp_panes_restore(panes_.get(), pane, &error), error);
    }
    std::string json() {
        accp_text out = {};
        EXPECT_EQ(accp_packet_print_json(made_.get(), &out, nullptr), ACCP_OK);
        return accp_test::string_of(out);
    }
    static std::string with_sources(const std::string &constraints, const std::string &sources,
                                    const std::string &more = {}) {
        return context_of("  constraints: [" + constraints + "]\n" + more) +
               "sources: {constraints: [" + sources + "]}\n";
    }
    Handle<accp_packet> made_;
};

TEST_F(PanesRefresh, HandEditsWin) {
    EXPECT_EQ(write(1, with_sources("old, wrong, gone", "\"0:0-3\", \"0:4-9\", \"0:10-14\""), {},
                    ACCP_PANES_MADE),
              "");
    // wrong is corrected, gone is removed, mine is added
    EXPECT_EQ(write(1, with_sources("old, right, mine", "\"0:0-3\", \"0:4-9\", \"0:10-14\""), {},
                    ACCP_PANES_EDITED),
              "");
    EXPECT_EQ(refresh(with_sources("wrong, gone, new", "\"0:4-9\", \"0:10-14\", \"1:0-3\"")), "");
    const std::string wanted = "# t\n\n## Goal\ng\n\n## Constraints\n- new\n- right\n- mine\n";
    EXPECT_EQ(prompt_of(made_), wanted);
    EXPECT_EQ(read(1), wanted);
    EXPECT_EQ(accp_packet_warnings(read_.get()), 0u) << "it is sealed";
    EXPECT_NE(json().find(R"("constraints":["1:0-3","edited","edited"])"), std::string::npos)
        << json();
    EXPECT_NE(json().find(R"("version":2)"), std::string::npos);
    EXPECT_NE(
        json().find(
            R"("changelog":[{"v2":"made again; 2 edited items kept; 2 made items left out"}])"),
        std::string::npos)
        << json();
    // and the next time: the edits stay edits, what is made goes
    EXPECT_EQ(refresh(with_sources("gone, newer", "\"0:10-14\", \"2:0-5\""), "later"), "");
    EXPECT_NE(json().find(R"("constraints":["newer","right","mine"])"), std::string::npos)
        << json();
    EXPECT_NE(json().find(R"({"v3":"later"}])"), std::string::npos) << json();
}

TEST_F(PanesRefresh, DecisionsGoalAndOthers) {
    const std::string was =
        "  decisions:\n    - {choice: PyJWT, reason: it is there, made_by: agent}\n"
        "    - {choice: cookies, made_by: user}\n";
    EXPECT_EQ(write(1, context_of(was), {}, ACCP_PANES_MADE), "");
    const std::string edited =
        "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext:\n"
        "  goal: my goal\n  references: [\"sha256:x\"]\n"
        "  decisions:\n    - {choice: PyJWT, reason: because I say so, made_by: user}\n"
        "    - {choice: cookies, made_by: user}\n";
    EXPECT_EQ(write(1, edited, {}, ACCP_PANES_EDITED), "");
    EXPECT_EQ(refresh(context_of(
                  "  decisions:\n    - {choice: PyJWT, reason: it is there, made_by: agent}\n"
                  "    - {choice: RS256, made_by: user}\n")),
              "");
    EXPECT_EQ(
        prompt_of(made_),
        "# t\n\n## Goal\nmy goal\n\n## Decisions\n- RS256 (user)\n- PyJWT (user): because I say "
        "so\n");
    EXPECT_NE(json().find(R"("references":["sha256:x"])"), std::string::npos);
    EXPECT_NE(json().find("Decided since: RS256. No longer: cookies\""), std::string::npos)
        << json();
}

// Without a made file, items with a source count as made.
TEST_F(PanesRefresh, WithoutAMadeFile) {
    EXPECT_EQ(write(1, with_sources("made, mine", "\"0:0-3\", edited")), "");
    EXPECT_EQ(refresh(with_sources("new", "\"1:0-3\"")), "");
    EXPECT_NE(json().find(R"("constraints":["new","mine"])"), std::string::npos) << json();
    EXPECT_EQ(write(2, context_of("  constraints: [a, b]\n")), "");
    EXPECT_FALSE(has("made/pane-2.yaml"));
}

// Edits in the file itself, without a new seal.
TEST_F(PanesRefresh, AFileThatWasEditedInPlace) {
    EXPECT_EQ(write(1, context_of("  constraints: [one, two]\n"), {}, ACCP_PANES_MADE), "");
    std::string text = file("context/pane-1.yaml");
    text.replace(text.find("- one"), 5, "- uno");
    std::ofstream(path("context/pane-1.yaml"), std::ios::binary) << text;
    EXPECT_EQ(refresh(context_of("  constraints: [one, two, three]\n")), "");
    EXPECT_EQ(read(1), "# t\n\n## Goal\ng\n\n## Constraints\n- two\n- three\n- uno\n");
}

TEST_F(PanesRefresh, Refusals) {
    EXPECT_EQ(refresh(context_of()), "E2001: there is no packet for this pane");
    EXPECT_EQ(write(1, context_of()), "");
    EXPECT_EQ(refresh(context_of(), {}, "sha256:0"),
              "ERR_BUSY: the packet has another revision: read it again");
    EXPECT_EQ(refresh(context_of(), std::string("a\0b", 3)),
              "E1004: a text of a packet contains NUL");
    EXPECT_EQ(refresh(context_of(), "\xFF"), "E1004: not UTF-8");
    accp_error error = {};
    const Handle<accp_packet> empty = new_packet();
    EXPECT_EQ(accp_panes_refresh(panes_.get(), 1, empty.get(), nullptr, 0, nullptr, 0, &error),
              ACCP_ERR_ARG);
    EXPECT_EQ(accp_panes_refresh(panes_.get(), -1, made_.get(), nullptr, 0, nullptr, 0, &error),
              ACCP_ERR_ARG);
}

TEST_F(PanesRefresh, RestoresWhatWasCleared) {
    EXPECT_EQ(restore(1), "E2001: no packet of this pane was archived in this store");
    EXPECT_EQ(write(1, context_of("  constraints: [first]\n")), "");
    EXPECT_EQ(remove(1), "");
    EXPECT_EQ(write(1, context_of("  constraints: [second]\n"), {}, ACCP_PANES_MADE), "");
    ASSERT_EQ(accp_panes_write_feedback(panes_.get(), 1, "the port", 8, nullptr, 0, nullptr),
              ACCP_OK);
    const std::string text = file("context/pane-1.yaml"), said = file("feedback/pane-1.md");
    EXPECT_EQ(restore(1), "ERR_BUSY: the pane has a packet: remove it first, which archives it");
    EXPECT_EQ(remove(1), "");
    EXPECT_FALSE(has("made/pane-1.yaml"));
    std::filesystem::remove(path("feedback/pane-1.md"));
    EXPECT_EQ(restore(2), "E2001: no packet of this pane was archived in this store");
    EXPECT_EQ(restore(1), "");
    EXPECT_EQ(file("context/pane-1.yaml"), text);
    EXPECT_EQ(file("feedback/pane-1.md"), said);
    EXPECT_EQ(read(1).substr(0, 14), "# t\n\n## Goal\ng");
}

}  // namespace
