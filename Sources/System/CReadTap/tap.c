// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CReadTap.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

// libmicrohttpd offers no look at the bytes that it parses. It reads them with these two functions, so the program
// defines them itself: the dynamic linker takes the executable's definition before a library's
// (docs/decisions/0014). On threads without a tap, and that is all but libmicrohttpd's own, they do what they always do.

static _Thread_local busd_read_tap thread_tap;
static _Thread_local void *thread_context;

void busd_tap_reads(busd_read_tap tap, void *context) {
    thread_tap = tap;
    thread_context = context;
}

static ssize_t shown(busd_read_tap tap, int descriptor, void *session, const void *bytes, ssize_t count) {
    int failure = errno;
    count = tap(thread_context, descriptor, session, bytes, count);
    errno = failure;
    return count;
}

ssize_t recv(int descriptor, void *bytes, size_t room, int flags) {
    ssize_t count = recvfrom(descriptor, bytes, room, flags, NULL, NULL);
    return thread_tap ? shown(thread_tap, descriptor, NULL, bytes, count) : count;
}

typedef ssize_t (*record_recv)(void *session, void *bytes, size_t room);
typedef ssize_t (*record_send)(void *session, const void *bytes, size_t count);

int gnutls_transport_get_int(void *session);

ssize_t gnutls_record_recv(void *session, void *bytes, size_t room) {
    // Looked up once a process; two threads that do it at once find the same.
    static record_recv original;
    record_recv read = __atomic_load_n(&original, __ATOMIC_RELAXED);
    if (!read) {
        read = (record_recv)dlsym(RTLD_NEXT, "gnutls_record_recv");
        if (!read) return -1;
        __atomic_store_n(&original, read, __ATOMIC_RELAXED);
    }
    ssize_t count = read(session, bytes, room);
    return thread_tap ? shown(thread_tap, gnutls_transport_get_int(session), session, bytes, count) : count;
}

void busd_send_aside(int descriptor, void *session, const void *bytes, size_t count) {
    if (!session) {
        ssize_t sent = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
        (void)sent;
        return;
    }
    record_send write = (record_send)dlsym(RTLD_DEFAULT, "gnutls_record_send");
    if (write) write(session, bytes, count);
}
