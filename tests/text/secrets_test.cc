// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// text/secrets.h: keys of every known format in five syntaxes, values behind names, texts without
// secrets, and for any bytes: nothing else changes, and a second time nothing at all.
#include "text/secrets.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "cpu_time.h"
#include "unit.h"

namespace {

using namespace accp;

std::string redacted(std::string_view text, std::vector<text::Secret> *places = nullptr) {
    accp_unit::Room room;
    Buffer<char> out(room.memory);
    Buffer<text::Secret> found(room.memory);
    const bool any = text::redact_secrets(text, out, &found);
    EXPECT_EQ(any, !found.empty());
    EXPECT_EQ(any, !out.empty());
    if (places) places->assign(found.begin(), found.end());
    return any ? accp_unit::text_of(out) : std::string(text);
}

std::string bytes_of_class(char name) {
    const std::string digits = "0123456789", upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      lower = "abcdefghijklmnopqrstuvwxyz";
    switch (name) {
        case 'd': return digits;
        case 'x': return digits + "abcdef";
        case 'X': return digits + "ABCDEF";
        case 'u': return "234567" + upper;
        case 'l': return digits + lower;
        case 'a': return digits + upper + lower;
        case 'b': return digits + upper + lower + "-_";
        default: return digits + upper + lower + "+/";
    }
}

// Makes a key of a format: <a36> becomes 36 random letters and digits, blanks are left out.
std::string make_key(std::string_view format, accp_unit::Random &random) {
    std::string key;
    for (size_t i = 0; i < format.size(); ++i) {
        if (format[i] == ' ') continue;
        if (format[i] != '<') {
            key += format[i];
            continue;
        }
        const std::string of = bytes_of_class(format[i + 1]);
        size_t count = 0;
        for (i += 2; format[i] != '>'; ++i)
            count = count * 10 + static_cast<size_t>(format[i] - '0');
        for (size_t k = 0; k < count; ++k) {
            // hyphens inside only
            char c;
            do c = of[random.next() % of.size()];
            while ((c == '-' || c == '_') && (!k || k + 1 == count));
            key += c;
        }
    }
    return key;
}

struct KeyFormat {
    std::string kind, format;
};

std::vector<KeyFormat> read_formats() {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/text/secret_formats.txt");
    std::vector<KeyFormat> formats;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#')
            formats.push_back({line.substr(0, line.find(' ')), line.substr(line.find(' ') + 1)});
    return formats;
}

// A value in JSON, YAML, a shell, an address and a header. The names are harmless, so the shape
// alone decides.
std::vector<std::pair<std::string, std::string>> syntaxes(std::string_view name) {
    const std::string n(name);
    return {{"{\"id\": 7, \"" + n + "\": \"", "\", \"next\": true}"},
            {"service:\n  " + n + ": ", "\n  port: 80\n"},
            {"export " + n + "=", "\nrun\n"},
            {"GET https://example.org/v1/items?" + n + "=", "&page=2 HTTP/1.1"},
            {"X-" + n + ": ", "\r\nAccept: */*\r\n"}};
}

TEST(Secrets, EveryFormatInFiveSyntaxes) {
    const std::vector<KeyFormat> formats = read_formats();
    ASSERT_GE(formats.size(), 80u);
    accp_unit::Random random(44);
    for (const KeyFormat &each : formats)
        for (int round = 0; round < 20; ++round) {
            const std::string key = make_key(each.format, random);
            for (const auto &[before, after] : syntaxes("value")) {
                std::string text = redacted(before + key + after);
                const std::string mark = "[redacted:" + each.kind + "]";
                ASSERT_NE(text.find(mark), text.npos) << before << key << after << "\n" << text;
                ASSERT_EQ(text.substr(0, before.size()), before);
                ASSERT_EQ(text.substr(text.size() - after.size()), after);
                // what is left of the key is the fixed text around it, such as the host
                const std::string rest = text.substr(
                    before.size(), text.size() - before.size() - after.size() - mark.size());
                ASSERT_LE(rest.size(), 32u) << text;
            }
        }
}

TEST(Secrets, EveryKindOfTheTableIsTried) {
    std::set<std::string> tried;
    for (const KeyFormat &each : read_formats()) tried.insert(each.kind);
    EXPECT_GE(tried.size(), 80u);
    std::set<std::string_view> kinds;
    for (size_t i = 0; i < text::secret_shape_count(); ++i)
        kinds.insert(text::secret_shape_kind(i));
    for (const std::string &kind : tried) EXPECT_EQ(kinds.count(kind), 1u) << kind;
}

TEST(Secrets, RandomValuesBehindNamesInFiveSyntaxes) {
    const struct {
        const char *name, *kind, *format;
    } cases[] = {
        {"api_key", "key", "<a32>"},
        {"apiKey", "key", "<x40>"},
        {"API_KEY", "key", "<l36>"},
        {"api-key", "key", "<b40>"},
        {"client_secret", "secret", "<a40>"},
        {"clientSecret", "secret", "<x64>"},
        {"DB_PASSWORD", "password", "<a16>"},
        {"password", "password", "Q7<a12>"},
        {"access_token", "token", "<a40>"},
        {"authToken", "token", "<x32>"},
        {"aws_secret_access_key", "key", "<B40>"},
        {"key", "key", "<a32>"},
    };
    accp_unit::Random random(7);
    for (const auto &each : cases) {
        int missed = 0;
        for (int round = 0; round < 200; ++round) {
            const std::string value = make_key(each.format, random);
            for (const auto &[before, after] : syntaxes(each.name)) {
                const std::string wanted = before + "[redacted:" + each.kind + "]" + after;
                const std::string text = redacted(before + value + after);
                missed += text != wanted;
                if (text != wanted && missed == 1)
                    std::printf("missed: %s%s\n", before.c_str(), value.c_str());
            }
        }
        EXPECT_LE(missed, 30) << each.name << " of 1000";  // they look like words by chance
    }
}

TEST(Secrets, Syntaxes) {
    accp_unit::Random random(3);
    const std::string v = make_key("<a24>Z9", random), p = make_key("Xk7<a9>!q", random);
    const std::pair<std::string, std::string> cases[] = {
        {"password = os.getenv('A') or '" + p + "'", ""},
        {"self.token: str = \"" + v + "\"", "self.token: str = \"[redacted:token]\""},
        {"const token = `" + v + "`;", "const token = `[redacted:token]`;"},
        {"config[\"secret\"] = '" + v + "'", "config[\"secret\"] = '[redacted:secret]'"},
        {"{\\\"token\\\": \\\"" + v + "\\\"}", "{\\\"token\\\": \\\"[redacted:token]\\\"}"},
        {"{'api_key' => '" + v + "'}", "{'api_key' => '[redacted:key]'}"},
        {"token := \"" + v + "\"", "token := \"[redacted:token]\""},
        {"setenv(\"API_TOKEN\", \"" + v + "\")", "setenv(\"API_TOKEN\", \"[redacted:token]\")"},
        {"tool --password " + p + " --quiet", "tool --password [redacted:password] --quiet"},
        {"tool --api-key=" + v, "tool --api-key=[redacted:key]"},
        {"<password>" + p + "</password>", "<password>[redacted:password]</password>"},
        {"Authorization: Bearer " + v, "Authorization: Bearer [redacted:authorization]"},
        {"curl -H 'Authorization: Bearer " + v + "'",
         "curl -H 'Authorization: Bearer [redacted:authorization]'"},
        {"send Bearer " + v, "send Bearer [redacted:token]"},
        {"the password is " + p + ".", "the password is [redacted:password]."},
        {"postgres://app:" + p + "@db:5432/x", "postgres://app:[redacted:password]@db:5432/x"},
        {"mongodb+srv://u:hunter2@c0.mongodb.net",
         "mongodb+srv://u:[redacted:password]@c0.mongodb.net"},
        {"redis://:s3same@cache:6379/0", "redis://:[redacted:password]@cache:6379/0"},
        {"Server=db;User Id=sa;Password=" + p + ";Encrypt=true",
         "Server=db;User Id=sa;Password=[redacted:password];Encrypt=true"},
        {"AccountName=x;AccountKey=" + make_key("<B86>==", random) + ";EndpointSuffix=y",
         "AccountName=x;AccountKey=[redacted:key];EndpointSuffix=y"},
        {"https://x.blob/y?sv=2022&sig=" + make_key("<a40>", random) + "&se=1",
         "https://x.blob/y?sv=2022&sig=[redacted:signature]&se=1"},
        {"//npm.example.com/:_authToken=" + v, "//npm.example.com/:_authToken=[redacted:token]"},
    };
    for (const auto &[text, wanted] : cases)
        EXPECT_EQ(redacted(text), wanted.empty() ? text : wanted);
}

TEST(Secrets, PrivateKeys) {
    accp_unit::Random random(5);
    for (const char *label :
         {"RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY",
          "OPENSSH PRIVATE KEY", "DSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"})
        for (const char *line : {"\n", "\r\n", "\\n", " "}) {
            const std::string head = std::string("-----") + "BEGIN " + label + "-----";
            std::string body = line;
            for (int i = 0; i < 12; ++i) body += make_key("<B64>", random) + line;
            const std::string tail = std::string("-----") + "END " + label + "-----";
            EXPECT_EQ(redacted("a: \"" + head + body + tail + "\" b"),
                      "a: \"[redacted:private-key]\" b");
            EXPECT_EQ(redacted("cut: " + head + body),
                      "cut: [redacted:private-key]" + std::string(line));
        }
    const std::string certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
    EXPECT_EQ(redacted(certificate), certificate);
}

TEST(Secrets, TextWithoutSecrets) {
    for (const char *text :
         {"api_key: YOUR_API_KEY",
          "OPENAI_API_KEY=sk-...",
          "export API_KEY=xxxxxxxxxxxxxxxxxxxx",
          "password: ${DB_PASSWORD}",
          "password: {{ vault.password }}",
          "token = get_token(user_id2)",
          "token: response.data.access_token2",
          "AWS key AKIAIOSFODNN7EXAMPLE",
          "key: sk-1234567890abcdef1234567890abcdef",
          "\"token\": \"<your token 1>\"",
          "commit 1f8b08f3c9a1e6d2b4a7c5d0e9f8a7b6c5d4e3f2",
          "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
          "id: 123e4567-e89b-12d3-a456-426614174000",
          "token: 123e4567-e89b-12d3-a456-426614174000",
          "cache_key: 5d41402abc4b2a76b9719d911017c592",
          "key: 5d41402abc4b2a76b9719d911017c592",
          "primaryKey: \"a8Fk2LmN9pQr3StU7vWx1YzB\"",
          "publicKey = \"a8Fk2LmN9pQr3StU7vWx1YzB\"",
          "next_page_token: a8Fk2LmN9pQr3StU7vWx1YzB",
          "max_tokens=4096",
          "tokens: 1234567890123456",
          "postgres://user:password@localhost/db",
          "postgres://postgres:postgres@localhost/db",
          "https://user:${TOKEN}@github.com/a/b",
          "http://localhost:8080/a@b",
          "ssh://git@github.com:22/x",
          "password: string",
          "password = input('Password: ')",
          "if (password == null) return;",
          "secret: my-kubernetes-secret-name",
          "secretName: app-tls-cert-2024",
          "key: 'ArrowDown'",
          "key=\"user_profile_settings_page_2\"",
          "passport: X1234567",
          "model: claude-3-5-sonnet-20241022",
          "token_count: 380",
          "sk-learn-contrib-imbalanced-2",
          "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/"
          "w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==",
          "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7vbqajDw4o6gJy8UtmIbkcpnkO3Kwc4qsEnSZp test@host",
          "\"integrity\": "
          "\"sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==\"",
          "[redacted:github-token]",
          "password: [redacted:password]"})
        EXPECT_EQ(redacted(text), text);
}

TEST(Secrets, PlacesAreThoseOfTheOriginal) {
    accp_unit::Random random(9);
    const std::string key = make_key("gh p_<a36>", random), other = make_key("AK IA<u16>", random);
    const std::string text = "é one " + key + " two " + other + " end";
    std::vector<text::Secret> places;
    EXPECT_EQ(redacted(text, &places),
              "é one [redacted:github-token] two [redacted:aws-access-key] end");
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(text.substr(places[0].begin, places[0].end - places[0].begin), key);
    EXPECT_EQ(text.substr(places[1].begin, places[1].end - places[1].begin), other);
    EXPECT_EQ(places[1].kind, "aws-access-key");
}

// A text of random pieces: keys, names, syntax and bytes.
std::string random_text(const std::vector<KeyFormat> &formats, accp_unit::Random &random) {
    static const char *const kPieces[] = {"password",
                                          "token",
                                          "key",
                                          "api_key",
                                          "secret",
                                          "auth",
                                          "Bearer ",
                                          "bearer",
                                          "pass",
                                          "=",
                                          ": ",
                                          ":",
                                          "\"",
                                          "'",
                                          "\\\"",
                                          "\\",
                                          "\n",
                                          " ",
                                          "  ",
                                          "://",
                                          "user:",
                                          "@",
                                          "/",
                                          "?",
                                          "&",
                                          "[",
                                          "]",
                                          "(",
                                          "[redacted:",
                                          "[redacted:token]",
                                          "-----BEGIN RSA PRIVATE KEY-----",
                                          "-----END RSA PRIVATE KEY-----",
                                          "-----",
                                          "%3D",
                                          "\\n",
                                          "eyJ",
                                          ".",
                                          "..",
                                          "-",
                                          "_",
                                          "sk-",
                                          "ghp_",
                                          "AKIA",
                                          "bot",
                                          "is ",
                                          "<",
                                          ">",
                                          "--",
                                          ",",
                                          ";",
                                          "$",
                                          "=>",
                                          ":=",
                                          "==",
                                          "str = ",
                                          "\xC3\xA9",
                                          "\xFF",
                                          "`"};
    std::string text;
    for (uint64_t n = random.next() % 24; n--;) {
        const uint64_t what = random.next() % 10;
        if (what < 6) text += kPieces[random.next() % std::size(kPieces)];
        else if (what < 7) text += make_key(formats[random.next() % formats.size()].format, random);
        else if (what < 9)
            text += make_key("<b" + std::to_string(random.next() % 40) + ">", random);
        else text += static_cast<char>(random.next());
    }
    return text;
}

TEST(Secrets, AnyBytes) {
    const std::vector<KeyFormat> formats = read_formats();
    accp_unit::Random random(1);
    constexpr int kRounds = ACCP_SANITIZED ? 20'000 : 200'000;
    int with = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::string text = random_text(formats, random);
        std::vector<text::Secret> places;
        const std::string once = redacted(text, &places);
        with += !places.empty();
        // bytes outside of the places are as they were
        std::string built;
        size_t at = 0;
        for (const text::Secret &each : places) {
            ASSERT_LE(at, each.begin);
            ASSERT_LT(each.begin, each.end);
            ASSERT_LE(each.end, text.size());
            built += text.substr(at, each.begin - at) + "[redacted:" + std::string(each.kind) + "]";
            at = each.end;
        }
        ASSERT_EQ(built + text.substr(at), once);
        ASSERT_EQ(redacted(once), once) << "\nfrom: " << text;
    }
    EXPECT_GT(with, kRounds / 10);
}

// The processor time of hostile texts grows linearly: four times the text takes less than ten times
// as long.
TEST(Secrets, Linear) {
    constexpr size_t kBytes = ACCP_SANITIZED ? 100'000 : 400'000;
    for (const char *piece :
         {"key=", "sk-", "eyJa.", "eyJaaaaaaaaaaaaaaaa.eyJ", "glpat-.", "password=\"",
          "a://b:", "-----BEGIN RSA PRIVATE KEY-----\n", "[redacted:", "token is ", "AAAA", "--"}) {
        double seconds[2];
        for (int i = 0; i < 2; ++i) {
            std::string text;
            while (text.size() < (i ? 4 : 1) * kBytes) text += piece;
            seconds[i] = accp_test::cpu_seconds_of([&] {
                text::SecretFinder finder(text);
                for (text::Secret found; finder.next(found);) {
                }
            });
        }
        std::printf("%-30s %.0f MB/s\n", piece, 4e-6 * kBytes / seconds[1]);
        EXPECT_LT(seconds[1], 10 * (seconds[0] + accp_test::kClockTick)) << piece;
    }
}

}  // namespace
