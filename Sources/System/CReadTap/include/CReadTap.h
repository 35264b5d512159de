// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <sys/types.h>

/// Looks at what libmicrohttpd has just read, before libmicrohttpd does.
///
/// `session` is the TLS session, NULL for a plain connection; `count` is negative where nothing could be read. Returns
/// what libmicrohttpd is told that it read: `count`, less to keep the rest back for good, or 0 for the end of the
/// connection.
typedef ssize_t (*busd_read_tap)(void *context, int descriptor, void *session, const void *bytes, ssize_t count);

/// Has `tap` look at all that the calling thread reads with `recv` and `gnutls_record_recv` from now on.
void busd_tap_reads(busd_read_tap tap, void *context);

/// Sends bytes that libmicrohttpd knows nothing of; they are lost where the socket takes no more.
void busd_send_aside(int descriptor, void *session, const void *bytes, size_t count);
