// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>
/// The sessions of conversations. A conversation is found by the list of its messages alone: its id is made from its
/// opening. A list that differs from the session goes to a branch, whose id is made from the messages up to the first
/// difference. A list that ends before the session does goes to a numbered branch, which grows with it.
/// Any number of threads may use it.
/// </summary>
internal sealed class Conversations : IDisposable
{
    // Edits of a conversation after edits of it: each is a session that is compared with the list.
    private const int MaxBranches = 1000;

    internal sealed class Entry(string id) : IDisposable
    {
        internal readonly string Id = id;
        internal readonly SemaphoreSlim Gate = new(1, 1); // a list is appended and its context made at once
        internal EngineSession? Session; // guarded by Gate
        internal int Users; // guarded by the map
        internal long LastUse; // guarded by the map

        public void Dispose()
        {
            Session?.Dispose();
            Session = null;
            Gate.Dispose();
        }
    }

    private readonly AccpContextOptions options;
    private readonly AccpStore? ownStore; // in memory
    private readonly AccpEngine engine;
    private readonly MessageForm form;
    private readonly Dictionary<string, Entry> entries = [];
    private long uses; // guarded by entries
    private bool isDisposed; // guarded by entries

    internal Conversations(AccpContextOptions options)
    {
        options.Validate();
        this.options = options.Copy();
        form = options.Form();
        if (options.Config?.Store == null) ownStore = AccpStore.Open("memory:");
        try
        {
            engine = new AccpEngine(WithStore(options.Config, ownStore));
        }
        catch
        {
            ownStore?.Dispose();
            throw;
        }
    }

    // An engine reads its config when it is made, so the caller's has the store only until then.
    private static AccpConfig WithStore(AccpConfig? config, AccpStore? store)
    {
        AccpConfig made = config?.Copy() ?? new AccpConfig();
        if (store != null) made.Store = store;
        return made;
    }

    /// <summary>A list of messages as the engine sends it. Disposing ends the use of its session.</summary>
    internal sealed class View : IDisposable
    {
        private readonly Conversations owner;
        private readonly Entry entry;
        private int isDisposed;

        internal View(Conversations owner, Entry entry, IReadOnlyList<ChatMessage> messages, int changed, long tokens, long wholeTokens)
        {
            (this.owner, this.entry, Messages, Changed, Tokens, WholeTokens) = (owner, entry, messages, changed, tokens, wholeTokens);
        }

        internal string SessionId => entry.Id;

        internal IReadOnlyList<ChatMessage> Messages { get; }

        /// <summary>Messages that are shortened, replaced or missing.</summary>
        internal int Changed { get; }

        /// <summary>Of the messages.</summary>
        internal long Tokens { get; }

        /// <summary>Of the whole list; 0: not asked for.</summary>
        internal long WholeTokens { get; }

        internal Task<string> AnswerAsync(string arguments, CancellationToken cancellationToken) =>
            entry.Session!.AnswerAsync(arguments, cancellationToken);

        public void Dispose()
        {
            if (Interlocked.Exchange(ref isDisposed, 1) == 0) owner.Release(entry);
        }
    }

    /// <summary>Appends what is new in a list to its session, and returns the list to send.</summary>
    internal async Task<View> ViewAsync(IReadOnlyList<ChatMessage> messages, ChatOptions? request, bool hasWhole, CancellationToken cancellationToken)
    {
        var list = new MessageList(messages, form);
        string root = options.SessionId?.Invoke(messages, request) ?? "chat-" + list.OpeningHash(request?.Instructions), id = root;
        for (int i = 0; i < MaxBranches; ++i)
        {
            Entry entry = Acquire(id);
            bool isLeased = false;
            try
            {
                await entry.Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
                try
                {
                    if (await BranchAsync(entry, root, list, cancellationToken).ConfigureAwait(false) is string branch)
                    {
                        id = branch;
                        continue;
                    }
                    SessionMessages context = await entry.Session!.ContextMessagesAsync(AccpInterface.OpenAI, options.BudgetTokens, cancellationToken).ConfigureAwait(false);
                    IReadOnlyList<ChatMessage> made = list.Apply(context.Utf8Json, out int changed);
                    long whole = hasWhole ? await WholeAsync(entry.Session, context.Tokens, changed, cancellationToken).ConfigureAwait(false) : 0;
                    isLeased = true;
                    return new View(this, entry, made, changed, context.Tokens, whole);
                }
                finally
                {
                    entry.Gate.Release();
                }
            }
            finally
            {
                if (!isLeased) Release(entry);
            }
        }
        throw new InvalidOperationException($"The session {root} has {MaxBranches} branches: give each conversation an id of its own (AccpContextOptions.SessionId).");
    }

    // The tokens of a context, and those that it leaves out. The pages are those of a context without a budget.
    private async Task<long> WholeAsync(EngineSession session, long tokens, int changed, CancellationToken cancellationToken)
    {
        if (changed == 0) return tokens;
        if (options.BudgetTokens > 0) tokens = (await session.ContextMessagesAsync(AccpInterface.OpenAI, 0, cancellationToken).ConfigureAwait(false)).Tokens;
        using JsonDocument pages = JsonDocument.Parse(await session.ContextPagesAsync(cancellationToken).ConfigureAwait(false));
        return tokens + pages.RootElement.GetProperty("whole_tokens").GetInt64() - pages.RootElement.GetProperty("tokens").GetInt64();
    }

    // Appends the list to the session, or to a branch of it, whose id it returns; null: the session has the list.
    private async Task<string?> BranchAsync(Entry entry, string root, MessageList list, CancellationToken cancellationToken)
    {
        for (bool isFirst = true; ; isFirst = false)
        {
            entry.Session ??= await engine.OpenAsync(entry.Id, SessionModes.None, cancellationToken).ConfigureAwait(false);
            try
            {
                await AppendAsync(entry.Session, list, null, cancellationToken).ConfigureAwait(false);
                return null;
            }
            catch (AccpSequenceGapException gap)
            {
                string branch = list.PrefixHash(gap.Offset) is string hash ? $"{root}.{hash}" : NextRepeat(entry.Id);
                if (!IsOpen(branch)) await CopyAsync(entry.Session, list, branch, cancellationToken).ConfigureAwait(false);
                return branch;
            }
            catch (AccpClosedException) when (isFirst) // another process has opened it since
            {
                await entry.Session.DisposeAsync().ConfigureAwait(false);
                entry.Session = null;
            }
        }
    }

    // SESSION.r1, SESSION.r2, …
    private static string NextRepeat(string id)
    {
        int at = id.LastIndexOf(".r", StringComparison.Ordinal);
        return at >= 0 && int.TryParse(id.AsSpan(at + 2), NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            ? string.Create(CultureInfo.InvariantCulture, $"{id.AsSpan(0, at)}.r{number + 1}")
            : id + ".r1";
    }

    private static async Task CopyAsync(EngineSession session, MessageList list, string branch, CancellationToken cancellationToken)
    {
        try
        {
            await AppendAsync(session, list, branch, cancellationToken).ConfigureAwait(false);
        }
        catch (AccpSequenceGapException)
        {
            // The branch exists and has another list: the caller compares it.
        }
    }

    private static Task<HistoryReport> AppendAsync(EngineSession session, MessageList list, string? branch, CancellationToken cancellationToken) =>
        session.AppendHistoryAsync(AccpInterface.OpenAI, list.Json, branch, null, null, cancellationToken);

    private Entry Acquire(string id)
    {
        Entry? entry;
        lock (entries)
        {
            ObjectDisposedException.ThrowIf(isDisposed, typeof(AccpContextChatClient));
            if (!entries.TryGetValue(id, out entry)) entries[id] = entry = new Entry(id);
            ++entry.Users;
            entry.LastUse = ++uses;
            while (entries.Count > options.MaxConversations && entries.Values.Where(one => one.Users == 0).MinBy(one => one.LastUse) is Entry oldest)
            {
                entries.Remove(oldest.Id);
                Close(oldest);
            }
        }
        return entry;
    }

    private void Close(Entry entry)
    {
        entry.Dispose();
        if (!isDisposed) ownStore?.RemoveSession(entry.Id);
    }

    private void Release(Entry entry)
    {
        lock (entries)
        {
            --entry.Users;
            if (isDisposed && entry.Users == 0) Close(entry);
        }
    }

    private bool IsOpen(string id)
    {
        lock (entries) return entries.ContainsKey(id);
    }

    public void Dispose()
    {
        lock (entries)
        {
            if (isDisposed) return;
            isDisposed = true;
            foreach (Entry entry in entries.Values)
                if (entry.Users == 0) Close(entry);
        }
        engine.Dispose();
        ownStore?.Dispose();
    }
}
