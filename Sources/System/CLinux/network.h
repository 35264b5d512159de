// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// What epoll reports: `struct epoll_event` is packed and holds a union, which reads badly from Swift.
struct busd_event {
    uint64_t token;
    uint32_t events;
};

static inline int busd_epoll_control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events;
    event.data.u64 = token;
    return epoll_ctl(epoll, operation, fd, &event);
}

/// At most 64 events; a negative result is `-errno`.
static inline int busd_epoll_wait(int epoll, struct busd_event *out, int timeout_ms) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, 64, timeout_ms);
    if (count < 0) return -errno;
    for (int i = 0; i < count; i++) {
        out[i].token = events[i].data.u64;
        out[i].events = events[i].events;
    }
    return count;
}

/// A write to a socket the peer has closed must be an error, not the end of the process: for one thread.
static inline void busd_block_sigpipe(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/// A pipe whose ends no other child inherits, whenever it is started.
static inline int busd_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/// Starts a non-blocking connect; the descriptor, or `-errno`.
static inline int busd_connect_start(const void *address, uint32_t length) {
    const struct sockaddr *target = (const struct sockaddr *)address;
    int fd = socket(target->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(fd, target, length) == 0 || errno == EINPROGRESS) return fd;
    int failure = errno;
    close(fd);
    return -failure;
}

/// How a connect ended: 0 or an errno.
static inline int busd_connect_result(int fd) {
    int failure = 0;
    socklen_t length = sizeof failure;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &length) != 0) return errno;
    return failure;
}

/// Listens on every IPv4 address or on the loopback one; the descriptor, or `-errno`.
static inline int busd_listen(uint16_t port, int loopback_only) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    int one = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(loopback_only ? INADDR_LOOPBACK : INADDR_ANY);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1024) == 0) return fd;
    int failure = errno;
    close(fd);
    return -failure;
}

static inline uint16_t busd_local_port(int fd) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return 0;
    return ntohs(address.sin_port);
}

/// The next connection, non-blocking and without delay; or `-errno`.
static inline int busd_accept(int listener) {
    // accept4 would need _GNU_SOURCE, which a module's header cannot set for itself.
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) return -errno;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}
