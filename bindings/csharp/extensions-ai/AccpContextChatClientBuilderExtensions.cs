// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Extensions.AI;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Microsoft.Extensions.AI;

/// <summary>Adds the contexts of libaccp to a pipeline of chat clients.</summary>
public static class AccpContextChatClientBuilderExtensions
{
    /// <summary>
    /// Adds an <see cref="AccpContextChatClient"/>. Put it after UseFunctionInvocation: it then sees each request of
    /// the loop of functions. Before UseFunctionInvocation it sees only the requests of the host.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="options">Null: the defaults.</param>
    /// <returns>The builder.</returns>
    public static ChatClientBuilder UseAccpContext(this ChatClientBuilder builder, AccpContextOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        AccpContextOptions? copy = options?.Copy();
        copy?.Validate();
        return builder.Use((inner, services) => new AccpContextChatClient(inner, copy, services.GetService<ILoggerFactory>()));
    }

    /// <summary>The same, with options that a function sets.</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Sets the options.</param>
    /// <returns>The builder.</returns>
    public static ChatClientBuilder UseAccpContext(this ChatClientBuilder builder, Action<AccpContextOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        var options = new AccpContextOptions();
        configure(options);
        return builder.UseAccpContext(options);
    }
}
