// SPDX-License-Identifier: Apache-2.0

#pragma once

/// How jemalloc works in this process; it reads the variable by its name (jemalloc(3), "TUNING").
///
/// The environment's MALLOC_CONF is read after it, and wins.
extern const char *malloc_conf;
