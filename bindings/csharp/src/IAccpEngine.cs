// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Threading;
using System.Threading.Tasks;

namespace Accp;

/// <summary>What <see cref="AccpEngine"/> does, for programs that put something else in its place, as tests do.</summary>
public interface IAccpEngine : IDisposable, IAsyncDisposable
{
    /// <inheritdoc cref="AccpEngine.Open"/>
    IEngineSession Open(string id);

    /// <inheritdoc cref="AccpEngine.OpenAsync"/>
    Task<IEngineSession> OpenAsync(string id, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AccpEngine.OpenRead"/>
    IEngineSession OpenRead(string id);

    /// <inheritdoc cref="AccpEngine.OpenReadAsync"/>
    Task<IEngineSession> OpenReadAsync(string id, CancellationToken cancellationToken = default);
}

public sealed partial class AccpEngine
{
    IEngineSession IAccpEngine.Open(string id) => Open(id);

    IEngineSession IAccpEngine.OpenRead(string id) => OpenRead(id);

    async Task<IEngineSession> IAccpEngine.OpenAsync(string id, CancellationToken cancellationToken) => await OpenAsync(id, cancellationToken).ConfigureAwait(false);

    async Task<IEngineSession> IAccpEngine.OpenReadAsync(string id, CancellationToken cancellationToken) => await OpenReadAsync(id, cancellationToken).ConfigureAwait(false);
}
