// libqrencode, which makes QR codes: loaded when one is wanted, since most never do.
#pragma once

// Makes a code of a text, a byte for each module, row by row: 1 is dark. Returns how many modules a side
// has; 0 where the library is missing, or the text or the place for the modules is too long or too small. The
// level of correction is 0 (7 %) to 3 (30 %).
int cqr_encode(const char *text, int level, unsigned char *modules, int capacity);

// The same of bytes that are no text.
int cqr_encode_bytes(const unsigned char *bytes, int count, int level, unsigned char *modules, int capacity);
