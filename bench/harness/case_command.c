/* Whole commands, process start included: W7, W1 as a command, start-up, peak memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "case_filter.h"
#include "clock.h"
#include "whole_command.h"

enum { W7_LAPS = 61, STARTUP_LAPS = 31 };

static uint32_t laps_at_least(const struct bench *bench, uint32_t laps)
{
    return bench->laps > laps ? bench->laps : laps;
}

static bool riffle_is_there(const struct bench *bench)
{
    if (!command_is_there(bench->riffle)) {
        fprintf(stderr, "riffle-bench: %s is not there: build it, or name it with --riffle\n", bench->riffle);
        return false;
    }
    return true;
}

bool case_w7(struct bench *bench)
{
    static struct measurement m;
    char title[256];
    char *path = NULL;
    if (!riffle_is_there(bench) || !data_load(&bench->words) ||
        !data_write(&bench->words, bench->folder, "words", bench->words.count, &path)) {
        return false;
    }
    struct command riffle = {{bench->riffle, "filter", "-f", "text", "raw.contains(\"a\")", "-c", path}, 0};
    struct command grep = {{"grep", "-c", "a", path}, 1};
    struct command rg = {{"rg", "-c", "a", path}, 1};
    struct command floor = {{"true"}, 0};
    snprintf(title, sizeof(title),
             "W7  whole command: count the words with an \"a\" among %" PRIu64 ", LC_ALL=C, %" PRIu32 " laps",
             bench->words.records, laps_at_least(bench, W7_LAPS));
    measurement_open(&m, title, 0, bench->words.records, laps_at_least(bench, W7_LAPS));
    m.baseline = "grep";
    measurement_add(&m, "riffle", "riffle filter -f text 'raw.contains(\"a\")' -c", command_run, &riffle);
    measurement_add(&m, "grep", "grep -c a", command_run, &grep);
    if (command_is_there("rg")) {
        measurement_add(&m, "rg", "rg -c a", command_run, &rg);
    }
    measurement_add_other(&m, "true", "floor: true", command_run, &floor);
    measurement_add_ceiling(&m, "riffle", "grep", 1.1, 1.0);
    const bool is_good = measurement_run(&m);
    free(path);
    return is_good;
}

/* jq is so slow that it gets a sixteenth of the stream. */
static bool jq_compare(struct bench *bench)
{
    static struct measurement m;
    const struct data *data = &bench->trades;
    const size_t count = data_lines_within(data, data->count / 16);
    char title[256];
    char *path = NULL;
    if (!command_is_there("jq")) {
        printf("jq is not here: not compared\n\n");
        return true;
    }
    if (!data_write(data, bench->folder, "T-part.ndjson", count, &path)) {
        return false;
    }
    struct command riffle = {{bench->riffle, "filter", "--threads", "1", "-c", w1_expression, path}, 0};
    struct command jq = {{"jq", "-n", "[inputs | select(.price > 410 and .symbol == \"MSFT\")] | length", path}, 0};
    snprintf(title, sizeof(title), "W1 as a whole command against jq, the first %.0f MiB of T",
             (double)count / (1 << 20));
    measurement_open(&m, title, count, 0, bench->laps);
    m.baseline = "jq";
    measurement_add(&m, "riffle", "riffle filter --threads 1 -c", command_run, &riffle);
    measurement_add(&m, "jq", "jq -n '[inputs | select(...)] | length'", command_run, &jq);
    const bool is_good = measurement_run(&m);
    free(path);
    return is_good;
}

bool case_commands(struct bench *bench)
{
    static struct measurement m;
    struct data *data = &bench->trades;
    char title[256];
    char *path = NULL;
    if (!riffle_is_there(bench) || !data_load(data) ||
        !data_write(data, bench->folder, "T.ndjson", data->count, &path)) {
        return false;
    }
    struct command riffle = {{bench->riffle, "filter", "--threads", "1", "-c", w1_expression, path}, 0};
    struct command indexed = {{bench->riffle, "filter", "--threads", "1", "--no-prefilter", "-c", w1_expression, path},
                              0};
    struct command all_threads = {{bench->riffle, "filter", "-c", w1_expression, path}, 0};
    struct command rg = {{"rg", "-j1", "-c", "\"symbol\":\"MSFT\"", path}, 1};
    struct command grep = {{"grep", "-cF", "\"symbol\":\"MSFT\"", path}, 1};
    struct command wc = {{"wc", "-l", path}, 0};
    snprintf(title, sizeof(title),
             "W1 as a whole command on T (%.0f MiB, in the page cache)\n"
             "  rg and grep look for the text \"symbol\":\"MSFT\": the first half of the filter, wrong on the traps",
             (double)data->count / (1 << 20));
    measurement_open(&m, title, data->count, data->records, bench->laps);
    measurement_add(&m, "riffle", "riffle filter --threads 1 -c", command_run, &riffle);
    measurement_add(&m, "indexed", "riffle filter --threads 1 --no-prefilter -c", command_run, &indexed);
    measurement_add(&m, "all", "riffle filter -c", command_run, &all_threads);
    if (command_is_there("rg")) {
        measurement_add_other(&m, "rg", "rg -j1 -c, text only", command_run, &rg);
        m.baseline = "rg";
    }
    measurement_add_other(&m, "grep", "grep -cF, text only", command_run, &grep);
    measurement_add_other(&m, "wc", "floor: wc -l", command_run, &wc);
    measurement_add_ceiling(&m, "riffle", "rg", 1.1, 0.8);
    const bool is_good = measurement_run(&m);
    free(path);
    return is_good && jq_compare(bench);
}

bool case_startup(struct bench *bench)
{
    static struct measurement m;
    char *path = NULL;
    if (!riffle_is_there(bench) || !data_load(&bench->words) ||
        !data_write(&bench->words, bench->folder, "empty", 0, &path)) {
        return false;
    }
    struct command riffle = {{bench->riffle, "filter", "-c", w1_expression, path}, 0};
    struct command floor = {{"true"}, 0};
    measurement_open(&m, "start-up: riffle filter -c on an empty file, from its start to its end", 0, 0,
                     laps_at_least(bench, STARTUP_LAPS));
    measurement_add(&m, "riffle", "riffle filter -c EXPR empty", command_run, &riffle);
    measurement_add_other(&m, "true", "floor: true", command_run, &floor);
    const bool is_good = measurement_run(&m);
    if (is_good) {
        const double ms = (double)m.side[0].median_ns / 1e6;
        printf("  goal: under 10 ms: %s\n\n", ms < 10 ? "must met" : "MUST MISSED");
    }
    free(path);
    return is_good;
}

bool case_memory(struct bench *bench)
{
    enum { GOAL_MIB = 256 };
    const struct data *data = &bench->trades;
    const uint64_t total = (uint64_t)bench->memory_gib << 30;
    struct command riffle = {{bench->riffle, "filter", "-c", w1_expression, "-"}, 0};
    struct outcome outcome = {0};
    uint64_t peak_kib = 0;
    if (!riffle_is_there(bench) || !data_load(&bench->trades)) {
        return false;
    }
    /* Whole copies of the stream, so that the number found is known. */
    const uint64_t copies = total / data->count;
    const uint64_t begin_ns = rf_clock_ns();
    if (!command_feed(&riffle, data->bytes, data->count, copies * data->count, &peak_kib, &outcome)) {
        return false;
    }
    const double seconds = (double)(rf_clock_ns() - begin_ns) / 1e9;
    const double gib = (double)(copies * data->count) / (1 << 30);
    printf("memory: riffle filter -c EXPR - on %.1f GiB through a pipe\n"
           "  found %" PRIu64 ", %.2f GiB/s, peak resident memory %.1f MiB (must < %d): %s\n",
           gib, outcome.selected, gib / seconds, (double)peak_kib / 1024, GOAL_MIB,
           peak_kib < GOAL_MIB * 1024 ? "must met" : "MUST MISSED");
    struct outcome one = {0};
    struct peer_filter peer = {
        .run = bench->peers[0]->w1_line, .input = data_input(data), .out_fd = -1, .name = "simdjson"};
    if (!peer_filter_run(&peer, &one)) {
        return false;
    }
    if (one.selected * copies != outcome.selected) {
        printf("  DIFFERENT: simdjson finds %" PRIu64 " in each of the %" PRIu64 " copies\n\n", one.selected, copies);
        return false;
    }
    printf("  simdjson finds the same\n\n");
    return true;
}
