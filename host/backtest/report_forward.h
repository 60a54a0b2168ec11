/* report_forward.h: the section of a report about a value that was followed: a box for each of the rules with the most hits.
 *
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_REPORT_FORWARD_H
#define RF_REPORT_FORWARD_H

#include "report_page.h"

/* Nothing when none was followed. */
enum rf_status rf_report_forward(struct rf_page *page);

#endif
