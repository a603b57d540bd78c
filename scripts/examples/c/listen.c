/* Listens to everything on the air, and prints what is heard: a line of JSON each.
 *
 *   cc listen.c $(pkg-config --cflags --libs luna) -o listen
 *   ./listen virtual:1 20        (source, and how many lines)
 */
#include <luna.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct listener {
  pthread_mutex_t lock;
  pthread_cond_t news;
  long left;
  bool has_ended;
  luna_status status;
};

/* Called on a thread of Luna's, one advertisement at a time. */
static void heard(const luna_advertisement *advertisement, void *context) {
  struct listener *listener = context;
  pthread_mutex_lock(&listener->lock);
  if (listener->left > 0) {
    puts(advertisement->json);
    if (--listener->left == 0) pthread_cond_signal(&listener->news);
  }
  pthread_mutex_unlock(&listener->lock);
}

static void ended(luna_status status, const char *text, void *context) {
  struct listener *listener = context;
  if (status != LUNA_OK) fprintf(stderr, "listen: %s\n", text);
  pthread_mutex_lock(&listener->lock);
  listener->has_ended = true;
  listener->status = status;
  pthread_cond_signal(&listener->news);
  pthread_mutex_unlock(&listener->lock);
}

int main(int count, char **words) {
  const char *source = count > 1 ? words[1] : "auto";
  struct listener listener = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER,
    .left = count > 2 ? atol(words[2]) : 20};
  luna_scan *scan = NULL;
  if (luna_scan_start(source, heard, ended, &listener, &scan) != LUNA_OK) {
    fprintf(stderr, "listen: %s (%s)\n", luna_error_text(), luna_error_remedy());
    return 1;
  }
  pthread_mutex_lock(&listener.lock);
  while (listener.left > 0 && !listener.has_ended) pthread_cond_wait(&listener.news, &listener.lock);
  pthread_mutex_unlock(&listener.lock);
  luna_scan_stop(scan);
  return listener.status == LUNA_OK ? 0 : 1;
}
