// Receiving packets in batches, with the kernel's time and the kernel's drops.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { LUNA_BATCH = 64 };

// What recvmmsg left in one slot.
struct luna_packet {
  uint32_t length;
  uint32_t truncated;    // not zero: the packet was longer than its slot
  int64_t microseconds;  // since the Unix epoch; 0 when the kernel gave no time
};

// Receives up to `count` (at most LUNA_BATCH) packets without waiting, the n-th at
// `buffer + n * slot`. Returns how many; 0 when the peer has closed a stream.
int luna_receive(int fd, void *buffer, size_t slot, unsigned count, struct luna_packet *packets);

// Asks for the kernel's time with every packet.
int luna_enable_timestamps(int fd);

// Makes the receive buffer `bytes` large: beyond the limit of the system when permitted,
// otherwise up to it.
int luna_set_receive_buffer(int fd, int bytes);

// The packets that the kernel dropped because the socket's buffer was full.
int64_t luna_drops(int fd);

// The time of day in microseconds since the Unix epoch.
int64_t luna_now(void);

// Sends one packet whole, without a signal when the peer is gone.
int luna_send(int fd, const void *bytes, size_t count);

// The error that a socket has met, 0 when there is none.
int luna_socket_error(int fd);

// The least round trip of a connection over TCP so far, in microseconds; 0 where none is known.
int64_t luna_least_round_trip(int fd);

// What is known of a connection over TCP, from its beginning.
struct luna_tcp_counters {
  int64_t acknowledged;   // bytes that the other side has acknowledged, all before them too
  int64_t selected;       // segments behind those that it has acknowledged, too (SACK)
  int64_t sent;           // bytes, those that were sent again among them
  int64_t retransmitted;  // bytes that were sent again
  int64_t segments;       // packets sent
  int64_t least_round_trip;  // microseconds; 0 where none is known
  int64_t receiving_round_trip;  // the same, as one that receives sees it now
  int64_t sent_size;      // bytes of a full segment that is sent
  int64_t received;       // segments with data that came, those that came again among them
  int64_t received_size;  // bytes of a full one of them
  int64_t came;           // bytes that came, each once
};

// Reads them; 0 or -errno.
int luna_read_tcp_counters(int fd, struct luna_tcp_counters *counters);

// What somebody on the way, or at its end, answered to a datagram that did not arrive.
struct luna_path_answer {
  uint16_t port;       // where the datagram was to go
  uint16_t reached;    // not zero: it came to its end, where nobody wanted it
  char address[46];    // of who answered, as text
};

// Lets datagrams of a socket go no further than so many hops, and keeps what is answered to them.
int luna_limit_hops(int fd, int is_ipv6, int hops);

// Reads one answer without waiting: 1, 0 for something else, -errno when there is none.
int luna_read_path_answer(int fd, struct luna_path_answer *answer);
