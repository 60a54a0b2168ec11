#include "extract_levels.h"

#include "extract_group.h"
#include "extract_match.h"

#define column_group group_rows
#define keys_group keys_match
#define EXTRACT_JSON rf_extract_json_avx512
#include "extract_impl.h"
