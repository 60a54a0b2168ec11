/* config_fixture.h: a YAML text read for a test, with its problems as one text. */
#ifndef RF_CONFIG_FIXTURE_H
#define RF_CONFIG_FIXTURE_H

#include <stdlib.h>

#include "problems_fixture.h"
#include "yaml.h"

enum { FIXTURE_ARENA_BYTES = 512 * 1024 * 1024 };

struct fixture_yaml {
    struct rf_arena arena;
    struct rf_problems problems;
    const struct rf_yaml_node *root;
    enum rf_status status;
    struct rf_error err;
};

static inline struct fixture_yaml *fixture_read(struct rf_str source, const struct rf_yaml_limits *limits)
{
    struct fixture_yaml *yaml = calloc(1, sizeof *yaml);
    assert_non_null(yaml);
    rf_arena_init(&yaml->arena, FIXTURE_ARENA_BYTES);
    rf_problems_open(&yaml->problems, RF_STR("file.yaml"), source);
    yaml->status = rf_yaml_read(&yaml->problems, limits, &yaml->arena, &yaml->root, &yaml->err);
    return yaml;
}

static inline void fixture_close(struct fixture_yaml *yaml)
{
    rf_arena_free(&yaml->arena);
    free(yaml);
}

#endif
