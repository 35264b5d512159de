// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <zlib.h>

/// Begins to inflate gzip or zlib data, whichever it is; a macro in zlib, which Swift does not see.
static inline int busd_inflate_begin(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 32); }
