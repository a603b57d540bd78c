#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

// The header makes macros of these, to check the types of variadic arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(X)     \
  X(curl_easy_cleanup)   \
  X(curl_easy_getinfo)   \
  X(curl_easy_init)      \
  X(curl_easy_perform)   \
  X(curl_easy_reset)     \
  X(curl_easy_setopt)    \
  X(curl_easy_strerror)  \
  X(curl_getdate)        \
  X(curl_global_init)    \
  X(curl_slist_append)   \
  X(curl_slist_free_all)

#include "../loading.h"

static void load(void) {
  if (load_library("libcurl.so.4") && lib.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    snprintf(loading_problem, sizeof loading_problem, "libcurl cannot be initialised");
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return loading_problem[0] ? loading_problem : NULL;
}

struct ccurl_client {
  CURL *handle;
  ccurl_settings settings;
  char *body;
  size_t length, capacity;
  // The header lines of the answer.
  char head[32768];
  size_t head_length;
  // When it says to try again, where it names a moment; -1 where not.
  time_t retry_date;
  bool too_long;
  ccurl_answer *answer;
  const ccurl_watch *watch;
  // What is left of a mail.
  const char *message;
  size_t message_length;
};

// What came may hold tokens.
static void forget(ccurl_client *client) {
  if (client->body) explicit_bzero(client->body, client->capacity);
  free(client->body);
  client->body = NULL;
  client->length = client->capacity = 0;
}

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

ccurl_client *ccurl_open(const ccurl_settings *settings) {
  if (ccurl_load()) return NULL;
  ccurl_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->handle = lib.curl_easy_init();
  if (!client->handle) {
    free(client);
    return NULL;
  }
  client->settings = *settings;
  client->settings.proxy = copy(settings->proxy);
  client->settings.certificate_authorities = copy(settings->certificate_authorities);
  client->settings.user_agent = copy(settings->user_agent);
  return client;
}

void ccurl_close(ccurl_client *client) {
  if (!client) return;
  lib.curl_easy_cleanup(client->handle);
  free((void *)client->settings.proxy);
  free((void *)client->settings.certificate_authorities);
  free((void *)client->settings.user_agent);
  forget(client);
  free(client);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  ccurl_client *client = context;
  size_t length = size * count;
  if (length > client->settings.answer_limit - client->length) {
    client->too_long = true;
    return 0;
  }
  if (client->length + length > client->capacity) {
    size_t capacity = (client->length + length) * 2;
    char *larger = malloc(capacity);
    if (!larger) return 0;
    size_t length_before = client->length;
    if (length_before) memcpy(larger, client->body, length_before);
    forget(client);
    client->body = larger;
    client->length = length_before;
    client->capacity = capacity;
  }
  memcpy(client->body + client->length, bytes, length);
  client->length += length;
  return length;
}

// The value of a header line when it has this name, without blanks around; its length, or -1.
static long value(const char *line, size_t length, const char *name, const char **start) {
  size_t count = strlen(name);
  if (length <= count || strncasecmp(line, name, count) != 0 || line[count] != ':') return -1;
  const char *from = line + count + 1, *to = line + length;
  while (from < to && (*from == ' ' || *from == '\t')) from++;
  while (from < to && (to[-1] == '\r' || to[-1] == '\n' || to[-1] == ' ')) to--;
  *start = from;
  return to - from;
}

static void keep(char *place, size_t capacity, const char *text, long length) {
  if (length < 0) return;
  if ((size_t)length >= capacity) length = (long)capacity - 1;
  memcpy(place, text, (size_t)length);
  place[length] = 0;
}

static size_t take_header(char *line, size_t size, size_t count, void *context) {
  ccurl_client *client = context;
  ccurl_answer *answer = client->answer;
  size_t length = size * count;
  const char *text = NULL;
  // A new status line: what came before belonged to an interim answer.
  if (length > 5 && strncmp(line, "HTTP/", 5) == 0) {
    answer->retry_after = answer->date = -1;
    client->retry_date = -1;
    answer->content_type[0] = answer->location[0] = 0;
    client->head_length = 0;
  } else if (length <= sizeof client->head - client->head_length) {
    memcpy(client->head + client->head_length, line, length);
    client->head_length += length;
  }
  long found = value(line, length, "Content-Type", &text);
  keep(answer->content_type, sizeof answer->content_type, text, found);
  found = value(line, length, "Location", &text);
  keep(answer->location, sizeof answer->location, text, found);
  found = value(line, length, "Date", &text);
  if (found > 0) {
    char date[64] = {0};
    keep(date, sizeof date, text, found);
    answer->date = lib.curl_getdate(date, NULL);
  }
  found = value(line, length, "Retry-After", &text);
  if (found > 0 && found < 9) {
    char digits[10] = {0};
    memcpy(digits, text, (size_t)found);
    if (strspn(digits, "0123456789") == (size_t)found) answer->retry_after = atol(digits);
  } else if (found > 0) {
    // A date: how long it is until then shows when all headers are there.
    char date[64] = {0};
    keep(date, sizeof date, text, found);
    client->retry_date = lib.curl_getdate(date, NULL);
  }
  return length;
}

static ccurl_outcome outcome(CURLcode code, bool too_long) {
  if (too_long) return ccurl_answer_too_long;
  switch (code) {
    case CURLE_OK: return ccurl_answered;
    case CURLE_URL_MALFORMAT: return ccurl_bad_url;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return ccurl_not_resolved;
    case CURLE_COULDNT_CONNECT: return ccurl_not_connected;
    case CURLE_OPERATION_TIMEDOUT: return ccurl_timed_out;
    case CURLE_SSL_CONNECT_ERROR: return ccurl_no_handshake;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR: return ccurl_not_trusted;
    case CURLE_USE_SSL_FAILED: return ccurl_not_encrypted;
    case CURLE_LOGIN_DENIED: return ccurl_not_let_in;
    // What answers speaks no HTTP: other schemes do not come so far.
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR: return ccurl_broken_off;
    default: return ccurl_failed;
  }
}

static int connected(void *context, char *to, char *from, int to_port, int from_port) {
  ccurl_client *client = context;
  (void)to, (void)from, (void)to_port, (void)from_port;
  client->watch->will_send(client->watch->context);
  return CURL_PREREQFUNC_OK;
}

static int progressed(
    void *context, curl_off_t to_come, curl_off_t come, curl_off_t to_go, curl_off_t gone) {
  const ccurl_watch *watch = context;
  (void)to_come, (void)come, (void)to_go, (void)gone;
  // Anything but 0 breaks it off.
  return watch->goes_on(watch->context) ? 0 : 1;
}

static int overheard(CURL *handle, curl_infotype type, char *bytes, size_t length, void *context) {
  const ccurl_watch *watch = context;
  (void)handle;
  switch (type) {
    case CURLINFO_TEXT: watch->hear(watch->context, '*', bytes, length); break;
    case CURLINFO_HEADER_IN:
    case CURLINFO_DATA_IN: watch->hear(watch->context, '<', bytes, length); break;
    case CURLINFO_HEADER_OUT:
    case CURLINFO_DATA_OUT: watch->hear(watch->context, '>', bytes, length); break;
    default: break;
  }
  return 0;
}

#define SET(option, value) lib.curl_easy_setopt(handle, (option), (value))

// Forgets the last request, and sets what holds for every one; `text` gets what goes wrong.
static void begin(
    ccurl_client *client, const ccurl_watch *watch, ccurl_answer *answer, char *text) {
  CURL *handle = client->handle;
  memset(answer, 0, sizeof *answer);
  answer->retry_after = answer->date = -1;
  forget(client);
  client->head_length = 0;
  client->retry_date = -1;
  client->too_long = false;
  client->answer = answer;
  client->watch = watch;

  // Options go back to their defaults; the connection and what TLS agreed on are kept.
  lib.curl_easy_reset(handle);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_ERRORBUFFER, text);
  SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  SET(CURLOPT_CONNECTTIMEOUT_MS, client->settings.connect_milliseconds);
  SET(CURLOPT_TIMEOUT_MS, client->settings.total_milliseconds);
  SET(CURLOPT_TCP_KEEPALIVE, 1L);
  SET(CURLOPT_WRITEFUNCTION, take_body);
  SET(CURLOPT_WRITEDATA, client);
  const char *proxy = client->settings.proxy;
  if (proxy && *proxy) SET(CURLOPT_PROXY, strcmp(proxy, "-") == 0 ? "" : proxy);
  if (client->settings.certificate_authorities) {
    SET(CURLOPT_CAINFO, client->settings.certificate_authorities);
    // Debian's libcurl asks the system's authorities as well: whoever names a file trusts nobody else.
    SET(CURLOPT_CAPATH, (char *)NULL);
  }
  if (client->settings.takes_any_name) SET(CURLOPT_SSL_VERIFYHOST, 0L);
  if (watch) {
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, progressed);
    SET(CURLOPT_XFERINFODATA, (void *)watch);
  }
  if (watch && watch->hear) {
    SET(CURLOPT_VERBOSE, 1L);
    SET(CURLOPT_DEBUGFUNCTION, overheard);
    SET(CURLOPT_DEBUGDATA, (void *)watch);
  }
}

// Performs what was set, and says what became of it.
static void finish(
    ccurl_client *client, bool complete, ccurl_answer *answer, const char *text) {
  CURL *handle = client->handle;
  CURLcode code = complete ? lib.curl_easy_perform(handle) : CURLE_OUT_OF_MEMORY;
  lib.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
  SET(CURLOPT_ERRORBUFFER, (char *)NULL);
  // Who looked on is not there any more when the connection is closed.
  SET(CURLOPT_VERBOSE, 0L);
  SET(CURLOPT_NOPROGRESS, 1L);
  answer->outcome = outcome(code, client->too_long);
  if (client->retry_date >= 0) {
    // By our clock where the server does not tell its own.
    time_t now = answer->date < 0 ? time(NULL) : (time_t)answer->date;
    answer->retry_after = client->retry_date > now ? (long)(client->retry_date - now) : 0;
  }
  answer->body = client->body;
  answer->body_length = client->length;
  answer->head = client->head;
  answer->head_length = client->head_length;
  client->watch = NULL;
  if (code != CURLE_OK)
    snprintf(answer->problem, sizeof answer->problem, "%s", text[0] ? text : lib.curl_easy_strerror(code));
}

void ccurl_perform(ccurl_client *client, const ccurl_request *request, ccurl_answer *answer) {
  CURL *handle = client->handle;
  char text[CURL_ERROR_SIZE] = {0};
  begin(client, request->watch, answer, text);
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  if (request->total_milliseconds > 0 &&
      request->total_milliseconds < client->settings.total_milliseconds)
    SET(CURLOPT_TIMEOUT_MS, request->total_milliseconds);
  SET(CURLOPT_ACCEPT_ENCODING, "");
  SET(CURLOPT_HEADERFUNCTION, take_header);
  SET(CURLOPT_HEADERDATA, client);
  if (client->settings.user_agent) SET(CURLOPT_USERAGENT, client->settings.user_agent);
  if (request->watch) {
    SET(CURLOPT_PREREQFUNCTION, connected);
    SET(CURLOPT_PREREQDATA, client);
  }
  if (request->body) {
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    SET(CURLOPT_POSTFIELDS, request->body);
  }
  // An answer to HEAD has no body, whatever length it tells.
  if (strcmp(request->method, "HEAD") == 0) SET(CURLOPT_NOBODY, 1L);
  SET(CURLOPT_CUSTOMREQUEST, request->method);

  struct curl_slist *headers = NULL;
  bool complete = true;
  // Without this curl waits for a go-ahead before it sends a large body.
  for (size_t i = 0; i <= request->header_count; i++) {
    struct curl_slist *longer = lib.curl_slist_append(
        headers, i < request->header_count ? request->headers[i] : "Expect:");
    if (!longer) {
      complete = false;
      break;
    }
    headers = longer;
  }
  SET(CURLOPT_HTTPHEADER, headers);
  finish(client, complete, answer, text);
  SET(CURLOPT_HTTPHEADER, (struct curl_slist *)NULL);
  lib.curl_slist_free_all(headers);
}

static size_t give_message(char *place, size_t size, size_t count, void *context) {
  ccurl_client *client = context;
  size_t length = size * count < client->message_length ? size * count : client->message_length;
  if (!length) return 0;
  memcpy(place, client->message, length);
  client->message += length;
  client->message_length -= length;
  if (!client->message_length && client->watch) client->watch->will_send(client->watch->context);
  return length;
}

void ccurl_post(ccurl_client *client, const ccurl_mail *mail, ccurl_answer *answer) {
  CURL *handle = client->handle;
  char text[CURL_ERROR_SIZE] = {0};
  begin(client, mail->watch, answer, text);
  SET(CURLOPT_URL, mail->url);
  SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  SET(CURLOPT_USE_SSL, (long)(mail->needs_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
  // A mail that the server has taken is out: whether it answers QUIT too is not waited for two minutes.
  SET(CURLOPT_SERVER_RESPONSE_TIMEOUT, (client->settings.total_milliseconds + 999) / 1000);
  // A server closes what is idle; what waited would be lost on such a connection.
  SET(CURLOPT_FRESH_CONNECT, 1L);
  SET(CURLOPT_FORBID_REUSE, 1L);
  if (mail->user) SET(CURLOPT_USERNAME, mail->user);
  if (mail->password) SET(CURLOPT_PASSWORD, mail->password);
  SET(CURLOPT_MAIL_FROM, mail->from);
  struct curl_slist *to = lib.curl_slist_append(NULL, mail->to);
  SET(CURLOPT_MAIL_RCPT, to);
  client->message = mail->message;
  client->message_length = mail->message_length;
  SET(CURLOPT_UPLOAD, 1L);
  SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->message_length);
  SET(CURLOPT_READFUNCTION, give_message);
  SET(CURLOPT_READDATA, client);
  finish(client, to != NULL, answer, text);
  SET(CURLOPT_MAIL_RCPT, (struct curl_slist *)NULL);
  lib.curl_slist_free_all(to);
  client->message = NULL;
}
#undef SET
