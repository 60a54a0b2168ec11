/* trie_fixture.h: programs with nothing but slots and a trie, made from path texts such as "a.b" and "list[2].x". A '!'
 * in front makes the path deep; the empty key is written as "~". */
#ifndef RF_TRIE_FIXTURE_H
#define RF_TRIE_FIXTURE_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "column.h"
#include "program.h"

enum { FIXTURE_NODES_MAX = 64 };

struct trie_fixture {
    struct rf_program program;
    struct rf_slot slot[FIXTURE_NODES_MAX];
    struct rf_trie_node node[FIXTURE_NODES_MAX];
};

static inline bool fixture_step_equal(const struct rf_step *a, const struct rf_step *b)
{
    return a->is_index == b->is_index && (a->is_index ? a->index == b->index : rf_str_equal(a->key, b->key));
}

static inline uint32_t fixture_child(struct trie_fixture *fixture, uint32_t parent, struct rf_step step)
{
    struct rf_trie_node *node = fixture->node;
    uint32_t *link = &node[parent].first_child;
    while (*link != RF_NONE) {
        if (fixture_step_equal(&node[*link].step, &step)) {
            return *link;
        }
        link = &node[*link].next_sibling;
    }
    const uint32_t made = fixture->program.nodes++;
    const uint32_t slot = fixture->program.slots++;
    assert(made < FIXTURE_NODES_MAX && slot < FIXTURE_NODES_MAX);
    *link = made;
    node[made] = (struct rf_trie_node){.step = step,
                                       .parent = parent,
                                       .first_child = RF_NONE,
                                       .next_sibling = RF_NONE,
                                       .depth = node[parent].depth + 1,
                                       .slot = slot};
    fixture->slot[slot] = (struct rf_slot){.root = RF_ROOT_MSG, .node = made, .is_hidden = true};
    if (node[made].depth > fixture->program.depth_max) {
        fixture->program.depth_max = node[made].depth;
    }
    return made;
}

static inline void fixture_open(struct trie_fixture *fixture, bool has_message_slot)
{
    memset(fixture, 0, sizeof(*fixture));
    fixture->program.slot = fixture->slot;
    fixture->program.node = fixture->node;
    fixture->program.nodes = 1;
    fixture->program.needs_message = true;
    fixture->node[0] =
        (struct rf_trie_node){.parent = RF_NONE, .first_child = RF_NONE, .next_sibling = RF_NONE, .slot = RF_NONE};
    if (has_message_slot) {
        fixture->node[0].slot = fixture->program.slots++;
        fixture->slot[0] = (struct rf_slot){.root = RF_ROOT_MSG, .node = 0};
    }
}

/* Adds a path; the text must outlive the fixture. Gives its slot. */
static inline uint32_t fixture_path(struct trie_fixture *fixture, const char *path)
{
    const bool is_deep = *path == '!';
    uint32_t at = 0;
    path += is_deep;
    while (*path != '\0') {
        struct rf_step step = {0};
        if (*path == '[') {
            char *end = NULL;
            step.is_index = true;
            step.index = (uint32_t)strtoul(path + 1, &end, 10);
            path = end + 1;
        } else {
            path += *path == '.';
            step.key.data = path;
            step.key.count = strcspn(path, ".[");
            path += step.key.count;
            step.key.count = rf_str_equal(step.key, RF_STR("~")) ? 0 : step.key.count;
        }
        at = fixture_child(fixture, at, step);
    }
    fixture->slot[fixture->node[at].slot].is_hidden = false;
    fixture->slot[fixture->node[at].slot].is_deep |= is_deep;
    return fixture->node[at].slot;
}

static inline void fixture_make(struct trie_fixture *fixture, const char *const *path, size_t paths)
{
    fixture_open(fixture, false);
    for (size_t p = 0; p < paths; p++) {
        (void)fixture_path(fixture, path[p]);
    }
}

#endif
