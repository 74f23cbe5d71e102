// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * A store of sessions: in memory, in a file, or in a NATS cluster (specification 5.1). Any number
 * of threads may use a store and its sessions at once. Calls wait for writers, so do not use it on
 * threads that must not block.
 */
public final class Store implements AutoCloseable {
    final Handle handle;
    private final AccpException[] closing;

    private Store(long made) {
        AccpException[] failed = new AccpException[1];
        closing = failed;
        handle = new Handle(new Handle.State(made, true, store -> {
            try {
                Raw.accp_store_close(store);
            } catch (AccpException e) {
                failed[0] = e;
            }
        }));
    }

    /**
     * Opens a store.
     *
     * @param name a URL: {@code "memory:"}, lost when it is closed; {@code "sqlite:PATH"}, a file,
     *     which is created if it does not exist; {@code "nats://HOST:PORT/PREFIX"}, a NATS cluster,
     *     which needs libnats (Debian: {@code libnats3.4})
     * @param flags options
     * @return the store; to be closed
     * @throws AccpException ERR_ARG: an unknown kind of store, a missing library, or a file that is
     *     not a store; ERR_IO; ERR_CORRUPT; ERR_BUSY: another process held it for more than five
     *     seconds
     */
    public static Store open(String name, StoreFlag... flags) throws AccpException {
        Objects.requireNonNull(flags, "flags");
        return open(null, name, flags);
    }

    /**
     * Opens a store.
     *
     * @param options may be null: memory_bytes
     * @param name as {@link #open(String, StoreFlag...)}
     * @param flags options
     * @return the store; to be closed
     * @throws AccpException as {@link #open(String, StoreFlag...)}
     */
    public static Store open(Options options, String name, StoreFlag... flags) throws AccpException {
        Objects.requireNonNull(flags, "flags");
        byte[] text = Texts.in(name, "name");
        if (name.startsWith("nats://") || name.startsWith("tls://")) {
            org.libaccp.internal.Library.loadNats();
        }
        return new Store(Config.make(options, config -> Raw.accp_store_open(text, StoreFlag.bits(flags), config)));
    }

    /**
     * Makes pending changes durable and closes the store; sessions that use it keep what they need.
     * It may be closed twice.
     *
     * @throws AccpException if some changes could not be made durable and are lost; the store is
     *     closed in any case
     */
    @Override
    public void close() throws AccpException {
        handle.close();
        AccpException failed = closing[0];
        closing[0] = null;
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * Makes all changes of all sessions of the store durable.
     *
     * @throws AccpException ERR_BUSY, ERR_NOMEM, or ERR_IO for a full disk: nothing is lost, call
     *     again. After any other ERR_IO the store accepts nothing until it is reopened
     */
    public void sync() throws AccpException {
        handle.tell(Raw::accp_store_sync);
    }

    /**
     * Returns the content of the store in numbers.
     *
     * @return counts
     * @throws AccpException ERR_IO, ERR_CORRUPT
     */
    public Counts counts() throws AccpException {
        long[] n = handle.ask(Raw::accp_store_counts);
        return new Counts(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    }

    /**
     * Returns the ids of all sessions in the order of creation.
     *
     * @return the ids
     * @throws AccpException ERR_IO, ERR_CORRUPT
     */
    public List<String> sessions() throws AccpException {
        List<String> ids = new ArrayList<>();
        Upcall take = new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) {
                ids.add(Texts.out(texts[0]));
                return null;
            }
        };
        handle.tell(store -> Upcall.lend(take, target -> Native.storeSessions(store, target)));
        return ids;
    }

    /**
     * Writes a session as lines of JSON; equal sessions give equal bytes in every store.
     *
     * @param session its id
     * @param out the destination
     * @throws AccpException E2001: it does not exist; ERR_CORRUPT: it is damaged, and nothing was
     *     written; ERR_IO, also with an exception of {@code out} as its cause
     */
    public void exportTo(String session, OutputStream out) throws AccpException {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(out, "out");
        byte[] id = Texts.in(session, "session");
        Upcall write = new Upcall(1) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws IOException {
                out.write(texts[0]);
                return null;
            }
        };
        handle.tell(store -> Upcall.lend(write, target -> Native.storeExport(store, id, target)));
    }

    /**
     * Adds sessions that {@link #exportTo} wrote: all of them, durable on return, or nothing.
     *
     * @param exported the lines
     * @throws AccpException E1001 and E1004 for other text, with the byte; ERR_BUSY if a session
     *     exists already
     */
    public void importFrom(byte[] exported) throws AccpException {
        byte[] text = Texts.in(exported, "exported");
        handle.tell(store -> Raw.accp_store_import(store, text));
    }

    /**
     * Removes a session with all its data, durably. Users that have it open get ERR_CLOSED.
     *
     * @param session its id
     * @throws AccpException E2001: it does not exist
     */
    public void removeSession(String session) throws AccpException {
        byte[] id = Texts.in(session, "session");
        handle.tell(store -> Raw.accp_store_remove_session(store, id));
    }

    /**
     * Removes data that is no longer needed: expired texts and grants, and data of older
     * checkpoints. It never removes history.
     *
     * @param now the time
     * @param keepCheckpoints number of checkpoints of each session that stay; 0: all
     * @return the number of removed items
     * @throws AccpException as {@link #sync()}
     */
    public long prune(Instant now, long keepCheckpoints) throws AccpException {
        Objects.requireNonNull(now, "now");
        return handle.ask(store -> Raw.accp_store_prune(store, now.toEpochMilli(), keepCheckpoints));
    }

    /**
     * Reads everything and compares it with its checksums.
     *
     * @return the damage; empty if nothing has changed
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    public List<Damage> verify() throws AccpException {
        List<Damage> found = new ArrayList<>();
        Upcall report = new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) {
                found.add(new Damage(Texts.orNull(texts[0]), Texts.out(texts[1]), numbers[1], Texts.orNull(texts[2])));
                return null;
            }
        };
        try {
            handle.tell(store -> Upcall.lend(report, target -> Native.storeVerify(store, target)));
        } catch (AccpException.Corrupt e) {
            if (found.isEmpty()) {
                throw e;
            }
        }
        return found;
    }

    /**
     * The content of a store in numbers.
     *
     * @param sessions sessions
     * @param records of the logs
     * @param recordBytes their bytes
     * @param blobs kept texts
     * @param blobBytes their bytes
     * @param mids recorded message ids
     * @param grants grants
     */
    public record Counts(long sessions, long records, long recordBytes, long blobs, long blobBytes, long mids, long grants) {}

    /**
     * One fault in a store.
     *
     * @param session its id; null: the file as a whole
     * @param what the fault in words
     * @param record the sequence of a record, from 1; 0: not a record
     * @param name the key of a text, or SQLite's message; null: neither
     */
    public record Damage(String session, String what, long record, String name) {}
}
