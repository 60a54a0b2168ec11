#include "extract_levels.h"

#include "extract_group.h"

#define column_group group_decode
#define EXTRACT_JSON rf_extract_json_avx512
#include "extract_impl.h"
