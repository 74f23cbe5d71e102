// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Vocabularies of other models, from the texts that they are published as. The host reads the file.
#pragma once

#include "token/vocabulary_maker.h"

namespace accp::token {

// A .tiktoken text: each line is a token in Base64, a space and its rank. The format has no
// pattern: the caller sets it. `tokenizer` then points into `out`, which must outlive it.
Status load_tiktoken(Memory &memory, std::string_view text, LoadedVocabulary &out,
                     Tokenizer &tokenizer);

// A tokenizer.json with byte-level BPE, its pattern and its added tokens.
Status load_json(Memory &memory, std::string_view text, LoadedVocabulary &out,
                 Tokenizer &tokenizer);

}  // namespace accp::token
