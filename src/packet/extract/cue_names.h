// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Short names for the tables of the languages: what a cue shows, and of whom it is one.
#pragma once

#include "packet/extract/cues.h"

namespace accp::packet::cue {

constexpr Kind kC = Kind::kConstraint, kD = Kind::kDecision, kF = Kind::kFailure,
               kQ = Kind::kQuestion, kComplaint = Kind::kComplaint, kAccept = Kind::kAcceptance,
               kPropose = Kind::kProposal, kRetract = Kind::kRetraction, kRequest = Kind::kRequest,
               kReason = Kind::kReason, kOptions = Kind::kOptions;
constexpr Who kAny = Who::kAnyone, kU = Who::kUser, kA = Who::kAgent;

}  // namespace accp::packet::cue
