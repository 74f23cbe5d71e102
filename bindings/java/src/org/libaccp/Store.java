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
 * Where sessions are kept: in memory, in a file, or in a NATS cluster (specification 5.1). Any number of threads may use a store and its sessions at once; calls wait while
 * another writes, so keep them off threads that must not block.
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
     * @param name a URL: {@code "memory:"}, gone when it is closed; {@code "sqlite:PATH"}, a file that is made where it is missing; {@code "nats://HOST:PORT/PREFIX"}, a NATS
     *     cluster, for which libnats is installed (Debian: {@code libnats3.4})
     * @param flags how
     * @return the store; to be closed
     * @throws AccpException ERR_ARG: no such kind of store, its library is not installed, or a file that is no store; ERR_IO; ERR_CORRUPT; ERR_BUSY: another process kept it for more than
     *     five seconds
     */
    public static Store open(String name, StoreFlag... flags) throws AccpException {
        Objects.requireNonNull(flags, "flags");
        return open(null, name, flags);
    }

    /**
     * Opens a store.
     *
     * @param options may be null: memory_bytes counts
     * @param name as {@link #open(String, StoreFlag...)}
     * @param flags how
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
     * Makes durable what is not yet, and closes the store; sessions that use it keep what they need. Closing twice is nothing.
     *
     * @throws AccpException when something could not be made durable, and is lost; the store is closed all the same
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
     * Makes everything durable that any session of the store has written.
     *
     * @throws AccpException ERR_BUSY, ERR_NOMEM, or ERR_IO for a full disk: nothing is lost, call again. Any other ERR_IO: the store takes nothing more
     *     until it is opened anew
     */
    public void sync() throws AccpException {
        handle.tell(Raw::accp_store_sync);
    }

    /**
     * How much the store holds.
     *
     * @return counts
     * @throws AccpException ERR_IO, ERR_CORRUPT
     */
    public Counts counts() throws AccpException {
        long[] n = handle.ask(Raw::accp_store_counts);
        return new Counts(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    }

    /**
     * The ids of all sessions, in the order in which they were made.
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
     * Writes a session as lines of JSON: the same session is the same bytes, whatever store it is in.
     *
     * @param session its id
     * @param out where to
     * @throws AccpException E2001: there is none; ERR_CORRUPT: something of it is damaged, and nothing was written; ERR_IO, also with what
     *     {@code out} threw as its cause
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
     * Takes in what {@link #exportTo} wrote, of one session or of several: all of it, durable on return, or nothing.
     *
     * @param exported the lines
     * @throws AccpException E1001 and E1004 for what was not exported, with the byte; ERR_BUSY when such a session is there already
     */
    public void importFrom(byte[] exported) throws AccpException {
        byte[] text = Texts.in(exported, "exported");
        handle.tell(store -> Raw.accp_store_import(store, text));
    }

    /**
     * Takes a session and all that is its own out of the store, durably. Who has it open is told ERR_CLOSED.
     *
     * @param session its id
     * @throws AccpException E2001: there is none
     */
    public void removeSession(String session) throws AccpException {
        byte[] id = Texts.in(session, "session");
        handle.tell(store -> Raw.accp_store_remove_session(store, id));
    }

    /**
     * Takes out what is no longer needed: texts and grants that have expired, and what belongs to older checkpoints. History is never touched.
     *
     * @param now the time
     * @param keepCheckpoints how many checkpoints of each session stay; 0: all
     * @return how many went
     * @throws AccpException as {@link #sync()}
     */
    public long prune(Instant now, long keepCheckpoints) throws AccpException {
        Objects.requireNonNull(now, "now");
        return handle.ask(store -> Raw.accp_store_prune(store, now.toEpochMilli(), keepCheckpoints));
    }

    /**
     * Reads everything and compares it with its checksums.
     *
     * @return what is wrong; empty: all is as it was written
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
     * How much a store holds.
     *
     * @param sessions sessions
     * @param records records of their logs
     * @param recordBytes their bytes
     * @param blobs kept texts
     * @param blobBytes their bytes
     * @param mids message ids that were seen
     * @param grants grants
     */
    public record Counts(long sessions, long records, long recordBytes, long blobs, long blobBytes, long mids, long grants) {}

    /**
     * One thing that is wrong with a store.
     *
     * @param session its id; null: the file as a whole
     * @param what in words
     * @param record the sequence of a record, from 1; 0: it is none
     * @param name the key of a text, or what SQLite says; null: neither
     */
    public record Damage(String session, String what, long record, String name) {}
}
