// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/item_model.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include "cli/host.h"
#include "cli/http/model_endpoint.h"
#include "cli/packet/item_cache.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr const char *kKeyVariable = "ACCP_MODEL_KEY";
constexpr size_t kMaxAnswerBytes = 1 << 20;

class ItemModel {
public:
    ItemModel(const Arguments &arguments, const std::atomic<bool> *stop)
        : endpoint_("--model", arguments.model, kKeyVariable),
          limits_{static_cast<int64_t>(arguments.model_seconds) * 1000, kMaxAnswerBytes, stop},
          max_tokens_(arguments.model_tokens),
          uses_cache_(!arguments.no_cache),
          tokenizer_(open_tokenizer(arguments, nullptr)) {}

    server::FoundItems find(const std::string &asked) const {
        const Handle<accp_counter> counter = new_counter(tokenizer_.get(), nullptr);
        const auto count = [&](std::string_view text) { return count_tokens(*counter, text); };
        server::ItemQuestions questions(asked, {max_tokens_, count});
        const ItemCache cache(endpoint_.url() + "\n" + endpoint_.model() + "\n" +
                              questions.fingerprint());
        if (uses_cache_)
            if (std::optional<server::FoundItems> found = cache.read()) return *found;
        std::string note;
        questions.read_answer(ask(questions.question(), *counter, note));
        if (questions.has_question()) {
            try {
                questions.read_answer(ask(questions.question(), *counter, note));
            } catch (const Failure &failure) {
                questions.skip(failure.what());
            }
        }
        server::FoundItems found = questions.result();
        if (!note.empty()) found.notes.push_back(note);
        if (!questions.is_partial()) cache.write(found);
        return found;
    }

private:
    // `note`: set if the model did not read the whole question.
    std::string ask(const server::ModelQuestion &question, accp_counter &counter,
                    std::string &note) const {
        const std::string answer = post(question);
        const std::vector<std::string_view> choices = json_items(json_member(answer, "choices"));
        const std::string_view choice = choices.empty() ? std::string_view() : choices[0];
        const std::string_view content = json_member(json_member(choice, "message"), "content");
        if (!content.starts_with('"'))
            throw Failure("--model: the server's answer has no choices[0].message.content: " +
                          printable_excerpt(answer));
        if (json_text(json_member(choice, "finish_reason")) == "length")
            throw Failure(
                "--model: the model's answer was cut off, because its context or the most tokens "
                "of an answer are too small; raise them at the server, or lower --model-tokens");
        check_reading(answer, count_tokens(counter, question.user), note);
        return json_text(content);
    }

    // Some servers silently drop what exceeds the context of their model.
    static void check_reading(std::string_view answer, uint64_t asked_tokens, std::string &note) {
        const std::string_view read = json_member(json_member(answer, "usage"), "prompt_tokens");
        uint64_t tokens = 0;
        std::from_chars(read.data(), read.data() + read.size(), tokens);
        if (!tokens || tokens >= asked_tokens / 2) return;  // tokenizers differ
        note = "the server read " + std::to_string(tokens) + " tokens of a question of about " +
               std::to_string(asked_tokens) +
               ": the context of its model may be too small (Ollama: OLLAMA_CONTEXT_LENGTH); "
               "raise it, or lower --model-tokens";
    }

    // Some servers do not know the last two members; they are asked without.
    std::string post(const server::ModelQuestion &question) const {
        constexpr int kBadRequest = 400, kUnprocessable = 422;
        JsonObject body;
        if (!endpoint_.model().empty()) body.text("model", endpoint_.model());
        const auto message = [](const char *role, const std::string &text) {
            return JsonObject().text("role", role).text("content", text).end();
        };
        body.json("messages", JsonList()
                                  .json(message("system", question.system))
                                  .json(message("user", question.user))
                                  .end());
        body.json("stream", "false");
        JsonObject exact = body;
        exact.json("temperature", "0").json("response_format", R"({"type":"json_object"})");
        try {
            return endpoint_.post("/chat/completions", exact.end(), limits_);
        } catch (const EndpointRefusal &refusal) {
            if (refusal.status != kBadRequest && refusal.status != kUnprocessable) throw;
            return endpoint_.post("/chat/completions", body.end(), limits_);
        }
    }

    ModelEndpoint endpoint_;
    ModelEndpoint::Limits limits_;
    uint64_t max_tokens_;
    bool uses_cache_;
    Handle<accp_tokenizer> tokenizer_;
};

}  // namespace

server::FindItems item_finder(const Arguments &arguments, const std::atomic<bool> *stop) {
    if (arguments.model.empty() || arguments.model == "none") return {};
    return [model = std::make_shared<const ItemModel>(arguments, stop)](const std::string &asked) {
        return model->find(asked);
    };
}

}  // namespace cli
