// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// Functions that SWIG cannot generate for Go: one crossing for several calls of the C API. A tree's
// text belongs to Go and C must not keep its address between calls, so functions that read a tree
// parse the text again in the same call. Handles are void pointers, because Go allocates memory to
// check a pointer to an incomplete type.

/*
#include <string.h>
#include "libaccp.h"

// Parses, and copies as many nodes to room as fit; *nodes has all of them.
static accp_status accp_go_parse(void *frame, const char *text, size_t text_len, accp_node *room, size_t room_count, accp_text *nodes,
                                 accp_error *err) {
    size_t count = 0;
    accp_status status = accp_frame_parse(frame, text, text_len, err);
    const accp_node *all = accp_frame_nodes(frame, &count);
    nodes->text = (const char *)all;
    nodes->len = count;
    if (count && room_count) memcpy(room, all, (count < room_count ? count : room_count) * sizeof *all);
    return status;
}

static accp_status accp_go_print(void *frame, const char *text, size_t text_len, accp_text *out, accp_error *err) {
    accp_status status = accp_frame_parse(frame, text, text_len, err);
    return status ? status : accp_frame_print(frame, out, err);
}

static accp_status accp_go_envelope(void *frame, const char *text, size_t text_len, accp_envelope *out, accp_error *err) {
    accp_status status = accp_frame_parse(frame, text, text_len, err);
    return status ? status : accp_frame_envelope(frame, out, err);
}

static accp_status accp_go_block(void *frame, const char *text, size_t text_len, int meta, void *out, accp_error *err) {
    accp_status status = accp_frame_parse(frame, text, text_len, err);
    if (status) return status;
    return meta ? accp_frame_meta(frame, out, err) : accp_frame_payload(frame, out, err);
}

static accp_status accp_go_negotiate(void *negotiation, void *frame, const char *text, size_t text_len, accp_error *err) {
    accp_status status = accp_frame_parse(frame, text, text_len, err);
    return status ? status : accp_negotiation_receive(negotiation, frame, err);
}

// The records, and the nodes or the text, of a batch: which is 0 to parse, 1 to encode, 2 to decode.
static accp_status accp_go_batch(void *batch, int which, const char *text, size_t text_len, accp_text *records, accp_text *rest, accp_error *err) {
    accp_status status = which == 0   ? accp_batch_parse(batch, text, text_len, err)
                         : which == 1 ? accp_batch_encode(batch, text, text_len, err)
                                      : accp_batch_decode(batch, text, text_len, err);
    if (status) return status;
    records->text = (const char *)accp_batch_records(batch, &records->len);
    if (which == 0) rest->text = (const char *)accp_batch_nodes(batch, &rest->len);
    else *rest = accp_batch_text(batch);
    return status;
}

static accp_status accp_go_set_envelope(void *handle, int codec, const accp_envelope *fields, accp_text mid, accp_text cid, accp_text aid, accp_text sid,
                                        accp_error *err) {
    accp_envelope envelope = *fields;
    envelope.mid = mid, envelope.cid = cid, envelope.aid = aid, envelope.sid = sid;
    return codec ? accp_codec_set_envelope(handle, &envelope, err) : accp_frame_set_envelope(handle, &envelope, err);
}

static accp_status accp_go_retry(void *codec, const char *text, size_t text_len, const accp_envelope *fields, accp_text mid, accp_text cid,
                                 accp_text aid, accp_text sid, accp_text *out, accp_error *err) {
    accp_envelope envelope = *fields;
    envelope.mid = mid, envelope.cid = cid, envelope.aid = aid, envelope.sid = sid;
    return accp_codec_retry(codec, text, text_len, &envelope, out, err);
}

static accp_status accp_go_failure(void *codec, int32_t code, accp_text agent, accp_text message, accp_text detail, accp_text source,
                                   accp_text cid, accp_text *out, accp_error *err) {
    accp_failure failure = {code, 0, agent, message, detail, source, cid};
    return accp_codec_encode_failure(codec, &failure, out, err);
}

static accp_status accp_go_chunk(void *codec, accp_text agent, accp_text operation, accp_text cid, accp_text data, int64_t index, int64_t total,
                                 int is_final, accp_text *out, accp_error *err) {
    accp_chunk chunk = {cid, data, index, total, is_final, 0};
    return accp_codec_encode_chunk(codec, agent, operation, &chunk, out, err);
}

static accp_status accp_go_stream_add(void *stream, accp_text cid, accp_text data, int64_t index, int64_t total, int is_final,
                                      accp_stream_part *out, accp_error *err) {
    accp_chunk chunk = {cid, data, index, total, is_final, 0};
    return accp_stream_add(stream, &chunk, out, err);
}

// Makes a packet from a session if it is not NULL, else from a conversation and code.
static accp_status accp_go_packet(void *packet, void *session, void *code, accp_text task, accp_text conversation, accp_text creator, int32_t an_interface,
                                  int32_t depth, uint64_t budget_tokens, int64_t now_ms, accp_text items, uint32_t options, accp_error *err) {
    accp_packet_request request = {sizeof request, task, conversation, an_interface, depth, budget_tokens, creator, now_ms, code, items, options};
    return session ? accp_session_generate_packet(session, &request, packet, err) : accp_packet_generate(packet, &request, err);
}

static accp_status accp_go_record(void *panes, accp_text kind, int64_t pane, int32_t success, int32_t depth, uint64_t context_tokens,
                                  uint64_t whole_tokens, int64_t explored, accp_text gaps, accp_text unused, int64_t now_ms, accp_error *err) {
    accp_pane_task task = {sizeof task, kind, pane, success, depth, context_tokens, whole_tokens, explored, gaps, unused, now_ms};
    return accp_panes_record_task(panes, &task, err);
}

// Finds the end of the next piece, which begins at *from.
static accp_status accp_go_cut(const char *text, size_t text_len, uint32_t max_bytes, size_t *from, int64_t *index, int *is_final, accp_error *err) {
    accp_chunk chunk = {{0, 0}, {*from ? text + *from : 0, 0}, *index, 0, *is_final, 0};
    accp_status status = accp_chunk_next(text, text_len, max_bytes, &chunk, err);
    if (status) return status;
    *from += chunk.data.len;
    *index = chunk.index;
    *is_final = chunk.is_final;
    return status;
}

static accp_status accp_go_receive(void *session, const char *text, size_t text_len, accp_text agents, int32_t origin, int64_t now_ms,
                                   accp_error *err) {
    accp_peer peer = {agents, origin, 0};
    return accp_session_receive(session, text, text_len, now_ms, &peer, err);
}

static accp_status accp_go_append(void *session, const char *text, size_t text_len, accp_text agents, int32_t origin, int64_t now_ms, accp_error *err) {
    accp_peer peer = {agents, origin, 0};
    return accp_session_append_from(session, text, text_len, now_ms, &peer, err);
}

static accp_status accp_go_append_messages(void *session, const char *text, size_t text_len, int32_t an_interface, accp_text agents, int32_t origin,
                                           int64_t now_ms, uint64_t *count, accp_error *err) {
    accp_peer peer = {agents, origin, 0};
    return accp_session_append_messages_from(session, text, text_len, an_interface, now_ms, &peer, count, err);
}

static accp_status accp_go_history(void *session, accp_text list, int32_t an_interface, int64_t now_ms, accp_text branch, accp_text agents, int has_peer,
                                   int32_t origin, accp_history_report *out, accp_error *err) {
    accp_peer peer = {agents, origin, 0};
    accp_history_options options = {sizeof options, branch, has_peer ? &peer : 0};
    return accp_session_append_history(session, list.text, list.len, an_interface, now_ms, &options, out, err);
}

// Parses, and decodes payload and metadata into two values: their nodes and texts in views[0] to views[3].
static accp_status accp_go_decode(void *frame, const char *text, size_t text_len, void *payload, void *meta, accp_text *views,
                                  accp_error *err) {
    accp_status status = accp_frame_parse(frame, text, text_len, err);
    if (!status) status = accp_frame_payload(frame, payload, err);
    if (!status) status = accp_frame_meta(frame, meta, err);
    if (status) return status;
    views[0].text = (const char *)accp_value_nodes(payload, &views[0].len);
    views[1] = accp_value_text(payload);
    views[2].text = (const char *)accp_value_nodes(meta, &views[2].len);
    views[3] = accp_value_text(meta);
    return status;
}
static accp_status accp_go_run(accp_text message, accp_text library, accp_text policy, accp_text session, void *store, uint32_t flags, int64_t now_ms,
                               void *config, void **out, accp_error *err) {
    accp_run_request request = {sizeof request, message, library, policy, flags, store, session, now_ms};
    return accp_run_new(&request, config, (accp_run **)out, err);
}

static accp_status accp_go_to_1_0(void *sacp, const char *text, size_t text_len, accp_text msg_id, accp_text sender, accp_text recipient, int64_t now_ms,
                                  accp_text *out, accp_error *err) {
    accp_sacp_sender from = {msg_id, sender, recipient, now_ms};
    return accp_sacp_to_1_0(sacp, text, text_len, &from, out, err);
}

static accp_status accp_go_compose(void *sacp, const char *text, size_t text_len, accp_text role, accp_text formatters, accp_text msg_id, accp_text *out,
                                   accp_error *err) {
    accp_sacp_receiver to = {role, formatters, msg_id};
    return accp_sacp_compose(sacp, text, text_len, &to, out, err);
}

static accp_status accp_go_request_agents(void *agents, void *sacp, const char *text, size_t text_len, int32_t reading, int64_t now_ms, uint32_t asked,
                                          uint32_t max_asked, accp_text msg_id, int32_t *answer, accp_text *out, accp_error *err) {
    accp_spawn_round round = {asked, max_asked, msg_id};
    return accp_capabilities_request_agents(agents, sacp, text, text_len, now_ms, reading, &round, out, answer, err);
}

static accp_status accp_go_spawn(void *agents, void *sacp, const char *text, size_t text_len, int32_t allow, int64_t lease_until_ms, accp_text msg_id,
                                 accp_text *out, accp_error *err) {
    accp_spawn_rules rules = {allow, 0, lease_until_ms, msg_id};
    return accp_capabilities_spawn(agents, sacp, text, text_len, &rules, out, err);
}
*/
import "C"

import "unsafe"

func chars(text string) (*C.char, C.size_t) {
	return *(**C.char)(unsafe.Pointer(&text)), C.size_t(len(text))
}

func view(text string) C.accp_text { return *(*C.accp_text)(unsafe.Pointer(&text)) }

func text(v *View) *C.accp_text { return (*C.accp_text)(unsafe.Pointer(v)) }

func (s *Scratch) err() *C.accp_error { return (*C.accp_error)(unsafe.Pointer(&s.Error)) }

// FrameParse parses a frame and stores as many nodes in room as fit; s.View has the address and
// number of all nodes.
func FrameParse(frame unsafe.Pointer, frameText string, room []Node, s *Scratch) int {
	p, n := chars(frameText)
	var to *C.accp_node
	if len(room) > 0 {
		to = (*C.accp_node)(unsafe.Pointer(&room[0]))
	}
	return int(C.accp_go_parse(frame, p, n, to, C.size_t(len(room)), text(&s.View), s.err()))
}

// Nodes returns the nodes of a view.
func (v View) Nodes() []Node {
	if v.Len == 0 {
		return nil
	}
	return unsafe.Slice((*Node)(v.Text), v.Len)
}

// Records returns the records of a view.
func (v View) Records() []Record {
	if v.Len == 0 {
		return nil
	}
	return unsafe.Slice((*Record)(v.Text), v.Len)
}

// FramePrint parses and prints.
func FramePrint(frame unsafe.Pointer, frameText string, s *Scratch) int {
	p, n := chars(frameText)
	return int(C.accp_go_print(frame, p, n, text(&s.View), s.err()))
}

// FrameEnvelope parses and reads the envelope into s.Room.
func FrameEnvelope(frame unsafe.Pointer, frameText string, s *Scratch) int {
	p, n := chars(frameText)
	return int(C.accp_go_envelope(frame, p, n, (*C.accp_envelope)(s.RoomOut()), s.err()))
}

// FrameBlock parses and decodes payload or metadata into a value.
func FrameBlock(frame unsafe.Pointer, frameText string, meta bool, value unsafe.Pointer, s *Scratch) int {
	p, n := chars(frameText)
	which := C.int(0)
	if meta {
		which = 1
	}
	return int(C.accp_go_block(frame, p, n, which, value, s.err()))
}

// Negotiate parses a frame and gives it to a negotiation.
func Negotiate(negotiation, frame unsafe.Pointer, frameText string, s *Scratch) int {
	p, n := chars(frameText)
	return int(C.accp_go_negotiate(negotiation, frame, p, n, s.err()))
}

// Operations of Batch.
const (
	BatchParse  = 0
	BatchEncode = 1
	BatchDecode = 2
)

// Batch runs one operation. s.View has the records, s.Second the nodes or the text.
func Batch(batch unsafe.Pointer, which int, lines string, s *Scratch) int {
	p, n := chars(lines)
	return int(C.accp_go_batch(batch, C.int(which), p, n, text(&s.View), text(&s.Second), s.err()))
}

// SetEnvelope sets the envelope of a frame or a codec; its numbers are in s.Room.
func SetEnvelope(handle unsafe.Pointer, codec bool, mid, cid, aid, sid string, s *Scratch) int {
	which := C.int(0)
	if codec {
		which = 1
	}
	return int(C.accp_go_set_envelope(handle, which, (*C.accp_envelope)(s.RoomOut()), view(mid), view(cid), view(aid), view(sid), s.err()))
}

// Retry makes the frame that repeats a frame; the numbers of its envelope are in s.Room.
func Retry(codec unsafe.Pointer, frame, mid, cid, aid, sid string, s *Scratch) int {
	p, n := chars(frame)
	return int(C.accp_go_retry(codec, p, n, (*C.accp_envelope)(s.RoomOut()), view(mid), view(cid), view(aid), view(sid), text(&s.View), s.err()))
}

// EncodeFailure writes an error frame.
func EncodeFailure(codec unsafe.Pointer, code int32, agent, message, detail, source, cid string, s *Scratch) int {
	return int(C.accp_go_failure(codec, C.int32_t(code), view(agent), view(message), view(detail), view(source), view(cid), text(&s.View), s.err()))
}

func flag(on bool) C.int {
	if on {
		return 1
	}
	return 0
}

// EncodeChunk writes the frame of a chunk.
func EncodeChunk(codec unsafe.Pointer, agent, operation, cid, data string, index, total int64, final bool, s *Scratch) int {
	return int(C.accp_go_chunk(codec, view(agent), view(operation), view(cid), view(data), C.int64_t(index), C.int64_t(total), flag(final), text(&s.View), s.err()))
}

// StreamAdd adds a chunk; its result is in s.Room.
func StreamAdd(stream unsafe.Pointer, cid, data string, index, total int64, final bool, s *Scratch) int {
	return int(C.accp_go_stream_add(stream, view(cid), view(data), C.int64_t(index), C.int64_t(total), flag(final), (*C.accp_stream_part)(s.RoomOut()), s.err()))
}

// PacketGenerate makes a packet from a session, or from a conversation and code.
func PacketGenerate(packet, session, code unsafe.Pointer, task, conversation, creator string, form, depth int32, budgetTokens uint64, nowMs int64, items string, options uint32, s *Scratch) int {
	return int(C.accp_go_packet(packet, session, code, view(task), view(conversation), view(creator), C.int32_t(form), C.int32_t(depth), C.uint64_t(budgetTokens), C.int64_t(nowMs),
		view(items), C.uint32_t(options), s.err()))
}

// HistoryReport mirrors accp_history_report.
type HistoryReport struct {
	Count, Same, Added, Item, Record uint64
	IsBranched                       int32
	_                                uint32
}

// AppendHistory appends the messages of a list that a session lacks.
func AppendHistory(session unsafe.Pointer, list string, form int32, nowMs int64, branch, agents string, hasPeer, isUntrusted bool, s *Scratch) (HistoryReport, int) {
	var out C.accp_history_report
	status := int(C.accp_go_history(session, view(list), C.int32_t(form), C.int64_t(nowMs), view(branch), view(agents), C.int(flag(hasPeer)), C.int32_t(flag(isUntrusted)),
		&out, s.err()))
	return *(*HistoryReport)(unsafe.Pointer(&out)), status
}

// PanesRecord records a finished task.
func PanesRecord(panes unsafe.Pointer, kind string, pane int64, success bool, depth int32, contextTokens, wholeTokens uint64, explored int64, gaps, unused string,
	nowMs int64, s *Scratch) int {
	return int(C.accp_go_record(panes, view(kind), C.int64_t(pane), C.int32_t(flag(success)), C.int32_t(depth), C.uint64_t(contextTokens), C.uint64_t(wholeTokens),
		C.int64_t(explored), view(gaps), view(unused), C.int64_t(nowMs), s.err()))
}

// NewRun makes a run of a plan.
func NewRun(message, library, policy, session string, store unsafe.Pointer, flags uint32, nowMs int64, config, out, err unsafe.Pointer) int {
	return int(C.accp_go_run(view(message), view(library), view(policy), view(session), store, C.uint32_t(flags), C.int64_t(nowMs), config, (*unsafe.Pointer)(out),
		(*C.accp_error)(err)))
}

// SacpTo10 prints a message of version 0.1 as one of 1.0.0.
func SacpTo10(sacp unsafe.Pointer, message, msgID, sender, recipient string, nowMs int64, s *Scratch) int {
	p, n := chars(message)
	return int(C.accp_go_to_1_0(sacp, p, n, view(msgID), view(sender), view(recipient), C.int64_t(nowMs), text(&s.View), s.err()))
}

// SacpCompose prints a message as it goes to another agent.
func SacpCompose(sacp unsafe.Pointer, message, role, formatters, msgID string, s *Scratch) int {
	p, n := chars(message)
	return int(C.accp_go_compose(sacp, p, n, view(role), view(formatters), view(msgID), text(&s.View), s.err()))
}

// RequestAgents requests the agents that a plan lacks; s.Number is the answer.
func RequestAgents(agents, sacp unsafe.Pointer, message string, reading int, nowMs int64, asked, maxAsked uint32, msgID string, s *Scratch) int {
	p, n := chars(message)
	return int(C.accp_go_request_agents(agents, sacp, p, n, C.int32_t(reading), C.int64_t(nowMs), C.uint32_t(asked), C.uint32_t(maxAsked), view(msgID),
		(*C.int32_t)(s.NumberOut()), text(&s.View), s.err()))
}

// Spawn carries out a request for an agent.
func Spawn(agents, sacp unsafe.Pointer, request string, allow bool, leaseUntilMs int64, msgID string, s *Scratch) int {
	p, n := chars(request)
	return int(C.accp_go_spawn(agents, sacp, p, n, C.int32_t(flag(allow)), C.int64_t(leaseUntilMs), view(msgID), text(&s.View), s.err()))
}

// Cut returns the end of the piece that begins at from, the next number, and whether it is the
// last.
func Cut(whole string, maxBytes uint32, from int, index int64, final bool, s *Scratch) (end int, next int64, last bool, status int) {
	p, n := chars(whole)
	room := (*struct {
		from  C.size_t
		index C.int64_t
		final C.int
	})(s.RoomOut())
	room.from, room.index, room.final = C.size_t(from), C.int64_t(index), flag(final)
	status = int(C.accp_go_cut(p, n, C.uint32_t(maxBytes), &room.from, &room.index, &room.final, s.err()))
	return int(room.from), int64(room.index), room.final != 0, status
}

// SessionReceive receives a frame of a peer.
func SessionReceive(session unsafe.Pointer, frame, agents string, origin int, nowMs int64, s *Scratch) int {
	p, n := chars(frame)
	return int(C.accp_go_receive(session, p, n, view(agents), C.int32_t(origin), C.int64_t(nowMs), s.err()))
}

// SessionAppend appends a peer's message without a frame.
func SessionAppend(session unsafe.Pointer, message, agents string, origin int, nowMs int64, s *Scratch) int {
	p, n := chars(message)
	return int(C.accp_go_append(session, p, n, view(agents), C.int32_t(origin), C.int64_t(nowMs), s.err()))
}

// SessionAppendMessages appends a peer's messages in the format of an interface; s.Number is their
// count.
func SessionAppendMessages(session unsafe.Pointer, messages string, form int, agents string, origin int, nowMs int64, s *Scratch) int {
	p, n := chars(messages)
	return int(C.accp_go_append_messages(session, p, n, C.int32_t(form), view(agents), C.int32_t(origin), C.int64_t(nowMs), (*C.uint64_t)(s.NumberOut()), s.err()))
}

// FrameDecode parses and decodes into two values; s.Room begins with views of the payload's nodes
// and text, then of the metadata's.
func FrameDecode(frame, payload, meta unsafe.Pointer, frameText string, s *Scratch) int {
	p, n := chars(frameText)
	return int(C.accp_go_decode(frame, p, n, payload, meta, (*C.accp_text)(s.RoomOut()), s.err()))
}
