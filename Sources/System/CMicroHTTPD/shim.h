// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include <microhttpd.h>

/// What a daemon is started with; MHD_start_daemon is variadic in C, so unseen by Swift.
struct busd_mhd_options {
    unsigned int idle_seconds;
    size_t connection_memory;
    MHD_AccessHandlerCallback handler;
    MHD_RequestCompletedCallback completed;
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    void *context;
    MHD_NotifyConnectionCallback connection;
    void *connection_context;
    /// PEM texts, read while the daemon starts; without a certificate it speaks plain HTTP.
    const char *certificate;
    const char *key;
    /// NULL where clients are not asked for certificates.
    const char *client_roots;
    const char *priorities;
    /// Whether libmicrohttpd starts no thread: its daemon works in MHD_run alone, and all calls are that one thread's.
    int is_driven;
};

static inline struct MHD_Daemon *busd_mhd_start(const struct busd_mhd_options *o) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)o->priorities},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)o->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)o->key},
        {o->client_roots ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0, (void *)o->client_roots},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none = {MHD_OPTION_END, 0, NULL};
    // Driven, it gets the bare bit of MHD_ALLOW_SUSPEND_RESUME, without that of MHD_USE_ITC: a resume comes from the
    // thread that runs it, and so need not write to a descriptor to wake it.
    unsigned int mode = o->is_driven ? MHD_USE_EPOLL | (MHD_ALLOW_SUSPEND_RESUME & ~MHD_USE_ITC)
                                     : MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    return MHD_start_daemon(
        mode | MHD_USE_NO_LISTEN_SOCKET | (o->certificate ? MHD_USE_TLS : 0),
        0, NULL, NULL,
        o->handler, o->context,
        // Out of reach: where 0.9.75 meets it, its polling thread locks a mutex twice and is dead.
        MHD_OPTION_CONNECTION_LIMIT, 1u << 30,
        MHD_OPTION_NOTIFY_CONNECTION, o->connection, o->connection_context,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory,
        MHD_OPTION_NOTIFY_COMPLETED, o->completed, o->context,
        MHD_OPTION_URI_LOG_CALLBACK, o->begin, o->context,
        MHD_OPTION_ARRAY, o->certificate ? tls : &none,
        MHD_OPTION_END);
}

/// What is readable once a driven daemon has something to do.
static inline int busd_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/// The milliseconds after which a driven daemon has something to do whatever comes; at most `most`.
static inline int busd_mhd_timeout(struct MHD_Daemon *daemon, int most) {
    MHD_UNSIGNED_LONG_LONG timeout = 0;
    if (MHD_get_timeout(daemon, &timeout) != MHD_YES) return most;
    return timeout < (MHD_UNSIGNED_LONG_LONG)most ? (int)timeout : most;
}

/// The connection's TLS session, a gnutls_session_t; NULL where it is plain.
static inline void *busd_mhd_tls_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? info->tls_session : NULL;
}

/// What the connection callback left for the connection.
static inline void *busd_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// The connection's socket.
static inline int busd_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// Takes the next client, without blocking afterwards; `accept4` is hidden behind _GNU_SOURCE.
static inline int busd_accept(int listener, struct sockaddr_storage *address, socklen_t *size) {
    *size = sizeof(*address);
    int client = accept(listener, (struct sockaddr *)address, size);
    if (client < 0) return client;
    fcntl(client, F_SETFD, FD_CLOEXEC);
    fcntl(client, F_SETFL, fcntl(client, F_GETFL) | O_NONBLOCK);
    return client;
}

/// Two connected sockets, which nothing else in the process's future inherits.
static inline int busd_socket_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
    for (int index = 0; index < 2; index++) {
        fcntl(ends[index], F_SETFD, FD_CLOEXEC);
        fcntl(ends[index], F_SETFL, fcntl(ends[index], F_GETFL) | O_NONBLOCK);
    }
    return 0;
}

/// The address of the connection's far end, valid while the connection is.
static inline const struct sockaddr *busd_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/// Lets the process open as many descriptors as its hard limit allows; returns how many that are.
static inline uint64_t busd_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    if (limit.rlim_cur == limit.rlim_max) return limit.rlim_cur;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before;
}
