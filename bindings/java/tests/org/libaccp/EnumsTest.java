// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_block_kind;
import org.libaccp.internal.accp_dialect;
import org.libaccp.internal.accp_extension;
import org.libaccp.internal.accp_feature;
import org.libaccp.internal.accp_field_type;
import org.libaccp.internal.accp_interface;
import org.libaccp.internal.accp_kind;
import org.libaccp.internal.accp_negotiation_state;
import org.libaccp.internal.accp_packet_depth;
import org.libaccp.internal.accp_packet_kind;
import org.libaccp.internal.accp_packet_layer;
import org.libaccp.internal.accp_packet_warning;
import org.libaccp.internal.accp_pane_setting;
import org.libaccp.internal.accp_panes_reading;
import org.libaccp.internal.accp_profile;
import org.libaccp.internal.accp_render_flag;
import org.libaccp.internal.accp_sacp_answer;
import org.libaccp.internal.accp_sacp_code;
import org.libaccp.internal.accp_sacp_out_fmt;
import org.libaccp.internal.accp_sacp_reading;
import org.libaccp.internal.accp_sacp_version;
import org.libaccp.internal.accp_session_flag;
import org.libaccp.internal.accp_store_flag;
import org.libaccp.internal.accp_stream_state;
import org.libaccp.internal.accp_strictness;
import org.libaccp.internal.accp_warning;

/** The enums have what the C face has: a constant that is new there is missed here. */
class EnumsTest {
    @Test
    void namesAreTheLibrarysOwn() {
        for (Intent one : Intent.values()) {
            assertEquals(one.code(), Texts.out(Raw.accp_intent_name(one.number)));
            assertEquals(one, Intent.of(one.code()));
        }
        assertNull(Raw.accp_intent_name(Intent.values().length));
        assertNull(Intent.of("please"));
        for (Limit one : Limit.values()) {
            assertEquals(one.name().toLowerCase(Locale.ROOT), Texts.out(Raw.accp_limit_name(one.number)));
            assertTrue(Accp.defaultOf(one) > 0);
        }
        assertNull(Raw.accp_limit_name(Limit.values().length));
        for (Rule one : Rule.values()) {
            assertEquals(one.name().toLowerCase(Locale.ROOT), Texts.out(Raw.accp_rule_name(one.number)));
        }
        assertNull(Raw.accp_rule_name(Rule.values().length));
        for (Interface one : Interface.values()) {
            assertEquals(one.name().toLowerCase(Locale.ROOT).replace('_', '-'), one.toString());
            assertEquals(one, Interface.of(one.toString()));
        }
        assertNull(Interface.of("none"));
        assertEquals(Interface.SPEAKERS, Interface.detect("User: a\nAssistant: b"));
        assertNull(Interface.detect("only text"));
        assertEquals("1.0.0", Accp.version());
        assertEquals(1, Raw.accp_abi_version());
        assertTrue(Accp.operations().contains("schedule"));
        assertEquals(3, Tokenizer.builtIn().size());
    }

    private static long constants(Class<?> raw) {
        return Arrays.stream(raw.getFields()).filter(field -> !field.getName().matches(".*_(NONE|ALL)")).count();
    }

    @Test
    void noConstantIsMissing() {
        assertEquals(constants(accp_feature.class), Feature.values().length);
        assertEquals(constants(accp_dialect.class), Dialect.values().length);
        assertEquals(constants(accp_extension.class), Extension.values().length);
        assertEquals(constants(accp_field_type.class), FieldType.values().length);
        assertEquals(constants(accp_interface.class), Interface.values().length);
        assertEquals(constants(accp_block_kind.class), Session.BlockKind.values().length);
        assertEquals(constants(accp_kind.class) - 1, Kind.values().length);  // names of a frame are not values
        assertEquals(constants(accp_negotiation_state.class), Negotiation.Progress.values().length);
        assertEquals(constants(accp_packet_depth.class), ContextPacket.Depth.values().length);
        assertEquals(constants(accp_packet_kind.class), ContextPacket.Kind.values().length);
        assertEquals(constants(accp_packet_layer.class) - 1, ContextPacket.Layer.values().length);  // all of them together is not a value
        assertEquals(Arrays.stream(accp_packet_warning.class.getFields()).count(), ContextPacket.Warning.values().length);
        assertEquals(constants(accp_panes_reading.class) + 1, Panes.Reading.values().length);  // merged is not one of them
        assertEquals(constants(accp_pane_setting.class), Panes.Setting.values().length);
        assertEquals(constants(accp_profile.class), Profile.values().length);
        assertEquals(constants(accp_render_flag.class), RenderFlag.values().length);
        assertEquals(constants(accp_sacp_answer.class), Verdict.Answer.values().length);
        assertEquals(constants(accp_sacp_code.class), Verdict.Code.values().length);
        assertEquals(constants(accp_sacp_out_fmt.class), Sacp.OutFmt.values().length);
        assertEquals(constants(accp_sacp_reading.class), Sacp.Reading.values().length);
        assertEquals(constants(accp_sacp_version.class), SacpState.Version.values().length);
        assertEquals(constants(accp_session_flag.class), SessionFlag.values().length);
        assertEquals(constants(accp_store_flag.class), StoreFlag.values().length);
        assertEquals(constants(accp_stream_state.class), StreamReceiver.Progress.values().length);
        assertEquals(constants(accp_strictness.class), Strictness.values().length);
        assertEquals(constants(accp_warning.class), Warning.values().length);
    }
}
