// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/prctl.h>

/// Names the calling thread; variadic in C, so unseen by Swift.
static inline void busd_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
