// What Linux offers and the Glibc module does not export: wrapped here, and only here.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "terminal.h"
