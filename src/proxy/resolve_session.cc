// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/resolve_session.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "proxy/http_text.h"
#include "proxy/usage.h"

namespace proxy {

namespace {

using BlockKind = AnswerBlock::Kind;

#define ACCP_RESOLVE_DESCRIPTION                                                      \
    R"("Returns a tool result that was left out to save cost. A line such as [Read )" \
    R"(src/app.ts: 240 lines, 3,120 tokens, left out to save cost. To see it: )"      \
    R"(accp_resolve 57.] stands in its place and has its number.")"
#define ACCP_RESOLVE_SCHEMA \
    R"({"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]})"

constexpr std::string_view kMessagesTool =
    R"({"name":"accp_resolve","description":)" ACCP_RESOLVE_DESCRIPTION
    R"(,"input_schema":)" ACCP_RESOLVE_SCHEMA "}";
constexpr std::string_view kChatTool =
    R"({"type":"function","function":{"name":"accp_resolve","description":)" ACCP_RESOLVE_DESCRIPTION
    R"(,"parameters":)" ACCP_RESOLVE_SCHEMA "}}";

constexpr std::string_view kResponsesTool =
    R"({"type":"function","name":"accp_resolve","description":)" ACCP_RESOLVE_DESCRIPTION
    R"(,"parameters":)" ACCP_RESOLVE_SCHEMA R"(,"strict":false})";

#undef ACCP_RESOLVE_DESCRIPTION
#undef ACCP_RESOLVE_SCHEMA

constexpr size_t kMaxCallBytes = 4 << 10;      // of a call that is put back later
constexpr size_t kMaxRefusalBytes = 64 << 10;  // of a response that refuses a further call

constexpr std::string_view kNotUnderstood =
    "the model calls accp_resolve too often, or in a response that is not understood";

// The end of a block, its list and its message.
constexpr std::string_view kEndOfBlock = "}]}";

// If the model goes on calling after kTooOften, the response ends after this many rounds.
constexpr size_t kMaxRounds = kMaxResolveRounds + 4;

bool can_be_put_back(const std::string &json, const std::string &id) {
    return json.size() <= kMaxCallBytes && !id.empty();
}

// Returns the node of the last cache mark in a list of messages, blocks or tools; 0 if there is
// none.
uint32_t last_mark(const JsonText &json, uint32_t list) {
    if (!list) return 0;
    const accp::value::TreeView tree = json.tree();
    uint32_t found = 0;
    for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP) continue;
        if (const uint32_t inner = last_mark(json, json.list_of(i, "content"))) found = inner;
        if (const uint32_t own = json.map_of(i, "cache_control")) found = own;
    }
    return found;
}

}  // namespace

std::string_view resolve_tool_json(Api api) {
    switch (api) {
        case Api::kNone: break;
        case Api::kMessages: return kMessagesTool;
        case Api::kChat: return kChatTool;
        case Api::kResponses: return kResponsesTool;
    }
    return {};
}

ResolveSession::ResolveSession(ResolveRequest request, const HashKey &key, JsonText &json)
    : request_(std::move(request)),
      key_(key),
      json_(json),
      splicer_(request_.api == Api::kMessages ? make_messages_splicer(json)
               : request_.api == Api::kChat   ? make_chat_splicer(json)
                                              : make_responses_splicer(json)) {}

AnswerMode ResolveSession::read_head(int status, const Headers &headers) {
    const AnswerForm form = answer_form(status, headers);
    const AnswerMode mode = form == AnswerForm::kEvents ? AnswerMode::kEvents
                            : form == AnswerForm::kJson ? AnswerMode::kHeld
                                                        : AnswerMode::kAsItCame;
    has_head_ = true;
    status_ = status;
    if (rounds_.empty()) return mode_ = mode;
    has_failed_ = !is_success(status) || mode != mode_;
    return mode_;
}

std::optional<std::string> ResolveSession::read(std::string_view bytes) {
    if (mode_ != AnswerMode::kEvents) return std::nullopt;
    if (has_failed_) {
        refusal_.append(
            bytes.substr(0, kMaxRefusalBytes - std::min(kMaxRefusalBytes, refusal_.size())));
        return "";
    }
    std::string out;
    splicer_->read(bytes, out);
    if (splicer_->turn().is_complete) finish();
    if (out == bytes) return std::nullopt;
    return out;
}

AnswerEnd ResolveSession::end(bool is_whole, std::string_view held) {
    switch (mode_) {
        case AnswerMode::kAsItCame: break;
        case AnswerMode::kEvents: return end_events(is_whole);
        case AnswerMode::kHeld:
            if (is_whole && !has_failed_) return end_held(held);
            break;
    }
    return {};
}

AnswerEnd ResolveSession::fail(const std::string &why) {
    AnswerEnd end;
    end.bytes = splicer_->error_event(refusal_, status_, "accp proxy: " + why);
    end.is_broken = true;
    return end;
}

AnswerEnd ResolveSession::end_events(bool is_whole) {
    if (has_failed_)
        return fail("the call with the result of accp_resolve was refused with status " +
                    std::to_string(status_));
    if (!has_head_) return fail("the call with the result of accp_resolve got no answer");
    AnswerEnd end;
    end.bytes.emplace();
    splicer_->finish(is_whole, *end.bytes);
    const ModelTurn &turn = splicer_->turn();
    if (is_whole && turn.waits_for_us()) {
        end.follow_up = make_follow_up();
        if (!end.follow_up) return fail(std::string(kNotUnderstood));
    } else {
        finish();
        end.is_broken = !is_whole;
    }
    return end;
}

AnswerEnd ResolveSession::end_held(std::string_view held) {
    AnswerEnd end;
    if (!splicer_->read_whole(held)) return end;
    if (splicer_->turn().waits_for_us()) {
        end.follow_up = make_follow_up();
        if (!end.follow_up) {
            end.bytes = kNotUnderstood;
            end.is_broken = true;
        }
        return end;
    }
    if (!rounds_.empty() || splicer_->turn().has_call(true)) end.bytes = splicer_->join(held);
    finish();
    return end;
}

// Returns whether the block is not sent back. In the Messages interface, providers refuse blank
// texts, and clients drop them.
bool ResolveSession::is_dropped(const AnswerBlock &block) const {
    return request_.api == Api::kMessages && block.kind == BlockKind::kText && is_blank(block.text);
}

// Counts a block that the client has.
void ResolveSession::count_words(const AnswerBlock &block) {
    const auto size = [](const std::string &text) { return static_cast<uint32_t>(text.size()); };
    if (is_dropped(block)) return;
    if (request_.api != Api::kChat) {
        ++words_;
        if (block.kind == BlockKind::kText) print_.add_text(block.text);
        else print_.add_block(block.type, block.id);
        return;
    }
    if (block.kind == BlockKind::kCall) {
        ++calls_;
        chat_calls_.push_back(block.id);
    } else if (block.kind == BlockKind::kThought) {
        if (thought_member_.empty()) thought_member_ = block.type;
        if (block.type == thought_member_) thoughts_ += size(block.text);
    } else if (block.kind == BlockKind::kText && !block.text.empty()) {
        if (!chat_words_.empty()) chat_words_ += kBetweenWords;
        chat_words_ += block.text;
        words_ = size(chat_words_);
    }
}

// Counts the current response. Returns a round with its calls of accp_resolve.
ResolveRound ResolveSession::end_round() {
    ResolveRound round;
    for (const AnswerBlock &block : splicer_->turn().blocks) {
        if (!block.is_ours) {
            count_words(block);
            continue;
        }
        ResolvedCall &call = round.calls.emplace_back(resolve(block));
        call.before = request_.api == Api::kChat ? calls_ : words_;
    }
    round.words = words_;
    round.thoughts = thoughts_;
    return round;
}

// Some models give the number as a text.
ResolvedCall ResolveSession::resolve(const AnswerBlock &block) {
    ResolvedCall call;
    call.json = block.json;
    call.id = block.id;
    uint64_t number = 0;
    bool is_number = json_.read(block.text);
    if (is_number && !json_.number_of(0, "number", number)) {
        const std::string_view text = json_.text_of(0, "number");
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        is_number =
            !text.empty() && read.ec == std::errc{} && read.ptr == text.data() + text.size();
    }
    if (rounds_.size() >= kMaxResolveRounds) {
        call.outcome = ResolveOutcome::kTooOften;
        return call;
    }
    if (!is_number || number > UINT32_MAX) {
        call.outcome = ResolveOutcome::kBadInput;
        return call;
    }
    call.number = static_cast<uint32_t>(number);
    if (std::any_of(request_.left_out.begin(), request_.left_out.end(),
                    [&](const LeftOut &one) { return one.number == number; }))
        call.outcome = ResolveOutcome::kFound;
    else if (number < request_.results.size() && request_.results[number])
        call.outcome = ResolveOutcome::kNotLeftOut;
    return call;
}

ResultContent ResolveSession::content_of(const ResolvedCall &call) const {
    if (call.outcome != ResolveOutcome::kFound)
        return {json_string(resolve_error(call.outcome, call.number)), true};
    for (const LeftOut &one : request_.left_out)
        if (one.number == call.number)
            return {
                without_marks(
                    std::string_view(request_.body).substr(one.begin, one.end - one.begin), json_),
                one.is_error};
    return {"\"\"", true};
}

// Returns the response of the model as a message.
std::string ResolveSession::turn_json() const {
    std::string list, more = "null";
    for (const AnswerBlock &block : splicer_->turn().blocks) {
        const bool is_empty = block.kind == BlockKind::kText && block.text.empty();
        const bool is_sent = request_.api == Api::kChat
                                 ? block.kind == BlockKind::kCall
                                 : !is_empty && !is_dropped(block) && !block.is_left_out;
        if (is_sent) add_listed(list, block.json);
    }
    if (request_.api == Api::kMessages) return messages_turn(list);
    if (request_.api == Api::kResponses) return list;
    std::string thoughts;
    for (const AnswerBlock &block : splicer_->turn().blocks) {
        if (block.kind == BlockKind::kText)
            more = block.json.empty() ? json_string(block.text) : "[" + block.json + "]";
        if (block.kind == BlockKind::kOther)
            thoughts += ",\"" + block.type + "\":[" + block.json + "]";
        if (block.kind == BlockKind::kThought)
            thoughts += ",\"" + block.type + "\":" + json_string(block.text);
    }
    return R"({"role":"assistant","content":)" + more + thoughts + ",\"tool_calls\":[" + list +
           "]}";
}

// Returns the member that marks the results, with a comma before it; empty if they get no mark. It
// is a copy of the client's last mark, because a longer `ttl` may not follow a shorter one. A mark
// on the request itself covers the results already.
std::string ResolveSession::mark() const {
    if (!request_.can_mark || !json_.read(request_.body) || json_.map_of(0, "cache_control"))
        return {};
    for (const std::string_view member : {"messages", "system", "tools"})
        if (const uint32_t mark = last_mark(json_, json_.list_of(0, member)))
            return ",\"cache_control\":" + std::string(json_.raw(mark));
    return {};
}

// Returns the body of the call that gives the model its results; nothing if it cannot be made.
std::optional<std::string> ResolveSession::make_follow_up() {
    const ModelTurn &turn = splicer_->turn();
    const bool fits =
        std::all_of(turn.blocks.begin(), turn.blocks.end(), [](const AnswerBlock &block) {
            return !block.is_ours || can_be_put_back(block.json, block.id);
        });
    if (!turn.is_known || !fits || rounds_.size() >= kMaxRounds) return std::nullopt;
    rounds_.push_back(end_round());
    const std::string results =
        result_list(request_.api, rounds_.back().calls,
                    [this](const ResolvedCall &call) { return content_of(call); });
    (added_ += ',') += turn_json();
    (added_ += ',') += request_.api == Api::kMessages ? messages_results(results) : results;
    // With a mark, the next call reads from the cache what this one has written.
    std::string added = added_;
    added.insert(added.size() - kEndOfBlock.size(), mark());
    std::vector<Edit> edits = request_.edits;
    edits.push_back({request_.messages_end, request_.messages_end, std::move(added)});
    splicer_->begin_next();
    has_head_ = false;
    refusal_.clear();
    return apply_edits(request_.body, std::move(edits));
}

// Notes the exchange. Calls of ours in a response that was cut short are dropped, and those that
// cannot be put back.
void ResolveSession::finish() {
    const ModelTurn &turn = splicer_->turn();
    if (is_finished_ || !turn.is_complete || turn.waits_for_us()) return;
    is_finished_ = true;
    ResolveRound last = end_round();
    std::erase_if(last.calls,
                  [](const ResolvedCall &call) { return !can_be_put_back(call.json, call.id); });
    Exchange exchange;
    exchange.is_open = turn.waits && !last.calls.empty();
    if (exchange.is_open) rounds_.push_back(std::move(last));
    if (rounds_.empty()) return;
    if (request_.api == Api::kChat) {
        print_.add_other(chat_words_);
        for (const std::string &id : chat_calls_) print_.add_call(id);
    }
    exchange.answer = print_.hash(key_);
    exchange.rounds = rounds_;
    exchange_ = std::move(exchange);
}

}  // namespace proxy
