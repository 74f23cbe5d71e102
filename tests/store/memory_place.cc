// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The example's back end accepts any name.
#include "store/stores.h"

std::string store_tests::backend_place(const std::string &file) { return file; }
