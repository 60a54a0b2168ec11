/* fix_entry.h: the one rule by which a stream of FIX is cut into entries.
 *
 * Purpose    A pure function from bytes to the next entry: what reads streams asks it where batches may be cut, what frames
 *            batches asks it for what its fast path does not know. Both agree because both ask here.
 * Data       An entry is a run of bytes, and the entries of an input follow each other without a gap:
 *              prefix | message | rest of the line, line end     in a log
 *              message                                           in a stream without line ends
 *            With several messages on a line, what stands before a message belongs to it, what stands behind the last one
 *            and the line end belong to that one. A prefix holds neither a line end nor SOH: up to its last SOH it is an entry
 *            of its own, debris; so is what follows a message at the end of the input when it has a SOH and no line end. A line without a message is an entry: blank, or malformed.
 *            A message is `8=FIX` to behind the separator of its field 10 (or to a line end there: RF_FIX_BARE_END).
 *            Where BodyLength leads to a right trailer and CheckSum is right, that is its end. Else, and when that is far, the
 *            message is walked through field by field (fix_walk.h) and ends behind the first field 10, before a line end, or
 *            before the beginning of another message. Line ends are passed over when BodyLength leads to a trailer at which such
 *            a walk arrives: then no other message begins before it, and what was looked at in vain is looked at once more only.
 *            A message of a log that its line end cuts off is RF_REASON_FIX_CUT; its last field may lack its separator.
 *            CheckSum is that of the message with SOH as separator; inside raw data a `|` counts as it is, or as SOH when
 *            that makes the sum right; a `^A` or `\x01` of a log that is separated so counts as SOH everywhere, also for
 *            BodyLength.
 *            An entry longer than `limit` bytes is no entry but RF_FIX_OVERSIZE: rf_fix_resync finds what follows. Text
 *            behind a message that exceeds the limit alone is left to the next entry.
 * Threads    pure functions.
 * Cost       linear: for each entry at most RF_FIX_HINT_MAX bytes are looked at that do not belong to it, or that the next
 *            one looks at again.
 * Source     FIX session layer: standard header and trailer, BodyLength(9), CheckSum(10), (c) FIX Protocol Ltd.
 */
#ifndef RF_FIX_ENTRY_H
#define RF_FIX_ENTRY_H

#include "fix_start.h"
#include "reason.h"

enum rf_fix_flag {
#define RF_FIX_FLAG(name, bit, meaning) name = bit,
#include "fix_flag.def"
#undef RF_FIX_FLAG
};

/* What is known about the bytes behind a run. */
enum rf_fix_run {
    RF_FIX_MORE,  /* there may be more, and nothing is decided that they could change */
    RF_FIX_PAUSE, /* there may be more, but not soon: a whole message at the end of the run is an entry */
    RF_FIX_LAST   /* there are none, or they do not belong to these entries */
};

enum rf_fix_step { RF_FIX_ENTRY, RF_FIX_NEED_MORE, RF_FIX_OVERSIZE };

enum rf_fix_kind { RF_FIX_MESSAGE, RF_FIX_BLANK, RF_FIX_DEBRIS };

struct rf_fix_entry {
    enum rf_fix_kind kind;
    enum rf_fix_separator separator; /* of a message, as the next five */
    uint8_t flags;                   /* the first three of enum rf_fix_flag */
    enum rf_reason reason;           /* RF_REASON_NONE: a message without fault */
    size_t reason_at;
    size_t message, message_end;
    size_t next; /* one past the entry */
    size_t end;  /* the same without its line end, LF or CRLF */
};

/* The entry at bytes[begin], begin < count. RF_FIX_NEED_MORE: not before *needed bytes are there need it be asked again,
 * unless `run` changes. */
enum rf_fix_step rf_fix_entry_next(const uint8_t *bytes, size_t begin, size_t count, size_t limit, enum rf_fix_run run,
                                   struct rf_fix_entry *entry, size_t *needed);

/* Fills end and next of an entry whose message ends at message_end: what of the line belongs to it. */
enum rf_fix_step rf_fix_entry_tail(const uint8_t *bytes, size_t begin, size_t count, size_t limit, enum rf_fix_run run,
                                   struct rf_fix_entry *entry);

/* From where the end of an oversize entry is looked for: but for its last bytes, where a message could begin that the limit cuts
 * through, all of it was looked at and has none. From its second byte on, each message that a broken one holds would be an
 * oversize entry again, and each of them would be walked through as far as the limit. */
static inline size_t rf_fix_resync_from(size_t begin, size_t limit)
{
    return begin + (limit > RF_FIX_START_MAX ? limit - RF_FIX_START_MAX : 1);
}

/* Behind an oversize entry: the first place at or behind `from` (> 0) that a line end precedes or where a message begins.
 * False: none yet; then *at is where to go on, and bytes[*at - 1] must still be there. */
bool rf_fix_resync(const uint8_t *bytes, size_t from, size_t count, enum rf_fix_run run, size_t *at);

/* What a lenient reader forgives: a wrong BodyLength or CheckSum, and those that are not there; such a message reads like any
 * other. */
static inline bool rf_fix_reason_is_lenient(enum rf_reason reason)
{
    return reason == RF_REASON_FIX_LENGTH || reason == RF_REASON_FIX_SUM || reason == RF_REASON_FIX_CUT;
}

#endif
