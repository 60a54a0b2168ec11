/* fix_read.h: dictionaries from XML files, and one dictionary laid over another.
 *
 * Purpose    `--fix-dict FILE`: the dialect of QuickFIX and its relatives (root element "fix") and that of Orchestra
 *            (root element "repository", any prefix) are told apart by themselves.
 * Data       XML in the encodings that expat knows; bounds below. In Orchestra what is about workflow, actors and
 *            documentation is passed over. Whether a field is required is not kept.
 * Ownership  the dictionary lives in the arena; neither text nor base is kept, and scratch memory is given back.
 * Threads    one thread for each arena.
 * Errors     RF_E_CONFIG with "name:line:column: " before the text, RF_E_LIMIT, RF_E_IO. Broken XML, unknown types,
 *            references to what nobody defines, two fields of one name, circles. Document types may be named but
 *            nothing is read of them: declarations of entities and attributes are errors, external entities are never opened.
 * Source     QuickFIX, "Customizing QuickFIX" and the dictionaries in use; FIX Orchestra Technical Standard 1.0.
 */
#ifndef RF_FIX_READ_H
#define RF_FIX_READ_H

#include "arena.h"
#include "fix_dict.h"
#include "status.h"

enum {
    RF_FIX_XML_BYTES_MAX = 64 << 20,
    RF_FIX_XML_DEPTH_MAX = 64,
    RF_FIX_DICT_BYTES_MAX = 512 << 20 /* scratch memory at most; FIX 4.4 takes 1 MiB */
};

/* `name` is said in errors. With a base the text is an overlay: it may refer to what the base defines, and the result
 * is the base with the overlay on it; without one (NULL) the text must stand alone. */
enum rf_status rf_fix_dict_read(struct rf_arena *arena, struct rf_str text, struct rf_str name,
                                const struct rf_fix_dict *base, const struct rf_fix_dict **out, struct rf_error *err);
enum rf_status rf_fix_dict_read_file(struct rf_arena *arena, const char *path, const struct rf_fix_dict *base,
                                     const struct rf_fix_dict **out, struct rf_error *err);

/* Both together, as a new dictionary. Where both define something the overlay wins: name and type of a tag, the name of
 * a constant's value, the name of a message. What lists fields (messages, groups, components, header, trailer) has
 * those of both; a group of the overlay that lists the first field of the base's group brings its own order, and so
 * possibly another first field. A group that the overlay extends within one message is extended in that message only;
 * one that it defines by name, for all. */
enum rf_status rf_fix_dict_merge(struct rf_arena *arena, const struct rf_fix_dict *base,
                                 const struct rf_fix_dict *overlay, const struct rf_fix_dict **out,
                                 struct rf_error *err);

#endif
