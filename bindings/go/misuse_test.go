// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// invoke calls a method with zero arguments (contexts are Background), and returns its error and
// panic.
func invoke(method reflect.Value, ctx context.Context) (err error, panicked any) {
	defer func() { panicked = recover() }()
	var arguments []reflect.Value
	of := method.Type()
	for i := 0; i < of.NumIn(); i++ {
		if of.IsVariadic() && i == of.NumIn()-1 {
			break
		}
		argument := reflect.New(of.In(i)).Elem()
		if of.In(i) == reflect.TypeOf(&ctx).Elem() && ctx != nil {
			argument.Set(reflect.ValueOf(ctx))
		}
		arguments = append(arguments, argument)
	}
	results := method.Call(arguments)
	if len(results) > 0 {
		err, _ = results[len(results)-1].Interface().(error)
	}
	return err, nil
}

var handles = []any{(*accp.Agents)(nil), (*accp.Batch)(nil), (*accp.Codec)(nil), (*accp.ContextPacket)(nil), (*accp.Counter)(nil), (*accp.Deadlines)(nil),
	(*accp.Engine)(nil), (*accp.Frame)(nil), (*accp.Library)(nil), (*accp.Negotiation)(nil), (*accp.PacketCode)(nil),
	(*accp.PacketIndex)(nil), (*accp.Panes)(nil), (*accp.Phrases)(nil), (*accp.PlanRun)(nil), (*accp.Presenter)(nil),
	(*accp.Registry)(nil), (*accp.Renderer)(nil), (*accp.SACP)(nil), (*accp.Scanner)(nil), (*accp.Session)(nil), (*accp.Store)(nil),
	(*accp.Streams)(nil), (*accp.Tokenizer)(nil), (*accp.Value)(nil)}

// No method of a handle that was never opened panics or succeeds. (Methods of a nil pointer panic,
// as for Go's own types.)
func TestHandlesThatWereNeverOpened(t *testing.T) {
	for _, one := range handles {
		of := reflect.TypeOf(one)
		handle := reflect.New(of.Elem())
		for i := 0; i < of.NumMethod(); i++ {
			method := of.Method(i)
			err, panicked := invoke(handle.Method(i), background)
			if panicked != nil {
				t.Errorf("%v.%s: %v", of, method.Name, panicked)
			}
			if fails(method) && err == nil && panicked == nil && method.Name != "Close" && !strings.HasSuffix(method.Name, "Err") {
				t.Errorf("%v.%s: no error", of, method.Name)
			}
		}
	}
}

// fails reports whether a method returns an error.
func fails(method reflect.Method) bool {
	of := method.Type
	return of.NumOut() > 0 && of.Out(of.NumOut()-1) == reflect.TypeOf((*error)(nil)).Elem()
}

func TestContextsThatAreNil(t *testing.T) {
	store := must(accp.OpenStore(background, "memory:", 0))
	engine := must(accp.NewEngine(accp.WithStore(store)))
	session := must(engine.Open(background, "s"))
	protocol := accp.NewProtocol(engine)
	phrases := must(accp.NewPhrases([]byte(`{"phrases":[]}`), must(accp.NewLibrary(nil))))
	run := must(accp.NewPlanRun(planOf(`[["a","A",{}]]`)))
	asked, contexts := 0, reflect.TypeOf((*context.Context)(nil)).Elem()
	for _, handle := range []any{store, engine, session, protocol, phrases, run} {
		of := reflect.TypeOf(handle)
		for i := 0; i < of.NumMethod(); i++ {
			if method := of.Method(i); method.Type.NumIn() > 1 && method.Type.In(1) == contexts {
				asked++
				if method.Type.NumOut() > 0 && method.Type.Out(0).Kind() == reflect.Func {
					continue // an iterator returns the errors of the methods that it calls
				}
				err, panicked := invoke(reflect.ValueOf(handle).Method(i), nil)
				if panicked != nil || !errors.Is(err, accp.ErrArgument) && !errors.Is(err, accp.ErrClosed) {
					t.Errorf("%v.%s: %v, panicked with %v", of, method.Name, err, panicked)
				}
			}
		}
	}
	_, err := accp.OpenStore(nil, "memory:", 0) //lint:ignore SA1012 that is what is tested
	wants(t, err, accp.ErrArgument)
	if asked < 50 {
		t.Error("only", asked)
	}
}

func TestOptionsThatAreNil(t *testing.T) {
	_, err := accp.NewEngine(accp.WithRule(accp.RuleDurable, 1), nil)
	if wants(t, err, accp.ErrArgument); !strings.Contains(fmt.Sprint(err), "option 2 of 2") {
		t.Error(err)
	}
}

// Close is one thing, and the end of a session another.
func TestClosedAndEndedAreTwoThings(t *testing.T) {
	engine := must(accp.NewEngine())
	older := must(engine.Open(background, "s"))
	newer := must(engine.Open(background, "s"))
	for name, session := range map[string]*accp.Session{"shut out": older, "ended": newer} {
		if name == "ended" {
			fine(t, session.End(background))
		}
		err := session.Append(background, []byte(plan))
		if !errors.Is(err, accp.ErrSessionClosed) || errors.Is(err, accp.ErrClosed) || accp.CodeOf(err) != accp.CodeSessionClosed {
			t.Errorf("%s: %v", name, err)
		}
	}
	fine(t, newer.Close())
	err := newer.Append(background, []byte(plan))
	if !errors.Is(err, accp.ErrClosed) || errors.Is(err, accp.ErrSessionClosed) || accp.CodeOf(err) != accp.CodeClosed {
		t.Error(err)
	}
}
