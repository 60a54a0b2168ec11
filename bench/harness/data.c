#include "data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool data_load(struct data *data)
{
    enum { HUGE_PAGE_BYTES = 2 << 20 };
    if (data->bytes != NULL) {
        return true;
    }
    const size_t bytes = data->mib << 20;
    const size_t mapped = (bytes + BENCH_PADDING + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    void *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "riffle-bench: %zu MiB for %s: %s\n", mapped >> 20, data->name, strerror(errno));
        return false;
    }
    (void)madvise(memory, mapped, MADV_HUGEPAGE); /* a wish */
    struct rf_gen gen;
    rf_gen_open(&gen, data->kind, data->seed, data->shuffle, data->traps);
    data->bytes = memory;
    data->mapped = mapped;
    data->count = rf_gen_fill(&gen, data->bytes, bytes, &data->records);
    return true;
}

void data_close(struct data *data)
{
    if (data->bytes != NULL) {
        munmap(data->bytes, data->mapped);
        data->bytes = NULL;
    }
}

static bool file_write(const char *path, const char *bytes, size_t count)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool is_done = fd >= 0;
    while (is_done && count > 0) {
        const ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        is_done = written > 0;
        bytes += is_done ? written : 0;
        count -= is_done ? (size_t)written : 0;
    }
    if (!is_done) {
        fprintf(stderr, "riffle-bench: %s: %s\n", path, strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    return is_done;
}

/* A file of an older generator may have the same size: its first and last bytes are compared too. */
static bool file_is_ours(const char *path, const char *bytes, size_t count)
{
    enum { PROBE_BYTES = 64 * 1024 };
    static char probe[PROBE_BYTES];
    struct stat there;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const size_t probe_bytes = count < PROBE_BYTES ? count : PROBE_BYTES;
    const size_t places[2] = {0, count - probe_bytes};
    bool is_ours = fstat(fd, &there) == 0 && there.st_size == (off_t)count;
    for (int p = 0; p < 2 && is_ours; p++) {
        is_ours = pread(fd, probe, probe_bytes, (off_t)places[p]) == (ssize_t)probe_bytes &&
                  memcmp(probe, bytes + places[p], probe_bytes) == 0;
    }
    close(fd);
    return is_ours;
}

bool data_write(const struct data *data, const char *folder, const char *name, size_t count, char **path)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "riffle-bench: %s: %s\n", folder, strerror(errno));
        return false;
    }
    if (asprintf(path, "%s/%s", folder, name) < 0) {
        *path = NULL;
        fprintf(stderr, "riffle-bench: out of memory\n");
        return false;
    }
    if (file_is_ours(*path, data->bytes, count)) {
        return true;
    }
    return file_write(*path, data->bytes, count);
}

size_t data_lines_within(const struct data *data, size_t bytes)
{
    if (bytes >= data->count) {
        return data->count;
    }
    const char *end = memrchr(data->bytes, '\n', bytes);
    return end == NULL ? 0 : (size_t)(end + 1 - data->bytes);
}
