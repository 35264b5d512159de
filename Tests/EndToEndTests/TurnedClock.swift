// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The wall clock of a program under test, which the test sets; its monotonic clock goes on as it does.
///
/// A library that is loaded before all others answers for `CLOCK_REALTIME`, and adds what a file says.
final class TurnedClock: Sendable {
    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static volatile long long *offset;

        __attribute__((constructor)) static void begin(void) {
            const char *path = getenv("TURNED_CLOCK");
            int file = path ? open(path, O_RDONLY) : -1;
            void *page = file < 0 ? MAP_FAILED : mmap(0, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
            if (page != MAP_FAILED) offset = page;
            if (file >= 0) close(file);
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            int result = syscall(SYS_clock_gettime, clock, time);
            if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
                time->tv_sec += *offset;
            return result;
        }

        int gettimeofday(struct timeval *restrict time, void *restrict zone) {
            struct timespec now;
            (void)zone;
            clock_gettime(CLOCK_REALTIME, &now);
            time->tv_sec = now.tv_sec;
            time->tv_usec = now.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }
        """

    private let offset: URL
    /// What a program needs in its environment to have this clock.
    let environment: [String: String]

    /// Makes a clock in a folder, set by so many seconds.
    init(in folder: URL, seconds: Int64) throws {
        let code = folder.appending(path: "turned_clock.c")
        let library = folder.appending(path: "turned_clock.so")
        offset = folder.appending(path: "turned_clock")
        try Self.source.write(to: code, atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/gcc")
        compiler.arguments = ["-shared", "-fPIC", "-O1", "-o", library.path, code.path]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "the clock does not compile")
        environment = ["LD_PRELOAD": library.path, "TURNED_CLOCK": offset.path]
        try set(seconds: seconds)
    }

    /// Sets the clock to so many seconds beside the true time; at once, for programs that run as well.
    func set(seconds: Int64) throws {
        let bytes = withUnsafeBytes(of: seconds) { Data($0) }
        if let file = FileHandle(forUpdatingAtPath: offset.path) {
            // In place: programs have this very file in their memory.
            try file.write(contentsOf: bytes)
            try file.close()
        } else {
            try bytes.write(to: offset)
        }
    }
}
