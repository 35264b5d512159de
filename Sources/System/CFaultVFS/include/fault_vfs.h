// SPDX-License-Identifier: Apache-2.0

#pragma once

// A SQLite VFS named "busd-fault" that passes everything on to the system's, counts what changes a file (writes,
// syncs, truncations), and makes one of these operations, or all from one on, fail. One plan for the process. Nothing is
// synced really: what a process leaves behind when it dies is in the kernel's hands, and tests need no slow disk.

typedef enum {
    BUSD_FAULT_NONE,
    BUSD_FAULT_IO_ERROR_ONCE,  // the operation fails; a write leaves half of its bytes behind
    BUSD_FAULT_FULL_ONCE,      // a write finds the disk full
    BUSD_FAULT_DEAD            // this one and all later ones fail: to the file, the process died here
} busd_fault_kind;

// Makes the VFS known; returns SQLite's code. May be called again.
int busd_fault_register(void);

// Starts counting anew; the operation with this number, from 1, fails.
void busd_fault_plan(busd_fault_kind kind, long operation);

// The operations counted since the last plan.
long busd_fault_operations(void);
