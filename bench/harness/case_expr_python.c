/* The CEL engines of PyPI, in a Python process of their own (bench/peers/cel_peers.py): requests and answers are lines over
 * two pipes, and the process takes the time itself. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case_expr.h"

extern char **environ;

static bool process_start(struct expr_python *python, const char *program)
{
    int to[2] = {-1, -1};
    int from[2] = {-1, -1};
    const char *const argv[] = {program, BENCH_PEERS_FOLDER "/cel_peers.py", NULL};
    char *argument[3];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) {
        fprintf(stderr, "riffle-bench: pipe: %s\n", strerror(errno));
        return false;
    }
    memcpy(argument, argv, sizeof(argument));
    signal(SIGPIPE, SIG_IGN);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    pid_t pid = 0;
    const int failed = posix_spawnp(&pid, program, &actions, NULL, argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    python->to_fd = to[1];
    python->from_fd = from[0];
    python->pid = pid;
    if (failed != 0) {
        fprintf(stderr, "riffle-bench: %s: %s\n", program, strerror(failed));
        python->pid = 0;
        close(to[1]);
        close(from[0]);
    }
    return failed == 0;
}

/* One line; its end becomes a zero byte. */
static char *answer_read(struct expr_python *python)
{
    python->used = 0;
    while (python->used + 1 < sizeof(python->buffer)) {
        const ssize_t got =
            read(python->from_fd, python->buffer + python->used, sizeof(python->buffer) - 1 - python->used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        python->used += (size_t)got;
        if (python->buffer[python->used - 1] == '\n') {
            python->buffer[python->used - 1] = 0;
            return python->buffer;
        }
    }
    fprintf(stderr, "riffle-bench: the Python peers stopped\n");
    return NULL;
}

/* NULL: the process is gone. */
static char *python_ask(struct expr_python *python, const char *request, const char *argument)
{
    char *line = NULL;
    const int count = asprintf(&line, "%s%s\n", request, argument);
    bool is_sent = count > 0;
    for (int at = 0; is_sent && at < count;) {
        const ssize_t written = write(python->to_fd, line + at, (size_t)(count - at));
        is_sent = written > 0 || (written < 0 && errno == EINTR);
        at += written > 0 ? (int)written : 0;
    }
    free(line);
    return is_sent ? answer_read(python) : NULL;
}

bool expr_python_open(struct expr_python *python, const struct bench *bench)
{
    *python = (struct expr_python){0};
    if (bench->python == NULL) {
        return true;
    }
    if (!process_start(python, bench->python)) {
        return false;
    }
    char *rest = python_ask(python, "peers", "");
    if (rest == NULL) {
        return false;
    }
    for (char *name; (name = strsep(&rest, "\t")) != NULL && python->peers < EXPR_PYTHONS_MAX;) {
        struct expr_python_peer *peer = &python->peer[python->peers];
        if (name[0] != 0) {
            peer->python = python;
            peer->number = python->peers++;
            snprintf(peer->name, sizeof(peer->name), "%s", name);
        }
    }
    return true;
}

void expr_python_close(struct expr_python *python)
{
    if (python->pid != 0) {
        close(python->to_fd); /* it ends with its input */
        close(python->from_fd);
        while (waitpid(python->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    *python = (struct expr_python){0};
}

bool expr_python_data(struct expr_python *python, const char *path)
{
    char request[64];
    if (python->peers == 0) {
        return true;
    }
    char *argument = NULL;
    snprintf(request, sizeof(request), "\t%d", EXPR_KEPT_ROWS);
    if (asprintf(&argument, "%s%s", path, request) < 0) {
        return false;
    }
    const char *answer = python_ask(python, "data\t", argument);
    free(argument);
    return answer != NULL && strcmp(answer, "ok") == 0;
}

/* "yes", rows and a letter for each; or "no" and why. */
static bool peer_take(struct expr_python_peer *peer, char *answer, const struct expr_answers *expected)
{
    static const char letter[EXPR_ANSWERS] = {[EXPR_FALSE] = 'F', [EXPR_TRUE] = 'T', [EXPR_ERROR] = 'E'};
    const char *word = strsep(&answer, "\t");
    peer->has_shape = false;
    peer->reason[0] = 0;
    if (strcmp(word, "yes") != 0 || answer == NULL) {
        snprintf(peer->reason, sizeof(peer->reason), "%s", answer == NULL ? "no answer" : answer);
        return true;
    }
    peer->rows = (uint32_t)strtoul(strsep(&answer, "\t"), NULL, 10);
    if (answer == NULL || strlen(answer) != peer->rows || peer->rows > EXPR_KEPT_ROWS || peer->rows == 0) {
        return false;
    }
    uint32_t different = 0;
    for (uint32_t row = 0; row < peer->rows; row++) {
        different += answer[row] != letter[expected->first[row]];
    }
    peer->has_shape = different == 0;
    if (different != 0) {
        snprintf(peer->reason, sizeof(peer->reason), "answers differ for %" PRIu32 " of %" PRIu32 " rows", different,
                 peer->rows);
    }
    return true;
}

bool expr_python_shape(struct expr_python *python, const struct expr_shape *shape, const struct expr_answers *answers)
{
    if (python->peers == 0) {
        return true;
    }
    const char *done = python_ask(python, "shape\t", shape->expression);
    if (done == NULL || strcmp(done, "ok") != 0) {
        return false;
    }
    for (uint32_t p = 0; p < python->peers; p++) {
        char number[16];
        snprintf(number, sizeof(number), "%" PRIu32, p);
        char *answer = python_ask(python, "answers\t", number);
        if (answer == NULL || !peer_take(&python->peer[p], answer, answers)) {
            return false;
        }
    }
    return true;
}

bool expr_python_run(void *context, uint32_t repeats, uint64_t *ns)
{
    struct expr_python_peer *peer = context;
    char number[16];
    snprintf(number, sizeof(number), "%" PRIu32, peer->number);
    *ns = 0;
    for (uint32_t i = 0; i < repeats; i++) {
        const char *answer = python_ask(peer->python, "lap\t", number);
        if (answer == NULL) {
            return false;
        }
        *ns += strtoull(answer, NULL, 10);
    }
    return true;
}
