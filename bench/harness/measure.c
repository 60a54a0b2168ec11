#include "measure.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

void measurement_open(struct measurement *m, const char *title, size_t bytes, uint64_t records, uint32_t laps)
{
    assert(laps >= 1 && laps <= LAPS_MAX);
    m->title = title;
    m->bytes = bytes;
    m->records = records;
    m->laps = laps;
    m->out_fd = -1;
    m->baseline = NULL;
    m->sides = 0;
    m->goals = 0;
}

static struct side *side_new(struct measurement *m, const char *group, const char *name, side_run_fn *run,
                             void *context)
{
    assert(m->sides < SIDES_MAX);
    struct side *side = &m->side[m->sides++];
    side->group = group;
    side->name = name;
    side->run = run;
    side->context = context;
    return side;
}

void measurement_add(struct measurement *m, const char *group, const char *name, side_run_fn *run, void *context)
{
    side_new(m, group, name, run, context)->is_compared = true;
}

void measurement_add_other(struct measurement *m, const char *group, const char *name, side_run_fn *run, void *context)
{
    side_new(m, group, name, run, context)->is_compared = false;
}

static void goal_new(struct measurement *m, struct goal goal)
{
    assert(m->goals < GOALS_MAX);
    m->goal[m->goals++] = goal;
}

void measurement_add_goal(struct measurement *m, const char *mine, const char *theirs, double must, double stretch)
{
    goal_new(m, (struct goal){mine, theirs, must, stretch, false});
}

void measurement_add_ceiling(struct measurement *m, const char *mine, const char *theirs, double must, double stretch)
{
    goal_new(m, (struct goal){mine, theirs, must, stretch, true});
}

/* FNV-1a over 8-byte words: the files of W1b are compared, not signed. */
uint64_t bench_hash(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    while (count >= sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at, sizeof(word));
        hash = (hash ^ word) * 0x100000001b3ull;
        hash ^= hash >> 29;
        at += sizeof(word);
        count -= sizeof(word);
    }
    for (; count > 0; count--) {
        hash = (hash ^ *at++) * 0x100000001b3ull;
    }
    return hash;
}

static bool file_digest(int fd, uint64_t *digest)
{
    enum { BLOCK_BYTES = 1 << 20 };
    static uint8_t block[BLOCK_BYTES];
    uint64_t hash = BENCH_HASH_START;
    off_t at = 0;
    for (;;) {
        const ssize_t got = pread(fd, block, BLOCK_BYTES, at);
        if (got < 0) {
            fprintf(stderr, "riffle-bench: reading back the output: %s\n", strerror(errno));
            return false;
        }
        if (got == 0) {
            break;
        }
        hash = bench_hash(hash, block, (size_t)got);
        at += got;
    }
    *digest = hash;
    return true;
}

/* The work of one side, once: *ns holds its time. */
static bool side_run_once(const struct measurement *m, struct side *side, bool is_warm_up, uint64_t *ns)
{
    struct outcome outcome = {0};
    if (m->out_fd >= 0 && (ftruncate(m->out_fd, 0) != 0 || lseek(m->out_fd, 0, SEEK_SET) != 0)) {
        fprintf(stderr, "riffle-bench: emptying the output: %s\n", strerror(errno));
        return false;
    }
    const uint64_t begin_ns = rf_clock_ns();
    const bool is_done = side->run(side->context, &outcome);
    *ns = rf_clock_ns() - begin_ns;
    if (!is_done) {
        fprintf(stderr, "riffle-bench: %s: failed\n", side->name);
        return false;
    }
    if (!is_warm_up) {
        if (outcome.selected != side->outcome.selected) {
            fprintf(stderr, "riffle-bench: %s: selected %" PRIu64 " records, then %" PRIu64 "\n", side->name,
                    side->outcome.selected, outcome.selected);
            return false;
        }
        return true;
    }
    side->outcome = outcome;
    return m->out_fd < 0 || !side->is_compared || file_digest(m->out_fd, &side->outcome.digest);
}

static int compare_ns(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void side_summarise(struct side *side, uint32_t laps)
{
    qsort(side->sample_ns, laps, sizeof(side->sample_ns[0]), compare_ns);
    side->best_ns = side->sample_ns[0];
    side->low_ns = side->sample_ns[(laps - 1) / 4];
    side->median_ns =
        laps % 2 != 0 ? side->sample_ns[laps / 2] : (side->sample_ns[laps / 2 - 1] + side->sample_ns[laps / 2]) / 2;
    side->high_ns = side->sample_ns[laps - 1 - (laps - 1) / 4];
}

/* The fastest side of a group, or NULL. */
static const struct side *group_best(const struct measurement *m, const char *group)
{
    const struct side *best = NULL;
    for (uint32_t s = 0; s < m->sides; s++) {
        const struct side *side = &m->side[s];
        if (strcmp(side->group, group) == 0 && (best == NULL || side->median_ns < best->median_ns)) {
            best = side;
        }
    }
    return best;
}

static bool sides_agree(const struct measurement *m)
{
    const struct side *first = NULL;
    bool is_same = true;
    for (uint32_t s = 0; s < m->sides; s++) {
        const struct side *side = &m->side[s];
        if (!side->is_compared) {
            continue;
        }
        if (first == NULL) {
            first = side;
        }
        if (side->outcome.selected != first->outcome.selected || side->outcome.digest != first->outcome.digest) {
            printf("  DIFFERENT: %s found %" PRIu64 " (digest %016" PRIx64 "), %s found %" PRIu64 " (digest %016" PRIx64
                   ")\n",
                   first->name, first->outcome.selected, first->outcome.digest, side->name, side->outcome.selected,
                   side->outcome.digest);
            is_same = false;
        }
    }
    if (is_same && first != NULL) {
        printf("  all sides agree: %" PRIu64 " found", first->outcome.selected);
        if (first->outcome.digest != 0) {
            printf(", digest %016" PRIx64, first->outcome.digest);
        }
        printf("\n");
    }
    return is_same;
}

static bool is_within_spread(const struct side *a, const struct side *b)
{
    const uint64_t spread_a = a->high_ns - a->low_ns;
    const uint64_t spread_b = b->high_ns - b->low_ns;
    const uint64_t spread = spread_a > spread_b ? spread_a : spread_b;
    const uint64_t apart = a->median_ns > b->median_ns ? a->median_ns - b->median_ns : b->median_ns - a->median_ns;
    return apart < spread;
}

static void print_sides(const struct measurement *m)
{
    const struct side *baseline = m->baseline == NULL ? NULL : group_best(m, m->baseline);
    printf("  %-46s %10s %10s %7s %8s %9s", "", "best ms", "median ms", "spread", "GB/s", "ns/msg");
    if (baseline != NULL) {
        printf("  x %s", m->baseline);
    }
    printf("\n");
    for (uint32_t s = 0; s < m->sides; s++) {
        const struct side *side = &m->side[s];
        const double median = (double)side->median_ns;
        printf("  %-46s %10.3f %10.3f %6.1f%%", side->name, (double)side->best_ns / 1e6, median / 1e6,
               100 * (double)(side->high_ns - side->low_ns) / median);
        if (m->bytes != 0) {
            printf(" %8.2f", (double)m->bytes / median);
        } else {
            printf(" %8s", "");
        }
        if (m->records != 0) {
            printf(" %9.2f", median / (double)m->records);
        } else {
            printf(" %9s", "");
        }
        if (baseline != NULL) {
            printf("  %.2f", (double)baseline->median_ns / median);
        }
        printf("\n");
    }
}

static const char *verdict_of(const struct goal *goal, double ratio)
{
    const bool is_met = goal->is_ceiling ? ratio <= goal->must : ratio >= goal->must;
    const bool is_stretched = goal->is_ceiling ? ratio <= goal->stretch : ratio >= goal->stretch;
    return is_stretched ? "stretch reached" : is_met ? "must met" : "MUST MISSED";
}

static void print_goals(const struct measurement *m)
{
    for (uint32_t g = 0; g < m->goals; g++) {
        const struct goal *goal = &m->goal[g];
        const struct side *mine = group_best(m, goal->mine);
        const struct side *theirs = group_best(m, goal->theirs);
        if (mine == NULL || theirs == NULL) {
            printf("  %s against %s: not measured, that side is not here\n", goal->mine, goal->theirs);
            continue;
        }
        const double ratio = goal->is_ceiling ? (double)mine->median_ns / (double)theirs->median_ns
                                              : (double)theirs->median_ns / (double)mine->median_ns;
        printf("  %s against %s: %.2fx %s (must %s %.2f, stretch %s %.2f): %s%s\n", goal->mine, goal->theirs, ratio,
               goal->is_ceiling ? "its time" : "as fast", goal->is_ceiling ? "<=" : ">=", goal->must,
               goal->is_ceiling ? "<=" : ">=", goal->stretch, verdict_of(goal, ratio),
               is_within_spread(mine, theirs) ? ", indistinguishable" : "");
    }
}

bool measurement_run(struct measurement *m)
{
    printf("%s\n", m->title);
    for (uint32_t s = 0; s < m->sides; s++) {
        uint64_t ns;
        if (!side_run_once(m, &m->side[s], true, &ns)) {
            return false;
        }
    }
    if (!sides_agree(m)) {
        return false;
    }
    for (uint32_t lap = 0; lap < m->laps; lap++) {
        for (uint32_t s = 0; s < m->sides; s++) {
            struct side *side = &m->side[(s + lap) % m->sides];
            if (!side_run_once(m, side, false, &side->sample_ns[lap])) {
                return false;
            }
        }
    }
    for (uint32_t s = 0; s < m->sides; s++) {
        side_summarise(&m->side[s], m->laps);
    }
    print_sides(m);
    print_goals(m);
    printf("\n");
    fflush(stdout);
    return true;
}
