// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Vocabularies of other models, from the texts that they are published as. Reading the file is the
// host's.
#pragma once

#include "token/vocabulary_maker.h"

namespace accp::token {

// Lines of Base64, a space and a rank. The tokenizer's pattern is the caller's to set.
Status load_tiktoken(Memory &memory, std::string_view text, LoadedVocabulary &out,
                     Tokenizer &tokenizer);

// A tokenizer.json with byte-level BPE, its pattern and its added tokens.
Status load_json(Memory &memory, std::string_view text, LoadedVocabulary &out,
                 Tokenizer &tokenizer);

}  // namespace accp::token
