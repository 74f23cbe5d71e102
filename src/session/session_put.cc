// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See refs.h: what is put under a reference, and who else may read it.
#include "base/utf8.h"
#include "session/ref_name.h"
#include "session/refs.h"
#include "value/json_writer.h"

namespace accp::session {

// A ref that may be written: a tier, and labels.
Status Session::change_blob(std::string_view ref, const Blob &blob, Scratch &scratch) {
    std::string_view tier, key, prefix;
    split_ref(ref, tier, key);
    store::Tier where;
    if (!find_tier(tier, where, prefix))
        return fail(ACCP_E1004, 0, "the tiers are hot, warm, cold and ctx");
    if (key.size() > kMaxRefKeyBytes)
        return fail(ACCP_E1004, 0, "a key of a ref is at most 200 bytes");
    const auto place = static_cast<uint64_t>(key.data() - ref.data());
    if (!is_ref_key(key))
        return fail(ACCP_E1004, place,
                    "a key of a ref is labels of letters, digits and _, with dots between");
    if (is_given(tier, key))
        return fail(ACCP_E1004, place,
                    "cold.t7, cold.m17, warm.ckpt_3, hot.m17 and hot.state are the session's own");
    const StoredKey name(prefix, key);
    Status status;
    if (blob.erase) scratch.batch.erase(where, name.view());
    else
        status = put_value(where, name.view(), blob.json, static_cast<uint64_t>(blob.expires_ms),
                           scratch);
    return status.ok() ? commit(scratch) : status;
}

// A value under its name, or where the host keeps the cold ones.
Status Session::put_value(store::Tier where, std::string_view name, std::string_view json,
                          uint64_t expires_ms, Scratch &scratch) {
    if (where != store::Tier::kCold || !rules_.cold) {
        scratch.batch.put(where, name, json, expires_ms);
        return {};
    }
    Status status = put_cold(*rules_.cold, json, scratch.blob);
    if (status.ok())
        scratch.batch.put(where, name, {scratch.blob.data(), scratch.blob.size()}, expires_ms);
    return status;
}

Status Session::put(std::string_view ref, std::string_view json, int64_t expires_ms,
                    Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    status = scratch.reader.read(json.data(), json.size(),
                                 {scratch.settings.limit(ACCP_LIMIT_JSON_BYTES), kMaxJsonDepth},
                                 scratch.message);
    if (status.failed()) return status;
    scratch.json.recycle(kKeptBytes);
    value::write_json(scratch.message.view(), 0, scratch.json);
    return change_blob(ref, {{scratch.json.data(), scratch.json.size()}, expires_ms, false},
                       scratch);
}

Status Session::erase(std::string_view ref, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    return change_blob(ref, {{}, 0, true}, scratch);
}

Status Session::grant(std::string_view grantee, std::string_view prefix, int64_t expires_ms,
                      Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    if (valid_utf8_prefix(grantee.data(), grantee.size()) != grantee.size())
        return fail(ACCP_ERR_ARG, 0, "a session id is UTF-8 text");
    ScratchUse use(*this, scratch, false);
    scratch.batch.grant(grantee, unmarked(prefix), static_cast<uint64_t>(expires_ms));
    return commit(scratch);
}

Status Session::revoke(std::string_view grantee, std::string_view prefix, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    scratch.batch.revoke(grantee, unmarked(prefix));
    return commit(scratch);
}

// A batch that changes nothing in memory.
Status Session::commit(Scratch &scratch) {
    Status status = store_->commit(scratch.batch);
    scratch.batch.clear();
    if (status.failed()) return status;
    unsynced_ = true;
    ++taken_;
    return settle();
}

}  // namespace accp::session
