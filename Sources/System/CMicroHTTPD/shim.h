// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdint.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include <microhttpd.h>

/// What a daemon is started with; MHD_start_daemon is variadic in C, so unseen by Swift.
struct busd_mhd_options {
    int listen_socket;
    unsigned int connection_limit;
    unsigned int idle_seconds;
    size_t connection_memory;
    MHD_AccessHandlerCallback handler;
    MHD_RequestCompletedCallback completed;
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    void *context;
};

static inline struct MHD_Daemon *busd_mhd_start(const struct busd_mhd_options *o) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL,
        o->handler, o->context,
        MHD_OPTION_LISTEN_SOCKET, o->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, o->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory,
        MHD_OPTION_NOTIFY_COMPLETED, o->completed, o->context,
        MHD_OPTION_URI_LOG_CALLBACK, o->begin, o->context,
        MHD_OPTION_END);
}

/// The address of the connection's far end, valid while the connection is.
static inline const struct sockaddr *busd_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/// Lets the process open as many descriptors as its hard limit allows.
static inline void busd_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}
