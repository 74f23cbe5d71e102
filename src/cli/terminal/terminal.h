// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What standard output may show.
#pragma once

namespace cli {

// It is a terminal, and nobody wants it plain (NO_COLOR, TERM=dumb).
bool colour_wanted();

}  // namespace cli
