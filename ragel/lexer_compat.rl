// The machine of the compat dialect (docs/wire.md 1): also "@" agent-id [":" string] as a value, and string *(":" string) as an element.
%%{
    machine lexer_compat;
    include actions "actions.rl";
    include symbols "symbols.rl";

    action loose_start { ON_LOOSE_START }
    action loose_agent { ON_LOOSE_AGENT }
    action loose_end { ON_LOOSE_END }

    loose_name = e_at @loose_start;
    loose_pipe   = loose_name ( t_pipe @loose_agent   | t_colon @loose_agent t_pipe )   @loose_end;
    loose_rbrace = loose_name ( t_rbrace @loose_agent | t_colon @loose_agent t_rbrace ) @loose_end;
    loose_comma  = loose_name ( t_comma @loose_agent  | t_colon @loose_agent t_comma )  @loose_end;
    loose_rbrack = loose_name ( t_rbrack @loose_agent | t_colon @loose_agent t_rbrack ) @loose_end;

    action element_start { ON_ELEMENT_START }
    loose_parts = t_colon @element_start t_colon*;
    loose_item  = loose_parts t_comma @loose_end;
    loose_last  = loose_parts t_rbrack @loose_end;

    include frame "frame.rl";

    write data noerror nofinal noentry;
    write init;
    write exec noend;
}%%
