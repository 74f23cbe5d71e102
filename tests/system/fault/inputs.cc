// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See inputs.h.
#include "fault/inputs.h"

namespace accp_fault {
namespace {

Text repeated(int count, const Text &before, const Text &after, const Text &between) {
    Text text;
    for (int i = 0; i < count; ++i) {
        if (i) text += between;
        text += before;
        text += std::to_string(i);
        text += after;
    }
    return text;
}

Text message_of(const Text &payload, const Text &rest = "") {
    return R"({"agent":"a","intent":"req","operation":"op","payload":)" + payload + rest + "}";
}

void make_frames(Inputs &in) {
    in.frame =
        R"(@a-1>req:op{task:"a_b%u026085;"|findings:{z:1,a:[2,3.50,"x\,y"],m:{}}|d:~|__a__b:=1e9|n:12345678901234567890}[mid:a00000000001,seq:1])";
    in.compat_frame =
        R"(@a>req:op{who:@dev:x|at:[12:30,a\:b:c]|delta:{k:null,a:1.10}|m:{b:1,a:2}}[who:@c])";
    in.u8_frame = "@a>req:op{k:\xE6\x97\xA5|l:[\xC3\xA9,{b:1,a:2}]}";
    in.deep_frame = "@a>req:op{k:" + Text(64, '[') + Text(64, ']') + "}";
    in.wide_frame = "@a>req:op{" + repeated(40, "key", ":1", "|") + "|m:{" +
                    repeated(40, "__a__", ":\"_\"", ",") + "}}";
    in.large_frame = "@a>req:op{" + repeated(4000, "key", ":[\"a_b\",2]", "|") + "}[seq:1]";
    in.large_broken_frame = in.large_frame + "x";
    in.seven_places = "@a>req:op{k:0.1234567}";
    in.table_frame =
        "@a>req:op{k:{__cols:[a,\"b_c\"],__rows:[" + repeated(30, "[1,", "]", ",") + "]}}";
    in.broken_table_frame = "@a>req:op{k:{__cols:[a,b],__rows:[[1,2],[3]]}}";
    in.ref_frame = "@a>req:op{k:$warm.key|l:[$hot.a,$b]}";
    for (int i = 0; i < 20; ++i) in.frame_lines += in.frame + "\n" + in.ref_frame + "\n@broken\n";
}

void make_messages(Inputs &in) {
    const Text rows = repeated(30, R"({"b c":)", R"(,"a":"日本 x"})", ",");
    in.message = message_of(
        R"({"data":{"b":[1,-0,1.5e3,0.1234567],"a":"x y","日":"\u0000"},"d":null,"rows":[)" + rows +
            "]," + R"("ref":{"$ref":"warm.key"},"many":{)" + repeated(40, R"("k )", R"(":1)", ",") +
            "}}",
        R"(,"meta":{"seq":7,"x":[true]})");
    in.extra_message = message_of("{}", R"(,"extra":1)");
    in.deep_message = message_of(R"({"k":[[[[[[1]]]]]]})");
    in.large_message = message_of("{" + repeated(4000, R"("key )", R"(":["a b",2])", ",") + "}");
    for (int i = 0; i < 20; ++i) in.message_lines += in.message + "\n" + in.deep_message + "\r\n\n";
    in.deep_json = Text(1000, '[') + Text(1000, ']');
    in.broken_json = R"({"a":1,"b":[1,2,,]})";
    in.not_utf8 = "[\"\xC0\xAF\"]";
    in.table_json =
        "{\"rows\":[" +
        repeated(40, R"({"id":1,"name":"two words","in":{"a":1,"b":[{"c":1},{"c":2}]},"k)",
                 R"(":"x"})", ",") +
        R"(,{"id":2,"name":"x","in":{"a":2,"b":[]}}],"deep":)" + in.deep_json + R"(,"text":"a b"})";
    in.table_text =
        "rows:(id name,in{a,b(c)},...)[2]:\n1 x,2,[1;2],{k:1 l:2}\n1 y,2,[]\n deep:[[{a:1}]] \"k "
        "l\":$warm.key list:[a b, c] text: a b";
    in.twice_json = "{" + repeated(40, R"("k)", R"(":1)", ",") + R"(,"k7":2})";
}

// A vocabulary with the 256 bytes, "ab", "abc", and one token that no merge produces.
void make_vocabularies(Inputs &in) {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                   kHex[] = "0123456789abcdef";
    Text vocabulary;
    for (unsigned byte = 0, next = 256; byte < 256; ++byte) {
        in.tiktoken += {kDigits[byte >> 2], kDigits[(byte & 3) << 4], '=', '=', ' '};
        in.tiktoken += std::to_string(byte) + "\n";
        const bool printable = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        const unsigned point = printable ? byte : next++;
        vocabulary += Text("\"\\u0") + kHex[point >> 8] + kHex[point >> 4 & 15] + kHex[point & 15] +
                      "\":" + std::to_string(byte + 5) + ",";
    }
    in.tiktoken += "YWI= 300\nYWJj 301\neHl6 302\n";
    in.tokenizer_json =
        R"({"added_tokens":[{"id":0,"content":"<s>"}],"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},)"
        R"("model":{"type":"BPE","vocab":{)" +
        vocabulary + R"("ab":300,"abc":301},"merges":["a b","ab c"]}})";
    unsigned state = 1;
    for (int i = 0; i < 20000; ++i)
        in.endless_word +=
            static_cast<char>('a' + ((state = state * 1664525 + 1013904223) >> 24) % 26);
}

}  // namespace

const Inputs &inputs() {
    static const Inputs made = [] {
        Inputs in;
        make_frames(in);
        make_messages(in);
        make_vocabularies(in);
        in.long_text = Text(3000, 'x');
        in.long_id = Text(200, 'y');
        in.registry =
            R"({"version":2,"aliases":{"wk":"work"},"operations":["redact"],"schemas":{"s":{"code":"S","fields":[)" +
            repeated(40, R"("field )", "\"", ",") +
            R"(],"defaults":{"field 7":[1,{"k":"日本"}]},"bind":["req:plan","work"]}}})";
        in.broken_registry = R"({"schemas":{"s":{"code":"S","fields":[)" +
                             repeated(40, R"("f)", "\"", ",") + R"(,"f7"]}}})";
        const Text head =
            "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext:\n"
            "  goal: |\n    x\n    y\n";
        // a line end that must be hidden from libyaml, members of each kind, a plain scalar that is
        // read as a number
        in.packet = head +
                    "  decisions: [A: \"\\ud83d\\ude00\", {choice: \xC2\x85 b}]\n"
                    "  version: 2\nodd: {a: [1.50, ~, {b: true}]}\nchecksum: sha256:x...\n";
        in.large_packet = head + "  constraints:\n" + repeated(900, "    - must ", "\n", "") +
                          "odd: {" + repeated(60, "k", ": [0x1F]", ",") + "}\n";
        in.login_packet = head +
                          "  decisions: [Use JWT, {choice: Use RS256, reason: a}, 24h expiry, " +
                          repeated(20, "{choice: Use login number ", ", reason: b}", ", ") +
                          "]\n  references: ['sha256:x#1']\n  codebase:\n    relevant_files: [" +
                          repeated(20, "a/f", ".c: 'reads logins, async'", ", ") + "]\n";
        in.talk = repeated(30, "User: it must not be slow, and lets use src/a.cc for part ",
                           "\nAssistant: I'll rewrite it, because a list isn't working.\n", "");
        in.broken_packet = head + "odd: {" + repeated(60, "k", ": 1", ",") + ", k7: 2}\n";
        return in;
    }();
    return made;
}

}  // namespace accp_fault
