// SPDX-License-Identifier: Apache-2.0

#include "fault_vfs.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;  // directly behind this struct
} fault_file;

static atomic_long counted;
static atomic_long failing;
static atomic_int kind;

static sqlite3_file *real_of(sqlite3_file *file) { return ((fault_file *)file)->real; }

// Counts an operation and says whether it fails.
static busd_fault_kind next_operation(void) {
    long number = atomic_fetch_add(&counted, 1) + 1;
    int now = atomic_load(&kind);
    long at = atomic_load(&failing);
    if (now == BUSD_FAULT_NONE || number < at) return BUSD_FAULT_NONE;
    return number == at || now == BUSD_FAULT_DEAD ? (busd_fault_kind)now : BUSD_FAULT_NONE;
}

static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *real = real_of(file);
    long first_dead = atomic_load(&failing);
    busd_fault_kind fault = next_operation();
    if (fault == BUSD_FAULT_NONE) return real->pMethods->xWrite(real, bytes, count, offset);
    if (fault == BUSD_FAULT_FULL_ONCE) return SQLITE_FULL;
    // A torn write: what a process that dies, or a disk that fails, leaves behind.
    if (fault == BUSD_FAULT_IO_ERROR_ONCE || atomic_load(&counted) == first_dead)
        (void)real->pMethods->xWrite(real, bytes, count / 2, offset);
    return SQLITE_IOERR_WRITE;
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
    sqlite3_file *real = real_of(file);
    return next_operation() == BUSD_FAULT_NONE ? real->pMethods->xTruncate(real, size) : SQLITE_IOERR_TRUNCATE;
}

static int fault_sync(sqlite3_file *file, int flags) {
    (void)file;
    (void)flags;
    return next_operation() == BUSD_FAULT_NONE ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int fault_close(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return real_of(file)->pMethods->xRead(real_of(file), bytes, count, offset);
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int fault_lock(sqlite3_file *file, int level) { return real_of(file)->pMethods->xLock(real_of(file), level); }

static int fault_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int fault_reserved(sqlite3_file *file, int *result) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int fault_control(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int fault_sector(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }

static int fault_device(sqlite3_file *file) { return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file)); }

static int fault_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
    return real_of(file)->pMethods->xShmMap(real_of(file), region, size, extend, memory);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void fault_shm_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }

static int fault_shm_unmap(sqlite3_file *file, int remove) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = fault_close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = fault_size,
    .xLock = fault_lock,
    .xUnlock = fault_unlock,
    .xCheckReservedLock = fault_reserved,
    .xFileControl = fault_control,
    .xSectorSize = fault_sector,
    .xDeviceCharacteristics = fault_device,
    .xShmMap = fault_shm_map,
    .xShmLock = fault_shm_lock,
    .xShmBarrier = fault_shm_barrier,
    .xShmUnmap = fault_shm_unmap,
};

static sqlite3_vfs vfs;

static int fault_open(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *opened) {
    sqlite3_vfs *system = self->pAppData;
    fault_file *ours = (fault_file *)file;
    ours->real = (sqlite3_file *)(ours + 1);
    memset(ours->real, 0, (size_t)system->szOsFile);
    int code = system->xOpen(system, name, ours->real, flags, opened);
    ours->base.pMethods = ours->real->pMethods ? &methods : 0;
    return code;
}

int busd_fault_register(void) {
    sqlite3_vfs *system = sqlite3_vfs_find(0);
    if (sqlite3_vfs_find("busd-fault")) return SQLITE_OK;
    if (!system) return SQLITE_ERROR;
    vfs = *system;
    vfs.zName = "busd-fault";
    vfs.pAppData = system;
    vfs.pNext = 0;
    vfs.szOsFile = (int)sizeof(fault_file) + system->szOsFile;
    vfs.xOpen = fault_open;
    return sqlite3_vfs_register(&vfs, 0);
}

void busd_fault_plan(busd_fault_kind planned, long operation) {
    atomic_store(&kind, BUSD_FAULT_NONE);
    atomic_store(&counted, 0);
    atomic_store(&failing, operation);
    atomic_store(&kind, planned);
}

long busd_fault_operations(void) { return atomic_load(&counted); }
