/*
 * A long line between two network namespaces: link CLIENT_DEVICE SERVER_DEVICE RTT_MS MBIT_PER_SECOND LOSS
 *
 * Makes two TUN devices, and carries each IPv4 packet from one to the other after half a round trip. Each direction has a rate, a queue
 * of one bandwidth-delay product that drops what does not fit, and a random loss. So TCP is the kernel's own. Prints "ready" when the
 * devices exist and, when its input is closed, how many TCP connections were opened and how many packets were dropped or lost.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define VIRTUAL_HEADER 10
#define MAX_PACKET (65536 + 64)

struct packet {
  uint64_t due;
  int length;
  unsigned char *bytes;
};

/* One direction. Packets leave in the order in which they came, since all take the same time. */
struct direction {
  struct packet *ring;
  unsigned first, count, capacity;
  uint64_t free_at;
};

static double rtt_ms, mbit, loss, queue_bytes;
static unsigned long connections, dropped;
static unsigned char seen_ports[65536 / 8];

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void push(struct direction *d, struct packet p) {
  if (d->count == d->capacity) {
    unsigned capacity = d->capacity ? d->capacity * 2 : 4096;
    struct packet *ring = malloc(capacity * sizeof p);
    for (unsigned i = 0; i < d->count; i++) ring[i] = d->ring[(d->first + i) % d->capacity];
    free(d->ring);
    d->ring = ring;
    d->first = 0;
    d->capacity = capacity;
  }
  d->ring[(d->first + d->count++) % d->capacity] = p;
}

static int open_device(const char *name) {
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (fd < 0 || ioctl(fd, TUNSETIFF, &request) < 0 || ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM) < 0) {
    perror("link: /dev/net/tun");
    exit(1);
  }
  return fd;
}

/* Counts each client port once, at its SYN. */
static void count_connection(const unsigned char *ip) {
  const unsigned char *tcp = ip + (ip[0] & 15) * 4;
  unsigned port = tcp[0] << 8 | tcp[1];
  int is_new = !(seen_ports[port >> 3] >> (port & 7) & 1);
  if (ip[9] != 6 || (tcp[13] & 0x12) != 2 || !is_new) return;
  seen_ports[port >> 3] |= 1 << (port & 7);
  connections++;
}

static void take(int fd, struct direction *d, int is_from_client) {
  static unsigned char buffer[MAX_PACKET];
  for (int i = 0; i < 128; i++) {
    int n = read(fd, buffer, sizeof buffer), length = n - VIRTUAL_HEADER;
    if (n < 0) return;
    if (length < 20 || buffer[VIRTUAL_HEADER] >> 4 != 4) continue;
    if (is_from_client) count_connection(buffer + VIRTUAL_HEADER);
    uint64_t now = now_ns();
    if (d->free_at < now) d->free_at = now;
    double waiting = (d->free_at - now) * mbit / 8000;
    if (waiting + length > queue_bytes) {
      dropped++;
      continue;
    }
    d->free_at += length * 8000 / mbit;
    if (drand48() < loss) {
      dropped++;
      continue;
    }
    struct packet p = {d->free_at + (uint64_t)(rtt_ms * 500000), n, malloc(n)};
    memcpy(p.bytes, buffer, n);
    push(d, p);
  }
}

/* Returns when the next packet is due. */
static uint64_t deliver(int fd, struct direction *d) {
  while (d->count > 0 && d->ring[d->first].due <= now_ns()) {
    struct packet p = d->ring[d->first];
    d->first = (d->first + 1) % d->capacity;
    d->count--;
    if (write(fd, p.bytes, p.length) < 0) dropped++;
    free(p.bytes);
  }
  return d->count > 0 ? d->ring[d->first].due : UINT64_MAX;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  rtt_ms = atof(argv[3]);
  mbit = atof(argv[4]);
  loss = atof(argv[5]);
  queue_bytes = mbit * 125 * rtt_ms;
  if (queue_bytes < 262144) queue_bytes = 262144;
  int client = open_device(argv[1]), server = open_device(argv[2]);
  struct direction to_server = {0}, to_client = {0};
  puts("ready");
  fflush(stdout);
  for (;;) {
    uint64_t next = deliver(server, &to_server), other = deliver(client, &to_client), now = now_ns();
    if (other < next) next = other;
    uint64_t wait = next <= now ? 50000 : next - now < 1000000000ull ? next - now : 1000000000ull;
    struct timespec timeout = {wait / 1000000000ull, wait % 1000000000ull};
    struct pollfd polled[3] = {{client, POLLIN, 0}, {server, POLLIN, 0}, {0, POLLIN, 0}};
    if (ppoll(polled, 3, &timeout, NULL) <= 0) continue;
    if (polled[0].revents) take(client, &to_server, 1);
    if (polled[1].revents) take(server, &to_client, 0);
    if (polled[2].revents) break;
  }
  printf("%lu %lu\n", connections, dropped);
  return 0;
}
