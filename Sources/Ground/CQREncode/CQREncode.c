#include "CQREncode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// What qrencode.h of libqrencode 4 declares of these.
typedef struct {
  int version;
  int width;
  unsigned char *data;
} code;
enum { mode_bytes = 2 };

static code *(*encode)(const char *, int version, int level, int hint, int casesensitive);
static code *(*encode_data)(int, const unsigned char *, int version, int level);
static void (*release)(code *);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  encode = (code * (*)(const char *, int, int, int, int)) dlsym(library, "QRcode_encodeString");
  encode_data = (code * (*)(int, const unsigned char *, int, int)) dlsym(library, "QRcode_encodeData");
  release = (void (*)(code *))dlsym(library, "QRcode_free");
}

static int take(code *made, unsigned char *modules, int capacity) {
  if (!made) return 0;
  int width = made->width;
  if (width <= 0 || width > 177 || width * width > capacity) {
    width = 0;
  } else {
    for (int i = 0; i < width * width; i++) modules[i] = made->data[i] & 1;
  }
  release(made);
  return width;
}

int cqr_encode(const char *text, int level, unsigned char *modules, int capacity) {
  pthread_once(&once, load);
  if (!encode || !release) return 0;
  return take(encode(text, 0, level, mode_bytes, 1), modules, capacity);
}

int cqr_encode_bytes(const unsigned char *bytes, int count, int level, unsigned char *modules, int capacity) {
  pthread_once(&once, load);
  if (!encode_data || !release) return 0;
  return take(encode_data(count, bytes, 0, level), modules, capacity);
}
