// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Precompiled for the tests. A test includes what it needs all the same.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"
