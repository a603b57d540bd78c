#pragma once
#include <dbus/dbus.h>

// The address of the system bus where the environment does not name one.
#ifdef DBUS_SYSTEM_BUS_DEFAULT_ADDRESS
#define LUNA_DBUS_SYSTEM_BUS DBUS_SYSTEM_BUS_DEFAULT_ADDRESS
#else
#define LUNA_DBUS_SYSTEM_BUS "unix:path=/run/dbus/system_bus_socket"
#endif
