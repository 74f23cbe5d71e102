// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A checkpoint as the store has it. Its summary is mostly a part of its text, and so are the parts
// of its facts: these are kept as places in it.
//
//   kept    = mark id first last text summary facts
//   mark    = %x02               no JSON begins so: sessions that were kept before have JSON
//   id, first, last = number
//   text    = string
//   summary = part
//   facts   = number *(part part part)    how many; entity, relationship and value of each
//   part    = number [number] [bytes]     its length times four, and one of
//               0: the bytes follow
//               1: the place in the text where it begins follows
//               2: it begins one byte after the last part that is in the text
//               3: it is the entity of the fact before
//
// Numbers and strings are those of a record (record.h).
#pragma once

#include "context/checkpoint.h"
#include "context/context.h"

namespace accp::session {

constexpr char kCheckpointMark = '\2';

// Appends it.
void keep_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out);

// What keep_checkpoint() wrote, as views of `kept` and with its facts in `facts`. False: it did
// not.
bool read_checkpoint(std::string_view kept, Buffer<context::ContextFact> &facts,
                     context::CheckpointView &out);

// A checkpoint as a ref to it reads, and what refs call things.

// Appends a checkpoint as JSON:
// {"id":3,"first":9,"last":17,"summary":"…","facts":[["entity","relationship","value"],…],"text":"…"}.
// Its texts lie in a Buffer, as the writer of JSON reads whole vectors.
void write_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out);

}  // namespace accp::session
