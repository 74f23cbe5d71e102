// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * The shared knowledge of two agents: schemas with codes, fields and defaults, operations and short
 * keys. Constant: any number of threads may use one. Its users keep what they need, so it may be
 * closed.
 */
public final class Registry extends Handle {
    Registry(long handle) {
        super(new State(handle, true, Raw::accp_registry_free));
    }

    /** Takes over a reference; null for 0. */
    static Registry of(long shared) {
        return shared == 0 ? null : new Registry(shared);
    }

    /**
     * Makes a registry from a document and the built-in schemas of profiles (specification 4.3,
     * 6.2, 10).
     *
     * @param document JSON: <code>{"schemas":{NAME:{"code":…,"fields":[…],"defaults":{…}}}}</code>
     *     and more; null: none
     * @param profiles the profiles with built-in schemas
     * @throws AccpException E1001: not JSON; E1002: a schema bound to an unknown intent; E1004: a
     *     member of the wrong kind, or names that clash
     */
    public Registry(String document, Profile... profiles) throws AccpException {
        this(null, document, profiles);
    }

    /**
     * Makes a registry.
     *
     * @param options may be null
     * @param document JSON; null: none
     * @param profiles the profiles with built-in schemas
     * @throws AccpException as {@link #Registry(String, Profile...)}
     */
    public Registry(Options options, String document, Profile... profiles) throws AccpException {
        this(Config.make(options, config -> Raw.accp_registry_new(Texts.orEmpty(document), Profile.bits(profiles), config)));
    }

    /**
     * Makes a registry with no document and the schemas of every profile.
     *
     * @return a registry; to be closed
     * @throws AccpException ERR_NOMEM
     */
    public static Registry ofAllProfiles() throws AccpException {
        return new Registry(null, EnumSet.allOf(Profile.class).toArray(new Profile[0]));
    }

    /**
     * Makes a registry from this one and a document of additions (specification 7.1:
     * RegisterSchema). This one does not change.
     *
     * @param document JSON
     * @return a new registry; to be closed
     * @throws AccpException as {@link #Registry(String, Profile...)}
     */
    public Registry add(String document) throws AccpException {
        return add(Texts.in(document, "document"));
    }

    /**
     * Adds a document of schemas.
     *
     * @param document as {@link #add(String)}, UTF-8
     * @return as for the overload with a {@code String}
     * @throws AccpException as {@link #add(String)}
     */
    public Registry add(byte[] document) throws AccpException {
        byte[] text = Texts.in(document, "document");
        return ask(handle -> new Registry(Raw.accp_registry_add(handle, text)));
    }

    /**
     * Makes the union of two registries; their order does not matter.
     *
     * @param other the other
     * @return a new registry; to be closed
     * @throws AccpException E1003 if they define one name or code differently; E1004 if their
     *     aliases clash
     */
    public Registry merge(Registry other) throws AccpException {
        Objects.requireNonNull(other, "other");
        return ask(handle -> other.ask(second -> new Registry(Raw.accp_registry_merge(handle, second))));
    }

    /**
     * Returns the changes from an older registry to this one.
     *
     * @param from the older; null: everything is new
     * @return <code>{"add":{a document},"del":[names of schemas],"changes":[…],"breaking":true or
     *     false}</code>
     * @throws AccpException ERR_NOMEM
     */
    public Json diffFrom(Registry from) throws AccpException {
        byte[] diff = ask(handle -> from == null ? Native.registryDiff(0, handle) : from.ask(older -> Native.registryDiff(older, handle)));
        return Json.read(diff);
    }

    /**
     * Describes this registry.
     *
     * @return its document, and everything in force
     * @throws AccpException never
     */
    public Info describe() throws AccpException {
        long[] numbers = new long[2];
        byte[][] texts = ask(handle -> Native.registryDescribe(handle, numbers));
        return new Info(Texts.out(texts[0]), Texts.out(texts[1]), Texts.out(texts[2]), numbers[0], (int) numbers[1]);
    }

    /**
     * Returns whether an operation is predefined or listed in the document. Unknown operations are
     * allowed: the vocabulary is open.
     *
     * @param operation its name
     * @return true if so
     * @throws AccpException E1004 for a lone surrogate
     */
    public boolean knowsOperation(String operation) throws AccpException {
        byte[] name = Texts.in(operation, "operation");
        return know(handle -> Raw.accp_registry_has_operation(handle, name) != 0);
    }

    /**
     * Returns the schemas in force: the document's in its order, then the built-in ones.
     *
     * @return the schemas
     * @throws AccpException never
     */
    public List<Schema> schemas() throws AccpException {
        List<Schema> schemas = new ArrayList<>();
        int count = describe().schemaCount();
        for (int i = 0; i < count; i++) {
            schemas.add(schema(i));
        }
        return schemas;
    }

    /**
     * The schema of a code.
     *
     * @param code such as {@code "TX"}
     * @return the schema
     * @throws AccpException E1003 if it does not exist
     */
    public Schema schema(String code) throws AccpException {
        byte[] text = Texts.in(code, "code");
        return schema((int) (long) ask(handle -> Raw.accp_registry_find(handle, text)));
    }

    /**
     * Returns the only schema that is bound to an intent and operation.
     *
     * @param intent the intent
     * @param operation the operation
     * @return the schema
     * @throws AccpException E1003 if none or more than one is bound
     */
    public Schema bound(Intent intent, String operation) throws AccpException {
        Objects.requireNonNull(intent, "intent");
        byte[] text = Texts.in(operation, "operation");
        return schema((int) (long) ask(handle -> Raw.accp_registry_find_bound(handle, intent.number, text)));
    }

    private Schema schema(int index) throws AccpException {
        return ask(handle -> {
            long[] numbers = new long[3];
            byte[][] texts = Native.registrySchema(handle, index, numbers);
            List<Field> fields = new ArrayList<>();
            for (int i = 0; i < numbers[1]; i++) {
                long[] field = new long[2];
                byte[][] names = Native.registryField(handle, index, i, field);
                fields.add(new Field(Texts.out(names[0]), Texts.out(names[1]), names[2].length == 0 ? null : Json.read(names[2]),
                        FieldType.of(field[0]), field[1] != 0));
            }
            return new Schema(Texts.out(texts[0]), Texts.out(texts[1]), numbers[0], numbers[2] != 0, List.copyOf(fields));
        });
    }

    /**
     * The description of a registry.
     *
     * @param document the original text
     * @param canonical everything in force with built-in schemas, in its hash form: also a valid
     *     document
     * @param hash the SHA-256 of that: 64 hexadecimal digits
     * @param version the document's own, 0 if it has none
     * @param schemaCount of the schemas in force
     */
    public record Info(String document, String canonical, String hash, long version, int schemaCount) {}

    /**
     * A schema.
     *
     * @param name its name
     * @param code its code
     * @param version its version
     * @param builtIn whether it comes from a profile and not from the document
     * @param fields in the order of the document
     */
    public record Schema(String name, String code, long version, boolean builtIn, List<Field> fields) {}

    /**
     * A field of a schema.
     *
     * @param name its name
     * @param wire its name in a frame
     * @param defaultValue null if it does not exist
     * @param type its type
     * @param required whether it is required
     */
    public record Field(String name, String wire, Json defaultValue, FieldType type, boolean required) {}
}
