// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { Handle, kHandle, milliseconds, type CallOptions, type SignalOptions, type Text } from './handle.js';
import { checkKnown, type Known } from './known.js';
import { native, run, type Native } from './native.js';

/** How a store is opened. */
export interface StoreOptions extends SignalOptions {
  /** Open for reading only; it must exist. */
  readOnly?: boolean | undefined;
  /** Fail if the file does not exist. */
  existing?: boolean | undefined;
  /** A write is done when the operating system has it: it survives a killed process, but not always a power failure. */
  noWait?: boolean | undefined;
  /** {@link Store.prune} returns the unused space of a SQLite file to the file system. */
  vacuum?: boolean | undefined;
}

/** The content of a store, in numbers. */
export interface StoreCounts {
  sessions: number;
  /** Records of their logs, and the bytes of these. */
  records: number;
  recordBytes: number;
  /** Stored texts (values, checkpoints and others), and their bytes. */
  blobs: number;
  blobBytes: number;
  /** Mids in the index. */
  mids: number;
  grants: number;
}

/** A property of a store, for people: `{part: '', name: 'kind', value: 'sqlite'}`. */
export interface StoreProperty {
  /** The part that has the property; empty: the whole store. */
  part: string;
  name: string;
  value: string;
}

/** A damaged item of a store. */
export interface Damage {
  /** The id of the session; empty: the file as a whole. */
  session: string;
  what: string;
  /** The number of a record, from 1; 0: it is not a record. */
  record: number;
  /** The key of a text, or the message of SQLite. */
  name: string;
}

const known: Known<StoreOptions> = { readOnly: true, existing: true, noWait: true, vacuum: true, signal: true };

function flags(options: StoreOptions): number {
  checkKnown('Store.open()', options, known);
  return (options.readOnly ? 1 : 0) | (options.existing ? 2 : 0) | (options.noWait ? 4 : 0) | (options.vacuum ? 8 : 0);
}

/**
 * Keeps sessions: in memory (`memory:`), in a SQLite file (`sqlite:PATH`) or in a NATS cluster (`nats://HOST:PORT/PREFIX`, if
 * libaccp-nats.so.1 is installed). Pass it to {@link Engine} as `options.store`. Several processes may use one file or cluster;
 * each worker of this process opens it by itself. A `memory:` store belongs to one worker.
 */
export class Store extends Handle {
  /** @internal */
  constructor(handle: Native) {
    super(handle);
  }

  /** Opens a store. ERR_ARG for an unknown kind, ERR_IO if it cannot be opened or reached, ERR_CORRUPT if it is damaged. */
  static async open(name: string, options: StoreOptions = {}): Promise<Store> {
    const start = native.store_open_async as (...values: unknown[]) => Promise<Native>;
    const { signal } = options;
    signal?.throwIfAborted();
    const opened = start(name, flags(options), undefined, 0);
    if (signal === undefined) return new Store(await opened);
    return await new Promise((resolve, reject) => {
      const stop = (): void => {
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', stop, { once: true });
      opened.then(
        (handle) => {
          signal.removeEventListener('abort', stop);
          if (signal.aborted) native.close(handle);
          else resolve(new Store(handle));
        },
        (error: unknown) => {
          signal.removeEventListener('abort', stop);
          reject(error as Error);
        },
      );
    });
  }

  /** As {@link open}, without a promise: it blocks the thread while it reads the file or connects. */
  static openSync(name: string, options: StoreOptions = {}): Store {
    return new Store(native.store_open!(name, flags(options), undefined) as Native);
  }

  /** Makes all writes of all its sessions durable. */
  async sync(options: SignalOptions = {}): Promise<void> {
    return run('store_sync', this[kHandle], [], options.signal);
  }

  /** Returns the content in numbers. */
  async counts(options: SignalOptions = {}): Promise<StoreCounts> {
    return run('store_counts', this[kHandle], [], options.signal);
  }

  /** Returns the ids of all sessions, in the order in which they were created. */
  async sessions(options: SignalOptions = {}): Promise<string[]> {
    return run('store_sessions', this[kHandle], [], options.signal);
  }

  /** Describes the store: its kind, which failures an acknowledged write survives, and what a cluster reports. */
  async properties(options: SignalOptions = {}): Promise<StoreProperty[]> {
    return run('store_properties', this[kHandle], [], options.signal);
  }

  /** Returns a session as lines of JSON, for {@link import}. E2001 if there is no such session. */
  async export(id: string, options: SignalOptions = {}): Promise<string> {
    return run('store_export', this[kHandle], [id], options.signal);
  }

  /** Imports sessions that {@link export} returned, all or none. ERR_BUSY if one exists already. */
  async import(text: Text, options: SignalOptions = {}): Promise<void> {
    return run('store_import', this[kHandle], [text], options.signal);
  }

  /** Removes a session and all that belongs to it. E2001 if there is no such session. */
  async removeSession(id: string, options: SignalOptions = {}): Promise<void> {
    return run('store_remove_session', this[kHandle], [id], options.signal);
  }

  /**
   * Removes what has expired, and the texts of checkpoints except the newest of each session and those that contexts refer to.
   * Returns the number of removed items. The history never changes.
   *
   * @param options  `keepCheckpoints`: how many checkpoints of each session keep their texts; 0 or absent: all.
   */
  async prune(options: CallOptions & { keepCheckpoints?: number | undefined } = {}): Promise<number> {
    return run('store_prune', this[kHandle], [milliseconds(options.now), options.keepCheckpoints ?? 0], options.signal);
  }

  /** Compares all data with its checksums, and returns what is damaged. */
  async verify(options: SignalOptions = {}): Promise<Damage[]> {
    return run('store_verify', this[kHandle], [], options.signal);
  }

  /** Makes all writes durable, and closes the store. Sessions that use it keep it until they are closed. */
  async close(): Promise<void> {
    return run('store_close', this[kHandle], []);
  }

  /** As {@link close}, without a promise: it blocks the thread until all writes are durable. */
  closeSync(): void {
    native.store_close!(this[kHandle]);
  }

  /** As {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** As {@link closeSync}, for `using`. */
  [Symbol.dispose](): void {
    this.closeSync();
  }
}
