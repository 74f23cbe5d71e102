// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import "github.com/libaccp/libaccp/bindings/go/internal/capi"

// Dialect is which frames are taken. What encoding writes depends on the extensions alone.
type Dialect int

const (
	Strict Dialect = capi.ACCP_STRICT // the specification's grammar, exactly
	Compat Dialect = capi.ACCP_COMPAT // reading only: also a bare @name as a value, a bare : in an array element, null as removal in `delta`
	U8     Dialect = capi.ACCP_U8     // also raw non-ASCII code points inside strings
)

// Extensions to the specification, as bits. Each is in force only where both sides have named it.
type Extensions uint32

const (
	NoExtensions Extensions = capi.ACCP_EXT_NONE
	Q1           Extensions = capi.ACCP_EXT_Q1 // any JSON value, without loss, inside the strict grammar: on by default
	T1           Extensions = capi.ACCP_EXT_T1 // an array of like objects as a table; implies Q1
	U8Text       Extensions = capi.ACCP_EXT_U8 // strings carry raw non-ASCII code points; implies Q1 and the dialect U8
	P1           Extensions = capi.ACCP_EXT_P1 // payloads by position, under a schema of the agreed registry; implies Q1; to be negotiated; needs a registry
	W1           Extensions = capi.ACCP_EXT_W1 // a string that is a quantity in words ("minus 12 percent") as symbols (-12%); implies Q1; to be negotiated
)

// Strictness is what is refused that is taken otherwise, as bits.
type Strictness uint32

const (
	StrictOperations Strictness = capi.ACCP_STRICT_OPERATIONS // an operation that nobody knows: ErrPolicyDenied
	StrictProfiles   Strictness = capi.ACCP_STRICT_PROFILES   // whatever would be a warning: ErrInvalidType
	StrictSchema     Strictness = capi.ACCP_STRICT_SCHEMA     // a member of the payload that its schema does not have: ErrInvalidType
	StrictReplies    Strictness = capi.ACCP_STRICT_REPLIES    // done, fail or ack with a mid and without a cid, which says what it answers: ErrInvalidType
)

// Limit is a bound that a text is refused beyond, never cut.
type Limit int

const (
	LimitFrameBytes  Limit = capi.ACCP_LIMIT_FRAME_BYTES  // one frame: 65,536
	LimitParams      Limit = capi.ACCP_LIMIT_PARAMS       // params of a payload, pairs of a metadata block: 256
	LimitItems       Limit = capi.ACCP_LIMIT_ITEMS        // elements of one array, entries of one map: 4,096
	LimitKeyBytes    Limit = capi.ACCP_LIMIT_KEY_BYTES    // one key, agent, intent, operation or ref: 256
	LimitDepth       Limit = capi.ACCP_LIMIT_DEPTH        // arrays and maps inside one another: 5
	LimitJSONBytes   Limit = capi.ACCP_LIMIT_JSON_BYTES   // one JSON text: 16 MiB
	LimitJSONDepth   Limit = capi.ACCP_LIMIT_JSON_DEPTH   // of a value: 1,024
	LimitMemoryBytes Limit = capi.ACCP_LIMIT_MEMORY_BYTES // what one handle may hold: 1 GiB
	LimitStreamBytes Limit = capi.ACCP_LIMIT_STREAM_BYTES // what all open streams hold: 16 MiB
	LimitStreamAhead Limit = capi.ACCP_LIMIT_STREAM_AHEAD // chunks of one stream that wait: 1,024
	LimitOpenStreams Limit = capi.ACCP_LIMIT_OPEN_STREAMS // 256
)

// String is the limit's name: "frame_bytes".
func (l Limit) String() string { return capi.Static(capi.Accp_limit_name(int(l))) }

// Default is the value that a limit has where nobody set it.
func (l Limit) Default() uint64 { return uint64(capi.Accp_limit_default(int(l))) }

// Rule is a number that governs codecs and sessions; those that answer a question are 0 or 1. In parentheses: its default. docs/session.md has more of sessions'.
type Rule int

const (
	RuleWindow           Rule = capi.ACCP_RULE_WINDOW            // frames that may wait for an earlier one (64)
	RuleGapMs            Rule = capi.ACCP_RULE_GAP_MS            // after which a whole sync:state with a higher seq closes a gap (5,000)
	RuleSkewMs           Rule = capi.ACCP_RULE_SKEW_MS           // by which clocks may differ before a ttl has passed (0)
	RuleFutureMs         Rule = capi.ACCP_RULE_FUTURE_MS         // by which a ts may be ahead (300,000)
	RuleBySender         Rule = capi.ACCP_RULE_BY_SENDER         // each agent counts its own seq; a negotiation agrees on it where both sides can and it was not set (0)
	RuleRequireTs        Rule = capi.ACCP_RULE_REQUIRE_TS        // (0)
	RuleRequireSid       Rule = capi.ACCP_RULE_REQUIRE_SID       // (0)
	RuleLooseMid         Rule = capi.ACCP_RULE_LOOSE_MID         // a mid is any 1 to 64 safe characters (0)
	RuleMaxTokens        Rule = capi.ACCP_RULE_MAX_TOKENS        // of a frame that is sent; 0: any number (a session 240, a codec 0)
	RuleIssuer           Rule = capi.ACCP_RULE_ISSUER            // of mids, 1 to 99 where several send in one session (0)
	RuleSharesStore      Rule = capi.ACCP_RULE_SHARES_STORE      // the other side can resolve our refs (0)
	RuleMerges           Rule = capi.ACCP_RULE_MERGES            // the other side takes only the cells of rows that changed (0)
	RuleNamesSession     Rule = capi.ACCP_RULE_NAMES_SESSION     // frames that are sent carry the sid (0)
	RuleDurable          Rule = capi.ACCP_RULE_DURABLE           // a call returns when what it changed is durable; 0: Session.Sync says when (1)
	RuleHotMax           Rule = capi.ACCP_RULE_HOT_MAX           // tokens of what was said since the last checkpoint (32,768)
	RuleHotDue           Rule = capi.ACCP_RULE_HOT_DUE           // above so many of them a checkpoint is made (32,768)
	RuleCheckpointMax    Rule = capi.ACCP_RULE_CHECKPOINT_MAX    // tokens of one checkpoint (16,384)
	RuleSummaryMax       Rule = capi.ACCP_RULE_SUMMARY_MAX       // of what stands in it of messages (16,384)
	RuleRetained         Rule = capi.ACCP_RULE_RETAINED          // checkpoints; then the two oldest become one (4)
	RuleSeed             Rule = capi.ACCP_RULE_SEED              // the key of the mids of a session, for tests; 0: a random one (0)
	RuleDeadlineMs       Rule = capi.ACCP_RULE_DEADLINE_MS       // in which a request is answered; 0: it waits for ever (0)
	RuleParts            Rule = capi.ACCP_RULE_PARTS             // both sides take messages in parts; a codec sends them with Hooks.NextEnvelope (0)
	RuleJump             Rule = capi.ACCP_RULE_JUMP              // sequence numbers, and versions of the shared state, that a sync:state may pass (65,536)
	RuleAbbreviate       Rule = capi.ACCP_RULE_ABBREVIATE        // payload keys are abbreviated (specification 4.2): both sides must have it (0)
	RuleKeepRefs         Rule = capi.ACCP_RULE_KEEP_REFS         // a ref is {"$ref":"warm.key"} in JSON; 0: decoding one is ErrRefNotFound (0)
	RuleTokenCache       Rule = capi.ACCP_RULE_TOKEN_CACHE       // pieces of text that a counter remembers the counts of: 4 to 2^20 (65,536)
	RuleMarkDefaults     Rule = capi.ACCP_RULE_MARK_DEFAULTS     // decoding with a codec names what the schema filled in: "defaults" (0)
	RuleInlineCharacters Rule = capi.ACCP_RULE_INLINE_CHARACTERS // code points that a string may have and not go to Hooks.Keep (50)
	RuleSpecialTokens    Rule = capi.ACCP_RULE_SPECIAL_TOKENS    // special tokens such as <|endoftext|> are themselves to a counter; 0: text (0)
	RuleChunkBytes       Rule = capi.ACCP_RULE_CHUNK_BYTES       // of a negotiation's delta in one frame: 64 to 8,192 (200)
	RuleKeepStreams      Rule = capi.ACCP_RULE_KEEP_STREAMS      // what a stream brought is kept, and handed out whole at its end (1)
	RuleSpecification    Rule = capi.ACCP_RULE_SPECIFICATION     // contexts go by the numbers of specification 5.1 where no other rule says (0)
	RuleNewestMax        Rule = capi.ACCP_RULE_NEWEST_MAX        // tokens of a message in a context; a longer one is cut (2,000)
	RulePinnedMax        Rule = capi.ACCP_RULE_PINNED_MAX        // tokens of each message that stays at the front of a context; 0: none does (4,000)
	RulePriceCached      Rule = capi.ACCP_RULE_PRICE_CACHED      // of a token read from a provider's cache, in thousandths of plain input (100)
	RulePriceWrite       Rule = capi.ACCP_RULE_PRICE_WRITE       // of a token written to it; 0: nothing closes by price (1,000)
	RuleWholeMax         Rule = capi.ACCP_RULE_WHOLE_MAX         // tokens up to which a context is left whole by price (3,000)
	RuleHostTokens       Rule = capi.ACCP_RULE_HOST_TOKENS       // tokens that the host puts in front of a context (0)
	RuleNameLists        Rule = capi.ACCP_RULE_NAME_LISTS        // names of lines that are left out stay (1)
	RuleRequireRegistry  Rule = capi.ACCP_RULE_REQUIRE_REGISTRY  // sessions take and send nothing without WithAgreement: ErrUnknownSchema (0)
	RuleSpell            Rule = capi.ACCP_RULE_SPELL             // 1: of the spellings that are read as the same message the one of the fewest tokens (0)
	RulePinRegistry      Rule = capi.ACCP_RULE_PIN_REGISTRY      // a session goes on under the registry that it was written under last; WithAgreement stands above it (0)
	RuleAnyIntent        Rule = capi.ACCP_RULE_ANY_INTENT        // a codec takes intents that are none of the twelve too; 0: ErrInvalidIntent (0)
)

// String is the rule's name: "window".
func (r Rule) String() string { return capi.Static(capi.Accp_rule_name(int(r))) }
