// SPDX-License-Identifier: Apache-2.0

#pragma once

/// A hash of Bus's sources, written by `make stamp`.
#define BUSD_INTERFACE "8167e6da4015d93d"

/// What a plugin and its host must have in common: the sources of Bus and the compiler.
///
/// A function of the header, so that each side carries the text it was compiled with.
static inline const char *busd_stamp(void) {
    return "busd " BUSD_INTERFACE ", " __VERSION__;
}
