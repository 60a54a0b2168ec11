/* riffle-bench: the benchmark table (docs/performance.md). */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "machine.h"

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 64,
    MIB_DEFAULT = 256,
    LAPS_DEFAULT = 7,
    GIB_DEFAULT = 2,
    GIB_MAX = 4096
};

struct bench_case {
    const char *name;
    const char *group; /* a name for several: all of them that are not opt-in */
    const char *summary;
    bool is_opt_in;
    bool (*run)(struct bench *bench);
};

static const struct bench_case cases[] = {
    {"W1", "json", "one filter with a selective string, trades", false, case_w1},
    {"W1b", "json", "the same, writing the matching lines", false, case_w1b},
    {"W1c", "json", "one filter on a number", false, case_w1c},
    {"W1H", "json", "W1 on the hard stream", false, case_w1h},
    {"W1cH", "json", "W1c on the hard stream", false, case_w1ch},
    {"W2", "json", "ten fields, a hundred predicates", false, case_w2},
    {"W2H", "json", "W2 on the hard stream", false, case_w2h},
    {"W6", "json", "a pair of predicates on ready columns", false, case_w6},
    {"W7", "json", "whole command on 100,000 words, against grep", false, case_w7},
    {"commands", "json", "W1 as a whole command, against rg and jq", false, case_commands},
    {"threads", "json", "two threads against one", false, case_threads},
    {"isa", "json", "W1, W1c and W2 at each instruction-set level", false, case_isa},
    {"stages", "json", "what each stage costs, alone", false, case_stages},
    {"expr", "json", "one expression for one row, shape by shape, against other CEL engines and RE2", false, case_expr},
    {"R-1000", "rules", "1,000 mixed rules against one, from raw JSON", false, case_rules_mixed},
    {"R-sweep", "rules", "10,000 rules of a sweep against one, from raw JSON", false, case_rules_sweep},
    {"predicates", "rules", "64 and 1,000 predicates on ready columns, against plain C", false, case_predicates},
    {"P-text", "rules", "1,000 equalities and prefixes of one column, against plain C++", false, case_text_predicates},
    {"RX-1", "rules", "a regular expression on a ready column of texts, against Vectorscan", false, case_regex},
    {"RX-100", "rules", "100 regular expressions of one column, against Vectorscan", false, case_regexes},
    {"RX-lit", "rules", "contains of 100 and 1,000 literals, against Vectorscan", false, case_literals},
    {"NA", "rules", "subjects against 1 to 1,024 patterns", false, case_subject},
    {"NA-batch", "rules", "subjects against up to 100,000 patterns", false, case_subject_batch},
    {"FX-enc", "fix", "FIX: encode an order, against a plain encoder", false, case_fix_encode},
    {"FX-hb", "fix", "FIX: encode a heartbeat, against a plain encoder", false, case_fix_heartbeat},
    {"FX-pos", "fix", "FIX: decoded reports to positions", false, case_fix_position},
    {"FX-dec", "fix", "FIX: index every tag, verify BodyLength and CheckSum", false, case_fix_dec},
    {"FX-pick7", "fix", "FIX: seven typed fields to columns", false, case_fix_pick7},
    {"FX-filter", "fix", "FIX: count over a mixed log", false, case_fix_filter},
    {"FX-hostile", "fix", "FIX: streams that are made to be framed slowly", false, case_fix_hostile},
    {"FX-pos100", "fix", "FIX: raw reports to positions, a hundred at a time, against plain C", false,
     case_fix_reconcile},
    {"FX-e2e", "fix", "FIX: an order from request to row, in memory, against plain C", false, case_fix_order},
    {"FX-e2e-tcp", "fix", "FIX: the same over loopback TCP", false, case_fix_wire},
    {"FX-e2e-log", "fix", "FIX: the same with rows in an fsynced log", false, case_fix_durable},
    {"FX-conc10", "fix", "FIX: 10 orders at once on two threads", false, case_fix_threads10},
    {"FX-conc50", "fix", "FIX: 50 orders at once", false, case_fix_threads50},
    {"FX-conc100", "fix", "FIX: 100 orders at once", false, case_fix_threads100},
    {"FX-ins", "fix", "FIX: rows of a thousand orders, summed and stored", false, case_fix_insert},
    {"FX-upd", "fix", "FIX: rows of a thousand executions, summed and stored", false, case_fix_update},
    {"FX-sum", "fix", "FIX: CheckSum of a message, against a loop", false, case_fix_checksum},
    {"FX-tag8", "fix", "FIX: find the first field, against plain scans", false, case_fix_tag8},
    {"FX-tag10", "fix", "FIX: find the last field, against plain scans", false, case_fix_tag10},
    {"FX-seq", "fix", "FIX: one atomic increment", false, case_fix_sequence},
    {"R-memory", "rules", "peak memory of 10,000 rules on a long stream (only when named)", true, case_rules_memory},
    {"startup", "json", "whole command on an empty file", false, case_startup},
    {"memory", "json", "peak memory on a long stream (only when named)", true, case_memory},
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static void print_usage(FILE *out)
{
    fputs("usage: riffle-bench [OPTION...] [json | fix | all | CASE...]\n\n"
          "  --laps N        rounds of each measurement after the warm-up (default 7, 5 to 255)\n"
          "  --mib N         size of T; H has half of it (default 256)\n"
          "  --memory-gib N  length of the stream of memory and R-memory (default 2)\n"
          "  --riffle FILE   the program for whole commands (default: beside this one)\n"
          "  --data FOLDER   where streams are kept (default: bench-data beside the build)\n"
          "  --python FILE   an interpreter that has cel-python and common-expression-language (expr)\n"
          "  --shape TEXT    only shapes whose name holds it (expr, FX-hostile)\n\n",
          out);
    for (int c = 0; c < CASES; c++) {
        fprintf(out, "  %-10s %s\n", cases[c].name, cases[c].summary);
    }
}

static bool parse_count(const char *text, unsigned long min, unsigned long max, unsigned long *out)
{
    char *end;
    errno = 0;
    *out = text == NULL ? 0 : strtoul(text, &end, 10);
    return text != NULL && errno == 0 && end != text && *end == 0 && *out >= min && *out <= max;
}

/* Consumes the options in front of the case names; returns the index of the first name, or -1. */
static int parse_options(struct bench *bench, int count, char **argument)
{
    int i = 1;
    for (; i < count && argument[i][0] == '-'; i += 2) {
        const char *name = argument[i];
        const char *value = argument[i + 1];
        unsigned long number = 0;
        if (strcmp(name, "--laps") == 0 && parse_count(value, 5, LAPS_MAX - 1, &number)) {
            bench->laps = (uint32_t)number;
        } else if (strcmp(name, "--mib") == 0 && parse_count(value, 2, 1536, &number)) {
            bench->trades.mib = number;
            bench->hard.mib = number / 2;
            bench->fix_log.mib = number;
        } else if (strcmp(name, "--memory-gib") == 0 && parse_count(value, 1, GIB_MAX, &number)) {
            bench->memory_gib = (uint32_t)number;
        } else if (strcmp(name, "--riffle") == 0 && value != NULL) {
            bench->riffle = value;
        } else if (strcmp(name, "--python") == 0 && value != NULL) {
            bench->python = value;
        } else if (strcmp(name, "--shape") == 0 && value != NULL) {
            bench->shape = value;
        } else if (strcmp(name, "--data") == 0 && value != NULL) {
            free(bench->folder);
            bench->folder = strdup(value);
        } else {
            return -1;
        }
    }
    return i;
}

static bool is_wanted(const struct bench_case *one, int names, char **name)
{
    if (names == 0) {
        return !one->is_opt_in;
    }
    for (int i = 0; i < names; i++) {
        if (strcmp(name[i], one->name) == 0 || strcmp(name[i], "all") == 0 ||
            (strcmp(name[i], one->group) == 0 && !one->is_opt_in)) {
            return true;
        }
    }
    return false;
}

static bool names_are_known(int names, char **name)
{
    for (int i = 0; i < names; i++) {
        bool is_known = strcmp(name[i], "all") == 0;
        for (int c = 0; c < CASES; c++) {
            is_known = is_known || strcmp(name[i], cases[c].name) == 0 || strcmp(name[i], cases[c].group) == 0;
        }
        if (!is_known) {
            fprintf(stderr, "riffle-bench: there is no case %s\n\n", name[i]);
            return false;
        }
    }
    return true;
}

/* Both builds of the peers lie beside this program. */
static void load_peers(struct bench *bench, const char *here)
{
    static const char *const file[PEERS_MAX] = {"peers_gcc.so", "peers_clang.so"};
    for (int p = 0; p < PEERS_MAX; p++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s", here, file[p]) < 0) {
            return;
        }
        void *library = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (library != NULL) {
            bench_peers_fn *open_peers;
            *(void **)&open_peers = dlsym(library, "bench_peers_get");
            bench->peers[bench->peer_count] = open_peers == NULL ? NULL : open_peers();
            bench->peer_count += open_peers != NULL;
        } else if (access(path, R_OK) == 0) {
            fprintf(stderr, "riffle-bench: %s\n", dlerror());
        }
        free(path);
    }
}

static bool run_cases(struct bench *bench, int names, char **name)
{
    bool is_good = true;
    machine_print();
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        printf("  %-10s %s; simdjson %s\n", "peers by", bench->peers[p]->compiler, bench->peers[p]->simdjson);
    }
    printf("  %-10s times in ms; spread = range of the middle half of the laps; a group is compared by its fastest "
           "side\n\n",
           "reading");
    fflush(stdout);
    for (int c = 0; c < CASES; c++) {
        if (is_wanted(&cases[c], names, name) && !cases[c].run(bench)) {
            printf("  %s FAILED\n\n", cases[c].name);
            fflush(stdout);
            is_good = false;
        }
    }
    return is_good;
}

int main(int count, char **argument)
{
    static struct bench bench = {
        .laps = LAPS_DEFAULT,
        .memory_gib = GIB_DEFAULT,
        .trades = {.name = "T", .kind = RF_GEN_TRADES, .seed = 1, .shuffle = 0.02, .traps = 0.01, .mib = MIB_DEFAULT},
        .hard = {.name = "H", .kind = RF_GEN_TRADES, .seed = 7, .shuffle = 1, .traps = 0.1, .mib = MIB_DEFAULT / 2},
        .fix_reports = {.name = "X", .kind = RF_GEN_FIX_REPORTS, .seed = 1, .mib = 5},
        .fix_log = {.name = "L", .kind = RF_GEN_FIX_LOG, .seed = 1, .mib = MIB_DEFAULT},
        .words = {.name = "words", .kind = RF_GEN_WORDS, .seed = 1, .mib = 4},
    };
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0) {
        fprintf(stderr, "riffle-bench: /proc/self/exe: %s\n", strerror(errno));
        return EXIT_FAILED;
    }
    const char *here = dirname(self);
    char *riffle = NULL;
    if (asprintf(&riffle, "%s/../riffle", here) < 0 || asprintf(&bench.folder, "%s/../bench-data", here) < 0) {
        return EXIT_FAILED;
    }
    bench.riffle = riffle;
    bench.here = here;
    const int first = parse_options(&bench, count, argument);
    if (first < 0 || !names_are_known(count - first, argument + first)) {
        const bool is_help = count == 2 && strcmp(argument[1], "--help") == 0;
        print_usage(is_help ? stdout : stderr);
        return is_help ? EXIT_DONE : EXIT_USAGE;
    }
    load_peers(&bench, here);
    if (bench.peer_count == 0) {
        fprintf(stderr, "riffle-bench: no build of the peers in %s\n", here);
        return EXIT_FAILED;
    }
    setenv("LC_ALL", "C", 1);
    const bool is_good = run_cases(&bench, count - first, argument + first);
    data_close(&bench.trades);
    data_close(&bench.hard);
    data_close(&bench.words);
    data_close(&bench.fix_reports);
    data_close(&bench.fix_log);
    free(bench.folder);
    free(riffle);
    return is_good ? EXIT_DONE : EXIT_FAILED;
}
