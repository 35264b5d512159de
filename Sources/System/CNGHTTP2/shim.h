// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdint.h>
#include <string.h>
#include <nghttp2/nghttp2.h>

/// More fields than this in one header block are refused with NGHTTP2_ERR_INVALID_ARGUMENT.
enum { BUSD_H2_FIELDS = 64 };

/// Header fields packed one after another, each as `struct busd_h2_packed`, its name, its value.
struct busd_h2_packed {
    uint16_t name_length;
    uint16_t value_length;
    uint16_t flags;
};

/// Appends packed fields to `all`; the new count, or -1 where one is malformed.
static inline int busd_h2_unpack(nghttp2_nv *all, size_t count, const uint8_t *packed, size_t length) {
    const uint8_t *end = packed + length;
    while (packed < end) {
        struct busd_h2_packed head;
        memcpy(&head, packed, sizeof head);
        uint8_t *name = (uint8_t *)packed + sizeof head;
        uint8_t *value = name + head.name_length;
        packed = value + head.value_length;
        if (count == BUSD_H2_FIELDS || !nghttp2_check_header_value(value, head.value_length)) return -1;
        all[count].name = name;
        all[count].namelen = head.name_length;
        all[count].value = value;
        all[count].valuelen = head.value_length;
        all[count].flags = (uint8_t)head.flags;
        count++;
    }
    return (int)count;
}

/// Submits a request: `lead` (pseudo headers), then what is `own` to it (`:path` first), then what many requests
/// share. nghttp2 copies what is own; `lead` and `shared` say themselves whether they are copied.
static inline int32_t busd_h2_request(
    nghttp2_session *session, const nghttp2_nv *lead, size_t lead_count, const uint8_t *own, size_t own_length,
    const nghttp2_nv *shared, size_t shared_count, nghttp2_data_source_read_callback read, void *context) {
    nghttp2_nv all[BUSD_H2_FIELDS];
    if (lead_count + shared_count > BUSD_H2_FIELDS) return NGHTTP2_ERR_INVALID_ARGUMENT;
    memcpy(all, lead, lead_count * sizeof *lead);
    int count = busd_h2_unpack(all, lead_count, own, own_length);
    if (count < 0 || (size_t)count + shared_count > BUSD_H2_FIELDS) return NGHTTP2_ERR_INVALID_ARGUMENT;
    memcpy(all + count, shared, shared_count * sizeof *shared);
    nghttp2_data_provider body;
    body.source.ptr = context;
    body.read_callback = read;
    return nghttp2_submit_request(session, NULL, all, (size_t)count + shared_count, read ? &body : NULL, context);
}

/// Submits a response: what is `own` to it (`:status` first), then what many responses share.
static inline int busd_h2_response(
    nghttp2_session *session, int32_t stream, const uint8_t *own, size_t own_length,
    const nghttp2_nv *shared, size_t shared_count, nghttp2_data_source_read_callback read, void *context) {
    nghttp2_nv all[BUSD_H2_FIELDS];
    int count = busd_h2_unpack(all, 0, own, own_length);
    if (count < 0 || (size_t)count + shared_count > BUSD_H2_FIELDS) return NGHTTP2_ERR_INVALID_ARGUMENT;
    memcpy(all + count, shared, shared_count * sizeof *shared);
    nghttp2_data_provider body;
    body.source.ptr = context;
    body.read_callback = read;
    return nghttp2_submit_response(session, stream, all, (size_t)count + shared_count, read ? &body : NULL);
}

static inline int busd_h2_setting(nghttp2_session *session, int32_t identifier, uint32_t value) {
    nghttp2_settings_entry entry = {identifier, value};
    return nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, &entry, 1);
}

/// The first SETTINGS, and the connection's own receive window.
static inline int busd_h2_begin(
    nghttp2_session *session, uint32_t streams, uint32_t stream_window, int32_t connection_window, int is_client) {
    nghttp2_settings_entry entries[2] = {
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, stream_window},
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streams},
    };
    if (is_client) {
        entries[1].settings_id = NGHTTP2_SETTINGS_ENABLE_PUSH;
        entries[1].value = 0;
    }
    int failure = nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, entries, 2);
    if (failure != 0 || connection_window <= 65535) return failure;
    return nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, connection_window);
}
