// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// side is one of a negotiation.
type side struct {
	Agent, Registry, Name string
	Extensions            []string
}

// options are those of a handle in bindings.jsonl.
type options struct {
	Dialect    string
	Extensions *[]string
	Abbreviate bool
	KeepRefs   bool `json:"keep_refs"`
	Limits     map[string]uint64
	Ignore     []string
}

// peer is one that a text comes from; an agent "*" is any.
type peer struct {
	Agents    []string
	Untrusted bool
}

func (p *peer) given() *accp.Peer {
	if p == nil {
		return nil
	}
	given := &accp.Peer{Untrusted: p.Untrusted}
	for _, name := range p.Agents {
		if name == "*" {
			given.Any = true
		} else {
			given.Agents = append(given.Agents, name)
		}
	}
	return given
}

// step is one step of bindings.jsonl; tests/system/vectors/README.md describes it.
type step struct {
	Do, Name, Of, With, Text, Tokenizer, Code, Schema, Mid, Cid, Agent, Operation, Message, Detail, Source, Data, Path, ID, From, Store, Engine string
	Registry, Ref, Who, Prefix, Interface, Request, Agreement, Task, Creator, Form, How, Old, Note, Question, Packet, Branch                    string
	Options                                                                                                                                     options
	Peer                                                                                                                                        *peer
	Own                                                                                                                                         []string
	Extensions                                                                                                                                  []string
	Left, Right                                                                                                                                 side
	Refs                                                                                                                                        map[string]string
	Tools                                                                                                                                       map[string]string
	Deny, Redact                                                                                                                                []string
	Keep                                                                                                                                        any
	Log, Events, Counts, Untrusted, Local, Unverified                                                                                           bool
	MarkDefaults                                                                                                                                bool   `json:"mark_defaults"`
	IsFinal                                                                                                                                     bool   `json:"is_final"`
	MaxTokens                                                                                                                                   uint64 `json:"max_tokens"`
	MaxBytes                                                                                                                                    uint32 `json:"max_bytes"`
	BudgetTokens                                                                                                                                uint64 `json:"budget_tokens"`
	NowMs                                                                                                                                       int64  `json:"now_ms"`
	ExpiresMs                                                                                                                                   int64  `json:"expires_ms"`
	Number, When, Now, Index, Total, Seq, Ts                                                                                                    int64
	Layers, Recent, Older                                                                                                                       uint32
	ThresholdPercent                                                                                                                            uint32 `json:"threshold_percent"`
	MinFiles                                                                                                                                    uint32 `json:"min_files"`
	Letter, Issuer, Flags, Strict                                                                                                               uint32
	Depth                                                                                                                                       int32
	Counter                                                                                                                                     uint64
	Profiles                                                                                                                                    *uint32
	Rules                                                                                                                                       map[string]int64
	Gives                                                                                                                                       json.RawMessage
}

type give = map[string]any

var bits = map[string]accp.Extensions{"q1": accp.Q1, "t1": accp.T1, "u8": accp.U8Text, "p1": accp.P1, "w1": accp.W1}

func extensions(names []string) (all accp.Extensions) {
	for _, name := range names {
		all |= bits[name]
	}
	return all
}

func (o options) list() []accp.Option {
	var list []accp.Option
	if o.Dialect != "" {
		list = append(list, accp.WithDialect(map[string]accp.Dialect{"strict": accp.Strict, "compat": accp.Compat, "u8": accp.U8}[o.Dialect]))
	}
	if o.Extensions != nil {
		list = append(list, accp.WithExtensions(extensions(*o.Extensions)))
	}
	list = append(list, accp.WithRule(accp.RuleAbbreviate, number(o.Abbreviate)), accp.WithRule(accp.RuleKeepRefs, number(o.KeepRefs)))
	for limit := accp.LimitFrameBytes; limit.String() != ""; limit++ {
		if value, ok := o.Limits[limit.String()]; ok {
			list = append(list, accp.WithLimit(limit, value))
		}
	}
	return append(list, accp.WithIgnored(o.Ignore...))
}

// world is the handles of one case, by name.
type world struct {
	frames     map[string]*accp.Frame
	coders     map[string]*accp.Codec // of the same names and options
	packets    map[string]*accp.ContextPacket
	indexes    map[string]*accp.PacketIndex
	registries map[string]*accp.Registry
	codecs     map[string]*accp.Codec
	logs       map[string]*[]string
	streams    map[string]*accp.Streams
	deadlines  map[string]*accp.Deadlines
	stores     map[string]*accp.Store
	engines    map[string]*accp.Engine
	sessions   map[string]*accp.Session
	agreed     map[string]accp.Agreement
	now        time.Time
}

func newWorld() *world {
	return &world{map[string]*accp.Frame{}, map[string]*accp.Codec{}, map[string]*accp.ContextPacket{}, map[string]*accp.PacketIndex{}, map[string]*accp.Registry{}, map[string]*accp.Codec{}, map[string]*[]string{}, map[string]*accp.Streams{},
		map[string]*accp.Deadlines{}, map[string]*accp.Store{}, map[string]*accp.Engine{}, map[string]*accp.Session{},
		map[string]accp.Agreement{}, noon}
}

func number(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// refusal is an error as the vectors have it.
func refusal(err error) give {
	var known *accp.Error
	if !errors.As(err, &known) {
		return give{"error": err.Error()}
	}
	if errors.Is(err, accp.ErrHeld) || errors.Is(err, accp.ErrDropped) {
		return give{"status": known.Code.String()}
	}
	return give{"status": known.Code.String(), "offset": known.Offset, "message": known.Message}
}

func out[T ~[]byte | ~string](text T, err error) (give, error) { return give{"out": string(text)}, err }
func nothing(err error) (give, error)                          { return give{}, err }

var background = context.Background()

func (w *world) run(s step) (give, error) {
	for _, part := range []func(step) (give, error, bool){w.runFrames, w.runPackets, w.runPacketIndexes, w.runRegistries, w.runCodecs, w.runStreams, w.runStores, w.runSessions} {
		if answer, err, known := part(s); known {
			return answer, err
		}
	}
	return nil, fmt.Errorf("no step %q", s.Do)
}

func (w *world) runFrames(s step) (answer give, err error, known bool) {
	known = true
	switch s.Do {
	case "status":
		code := accp.Code(s.Number)
		spelled := code.String()
		if code.Name() == "UNKNOWN" { // where Go shows the number
			spelled = "UNKNOWN"
		}
		answer = give{"code": spelled, "name": code.Name(), "meaning": code.Meaning(), "retryable": number(code.Retryable()), "category": int(code.Category())}
	case "json":
		value := must(accp.NewValue(s.Options.list()...))
		defer value.Close()
		var form []byte
		if err = value.Parse([]byte(s.Text)); err == nil {
			form, err = value.HashForm()
			answer = give{"out": string(must(value.JSON())), "hash_form": string(form)}
		}
	case "frame":
		w.coders[s.Name] = must(accp.NewCodec(s.Options.list()...))
		w.frames[s.Name], err = accp.NewFrame(s.Options.list()...)
		answer = give{}
	case "parse":
		f := w.frames[s.Of]
		if err = f.Parse(s.Text); err == nil {
			answer = give{"agent": f.Agent(), "intent": f.Intent(), "operation": f.Operation(), "nodes": len(f.Nodes()), "canonical": nil}
			if text, err := f.Canonical(); err == nil {
				answer["canonical"] = text
			}
		}
	case "envelope":
		f, e := w.frames[s.Of], accp.Envelope{}
		if err = f.Parse(s.Text); err == nil {
			e, err = f.Envelope()
			answer = give{"fields": e.Fields, "mid": e.Mid, "seq": e.Seq, "ts": e.Ts, "cid": e.Cid, "aid": e.Aid, "sid": e.Sid, "ttl": e.TTL}
		}
	case "frame_encode":
		answer, err = out(w.coders[s.Of].Encode([]byte(s.Text)))
	case "frame_decode":
		answer, err = out(w.coders[s.Of].Decode([]byte(s.Text)))
	case "traceparent":
		answer, err = out(accp.Traceparent(s.Cid, s.Mid))
	case "mid_format":
		answer, err = out(accp.Mid('a'+byte(s.Letter), s.Issuer, s.Counter))
	case "batch_parse", "batch_encode", "batch_decode":
		answer, err = batch(s)
	case "render", "render_frame", "render_parse":
		answer, err = render(s)
	case "count":
		counter := must(must(accp.NewTokenizer(s.Tokenizer)).NewCounter())
		ids := must(counter.Encode(s.Text))
		if ids == nil {
			ids = []uint32{}
		}
		answer = give{"tokens": must(counter.Count(s.Text)), "ids": ids}
	default:
		known = false
	}
	return answer, err, known
}

func batch(s step) (give, error) {
	b := must(accp.NewBatch(s.Options.list()...))
	defer b.Close()
	var records []accp.Record
	var err error
	switch s.Do {
	case "batch_parse":
		records, err = b.Parse(s.Text)
	case "batch_encode":
		records, err = b.Encode([]byte(s.Text))
	default:
		records, err = b.Decode([]byte(s.Text))
	}
	list, at := []any{}, 0
	lines := strings.Split(s.Text, "\n")
	for i, record := range records {
		switch {
		case record.Err != nil:
			list = append(list, refusal(record.Err))
		case s.Do == "batch_parse":
			list = append(list, give{"nodes": len(record.Nodes()), "at": at})
		default:
			list = append(list, give{"out": string(record.Bytes)})
		}
		at += len(lines[i]) + 1
	}
	return give{"records": list}, err
}

func render(s step) (give, error) {
	r := must(accp.NewRenderer(s.Options.list()...))
	defer r.Close()
	switch s.Do {
	case "render":
		return out(r.JSON([]byte(s.Text), accp.RenderFlags(s.Flags)))
	case "render_frame":
		return out(r.Frame([]byte(s.Text), accp.RenderFlags(s.Flags)))
	}
	return out(r.Parse(s.Text))
}

func (w *world) runPackets(s step) (answer give, err error, known bool) {
	p := w.packets[s.Of]
	switch s.Do {
	case "packet":
		w.packets[s.Name], err = accp.NewContextPacket(s.Options.list()...)
		return give{}, err, true
	case "packet_read":
		if s.Unverified {
			err = p.ReadUnverified([]byte(s.Text))
		} else {
			err = p.Read([]byte(s.Text))
		}
	case "packet_generate":
		var form accp.Interface
		if s.Interface != "" {
			form, _ = accp.FindInterface(s.Interface)
		}
		err = p.Generate(accp.PacketRequest{Task: s.Task, Conversation: []byte(s.Text), Interface: form, Depth: accp.PacketDepth(s.Depth), BudgetTokens: s.BudgetTokens,
			Creator: s.Creator, At: time.UnixMilli(s.NowMs)})
	case "packet_seal":
		err = p.Seal()
	case "packet_print":
		answer, err = printed(p, s.Form)
		return answer, err, true
	case "packet_less":
		err = shorten(p, s)
	case "packet_revise":
		err = p.Revise(w.packets[s.Old], s.Note)
	case "packet_diff":
		answer, err = out(p.Diff(w.packets[s.Old]))
		return answer, err, true
	case "packet_layers":
		text, tokens, err := p.Layers(accp.PacketLayers(s.Layers))
		return give{"out": text, "tokens": tokens}, err, true
	default:
		return nil, nil, false
	}
	return give{"checksum": p.Checksum(), "tokens": p.TokenCount(), "warnings": uint32(p.Warnings())}, err, true
}

func shorten(p *accp.ContextPacket, s step) error {
	switch s.How {
	case "filter":
		return p.Filter(s.Task, float64(s.ThresholdPercent)/100)
	case "fade":
		return p.Fade(s.Recent, s.Older)
	case "patterns":
		return p.ExtractPatterns(s.MinFiles)
	}
	return p.MergeDecisions()
}

func (w *world) runPacketIndexes(s step) (answer give, err error, known bool) {
	known = true
	switch s.Do {
	case "packet_index":
		w.indexes[s.Name], err = accp.NewPacketIndex(s.Options.list()...)
		answer = give{}
	case "packet_add":
		err = w.indexes[s.Of].Add(w.packets[s.Packet])
		answer = give{"size": w.indexes[s.Of].Len()}
	case "packet_query":
		answer, err = out(w.indexes[s.Of].QueryJSON(s.Question, s.From))
	default:
		known = false
	}
	return answer, err, known
}

func printed(p *accp.ContextPacket, form string) (give, error) {
	switch form {
	case "json":
		return out(p.JSON())
	case "yaml":
		return out(p.YAML())
	}
	return out(p.Prompt())
}

func (w *world) runRegistries(s step) (answer give, err error, known bool) {
	known = true
	switch s.Do {
	case "registry":
		profiles := accp.AllProfiles
		if s.Profiles != nil {
			profiles = accp.Profiles(*s.Profiles)
		}
		var r *accp.Registry
		if r, err = accp.NewRegistry(profiles, []byte(s.Text), s.Options.list()...); err != nil {
			break
		}
		w.registries[s.Name] = r
		schemas := []string{}
		for _, schema := range must(r.Schemas()) {
			schemas = append(schemas, schema.Code)
		}
		info := r.Describe()
		answer = give{"hash": info.Hash, "version": info.Version, "schemas": schemas}
	case "schema":
		var info accp.SchemaInfo
		info, err = w.registries[s.Of].Find(s.Code)
		fields := []any{}
		for _, f := range info.Fields {
			fields = append(fields, give{"name": f.Name, "wire": f.Wire, "default": string(f.Default), "type": int(f.Type), "required": number(f.Required)})
		}
		answer = give{"name": info.Name, "version": info.Version, "built_in": number(info.BuiltIn), "fields": fields}
	case "merge":
		var merged *accp.Registry
		if merged, err = w.registries[s.Of].Merge(w.registries[s.With]); err == nil {
			answer = give{"hash": merged.Describe().Hash}
		}
	case "negotiate":
		answer, err = w.negotiate(s)
	default:
		known = false
	}
	return answer, err, known
}

func (w *world) negotiate(s step) (give, error) {
	var sides [2]*accp.Negotiation
	for i, side := range []side{s.Left, s.Right} {
		n, err := accp.NewNegotiation(side.Agent, accp.WithRegistry(w.registries[side.Registry]), accp.WithExtensions(extensions(side.Extensions)))
		if err != nil {
			return nil, err
		}
		defer n.Close()
		sides[i] = n
	}
	frames := []string{}
	for quiet, turn := 0, 0; quiet < 2; turn = 1 - turn {
		frame, err := sides[turn].NextFrame()
		if err != nil {
			return nil, err
		}
		if len(frame) == 0 {
			quiet++
			continue
		}
		quiet = 0
		frames = append(frames, string(frame))
		if err := sides[1-turn].Receive(frame); err != nil {
			return nil, err
		}
	}
	answer := give{"frames": frames}
	for i, name := range []string{"left", "right"} {
		agreed, hash := sides[i].Agreement(), ""
		w.agreed[[]side{s.Left, s.Right}[i].Name] = agreed
		if agreed.Registry != nil {
			hash = agreed.Registry.Describe().Hash
		}
		answer[name] = give{"state": int(agreed.State), "extensions": agreed.Extensions, "features": agreed.Features, "hash": hash}
	}
	return answer, nil
}

func (w *world) runCodecs(s step) (answer give, err error, known bool) {
	known = true
	c := w.codecs[s.Of]
	switch s.Do {
	case "codec":
		answer, err = nothing(w.makeCodec(s))
	case "encode":
		var frame []byte
		if frame, err = c.Encode([]byte(s.Text)); err == nil {
			outcome := c.Outcome()
			answer = give{"out": string(frame), "warnings": outcome.Warnings, "tokens": must(c.Budget()).Total.Tokens, "kept": outcome.Kept}
		}
	case "codec_reply":
		answer, err = out(c.Reply([]byte(s.Request), []byte(s.Text)))
		answer["warnings"] = c.Outcome().Warnings
	case "decode":
		var message []byte
		message, err = c.Decode([]byte(s.Text))
		answer = give{"out": string(message), "warnings": c.Outcome().Warnings}
	case "register_schema":
		if err = c.RegisterSchema([]byte(s.Text)); err == nil {
			answer = give{"hash": c.Registry().Describe().Hash}
		}
	case "retry":
		e := accp.Envelope{Mid: s.Mid, Seq: s.Seq, Ts: s.Ts}
		if s.Mid != "" {
			e.Fields |= accp.HasMid
		}
		if s.Seq != 0 {
			e.Fields |= accp.HasSeq
		}
		if s.Ts != 0 {
			e.Fields |= accp.HasTs
		}
		answer, err = out(c.Retry([]byte(s.Text), e))
	case "log":
		log := w.logs[s.Of]
		answer = give{"lines": append([]string{}, *log...)}
		*log = nil
	case "failure_encode":
		code := accp.Code(0)
		for _, n := range []accp.Code{1001, 1002, 1003, 1004, 2001, 2002, 2003, 3001, 3002, 3003, 4001, 4002, 4003, 5001, 5002, 9999, -1, -2, -3, -4, -5, -6, -7} {
			if n.String() == s.Code {
				code = n
			}
		}
		answer, err = out(c.EncodeFailure(accp.Failure{Code: code, Agent: s.Agent, Message: s.Message, Detail: s.Detail, Source: s.Source, Cid: s.Cid}))
	case "failure_decode":
		var f *accp.Failure
		if f, err = c.DecodeFailure([]byte(s.Text)); f == nil {
			f = &accp.Failure{}
		}
		answer = give{"code": int(f.Code), "retry": number(f.Retry), "agent": f.Agent, "message": f.Message, "detail": f.Detail, "source": f.Source, "cid": f.Cid}
	case "chunks":
		answer, err = chunks(c, s)
	default:
		known = false
	}
	return answer, err, known
}

func chunks(c *accp.Codec, s step) (give, error) {
	cut, err := accp.CutChunks(s.Cid, s.Text, s.MaxBytes)
	if err != nil {
		return nil, err
	}
	frames := []string{}
	for _, chunk := range cut {
		frame, err := c.EncodeChunk(s.Agent, s.Operation, chunk)
		if err != nil {
			return nil, err
		}
		frames = append(frames, string(frame))
	}
	return give{"frames": frames}, nil
}

func (w *world) makeCodec(s step) error {
	list := append(s.Options.list(), accp.WithRegistry(w.registries[s.Registry]), accp.WithExtensions(extensions(s.Extensions)), accp.WithSchema(s.Schema),
		accp.WithStrictness(accp.Strictness(s.Strict)), accp.WithRule(accp.RuleMaxTokens, int64(s.MaxTokens)),
		accp.WithRule(accp.RuleMarkDefaults, number(s.MarkDefaults)), accp.WithRedacted(s.Redact...), accp.WithHooks(w.hooks(s)))
	if s.Counts {
		list = append(list, accp.WithTokenizer(must(accp.NewTokenizer("o200k_base"))))
	}
	c, err := accp.NewCodec(list...)
	if err != nil {
		return err
	}
	w.codecs[s.Name] = c
	return c.SetUntrusted(s.Untrusted)
}

func (w *world) hooks(s step) (hooks accp.Hooks) {
	known, kept := map[string]string{}, map[string]string{}
	for ref, value := range s.Refs {
		known[ref] = value
	}
	if s.Refs != nil || s.Keep != nil {
		hooks.Resolve = func(_ context.Context, ref string) (json.RawMessage, error) {
			if value, ok := known[ref]; ok {
				return json.RawMessage(value), nil
			}
			return nil, accp.ErrRefNotFound
		}
	}
	if s.Keep != nil {
		hooks.Keep = func(value json.RawMessage) (string, error) {
			if _, ok := kept[string(value)]; !ok {
				kept[string(value)] = fmt.Sprintf("cold.k%d", len(kept)+1)
				known[kept[string(value)]] = string(value)
			}
			return kept[string(value)], nil
		}
	}
	if s.Tools != nil {
		hooks.CheckTool = func(name string, _ json.RawMessage) error {
			switch code := s.Tools[name]; code {
			case "OK":
				return nil
			case "E4003":
				return accp.ErrToolSchemaMismatch
			}
			return accp.ErrToolNotFound
		}
	}
	if s.Deny != nil {
		hooks.CheckPolicy = func(asked accp.PolicyCase) error {
			for _, operation := range s.Deny {
				if asked.Operation == operation {
					return accp.ErrPolicyDenied
				}
			}
			return nil
		}
	}
	if s.Log {
		lines := &[]string{}
		w.logs[s.Name] = lines
		hooks.Log = func(received bool, code accp.Code, text string) {
			way := "sent"
			if received {
				way = "received"
			}
			*lines = append(*lines, way+" "+code.String()+" "+text)
		}
	}
	if s.Events {
		lines := &[]string{}
		w.logs[s.Name] = lines
		hooks.Event = func(e accp.Event) {
			*lines = append(*lines, fmt.Sprint(int(e.Kind), " ", e.Code.String(), " ", number(e.Received), " ", e.Seq, " ", e.Bytes, " ", e.Tokens, " ", strings.Join([]string{e.Session, e.Agent, e.Mid, e.Cid, e.Aid}, "|")))
		}
	}
	return hooks
}

func (w *world) runStreams(s step) (answer give, err error, known bool) {
	known = true
	part := func(p accp.StreamPart, err error) (give, error) {
		return give{"data": p.Data, "whole": p.Whole, "chunks": p.Chunks, "state": int(p.State)}, err
	}
	r, d := w.streams[s.Of], w.deadlines[s.Of]
	switch s.Do {
	case "stream":
		w.streams[s.Name], err = accp.NewStreams(s.Options.list()...)
		answer = give{}
	case "stream_add":
		answer, err = part(r.Add(accp.Chunk{Cid: s.Cid, Data: s.Data, Index: s.Index, Total: s.Total, Final: s.IsFinal}))
	case "stream_receive":
		answer, err = part(r.Receive([]byte(s.Text)))
	case "stream_end":
		answer, err = part(r.End(s.Cid))
	case "deadline":
		w.deadlines[s.Name], err = accp.NewDeadlines(s.Options.list()...)
		answer = give{}
	case "deadline_start":
		answer, err = nothing(d.Start(s.Cid, time.UnixMilli(s.When)))
	case "deadline_extend":
		answer, err = nothing(d.Extend(s.Cid, time.UnixMilli(s.When)))
	case "deadline_answer":
		answer, err = nothing(d.Answer(s.Cid))
	case "deadline_expire":
		var cids []string
		cids, err = d.Expire(time.UnixMilli(s.Now))
		next := int64(1<<63 - 1)
		if at := d.Next(); !at.IsZero() {
			next = at.UnixMilli()
		}
		answer = give{"expired": append([]string{}, cids...), "next": next}
	default:
		known = false
	}
	return answer, err, known
}

func (w *world) runStores(s step) (answer give, err error, known bool) {
	known = true
	st := w.stores[s.Of]
	switch s.Do {
	case "store":
		w.stores[s.Name], err = accp.OpenStore(background, s.Path, 0, s.Options.list()...)
		answer = give{}
	case "store_sessions":
		ids := []string{}
		err = st.EachSession(background, func(id string) bool { ids = append(ids, id); return true })
		answer = give{"ids": ids}
	case "store_stats":
		var n accp.StoreCounts
		n, err = st.Counts(background)
		answer = give{"sessions": n.Sessions, "records": n.Records, "mids": n.Mids, "grants": n.Grants}
	case "store_export":
		var to bytes.Buffer
		err = st.Export(background, s.ID, &to)
		answer = give{"lines": bytes.Count(to.Bytes(), []byte("\n"))}
	case "store_import":
		text := []byte(s.Text)
		if s.From != "" {
			var to bytes.Buffer
			if err = w.stores[s.From].Export(background, s.ID, &to); err != nil {
				break
			}
			text = to.Bytes()
		}
		answer, err = nothing(st.Import(background, text))
	case "store_erase":
		answer, err = nothing(st.RemoveSession(background, s.ID))
	case "store_prune":
		var gone uint64
		gone, err = st.Prune(background, time.UnixMilli(s.NowMs), uint64(asNumber(s.Keep)))
		answer = give{"pruned": gone}
	case "store_verify":
		_, err = st.Verify(background)
		answer = give{}
	default:
		known = false
	}
	return answer, err, known
}

func (w *world) engine(s step) (*accp.Engine, error) {
	list := append(s.Options.list(), accp.WithRegistry(w.registries[s.Registry]), accp.WithExtensions(extensions(s.Extensions)),
		accp.WithClock(func() time.Time { return w.now }), accp.WithOwnAgents(s.Own...))
	if store := w.stores[s.Store]; store != nil {
		list = append(list, accp.WithStore(store))
	}
	for rule := accp.RuleWindow; rule.String() != ""; rule++ {
		if value, ok := s.Rules[rule.String()]; ok {
			list = append(list, accp.WithRule(rule, value))
		}
	}
	if s.Tools != nil || s.Deny != nil || s.Events {
		list = append(list, accp.WithHooks(w.hooks(s)))
	}
	if s.Agreement != "" {
		list = append(list, accp.WithAgreement(w.agreed[s.Agreement]))
	}
	return accp.NewEngine(list...)
}

func asNumber(value any) float64 {
	n, _ := value.(float64)
	return n
}

func of(name string) accp.Interface {
	found, _ := accp.FindInterface(name)
	return found
}

func tool(name string) give {
	found := of(name)
	answer := give{"number": int(found), "name": nil, "out": nil}
	if found.String() != "" {
		answer["name"] = found.String()
	}
	if definition := found.Tool(); definition != nil {
		answer["out"] = string(definition)
	}
	return answer
}

func gives(blocks []accp.Block) []any {
	list := []any{}
	for _, b := range blocks {
		list = append(list, give{"kind": int(b.Kind), "is_stable": number(b.Stable), "checkpoint": b.Checkpoint, "tokens": b.Tokens, "since": b.Since, "out": b.Text})
	}
	return list
}

func (w *world) runSessions(s step) (answer give, err error, known bool) {
	known = true
	session := w.sessions[s.Of]
	w.now = time.UnixMilli(s.NowMs)
	expires := time.Time{}
	if s.ExpiresMs != 0 {
		expires = time.UnixMilli(s.ExpiresMs)
	}
	switch s.Do {
	case "events":
		log := w.logs[s.Of]
		answer = give{"lines": append([]string{}, *log...)}
		*log = nil
	case "engine":
		w.engines[s.Name], err = w.engine(s)
		answer = give{}
	case "open":
		var opened *accp.Session
		open := w.engines[s.Engine].Open
		if s.Local {
			open = w.engines[s.Engine].OpenLocal
		}
		if opened, err = open(background, s.ID); err == nil {
			w.sessions[s.Name] = opened
		}
		answer = give{}
	case "close":
		answer, err = nothing(session.Close())
	case "send":
		answer, err = out(session.Send(background, []byte(s.Text)))
	case "reply":
		answer, err = out(session.Reply(background, []byte(s.Request), []byte(s.Text)))
	case "outcome":
		o, failed := session.Outcome(background)
		answer, err = give{"parts": o.Parts, "kept": o.Kept, "warnings": o.Warnings}, failed
	case "receive":
		answer, err = nothing(session.Receive(background, []byte(s.Text), s.Peer.given()))
	case "append":
		answer, err = nothing(session.AppendFrom(background, []byte(s.Text), s.Peer.given()))
	case "next":
		answer = give{"deliveries": deliveries(session)}
	case "checkpoint":
		err = session.Checkpoint(background)
		answer = give{"checkpoints": must(session.NewestCheckpoint(background)), "records": must(session.RecordCount(background))}
	case "context":
		text, tokens, failed := session.ContextText(background, s.BudgetTokens)
		answer, err = give{"out": text, "tokens": tokens}, failed
	case "tool":
		answer = tool(s.Interface)
	case "append_messages":
		count, failed := session.AppendMessagesFrom(background, of(s.Interface), []byte(s.Text), s.Peer.given())
		answer, err = give{"count": count}, failed
	case "append_history":
		form := accp.Interface(0)
		if s.Interface != "" {
			form = of(s.Interface)
		}
		report, failed := session.AppendHistory(background, form, []byte(s.Text), &accp.HistoryOptions{Branch: s.Branch, Peer: s.Peer.given()})
		branched := 0
		if report.Branched {
			branched = 1
		}
		answer, err = give{"count": report.Count, "same": report.Same, "added": report.Added, "item": report.Item, "record": report.Record, "branched": branched}, failed
	case "blocks":
		blocks, failed := session.ContextBlocks(background, s.BudgetTokens)
		answer, err = give{"blocks": gives(blocks)}, failed
	case "pages":
		answer, err = out(session.ContextPages(background))
	case "messages":
		messages, tokens, failed := session.ContextMessages(background, of(s.Interface), s.BudgetTokens)
		answer, err = give{"out": string(messages), "tokens": tokens}, failed
	case "answer":
		answer, err = out(session.Answer(background, []byte(s.Text)))
	case "budget":
		b, failed := session.Budget(background)
		answer, err = give{"hot_used": b.HotUsed, "hot_max": b.HotMax, "warm_used": b.WarmUsed, "warm_max": b.WarmMax, "total_used": b.TotalUsed, "total_max": b.TotalMax}, failed
	case "record":
		r, failed := session.Record(background, uint64(s.Number))
		answer, err = give{"kind": string(rune(r.Kind)), "time_ms": r.Time.UnixMilli(), "out": string(r.Text)}, failed
	case "record_registry":
		var under *accp.Registry
		if under, err = session.Registry(background, uint64(s.Number)); err == nil {
			answer = give{"hash": under.Describe().Hash}
		}
	case "resolve":
		answer, err = out(session.Resolve(background, s.Ref, ""))
	case "resolve_of":
		answer, err = out(session.Resolve(background, s.Ref, s.Who))
	case "put":
		answer, err = nothing(session.Put(background, s.Ref, []byte(s.Text), expires))
	case "erase":
		answer, err = nothing(session.Remove(background, s.Ref))
	case "grant":
		answer, err = nothing(session.AddGrant(background, s.Who, s.Prefix, expires))
	case "revoke":
		answer, err = nothing(session.RemoveGrant(background, s.Who, s.Prefix))
	case "send_state":
		answer, err = out(session.SendState(background, s.Agent, []byte(s.Text)))
	case "state":
		state, version, failed := session.State(background)
		answer, err = give{"out": string(state), "version": version}, failed
	case "is_cancelled":
		answer = give{"cancelled": number(must(session.IsCancelled(background, s.Cid)))}
	case "end":
		answer, err = nothing(session.End(background))
	default:
		known = false
	}
	return answer, err, known
}

func deliveries(session *accp.Session) []any {
	list := []any{}
	for {
		d := must(session.NextDelivery(background))
		if d == nil {
			return list
		}
		entry := give{"status": "OK", "seq": d.Seq, "message": string(d.Message), "mid": d.Mid, "cid": d.Cid, "reason": "", "warnings": d.Warnings}
		var known *accp.Error
		if errors.As(d.Err, &known) {
			entry["status"], entry["reason"] = known.Code.String(), known.Message
		}
		list = append(list, entry)
	}
}

// TestVectorsBindings runs what every language's layer has to give.
func TestVectorsBindings(t *testing.T) {
	steps := 0
	eachLine(t, "bindings.jsonl", func(t *testing.T, line []byte) {
		var v struct {
			Name  string
			Steps []json.RawMessage
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		t.Run(v.Name, func(t *testing.T) {
			w := newWorld()
			for _, raw := range v.Steps {
				steps++
				var s step
				if err := json.Unmarshal(raw, &s); err != nil {
					t.Fatalf("%s: %v", raw, err)
				}
				answer, err := w.run(s)
				if err != nil {
					answer = refusal(err)
				}
				var expected any
				decoder := json.NewDecoder(strings.NewReader(accp.Spell(string(s.Gives))))
				decoder.UseNumber()
				if err := decoder.Decode(&expected); err != nil {
					t.Fatal(err)
				}
				if got, want := asJSON(t, answer), asJSON(t, expected); got != want {
					t.Errorf("%s\n gives %s\n   not %s", raw, got, want)
				}
			}
		})
	})
	if steps < 200 {
		t.Errorf("%d steps", steps)
	}
}
