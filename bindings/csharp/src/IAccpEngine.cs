// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Accp;

/// <summary>The interface of <see cref="AccpEngine"/>, for replacements such as mocks.</summary>
public interface IAccpEngine : IDisposable, IAsyncDisposable
{
    /// <inheritdoc cref="AccpEngine.Open"/>
    IEngineSession Open(string id, SessionModes modes = SessionModes.None);

    /// <inheritdoc cref="AccpEngine.OpenAsync"/>
    Task<IEngineSession> OpenAsync(string id, SessionModes modes = SessionModes.None, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AccpEngine.RegisterSchema"/>
    void RegisterSchema(string document);

    /// <inheritdoc cref="AccpEngine.Metrics"/>
    IReadOnlyList<EngineMetric> Metrics();

    /// <inheritdoc cref="AccpEngine.Outcomes"/>
    long Outcomes(bool received, AccpStatus status);

    /// <inheritdoc cref="AccpEngine.Registry"/>
    SchemaRegistry Registry();
}

public sealed partial class AccpEngine
{
    IEngineSession IAccpEngine.Open(string id, SessionModes modes) => Open(id, modes);

    async Task<IEngineSession> IAccpEngine.OpenAsync(string id, SessionModes modes, CancellationToken cancellationToken) =>
        await OpenAsync(id, modes, cancellationToken).ConfigureAwait(false);

    void IAccpEngine.RegisterSchema(string document) => RegisterSchema(document);
}
