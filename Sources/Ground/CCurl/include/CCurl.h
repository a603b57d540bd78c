// libcurl, which speaks HTTP and SMTP: what LunaClient uses of it, without variadic functions.
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
  // Whether the certificate may be for another name than the server's.
  bool takes_any_name;
  const char *user_agent;
  // An answer that is longer is not read.
  size_t answer_limit;
} ccurl_settings;

// Who looks on while something is sent, on the thread that sends it.
typedef struct ccurl_watch {
  void *context;
  // The connection stands and the last of the request goes out now: from here on it may arrive.
  void (*will_send)(void *context);
  // Whether it is still wanted; asked about once a second.
  bool (*goes_on)(void *context);
  // What goes out ('>'), what comes in ('<'), and what the library does meanwhile ('*'); NULL when
  // nobody wants to know.
  void (*hear)(void *context, char direction, const char *bytes, size_t length);
} ccurl_watch;

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
  // NULL for nobody.
  const ccurl_watch *watch;
} ccurl_request;

// A mail. It goes out over a connection of its own.
typedef struct ccurl_mail {
  // smtp://HOST:PORT or smtps://HOST:PORT.
  const char *url;
  // Whether nothing is said in the clear: without STARTTLS it ends there.
  bool needs_tls;
  const char *from;
  const char *to;
  // NULL for none.
  const char *user;
  const char *password;
  const void *message;
  size_t message_length;
  const ccurl_watch *watch;
} ccurl_mail;

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
  // A mail server that offers no TLS, or does not take the password.
  ccurl_not_encrypted,
  ccurl_not_let_in,
  // TLS did not come about, before there was a certificate to judge.
  ccurl_no_handshake,
} ccurl_outcome;

typedef struct ccurl_answer {
  ccurl_outcome outcome;
  long status;
  // Of the header Retry-After, s; -1 without one.
  long retry_after;
  // Of the header Date, seconds since 1970; -1 without one.
  long long date;
  // The value of Content-Type and Location; empty without one.
  char content_type[128];
  char location[512];
  // Belong to the client, until its next request: the body, and the header lines that fit.
  const void *body;
  size_t body_length;
  const char *head;
  size_t head_length;
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

// Hands a mail to a server and waits for its end; the status is that of SMTP.
void ccurl_post(ccurl_client *client, const ccurl_mail *mail, ccurl_answer *answer);
