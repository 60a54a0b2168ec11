/* unicode_tables.h: general categories, scripts and simple case folding of Unicode 15.0, as ascending runs.
 *
 * Data       rf_unicode_*_runs: first code point of a run << 8 | number of its name, or 255 for none; a run ends
 *            where the next begins, the last one at 0x10FFFF. rf_unicode_folds: runs of code points that have others
 *            with the same simple folding, with the way from each to the next of its circle.
 * Source     UnicodeData.txt, Scripts.txt and CaseFolding.txt of the Unicode Character Database; made by
 *            unicode_tables.py, see unicode_tables.c for the licence.
 */
#ifndef RF_UNICODE_TABLES_H
#define RF_UNICODE_TABLES_H

#include <stdint.h>

enum { RF_UNICODE_MAX = 0x10FFFF, RF_UNICODE_NO_NAME = 255, RF_UNICODE_RUN_SHIFT = 8 };

struct rf_unicode_fold {
    uint32_t first, last; /* both inclusive */
    int32_t step;         /* from a member to the next of its circle; 0: first and first + 1 are a circle of two,
                           * and so on to last */
};

extern const char *const rf_unicode_category_names[];
extern const uint32_t rf_unicode_category_name_count;
extern const uint32_t rf_unicode_category_runs[];
extern const uint32_t rf_unicode_category_run_count;

extern const char *const rf_unicode_script_names[];
extern const uint32_t rf_unicode_script_name_count;
extern const uint32_t rf_unicode_script_runs[];
extern const uint32_t rf_unicode_script_run_count;

extern const struct rf_unicode_fold rf_unicode_folds[];
extern const uint32_t rf_unicode_fold_count;

#endif
