// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * libaccp for Node: sessions that keep every message of an agent and give its model a short context, stores, frames between agents,
 * context packets, token counts.
 *
 * @packageDocumentation
 */
import { native } from './native.js';

export { AccpError, type AccpErrorDetails } from './error.js';
export type { AccpCode, Limits, Rules } from './names.generated.js';
export { Handle, MemoryHandle, type CallOptions, type Json, type SignalOptions, type Text, type Time, type TimeOptions } from './handle.js';
export type { EngineOptions, Extension, Options } from './options.js';
export { Store, type Damage, type StoreCounts, type StoreOptions, type StoreProperty } from './store.js';
export { Engine, type Metrics, type OpenOptions } from './engine.js';
export {
  ContextMessages,
  Delivery,
  Session,
  type Budget,
  type Context,
  type ContextBlock,
  type ContextOptions,
  type FromOptions,
  type HistoryReport,
  type LogRecord,
  type Outcome,
  type Peer,
  type Receipt,
} from './session.js';
export { detectForm, resolveTool, type MessageForm, type ProviderForm, type ToolDefinition } from './forms.js';
export { Registry, type Profile, type RegistryInfo, type Schema, type SchemaField } from './registry.js';
export { TokenCounter, Tokenizer, tokenizers, type SplitPattern, type Vocabulary } from './tokenizer.js';
export { Batch, BatchResult, Codec, type CodecOutcome, type Envelope, type ErrorFrame, type FrameBudget, type PartBudget } from './codec.js';
export { Renderer, type RenderOptions } from './render.js';
export {
  ContextPacket,
  PacketCode,
  PacketIndex,
  type PacketAnswer,
  type PacketDepth,
  type PacketLayer,
  type GivenItem,
  type PacketReport,
  type PacketRequest,
  type SessionPacketRequest,
} from './packet.js';
export { Sacp, SacpLibrary, sacpRegistry, type CheckOptions, type Verdict } from './sacp.js';
export { JsonText, runPlan, type PlanCall, type PlanFailure, type PlanPolicy, type PlanRequest, type PlanResult, type PlanTool } from './plan.js';

/** Returns the version of the library: "1.0.0". */
export function version(): string {
  return native.version!() as string;
}
