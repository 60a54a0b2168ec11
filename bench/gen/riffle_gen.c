/* riffle-gen: writes one of the streams of gen.h to a file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 2, EXIT_USAGE = 64, NAME_MAX_BYTES = 4096, MIB_MAX = 1024 * 1024 };

struct options {
    enum rf_gen_kind kind;
    uint64_t mib;
    uint64_t seed;
    double shuffle;
    double traps;
    const char *out;
};

static const char usage_text[] =
    "usage: riffle-gen trades|words|orders|fix-reports|fix-log [--mib N] [--seed N] [--shuffle P] [--traps P] [--out FILE]\n"
    "\n"
    "Writes a stream of messages that depends on the options only: the same on every machine.\n"
    "  --mib N      at most N MiB of whole lines (default 16; words: always 100,000 words)\n"
    "  --seed N     another stream of the same kind (default 1)\n"
    "  --shuffle P  share of the lines whose members stand in any order (default 0.02)\n"
    "  --traps P    share of the lines that mislead careless readers (trades; default 0.01)\n"
    "  --out FILE   default -, the standard output\n";

static bool parse_count(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return errno == 0 && end != text && *end == 0 && text[0] != '-' && value <= max;
}

static bool parse_share(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == 0 && *out >= 0 && *out <= 1;
}

static bool parse_kind(const char *text, enum rf_gen_kind *out)
{
    for (int k = 0; k < RF_GEN_KIND_COUNT; k++) {
        if (strcmp(text, rf_gen_kind_name((enum rf_gen_kind)k)) == 0) {
            *out = (enum rf_gen_kind)k;
            return true;
        }
    }
    return false;
}

static bool parse_options(int count, char **argument, struct options *options)
{
    *options = (struct options){.mib = 16, .seed = 1, .shuffle = 0.02, .traps = 0.01, .out = "-"};
    if (count < 2 || !parse_kind(argument[1], &options->kind)) {
        return false;
    }
    for (int i = 2; i < count; i += 2) {
        const char *name = argument[i];
        const char *value = argument[i + 1]; /* NULL behind the last one */
        bool is_good = value != NULL;
        if (!is_good) {
            return false;
        }
        if (strcmp(name, "--mib") == 0) {
            is_good = parse_count(value, MIB_MAX, &options->mib);
        } else if (strcmp(name, "--seed") == 0) {
            is_good = parse_count(value, UINT64_MAX, &options->seed);
        } else if (strcmp(name, "--shuffle") == 0) {
            is_good = parse_share(value, &options->shuffle);
        } else if (strcmp(name, "--traps") == 0) {
            is_good = parse_share(value, &options->traps);
        } else if (strcmp(name, "--out") == 0) {
            options->out = value;
        } else {
            is_good = false;
        }
        if (!is_good) {
            fprintf(stderr, "riffle-gen: %s %s is not understood\n", name, value);
            return false;
        }
    }
    return true;
}

static bool write_whole(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/* Writes records until the next one would exceed the wanted size. */
static bool write_stream(int fd, const struct options *options, uint64_t *records)
{
    enum { BUFFER_BYTES = 1 << 20 };
    static char buffer[BUFFER_BYTES];
    struct rf_gen gen;
    rf_gen_open(&gen, options->kind, options->seed, options->shuffle, options->traps);
    uint64_t left = options->kind == RF_GEN_WORDS ? UINT64_MAX : options->mib << 20;
    size_t used = 0;
    *records = 0;
    for (;;) {
        const size_t bytes = rf_gen_next(&gen, buffer + used);
        if (bytes == 0 || bytes > left) {
            break;
        }
        left -= bytes;
        used += bytes;
        ++*records;
        if (used > BUFFER_BYTES - RF_GEN_RECORD_MAX) {
            if (!write_whole(fd, buffer, used)) {
                return false;
            }
            used = 0;
        }
    }
    return write_whole(fd, buffer, used);
}

/* A file appears under its name only when it is whole, so that an interrupted run is never taken for data. What is
 * there and no regular file (a pipe, a device) is written directly. */
static int write_file(const struct options *options, uint64_t *records)
{
    char part[NAME_MAX_BYTES];
    struct stat there;
    const bool is_direct = stat(options->out, &there) == 0 && !S_ISREG(there.st_mode);
    const int length = snprintf(part, sizeof(part), "%s%s", options->out, is_direct ? "" : ".part");
    if (length < 0 || (size_t)length >= sizeof(part)) {
        fprintf(stderr, "riffle-gen: the name of the output is too long\n");
        return EXIT_USAGE;
    }
    const int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        fprintf(stderr, "riffle-gen: %s: %s\n", part, strerror(errno));
        return EXIT_FAILED;
    }
    const bool is_written = write_stream(fd, options, records);
    const int write_error = errno;
    if (close(fd) != 0 || !is_written || (!is_direct && rename(part, options->out) != 0)) {
        fprintf(stderr, "riffle-gen: %s: %s\n", options->out, strerror(is_written ? errno : write_error));
        if (!is_direct) {
            unlink(part);
        }
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

int main(int count, char **argument)
{
    struct options options;
    if (count == 2 && strcmp(argument[1], "--help") == 0) {
        fputs(usage_text, stdout);
        return EXIT_DONE;
    }
    if (!parse_options(count, argument, &options)) {
        fputs(usage_text, stderr);
        return EXIT_USAGE;
    }
    uint64_t records = 0;
    int code = EXIT_DONE;
    if (strcmp(options.out, "-") != 0) {
        code = write_file(&options, &records);
    } else if (!write_stream(STDOUT_FILENO, &options, &records)) {
        fprintf(stderr, "riffle-gen: standard output: %s\n", strerror(errno));
        code = EXIT_FAILED;
    }
    if (code == EXIT_DONE) {
        fprintf(stderr, "%s: %" PRIu64 " messages\n", rf_gen_kind_name(options.kind), records);
    }
    return code;
}
