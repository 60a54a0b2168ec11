/* trie.h: small programs made by hand for the kernel tests: paths such as "a.b.#2" (# = array index). */
#ifndef RF_TEST_TRIE_H
#define RF_TEST_TRIE_H

#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { TRIE_NODES_MAX = 64 };

struct trie {
    struct rf_program program;
    struct rf_trie_node node[TRIE_NODES_MAX];
    struct rf_slot slot[TRIE_NODES_MAX];
    char text[TRIE_NODES_MAX][32];
};

static inline uint32_t trie_child(struct trie *trie, uint32_t parent, const char *step)
{
    struct rf_program *program = &trie->program;
    uint32_t last = RF_NONE;
    for (uint32_t n = trie->node[parent].first_child; n != RF_NONE; n = trie->node[n].next_sibling) {
        if (strcmp(trie->text[n], step) == 0) {
            return n;
        }
        last = n;
    }
    const uint32_t n = program->nodes++;
    const size_t count = strlen(step);
    memcpy(trie->text[n], step, count + 1);
    trie->node[n] = (struct rf_trie_node){
        .parent = parent,
        .first_child = RF_NONE,
        .next_sibling = RF_NONE,
        .depth = trie->node[parent].depth + 1,
        .slot = program->slots,
        .step = {.is_index = step[0] == '#',
                 .index = step[0] == '#' ? (uint32_t)atoi(step + 1) : 0,
                 .key = {trie->text[n], count}},
    };
    trie->slot[program->slots++] = (struct rf_slot){.root = RF_ROOT_MSG, .node = n, .is_hidden = true};
    if (last == RF_NONE) {
        trie->node[parent].first_child = n;
    } else {
        trie->node[last].next_sibling = n;
    }
    if (trie->node[n].depth > program->depth_max) {
        program->depth_max = trie->node[n].depth;
    }
    return n;
}

/* A path with a '!' in front is deep. The empty key is written as "~". */
static inline void trie_make(struct trie *trie, const char *const *path, size_t paths)
{
    memset(trie, 0, sizeof(*trie));
    trie->program.node = trie->node;
    trie->program.slot = trie->slot;
    trie->program.needs_message = true;
    trie->program.nodes = 1;
    trie->node[0] = (struct rf_trie_node){.parent = RF_NONE, .first_child = RF_NONE, .next_sibling = RF_NONE,
                                          .slot = RF_NONE};
    for (size_t p = 0; p < paths; p++) {
        char copy[128];
        const bool is_deep = path[p][0] == '!';
        strcpy(copy, path[p] + is_deep);
        uint32_t node = 0;
        for (char *step = strtok(copy, "."); step != NULL; step = strtok(NULL, ".")) {
            node = trie_child(trie, node, step);
            if (strcmp(step, "~") == 0) {
                trie->node[node].step.key.count = 0;
            }
        }
        trie->slot[trie->node[node].slot].is_hidden = false;
        trie->slot[trie->node[node].slot].is_deep = is_deep;
    }
}

#endif
