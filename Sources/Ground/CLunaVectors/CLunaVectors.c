#include "CLunaVectors.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char v1[] = {
#embed "luna-v1.json.gz"
};

static const unsigned char standards[] = {
#embed "standards.json"
};

static const unsigned char share[] = {
#embed "share-v1.json.gz"
};

const unsigned char *luna_vectors_v1(size_t *count) {
  *count = sizeof v1;
  return v1;
}

const unsigned char *luna_vectors_standards(size_t *count) {
  *count = sizeof standards;
  return standards;
}

const unsigned char *luna_vectors_share(size_t *count) {
  *count = sizeof share;
  return share;
}
