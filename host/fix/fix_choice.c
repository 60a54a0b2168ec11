#include "fix_choice.h"

#include <string.h>
#include <unistd.h>

#include "fix_read.h"

static enum rf_status part_open(const char *name, struct rf_arena *arena, const struct rf_fix_dict **dict,
                                struct rf_error *err)
{
    const struct rf_fix_dict *builtin = rf_fix_dict_builtin(rf_str_of(name));
    if (builtin == NULL && strncmp(name, "FIX", 3) == 0 && access(name, F_OK) != 0) {
        RF_FAIL(err, RF_E_IO, "there is no FIX dictionary or file %.100s; built in are FIX.4.2, FIX.4.4 and FIXT.1.1",
                name);
    }
    if (builtin == NULL) {
        return rf_fix_dict_read_file(arena, name, *dict, dict, err);
    }
    if (*dict == NULL) {
        *dict = builtin;
        return RF_OK;
    }
    return rf_fix_dict_merge(arena, *dict, builtin, dict, err);
}

enum rf_status rf_fix_choose(struct rf_arena *arena, struct rf_str names, const struct rf_fix_dict **out,
                             struct rf_error *err)
{
    struct rf_str rest = names.count == 0 ? RF_STR(RF_FIX_CHOICE_STANDARD) : names;
    *out = NULL;
    while (rest.count > 0) {
        const char *comma = memchr(rest.data, ',', rest.count);
        const size_t count = comma == NULL ? rest.count : (size_t)(comma - rest.data);
        const struct rf_str name = rf_arena_copy(arena, (struct rf_str){rest.data, count});
        if (name.data == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for a FIX dictionary");
        }
        if (count != 0) {
            RF_TRY(part_open(name.data, arena, out, err));
        }
        rest.data += count + (comma != NULL);
        rest.count -= count + (comma != NULL);
    }
    if (*out == NULL) {
        RF_FAIL(err, RF_E_USAGE, "no FIX dictionary is named");
    }
    return RF_OK;
}
