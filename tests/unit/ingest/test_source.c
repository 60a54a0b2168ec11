#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "packed.h"
#include "records.h"

static char folder[] = "/tmp/rf_source_XXXXXX";

struct problems {
    char text[2000]; /* "name: text\n" for each */
};

static void note_problem(void *context, const char *input_name, const char *text)
{
    struct problems *problems = context;
    const char *base = strrchr(input_name, '/');
    const size_t used = strlen(problems->text);
    snprintf(problems->text + used, sizeof problems->text - used, "%s: %s\n", base != NULL ? base + 1 : input_name,
             text);
}

static const char *path_of(char path[100], const char *name)
{
    snprintf(path, 100, "%s/%s", folder, name);
    return path;
}

static void put_file(const char *name, const void *bytes, size_t count)
{
    char path[100];
    FILE *file = fopen(path_of(path, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    (void)state;
    char path[100];
    if (mkdtemp(folder) == NULL || mkdir(path_of(path, "folder"), 0700) != 0) {
        return -1;
    }
    put_file("empty", "", 0);
    put_file("a", "a1\na2", 5);
    put_file("b", "b1\nb2\n", 6);
    put_file("bom", "\xef\xbb\xbf#1\n", 6);
    put_file("utf16", "\xff\xfe{\0}\0\n\0", 8);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"empty", "a", "b", "bom", "utf16", "data", "packed", "secret"};
    char path[100];
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        unlink(path_of(path, names[n]));
    }
    rmdir(path_of(path, "folder"));
    return rmdir(folder);
}

/* Runs a source over files of the folder ("-" and "/..." as they are) and writes one line for each record:
 * "input.number@offset text". */
static void run(const char *const *names, size_t count, struct rf_source_options options, struct problems *problems,
                char *out, size_t out_room)
{
    struct rf_error err;
    struct rf_source *source = NULL;
    struct rf_batch batch = {0};
    char paths[8][100];
    const char *pointers[8];
    assert_in_range(count, 0, 8);
    for (size_t n = 0; n < count; n++) {
        pointers[n] = names[n][0] == '-' || names[n][0] == '/' ? names[n] : path_of(paths[n], names[n]);
    }
    memset(problems, 0, sizeof *problems);
    options.on_problem = note_problem;
    options.context = problems;
    options.counts_records = true;
    assert_int_equal(rf_source_open_files(&source, pointers, count, options, &err), RF_OK);
    out[0] = '\0';
    uint64_t sequence = 0;
    enum rf_status status;
    while ((status = rf_source_fill(source, &batch, &err)) == RF_OK) {
        assert_int_equal(batch.sequence, sequence++);
        if (count > 0) {
            assert_ptr_equal(batch.input_name, pointers[batch.input]);
        } else {
            assert_string_equal(batch.input_name, "-");
        }
        uint64_t number = batch.first_number;
        for (size_t begin = 0, at = 0; at < batch.bytes_used; at++) {
            if (batch.bytes[at] == '\n' || at + 1 == batch.bytes_used) {
                const size_t used = strlen(out);
                snprintf(out + used, out_room - used, "%u.%llu@%llu%s %.*s%s", batch.input,
                         (unsigned long long)number++, (unsigned long long)(batch.offset + begin),
                         batch.is_oversize ? "!" : "", (int)(at + 1 - begin), (const char *)batch.bytes + begin,
                         batch.bytes[at] == '\n' ? "" : "|\n");
                begin = at + 1;
            }
        }
    }
    assert_int_equal(status, RF_END);
    assert_int_equal(rf_source_fill(source, &batch, &err), RF_END);
    uint64_t lines = 0;
    for (const char *c = problems->text; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    assert_int_equal(rf_source_problems(source), lines);
    rf_batch_close(&batch);
    rf_source_close(source);
}

static void test_rf_source_open_files(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "empty", "b", "a", "bom"};
    char out[500];
    struct problems problems;
    run(names, 5, (struct rf_source_options){0}, &problems, out, sizeof out);
    assert_string_equal(out, "0.1@0 a1\n0.2@3 a2|\n2.1@0 b1\n2.2@3 b2\n3.1@0 a1\n3.2@3 a2|\n4.1@3 #1\n");
    assert_string_equal(problems.text, "");
    run(names + 4, 1, (struct rf_source_options){.is_text = true}, &problems, out, sizeof out);
    assert_string_equal(out, "0.1@0 \xef\xbb\xbf#1\n");
}

static void test_inputs_that_cannot_be_read(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "missing", "folder", "utf16", "b"};
    char out[500];
    struct problems problems;
    run(names, 5, (struct rf_source_options){0}, &problems, out, sizeof out);
    assert_string_equal(out, "0.1@0 a1\n0.2@3 a2|\n4.1@0 b1\n4.2@3 b2\n");
    assert_string_equal(problems.text, "missing: No such file or directory\nfolder: is a folder\n"
                                       "utf16: UTF-16 text is not supported; convert it to UTF-8\n");
    if (geteuid() == 0) {
        return; /* the superuser may read everything */
    }
    static const char *const secret[] = {"secret", "b"};
    char path[100];
    put_file("secret", "x\n", 2);
    assert_int_equal(chmod(path_of(path, "secret"), 0), 0);
    run(secret, 2, (struct rf_source_options){0}, &problems, out, sizeof out);
    assert_string_equal(out, "1.1@0 b1\n1.2@3 b2\n");
    assert_string_equal(problems.text, "secret: Permission denied\n");
}

static void test_damaged_input_in_the_middle(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "packed", "b"};
    char out[500];
    struct problems problems;
    struct packed packed = {0};
    packed_add(&packed, PACKED_GZIP, "p1\np2\n", 6);
    packed_add(&packed, PACKED_PLAIN, "rubbish", 7);
    put_file("packed", packed.data, packed.count);
    run(names, 3, (struct rf_source_options){0}, &problems, out, sizeof out);
    assert_string_equal(out, "0.1@0 a1\n0.2@3 a2|\n1.1@0 p1\n1.2@3 p2\n2.1@0 b1\n2.2@3 b2\n");
    assert_string_equal(problems.text, "packed: garbage behind the gzip data is ignored\n");
    put_file("packed", packed.data, packed.count - 8);
    run(names, 3, (struct rf_source_options){0}, &problems, out, sizeof out);
    assert_string_equal(out, "0.1@0 a1\n0.2@3 a2|\n1.1@0 p1\n1.2@3 p2\n2.1@0 b1\n2.2@3 b2\n");
    assert_string_equal(problems.text, "packed: the gzip data is truncated\n");
    packed_free(&packed);
}

static void test_oversize_records_are_counted(void **state)
{
    (void)state;
    static const char text[] = "1\n22\n333\n4444\n5\r\n666666666\r\n77";
    static const char *const names[] = {"data"};
    char out[500];
    struct problems problems;
    put_file("data", text, sizeof text - 1);
    run(names, 1, (struct rf_source_options){.record_bytes_max = 3}, &problems, out, sizeof out);
    assert_string_equal(out,
                        "0.1@0 1\n0.2@2 22\n0.3@5 333\n0.4@9! 4444|\n0.5@14 5\r\n0.6@17! 666666666|\n0.7@28 77|\n");
}

/* Puts a file in the place of stdin, or a pipe that a child writes the text into. */
static int replace_stdin(const char *name, const char *text, pid_t *child)
{
    const int saved = dup(STDIN_FILENO);
    int ends[2] = {-1, -1};
    if (name != NULL) {
        char path[100];
        ends[0] = open(path_of(path, name), O_RDONLY);
    } else {
        assert_int_equal(pipe(ends), 0);
        *child = fork();
        assert_true(*child >= 0);
        if (*child == 0) {
            const size_t count = strlen(text);
            _exit(write(ends[1], text, count) == (ssize_t)count ? 0 : 1);
        }
        close(ends[1]);
    }
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return saved;
}

static void restore_stdin(int saved)
{
    close(STDIN_FILENO);
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void test_stdin(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "-", "b", "-"};
    char out[500];
    struct problems problems;
    pid_t child = 0;
    int saved = replace_stdin("b", NULL, &child);
    run(names, 4, (struct rf_source_options){0}, &problems, out, sizeof out);
    assert_string_equal(out, "0.1@0 a1\n0.2@3 a2|\n1.1@0 b1\n1.2@3 b2\n2.1@0 b1\n2.2@3 b2\n");
    restore_stdin(saved);

    saved = replace_stdin(NULL, "s1\ns2\ns3", &child);
    run(NULL, 0, (struct rf_source_options){0}, &problems, out, sizeof out);
    assert_string_equal(out, "0.1@0 s1\n0.2@3 s2\n0.3@6 s3|\n");
    restore_stdin(saved);
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    assert_string_equal(problems.text, "");
}

static struct records collect(struct rf_source *source, const struct rf_source_options *options)
{
    struct rf_error err;
    struct rf_batch batch = {0};
    struct records out = {0};
    while (rf_source_fill(source, &batch, &err) == RF_OK) {
        records_add(&out, &batch, options->batch_bytes, options->record_bytes_max);
    }
    rf_batch_close(&batch);
    return out;
}

/* The same bytes through a file, a pipe, gzip, zstd, lz4 and memory give the same records. */
static void test_every_way_gives_the_same_records(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    struct rf_error err;
    uint8_t *bytes = malloc(COUNT);
    assert_non_null(bytes);
    uint32_t random = 4711;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t die = random >> 16;
        bytes[i] = (uint8_t)(die % 150 == 0 ? '\n' : die % 30 == 0 ? '\r' : 0x20 + die % 200);
    }
    memset(bytes + COUNT / 2, 'L', 20000); /* a long record, oversize under the smaller limit */
    put_file("data", bytes, COUNT);
    char data[100];
    char packed_path[100];
    const char *const data_name[] = {path_of(data, "data")};
    const char *const packed_name[] = {path_of(packed_path, "packed")};
    static const char *const stdin_name[] = {"-"};
    static const uint32_t limits[] = {200, 30000};
    static const uint32_t batches[] = {1000, 65536};
    for (size_t v = 0; v < 4; v++) {
        const struct rf_source_options options = {.batch_bytes = batches[v / 2], .record_bytes_max = limits[v % 2]};
        struct records expected = {0};
        records_expect(&expected, bytes, COUNT, options.record_bytes_max, false);
        for (int way = 0; way < 6; way++) {
            struct rf_source *source = NULL;
            struct packed packed = {0};
            int saved = -1;
            pid_t child = 0;
            if (way == 0) {
                assert_int_equal(rf_source_open_files(&source, data_name, 1, options, &err), RF_OK);
                assert_int_equal(rf_source_bytes_total(source), COUNT);
            } else if (way == 1) {
                int ends[2];
                saved = dup(STDIN_FILENO);
                assert_int_equal(pipe(ends), 0);
                child = fork();
                assert_true(child >= 0);
                if (child == 0) {
                    for (size_t at = 0; at < COUNT; at += 800) {
                        if (write(ends[1], bytes + at, 800) != 800) {
                            _exit(1);
                        }
                    }
                    _exit(0);
                }
                close(ends[1]);
                dup2(ends[0], STDIN_FILENO);
                close(ends[0]);
                assert_int_equal(rf_source_open_files(&source, stdin_name, 1, options, &err), RF_OK);
                assert_true(rf_source_bytes_total(source) == RF_BYTES_UNKNOWN);
            } else if (way == 5) {
                assert_int_equal(rf_source_open_memory(&source, bytes, COUNT, "memory", options, &err), RF_OK);
                assert_int_equal(rf_source_bytes_total(source), COUNT);
            } else {
                packed_add(&packed, (enum packing)(way - 1), bytes, 70000);
                packed_add(&packed, (enum packing)(way - 1), bytes + 70000, COUNT - 70000);
                put_file("packed", packed.data, packed.count);
                assert_int_equal(rf_source_open_files(&source, packed_name, 1, options, &err), RF_OK);
                assert_int_equal(rf_source_bytes_total(source), packed.count);
            }
            struct records out = collect(source, &options);
            assert_true(records_equal(&out, &expected));
            assert_int_equal(rf_source_bytes_read(source), packed.count > 0 ? packed.count : COUNT);
            assert_int_equal(rf_source_problems(source), 0);
            rf_source_close(source);
            packed_free(&packed);
            records_free(&out);
            if (way == 1) {
                restore_stdin(saved);
                int how = 0;
                assert_int_equal(waitpid(child, &how, 0), child);
                assert_int_equal(how, 0);
            }
        }
        records_free(&expected);
    }
    free(bytes);
}

static void test_rf_source_open_memory(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_source *source = NULL;
    struct rf_batch batch = {0};
    struct problems problems = {0};
    struct rf_source_options options = {.on_problem = note_problem, .context = &problems, .counts_records = true};
    assert_int_equal(rf_source_open_memory(&source, "\xef\xbb\xbf{\n}", 6, "memory", options, &err), RF_OK);
    assert_int_equal(rf_source_fill(source, &batch, &err), RF_OK);
    assert_string_equal(batch.input_name, "memory");
    assert_int_equal(batch.first_number, 1);
    assert_int_equal(batch.offset, 3);
    assert_int_equal(batch.bytes_used, 3);
    assert_int_equal(rf_source_bytes_read(source), 6);
    assert_int_equal(rf_source_fill(source, &batch, &err), RF_END);
    rf_source_close(source);

    assert_int_equal(rf_source_open_memory(&source, NULL, 0, "nothing", options, &err), RF_OK);
    assert_int_equal(rf_source_fill(source, &batch, &err), RF_END);
    rf_source_close(source);

    assert_int_equal(rf_source_open_memory(&source, "\xfe\xff\0a", 4, "memory", options, &err), RF_OK);
    assert_int_equal(rf_source_fill(source, &batch, &err), RF_END);
    assert_int_equal(rf_source_problems(source), 1);
    assert_string_equal(problems.text, "memory: UTF-16 text is not supported; convert it to UTF-8\n");
    rf_source_close(source);
    rf_batch_close(&batch);
}

static void test_options_at_their_limits(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_source *source = NULL;
    struct rf_source_options options = {.batch_bytes = RF_BATCH_BYTES_LIMIT + 1u};
    assert_int_equal(rf_source_open_memory(&source, "", 0, "x", options, &err), RF_E_USAGE);
    assert_null(source);
    options.batch_bytes = RF_BATCH_BYTES_LIMIT;
    options.record_bytes_max = RF_BATCH_BYTES_LIMIT - 64;
    assert_int_equal(rf_source_open_memory(&source, "", 0, "x", options, &err), RF_OK);
    rf_source_close(source);
    options.record_bytes_max++;
    assert_int_equal(rf_source_open_files(&source, NULL, 0, options, &err), RF_E_USAGE);
    assert_null(source);
    rf_source_close(NULL);
}

/* Without counts_records nobody pays for counting. */
static void test_rf_source_fill_leaves_counting(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_source *source = NULL;
    struct rf_batch batch = {0};
    char path[100];
    const char *const names[] = {path_of(path, "b")};
    assert_int_equal(rf_source_open_files(&source, names, 1, (struct rf_source_options){0}, &err), RF_OK);
    assert_int_equal(rf_source_fill(source, &batch, &err), RF_OK);
    assert_int_equal(batch.first_number, 0);
    rf_batch_close(&batch);
    rf_source_close(source); /* with an input still open */
}

static void test_rf_source_bytes_total(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_source *source = NULL;
    char paths[3][100];
    const char *const names[] = {path_of(paths[0], "a"), path_of(paths[1], "missing"), path_of(paths[2], "folder"),
                                 "-"};
    assert_int_equal(rf_source_open_files(&source, names, 3, (struct rf_source_options){0}, &err), RF_OK);
    assert_int_equal(rf_source_bytes_total(source), 5);
    rf_source_close(source);
    static const char *const device[] = {"/dev/null"};
    assert_int_equal(rf_source_open_files(&source, device, 1, (struct rf_source_options){0}, &err), RF_OK);
    assert_int_equal(rf_source_bytes_total(source), 0);
    rf_source_close(source);
    /* A file as stdin that the shell has read from: only the rest counts. */
    pid_t child = 0;
    const int saved = replace_stdin("b", NULL, &child);
    assert_int_equal(lseek(STDIN_FILENO, 2, SEEK_SET), 2);
    assert_int_equal(rf_source_open_files(&source, names, 4, (struct rf_source_options){0}, &err), RF_OK);
    assert_int_equal(rf_source_bytes_total(source), 9);
    rf_source_close(source);
    restore_stdin(saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_source_open_files),
        cmocka_unit_test(test_inputs_that_cannot_be_read),
        cmocka_unit_test(test_damaged_input_in_the_middle),
        cmocka_unit_test(test_oversize_records_are_counted),
        cmocka_unit_test(test_stdin),
        cmocka_unit_test(test_every_way_gives_the_same_records),
        cmocka_unit_test(test_rf_source_open_memory),
        cmocka_unit_test(test_options_at_their_limits),
        cmocka_unit_test(test_rf_source_fill_leaves_counting),
        cmocka_unit_test(test_rf_source_bytes_total),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
