// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdio.h>

/// Puts a hash of Bus's sources and the compiler's name into one text, which lives as long as the process.
///
/// A function of the header, so that each side names the compiler that it was compiled with.
static inline const char *_Nonnull busd_stamp_text(const char *_Nonnull interface) {
    static char text[512];
    snprintf(text, sizeof text, "busd %s, " __VERSION__, interface);
    return text;
}
