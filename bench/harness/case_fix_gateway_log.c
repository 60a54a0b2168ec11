/* A log that is only appended to, for the cases whose rows are really stored. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "case_fix_gateway.h"

static bool log_tell(const struct fix_log *log, const char *what)
{
    fprintf(stderr, "riffle-bench: %s: %s: %s\n", log->path == NULL ? "log" : log->path, what, strerror(errno));
    return false;
}

bool fix_log_open(struct fix_log *log, const char *folder)
{
    *log = (struct fix_log){.fd = -1};
    log->block = malloc(FIX_LOG_BLOCK);
    if (log->block == NULL || asprintf(&log->path, "%s/fix-gateway.log", folder) < 0) {
        log->path = NULL;
        log_tell(log, "no memory");
        fix_log_close(log);
        return false;
    }
    bool is_open = mkdir(folder, 0777) == 0 || errno == EEXIST;
    if (is_open) {
        log->fd = open(log->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        is_open = log->fd >= 0;
    }
    if (!is_open) {
        log_tell(log, "opening it");
        fix_log_close(log);
    }
    return is_open;
}

void fix_log_close(struct fix_log *log)
{
    if (log->fd >= 0) {
        close(log->fd);
        unlink(log->path);
    }
    free(log->path);
    free(log->block);
    *log = (struct fix_log){.fd = -1};
}

static bool block_write(struct fix_log *log)
{
    size_t done = 0;
    while (done < log->used) {
        const ssize_t written = write(log->fd, log->block + done, log->used - done);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return log_tell(log, "writing");
        }
        done += (size_t)written;
    }
    log->used = 0;
    return true;
}

bool fix_log_append(struct fix_log *log, const char *bytes, size_t count)
{
    assert(count <= FIX_LOG_BLOCK);
    if (count > FIX_LOG_BLOCK - log->used && !block_write(log)) {
        return false;
    }
    memcpy(log->block + log->used, bytes, count);
    log->used += count;
    return true;
}

bool fix_log_sync(struct fix_log *log)
{
    if (!block_write(log)) {
        return false;
    }
    if (fdatasync(log->fd) != 0) {
        return log_tell(log, "fdatasync");
    }
    return true;
}

const char *fix_log_system(const struct fix_log *log)
{
    static const struct {
        unsigned long magic;
        const char *name;
    } system[] = {
        {0xef53, "ext"},           {0x58465342, "xfs"},
        {0x9123683e, "btrfs"},     {0x01021994, "tmpfs, where it costs nothing"},
        {0x794c7630, "overlayfs"}, {0x6969, "nfs"},
        {0x65735546, "fuse"},      {0x01021997, "9p"},
    };
    struct statfs about;
    if (fstatfs(log->fd, &about) == 0) {
        for (size_t i = 0; i < sizeof(system) / sizeof(system[0]); i++) {
            if ((unsigned long)about.f_type == system[i].magic) {
                return system[i].name;
            }
        }
    }
    return "a file system without a name here";
}
