// A library that is loaded when it is first used, so that nobody needs it who does not. Included once by a file that
// has said in FUNCTIONS(X) which functions of it are used; they have the types that the library's headers give them.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static struct {
#define X(name) __typeof__(&name) name;
  FUNCTIONS(X)
#undef X
} lib;

// Why it is not there; empty when it is.
static char loading_problem[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Returns the library, or NULL, and then loading_problem says why.
static void *load_library(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(loading_problem, sizeof loading_problem, "%s", dlerror());
    return NULL;
  }
#define X(name)                                                                       \
  if (!(lib.name = (__typeof__(&name))dlsym(library, #name))) {                        \
    snprintf(loading_problem, sizeof loading_problem, "%s has no %s", file, #name);    \
    return NULL;                                                                       \
  }
  FUNCTIONS(X)
#undef X
  return library;
}
