// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>Vectors for the agent registry, from any embedding generator of Microsoft.Extensions.AI.</summary>
public static class AgentEmbeddings
{
    /// <summary>Returns the entry with the vector of its description, for <see cref="AgentRegistry"/>.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="generator">Borrowed. Use the same model for entries and queries: vectors of two models are never
    /// compared.</param>
    /// <param name="cancellationToken">Cancels the call of the generator.</param>
    public static async Task<AgentEntry> WithEmbeddingAsync(this AgentEntry entry, IEmbeddingGenerator<string, Embedding<float>> generator, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(entry);
        (IReadOnlyList<double> vector, string? model) = await GenerateAsync(entry.Description, generator, cancellationToken).ConfigureAwait(false);
        return entry with { Embedding = vector, EmbeddingModel = model };
    }

    /// <summary>Returns the query with the vector of a text: it then also finds agents with a similar description.</summary>
    /// <param name="query">The query.</param>
    /// <param name="text">What the agent should do.</param>
    /// <param name="generator">As for entries.</param>
    /// <param name="cancellationToken">Cancels the call of the generator.</param>
    public static async Task<AgentQuery> WithEmbeddingAsync(this AgentQuery query, string text, IEmbeddingGenerator<string, Embedding<float>> generator,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        (IReadOnlyList<double> vector, string? model) = await GenerateAsync(text, generator, cancellationToken).ConfigureAwait(false);
        return query with { Embedding = vector, EmbeddingModel = model };
    }

    private static async Task<(IReadOnlyList<double> Vector, string? Model)> GenerateAsync(string text, IEmbeddingGenerator<string, Embedding<float>> generator,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(generator);
        Embedding<float> made = await generator.GenerateAsync(text, cancellationToken: cancellationToken).ConfigureAwait(false);
        double[] vector = new double[made.Vector.Length];
        for (int i = 0; i < vector.Length; ++i) vector[i] = made.Vector.Span[i];
        return (vector, made.ModelId ?? generator.GetService<EmbeddingGeneratorMetadata>()?.DefaultModelId);
    }
}
