/* report.h: an outcome as one page of HTML that needs nothing else: no network, no scripts.
 *
 * Purpose    Pictures for people, each with the table that it was made from: hits over time, rules with the most hits, a map of
 *            hits for each sweep of two parameters, what a value did after hits, precision and recall, pairs of rules that hit the
 *            same records.
 * Data       Inline SVG with axes; what a mark stands for is its title, which browsers show as a tooltip. Colours are CSS
 *            variables, so that the page follows the light or dark setting of the browser.
 * Bounds     RF_REPORT_RULES_MAX rules in a picture, RF_REPORT_CELLS_MAX cells in a map: larger sweeps are named, not drawn.
 * Threads    one thread.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_REPORT_H
#define RF_REPORT_H

#include "outcome.h"

enum { RF_REPORT_RULES_MAX = 20, RF_REPORT_PAIRS_MAX = 20, RF_REPORT_CELLS_MAX = 40000, RF_REPORT_SWEEPS_MAX = 50 };

/* title: of the page, usually the name of the rules file. */
enum rf_status rf_report_write(const struct rf_outcome *outcome, struct rf_str title, struct rf_text *out,
                               struct rf_error *err);

#endif
