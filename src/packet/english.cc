// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cues.h. Written from how people talk to coding assistants: people demand without `must` and
// decide with `lets`; assistants say what they do, and tell of a failure when they turn away from
// it.
#include "packet/cues.h"

namespace accp::packet {

namespace {

constexpr Kind kC = Kind::kConstraint, kD = Kind::kDecision, kF = Kind::kFailure,
               kQ = Kind::kQuestion;
constexpr Who kAny = Who::kAnyone, kU = Who::kUser, kA = Who::kAgent;

constexpr Cue kCues[] = {
    // what a user demands or forbids
    {kC, kU, 20, "must|required|require|requires|mandatory|needs"},
    {kC, kU, 18, "should|shouldnt|shall"},
    {kC, kU, 14, "have|has|need to"},
    {kC, kU, 14, "dont|never|nothing / do not"},
    {kC, kU, 10, "not|no|without|avoid|except|cannot|cant"},
    {kC, kU, 10, "instead|rather|prefer|preferably"},
    {kC, kU, 10, "make sure / ensure / keep / leave / want|wants"},
    {kC, kU, 8, "only|always|every|any|each|exactly|whole / at least|most"},
    {kC, kU, 8, "if needed|necessary|possible|otherwise|selected|not|it / otherwise"},
    {kC, kU, 8, "error|fail|refuse if|when|out / , error / ^ ~ error"},
    {kC, kU, 8, "later|eventually|stubs|placeholder"},
    {kC, kU, 12, "consider|remember|careful / one thing"},
    {kC, kU, 10, "can it|we|you|they be|still / it|they could|can|will"},
    {kC, kU, 6, "^ add|use|create|write|put|make|update|remove|move|rename|set|show|support|for"},
    {kC, kU, 8, "either / as long as / the target"},
    {kC, kU, 10, "there|it|they is|are|seem|seems|has still|two|no|too"},
    // what an assistant states as a rule
    {kC, kA, 14, "must|never|always|required|forbidden"},
    {kC, kA, 8, "should|only / not permitted|allowed"},
    {kC, kA, 12, "requirement|requirements|constraint|constraints"},
    {kC, kA, 8, "without|isolated|not"},

    // what a user decides
    {kD, kU, 20, "lets / let us"},
    {kD, kU, 18, "^ use / go with / switch to / stick with / i pick|choose|prefer"},
    {kD, kU, 14, "instead of / rather than"},
    {kD, kU, 12, "for now"},
    {kD, kU, 12, "merge|merging|delete|rename|reconcile|drop|revert|remove"},
    {kD, kU, 10, "^ yes|yep|ok|okay|yeah|sure|agreed ~ lets|use|proceed|do|keep|go"},
    // what an assistant does
    {kD, kA, 16,
     "ill|lets|well|will ~ rewrite|switch|replace|change|rename|use|move|go / "
     "let me rewrite|switch|replace|change|rename|use|move / "
     "going to rewrite|switch|replace|change|rename|use|move"},
    {kD, kA, 14, "ill|well|will create|add|implement|introduce|build|use|be|have"},
    {kD, kA, 14, "instead of / rather than / , not"},
    {kD, kA, 20,
     "proper|right|best|correct|simplest|cleanest|real solution|way|approach|fix|option"},
    {kD, kA, 16, "decided|chose|choose|recommend|recommended|settled / i suggest|recommend"},
    {kD, kA, 12, "is|are|now now|uses|called|calls"},
    {kD, kA, 10,
     "changed|switched|replaced|renamed|moved|introduced|introducing|introduce / changes made"},
    {kD, kA, 10, "wraps|wrapped|added|removed|merged|created|rewrote|refactored|rename"},
    {kD, kA, 8, "simply / common approach / by renaming|adding|using|introducing|wrapping|moving"},
    {kD, kA, 6, "use|uses|using"},
    {kD, kA, 8, "all ~ use / if the user ~ error|exit"},

    // what did not work
    {kF, kAny, 22,
     "isnt|wasnt|arent|doesnt|didnt|dont|wont|cant|cannot|couldnt|not ~ work*|help*|support*|"
     "respect*|deliver*|render*|exist*|available|compile*|match*|perfectly|possible|appear*|apply|"
     "being|re"},
    {kF, kAny, 14, "fails|failed|failing|broke|broken|crash*|mismatch|conflict*|regression"},
    {kF, kAny, 10, "error|errors|wrong|bug|problem|stuck|empty|flash*|duplicate*|terrible|skewed"},
    {kF, kAny, 8, "the issue|problem is|was"},
    {kF, kAny, 8, "because|causes|caused|causing / due to / this can lead"},
    {kF, kAny, 8, "still|kept|keeps|again|forever|twice"},
    {kF, kAny, 6, "^ so|but|still|however|unfortunately|actually"},
    {kF, kAny, 12, "too aggressive|slow|big|large|small|restrictive|many"},
    {kF, kA, 10, "removed|reverted|undid|disabled / superseded"},
    {kF, kA, 12, "ends|end up with"},
    {kF, kA, 10, "different approach|architecture|way"},

    {kQ, kAny, 20, "open question / unclear|undecided|tbd / to be decided / not yet decided"},
};

constexpr Chatter kChatter[] = {
    {kA, 20,
     "^ let me "
     "check|look|see|first|test|verify|find|search|examine|read|run|know|start|try|add|update|"
     "build|fix|create|also"},
    {kA, 16, "^ now let|i|ill / ^ ill check|look|start|read|search|begin|examine|update|fix"},
    {kAny, 20,
     "hope this / let me know / would you like / want me to / should i / feel free / do you want"},
    {kAny, 8, "^ great|excellent|good|perfect|thanks|thank|cool|nice|sorry"},
    {kAny, 8, "pid"},
    {kA, 10, "^ here is|are / ^ heres|below|summary|suggestion"},
    {kA, 10, "for example|instance / your code"},
    {kU, 24, "why / how does|do|can / what does|is / explain / understand / ^ i thought|though"},
    {kU, 10, "this analysis / review"},
};

}  // namespace

const Language &english() {
    static constexpr Language kEnglish = {"en", kCues, kChatter};
    return kEnglish;
}

}  // namespace accp::packet
