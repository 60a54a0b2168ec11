/* terminal.c: what is on the other side of descriptors 0, 1 and 2. */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "flag.h"
#include "log.h"
#include "sink.h"

void rf_terminal_guard(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) {
            continue;
        }
        /* Opened the wrong way round on purpose: /dev/null for reading as standard output would swallow nothing, while
         * for writing it would turn lost output into success. The lowest free number is fd itself: those below are
         * taken. */
        const int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (opened >= 0 && opened != fd) {
            (void)close(opened);
        }
    }
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term == NULL || *term == '\0' || strcmp(term, "dumb") == 0;
}

bool rf_terminal_has_color(int fd, unsigned when)
{
    if (when != RF_WHEN_AUTO) {
        return when == RF_WHEN_ALWAYS;
    }
    const char *no_color = getenv("NO_COLOR");
    return (no_color == NULL || *no_color == '\0') && rf_terminal_is_live(fd);
}

bool rf_terminal_is_live(int fd)
{
    return isatty(fd) == 1 && !is_dumb();
}

bool rf_terminal_may_show(int fd)
{
    struct stat look;
    return isatty(fd) == 1 || (fstat(fd, &look) == 0 && (S_ISFIFO(look.st_mode) || S_ISSOCK(look.st_mode)));
}

unsigned rf_terminal_columns(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return 80;
}

int rf_terminal_print(struct rf_str text)
{
    struct rf_error err;
    struct rf_sink *sink = NULL;
    enum rf_status status = rf_sink_open_fd(&sink, STDOUT_FILENO, "standard output", (struct rf_sink_options){0}, &err);
    if (status == RF_OK) {
        status = rf_sink_write(sink, text, &err);
    }
    if (status == RF_OK) {
        status = rf_sink_finish(sink, &err);
    }
    rf_sink_close(sink);
    if (status == RF_OK || status == RF_E_PIPE) {
        return RF_EXIT_DONE;
    }
    rf_log(RF_LOG_ERROR, "%s", err.text);
    return RF_EXIT_FAILURE;
}

int rf_terminal_fail(const struct rf_error *err)
{
    rf_log(RF_LOG_ERROR, "%s", err->text);
    return err->status == RF_E_USAGE ? RF_EXIT_USAGE : RF_EXIT_FAILURE;
}

void rf_terminal_tell(struct rf_str text)
{
    while (text.count > 0) {
        const ssize_t written = write(STDERR_FILENO, text.data, text.count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return; /* nobody listens: not a reason to fail */
        }
        text.data += written;
        text.count -= (size_t)written;
    }
}

/* "  |     ^^^": nothing but a caret behind the bar. */
static bool line_is_caret(struct rf_str line)
{
    size_t at = 0;
    while (at < line.count && line.data[at] == ' ') {
        at++;
    }
    if (at == line.count || line.data[at++] != '|') {
        return false;
    }
    while (at < line.count && line.data[at] == ' ') {
        at++;
    }
    const size_t begin = at;
    while (at < line.count && line.data[at] == '^') {
        at++;
    }
    return at == line.count && at > begin;
}

/* Line by line; a line of the source stands behind a bar, and cannot begin with the word. */
static enum rf_status problems_color(struct rf_text *out, struct rf_str plain, struct rf_error *err)
{
    static const struct rf_str head = {"error:", 6};
    while (plain.count > 0) {
        const char *end = memchr(plain.data, '\n', plain.count);
        struct rf_str line = {plain.data, end == NULL ? plain.count : (size_t)(end - plain.data)};
        plain.data += line.count + (end != NULL);
        plain.count -= line.count + (end != NULL);
        const size_t colored = line_is_caret(line) ? line.count : rf_str_starts(line, head) ? head.count : 0;
        if (colored > 0) {
            RF_TRY(rf_text_printf(out, err, "\033[1;31m%.*s\033[0m", (int)colored, line.data));
        }
        RF_TRY(rf_text_append(out, (struct rf_str){line.data + colored, line.count - colored}, err));
        if (end != NULL) {
            RF_TRY(rf_text_append_char(out, '\n', err));
        }
    }
    return RF_OK;
}

void rf_terminal_tell_problems(struct rf_str text, unsigned when)
{
    struct rf_error err;
    struct rf_text colored = {0};
    const bool has_color = rf_terminal_has_color(STDERR_FILENO, when) && problems_color(&colored, text, &err) == RF_OK;
    rf_terminal_tell(has_color ? rf_text_str(&colored) : text);
    rf_text_free(&colored);
}
