// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared by the rules of the three interfaces: refusals and schemas of tools.

// The provider's response to a request that breaks a rule.
export class Refusal extends Error {
    constructor(message, { status = 400, type = "invalid_request_error", param = null, code = null } = {}) {
        super(message);
        Object.assign(this, { status, type, param, code });
    }
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const isCount = (value) => Number.isInteger(value) && value >= 1;

const kTypes = ["object", "array", "string", "number", "integer", "boolean", "null"];
const kSchemaMaps = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
const kSchemaLists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const kSchemas = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];

// Returns the fault of a JSON schema: a path and a reason; nothing if it is well formed.
export function schemaFault(schema, where = "schema") {
    if (typeof schema === "boolean") return undefined;
    if (!isObject(schema)) return `${where}: not an object or a boolean`;
    const types = schema.type === undefined ? [] : [schema.type].flat();
    if (schema.type !== undefined && !types.length) return `${where}.type: empty`;
    for (const type of types) if (!kTypes.includes(type)) return `${where}.type: ${JSON.stringify(type)} is not a type`;
    const { required, enum: values } = schema;
    if (required !== undefined && (!Array.isArray(required) || required.some((one) => typeof one !== "string") || new Set(required).size !== required.length)) {
        return `${where}.required: not a list of different strings`;
    }
    if (values !== undefined && !Array.isArray(values)) return `${where}.enum: not a list`;
    for (const key of ["$ref", "description", "title", "pattern", "format"])
        if (key in schema && typeof schema[key] !== "string") return `${where}.${key}: not a string`;
    return partsFault(schema, where);
}

function partsFault(schema, where) {
    const inner = [];
    for (const key of kSchemas) if (key in schema) inner.push([`${where}.${key}`, schema[key]]);
    for (const key of kSchemaMaps) {
        if (!(key in schema)) continue;
        if (!isObject(schema[key])) return `${where}.${key}: not an object`;
        for (const [name, one] of Object.entries(schema[key])) inner.push([`${where}.${key}.${name}`, one]);
    }
    for (const key of kSchemaLists) {
        if (!(key in schema)) continue;
        if (!Array.isArray(schema[key]) || !schema[key].length) return `${where}.${key}: not a list with members`;
        schema[key].forEach((one, at) => inner.push([`${where}.${key}[${at}]`, one]));
    }
    for (const [path, one] of inner) {
        const fault = schemaFault(one, path);
        if (fault) return fault;
    }
    return undefined;
}
