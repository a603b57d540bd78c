#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The header makes macros of these, to check the types of variadic arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo

// The functions that are used, with the types that the header gives them.
#define FUNCTIONS(X)     \
  X(curl_easy_cleanup)   \
  X(curl_easy_getinfo)   \
  X(curl_easy_init)      \
  X(curl_easy_perform)   \
  X(curl_easy_reset)     \
  X(curl_easy_setopt)    \
  X(curl_easy_strerror)  \
  X(curl_global_init)    \
  X(curl_slist_append)   \
  X(curl_slist_free_all)

static struct {
#define X(name) __typeof__(&name) name;
  FUNCTIONS(X)
#undef X
} lib;

static char problem[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(problem, sizeof problem, "%s", dlerror());
    return;
  }
#define X(name)                                                   \
  if (!(lib.name = (__typeof__(&name))dlsym(library, #name))) {    \
    snprintf(problem, sizeof problem, "libcurl has no %s", #name); \
    return;                                                        \
  }
  FUNCTIONS(X)
#undef X
  if (lib.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    snprintf(problem, sizeof problem, "libcurl cannot be initialised");
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

struct ccurl_client {
  CURL *handle;
  ccurl_settings settings;
  char *body;
  size_t length, capacity;
  bool too_long;
  ccurl_answer *answer;
};

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
  free(client->body);
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
    char *larger = realloc(client->body, capacity);
    if (!larger) return 0;
    client->body = larger;
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
    answer->retry_after = -1;
    answer->content_type[0] = answer->location[0] = 0;
  }
  long found = value(line, length, "Content-Type", &text);
  keep(answer->content_type, sizeof answer->content_type, text, found);
  found = value(line, length, "Location", &text);
  keep(answer->location, sizeof answer->location, text, found);
  found = value(line, length, "Retry-After", &text);
  if (found > 0 && found < 9) {
    char digits[10] = {0};
    memcpy(digits, text, (size_t)found);
    if (strspn(digits, "0123456789") == (size_t)found) answer->retry_after = atol(digits);
  }
  return length;
}

static ccurl_outcome outcome(CURLcode code, bool too_long) {
  if (too_long) return ccurl_answer_too_long;
  switch (code) {
    case CURLE_OK: return ccurl_answered;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return ccurl_bad_url;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return ccurl_not_resolved;
    case CURLE_COULDNT_CONNECT: return ccurl_not_connected;
    case CURLE_OPERATION_TIMEDOUT: return ccurl_timed_out;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR: return ccurl_not_trusted;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR: return ccurl_broken_off;
    default: return ccurl_failed;
  }
}

void ccurl_perform(ccurl_client *client, const ccurl_request *request, ccurl_answer *answer) {
  CURL *handle = client->handle;
  char text[CURL_ERROR_SIZE] = {0};
  memset(answer, 0, sizeof *answer);
  answer->retry_after = -1;
  client->length = 0;
  client->too_long = false;
  client->answer = answer;

  // Options go back to their defaults; the connection and what TLS agreed on are kept.
  lib.curl_easy_reset(handle);
#define SET(option, value) lib.curl_easy_setopt(handle, (option), (value))
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_ERRORBUFFER, text);
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  SET(CURLOPT_CONNECTTIMEOUT_MS, client->settings.connect_milliseconds);
  long limit = client->settings.total_milliseconds;
  if (request->total_milliseconds > 0 && request->total_milliseconds < limit)
    limit = request->total_milliseconds;
  SET(CURLOPT_TIMEOUT_MS, limit);
  SET(CURLOPT_TCP_KEEPALIVE, 1L);
  SET(CURLOPT_ACCEPT_ENCODING, "");
  SET(CURLOPT_WRITEFUNCTION, take_body);
  SET(CURLOPT_WRITEDATA, client);
  SET(CURLOPT_HEADERFUNCTION, take_header);
  SET(CURLOPT_HEADERDATA, client);
  if (client->settings.user_agent) SET(CURLOPT_USERAGENT, client->settings.user_agent);
  const char *proxy = client->settings.proxy;
  if (proxy && *proxy) SET(CURLOPT_PROXY, strcmp(proxy, "-") == 0 ? "" : proxy);
  if (client->settings.certificate_authorities)
    SET(CURLOPT_CAINFO, client->settings.certificate_authorities);
  if (request->body) {
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    SET(CURLOPT_POSTFIELDS, request->body);
  }
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
#undef SET
  CURLcode code = complete ? lib.curl_easy_perform(handle) : CURLE_OUT_OF_MEMORY;
  lib.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
  lib.curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, (char *)NULL);
  lib.curl_easy_setopt(handle, CURLOPT_HTTPHEADER, (struct curl_slist *)NULL);
  lib.curl_slist_free_all(headers);
  answer->outcome = outcome(code, client->too_long);
  answer->body = client->body;
  answer->body_length = client->length;
  if (code != CURLE_OK)
    snprintf(answer->problem, sizeof answer->problem, "%s", text[0] ? text : lib.curl_easy_strerror(code));
}
