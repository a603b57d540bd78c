// libcurl, an HTTP client: what LunaClient uses of it, without variadic functions.
//
// The library is loaded when the first request is made, not linked: with what it needs itself it
// would cost every start of the command milliseconds, also of those who only scan.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_client ccurl_client;

typedef struct ccurl_settings {
  // Limits, ms.
  long connect_milliseconds;
  long total_milliseconds;
  // NULL or "": as the environment says; "-": none.
  const char *proxy;
  // A file of certificates in PEM, or NULL for those of the system.
  const char *certificate_authorities;
  const char *user_agent;
  // An answer that is longer is not read.
  size_t answer_limit;
} ccurl_settings;

typedef struct ccurl_request {
  const char *method;
  const char *url;
  // Whole lines "Name: value".
  const char *const *headers;
  size_t header_count;
  // NULL for a request without a body.
  const void *body;
  size_t body_length;
  // A tighter limit than the client's, ms; 0 for none.
  long total_milliseconds;
} ccurl_request;

// What became of a request.
typedef enum ccurl_outcome {
  ccurl_answered,
  ccurl_not_resolved,
  ccurl_not_connected,
  ccurl_timed_out,
  ccurl_not_trusted,
  ccurl_broken_off,
  ccurl_answer_too_long,
  ccurl_bad_url,
  ccurl_failed,
} ccurl_outcome;

typedef struct ccurl_answer {
  ccurl_outcome outcome;
  long status;
  // Of the header Retry-After when it is a number, s; -1 without one.
  long retry_after;
  // The value of Content-Type and Location; empty without one.
  char content_type[128];
  char location[512];
  // Belongs to the client, until its next request.
  const void *body;
  size_t body_length;
  // Why there is no answer.
  char problem[256];
} ccurl_answer;

// Loads the library. Returns NULL, or why that failed; the text stays.
const char *ccurl_load(void);

// A client with one connection that is kept; to be used by one thread at a time. NULL when the
// library cannot make one.
ccurl_client *ccurl_open(const ccurl_settings *settings);
void ccurl_close(ccurl_client *client);

// Performs a request and waits for its end. Redirects are not followed; only http and https are
// spoken.
void ccurl_perform(ccurl_client *client, const ccurl_request *request, ccurl_answer *answer);
