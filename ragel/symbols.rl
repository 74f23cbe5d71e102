# The alphabet of the symbol machine: src/frame/symbols.h says how it is made.
#
# e_X: the delimiter X with no text before it; w_X: with a word ([A-Za-z0-9_]+) before it; o_X: with other text; t_X: with any text.
%%{
    machine symbols;

    e_at     = 0x10;  w_at     = 0x30;  o_at     = 0x70;
    e_gt     = 0x1E;  w_gt     = 0x3E;  o_gt     = 0x7E;  t_gt     = w_gt | o_gt;
    e_colon  = 0x1A;  w_colon  = 0x3A;  o_colon  = 0x7A;  t_colon  = w_colon | o_colon;
    e_lbrace = 0x0B;  w_lbrace = 0x2B;  o_lbrace = 0x6B;
    e_rbrace = 0x0D;  w_rbrace = 0x2D;  o_rbrace = 0x6D;  t_rbrace = w_rbrace | o_rbrace;
    e_lbrack = 0x0F;  w_lbrack = 0x2F;  o_lbrack = 0x6F;
    e_rbrack = 0x09;  w_rbrack = 0x29;  o_rbrack = 0x69;  t_rbrack = w_rbrack | o_rbrack;
    e_pipe   = 0x0C;  w_pipe   = 0x2C;  o_pipe   = 0x6C;  t_pipe   = w_pipe | o_pipe;
    e_comma  = 0x1C;  w_comma  = 0x3C;  o_comma  = 0x7C;  t_comma  = w_comma | o_comma;
    e_dollar = 0x14;
    e_tilde  = 0x0E;
    e_end    = 0x00;  # put behind the last symbol, so that the machine need not ask at each one whether there is another
}%%
