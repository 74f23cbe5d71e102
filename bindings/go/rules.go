// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import "github.com/libaccp/libaccp/bindings/go/internal/capi"

// Dialect selects the accepted frames. Encoding depends only on the extensions.
type Dialect int

const (
	Strict Dialect = capi.ACCP_STRICT // the specification's grammar, exactly
	Compat Dialect = capi.ACCP_COMPAT // reading only: also a bare @name as a value, a bare : in an array element, and null as a removal in `delta`
	U8     Dialect = capi.ACCP_U8     // also raw non-ASCII code points inside strings
)

// Extensions to the specification, as bits. Each is in force only if both sides have named it.
type Extensions uint32

const (
	NoExtensions Extensions = capi.ACCP_EXT_NONE
	Q1           Extensions = capi.ACCP_EXT_Q1 // any JSON value, without loss, inside the strict grammar: on by default
	T1           Extensions = capi.ACCP_EXT_T1 // an array of similar objects as a table; implies Q1
	U8Text       Extensions = capi.ACCP_EXT_U8 // strings carry raw non-ASCII code points; implies Q1 and the dialect U8
	P1           Extensions = capi.ACCP_EXT_P1 // payloads by position with a schema of the agreed registry; implies Q1; negotiated; needs a registry
	W1           Extensions = capi.ACCP_EXT_W1 // a quantity in words ("minus 12 percent") as symbols (-12%); implies Q1; negotiated
)

// Strictness selects additional refusals, as bits.
type Strictness uint32

const (
	StrictOperations Strictness = capi.ACCP_STRICT_OPERATIONS // an unknown operation: ErrPolicyDenied
	StrictProfiles   Strictness = capi.ACCP_STRICT_PROFILES   // anything that would be a warning: ErrInvalidType
	StrictSchema     Strictness = capi.ACCP_STRICT_SCHEMA     // a payload member that is not in its schema: ErrInvalidType
	StrictReplies    Strictness = capi.ACCP_STRICT_REPLIES    // done, fail or ack with a mid and without a cid: ErrInvalidType
)

// Limit is a bound beyond which a text is refused, never cut.
type Limit int

const (
	LimitFrameBytes  Limit = capi.ACCP_LIMIT_FRAME_BYTES  // one frame: 65,536
	LimitParams      Limit = capi.ACCP_LIMIT_PARAMS       // params of a payload, pairs of a metadata block: 256
	LimitItems       Limit = capi.ACCP_LIMIT_ITEMS        // elements of one array, entries of one map: 4,096
	LimitKeyBytes    Limit = capi.ACCP_LIMIT_KEY_BYTES    // one key, agent, intent, operation or ref: 256
	LimitDepth       Limit = capi.ACCP_LIMIT_DEPTH        // nested arrays and maps: 5
	LimitJSONBytes   Limit = capi.ACCP_LIMIT_JSON_BYTES   // one JSON text: 16 MiB
	LimitJSONDepth   Limit = capi.ACCP_LIMIT_JSON_DEPTH   // of a value: 1,024
	LimitMemoryBytes Limit = capi.ACCP_LIMIT_MEMORY_BYTES // memory of one handle: 1 GiB
	LimitStreamBytes Limit = capi.ACCP_LIMIT_STREAM_BYTES // memory of all open streams: 16 MiB
	LimitStreamAhead Limit = capi.ACCP_LIMIT_STREAM_AHEAD // pending chunks of one stream: 1,024
	LimitOpenStreams Limit = capi.ACCP_LIMIT_OPEN_STREAMS // 256
)

// String returns the limit's name: "frame_bytes".
func (l Limit) String() string { return capi.Static(capi.Accp_limit_name(int(l))) }

// Default returns the default value of a limit.
func (l Limit) Default() uint64 { return uint64(capi.Accp_limit_default(int(l))) }

// Rule is a number that controls codecs and sessions; booleans are 0 or 1. Defaults are in
// parentheses. docs/session.md describes the rules of sessions.
type Rule int

const (
	RuleWindow           Rule = capi.ACCP_RULE_WINDOW            // frames that may wait for an earlier one (64)
	RuleGapMs            Rule = capi.ACCP_RULE_GAP_MS            // time after which a whole sync:state with a higher seq closes a gap (5,000)
	RuleSkewMs           Rule = capi.ACCP_RULE_SKEW_MS           // tolerated difference of clocks for a ttl (0)
	RuleFutureMs         Rule = capi.ACCP_RULE_FUTURE_MS         // how far a ts may be ahead (300,000)
	RuleBySender         Rule = capi.ACCP_RULE_BY_SENDER         // each agent has its own seq; a negotiation agrees on it if both sides can and the rule is not set (0)
	RuleRequireTs        Rule = capi.ACCP_RULE_REQUIRE_TS        // frames need a ts (0)
	RuleRequireSid       Rule = capi.ACCP_RULE_REQUIRE_SID       // frames need a sid (0)
	RuleLooseMid         Rule = capi.ACCP_RULE_LOOSE_MID         // a mid may be any 1 to 64 safe characters (0)
	RuleMaxTokens        Rule = capi.ACCP_RULE_MAX_TOKENS        // of a sent frame; 0: any number (a session 240, a codec 0)
	RuleIssuer           Rule = capi.ACCP_RULE_ISSUER            // number in mids, 1 to 99 if several programs send in one session (0)
	RuleSharesStore      Rule = capi.ACCP_RULE_SHARES_STORE      // the other side can resolve our refs (0)
	RuleMerges           Rule = capi.ACCP_RULE_MERGES            // the other side accepts only the changed cells of rows (0)
	RuleNamesSession     Rule = capi.ACCP_RULE_NAMES_SESSION     // frames that are sent carry the sid (0)
	RuleDurable          Rule = capi.ACCP_RULE_DURABLE           // a call returns when its change is durable; 0: use Session.Sync (1)
	RuleHotMax           Rule = capi.ACCP_RULE_HOT_MAX           // tokens since the last checkpoint (262,144)
	RuleHotDue           Rule = capi.ACCP_RULE_HOT_DUE           // tokens above which a checkpoint is made (262,144)
	RuleCheckpointMax    Rule = capi.ACCP_RULE_CHECKPOINT_MAX    // tokens of one checkpoint (16,384)
	RuleSummaryMax       Rule = capi.ACCP_RULE_SUMMARY_MAX       // tokens of messages in a checkpoint (16,384)
	RuleRetained         Rule = capi.ACCP_RULE_RETAINED          // checkpoints; then the two oldest are merged (4)
	RuleSeed             Rule = capi.ACCP_RULE_SEED              // key of a session's mids, for tests; 0: random (0)
	RuleDeadlineMs       Rule = capi.ACCP_RULE_DEADLINE_MS       // time in which a request must get a reply; 0: unlimited (0)
	RuleParts            Rule = capi.ACCP_RULE_PARTS             // both sides accept messages in parts; a codec sends them with Hooks.NextEnvelope (0)
	RuleJump             Rule = capi.ACCP_RULE_JUMP              // sequence numbers and state versions that a sync:state may skip (65,536)
	RuleAbbreviate       Rule = capi.ACCP_RULE_ABBREVIATE        // payload keys are abbreviated (specification 4.2): both sides must set it (0)
	RuleKeepRefs         Rule = capi.ACCP_RULE_KEEP_REFS         // a ref is {"$ref":"warm.key"} in JSON; 0: decoding a ref is ErrRefNotFound (0)
	RuleTokenCache       Rule = capi.ACCP_RULE_TOKEN_CACHE       // pieces of text whose counts a counter caches: 4 to 2^20 (65,536)
	RuleMarkDefaults     Rule = capi.ACCP_RULE_MARK_DEFAULTS     // decoding with a codec lists the defaults that it filled in: "defaults" (0)
	RuleInlineCharacters Rule = capi.ACCP_RULE_INLINE_CHARACTERS // code points above which a string goes to Hooks.Keep (50)
	RuleSpecialTokens    Rule = capi.ACCP_RULE_SPECIAL_TOKENS    // a counter counts special tokens such as <|endoftext|> as such; 0: as text (0)
	RuleChunkBytes       Rule = capi.ACCP_RULE_CHUNK_BYTES       // bytes of a negotiation's delta in one frame: 64 to 8,192 (200)
	RuleKeepStreams      Rule = capi.ACCP_RULE_KEEP_STREAMS      // a stream keeps its data and returns it whole at the end (1)
	RuleSpecification    Rule = capi.ACCP_RULE_SPECIFICATION     // contexts use the numbers of specification 5.1 unless another rule is set (0)
	RuleNewestMax        Rule = capi.ACCP_RULE_NEWEST_MAX        // tokens of a message in a context; a longer one is cut (32,000)
	RulePinnedMax        Rule = capi.ACCP_RULE_PINNED_MAX        // tokens of each message pinned at the front of a context; 0: none is pinned (30,000)
	RulePriceCached      Rule = capi.ACCP_RULE_PRICE_CACHED      // price of a token read from a provider's cache, in thousandths of plain input (100)
	RulePriceWrite       Rule = capi.ACCP_RULE_PRICE_WRITE       // price of a token written to it; 0: no message is left out by price (1,250)
	RuleWholeMax         Rule = capi.ACCP_RULE_WHOLE_MAX         // tokens up to which a context leaves no message out by price (3,000)
	RuleHostTokens       Rule = capi.ACCP_RULE_HOST_TOKENS       // tokens that the host puts before a context (0)
	RuleCacheTTLMs       Rule = capi.ACCP_RULE_CACHE_TTL_MS      // time after a call until the provider's cache expires; 0: it never does (300,000)
	RuleRequireRegistry  Rule = capi.ACCP_RULE_REQUIRE_REGISTRY  // sessions refuse all frames without WithAgreement: ErrUnknownSchema (0)
	RuleSpell            Rule = capi.ACCP_RULE_SPELL             // 1: use the equivalent spelling with the fewest tokens (0)
	RulePinRegistry      Rule = capi.ACCP_RULE_PIN_REGISTRY      // a session continues with the registry of its newest frame; WithAgreement has precedence (0)
	RuleAnyIntent        Rule = capi.ACCP_RULE_ANY_INTENT        // a codec accepts intents other than the twelve; 0: ErrInvalidIntent (0)
	RulePriceOutput      Rule = capi.ACCP_RULE_PRICE_OUTPUT      // price of a token that the model writes, in thousandths of plain input (5,000)
	RuleRedactSecrets    Rule = capi.ACCP_RULE_REDACT_SECRETS    // packets, their prompts and Hooks.Log have [redacted:KIND] in place of keys, tokens and passwords (1)
)

// String returns the rule's name: "window".
func (r Rule) String() string { return capi.Static(capi.Accp_rule_name(int(r))) }
