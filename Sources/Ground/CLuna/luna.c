#include "luna.h"
#include <string.h>

/* What programs were compiled with must not move. */
_Static_assert(sizeof(luna_advertisement) == 40, "luna_advertisement");
_Static_assert(offsetof(luna_advertisement, address) == 32, "luna_advertisement");
_Static_assert(sizeof(luna_location) == 72, "luna_location");
_Static_assert(offsetof(luna_location, rssi) == 64, "luna_location");

/* Of the thread, and gone with it. */
static _Thread_local char text[1024], remedy[1024];

const char *luna_error_text(void) { return text; }
const char *luna_error_remedy(void) { return remedy; }

/* Not for programs (libluna's list of symbols leaves it out). Both end with a zero byte. */
void cluna_set_error(const char *new_text, const char *new_remedy) {
  strncpy(text, new_text, sizeof text - 1);
  strncpy(remedy, new_remedy, sizeof remedy - 1);
}
