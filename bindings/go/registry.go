// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"encoding/json"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// Intent is one of the twelve intents (specification 4.1).
type Intent int

const (
	IntentReq    Intent = capi.ACCP_INTENT_REQ
	IntentDone   Intent = capi.ACCP_INTENT_DONE
	IntentFail   Intent = capi.ACCP_INTENT_FAIL
	IntentWait   Intent = capi.ACCP_INTENT_WAIT
	IntentEsc    Intent = capi.ACCP_INTENT_ESC
	IntentComp   Intent = capi.ACCP_INTENT_COMP
	IntentSync   Intent = capi.ACCP_INTENT_SYNC
	IntentQry    Intent = capi.ACCP_INTENT_QRY
	IntentAck    Intent = capi.ACCP_INTENT_ACK
	IntentCancel Intent = capi.ACCP_INTENT_CANCEL
	IntentStream Intent = capi.ACCP_INTENT_STREAM
	IntentEnd    Intent = capi.ACCP_INTENT_END
)

// ParseIntent returns the intent of a code ("req"); ErrInvalidIntent for any other text.
func ParseIntent(code string) (Intent, error) {
	if intent := capi.Accp_intent_find(code); intent >= 0 {
		return Intent(intent), nil
	}
	return -1, &Error{Code: CodeInvalidIntent, Message: codes[CodeInvalidIntent].meaning}
}

// String returns the intent's code: "req".
func (i Intent) String() string { return capi.Static(capi.Accp_intent_name(int(i))) }

// Operations returns the predefined operations: first the core of specification 4.3, then the
// others that it uses.
func Operations() []string {
	var names []string
	for i := 0; ; i++ {
		name := capi.Static(capi.Accp_operation_name(i))
		if name == "" {
			return names
		}
		names = append(names, name)
	}
}

// Profiles (specification 10), as bits: each adds its schema. The error schema ER is always
// present.
type Profiles uint32

const (
	ProfileChat        Profiles = capi.ACCP_PROFILE_CHAT        // CH
	ProfileTool        Profiles = capi.ACCP_PROFILE_TOOL        // TC
	ProfileTransaction Profiles = capi.ACCP_PROFILE_TRANSACTION // TX
	ProfileStream      Profiles = capi.ACCP_PROFILE_STREAM      // ST
	ProfileWorkflow    Profiles = capi.ACCP_PROFILE_WORKFLOW    // TA
	AllProfiles        Profiles = capi.ACCP_PROFILE_ALL
)

// FieldType is the type of a schema's field. A ref and null are always allowed.
type FieldType int

const (
	FieldAny     FieldType = capi.ACCP_FIELD_ANY
	FieldString  FieldType = capi.ACCP_FIELD_STRING
	FieldInteger FieldType = capi.ACCP_FIELD_INTEGER
	FieldDecimal FieldType = capi.ACCP_FIELD_DECIMAL
	FieldNumber  FieldType = capi.ACCP_FIELD_NUMBER
	FieldBoolean FieldType = capi.ACCP_FIELD_BOOLEAN
	FieldArray   FieldType = capi.ACCP_FIELD_ARRAY
	FieldObject  FieldType = capi.ACCP_FIELD_OBJECT
)

// SchemaInfo describes a schema in force.
type SchemaInfo struct {
	Name, Code string
	Version    int64
	BuiltIn    bool // from a profile, not from the document
	Fields     []FieldInfo
}

// FieldInfo describes a field of a schema.
type FieldInfo struct {
	Name     string
	Wire     string          // its name in a frame
	Default  json.RawMessage // nil: none
	Type     FieldType
	Required bool
}

// Registry is the shared knowledge of two agents: schemas, operations, short keys. It is constant:
// any number of goroutines may use one.
type Registry struct{ *shared }

func newRegistry(options []Option, construct constructor) (*Registry, error) {
	h, err := openShared(capi.Accp_registry_free, options, construct)
	if err != nil {
		return nil, err
	}
	return &Registry{h}, nil
}

// sharedRegistry takes over one reference to a C registry; nil for none.
func sharedRegistry(p unsafe.Pointer) *Registry {
	if p == nil {
		return nil
	}
	return &Registry{newShared(capi.Accp_registry_share(p), capi.Accp_registry_free, nil)}
}

// NewRegistry makes a registry from the schemas of profiles and of a document (docs/registry.md;
// nil: none). The document's schemas replace others of the same code or name. The error's offset is
// a byte of the document.
func NewRegistry(profiles Profiles, document []byte, options ...Option) (*Registry, error) {
	return newRegistry(options, func(config, out, err unsafe.Pointer) int {
		return capi.Accp_registry_new(capi.Text(document), uint(profiles), config, out, err)
	})
}

// Add makes a registry from this one and a document of additions.
func (r *Registry) Add(document []byte) (*Registry, error) {
	if err := r.acquire(); err != nil {
		return nil, err
	}
	defer r.release()
	return newRegistry(nil, func(_, out, err unsafe.Pointer) int {
		return capi.Accp_registry_add(r.ptr, capi.Text(document), out, err)
	})
}

// Merge makes the union of two registries, with the higher version of each schema. It returns
// ErrUnknownSchema if they define one name differently.
func (r *Registry) Merge(other *Registry) (*Registry, error) {
	if other == nil {
		return nil, errClosed
	}
	if err := other.acquire(); err != nil {
		return nil, err
	}
	defer other.release()
	if err := r.acquire(); err != nil {
		return nil, err
	}
	defer r.release()
	return newRegistry(nil, func(_, out, err unsafe.Pointer) int { return capi.Accp_registry_merge(r.ptr, other.ptr, out, err) })
}

// Diff returns the changes from another registry to r, {"add":{a
// document},"del":[names],"changes":[…],"breaking":bool}, and their effect on users of the other
// one. from may be nil: everything is new.
func (r *Registry) Diff(from *Registry) (json.RawMessage, error) {
	var base unsafe.Pointer
	if from != nil {
		if err := from.acquire(); err != nil {
			return nil, err
		}
		defer from.release()
		base = from.ptr
	}
	value, err := NewValue()
	if err != nil {
		return nil, err
	}
	defer value.Close()
	err = value.change(func(v unsafe.Pointer) error {
		return r.do(func(p unsafe.Pointer, s *capi.Scratch) int { return capi.Accp_registry_diff(base, p, v, s.Err()) })
	})
	if err != nil {
		return nil, err
	}
	return value.JSON()
}

// RegistryInfo describes a registry.
type RegistryInfo struct {
	Document  string // the given document; after Add, compact JSON
	Canonical string // everything in force, in its hash form: also a valid document
	Hash      string // the SHA-256 of Canonical, 64 hexadecimal digits: equal exactly for equal registries
	Version   int64  // the document's "version", 0 if it has none
}

// Describe returns the description; the zero RegistryInfo if it is closed.
func (r *Registry) Describe() (info RegistryInfo) {
	_ = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		status := capi.Accp_registry_describe(p, s.RoomOut(), s.Err())
		if status == 0 {
			from := (*capi.RegistryInfo)(s.RoomOut())
			info = RegistryInfo{from.Text.String(), from.Canonical.String(), from.Hash.String(), from.Version}
		}
		return status
	})
	return info
}

// KnowsOperation reports whether an operation is predefined or listed in the document. Unknown
// operations are allowed: the vocabulary is open.
func (r *Registry) KnowsOperation(name string) (yes bool) {
	_ = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		yes = capi.Accp_registry_has_operation(p, name) != 0
		return 0
	})
	return yes
}

// Schemas returns the schemas in force: the document's in its order, then the built-in ones.
func (r *Registry) Schemas() ([]SchemaInfo, error) {
	var out []SchemaInfo
	err := r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		if status := capi.Accp_registry_describe(p, s.RoomOut(), s.Err()); status != 0 {
			return status
		}
		count := uint((*capi.RegistryInfo)(s.RoomOut()).SchemaCount)
		for i := uint(0); i < count; i++ {
			info, status := schemaInfo(p, i, s)
			if status != 0 {
				return status
			}
			out = append(out, info)
		}
		return 0
	})
	return out, err
}

// Find returns the schema of a code, or ErrUnknownSchema.
func (r *Registry) Find(code string) (SchemaInfo, error) {
	return r.one(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_registry_find(p, code, s.NumberOut(), s.Err())
	})
}

// Bound returns the only schema that is bound to an intent and an operation; ErrUnknownSchema if
// none or more than one is bound.
func (r *Registry) Bound(intent Intent, operation string) (SchemaInfo, error) {
	return r.one(func(p unsafe.Pointer, s *capi.Scratch) int {
		return capi.Accp_registry_find_bound(p, int(intent), operation, s.NumberOut(), s.Err())
	})
}

func (r *Registry) one(find func(p unsafe.Pointer, s *capi.Scratch) int) (info SchemaInfo, err error) {
	err = r.do(func(p unsafe.Pointer, s *capi.Scratch) int {
		s.Number = 0
		status := find(p, s)
		if status == 0 {
			info, status = schemaInfo(p, uint(*(*uint32)(s.NumberOut())), s)
		}
		return status
	})
	return info, err
}

func schemaInfo(p unsafe.Pointer, index uint, s *capi.Scratch) (SchemaInfo, int) {
	schema := (*capi.Schema)(s.RoomOut())
	if status := capi.Accp_registry_schema(p, index, s.RoomOut(), s.Err()); status != 0 {
		return SchemaInfo{}, status
	}
	info := SchemaInfo{Name: schema.Name.String(), Code: schema.Code.String(), Version: schema.Version, BuiltIn: schema.BuiltIn != 0}
	count := uint(schema.FieldCount)
	for i := uint(0); i < count; i++ {
		field := (*capi.Field)(s.RoomOut())
		if status := capi.Accp_registry_field(p, index, i, s.RoomOut(), s.Err()); status != 0 {
			return SchemaInfo{}, status
		}
		out := FieldInfo{Name: field.Name.String(), Wire: field.Wire.String(), Type: FieldType(field.Kind), Required: field.Required != 0}
		if field.DefaultJSON.Len > 0 {
			out.Default = json.RawMessage(field.DefaultJSON.String())
		}
		info.Fields = append(info.Fields, out)
	}
	return info, 0
}
