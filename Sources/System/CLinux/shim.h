// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/// Names the calling thread; variadic in C, so unseen by Swift.
static inline void busd_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

/// A lock on one byte of a file, far beyond what SQLite locks: 0, or an errno. It belongs to the open file and not to
/// the process (fcntl(2), "Open file description locks"), so it tells two opens of one process apart too.
static inline int busd_lock_file(int fd) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x7fff000000000000;
    lock.l_len = 1;
    // F_OFD_SETLK: behind _GNU_SOURCE, which a module's header cannot set for itself.
    return fcntl(fd, 37, &lock) == 0 ? 0 : errno;
}
