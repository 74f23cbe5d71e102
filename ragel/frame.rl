# The grammar of a frame (specification 3.1) over the symbols of symbols.rl. No host code.
#
# A symbol is a delimiter and the kind of the text before it, so each rule includes the delimiter after it.
# The includer defines, before including this file:
#   actions  agent agent_other intent operation payload key word text null ref array map leave payload_end meta meta_end
#            accept
#   rules    loose_pipe loose_rbrace loose_comma loose_rbrack   values of the compat dialect, by the delimiter after them
#            loose_item loose_last                              array elements of the compat dialect
%%{
    machine frame;
    include symbols "symbols.rl";

    key = w_colon @key;

    value_pipe   = w_pipe @word   | o_pipe @text   | e_dollar t_pipe @ref
                 | ( e_tilde @null | e_lbrack @array | e_lbrace @map ) e_pipe   | loose_pipe;
    value_rbrace = w_rbrace @word | o_rbrace @text | e_dollar t_rbrace @ref
                 | ( e_tilde @null | e_lbrack @array | e_lbrace @map ) e_rbrace | loose_rbrace;
    value_comma  = w_comma @word  | o_comma @text  | e_dollar t_comma @ref
                 | ( e_tilde @null | e_lbrack @array | e_lbrace @map ) e_comma  | loose_comma;
    value_rbrack = w_rbrack @word | o_rbrack @text | e_dollar t_rbrack @ref
                 | ( e_tilde @null | e_lbrack @array | e_lbrace @map ) e_rbrack | loose_rbrack;

    array := ( e_rbrack | ( value_comma | loose_item )* ( value_rbrack | loose_last ) ) @leave;
    map   := ( e_rbrace | ( key value_comma )* key value_rbrace ) @leave;

    header   = e_at ( w_gt | o_gt @agent_other ) @agent w_colon @intent;
    body     = w_lbrace @operation ( e_rbrace | ( key value_pipe )* key value_rbrace ) @payload_end;
    metadata = e_lbrack @meta ( key value_comma )* key value_rbrack @meta_end;

    main := header body metadata? e_end @accept;
}%%
