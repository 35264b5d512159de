// SPDX-License-Identifier: Apache-2.0

#include "CAllocator.h"

// One arena a processor, for there are as many busy threads. Pages that are free for a moment are kept for a minute:
// the next burst wants them again. Measured: docs/decisions/0011.
const char *malloc_conf = "percpu_arena:percpu,dirty_decay_ms:60000,metadata_thp:auto";
