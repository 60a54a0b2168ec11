/* FX-conc: a number of orders at once on a pool of two threads.
 *
 * Shared  one sequence number, sequentially consistent, which every order adds one to. Nothing else: each thread has an
 *         encoder, a decoder and a sink of its own, so that no lock is needed.
 * Pool    the caller and one worker, which live as long as the measurement. Orders are handed out one by one: a ticket is the
 *         number of the round in the upper half and of the order in the lower, so that a worker which comes late from one
 *         round either gets a ticket beyond its end or a good one of the next. Who waits looks for some microseconds and then
 *         sleeps on a condition.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "case_fix_gateway.h"
#include "pause.h"

enum { LOOKS = 200, ROUNDS_IN_LAP = 200, RING_BYTES = 64 * 1024, FIRST_NUMBER = 1000000 };

struct order_thread { /* on cache lines of its own */
    _Alignas(128) struct fix_path path;
    uint64_t sum;
    uint64_t orders;
    size_t used;
    bool is_failed;
    char ring[RING_BYTES];
};

struct pool {
    const struct fix_texts *executions;
    uint32_t orders_in_round;
    uint32_t threads; /* 1 or 2 */
    pthread_t worker;
    pthread_mutex_t lock;
    pthread_cond_t begun, ended;
    uint32_t round;
    struct order_thread thread[2]; /* the caller's, the worker's */
    _Alignas(128) _Atomic uint64_t ticket;
    _Alignas(128) _Atomic uint64_t sequence;
    _Alignas(128) _Atomic uint32_t done;
    _Alignas(128) _Atomic bool worker_sleeps;
    _Atomic bool caller_sleeps;
    _Atomic bool is_shut;
};

static bool order_run(struct pool *pool, struct order_thread *thread, uint64_t number)
{
    struct rf_str message;
    struct fix_path *const path = &thread->path;
    const uint32_t i = (uint32_t)(number % FIX_MESSAGES);
    const uint64_t sequence = atomic_fetch_add_explicit(&pool->sequence, 1, memory_order_seq_cst);
    if (!fix_path_send(path, i, sequence, thread->ring + thread->used, &message) ||
        !fix_path_receive(path, &path->order, fix_text(pool->executions, i))) {
        return false;
    }
    thread->used += message.count;
    if (thread->used > RING_BYTES - FIX_MESSAGE_BYTES) {
        thread->used = 0;
    }
    thread->sum += fix_path_row_sum(path);
    thread->orders++;
    return true;
}

/* Takes tickets until there are none; returns the round of the last one. */
static uint32_t tickets_take(struct pool *pool, struct order_thread *thread)
{
    for (;;) {
        const uint64_t ticket = atomic_fetch_add(&pool->ticket, 1);
        const uint32_t round = (uint32_t)(ticket >> 32);
        const uint32_t order = (uint32_t)ticket;
        if (round == 0 || order >= pool->orders_in_round) {
            return round;
        }
        if (!order_run(pool, thread, (uint64_t)(round - 1) * pool->orders_in_round + order)) {
            thread->is_failed = true;
        }
        if (atomic_fetch_add(&pool->done, 1) + 1 == pool->orders_in_round && atomic_load(&pool->caller_sleeps)) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->ended);
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

static bool has_begun(struct pool *pool, uint32_t last)
{
    return atomic_load(&pool->ticket) >> 32 != last || atomic_load(&pool->is_shut);
}

static bool has_ended(struct pool *pool)
{
    return atomic_load(&pool->done) == pool->orders_in_round;
}

static void round_await(struct pool *pool, uint32_t last)
{
    for (uint32_t look = 0; look < LOOKS; look++) {
        if (has_begun(pool, last)) {
            return;
        }
        rf_cpu_pause();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->worker_sleeps, true);
    while (!has_begun(pool, last)) {
        pthread_cond_wait(&pool->begun, &pool->lock);
    }
    atomic_store(&pool->worker_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
}

static void *worker_run(void *context)
{
    struct pool *const pool = context;
    uint32_t last = 0;
    while (!atomic_load(&pool->is_shut)) {
        round_await(pool, last);
        last = tickets_take(pool, &pool->thread[1]);
    }
    return NULL;
}

static void worker_wake(struct pool *pool)
{
    if (atomic_load(&pool->worker_sleeps)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->begun);
        pthread_mutex_unlock(&pool->lock);
    }
}

static void round_run(struct pool *pool)
{
    atomic_store(&pool->done, 0);
    atomic_store(&pool->ticket, (uint64_t)++pool->round << 32);
    if (pool->threads == 2) {
        worker_wake(pool);
    }
    tickets_take(pool, &pool->thread[0]);
    for (uint32_t look = 0; look < LOOKS; look++) {
        if (has_ended(pool)) {
            return;
        }
        rf_cpu_pause();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->caller_sleeps, true);
    while (!has_ended(pool)) {
        pthread_cond_wait(&pool->ended, &pool->lock);
    }
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- Sides ---- */

static bool pool_run(void *context, struct outcome *outcome)
{
    struct pool *const pool = context;
    const uint64_t wanted = (uint64_t)ROUNDS_IN_LAP * pool->orders_in_round;
    struct order_thread *const one = &pool->thread[0];
    struct order_thread *const two = &pool->thread[1];
    /* Between rounds the worker does not touch what is its own: it has no ticket. */
    one->sum = two->sum = one->orders = two->orders = 0;
    pool->round = 0;
    atomic_store(&pool->sequence, FIRST_NUMBER);
    for (uint32_t round = 0; round < ROUNDS_IN_LAP; round++) {
        round_run(pool);
    }
    if (one->is_failed || two->is_failed || one->orders + two->orders != wanted ||
        atomic_load(&pool->sequence) != FIRST_NUMBER + wanted) {
        fprintf(stderr, "riffle-bench: FX-conc: %" PRIu64 " orders done, %" PRIu64 " numbers given, not %" PRIu64 "\n",
                one->orders + two->orders, atomic_load(&pool->sequence) - FIRST_NUMBER, wanted);
        return false;
    }
    outcome->selected = wanted;
    outcome->digest = one->sum + two->sum;
    return true;
}

static bool pool_open(struct pool *pool, const struct fix_texts *requests, const struct fix_texts *executions,
                      uint32_t orders, uint32_t threads, bool is_plain)
{
    memset(pool, 0, sizeof(*pool));
    pool->executions = executions;
    pool->orders_in_round = orders;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->ended, NULL);
    for (uint32_t t = 0; t < 2; t++) {
        if (!fix_path_open(&pool->thread[t].path, requests, is_plain)) {
            return false;
        }
    }
    const int problem = threads == 2 ? pthread_create(&pool->worker, NULL, worker_run, pool) : 0;
    if (problem != 0) {
        fprintf(stderr, "riffle-bench: FX-conc: a thread: %s\n", strerror(problem));
        return false;
    }
    pool->threads = threads;
    return true;
}

static void pool_close(struct pool *pool)
{
    if (pool->threads == 2) {
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->is_shut, true);
        pthread_cond_signal(&pool->begun);
        pthread_mutex_unlock(&pool->lock);
        pthread_join(pool->worker, NULL);
    }
    fix_path_close(&pool->thread[0].path);
    fix_path_close(&pool->thread[1].path);
    pthread_cond_destroy(&pool->ended);
    pthread_cond_destroy(&pool->begun);
    pthread_mutex_destroy(&pool->lock);
}

static bool threads_measure(struct bench *bench, uint32_t count, const char *title, const char *published)
{
    enum { POOLS = 3 };
    static struct measurement m;
    static struct pool pool[POOLS];
    static const char *const name[POOLS] = {"riffle, two threads", "riffle, one thread, the same pool",
                                            "plain C, two threads"};
    struct fix_orders orders = {0};
    struct fix_texts requests = {0};
    struct fix_texts executions = {0};
    bool is_good = fix_orders_open(&orders, false) && fix_requests_open(&requests, &orders) &&
                   fix_executions_open(&executions, &orders, FIX_ANSWER);
    uint32_t open = 0;
    measurement_open(&m, title, 0, (uint64_t)ROUNDS_IN_LAP * count, bench->laps);
    for (; is_good && open < POOLS; open++) {
        is_good = pool_open(&pool[open], &requests, &executions, count, open == 1 ? 1 : 2, open == 2);
        measurement_add(&m, open == 2 ? "plain C" : name[open], name[open], pool_run, &pool[open]);
    }
    m.baseline = "plain C";
    is_good = is_good && measurement_run(&m);
    for (uint32_t p = 0; is_good && p < POOLS; p++) {
        printf("  %-46s %.1f us in all, in the best lap %.1f\n", name[p],
               (double)m.side[p].median_ns / ROUNDS_IN_LAP / 1000, (double)m.side[p].best_ns / ROUNDS_IN_LAP / 1000);
    }
    printf("  published, another machine: a Rust gateway, %s\n\n", published);
    for (uint32_t p = 0; p < open; p++) {
        pool_close(&pool[p]);
    }
    fix_texts_close(&executions);
    fix_texts_close(&requests);
    fix_orders_close(&orders);
    return is_good;
}

bool case_fix_threads10(struct bench *bench)
{
    return threads_measure(
        bench, 10,
        "FX-conc10  10 orders at once, each the path of FX-e2e in memory; one shared sequence number,\n"
        "  a sink for each thread; from handing them out to the last one's end",
        "10.0 us in all, 1,000 ns an order");
}

bool case_fix_threads50(struct bench *bench)
{
    return threads_measure(bench, 50, "FX-conc50  50 orders at once", "37.0 us in all, 740 ns an order");
}

bool case_fix_threads100(struct bench *bench)
{
    return threads_measure(bench, 100, "FX-conc100  100 orders at once", "73.1 us in all, 731 ns an order");
}
