// What Swift does not see of BearSSL: macros, tables of functions, and addresses that two contexts share.
#pragma once
#include <bearssl.h>

static inline void luna_sha256_update(br_sha256_context *context, const void *bytes, size_t count) {
  br_sha256_update(context, bytes, count);
}

// BearSSL has neither of these. `volatile` keeps the compiler from leaving them out or ending them early.
static inline void luna_wipe(void *bytes, size_t count) {
  for (volatile unsigned char *byte = bytes; count > 0; count--) *byte++ = 0;
}

static inline int luna_is_equal(const unsigned char *left, const unsigned char *right, size_t count) {
  volatile unsigned char difference = 0;
  while (count-- > 0) difference |= *left++ ^ *right++;
  return difference == 0;
}

// BearSSL leaves copies of keys in its frames. This one lies where they did, and is larger.
static __attribute__((noinline)) void luna_wipe_stack(void) {
  unsigned char frame[2048];
  luna_wipe(frame, sizeof frame);
}

// AES with tables would tell the key by its time on a processor with a cache; this is bitsliced. The same goes for the
// multiplication of GHASH. `keys` stays where it is as long as `context` is used.
static inline void luna_gcm_set_key(
    br_gcm_context *context, br_aes_ct_ctr_keys *keys, const unsigned char *key, size_t count) {
  br_aes_ct_ctr_init(keys, key, count);
  br_gcm_init(context, &keys->vtable, br_ghash_ctmul32);
  luna_wipe_stack();
}

// Replaces a point of 32 bytes by its product with a scalar of 32 bytes (RFC 7748, 5). Multiplies 15 bits at a time: a
// multiplication of 32 by 32 bits takes a time of its own for some numbers on a Cortex-M3.
static inline void luna_x25519(unsigned char *point, const unsigned char *scalar) {
  br_ec_c25519_m15.mul(point, 32, scalar, 32, BR_EC_curve25519);
  luna_wipe_stack();
}
