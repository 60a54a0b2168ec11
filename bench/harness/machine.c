#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "isa.h"

enum { LINE_BYTES = 8192 };

/* The value of the first "name : value" line of a /proc file. */
static void print_proc_value(const char *path, const char *name, const char *title)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, name, strlen(name)) == 0) {
            colon += 1 + strspn(colon + 1, " \t");
            printf("  %-10s %s", title, colon);
            break;
        }
    }
    fclose(file);
}

static void print_flags(void)
{
    static const char *const wanted[] = {"avx2",         "bmi2",          "pclmulqdq", "avx512f",
                                         "avx512bw",     "avx512dq",      "avx512vl",  "avx512vbmi",
                                         "avx512_vbmi2", "avx512_bitalg", "gfni",      "hypervisor"};
    char line[LINE_BYTES];
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "flags", 5) != 0) {
            continue;
        }
        line[strcspn(line, "\n")] = ' ';
        printf("  %-10s", "flags");
        for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
            char padded[32];
            snprintf(padded, sizeof(padded), " %s ", wanted[i]);
            if (strstr(line, padded) != NULL) {
                printf(" %s", wanted[i]);
            }
        }
        printf("\n");
        break;
    }
    fclose(file);
}

static void print_first_line(const char *path, const char *title)
{
    char line[256];
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fgets(line, sizeof(line), file) != NULL) {
            printf("  %-10s %s", title, line);
        }
        fclose(file);
    }
}

void machine_print(void)
{
    struct utsname name;
    printf("machine\n");
    print_proc_value("/proc/cpuinfo", "model name", "cpu");
    printf("  %-10s %ld online\n", "cores", sysconf(_SC_NPROCESSORS_ONLN));
    print_flags();
    printf("  %-10s L1d %ld KiB, L2 %ld KiB, L3 %ld KiB\n", "caches", sysconf(_SC_LEVEL1_DCACHE_SIZE) / 1024,
           sysconf(_SC_LEVEL2_CACHE_SIZE) / 1024, sysconf(_SC_LEVEL3_CACHE_SIZE) / 1024);
    print_proc_value("/proc/meminfo", "MemTotal", "memory");
    if (uname(&name) == 0) {
        printf("  %-10s %s %s %s\n", "kernel", name.sysname, name.release, name.machine);
    }
    print_first_line("/sys/kernel/mm/transparent_hugepage/enabled", "hugepages");
    print_first_line("/proc/loadavg", "load");
#if defined(__clang__)
    printf("  %-10s clang %s\n", "riffle by", __clang_version__);
#else
    printf("  %-10s gcc %s\n", "riffle by", __VERSION__);
#endif
    printf("  %-10s %s at best\n", "level", rf_isa_name(rf_isa_best()));
}
