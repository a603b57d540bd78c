/* Follows the trackers of a directory by their rotating identifiers, and prints what happens to them: a line of
 * JSON each.
 *
 *   cc follow.c $(pkg-config --cflags --libs luna) -o follow
 *   ./follow auto ~/.local/share/luna 20        (source, directory, and how many lines)
 */
#include <luna.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct follower {
  pthread_mutex_t lock;
  pthread_cond_t news;
  long left;
  bool has_ended;
  luna_status status;
};

/* Called on a thread of Luna's, one line at a time. */
static void happened(const char *json, void *context) {
  struct follower *follower = context;
  pthread_mutex_lock(&follower->lock);
  if (follower->left > 0) {
    puts(json);
    if (--follower->left == 0) pthread_cond_signal(&follower->news);
  }
  pthread_mutex_unlock(&follower->lock);
}

static void ended(luna_status status, const char *text, void *context) {
  struct follower *follower = context;
  if (status != LUNA_OK) fprintf(stderr, "follow: %s\n", text);
  pthread_mutex_lock(&follower->lock);
  follower->has_ended = true;
  follower->status = status;
  pthread_cond_signal(&follower->news);
  pthread_mutex_unlock(&follower->lock);
}

int main(int count, char **words) {
  const char *source = count > 1 ? words[1] : "auto";
  const char *state = count > 2 ? words[2] : NULL;
  struct follower follower = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER,
    .left = count > 3 ? atol(words[3]) : 20};
  luna_following *following = NULL;
  if (luna_following_start(source, state, happened, ended, &follower, &following) != LUNA_OK) {
    fprintf(stderr, "follow: %s (%s)\n", luna_error_text(), luna_error_remedy());
    return 1;
  }
  pthread_mutex_lock(&follower.lock);
  while (follower.left > 0 && !follower.has_ended) pthread_cond_wait(&follower.news, &follower.lock);
  pthread_mutex_unlock(&follower.lock);
  luna_following_stop(following);
  return follower.status == LUNA_OK ? 0 : 1;
}
