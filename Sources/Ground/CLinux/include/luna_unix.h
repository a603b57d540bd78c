// Unix sockets, whose addresses Swift cannot express, and the descriptors that come over them.
// Functions return what they were asked for, or -errno.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// A socket of `type` (SOCK_DGRAM, SOCK_SEQPACKET) that is connected with an address: a path, or a name
// without a file with @ in front.
int luna_unix_connect(const char *address, int type);
// Listens on a socket with a name in a directory, whose path may be longer than an address has room for; only
// its owner can use it, from its first moment. Returns it, or the negative errno.
int luna_unix_listen(const char *directory, const char *name);
// Connects with such a socket. Returns the connection, or the negative errno.
int luna_unix_join(const char *directory, const char *name);
// Takes the next connection. Returns it, or the negative errno.
int luna_unix_accept(int socket);
// Whether who is connected is the same user, or root.
bool luna_unix_is_own(int socket);
// Two sockets of packets that are connected with each other; what is received on the first is waited for
// no longer than `milliseconds`.
int luna_unix_pair(int sockets[2], int milliseconds);
// How long a socket waits for what is received.
int luna_set_receive_limit(int socket, int milliseconds);
// Receives a packet, and a descriptor that came with it: -1 when none did. Returns the packet's length.
int luna_receive_descriptor(int socket, void *bytes, size_t capacity, int *descriptor);
