// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Made by bindings/node/generate from include/accp. Do not edit.

/** The code of an {@link AccpError}. Codes E1001 to E9999 are those of the specification; the others never go on the wire. */
export type AccpCode =
  /** The frame has expired or its chain was cancelled: do not answer. */
  | 'DROPPED'
  /** The text is not a valid frame or not valid JSON, or is over a limit. */
  | 'E1001'
  /** The intent is not one of the twelve. */
  | 'E1002'
  /** The schema is not in the registry. */
  | 'E1003'
  /** A value cannot be encoded, or has the wrong type for its field. */
  | 'E1004'
  /** The reference does not exist. */
  | 'E2001'
  /** The value of the reference has expired. */
  | 'E2002'
  /** Over a limit of tokens or space, even in parts or by reference. */
  | 'E2003'
  /** The deadline of a request has passed. */
  | 'E3001'
  /** This mid was seen before. */
  | 'E3002'
  /** A sequence number is missing or out of order. */
  | 'E3003'
  /** The tool does not exist. */
  | 'E4001'
  /** The tool ran and failed. */
  | 'E4002'
  /** The tool does not accept these arguments. */
  | 'E4003'
  /** A policy forbids it. */
  | 'E5001'
  /** The reference belongs to another session. */
  | 'E5002'
  /** A defect of this library, or of a callback: please report it. */
  | 'E9999'
  /** Out of memory, or over the memory limit that was set. */
  | 'ERR_NOMEM'
  /** An argument is invalid, such as a NULL handle or a number out of range. */
  | 'ERR_ARG'
  /** The caller's buffer is too small; the needed length was returned. */
  | 'ERR_SPACE'
  /** Another process, thread or call is using it. */
  | 'ERR_BUSY'
  /** Reading or writing failed. */
  | 'ERR_IO'
  /** The handle or session is closed. */
  | 'ERR_CLOSED'
  /** Stored data is damaged. */
  | 'ERR_CORRUPT'
  /** The handle was closed, or its constructor failed. */
  | 'CLOSED_HANDLE';

/** Every status of the library, by number. @internal */
export const statuses: ReadonlyMap<number, { code: string; name: string; isRetryable: boolean; meaning: string }> = new Map([
  [0, { code: 'OK', name: 'OK', isRetryable: false, meaning: "done" }],
  [1, { code: 'DROPPED', name: 'DROPPED', isRetryable: false, meaning: "the frame has expired or its chain was cancelled: do not answer" }],
  [2, { code: 'HELD', name: 'HELD', isRetryable: false, meaning: "the frame was accepted, and waits for an earlier one" }],
  [1001, { code: 'E1001', name: 'PARSE_ERROR', isRetryable: false, meaning: "the text is not a valid frame or not valid JSON, or is over a limit" }],
  [1002, { code: 'E1002', name: 'INVALID_INTENT', isRetryable: false, meaning: "the intent is not one of the twelve" }],
  [1003, { code: 'E1003', name: 'UNKNOWN_SCHEMA', isRetryable: false, meaning: "the schema is not in the registry" }],
  [1004, { code: 'E1004', name: 'INVALID_TYPE', isRetryable: false, meaning: "a value cannot be encoded, or has the wrong type for its field" }],
  [2001, { code: 'E2001', name: 'REF_NOT_FOUND', isRetryable: false, meaning: "the reference does not exist" }],
  [2002, { code: 'E2002', name: 'REF_EXPIRED', isRetryable: false, meaning: "the value of the reference has expired" }],
  [2003, { code: 'E2003', name: 'BUDGET_EXCEEDED', isRetryable: false, meaning: "over a limit of tokens or space, even in parts or by reference" }],
  [3001, { code: 'E3001', name: 'TIMEOUT', isRetryable: true, meaning: "the deadline of a request has passed" }],
  [3002, { code: 'E3002', name: 'DUPLICATE', isRetryable: false, meaning: "this mid was seen before" }],
  [3003, { code: 'E3003', name: 'SEQUENCE_GAP', isRetryable: true, meaning: "a sequence number is missing or out of order" }],
  [4001, { code: 'E4001', name: 'TOOL_NOT_FOUND', isRetryable: false, meaning: "the tool does not exist" }],
  [4002, { code: 'E4002', name: 'TOOL_EXEC_FAILED', isRetryable: true, meaning: "the tool ran and failed" }],
  [4003, { code: 'E4003', name: 'TOOL_SCHEMA_MISMATCH', isRetryable: false, meaning: "the tool does not accept these arguments" }],
  [5001, { code: 'E5001', name: 'POLICY_DENIED', isRetryable: false, meaning: "a policy forbids it" }],
  [5002, { code: 'E5002', name: 'UNAUTHORIZED_REF', isRetryable: false, meaning: "the reference belongs to another session" }],
  [9999, { code: 'E9999', name: 'INTERNAL_ERROR', isRetryable: true, meaning: "a defect of this library, or of a callback: please report it" }],
  [-1, { code: 'ERR_NOMEM', name: 'NOMEM', isRetryable: true, meaning: "out of memory, or over the memory limit that was set" }],
  [-2, { code: 'ERR_ARG', name: 'ARG', isRetryable: false, meaning: "an argument is invalid, such as a NULL handle or a number out of range" }],
  [-3, { code: 'ERR_SPACE', name: 'SPACE', isRetryable: false, meaning: "the caller's buffer is too small; the needed length was returned" }],
  [-4, { code: 'ERR_BUSY', name: 'BUSY', isRetryable: true, meaning: "another process, thread or call is using it" }],
  [-5, { code: 'ERR_IO', name: 'IO', isRetryable: true, meaning: "reading or writing failed" }],
  [-6, { code: 'ERR_CLOSED', name: 'CLOSED', isRetryable: false, meaning: "the handle or session is closed" }],
  [-7, { code: 'ERR_CORRUPT', name: 'CORRUPT', isRetryable: false, meaning: "stored data is damaged" }],
]);

/** Limits. A text over a limit is rejected, never cut. Each has its default, and the allowed values in parentheses. */
export interface Limits {
  /** Of one frame; default 65,536 (16 to 2^30) */
  frameBytes?: number;
  /** Of a payload, or pairs of a metadata block; default 256 (1 to 2^20) */
  params?: number;
  /** Elements of one array, or entries of one map; default 4,096 (1 to 2^24) */
  items?: number;
  /** Of one key, agent, intent, operation or ref; default 256 (1 to 65,535) */
  keyBytes?: number;
  /** Of nested arrays and maps; default 5 (1 to 64) */
  depth?: number;
  /** Of one JSON text; default 16 MiB (2 to 2^30) */
  jsonBytes?: number;
  /** Of accp_value_parse_json(), and of a value that is built; default 1,024 (1 to 1,024) */
  jsonDepth?: number;
  /** Of one handle; default 1 GiB (65,536 or more) */
  memoryBytes?: number;
  /** Of all open streams; default and maximum 16 MiB (1 or more) */
  streamBytes?: number;
  /** Waiting chunks of one stream; default and maximum 1,024 (1 or more) */
  streamAhead?: number;
  /** Default and maximum 256 (1 or more) */
  openStreams?: number;
}

/** Numbers that control codecs and sessions, with the default in parentheses. A rule that is on or off also takes true or false. */
export interface Rules {
  /** Frames that may wait for an earlier one (64); 0: a gap rejects the frame */
  window?: number | boolean;
  /** Milliseconds after which a sync:state with the whole state and a higher seq closes a gap, at the next receive or expire. It may have been waiting already (5,000) */
  gapMs?: number | boolean;
  /** Tolerance between clocks, in milliseconds, before a ttl has passed (0) */
  skewMs?: number | boolean;
  /** Milliseconds that a ts may be ahead (300,000) */
  futureMs?: number | boolean;
  /** Each agent counts its own seq. 0: the session has one count, so the sides take turns; docs/session.md. If it is not set, a negotiation agrees on it if both sides can (0) */
  bySender?: number | boolean;
  /** Reject a frame without ts (0) */
  requireTs?: number | boolean;
  /** Reject a frame without sid (0) */
  requireSid?: number | boolean;
  /** A mid may be any 1 to 64 safe characters (0) */
  looseMid?: number | boolean;
  /** Of a frame that is sent; 0: no limit. The default is 240 for a session (Spec 3.4), and no limit for a codec */
  maxTokens?: number | boolean;
  /** Of mids: 1 to 99 if several send in one session; 0: one sender (0) */
  issuer?: number | boolean;
  /** The other side can resolve our refs, so long values go by reference; docs/session.md (0) */
  sharesStore?: number | boolean;
  /** The other side supports m1: of rows of the shared state only the changed cells are sent (0) */
  merges?: number | boolean;
  /** Frames carry the sid. The session must then have the same id on the other side (0) */
  namesSession?: number | boolean;
  /** A call returns when its changes are durable. 0: accp_session_sync() makes them durable (1) */
  durable?: number | boolean;
  /** Tokens of the messages since the last checkpoint (262,144) */
  hotMax?: number | boolean;
  /** With price_write 0, a checkpoint is made above this number of those tokens (262,144) */
  hotDue?: number | boolean;
  /** Tokens of one checkpoint (16,384) */
  checkpointMax?: number | boolean;
  /** Tokens of the messages in a checkpoint (16,384) */
  summaryMax?: number | boolean;
  /** Number of checkpoints, at most 64; with one more, the two oldest become one (4) */
  retained?: number | boolean;
  /** The key of a session's mids, for tests; 0: a random key, so that mids cannot be predicted (0) */
  seed?: number | boolean;
  /** Milliseconds in which a request must be answered: accp_session_expire(). 0: no deadline (0) */
  deadlineMs?: number | boolean;
  /** Both sides accept messages in parts, so a message over max_tokens goes in parts. Needs q1; a codec that sends parts also needs the hook next_envelope. If it is not set, a negotiation agrees on it if both sides can (0) */
  parts?: number | boolean;
  /** Sequence numbers, and versions of the shared state, that a sync:state may skip (65,536) */
  jump?: number | boolean;
  /** Of the frames that are read, an accp_dialect (ACCP_STRICT) */
  dialect?: number | boolean;
  /** That are in force with the other side, bits of accp_extension; implied ones are added. 0: the bare specification, which cannot encode most JSON strings (ACCP_EXT_Q1) */
  extensions?: number | boolean;
  /** Abbreviate payload keys when encoding, and expand them when decoding (Spec 4.2). Both sides must have it. With a registry the short keys of the registry are always in force (0) */
  abbreviate?: number | boolean;
  /** Decoding writes a ref as `{"$ref":"warm.key"}`, and encoding makes a ref of such an object. 0: decoding a ref is ACCP_E2001, and such an object has no special meaning (0) */
  keepRefs?: number | boolean;
  /** Pieces of text whose counts a counter caches, at 16 bytes each, plus 4 bytes for pieces of more than 15 bytes. After the first accp_counter_encode() it caches their ids too, at 32 bytes more. Rounded down to a power of two; the cache grows to that size as it is used (65,536) */
  tokenCache?: number | boolean;
  /** What codecs and sessions reject beyond their rules, bits of accp_strictness. A codec then needs a registry (0) */
  strictness?: number | boolean;
  /** A codec adds a member "defaults" to decoded messages: the names of the payload members that were filled in from the schema. It includes `schema` if the frame did not need to name it. Encoding ignores this member (0) */
  markDefaults?: number | boolean;
  /** Code points up to which a string is not passed to the hook `keep` (50) */
  inlineCharacters?: number | boolean;
  /** Special tokens in a text count as such, if the text is counted or encoded in one piece. 0: they are text (0) */
  specialTokens?: number | boolean;
  /** Of a negotiation's delta in one frame. The default is meant to keep a frame with its metadata under a session's 240 tokens (200) */
  chunkBytes?: number | boolean;
  /** Keep the text of a stream, and return it whole at the end (1) */
  keepStreams?: number | boolean;
  /** Contexts use the numbers of Spec 5.1 (500 tokens hot, 400 due, 200 for a checkpoint, 100 for its summary, 320 for one message, ten checkpoints, nothing pinned, no prices), except for those that another rule sets (0) */
  specification?: number | boolean;
  /** Tokens of one message in a context. A longer one is shortened; $cold.mN has all of it (32,000) */
  newestMax?: number | boolean;
  /** Tokens of each pinned message: those that `notify` sent before the first request, and that request. 0: nothing is pinned (30,000) */
  pinnedMax?: number | boolean;
  /** Of a token that a provider reads from its cache, in thousandths of a plain input token. A context leaves a message out if that is cheaper than sending it again and again. 1,000 for both prices: no cache, and the smallest contexts (100) */
  priceCached?: number | boolean;
  /** Of a token that is written to the cache, at least price_cached. 0: no message is left out because of prices (1,250) */
  priceWrite?: number | boolean;
  /** A context of at most this many tokens, including host_tokens, leaves no message out because of prices (3,000) */
  wholeMax?: number | boolean;
  /** Tokens that the host puts before a context (0) */
  hostTokens?: number | boolean;
  /** The provider forgets a prompt so many milliseconds after the last call. A context may then change at no extra cost. The time is the now_ms of the appends. 0: the provider forgets nothing (300,000) */
  cacheTtlMs?: number | boolean;
  /** Sessions accept and send nothing until accp_config_set_agreement() has set the result of a negotiation: ACCP_E1003 (0) */
  requireRegistry?: number | boolean;
  /** Which of the equivalent spellings of a frame codecs and sessions write. 0: that of docs/wire.md. 1: the one with the fewest tokens by the config's tokenizer; docs/codec.md (0) */
  spell?: number | boolean;
  /** A session continues with the registry that it was last written under, and not the engine's. accp_config_set_agreement() takes precedence (0) */
  pinRegistry?: number | boolean;
  /** A codec accepts intents other than the twelve. 0: ACCP_E1002. A session never accepts them; accp/frame.h and accp/batch.h never check the intent (0) */
  anyIntent?: number | boolean;
  /** Of a token that the model writes, in thousandths of a plain input token. It prices what a model writes to ask for a message that a context leaves out (5,000) */
  priceOutput?: number | boolean;
  /** Packets that are made, changed or sealed, prompts of packets, and what the hooks `log` and `extract` get, have [redacted:KIND] in place of keys, tokens and passwords (docs/security.md). Messages of sessions are never changed. 0: they have the texts as they are (1) */
  redactSecrets?: number | boolean;
}
