// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  compareWritesSortKeys,
  getCheckpointId,
  maxChannelVersion,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { AccpError, Engine, Store } from '../index.js';
import { checkKnown, type Known } from '../known.js';
import { storeHints } from './options.mjs';
import { dump, load, Thread, type CheckpointRecord, type Dump, type StoredCheckpoint } from './langgraph-thread.mjs';

/** The checkpoints of a thread that stay. Each condition removes checkpoints; the newest of a namespace always stays. */
export interface Retention {
  /** The newest checkpoints of each namespace that stay. */
  checkpoints?: number | undefined;
  /** The age, in milliseconds, up to which checkpoints stay. */
  maxAgeMs?: number | undefined;
}

/** Options of {@link AccpSaver}. */
export interface AccpSaverOptions {
  /** A store, which is borrowed and must stay open, or the URL of one, such as `sqlite:threads.db`. Default: `memory:`. */
  store?: Store | string | undefined;
  /** The serializer. Default: that of LangGraph. */
  serde?: SerializerProtocol | undefined;
  /** Applied to a thread at each `put()`. Default: all checkpoints stay. */
  retention?: Retention | undefined;
  /** Threads that are open at a time. Default 256. */
  maxOpenThreads?: number | undefined;
}

const known: Known<AccpSaverOptions> = { store: true, serde: true, retention: true, maxOpenThreads: true };
const prefix = 'langgraph-';

// A long id, or one that looks like a hash, is a hash.
function sessionIdOf(threadId: string): string {
  if (Buffer.byteLength(threadId) <= 200 && !threadId.startsWith('#') && threadId.isWellFormed()) return prefix + threadId;
  return `${prefix}#${createHash('sha256').update(Buffer.from(threadId, 'utf16le')).digest('hex')}`;
}

function checkRetention(retention: Retention): Retention {
  const { checkpoints, maxAgeMs } = retention;
  if (checkpoints !== undefined && (!Number.isSafeInteger(checkpoints) || checkpoints < 1))
    throw new RangeError(`libaccp: retention.checkpoints is ${String(checkpoints)}: it must be a whole number from 1.`);
  if (maxAgeMs !== undefined && !(maxAgeMs >= 0)) throw new RangeError(`libaccp: retention.maxAgeMs is ${String(maxAgeMs)}: it must be 0 or more.`);
  return retention;
}

/**
 * Keeps the checkpoints of LangGraph in a store of libaccp. A value that did not change is not written again, and a list
 * that grows is written as what was added. Each thread is a session of the store.
 *
 * Several processes may use one store; of one thread, the process that used it last has the right to write, and another
 * one takes it with its next call.
 */
export class AccpSaver extends BaseCheckpointSaver {
  private readonly store: Store;
  private readonly ownsStore: boolean;
  private readonly engine: Engine;
  private readonly retention: Retention | undefined;
  private readonly maxOpenThreads: number;
  // the least recently used one is the first
  private readonly threads = new Map<string, Thread>();

  /** Opens the store if it is a URL. Throws `AccpError` if that fails. */
  constructor(options: AccpSaverOptions | string = {}) {
    if (typeof options !== 'string') checkKnown('new AccpSaver()', options, known, (name) => storeHints[name]);
    const { store = 'memory:', serde, retention, maxOpenThreads = 256 } = typeof options === 'string' ? { store: options } : options;
    super(serde);
    if (!Number.isSafeInteger(maxOpenThreads) || maxOpenThreads < 1)
      throw new RangeError(`libaccp: maxOpenThreads is ${String(maxOpenThreads)}: it must be a whole number from 1.`);
    this.retention = retention && checkRetention(retention);
    this.maxOpenThreads = maxOpenThreads;
    this.ownsStore = typeof store === 'string';
    this.store = typeof store === 'string' ? Store.openSync(store) : store;
    this.engine = new Engine({ store: this.store });
  }

  private open(threadId: string): Thread {
    const thread = this.threads.get(threadId) ?? new Thread(this.engine, sessionIdOf(threadId), threadId);
    this.threads.delete(threadId);
    this.threads.set(threadId, thread);
    for (const [id, one] of this.threads) {
      if (this.threads.size <= this.maxOpenThreads) break;
      if (one === thread || !one.isIdle) continue;
      this.threads.delete(id);
      void one.close().catch(() => undefined);
    }
    return thread;
  }

  /** Returns a checkpoint with its writes; without `checkpoint_id`, the newest of its namespace. */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const threadId = threadIdOf(config);
    if (threadId === undefined) return undefined;
    const ns = namespaceOf(config) ?? '',
      id = getCheckpointId(config);
    if (!this.threads.has(threadId) && !(await this.exists(threadId))) return undefined;
    const thread = this.open(threadId);
    return await thread.run(async () => {
      const found = id ? thread.find(ns, id) : thread.newest(ns);
      return found && (await this.tupleOf(thread, threadId, found));
    });
  }

  // Opening a session makes it.
  private async exists(threadId: string): Promise<boolean> {
    try {
      await (await this.engine.open(sessionIdOf(threadId), { readOnly: true })).close();
      return true;
    } catch (error) {
      if (error instanceof AccpError && error.code === 'E2001') return false;
      throw error;
    }
  }

  private async tupleOf(thread: Thread, threadId: string, of: StoredCheckpoint): Promise<CheckpointTuple> {
    const record = await thread.checkpointRecord(of);
    const values: Record<string, unknown> = {};
    for (const [channel, at] of of.values) define(values, channel, await load(this.serde, await thread.value(at, channel)));
    const checkpoint = { ...((await load(this.serde, record.body)) as Checkpoint), channel_values: values, channel_versions: { ...of.versions } };
    const configOf = (checkpoint_id: string) => ({ configurable: { thread_id: threadId, checkpoint_ns: of.ns, checkpoint_id } });
    if (checkpoint.v < 4 && of.parent !== undefined) await this.addPendingSends(thread, of, checkpoint);
    return {
      config: configOf(of.id),
      checkpoint,
      metadata: (await load(this.serde, record.metadata)) as CheckpointMetadata,
      pendingWrites: await this.writesOf(thread, of),
      ...(of.parent !== undefined && { parentConfig: configOf(of.parent) }),
    };
  }

  private async writesOf(thread: Thread, of: StoredCheckpoint): Promise<CheckpointPendingWrite[]> {
    const sorted = [...of.writes.values()].sort((a, b) =>
      compareWritesSortKeys(writesSortKey(a.path, a.task, a.index), writesSortKey(b.path, b.task, b.index)),
    );
    const made: CheckpointPendingWrite[] = [];
    for (const write of sorted) made.push([write.task, write.channel, await load(this.serde, await thread.write(write))]);
    return made;
  }

  // Checkpoints of versions before 4 have the sends of their parent in a channel.
  private async addPendingSends(thread: Thread, of: StoredCheckpoint, checkpoint: Checkpoint): Promise<void> {
    const parent = thread.find(of.ns, of.parent!),
      sends: unknown[] = [];
    for (const write of parent?.writes.values() ?? []) if (write.channel === TASKS) sends.push(await load(this.serde, await thread.write(write)));
    checkpoint.channel_values[TASKS] = sends;
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] = versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  /** Returns checkpoints, the newest first; without `thread_id`, those of all threads. */
  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { before, filter } = options;
    let left = options.limit ?? Infinity;
    const only = threadIdOf(config),
      ns = namespaceOf(config),
      id = getCheckpointId(config),
      end = before && getCheckpointId(before);
    for (const threadId of only === undefined ? await this.threadIds() : [only]) {
      if (left <= 0) return;
      if (!this.threads.has(threadId) && !(await this.exists(threadId))) continue;
      const thread = this.open(threadId);
      const found = await thread.run(() =>
        Promise.resolve(
          (ns === undefined ? thread.namespaces : [ns]).flatMap((space) =>
            thread.checkpoints(space).filter((one) => (!id || one.id === id) && (!end || one.id < end)),
          ),
        ),
      );
      for (const { ns: space, id: checkpointId } of found) {
        if (left <= 0) return;
        const tuple = await thread.run(async () => {
          const one = thread.find(space, checkpointId); // it may have been removed since
          if (!one) return undefined;
          if (filter) {
            const metadata = (await load(this.serde, (await thread.checkpointRecord(one)).metadata)) as Record<string, unknown>;
            if (!Object.entries(filter).every(([key, value]) => isDeepStrictEqual(metadata[key], value))) return undefined;
          }
          return await this.tupleOf(thread, threadId, one);
        });
        if (!tuple) continue;
        --left;
        yield tuple;
      }
    }
  }

  /** Returns the ids of all threads. */
  async threadIds(): Promise<string[]> {
    const ids: string[] = [];
    for (const session of await this.store.sessions()) {
      if (!session.startsWith(prefix)) continue;
      if (!session.startsWith(`${prefix}#`)) {
        ids.push(session.slice(prefix.length));
        continue;
      }
      const open = [...this.threads.keys()].find((id) => sessionIdOf(id) === session);
      if (open !== undefined) {
        ids.push(open);
        continue;
      }
      const opened = await this.engine.open(session, { readOnly: true });
      try {
        const first =
          (await opened.resolve('cold.log0_1').catch(() => undefined)) ??
          (await opened.resolve(`cold.log${((await opened.resolve('cold.log_head')) as { generation: number }).generation}_1`));
        ids.push((JSON.parse(first as string) as { id: string }).id);
      } finally {
        await opened.close();
      }
    }
    return ids;
  }

  /** Stores a checkpoint: those values that differ from what is stored, and how they differ. */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const threadId = needThreadId(config, 'put'),
      ns = namespaceOf(config) ?? '';
    const { channel_values: values, channel_versions: versions, ...body } = checkpoint;
    const parentId = getCheckpointId(config) || undefined;
    // serialized before anything else can change the objects
    const dumps = new Map<string, Promise<Dump>>();
    const dumped = (channel: string): Promise<Dump> => {
      let made = dumps.get(channel);
      if (!made) dumps.set(channel, (made = dump(this.serde, values[channel])));
      return made;
    };
    const channels = Object.keys(values).filter((channel) => values[channel] !== undefined);
    const fresh = channels.filter((channel) => Object.hasOwn(newVersions, channel));
    const [bodyDump, metadataDump] = await Promise.all([dump(this.serde, body), dump(this.serde, metadata), ...fresh.map(dumped)]);
    const thread = this.open(threadId);
    await thread.run(async () => {
      const parent = parentId === undefined ? undefined : thread.find(ns, parentId);
      const stored: CheckpointRecord = {
        t: 'checkpoint',
        ns,
        id: checkpoint.id,
        ...(parentId !== undefined && { parent: parentId }),
        ts: checkpoint.ts,
        versions: { ...versions },
        body: bodyDump,
        metadata: metadataDump,
        values: {},
      };
      const known = new Map<string, Dump>();
      for (const channel of channels) {
        if (fresh.includes(channel)) {
          const value = await dumped(channel);
          const kept = await thread.encode(channel, value, parent?.values.get(channel) ?? thread.newest(ns)?.values.get(channel));
          define(stored.values, channel, kept);
          if (typeof kept !== 'number') known.set(channel, value);
        } else {
          const at = await thread.findVersion(ns, channel, versions[channel], parent, () => dumped(channel));
          if (at !== undefined) define(stored.values, channel, at);
        }
      }
      await thread.append(stored, known);
      if (this.retention) await this.apply(thread, this.retention, Date.now());
    });
    return { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
  }

  /** Stores writes that follow a checkpoint. */
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath = ''): Promise<void> {
    const threadId = needThreadId(config, 'putWrites'),
      ns = namespaceOf(config) ?? '',
      id = getCheckpointId(config);
    if (!id) throw new Error('libaccp: putWrites() needs config.configurable.checkpoint_id, the id of the checkpoint that the writes follow.');
    const dumps = await Promise.all(writes.map(([, value]) => dump(this.serde, value)));
    const thread = this.open(threadId);
    await thread.run(async () => {
      const known = thread.find(ns, id)?.writes ?? thread.held(ns, id);
      const fresh: [number, string, Dump][] = [];
      writes.forEach(([channel], at) => {
        const index = WRITES_IDX_MAP[channel] ?? at;
        // a repeated task has the same writes; special ones, such as errors, replace those before them
        if (index < 0 || !known?.has(`${taskId},${index}`)) fresh.push([index, channel, dumps[at]!]);
      });
      if (fresh.length > 0) await thread.append({ t: 'writes', ns, id, task: taskId, path: taskPath, writes: fresh });
    });
  }

  /** Removes a thread, if it exists. */
  override async deleteThread(threadId: string): Promise<void> {
    const thread = this.threads.get(threadId);
    this.threads.delete(threadId);
    await thread?.close();
    try {
      await this.store.removeSession(sessionIdOf(threadId));
    } catch (error) {
      if (!(error instanceof AccpError) || error.code !== 'E2001') throw error;
    }
  }

  /** Copies all checkpoints and writes of a thread to a new one. Throws if the target exists. */
  async copyThread(sourceId: string, targetId: string): Promise<void> {
    if (sourceId === targetId) throw new Error(`libaccp: copyThread(): source and target are both ${sourceId}.`);
    if (await this.exists(targetId)) throw new Error(`libaccp: copyThread(): the thread ${targetId} exists already: delete it first.`);
    if (!(await this.exists(sourceId))) throw new Error(`libaccp: copyThread(): there is no thread ${sourceId}.`);
    const source = this.open(sourceId),
      texts = await source.run(() => source.export());
    const target = this.open(targetId);
    await target.run(() => target.import(texts));
  }

  /** Removes old checkpoints of a thread once. */
  async prune(threadId: string, retention: Retention, nowMs = Date.now()): Promise<void> {
    checkRetention(retention);
    if (!(await this.exists(threadId))) return;
    const thread = this.open(threadId);
    await thread.run(() => this.apply(thread, retention, nowMs));
  }

  private async apply(thread: Thread, { checkpoints = Infinity, maxAgeMs = Infinity }: Retention, nowMs: number): Promise<void> {
    for (const ns of thread.namespaces) {
      const all = thread.checkpoints(ns);
      const kept = new Set(all.filter((one, at) => at === 0 || (at < checkpoints && !(nowMs - Date.parse(one.ts) > maxAgeMs))).map((one) => one.id));
      // a DeltaChannel of LangGraph is made from the writes of earlier checkpoints
      for (const id of [...kept]) await this.keepAncestors(thread, ns, id, kept);
      await thread.remove(
        ns,
        all.filter((one) => !kept.has(one.id)).map((one) => one.id),
      );
    }
  }

  private async keepAncestors(thread: Thread, ns: string, id: string, kept: Set<string>): Promise<void> {
    let one = thread.find(ns, id);
    const metadata = one && ((await load(this.serde, (await thread.checkpointRecord(one)).metadata)) as CheckpointMetadata);
    let steps = Math.max(0, ...Object.values(metadata?.counters_since_delta_snapshot ?? {}).map(([, supersteps]) => supersteps + 1));
    for (; one?.parent !== undefined && steps > 0; --steps) {
      one = thread.find(ns, one.parent);
      if (one) kept.add(one.id);
    }
  }

  /** Closes all threads, and the store if this object opened it. */
  async close(): Promise<void> {
    const threads = [...this.threads.values()];
    this.threads.clear();
    await Promise.all(threads.map((one) => one.close()));
    this.engine.close();
    if (this.ownsStore) await this.store.close();
  }

  /** As {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function define<T>(object: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true }); // __proto__ too
}

function text(config: RunnableConfig, key: string): string | undefined {
  const value: unknown = config.configurable?.[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new TypeError(`libaccp: config.configurable.${key} is of the type ${typeof value}: it must be a string.`);
  return value;
}

function threadIdOf(config: RunnableConfig): string | undefined {
  const id = text(config, 'thread_id');
  if (id === '') throw new TypeError('libaccp: config.configurable.thread_id is empty.');
  return id;
}

const namespaceOf = (config: RunnableConfig): string | undefined => text(config, 'checkpoint_ns');

function needThreadId(config: RunnableConfig, call: string): string {
  const id = threadIdOf(config);
  if (id === undefined)
    throw new Error(
      `libaccp: ${call}() needs config.configurable.thread_id, the id of the conversation: graph.invoke(input, { configurable: { thread_id: "…" } }).`,
    );
  return id;
}
