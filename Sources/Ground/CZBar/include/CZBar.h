// libzbar, which reads QR codes: loaded when a picture is to be read, since most never are.
#pragma once

// Reads the first QR code of a picture, a byte for each pixel, row by row. Returns how many bytes its text
// has, of which at most `capacity` are stored; 0 where there is none, -1 where the library is missing or
// cannot be used.
int czb_read(const unsigned char *grey, unsigned width, unsigned height, char *text, int capacity);
