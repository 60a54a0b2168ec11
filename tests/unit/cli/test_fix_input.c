/* test_fix_input.c: whether an input is FIX. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <zlib.h>

#include "fix_input.h"

static char folder[] = "/tmp/rf_test_fix_input.XXXXXX";
static char path[64];
static struct rf_error err;

static void file_write(struct rf_str text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, text.count, file), text.count);
    assert_int_equal(fclose(file), 0);
}

/* A command line of riffle filter. */
static void parse(struct rf_flags *flags, const char *const *line)
{
    static char word[8][128];
    static char *words[9];
    int count = 0;
    for (; *line != NULL; line++) {
        assert_true(count < 8);
        (void)snprintf(word[count], sizeof word[count], "%s", *line);
        words[count] = word[count];
        count++;
    }
    words[count] = NULL;
    assert_int_equal(rf_flags_parse(flags, RF_COMMAND_FILTER, count, words, &err), RF_OK);
}

static unsigned chosen(const char *const *line)
{
    struct rf_flags flags;
    struct rf_ahead ahead;
    parse(&flags, line);
    const unsigned format = rf_format_choose(&flags, 1, &ahead);
    assert_int_equal(ahead.count, 0); /* standard input is empty, or a file, which is put back */
    rf_ahead_close(&ahead);
    rf_flags_free(&flags);
    return format;
}

#define CHOSEN(...) chosen((const char *const[]){"filter", __VA_ARGS__, NULL})

static unsigned chosen_for(struct rf_str text)
{
    file_write(text);
    return CHOSEN("true", path);
}

#define BYTES(text) (text), sizeof(text) - 1
#define assert_is_fix(text) assert_int_equal(chosen_for(RF_STR(text)), RF_FORMAT_FIX)
#define assert_is_json(text) assert_int_equal(chosen_for(RF_STR(text)), RF_FORMAT_NDJSON)

static void test_looks(void **state)
{
    (void)state;
    assert_is_fix("8=FIX.4.4\0019=5\00135=0\00110=163\001");
    assert_is_fix("8=FIXT.1.1|9=5|35=0|10=163|\n");
    assert_is_fix("8=FIX.4.2^A9=5^A35=0^A10=163^A\n");
    assert_is_fix("8=FIX.4.2\\x019=5\\x0135=0\\x0110=163\\x01\n");
    assert_is_fix("\n\n  20260102 IN 8=FIX.4.4|9=5|35=0|10=163|\n");
    assert_is_fix("[10:00] 8=FIX.4.4|9=5|35=0|10=163|\n"); /* a bracket begins prefixes too */
    assert_is_fix("started\nlogged on\n8=FIX.4.4|9=5|35=0|10=163|\n");
    assert_is_fix("[1,2\n[\"x\"]]\n8=FIX.4.4|9=5|35=0|10=163|\n"); /* no JSON, though it begins like it */
    assert_is_json("[1,2]\n8=FIX.4.4|9=5|35=0|10=163|\n");
    assert_is_json("-1.5e3 \r\n8=FIX.4.4|9=5|35=0|10=163|\n");
    assert_is_json("# notes\n{\"raw\":\"8=FIX.4.4|9=5|35=0|10=163|\"}\n");
    assert_is_json("\xef\xbb\xbf{\"raw\":\"8=FIX.4.4|9=5|35=0|10=163|\"}\n");
    assert_is_json("{\"raw\":\"8=FIX.4.4|9=5|35=0|10=163|\"}\n");
    assert_is_json("  \n{\"raw\":\"8=FIX.4.4|9=5|35=0|10=163|\"}\n");
    assert_is_json("\"8=FIX.4.4|9=5|35=0|10=163|\"\n");
    assert_is_json("[1,2]\n");
    assert_is_json("");
    assert_is_json(" \r\n\t");
    assert_is_json("58=FIX\n");
    assert_is_json("8=FIX.4.4\n"); /* nothing follows */
    assert_is_json("8=FIX.4.4|55=0|\n");
    assert_is_fix("8=FIX.4.4|35=0|\n"); /* a log without BodyLength */
}

/* ---- Standard input ---- */

/* What a pipe is found to be when each read gives `step` of its bytes; `taken` are read, and handed on as they came. Not
 * is_shut: the writer stays there, so that waiting for the end would be waiting forever. */
static unsigned piped(struct rf_str text, size_t step, bool is_shut, size_t *taken)
{
    int ends[2];
    struct rf_flags flags;
    struct rf_ahead ahead;
    assert_int_equal(pipe2(ends, O_DIRECT), 0); /* of packets: a write is a read */
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(ends[0]), 0);
    const pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        for (size_t at = 0; at < text.count; at += step) {
            const size_t left = text.count - at;
            if (write(ends[1], text.data + at, left < step ? left : step) < 0) {
                _exit(1);
            }
        }
        if (!is_shut) {
            (void)pause();
        }
        _exit(0);
    }
    assert_int_equal(close(ends[1]), 0);
    parse(&flags, (const char *const[]){"filter", "true", NULL});
    const unsigned format = rf_format_choose(&flags, 1, &ahead);
    *taken = ahead.count;
    assert_true(ahead.count <= text.count);
    assert_memory_equal(ahead.bytes, text.data, ahead.count);
    rf_ahead_close(&ahead);
    rf_flags_free(&flags);
    (void)kill(writer, SIGTERM);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    const int nothing = open("/dev/null", O_RDONLY);
    assert_int_equal(dup2(nothing, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(nothing), 0);
    return format;
}

/* Open pipes: the verdict comes without their end, however they are cut. */
static void test_pipe(void **state)
{
    (void)state;
    static const struct {
        struct rf_str text;
        unsigned format;
    } row[] = {
        {{BYTES("8=FIX.4.4\0019=5\00135=0\00110=163\001")}, RF_FORMAT_FIX},
        {{BYTES("\n20260310 8=FIX.4.4|9=5|")}, RF_FORMAT_FIX},
        {{BYTES("started\n[1\n8=FIX.4.4|9=5|")}, RF_FORMAT_FIX},
        {{BYTES("{")}, RF_FORMAT_NDJSON},
        {{BYTES("\xef\xbb\xbf {")}, RF_FORMAT_NDJSON},
        {{BYTES("\"8=FIX.4.4|9=5|")}, RF_FORMAT_NDJSON},
        {{BYTES("[1,2]\n8=FIX.4.4|9=5|35=0|10=163|\n")}, RF_FORMAT_NDJSON},
    };
    size_t taken;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (size_t step = 1; step <= row[i].text.count; step++) {
            assert_int_equal(piped(row[i].text, step, false, &taken), row[i].format);
            assert_true(taken > 0);
        }
    }
    /* At the end whatever was no message and no JSON is no FIX. */
    assert_int_equal(piped(RF_STR("started\n8=FIX.4.4"), 3, true, &taken), RF_FORMAT_NDJSON);
    assert_int_equal(taken, 17);
    assert_int_equal(piped(RF_STR(" \n"), 1, true, &taken), RF_FORMAT_NDJSON);
    assert_int_equal(piped(RF_STR(""), 1, true, &taken), RF_FORMAT_NDJSON);
    assert_int_equal(taken, 0);
}

/* No more than 64 KiB are waited for; a message counts when it begins within them. */
static void test_pipe_bound(void **state)
{
    (void)state;
    static const char message[] = "8=FIX.4.4|9=5|35=0|";
    static char text[200000];
    size_t taken;
    memset(text, 'x', sizeof text);
    assert_int_equal(piped((struct rf_str){text, sizeof text}, 4096, false, &taken), RF_FORMAT_NDJSON);
    assert_int_equal(taken, RF_AHEAD_PLAIN_BYTES);
    memcpy(text + RF_AHEAD_PLAIN_BYTES - 13, message, sizeof message - 1); /* up to the 9=5 */
    assert_int_equal(piped((struct rf_str){text, sizeof text}, 4096, false, &taken), RF_FORMAT_FIX);
    memset(text, 'x', sizeof text);
    memcpy(text + RF_AHEAD_PLAIN_BYTES - 12, message, sizeof message - 1);
    assert_int_equal(piped((struct rf_str){text, sizeof text}, 4096, false, &taken), RF_FORMAT_NDJSON);
}

static size_t gzip(const char *text, size_t count, uint8_t *out, size_t room)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)text;
    stream.avail_in = (uInt)count;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_SYNC_FLUSH), Z_OK); /* an open stream, of which everything so far is out */
    const size_t made = room - stream.avail_out;
    assert_int_equal(deflateEnd(&stream), Z_DATA_ERROR);
    return made;
}

static void test_compressed_pipe(void **state)
{
    (void)state;
    uint8_t packed[256];
    size_t taken;
    static const char fix[] = "started\n8=FIX.4.4|9=5|35=0|10=163|\n";
    static const char json[] = "[1]\n{\"a\":1}\n";
    for (size_t step = 1; step < 60; step += 7) {
        size_t count = gzip(fix, sizeof fix - 1, packed, sizeof packed);
        assert_int_equal(piped((struct rf_str){(const char *)packed, count}, step, false, &taken), RF_FORMAT_FIX);
        count = gzip(json, sizeof json - 1, packed, sizeof packed);
        assert_int_equal(piped((struct rf_str){(const char *)packed, count}, step, false, &taken), RF_FORMAT_NDJSON);
    }
    /* Cut in its head, damaged, of a kind that is not read: it is no FIX, and every byte is handed on. */
    assert_int_equal(piped(RF_STR("\x1f"), 1, true, &taken), RF_FORMAT_NDJSON);
    assert_int_equal(taken, 1);
    assert_int_equal(piped(RF_STR("\x1f\x8b\x08\377" "8=FIX.4.4|9=5|"), 2, true, &taken), RF_FORMAT_NDJSON);
    assert_int_equal(piped(RF_STR("BZh91AY&SY8=FIX"), 2, true, &taken), RF_FORMAT_NDJSON);
    assert_int_equal(taken, 15);
}

/* A file is put back to where it was, which need not be its beginning. */
static void test_stdin_file(void **state)
{
    (void)state;
    file_write(RF_STR("{}\n8=FIX.4.4|9=5|35=0|10=163|\n"));
    const int file = open(path, O_RDONLY);
    assert_true(file >= 0);
    assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(file), 0);
    assert_int_equal(CHOSEN("true"), RF_FORMAT_NDJSON);
    assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_CUR), 0);
    assert_int_equal(lseek(STDIN_FILENO, 3, SEEK_SET), 3);
    assert_int_equal(CHOSEN("true", "-"), RF_FORMAT_FIX);
    assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_CUR), 3);
    const int nothing = open("/dev/null", O_RDONLY);
    assert_int_equal(dup2(nothing, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(nothing), 0);
}

/* What is said goes before what is seen. */
static void test_rf_format_choose(void **state)
{
    (void)state;
    file_write(RF_STR("8=FIX.4.4|9=5|35=0|10=163|\n"));
    assert_int_equal(CHOSEN("true", path), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("-f", "ndjson", "true", path), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("-f", "text", "true", path), RF_FORMAT_TEXT);
    assert_int_equal(CHOSEN("-f", "fix", "true", "-"), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("--fix-lenient", "true"), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("--fix-dict", "FIX.4.2", "true"), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("true"), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("true", "-"), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("true", folder), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("true", "/tmp/rf_test_fix_input.none"), RF_FORMAT_NDJSON);
    char fifo[80];
    (void)snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(CHOSEN("true", fifo), RF_FORMAT_NDJSON); /* and does not wait for a writer */
    assert_int_equal(unlink(fifo), 0);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    const int nothing = open("/dev/null", O_RDONLY);
    assert_int_equal(dup2(nothing, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(nothing), 0);
    (void)snprintf(path, sizeof path, "%s/input", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    rmdir(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_rf_format_choose),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_pipe_bound),
        cmocka_unit_test(test_compressed_pipe),
        cmocka_unit_test(test_stdin_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
