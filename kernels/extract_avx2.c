#include "extract_levels.h"

#define EXTRACT_JSON rf_extract_json_avx2
#include "extract_impl.h"
