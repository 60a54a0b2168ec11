/* fix_tables.h: the dictionaries that are built in; made by host/fix/tables/make_tables.py. */
#ifndef RF_FIX_TABLES_H
#define RF_FIX_TABLES_H

#include "fix_dict.h"

extern const struct rf_fix_dict rf_fix_table_42;
extern const struct rf_fix_dict rf_fix_table_44;
extern const struct rf_fix_dict rf_fix_table_fixt11;

#endif
