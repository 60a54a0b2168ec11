/* report_label.h: the section of a report about a label: a point for each rule, precision over recall.
 *
 * Bounds     RF_REPORT_POINTS_MAX points, those of the rules with the most hits.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_REPORT_LABEL_H
#define RF_REPORT_LABEL_H

#include "report_page.h"

enum { RF_REPORT_POINTS_MAX = 2000 };

/* Nothing without a label. */
enum rf_status rf_report_label(struct rf_page *page);

#endif
