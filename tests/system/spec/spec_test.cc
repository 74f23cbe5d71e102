// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the cases of this directory. Each is a test with the name of its file and its heading.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <set>

#include "reference/ref_codec.h"
#include "reference/ref_print.h"
#include "spec/c_face.h"
#include "spec/spec_case.h"

namespace accp_spec {
namespace {

using accp_face::Answer;
using accp_face::Frames;
using accp_ref::Json;

const std::string kDirectory = ACCP_SOURCE_DIR "/tests/system/spec";

const std::map<std::string, int32_t> kDialects = {
    {"strict", ACCP_STRICT}, {"compat", ACCP_COMPAT}, {"u8", ACCP_U8}};

accp_face::Setup setup_of(const Case &it, const std::string &dialect) {
    return {kDialects.at(dialect), it.extensions, it.abbreviate, it.keep_refs, it.limits};
}

accp_ref::Dialect ref_dialect(const std::string &name) {
    return name == "compat" ? accp_ref::Dialect::kCompat
           : name == "u8"   ? accp_ref::Dialect::kU8
                            : accp_ref::Dialect::kStrict;
}

accp_ref::Codec ref_codec(const Case &it) {
    accp_ref::Codec codec;
    codec.t1 = it.extensions & ACCP_EXT_T1;
    codec.u8 = it.extensions & ACCP_EXT_U8;
    codec.w1 = it.extensions & ACCP_EXT_W1;
    codec.abbreviate = it.abbreviate;
    for (const auto &limit : it.limits) {
        if (limit.first == "frame_bytes") codec.limits.frame_bytes = limit.second;
        if (limit.first == "params") codec.limits.params = limit.second;
        if (limit.first == "items") codec.limits.items = limit.second;
        if (limit.first == "key_bytes") codec.limits.key_bytes = limit.second;
        if (limit.first == "depth") codec.limits.depth = limit.second;
    }
    return codec;
}

std::string compact(const std::string &json) {
    const auto value = accp_ref::parse_json(json);
    return value ? accp_ref::write_json(*value) : "no JSON: " + json;
}

void expect_refused(const Answer &answer, const Refusal &refusal, uint64_t shift = 0) {
    EXPECT_EQ(answer.status, refusal.status) << answer.text;
    EXPECT_EQ(answer.offset, refusal.offset + shift) << "counted from " << shift;
}

class SpecTest : public testing::Test {
public:
    explicit SpecTest(const Case *it) : case_(*it) {}

    void TestBody() override {
        SCOPED_TRACE(case_.file + ".md:" + std::to_string(case_.line) + ": " + case_.heading);
        const int kinds = !!case_.block("frame") + !!case_.block("json-in") +
                          !!case_.block("decode") + !!case_.block("render-in") +
                          !!case_.block("render-text");
        ASSERT_EQ(kinds, 1)
            << "a case has one block frame, json-in, decode, render-in or render-text";
        for (const std::string &dialect : case_.dialects) {
            SCOPED_TRACE(dialect);
            if (case_.block("frame")) frame(dialect);
            if (case_.block("json-in")) encode(dialect);
            if (case_.block("decode")) decode(dialect);
            if (case_.block("render-in")) render(dialect);
            if (case_.block("render-text")) read_render(dialect);
        }
    }

private:
    // Checks how a frame is read.
    void frame(const std::string &dialect) {
        const std::string text = unfold_bytes(*case_.block("frame"));
        Frames frames(setup_of(case_, dialect));
        const Answer answer = frames.parse(text);
        const accp_ref::Parsed parsed =
            accp_ref::parse_frame(text, ref_dialect(dialect), ref_codec(case_).limits);
        ASSERT_EQ(!!case_.refused + !!case_.block("json") + case_.taken, 1)
            << "one of refused, json and taken";
        ASSERT_EQ(parsed.frame.has_value(), !case_.refused) << "reference";
        if (case_.refused) {
            expect_refused(answer, *case_.refused);
            EXPECT_EQ(parsed.offset, case_.refused->offset) << "reference";
            return;
        }
        ASSERT_TRUE(answer.ok()) << "refused at " << answer.offset;
        Json typed = accp_ref::typed(*parsed.frame);
        const std::string tree = accp_ref::write_json(typed);
        EXPECT_EQ(tree, case_.block("json") ? compact(*case_.block("json")) : tree) << "reference";
        typed.members.insert(typed.members.begin(),
                             {"ok", Json{accp_ref::JsonKind::kTrue, {}, {}, {}}});
        EXPECT_EQ(answer.text, accp_ref::write_json(typed)) << "library and reference";
        canon(text, dialect, frames, accp_ref::canonical(*parsed.frame));
        envelope(frames);
    }

    void canon(const std::string &text, const std::string &dialect, Frames &frames,
               const accp_ref::Canonical &reference) {
        const Answer printed = frames.print();
        if (case_.canon_refused) {
            EXPECT_EQ(reference.offset, case_.canon_refused->offset) << "reference";
            EXPECT_FALSE(reference.text.has_value()) << "reference";
            return expect_refused(printed, *case_.canon_refused);
        }
        const std::string expected = case_.block("canon") ? unfold_bytes(*case_.block("canon"))
                                     : case_.taken        ? reference.text.value_or("none")
                                                          : text;
        EXPECT_EQ(printed.text, expected);
        EXPECT_EQ(reference.text, expected) << "reference";
        // a frame that compat accepted is printed as a strict one
        Frames again(setup_of(case_, dialect == "u8" ? "u8" : "strict"));
        ASSERT_TRUE(again.parse(printed.text).ok());
        EXPECT_EQ(again.print().text, printed.text) << "printed twice";
    }

    void envelope(Frames &frames) {
        if (!case_.block("envelope") && !case_.envelope_refused) return;
        accp_envelope envelope;
        accp_error error{};
        const accp_status status = accp_frame_envelope(frames.get(), &envelope, &error);
        if (case_.envelope_refused)
            return expect_refused({status, error.offset, {}}, *case_.envelope_refused);
        ASSERT_EQ(status, ACCP_OK) << error.message;
        EXPECT_EQ(envelope_json(envelope), compact(*case_.block("envelope")));
    }

    static std::string envelope_json(const accp_envelope &it) {
        Json out = Json::object({});
        const auto text = [&](uint32_t bit, const char *name, const accp_text &value) {
            EXPECT_TRUE(it.fields & bit || value.len == 0) << name;
            if (it.fields & bit)
                out.members.emplace_back(name, Json::string(std::string(value.text, value.len)));
        };
        const auto number = [&](uint32_t bit, const char *name, int64_t value) {
            EXPECT_TRUE(it.fields & bit || value == 0) << name;
            if (it.fields & bit)
                out.members.emplace_back(name, Json::number(std::to_string(value)));
        };
        text(ACCP_ENVELOPE_MID, "mid", it.mid);
        number(ACCP_ENVELOPE_SEQ, "seq", it.seq);
        number(ACCP_ENVELOPE_TS, "ts", it.ts);
        text(ACCP_ENVELOPE_CID, "cid", it.cid);
        text(ACCP_ENVELOPE_AID, "aid", it.aid);
        text(ACCP_ENVELOPE_SID, "sid", it.sid);
        number(ACCP_ENVELOPE_TTL, "ttl", it.ttl);
        return accp_ref::write_json(out);
    }

    // Checks how JSON is written, and that it can be read back.
    void encode(const std::string &dialect) {
        const std::string given = unfold_bytes(*case_.block("json-in"));
        const bool message = given.find("\"agent\":") != std::string::npos;
        const std::string json = message ? given : accp_face::wrapped(given);
        Frames frames(setup_of(case_, dialect));
        const Answer answer = frames.encode(json);
        ASSERT_EQ(!!case_.refused + !!case_.block("wire"), 1) << "one of refused and wire";
        if (case_.refused)
            return expect_refused(answer, *case_.refused,
                                  message ? 0 : accp_face::kWrapBegin.size());
        const std::string wire = unfold_bytes(*case_.block("wire")),
                          frame = message ? wire : "@a>req:x{k:" + wire + "}";
        ASSERT_TRUE(answer.ok()) << accp_status_name(answer.status) << " at " << answer.offset;
        EXPECT_EQ(answer.text, frame);
        const Answer back = frames.decode(answer.text);
        ASSERT_TRUE(back.ok()) << accp_status_name(back.status) << " at " << back.offset;
        const Json sent = accp_ref::without_empty_meta(accp_ref::parse_json(json).value());
        EXPECT_EQ(accp_face::hash_form(back.text).text,
                  accp_face::hash_form(accp_ref::write_json(sent)).text);
        if (case_.keep_refs) return;  // not supported by the reference
        EXPECT_EQ(accp_ref::write_message(sent, ref_codec(case_)).text, frame) << "reference";
        EXPECT_EQ(back.text, accp_ref::read_message(frame, ref_codec(case_)).text) << "reference";
    }

    void decode(const std::string &dialect) {
        const std::string text = unfold_bytes(*case_.block("decode"));
        const Answer answer = Frames(setup_of(case_, dialect)).decode(text);
        ASSERT_EQ(!!case_.refused + !!case_.block("json-out"), 1) << "one of refused and json-out";
        if (case_.refused) expect_refused(answer, *case_.refused);
        EXPECT_EQ(answer.text, case_.refused ? "" : *case_.block("json-out"));
        // not supported by the reference
        if (case_.keep_refs || case_.extensions == ACCP_EXT_NONE || dialect != "strict") return;
        const accp_ref::Coded coded = accp_ref::read_message(text, ref_codec(case_));
        EXPECT_EQ(coded.status, answer.status) << "reference";
        EXPECT_EQ(coded.text.value_or(""), answer.text) << "reference";
    }

    // Checks how JSON or a frame is rendered, and that it can be read back.
    void render(const std::string &dialect) {
        const std::string given = unfold_bytes(*case_.block("render-in"));
        accp_face::Renders renders(setup_of(case_, dialect));
        const Answer answer = given[0] == '@' ? renders.render_frame(given, case_.render_flags)
                                              : renders.render(given, case_.render_flags);
        ASSERT_EQ(!!case_.refused + !!case_.block("text"), 1) << "one of refused and text";
        if (case_.refused) return expect_refused(answer, *case_.refused);
        ASSERT_TRUE(answer.ok()) << accp_status_name(answer.status) << " at " << answer.offset;
        EXPECT_EQ(answer.text, unfold_bytes(*case_.block("text")));
        const Answer back = renders.parse(answer.text);
        ASSERT_TRUE(back.ok()) << accp_status_name(back.status) << " at " << back.offset;
        const std::string expected = case_.block("json-out") ? *case_.block("json-out") : given;
        EXPECT_EQ(accp_face::hash_form(back.text).text, accp_face::hash_form(expected).text);
        EXPECT_EQ(renders.render(back.text, case_.render_flags).text, answer.text)
            << "rendered twice";
    }

    // Checks how a render text is read.
    void read_render(const std::string &dialect) {
        const Answer answer = accp_face::Renders(setup_of(case_, dialect))
                                  .parse(unfold_bytes(*case_.block("render-text")));
        ASSERT_EQ(!!case_.refused + !!case_.block("json-out"), 1) << "one of refused and json-out";
        if (case_.refused) expect_refused(answer, *case_.refused);
        EXPECT_EQ(answer.text, case_.refused ? "" : *case_.block("json-out"));
    }

    const Case &case_;
};

std::string test_name(std::string text) {
    for (char &c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return text;
}

void register_all(const std::vector<Case> &cases) {
    std::set<std::string> names;
    for (const Case &it : cases) {
        const std::string suite = "spec_" + test_name(it.file), name = test_name(it.heading);
        if (!names.insert(suite + "." + name).second)
            throw std::runtime_error("two cases of one name: " + it.file + ": " + it.heading);
        testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, it.file.c_str(),
                              it.line, [&it]() -> SpecTest * { return new SpecTest(&it); });
    }
}

const std::vector<Case> *all_cases = nullptr;

TEST(SpecCases, EveryRequirementOfThisLayerHasOne) {
    std::set<std::string> covered;
    for (const Case &it : *all_cases) covered.insert(it.heading.substr(0, it.heading.find(' ')));
    std::ifstream file(kDirectory + "/requirements.txt");
    int count = 0;
    for (std::string id; std::getline(file, id); ++count)
        EXPECT_TRUE(covered.count(id)) << "no case for " << id;
    EXPECT_GE(count, 70);
}

}  // namespace
}  // namespace accp_spec

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    try {
        static const std::vector<accp_spec::Case> cases =
            accp_spec::read_cases(accp_spec::kDirectory);
        accp_spec::all_cases = &cases;
        accp_spec::register_all(cases);
        return RUN_ALL_TESTS();
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
