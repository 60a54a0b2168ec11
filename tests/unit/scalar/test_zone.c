/* Runs in a folder of its own: $TZDIR with links to the system's time zones and a folder "Test" of files made here.
 * What needs the system's zones is skipped where there are none. */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "instant.h"
#include "zone.h"
#include "zone_file_fixture.h"
#include "zone_table.h"

static const char system_folder[] = "/usr/share/zoneinfo";
static char folder[] = "/tmp/riffle_zone_XXXXXX";

enum { PATH_BYTES = 512 };
static const int64_t seconds_1900 = -2208988800;
static const int64_t seconds_2100 = 4102444800;
static const int64_t seconds_2500 = 16725225600;

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int64_t random_between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(random_next(state) % (uint64_t)(high - low));
}

static void needs_system(void)
{
    if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK) != 0) {
        print_message("no time zones in %s\n", system_folder);
        skip();
    }
}

static void path_of(char path[PATH_BYTES], const char *name)
{
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
}

static void file_write(const char *name, const struct zone_file *file)
{
    char path[PATH_BYTES];
    path_of(path, name);
    FILE *const stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(file->bytes, 1, file->count, stream), file->count);
    assert_int_equal(fclose(stream), 0);
}

static struct rf_zone zone_of(const char *name)
{
    struct rf_zone zone;
    if (!rf_zone_find(rf_str_of(name), &zone)) {
        fail_msg("unknown: %s", name);
    }
    return zone;
}

static bool is_known(const char *name)
{
    struct rf_zone zone;
    return rf_zone_find(rf_str_of(name), &zone);
}

static void assert_fixed(const char *name, int32_t offset)
{
    const struct rf_zone zone = zone_of(name);
    assert_null(zone.table);
    assert_int_equal(zone.offset_seconds, offset);
    assert_int_equal(rf_zone_offset(&zone, 0), offset);
    assert_int_equal(rf_zone_offset(&zone, INT64_MAX), offset);
}

static void test_rf_zone_find_fixed(void **state)
{
    struct rf_zone zone = {NULL, 7};
    static const char *const bad[] = {
        "Z",      "z",      "+",      "-",    ":",         "+5:30",  "+05",     "+0530",    "+05:3",     "+05:300",
        "+24:00", "+05:60", "++5:30", "5:30", "+-5:30",    "+05-30", "+05:30 ", " 05:30",   "-05:30Z",   "UTC+5",
        "+0a:30", "+05:b0", "utc",    "UTC ", "GMT+25:00", "0",      "-",       "05:30:00", "+05:30:00", "1:0",
    };
    (void)state;
    assert_fixed("", 0);
    assert_fixed("UTC", 0);
    assert_fixed("+00:00", 0);
    assert_fixed("-00:00", 0);
    assert_fixed("+11:00", 39600);
    assert_fixed("-02:30", -9000);
    assert_fixed("-09:30", -34200);
    assert_fixed("02:00", 7200);
    assert_fixed("+23:59", 86340);
    assert_fixed("-23:59", -86340);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (rf_zone_find(rf_str_of(bad[i]), &zone)) {
            fail_msg("found: %s", bad[i]);
        }
        assert_true(zone.table == NULL && zone.offset_seconds == 7);
    }
    assert_true(rf_zone_find((struct rf_str){NULL, 0}, &zone));
}

static void test_rf_zone_find_hostile(void **state)
{
    static const char *const bad[] = {
        "/etc/localtime", "/Test/Good",
        "../Test/Good",   "Test/../Test/Good",
        "Test/./Good",    "./Test/Good",
        "Test//Good",     "Test/Good/",
        "Test/Good/.",    "Test/Good/..",
        "Test",           "Test/",
        "Test/Nowhere",   "Nowhere/Good",
        "Test/Good ",     " Test/Good",
        "test/good",      "Test\\Good",
        "Test/Go*d",      "Test/Go?d",
        "Test/Good\n",    "Test/Good\xff",
        "Test/G\xc3\xb6", "Test/Good/Good",
        "~/Good",         "$TZDIR/Good",
        "localtime",      "posixrules",
        "Local",          "local",
        "Test/localtime", "Test/posixrules",
        "Test/Local",     "Test/A/B/C",
        "Test/Empty",     "Test/Damaged",
        "Test/Text",      "Test/Large",
        "Test/Pipe",      "Test/Loop",
        "Test/Leap",      "Test/Old",
        "tzdata.zi",      "zone.tab",
        "zone1970.tab",   "iso3166.tab",
        "leapseconds",    "leap-seconds.list",
        "right/UTC",      "right/Europe/Berlin",
        "Europe",         "posix",
        "EST5EDT4",       "-Test/Good",
        "+VERSION",       "_Test/Good",
        "1Test/Good",     "Test/1Good",
    };
    (void)state;
    struct zone_file file = file_sample("CET-1");
    file_write("Test/Good", &file);
    file_write("Test/localtime", &file);
    file_write("Test/posixrules", &file);
    file_write("Test/Local", &file);
    file_write("Test/1Good", &file);
    file.bytes[0] = 't';
    file_write("Test/Damaged", &file);
    file = file_sample("CET-1");
    file.bytes[4] = '\0';
    file_write("Test/Old", &file);
    file.count = 0;
    file_write("Test/Empty", &file);
    put_bytes(&file,
              "# no time zone, but a text of more than one hundred bytes, as the tables in the folder of the zones "
              "are\n",
              102);
    file_write("Test/Text", &file);
    file = file_sample("CET-1");
    file_write("Test/Large", &file);
    char path[PATH_BYTES];
    path_of(path, "Test/Large");
    assert_int_equal(truncate(path, RF_ZONE_FILE_BYTES_MAX + 1), 0);
    path_of(path, "Test/Pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    path_of(path, "Test/Loop");
    assert_int_equal(symlink("Loop", path), 0);
    file = file_sample("CET-1");
    /* One leap second, which belongs in front of the footer: a good file but for that. */
    enum { LEAP_BYTES = 12, FOOTER_BYTES = 7 };
    file.bytes[SECOND_HEADER + 31] = 1;
    file.count -= FOOTER_BYTES;
    put_bytes(&file, "\0\0\0\0\4\xb2\x58\0\0\0\0\1", LEAP_BYTES);
    put_bytes(&file, "\nCET-1\n", FOOTER_BYTES);
    file_write("Test/Leap", &file);

    assert_true(is_known("Test/Good"));
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            if (is_known(bad[i])) {
                fail_msg("found: %s", bad[i]);
            }
        }
    }
    assert_false(rf_zone_find((struct rf_str){"Test/Good\0", 10}, &(struct rf_zone){0}));
    assert_false(rf_zone_find((struct rf_str){"Test\0Good", 9}, &(struct rf_zone){0}));
    assert_true(rf_zone_find((struct rf_str){"Test/Goodness", 9}, &(struct rf_zone){0}));
    /* A large file that is one all the same: behind the footer may be anything, within the bound. */
    file = file_sample("CET-1");
    file_write("Test/Bound", &file);
    path_of(path, "Test/Bound");
    assert_int_equal(truncate(path, RF_ZONE_FILE_BYTES_MAX), 0);
    assert_true(is_known("Test/Bound"));
}

static void test_rf_zone_find_long(void **state)
{
    char name[RF_ZONE_NAME_MAX + 2] = "Test/";
    const struct zone_file file = file_sample("CET-1");
    (void)state;
    memset(name + 5, 'x', RF_ZONE_NAME_MAX - 5 + 1);
    file_write(name, &file);
    assert_false(is_known(name));
    name[RF_ZONE_NAME_MAX] = '\0';
    file_write(name, &file);
    assert_true(is_known(name));
    enum { HUGE_BYTES = 1000000 };
    char *const huge = malloc(HUGE_BYTES);
    assert_non_null(huge);
    memset(huge, 'A', HUGE_BYTES);
    assert_false(rf_zone_find((struct rf_str){huge, HUGE_BYTES}, &(struct rf_zone){0}));
    free(huge);
}

/* A name that was not found is not looked for again, until enough other names have taken its place. */
static void test_rf_zone_find_misses(void **state)
{
    const struct zone_file file = file_sample("CET-1");
    (void)state;
    assert_false(is_known("Test/Late"));
    file_write("Test/Late", &file);
    assert_false(is_known("Test/Late"));
    for (int i = 0; i < 20000; i++) {
        char name[RF_ZONE_NAME_MAX];
        snprintf(name, sizeof name, "Test/No%d", i);
        assert_false(is_known(name));
    }
    assert_true(is_known("Test/Late"));
    /* What is known stays so, and the same, though its file is gone. */
    char path[PATH_BYTES];
    const struct rf_zone before = zone_of("Test/Late");
    path_of(path, "Test/Late");
    assert_int_equal(unlink(path), 0);
    const struct rf_zone after = zone_of("Test/Late");
    assert_non_null(after.table);
    assert_ptr_equal(after.table, before.table);
    assert_int_equal(rf_zone_offset(&after, 1500), 7200);
}

static int32_t offset_of_libc(int64_t seconds)
{
    const time_t t = (time_t)seconds;
    struct tm parts;
    assert_non_null(localtime_r(&t, &parts));
    return (int32_t)parts.tm_gmtoff;
}

static void assert_as_libc(const char *name, const struct rf_zone *zone, int64_t seconds)
{
    const int32_t offset = rf_zone_offset(zone, seconds);
    const int32_t expected = offset_of_libc(seconds);
    if (offset != expected) {
        fail_msg("%s at %lld: %d, not %d", name, (long long)seconds, offset, expected);
    }
}

/* Random instants, and each transition with the second before it. */
static void assert_zone_as_libc(const char *name, int rounds)
{
    uint64_t seed = 88172645463325252u;
    const struct rf_zone zone = zone_of(name);
    assert_int_equal(setenv("TZ", name, 1), 0);
    tzset();
    for (int round = 0; round < rounds; round++) {
        assert_as_libc(name, &zone, random_between(&seed, seconds_1900, seconds_2100));
        assert_as_libc(name, &zone, random_between(&seed, seconds_2100, seconds_2500));
    }
    for (size_t t = 0; zone.table != NULL && t < zone.table->count; t++) {
        if (zone.table->time[t] >= seconds_1900) {
            assert_as_libc(name, &zone, zone.table->time[t] - 1);
            assert_as_libc(name, &zone, zone.table->time[t]);
        }
    }
}

static void test_rf_zone_offset_as_libc(void **state)
{
    static const char *const names[] = {
        "Asia/Kathmandu",      "America/St_Johns", "Australia/Sydney",
        "Africa/Casablanca",   "Europe/Dublin",    "US/Central",
        "Europe/Berlin",       "America/New_York", "Asia/Tokyo",
        "Australia/Lord_Howe", "Pacific/Chatham",  "America/Nuuk",
        "Africa/Cairo",        "Asia/Gaza",        "Pacific/Apia",
        "Antarctica/Troll",    "Etc/GMT-14",       "America/Argentina/Ushuaia",
    };
    (void)state;
    needs_system();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_zone_as_libc(names[i], 5000);
    }
}

static int zones_seen;

static int visit(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    const char *const name = path + sizeof system_folder;
    char magic[4] = {0};
    (void)status;
    (void)place;
    if (kind != FTW_F || strncmp(name, "right/", 6) == 0 || strcmp(name, "localtime") == 0 ||
        strcmp(name, "posixrules") == 0) {
        return 0;
    }
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const bool is_zone = fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "TZif", 4) == 0;
    fclose(file);
    if (is_zone) {
        zones_seen++;
        assert_zone_as_libc(name, 50);
    } else {
        assert_false(is_known(name));
    }
    return 0;
}

static void test_rf_zone_offset_every_zone(void **state)
{
    (void)state;
    needs_system();
    assert_int_equal(nftw(system_folder, visit, 16, 0), 0);
    assert_true(zones_seen > 300);
}

static int64_t seconds_of(const char *text)
{
    struct rf_instant t = {0, 0};
    assert_true(rf_instant_parse(rf_str_of(text), &t));
    return t.seconds;
}

static void assert_offset(const char *name, const char *date, int32_t offset)
{
    const struct rf_zone zone = zone_of(name);
    const int32_t found = rf_zone_offset(&zone, seconds_of(date));
    if (found != offset) {
        fail_msg("%s at %s: %d", name, date, found);
    }
}

/* What almanacs say, without the C library. */
static void test_rf_zone_offset(void **state)
{
    (void)state;
    needs_system();
    assert_offset("Asia/Kathmandu", "2009-02-13T23:31:30Z", 20700);
    assert_offset("US/Central", "2009-02-13T23:31:30Z", -21600);
    assert_offset("Australia/Sydney", "2009-02-13T23:31:30Z", 39600);
    assert_offset("Australia/Sydney", "2009-07-13T23:31:30Z", 36000);
    assert_offset("America/St_Johns", "2009-02-13T02:00:00Z", -12600);
    assert_offset("Europe/Dublin", "2024-07-01T00:00:00Z", 3600);
    assert_offset("Europe/Dublin", "2024-01-01T00:00:00Z", 0);
    /* Local mean time. */
    assert_offset("Europe/Berlin", "1893-03-31T23:06:31Z", 3208);
    assert_offset("Europe/Berlin", "1893-03-31T23:06:32Z", 3600);
    assert_offset("Europe/Berlin", "0001-01-01T00:00:00Z", 3208);
    assert_offset("America/New_York", "1800-01-01T00:00:00Z", -17762);
    /* The far future goes on with the last rule. */
    assert_offset("Europe/Berlin", "2500-07-01T00:00:00Z", 7200);
    assert_offset("Europe/Berlin", "2500-01-01T00:00:00Z", 3600);
    assert_offset("Europe/Berlin", "2500-03-28T00:59:59Z", 3600);
    assert_offset("Europe/Berlin", "2500-03-28T01:00:00Z", 7200);
    assert_offset("Australia/Sydney", "9999-12-31T23:59:59Z", 39600);
    assert_offset("Australia/Sydney", "9999-07-01T00:00:00Z", 36000);
    assert_fixed("Etc/UTC", 0);
    assert_fixed("Etc/GMT+5", -18000);
}

enum { THREADS = 8, THREAD_NAMES = 16, THREAD_ROUNDS = 200 };

static pthread_barrier_t start;

/* Its offset in its second 1500 is its number. */
static void thread_name(char name[RF_ZONE_NAME_MAX], int number)
{
    snprintf(name, RF_ZONE_NAME_MAX, "Test/Thread_%d", number);
}

static void *thread_run(void *argument)
{
    const int first = *(const int *)argument;
    size_t *const faults = calloc(1, sizeof *faults);
    pthread_barrier_wait(&start);
    for (int round = 0; faults != NULL && round < THREAD_ROUNDS; round++) {
        const int number = (first + round) % THREAD_NAMES;
        char name[RF_ZONE_NAME_MAX];
        struct rf_zone zone;
        thread_name(name, number);
        *faults += !rf_zone_find(rf_str_of(name), &zone) || rf_zone_offset(&zone, 1500) != number;
        snprintf(name, sizeof name, "Test/Absent_%d", number);
        *faults += rf_zone_find(rf_str_of(name), &zone);
    }
    return faults;
}

static void test_rf_zone_find_threads(void **state)
{
    pthread_t threads[THREADS];
    int firsts[THREADS];
    (void)state;
    for (int number = 0; number < THREAD_NAMES; number++) {
        char name[RF_ZONE_NAME_MAX];
        const int32_t offsets[] = {-1, number};
        const struct transition t = {1000, 1};
        const struct zone_file file = file_make(&t, 1, offsets, 2, "");
        thread_name(name, number);
        file_write(name, &file);
    }
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        /* Two at a time ask for the same name first. */
        firsts[i] = i / 2;
        assert_int_equal(pthread_create(&threads[i], NULL, thread_run, &firsts[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *faults;
        assert_int_equal(pthread_join(threads[i], &faults), 0);
        assert_non_null(faults);
        assert_int_equal(*(size_t *)faults, 0);
        free(faults);
    }
    pthread_barrier_destroy(&start);
}

/* The last one, because it fills the table of names. */
static void test_rf_zone_find_names_max(void **state)
{
    const struct zone_file file = file_sample("CET-1");
    int found = 0;
    (void)state;
    assert_true(is_known("Test/Good"));
    for (int i = 0; i < RF_ZONE_NAMES_MAX; i++) {
        char name[RF_ZONE_NAME_MAX];
        snprintf(name, sizeof name, "Test/Many_%d", i);
        file_write(name, &file);
        found += is_known(name);
    }
    assert_in_range(found, 200, RF_ZONE_NAMES_MAX - 1);
    assert_true(is_known("Test/Many_0"));
    assert_true(is_known("Test/Good"));
    assert_false(is_known("Test/Many_2047"));
    assert_fixed("+05:30", 19800);
}

static int folder_make(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    char target[PATH_BYTES];
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    DIR *const zones = opendir(system_folder);
    for (struct dirent *entry; zones != NULL && (entry = readdir(zones)) != NULL;) {
        if (entry->d_name[0] != '.') {
            path_of(path, entry->d_name);
            snprintf(target, sizeof target, "%s/%s", system_folder, entry->d_name);
            if (symlink(target, path) != 0) {
                return -1;
            }
        }
    }
    if (zones != NULL) {
        closedir(zones);
    }
    path_of(path, "Test");
    return mkdir(path, 0700) != 0 || setenv("TZDIR", folder, 1) != 0 ? -1 : 0;
}

static int visit_remove(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Links are removed, not followed. */
static int folder_remove(void **state)
{
    (void)state;
    return nftw(folder, visit_remove, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_zone_find_threads),      cmocka_unit_test(test_rf_zone_find_fixed),
        cmocka_unit_test(test_rf_zone_find_hostile),      cmocka_unit_test(test_rf_zone_find_long),
        cmocka_unit_test(test_rf_zone_find_misses),       cmocka_unit_test(test_rf_zone_offset_as_libc),
        cmocka_unit_test(test_rf_zone_offset_every_zone), cmocka_unit_test(test_rf_zone_offset),
        cmocka_unit_test(test_rf_zone_find_names_max),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
