// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The cues of English, collected from conversations with coding assistants. Users demand without
// `must` and decide with `lets`. Assistants announce what they do, and mention a failure when they
// change course.
#include "packet/extract/cues.h"

namespace accp::packet {

namespace {

namespace english_table {

using namespace cue;

// Words that never begin an order.
#define ACCP_NO_ORDER                                                                             \
    "dont|never|always|only|do|i|you|we|he|she|it|they|there|this|that|these|those|the|a|an|my|"  \
    "our|your|its|*ing|what|why|how|when|where|which|who|is|are|was|were|do|does|did|can|could|"  \
    "will|"                                                                                       \
    "would|should|has|have|had|if|in|on|at|for|from|with|as|and|but|or|so|not|no|because|im|ive|" \
    "ill|id|thats|theres|lets"

// Words by which an assistant reports what it did.
#define ACCP_DEEDS                                                                            \
    "added|updated|enhanced|extended|fixed|restored|replaced|changed|switched|renamed|moved|" \
    "introduced|removed|merged|created|rewrote|refactored|implemented|improved|converted|"    \
    "migrated|simplified|split|extracted|kept|limited|wrapped|dropped|disabled|enabled|"      \
    "integrated|modified|reduced|increased"

constexpr Cue kCues[] = {
    // demands of a user
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
    {kC, kU, 8, "either / as long as / the target"},
    {kC, kU, 10, "there|it|they is|are|seem|seems|has still|two|no|too"},
    // rules stated by an assistant
    {kC, kA, 14, "must|never|always|required|forbidden"},
    {kC, kA, 8, "should|only / not permitted|allowed"},
    {kC, kA, 12, "requirement|requirements|constraint|constraints"},
    {kC, kA, 8, "without|isolated|not"},

    // decisions of a user
    {kD, kU, 20, "lets / let us"},
    {kD, kU, 18, "^ use / go with / switch to / stick with / i pick|choose|prefer"},
    {kD, kU, 14, "instead of / rather than"},
    {kD, kU, 12, "for now"},
    {kD, kU, 8, ", use|make|take|set|put|change|move|switch|rename|store|keep"},
    {kD, kU, 12, "merge|merging|delete|rename|reconcile|drop|revert|remove"},
    {kD, kU, 10, "^ yes|yep|ok|okay|yeah|sure|agreed ~ lets|use|proceed|do|keep|go"},
    // actions of an assistant
    {kD, kA, 16,
     "ill|lets|well|will ~ rewrite|switch|replace|change|rename|use|move|go / "
     "let me rewrite|switch|replace|change|rename|use|move / "
     "going to rewrite|switch|replace|change|rename|use|move"},
    {kD, kA, 14, "ill|well|will create|add|implement|introduce|build|use|be|have"},
    {kD, kA, 10,
     "^ ill|well !check|look|start|read|search|begin|examine|help|now|also|first|need|let|try|run|"
     "see|do|proceed|continue|take|go|explore|investigate|analyze|review|find|create|add|implement|"
     "introduce|build|use|be|have"},
    {kD, kA, 14, "instead of / rather than / , not"},
    {kD, kA, 20,
     "proper|right|best|correct|simplest|cleanest|real solution|way|approach|fix|option"},
    {kD, kA, 16, "decided|chose|choose|recommend|recommended|settled / i suggest|recommend"},
    {kD, kA, 12, "is|are|now now|uses|called|calls"},
    {kD, kA, 10,
     "changed|switched|replaced|renamed|moved|introduced|introducing|introduce / changes made"},
    {kD, kA, 10, "wraps|wrapped|added|removed|merged|created|rewrote|refactored|rename"},
    // an item of a summary: `Updated X to Y`, `**X**: added Y`
    {kD, kA, 10,
     "^ " ACCP_DEEDS
     " / changes|updates|fixes|improvements|modifications made|implemented|applied / "
     "what i did|changed|fixed|implemented / key|main changes|improvements|fixes / summary of ~ "
     "changes|improvements|fixes"},
    {kD, kA, 10,
     "^ update|modify|change|replace|use|add|create|remove|set|move / ^ now|first|then "
     "update|modify|change|replace|use|add|create|remove|import|set / how to modify|update|change "
     "/ we need to"},
    {kD, kA, -24, "^ added|dropped|removed ~ chat"},
    {kD, kA, 8, "simply / common approach / by renaming|adding|using|introducing|wrapping|moving"},
    {kD, kA, 6, "use|uses|using"},
    {kD, kA, 8, "all ~ use / if the user ~ error|exit"},

    // failures
    {kF, kAny, 22,
     "isnt|wasnt|arent|doesnt|didnt|dont|wont|cant|cannot|couldnt|not ~ work*|help*|support*|"
     "respect*|deliver*|render*|exist*|available|compile*|match*|perfectly|possible|appear*|apply|"
     "being|re"},
    {kF, kAny, 14, "fails|failed|failing|broke|broken|crash*|mismatch|conflict*|regression"},
    {kF, kAny, 10, "error|errors|wrong|bug|problem|stuck|empty|flash*|duplicate*|terrible|skewed"},
    // a diagnosis is not an attempt, and nor is the state of a test
    {kF, kA, -12,
     "^ the|this issue|problem|error ~ is|seems|appears|likely / ^ but / ^ also / ^ this "
     "suggests|means / "
     "^ fix"},
    {kF, kA, -20,
     "^ the|this issue|problem|error|bug ~ is|seems|appears|likely|might|may / "
     "without|no errors|error|issues|problems / failing|failed|passing|broken tests"},
    {kF, kA, -16,
     "test|tests ~ fail|fails|failing|failed|pass|passes|passing|passed|expect|expects"},
    {kF, kA, 12, "seems|appears to have|be / have|has|had an issue / inconsistent|incomplete"},
    {kF, kAny, 8, "because|causes|caused|causing / due to / this can lead"},
    {kF, kAny, 8, "still|kept|keeps|again|forever|twice"},
    {kF, kAny, 6, "^ so|but|still|however|unfortunately|actually"},
    {kF, kAny, 12, "too aggressive|slow|big|large|small|restrictive|many"},
    {kF, kA, 10, "removed|reverted|undid|disabled"},
    {kF, kA, -12, "should|will|would|can|if|when / to avoid|prevent|ensure|fix|handle"},
    {kF, kA, 12, "ends|end up with"},
    {kF, kA, 10, "different approach|architecture|way"},

    // complaints of a user
    {kComplaint, kU, 20,
     "still ~ same|not|no|doesnt|isnt|getting|have|see|seeing|shows|broken|wrong|fails|failing|big|"
     "two|there / not working|fixed|right|correct / "
     "doesnt|didnt|isnt|wasnt|cant|cannot|wont|dont|arent ~ "
     "work*|seem|show*|help*|appear*|find|see|"
     "exist*|fix*|load*|open*|change*"},
    {kComplaint, kU, 16, "error|errors|exception|traceback|failed|fails|crash*|broken|broke"},
    {kComplaint, kU, 16, "went|is|are wrong / same issue|problem|error|thing / no change|luck"},
    {kComplaint, kU, 14, "^ no|nope|hmm|still / nothing / too big|small|large|many|much|slow"},
    {kComplaint, kU, 10, "^ but / again / still / but now / now we|it|i / instead of"},
    {kComplaint, kU, -12, "better|good|great|nice|perfect|works / working now / not sure"},
    {kComplaint, kU, -12, "should|must|if|when / is|are|does|can|could|would it|there|you|we|this"},
    {kComplaint, kA, 20,
     "i apologize|apologise / sorry for|about / i|ive made ~ mistake|error / my mistake|bad / i "
     "misunderstood"},
    {kComplaint, kU, 10, "i dont want|like / thats not / not what / why did|is|are|does|do"},
    // acceptance of a proposal by the user
    {kAccept, kU, 20,
     "^ yes|yep|yeah|ok|okay|sure|agreed|perfect|great|go|proceed / sounds good / go ahead|for / "
     "do it|that|so / makes sense / good|great|nice idea|plan|choice / works for me / i agree / "
     "fine with|by me"},
    {kPropose, kA, 20,
     "would you like|prefer / shall|should we|i / do you want / want me to / i|id|ill "
     "suggest|recommend|propose / my recommendation / how about"},

    {kPropose, kA, -12,
     "try|run|running|check|look|verify|continue|proceed "
     "to|next|test|commit|push|else|more|help|anything / move on|to / go on|ahead"},

    // a sentence that begins with none of these is an order
    {kRequest, kU, 10,
     "^ !" ACCP_NO_ORDER
     "|yes|ok|okay|since|after|before|all|some|any|one|both|its|heres|hi|hello|thanks|thank|sorry|"
     "also|then|now|just|please|maybe|still|here|error|failed|only|well|great|good|nice|hmm|nope ~ "
     "/ ^ please|just|also|then|now|and|ok|okay|yes|so !" ACCP_NO_ORDER},
    {kRequest, kU, 10,
     "we|you|i should|need|want|could|must ~ add|create|use|build|make|have / can|could you|we / "
     "i|we need|want your help|you / id like|love you|help|some|to / i|we would like|love to"},
    {kReason, kAny, 20,
     "^ this|that|it|they|which "
     "ensures|avoids|allows|prevents|lets|means|keeps|makes|gives|helps|provides|reduces|removes|"
     "matches|follows|gets|way / ^ this|that|it is "
     "because|safer|faster|simpler|cleaner|better|more / "
     "^ this|that|it will|should ensure|avoid|allow|prevent|let|keep|make|help|reduce|remove|give "
     "/ "
     "^ because|otherwise|the reason|reasons|reason"},
    {kOptions, kA, 20,
     "options|alternatives|possibilities|choices / several|few|possible|two|three|different "
     "ways|approaches|solutions|paths / you|we could|might|can either"},
    // nor is what follows from the work, or what is left of it
    {kOptions, kA, 20,
     "benefits|advantages|suggestions|recommendations / "
     "suggested|recommended|possible|potential improvements|changes|enhancements / "
     "next|future|remaining steps|work|issues|improvements|tasks / "
     "what works / ^ ~ testing|verification|result|results|quality"},
    // retractions by the user
    {kRetract, kU, 20,
     "never mind / nevermind / forget|ignore|scrap|drop ~ about|that|rule|requirement|constraint / "
     "no longer need|needed|necessary|required / not needed|necessary|required anymore / "
     "dont need ~ anymore / changed my mind / on second thought / is|its ok|okay|fine to|after|now "
     "/ "
     "you|we can|may now / is|are allowed now / lift ~ restriction|rule|constraint"},

    {kQ, kAny, 36,
     "open question|questions / undecided|tbd / to be decided / not ~ decided / "
     "decide whether|if|between|which / leave ~ open"},
    {kQ, kAny, 20, "unclear"},
    {kQ, kU, 44, "^ should|shall we|i"},
};

#undef ACCP_DEEDS
#undef ACCP_NO_ORDER

constexpr Chatter kChatter[] = {
    {kA, 20,
     "^ let me "
     "check|look|see|first|test|verify|find|search|examine|read|run|know|start|try|add|update|"
     "build|fix|create|also"},
    {kA, 16, "^ now let|i|ill / ^ ill check|look|start|read|search|begin|examine|update|fix"},
    {kAny, 20,
     "hope this / let me know / would you like / want me to / should i / feel free / do you want"},
    {kAny, 8, "^ great|excellent|good|perfect|thanks|thank|cool|nice|sorry"},
    // reports of completed work
    {kAny, 16,
     "^ commit|added|committed ~ chat|aider / ^ "
     "commit|pushed|committed|reinstalled|installed|rebuilt / "
     "build|tests|compilation succeeded|successful|complete|passed|passes / "
     "test|tests ~ pass|passes|passed|passing|continue / screenshot|captured / "
     "redeploy|reinstalled|rebuilt"},
    {kAny, 8, "pid"},
    {kA, 10, "^ here is|are / ^ heres|below|summary|suggestion"},
    // praise of the own work
    {kA, 16,
     "continue|continues to work / successfully / tests|checks ~ pass|passes|passing|passed / "
     "better|best user experience|of both / works|work correctly|properly|perfectly|well|now / "
     "^ ~ added|updated|fixed|removed ~ import|imports"},
    {kA, 10, "for example|instance / your code"},
    {kU, 24, "why / how does|do|can / what does|is / explain / understand / ^ i thought|though"},
    {kU, 10, "this analysis / review"},
    // a report of what happened, or of the talk
    {kU, 12,
     "it|output|console|log|page|screen says|shows|prints|said|showed / nothing "
     "comes|happens|shows "
     "/ i see|got|get|noticed / i do not|dont|didnt understand|know|see|get / ^ below|above|here "
     "is|are / ^ previously|earlier / current implementation"},
    {kU, 16, "^ tell|let me / ^ lmk"},
};

constexpr std::string_view kReasons[] = {
    " because ", " since ",        " so that ",    " in order to ", " to avoid ", " to ensure ",
    " due to ",  ", which ",       ", as it ",     ", ensuring ",   ", so ",      " as this ",
    " - ",       " \xE2\x80\x94 ", "\xE2\x80\x94", ", allowing ",   ", making ",  " to maintain "};

constexpr std::string_view kRejects[] = {"instead of ", "rather than ", "in place of "};
constexpr std::string_view kLeads[] = {"would you like me to ",
                                       "would you like to ",
                                       "do you want me to ",
                                       "do you want to ",
                                       "want me to ",
                                       "shall we ",
                                       "shall i ",
                                       "should we ",
                                       "should i ",
                                       "how about "};

constexpr std::string_view kDenials =
    "not|no|dont|never|without|drop|dropped|remove|removed|stop|instead|rather|forget|scrap|undo|"
    "revert|"
    "cannot|cant|wont|isnt|doesnt|didnt|wrong / switch|change|move to|from|away / no longer|more";

constexpr std::string_view kMarks =
    "the|and|is|to|of|it|that|this|with|for|you|not|be|have|can|should|are|on|we|i|what|how";

}  // namespace english_table

}  // namespace

const Language &english() {
    using namespace english_table;
    static constexpr Language kEnglish = {0,        "en",     kMarks, kCues,   kChatter,
                                          kReasons, kRejects, kLeads, kDenials};
    return kEnglish;
}

}  // namespace accp::packet
