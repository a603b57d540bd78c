#include "CZBar.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// What zbar.h of libzbar 0.23 declares of these.
enum { every_symbol = 0, qr_symbol = 64, enable = 0, grey_format = 0x30303859 };

#define FUNCTION(result, name, ...) result (*name)(__VA_ARGS__) = (result(*)(__VA_ARGS__))dlsym(library, "zbar_" #name)

int czb_read(const unsigned char *grey, unsigned width, unsigned height, char *text, int capacity) {
  void *library = dlopen("libzbar.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return -1;
  FUNCTION(void *, image_scanner_create, void);
  FUNCTION(void, image_scanner_destroy, void *);
  FUNCTION(int, image_scanner_set_config, void *, int, int, int);
  FUNCTION(int, scan_image, void *, void *);
  FUNCTION(void *, image_create, void);
  FUNCTION(void, image_destroy, void *);
  FUNCTION(void, image_set_format, void *, unsigned long);
  FUNCTION(void, image_set_size, void *, unsigned, unsigned);
  FUNCTION(void, image_set_data, void *, const void *, unsigned long, void (*)(void *));
  FUNCTION(const void *, image_first_symbol, const void *);
  FUNCTION(const char *, symbol_get_data, const void *);
  FUNCTION(unsigned, symbol_get_data_length, const void *);
  if (!image_scanner_create || !image_scanner_destroy || !image_scanner_set_config || !scan_image ||
      !image_create || !image_destroy || !image_set_format || !image_set_size || !image_set_data ||
      !image_first_symbol || !symbol_get_data || !symbol_get_data_length)
    return -1;
  void *scanner = image_scanner_create();
  void *image = image_create();
  int length = -1;
  if (scanner && image) {
    image_scanner_set_config(scanner, every_symbol, enable, 0);
    image_scanner_set_config(scanner, qr_symbol, enable, 1);
    image_set_format(image, grey_format);
    image_set_size(image, width, height);
    image_set_data(image, grey, (unsigned long)width * height, NULL);
    const void *symbol = scan_image(scanner, image) > 0 ? image_first_symbol(image) : NULL;
    length = symbol ? (int)symbol_get_data_length(symbol) : 0;
    if (length > 0) memcpy(text, symbol_get_data(symbol), length < capacity ? length : capacity);
  }
  if (image) image_destroy(image);
  if (scanner) image_scanner_destroy(scanner);
  return length;
}
