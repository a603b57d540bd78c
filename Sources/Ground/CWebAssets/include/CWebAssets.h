#pragma once
#include <stddef.h>

/// A file of the apps in browsers, or of a page that is written to a file, as it lies in the folder `ui` beside this
/// target's source.
typedef struct {
  const char *path;
  const char *type;
  const unsigned char *bytes;
  size_t count;
} luna_web_asset;

/// All of these files.
const luna_web_asset *luna_web_assets(size_t *count);
