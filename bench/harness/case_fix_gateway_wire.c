/* FX-e2e-tcp: the path of an order over a real connection through the loopback device, with a broker in a thread.
 *
 * Broker  reads orders by their BodyLength and answers each with its report. It says what it found wrong when it is joined, and
 *         shuts the connection at once, so that nobody waits for an answer.
 * Waiting both ends block in recv, for TIMEOUT_S at most.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "case_fix_gateway.h"
#include "clock.h"
#include "fix_cut.h"

enum {
    ORDERS = 1024,
    BURST_MAX = 32,
    IN_BYTES = 32 * 1024,
    TIMEOUT_S = 10,
    HEAD_BYTES = 12,
    TRAILER_BYTES = 7,
    SOH = 1
};

struct broker {
    int fd;
    const struct fix_texts *executions;
    pthread_t thread;
    bool is_failed;
    char in[IN_BYTES];
    char out[IN_BYTES];
};

struct wire_side {
    struct fix_path path;
    struct broker broker;
    bool is_running;
    int fd;
    uint32_t burst; /* orders that are sent before an answer is awaited */
    uint64_t sequence;
    uint64_t *time_ns; /* [ORDERS] of the last lap, or NULL */
    struct fix_order sent[BURST_MAX];
    char out[BURST_MAX * FIX_MESSAGE_BYTES];
    char in[IN_BYTES + RF_BATCH_PADDING];
};

static bool wire_tell(const char *what)
{
    fprintf(stderr, "riffle-bench: FX-e2e-tcp: %s: %s\n", what, strerror(errno));
    return false;
}

static bool all_send(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            return wire_tell("sending");
        }
        bytes += sent;
        count -= (size_t)sent;
    }
    return true;
}

/* 0 at the end of the stream, -1 told. */
static ssize_t some_receive(int fd, char *to, size_t room)
{
    ssize_t got;
    do {
        got = recv(fd, to, room, 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        wire_tell("receiving");
    }
    return got;
}

/* ---- Broker ---- */

/* Bytes of the order at the begin; 0: not all there yet; beyond `count`: no order. */
static size_t order_bytes(const char *bytes, size_t count)
{
    static const char head[HEAD_BYTES + 1] = "8=FIX.4.4\0019=";
    size_t body = 0;
    if (count < HEAD_BYTES) {
        return 0;
    }
    if (memcmp(bytes, head, HEAD_BYTES) != 0) {
        return SIZE_MAX;
    }
    for (size_t at = HEAD_BYTES; at < count && at < HEAD_BYTES + 5; at++) {
        const unsigned digit = (uint8_t)bytes[at] - (unsigned)'0';
        if (bytes[at] == SOH) {
            const size_t all = at + 1 + body + TRAILER_BYTES;
            if (all > count) {
                return all > IN_BYTES ? SIZE_MAX : 0;
            }
            return bytes[all - 1] == SOH && memcmp(bytes + all - TRAILER_BYTES, "10=", 3) == 0 ? all : SIZE_MAX;
        }
        if (digit > 9) {
            return SIZE_MAX;
        }
        body = body * 10 + digit;
    }
    return count < HEAD_BYTES + 5 ? 0 : SIZE_MAX;
}

/* Answers every whole order in in[0, *used), and keeps the rest. */
static bool orders_answer(struct broker *broker, size_t *used, uint32_t *order)
{
    size_t at = 0;
    size_t written = 0;
    size_t bytes;
    while ((bytes = order_bytes(broker->in + at, *used - at)) != 0) {
        const struct rf_str report = fix_text(broker->executions, *order % ORDERS);
        if (bytes == SIZE_MAX) {
            fprintf(stderr, "riffle-bench: FX-e2e-tcp: the broker got no order\n");
            return false;
        }
        if (report.count > IN_BYTES - written) {
            if (!all_send(broker->fd, broker->out, written)) {
                return false;
            }
            written = 0;
        }
        memcpy(broker->out + written, report.data, report.count);
        written += report.count;
        at += bytes;
        ++*order;
    }
    *used -= at;
    memmove(broker->in, broker->in + at, *used);
    return all_send(broker->fd, broker->out, written);
}

static void *broker_run(void *context)
{
    struct broker *const broker = context;
    size_t used = 0;
    uint32_t order = 0;
    for (;;) {
        const ssize_t got = some_receive(broker->fd, broker->in + used, IN_BYTES - used);
        if (got == 0) {
            break;
        }
        used += got > 0 ? (size_t)got : 0;
        if (got < 0 || !orders_answer(broker, &used, &order)) {
            broker->is_failed = true;
            break;
        }
    }
    shutdown(broker->fd, SHUT_RDWR);
    return NULL;
}

/* ---- Gateway ---- */

/* Decodes the whole reports in in[0, count), the first of which answers sent[first]. Bytes that they took; SIZE_MAX: failed.
 * By riffle as one batch, cut where the stream may be cut. */
static size_t reports_take(struct wire_side *side, size_t count, uint32_t *first, struct outcome *outcome)
{
    if (side->path.is_plain) {
        const size_t bytes = order_bytes(side->in, count);
        if (bytes == 0) {
            return 0;
        }
        if (bytes == SIZE_MAX ||
            !fix_path_receive(&side->path, &side->sent[*first], (struct rf_str){side->in, bytes})) {
            return SIZE_MAX;
        }
        ++*first;
        outcome->digest += fix_path_row_sum(&side->path);
        return bytes;
    }
    const struct rf_fix_cut cut = rf_fix_cut((const uint8_t *)side->in, 0, count, IN_BYTES, RF_FIX_PAUSE);
    if (cut.whole == 0) {
        return cut.is_oversize ? SIZE_MAX : 0;
    }
    const uint32_t reports = (uint32_t)cut.entries;
    if (reports > side->burst - *first ||
        !fix_decoder_run(&side->path.decoder, (struct rf_str){side->in, cut.whole}, reports)) {
        return SIZE_MAX;
    }
    for (uint32_t r = 0; r < reports; r++) {
        if (!fix_path_take(&side->path, &side->sent[*first + r], r)) {
            return SIZE_MAX;
        }
        outcome->digest += fix_path_row_sum(&side->path);
    }
    *first += reports;
    return cut.whole;
}

static bool answers_await(struct wire_side *side, struct outcome *outcome)
{
    size_t used = 0;
    uint32_t answered = 0;
    while (answered < side->burst) {
        const ssize_t got = some_receive(side->fd, side->in + used, IN_BYTES - used);
        if (got <= 0) {
            fprintf(stderr, "riffle-bench: FX-e2e-tcp: the broker has gone\n");
            return false;
        }
        used += (size_t)got;
        for (size_t taken = 1; taken != 0 && used != 0 && answered < side->burst;) {
            taken = reports_take(side, used, &answered, outcome);
            if (taken == SIZE_MAX) {
                fprintf(stderr, "riffle-bench: FX-e2e-tcp: no good report\n");
                return false;
            }
            used -= taken;
            memmove(side->in, side->in + taken, used);
        }
    }
    return used == 0;
}

static bool burst_run(struct wire_side *side, uint32_t first, struct outcome *outcome)
{
    size_t used = 0;
    for (uint32_t b = 0; b < side->burst; b++) {
        struct rf_str message;
        if (!fix_path_send(&side->path, first + b, side->sequence++, side->out + used, &message)) {
            return false;
        }
        /* Plain C leaves a gap in front. */
        memmove(side->out + used, message.data, message.count);
        used += message.count;
        side->sent[b] = side->path.order;
    }
    return all_send(side->fd, side->out, used) && answers_await(side, outcome);
}

static bool wire_run(void *context, struct outcome *outcome)
{
    struct wire_side *const side = context;
    for (uint32_t first = 0; first < ORDERS; first += side->burst) {
        const uint64_t begin_ns = rf_clock_ns();
        if (!burst_run(side, first, outcome)) {
            return false;
        }
        if (side->time_ns != NULL) {
            side->time_ns[first] = rf_clock_ns() - begin_ns;
        }
        outcome->selected += side->burst;
    }
    return true;
}

/* ---- Connection ---- */

static bool socket_set(int fd)
{
    const int on = 1;
    const struct timeval timeout = {.tv_sec = TIMEOUT_S};
    return (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0 &&
            setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) == 0 &&
            setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) == 0) ||
           wire_tell("setting up a connection");
}

/* A connection with itself through a port that the system chooses. */
static bool pair_connect(int listener, int *near, int *far)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        return wire_tell("listening on the loopback device");
    }
    *near = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*near < 0 || connect(*near, (struct sockaddr *)&address, size) != 0) {
        return wire_tell("connecting");
    }
    *far = accept(listener, NULL, NULL);
    return *far >= 0 ? socket_set(*near) && socket_set(*far) : wire_tell("accepting");
}

static bool side_open(struct wire_side *side, const struct fix_texts *requests, const struct fix_texts *executions,
                      uint32_t burst, bool is_plain)
{
    side->fd = side->broker.fd = -1;
    side->burst = burst;
    side->sequence = 1000000;
    side->broker.executions = executions;
    side->broker.is_failed = side->is_running = false;
    if (!fix_path_open(&side->path, requests, is_plain)) {
        return false;
    }
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) {
        return wire_tell("a socket");
    }
    const bool is_open = pair_connect(listener, &side->fd, &side->broker.fd);
    close(listener);
    if (!is_open) {
        return false;
    }
    errno = pthread_create(&side->broker.thread, NULL, broker_run, &side->broker);
    side->is_running = errno == 0;
    return side->is_running || wire_tell("a thread for the broker");
}

static bool side_close(struct wire_side *side)
{
    if (side->is_running) {
        shutdown(side->fd, SHUT_WR);
        pthread_join(side->broker.thread, NULL);
        side->is_running = false;
    }
    if (side->fd >= 0) {
        close(side->fd);
    }
    if (side->broker.fd >= 0) {
        close(side->broker.fd);
    }
    fix_path_close(&side->path);
    return !side->broker.is_failed;
}

bool case_fix_wire(struct bench *bench)
{
    enum { SIDES = 3 };
    static struct measurement m;
    static struct wire_side side[SIDES];
    static uint64_t time_ns[2][ORDERS];
    static const char *const name[SIDES] = {"riffle, one order under way", "plain C, one order under way",
                                            "riffle, 32 orders under way"};
    struct fix_orders orders = {0};
    struct fix_texts requests = {0};
    struct fix_texts executions = {0};
    bool is_good = fix_orders_open(&orders, false) && fix_requests_open(&requests, &orders) &&
                   fix_executions_open(&executions, &orders, FIX_ANSWER);
    uint32_t open = 0;
    measurement_open(
        &m,
        "FX-e2e-tcp  the path of FX-e2e over loopback TCP (TCP_NODELAY), to a broker in a thread and back;\n"
        "  1,024 distinct orders, the rows summed",
        0, ORDERS, bench->laps);
    for (; is_good && open < SIDES; open++) {
        is_good = side_open(&side[open], &requests, &executions, open == 2 ? BURST_MAX : 1, open == 1);
        side[open].time_ns = open < 2 ? time_ns[open] : NULL;
        measurement_add(&m, open == 1 ? "plain C" : name[open], name[open], wire_run, &side[open]);
    }
    m.baseline = "plain C";
    is_good = is_good && measurement_run(&m);
    if (is_good) {
        printf("  single orders of the last lap:\n");
        fix_times_print(name[0], time_ns[0], ORDERS);
        fix_times_print(name[1], time_ns[1], ORDERS);
        printf("\n");
    }
    for (uint32_t s = 0; s < open; s++) {
        is_good = side_close(&side[s]) && is_good;
    }
    fix_texts_close(&executions);
    fix_texts_close(&requests);
    fix_orders_close(&orders);
    return is_good;
}
