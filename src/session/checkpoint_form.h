// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two forms of a checkpoint: the stored form, and JSON. The summary of a checkpoint is usually a
// part of its text, and so are the parts of its facts. The stored form refers to them by their
// place in the text.
//
//   kept    = mark id first last text summary facts
//   mark    = %x02               JSON never starts with this byte; older sessions stored JSON
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

// Appends the stored form.
void keep_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out);

// Reads the stored form. `out` has views of `kept`, and its facts are in `facts`. Returns false for
// other bytes.
bool read_checkpoint(std::string_view kept, Buffer<context::ContextFact> &facts,
                     context::CheckpointView &out);

// Appends a checkpoint as JSON:
//   {"id":3,"first":9,"last":17,"summary":"…","facts":[["entity","relationship","value"],…],"text":"…"}
// The texts of the checkpoint must be in a Buffer, because the JSON writer reads whole vectors.
void write_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out);

}  // namespace accp::session
