// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp;
using Accp.Extensions.AI;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.AI;

/// <summary>Adds the contexts of libaccp to a pipeline of chat clients.</summary>
public static class AccpContextChatClientBuilderExtensions
{
    /// <summary>
    /// Adds an <see cref="AccpContextChatClient"/>. Put it after UseFunctionInvocation: it then sees each request of
    /// the loop of functions. Before UseFunctionInvocation it sees only the requests of the host.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="options">Null: the defaults. Without <see cref="AccpContextOptions.Config"/>, the
    /// <see cref="AccpConfig"/> of the services is used, if AddAccp has registered one. If its store is in memory, conversations are kept apart from it.</param>
    /// <returns>The builder.</returns>
    public static ChatClientBuilder UseAccpContext(this ChatClientBuilder builder, AccpContextOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        AccpContextOptions own = options?.Copy() ?? new AccpContextOptions();
        own.Validate();
        return builder.Use((inner, services) =>
        {
            AccpContextOptions made = own.Copy();
            made.Config ??= ConfigOf(services);
            return new AccpContextChatClient(inner, made, services.GetService<ILoggerFactory>());
        });
    }

    // In memory each client keeps its own conversations, which it can remove. A common store would keep all.
    private static AccpConfig? ConfigOf(IServiceProvider services)
    {
        AccpConfig? config = services.GetService<AccpConfig>();
        if (config == null || services.GetService<IOptions<AccpOptions>>()?.Value.IsInMemory != true) return config;
        AccpConfig made = config.Copy();
        made.Store = null;
        return made;
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
