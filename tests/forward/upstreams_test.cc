// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of upstreams, and the upstream of each request.
#include "proxy/forward/upstreams.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/library/failure.h"

namespace {

using proxy::Headers;
using proxy::Upstreams;

TEST(Upstreams, TheProvidersAreKnown) {
    const Upstreams upstreams({});
    ASSERT_EQ(upstreams.all().size(), 2u);
    EXPECT_EQ(upstreams.all()[0].url(), "https://api.anthropic.com");
    EXPECT_EQ(upstreams.all()[1].url(), "https://api.openai.com");
}

struct Url {
    const char *url, *origin, *path;
    bool is_local;
};

TEST(Upstreams, ValidUrls) {
    for (const Url &one : std::vector<Url>{
             {"http://127.0.0.1:11434", "http://127.0.0.1:11434", "", true},
             {"http://localhost", "http://localhost", "", true},
             {"http://localhost:1/a", "http://localhost:1", "/a", true},
             {"http://localhost.example", "http://localhost.example", "", false},
             {"https://[::1]:8443/base/", "https://[::1]:8443", "/base", true},
             {"https://[2001:db8::1]", "https://[2001:db8::1]", "", false},
             {"https://api.groq.com/openai", "https://api.groq.com", "/openai", false},
             {"https://host///", "https://host", "", false},
             {"https://h:65535/a%20b/~c;d=e", "https://h:65535", "/a%20b/~c;d=e", false}}) {
        const Upstreams upstreams({std::string("n=") + one.url});
        const proxy::Upstream &made = upstreams.all()[0];
        EXPECT_EQ(made.name, "n");
        EXPECT_EQ(made.origin, one.origin) << one.url;
        EXPECT_EQ(made.path, one.path) << one.url;
        EXPECT_EQ(made.is_local, one.is_local) << one.url;
        EXPECT_EQ(upstreams.all().size(), 3u);
    }
}

TEST(Upstreams, InvalidOptions) {
    for (const char *option : {"",
                               "=",
                               "n",
                               "n=",
                               "=http://a",
                               "a b=http://a",
                               "a/b=http://a",
                               "v1=http://a",
                               "v1beta=http://a",
                               "_accp=http://a",
                               "n=a",
                               "n=ftp://a",
                               "n=http://",
                               "n=http:///a",
                               "n=http://:80",
                               "n=http://a:0",
                               "n=http://a:",
                               "n=http://a:65536",
                               "n=http://a:x",
                               "n=http://a:80:80",
                               "n=http://u@a",
                               "n=http://u:p@a",
                               "n=http://[::1",
                               "n=http://[]",
                               "n=http://[::1]x",
                               "n=http://a/?x=1",
                               "n=http://a/#x",
                               "n=http://a b",
                               "n=http://a\r\n",
                               "n=HTTP://a",
                               "n=http://a/\xc3\xa9"})
        EXPECT_THROW(Upstreams({option}), host::Failure) << option;
    EXPECT_THROW(Upstreams({"n=http://a", "n=http://b"}), host::Failure);
}

struct Case {
    std::vector<std::string> options;
    const char *target;
    Headers headers;
    const char *name, *sent;  // the upstream, and the target that it gets
};

TEST(Upstreams, Routes) {
    const Headers key = {{"X-Api-Key", "k"}}, version = {{"anthropic-version", "2023-06-01"}},
                  bearer = {{"authorization", "Bearer x"}};
    const std::vector<std::string> none, local = {"local=http://127.0.0.1:1/base"},
                                         own = {"anthropic=http://a/b", "openai=http://o"};
    for (const Case &one : std::vector<Case>{
             {none, "/v1/messages", {}, "anthropic", "/v1/messages"},
             {none, "/v1/messages?beta=true", bearer, "anthropic", "/v1/messages?beta=true"},
             {none, "/v1/messages/count_tokens", {}, "anthropic", "/v1/messages/count_tokens"},
             {none, "/v1/messagesx", {}, "openai", "/v1/messagesx"},
             {none, "/v1/chat/completions", key, "openai", "/v1/chat/completions"},
             {none, "/v1/responses", version, "openai", "/v1/responses"},
             {none,
              "/v1/responses/r1/input_items?a",
              {},
              "openai",
              "/v1/responses/r1/input_items?a"},
             {none, "/v1/models", {}, "openai", "/v1/models"},
             {none, "/v1/models", key, "anthropic", "/v1/models"},
             {none, "/v1/models", version, "anthropic", "/v1/models"},
             {none, "/anthropic/v1/models", {}, "anthropic", "/v1/models"},
             {none, "/openai/v1/messages", key, "openai", "/v1/messages"},
             {none, "/openai", {}, "openai", "/"},
             {none, "/openai?a=/b", {}, "openai", "/?a=/b"},
             {none, "/openais/x", {}, "openai", "/openais/x"},
             {none, "/", {}, "openai", "/"},
             {local,
              "/local/v1/chat/completions?x=%2F",
              {},
              "local",
              "/base/v1/chat/completions?x=%2F"},
             {local, "/v1/models", {}, "local", "/base/v1/models"},
             {local, "/v1/models", key, "anthropic", "/v1/models"},
             {local, "/v1/chat/completions", {}, "openai", "/v1/chat/completions"},
             {local, "//x/../y", {}, "local", "/base//x/../y"},
             {own, "/v1/messages", {}, "anthropic", "/b/v1/messages"},
             {own, "/v1/embeddings", bearer, "openai", "/v1/embeddings"},
             {{"anthropic=http://a"}, "/v1/models", bearer, "openai", "/v1/models"},
             {{"anthropic=http://a", "local=http://b"}, "/v1/models", {}, "local", "/v1/models"},
             {own, "/other", {}, "anthropic", "/b/other"}}) {
        const Upstreams upstreams(one.options);
        const Upstreams::Route route = upstreams.find(one.target, one.headers);
        EXPECT_EQ(route.upstream->name, one.name) << one.target;
        EXPECT_EQ(route.target, one.sent) << one.target;
    }
}

TEST(Upstreams, ModelCalls) {
    using proxy::is_model_call;
    for (const char *path : {"/v1/messages", "/v1/chat/completions", "/v1/responses",
                             "/local/v1/chat/completions", "/openai/responses"})
        EXPECT_TRUE(is_model_call("POST", path)) << path;
    EXPECT_FALSE(is_model_call("GET", "/v1/messages"));
    for (const char *path : {"/v1/messages/count_tokens", "/v1/models", "/v1/completions", "/"})
        EXPECT_FALSE(is_model_call("POST", path)) << path;
}

}  // namespace
