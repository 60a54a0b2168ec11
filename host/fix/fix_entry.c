#include "fix_entry.h"

#include "fix_sum.h"
#include "fix_usual.h"
#include "fix_walk.h"

enum { RESCAN_FREE = 4096, TRAILER_BYTES = 7, SOH = 1 };

/* What the head of a message promises. */
struct header {
    bool has_length;  /* BodyLength is the second field */
    uint32_t length;  /* as declared */
    size_t body;      /* behind the separator of field 9 */
    size_t fault;     /* where order is broken */
    bool is_in_order; /* 8, 9, 35, or 8, 35 */
};

/* Occurrences of a separator's text, overlaps not counted. */
static size_t separators_count(const uint8_t *bytes, size_t count, enum rf_fix_separator separator)
{
    const char *text = rf_fix_separator_text(separator);
    const size_t text_bytes = rf_fix_separator_bytes(separator);
    size_t found = 0;
    if (text_bytes == 1) {
        return rf_fix_text_count((const char *)bytes, count, text[0]);
    }
    for (size_t at = 0; at + text_bytes <= count;) {
        const bool is_there = memcmp(bytes + at, text, text_bytes) == 0;
        found += is_there;
        at += is_there ? text_bytes : 1;
    }
    return found;
}

static enum rf_fix_answer header_read(const struct rf_fix_window *window, const struct rf_fix_start *start,
                                      struct header *header)
{
    size_t end = 0;
    *header = (struct header){.body = start->second, .fault = start->second};
    enum rf_fix_answer answer = rf_fix_match(window, start->second, "9=", 2);
    if (answer == RF_FIX_YES) {
        answer = rf_fix_digits(window, start->second + 2, &header->length, &end);
    }
    if (answer == RF_FIX_YES) {
        const size_t bytes = rf_fix_separator_bytes(start->separator);
        answer = rf_fix_match(window, end, rf_fix_separator_text(start->separator), bytes);
        header->body = end + bytes;
    }
    if (answer == RF_FIX_YES) {
        header->has_length = true;
        header->fault = header->body;
        answer = rf_fix_match(window, header->body, "35=", 3);
    } else if (answer == RF_FIX_NO) { /* a log may lack field 9 */
        answer = rf_fix_match(window, start->second, "35=", 3);
    }
    header->is_in_order = answer == RF_FIX_YES;
    return answer;
}

/* Does BodyLength lead to `SEP 10=ddd SEP`? Only where a separator is one byte. *sum is what the trailer says. */
static enum rf_fix_answer hint_follow(const struct rf_fix_window *window, const struct rf_fix_start *start,
                                      const struct header *header, int *sum, size_t *needed)
{
    if (!header->has_length || rf_fix_separator_bytes(start->separator) != 1 || header->length == 0) {
        return RF_FIX_NO;
    }
    const uint8_t separator = (uint8_t)*rf_fix_separator_text(start->separator);
    const size_t trailer = header->body + header->length;
    if (trailer + TRAILER_BYTES > window->end) {
        *needed = window->is_open && trailer + TRAILER_BYTES > *needed ? trailer + TRAILER_BYTES : *needed;
        return rf_fix_edge(window);
    }
    const uint8_t *at = window->bytes + trailer;
    if (at[-1] != separator || memcmp(at, "10=", 3) != 0 || !rf_fix_is_digit(at[3]) || !rf_fix_is_digit(at[4]) ||
        !rf_fix_is_digit(at[5]) || at[6] != separator) {
        return RF_FIX_NO;
    }
    *sum = (at[3] - '0') * 100 + (at[4] - '0') * 10 + (at[5] - '0');
    return RF_FIX_YES;
}

/* The sum of [message, trailer), every occurrence of the separator counted as SOH. */
static uint8_t sum_as_soh(const uint8_t *bytes, size_t message, size_t trailer, enum rf_fix_separator separator,
                          size_t *found)
{
    const char *text = rf_fix_separator_text(separator);
    const uint32_t text_sum = rf_fix_text_sum(text, rf_fix_separator_bytes(separator));
    const uint32_t sum = rf_fix_text_sum((const char *)bytes + message, trailer - message);
    *found = separator == RF_FIX_SOH ? 0 : separators_count(bytes + message, trailer - message, separator);
    return (uint8_t)(sum - *found * (size_t)(text_sum - SOH));
}

/* Judges what a walk found. */
static void walk_judge(const struct rf_fix_window *window, const struct rf_fix_start *start,
                       const struct header *header, const struct rf_fix_walk *walk, struct rf_fix_entry *entry)
{
    const uint8_t *bytes = window->bytes;
    const size_t text_bytes = rf_fix_separator_bytes(start->separator);
    entry->message_end = walk->end;
    entry->flags = RF_FIX_WRONG_LENGTH | RF_FIX_WRONG_SUM;
    entry->flags |= walk->is_bare ? RF_FIX_BARE_END : 0;
    if (walk->stop != RF_FIX_STOP_TRAILER) {
        const bool is_cut = walk->stop == RF_FIX_STOP_LINE && header->is_in_order;
        entry->reason = is_cut ? RF_REASON_FIX_CUT : RF_REASON_FIX_TRAILER;
        entry->reason_at = walk->at;
        return;
    }
    size_t found;
    const uint8_t sum = sum_as_soh(bytes, start->message, walk->at, start->separator, &found);
    /* Or the separators between fields alone were SOH: a `|` in raw data may be the sender's own. */
    const uint8_t sum_of_fields =
        text_bytes == 1
            ? (uint8_t)(sum + (found - walk->separators) * (size_t)(*rf_fix_separator_text(start->separator) - SOH))
            : sum;
    if (header->has_length && walk->at > header->body) {
        const size_t wide =
            text_bytes == 1 ? 0 : separators_count(bytes + header->body, walk->at - header->body, start->separator);
        if (walk->at - header->body - wide * (text_bytes - 1) == header->length) {
            entry->flags &= (uint8_t)~RF_FIX_WRONG_LENGTH;
        }
    }
    if (walk->sum == sum || walk->sum == sum_of_fields) {
        entry->flags &= (uint8_t)~RF_FIX_WRONG_SUM;
    }
    if (walk->sum < 0) {
        entry->reason = RF_REASON_FIX_TRAILER;
        entry->reason_at = walk->at;
    } else if ((entry->flags & RF_FIX_WRONG_LENGTH) != 0) {
        entry->reason = RF_REASON_FIX_LENGTH;
        entry->reason_at = start->second;
    } else if ((entry->flags & RF_FIX_WRONG_SUM) != 0) {
        entry->reason = RF_REASON_FIX_SUM;
        entry->reason_at = walk->at;
    }
}

/* A walk that jumped over data may have been led into a neighbour. Only what agrees with BodyLength, or is near and has the
 * right sum, is believed; a far one would cost more than the entry is long. */
static bool walk_is_believed(const struct rf_fix_window *window, const struct rf_fix_start *start,
                             const struct header *header, const struct rf_fix_walk *walk, struct rf_fix_entry *entry)
{
    if (!walk->has_jumped) {
        return true;
    }
    const bool is_hinted = header->has_length && rf_fix_separator_bytes(start->separator) == 1 &&
                           walk->at == header->body + header->length;
    if (walk->stop != RF_FIX_STOP_TRAILER || (!is_hinted && walk->end - start->message > RF_FIX_HINT_MAX)) {
        return false;
    }
    entry->reason = RF_REASON_NONE;
    walk_judge(window, start, header, walk, entry);
    const uint8_t wrong = RF_FIX_WRONG_LENGTH | RF_FIX_WRONG_SUM;
    return (entry->flags & wrong) != wrong;
}

/* Field by field to the end of a message. trailer: where BodyLength leads to one; 0: it does not. */
static enum rf_fix_answer message_walk(const struct rf_fix_window *window, const struct rf_fix_start *start,
                                       const struct header *header, size_t trailer, struct rf_fix_entry *entry,
                                       struct rf_fix_walk *walk, size_t *needed)
{
    if (trailer != 0) {
        /* Nothing behind it can matter, so that this never has to wait. */
        const struct rf_fix_window whole = {
            .bytes = window->bytes, .begin = window->begin, .end = trailer + TRAILER_BYTES};
        (void)rf_fix_walk(&whole, start, true, trailer, walk, needed);
        if (walk->stop == RF_FIX_STOP_TRAILER && walk->at == trailer) {
            return RF_FIX_YES;
        }
    }
    if (rf_fix_walk(window, start, true, 0, walk, needed) == RF_FIX_OPEN) {
        return RF_FIX_OPEN;
    }
    return walk_is_believed(window, start, header, walk, entry) ? RF_FIX_YES
                                                                : rf_fix_walk(window, start, false, 0, walk, needed);
}

/* Finds the end of a message and judges it. wrong: as rf_fix_usual says. */
static enum rf_fix_answer message_read(const struct rf_fix_window *window, const struct rf_fix_start *start,
                                       size_t wrong, struct rf_fix_entry *entry, size_t *needed)
{
    struct header header;
    struct rf_fix_walk walk;
    int sum = -1;
    size_t found;
    *entry = (struct rf_fix_entry){
        .kind = RF_FIX_MESSAGE, .separator = start->separator, .reason = RF_REASON_NONE, .message = start->message};
    if (header_read(window, start, &header) == RF_FIX_OPEN) {
        return RF_FIX_OPEN;
    }
    enum rf_fix_answer answer = hint_follow(window, start, &header, &sum, needed);
    if (answer == RF_FIX_OPEN) {
        return answer;
    }
    const size_t trailer = header.body + header.length;
    if (answer == RF_FIX_YES && trailer - start->message <= RF_FIX_HINT_MAX && start->message != wrong &&
        sum_as_soh(window->bytes, start->message, trailer, start->separator, &found) == sum) {
        entry->message_end = trailer + TRAILER_BYTES;
    } else {
        if (message_walk(window, start, &header, answer == RF_FIX_YES ? trailer : 0, entry, &walk, needed) ==
            RF_FIX_OPEN) {
            return RF_FIX_OPEN;
        }
        header.is_in_order = header.is_in_order && (header.has_length || !walk.has_length);
        entry->reason = RF_REASON_NONE;
        walk_judge(window, start, &header, &walk, entry);
        if (walk.stop == RF_FIX_STOP_EDGE) {
            return RF_FIX_NO;
        }
    }
    if (!header.is_in_order && entry->reason != RF_REASON_FIX_TRAILER) {
        entry->reason = RF_REASON_FIX_HEADER;
        entry->reason_at = header.fault;
    }
    return RF_FIX_YES;
}

/* What the bytes from `at` hold first: a line end or a message. *debris: behind the last SOH before it. */
enum first { FIRST_LINE, FIRST_START, FIRST_EDGE, FIRST_OPEN };

static enum first first_find(const struct rf_fix_window *window, size_t at, size_t *found, struct rf_fix_start *start,
                             size_t *debris)
{
    *debris = at;
    for (; at < window->end; at++) {
        at = rf_fix_dull_skip(window, at);
        if (at == window->end) {
            break;
        }
        const uint8_t byte = window->bytes[at];
        *found = at;
        if (byte == '\n') {
            return FIRST_LINE;
        }
        if (byte == SOH) {
            *debris = at + 1;
        }
        if (byte == '8') {
            const enum rf_fix_answer answer = rf_fix_start_at(window, at, false, start);
            if (answer != RF_FIX_NO) {
                return answer == RF_FIX_YES ? FIRST_START : FIRST_OPEN;
            }
        }
    }
    *found = window->end;
    return window->is_open ? FIRST_OPEN : FIRST_EDGE;
}

static bool line_is_blank(const uint8_t *bytes, size_t begin, size_t end)
{
    for (size_t at = begin; at < end; at++) {
        if (bytes[at] != ' ' && bytes[at] != '\t' && bytes[at] != '\r') {
            return false;
        }
    }
    return true;
}

/* The entry ends behind the line end at `line`. */
static void entry_end_line(const uint8_t *bytes, size_t begin, size_t line, struct rf_fix_entry *entry)
{
    entry->next = line + 1;
    entry->end = line - (line > begin && bytes[line - 1] == '\r');
    /* A message that broke off in the line may have taken the CR. */
    entry->message_end = entry->message_end < entry->end ? entry->message_end : entry->end;
}

static void debris_make(const uint8_t *bytes, size_t begin, size_t end, struct rf_fix_entry *entry)
{
    const bool is_blank = line_is_blank(bytes, begin, end);
    *entry = (struct rf_fix_entry){.kind = is_blank ? RF_FIX_BLANK : RF_FIX_DEBRIS,
                                   .reason = is_blank ? RF_REASON_NONE : RF_REASON_FIX_NONE,
                                   .reason_at = begin,
                                   .message = begin,
                                   .message_end = begin,
                                   .next = end,
                                   .end = end};
}

static struct rf_fix_window window_make(const uint8_t *bytes, size_t begin, size_t count, size_t limit,
                                        enum rf_fix_run run, bool *is_limited)
{
    *is_limited = count - begin > limit;
    return (struct rf_fix_window){.bytes = bytes,
                                  .begin = begin,
                                  .end = *is_limited ? begin + limit : count,
                                  .is_open = !*is_limited && run != RF_FIX_LAST,
                                  .is_near = *is_limited};
}

enum rf_fix_step rf_fix_entry_tail(const uint8_t *bytes, size_t begin, size_t count, size_t limit, enum rf_fix_run run,
                                   struct rf_fix_entry *entry)
{
    bool is_limited;
    struct rf_fix_window window = window_make(bytes, begin, count, limit, run, &is_limited);
    struct rf_fix_start start;
    size_t found;
    size_t debris;
    window.begin = entry->message_end; /* what begins there begins an entry */
    entry->end = entry->next = entry->message_end;
    if (run == RF_FIX_PAUSE && entry->message_end == count) {
        return RF_FIX_ENTRY;
    }
    switch (first_find(&window, entry->message_end, &found, &start, &debris)) {
    case FIRST_LINE:
        entry_end_line(bytes, begin, found, entry);
        break;
    case FIRST_EDGE:
        /* Behind a SOH this may be the debris before a message of the next batch. */
        if (!is_limited && debris == entry->message_end) {
            entry->end = entry->next = window.end;
        }
        break;
    case FIRST_OPEN:
        return RF_FIX_NEED_MORE;
    case FIRST_START:
        break;
    }
    return RF_FIX_ENTRY;
}

static enum rf_fix_step step_more(const struct rf_fix_window *window, size_t limit, size_t asked, size_t *needed)
{
    const size_t have = window->end - window->begin;
    *needed = window->end + 1;
    if (asked > window->end) {
        *needed = asked;
    } else if (have > RESCAN_FREE) {
        *needed = window->end + have; /* else each read would look through all of it again */
    }
    if (*needed - window->begin > limit) {
        *needed = window->begin + limit + 1;
    }
    return RF_FIX_NEED_MORE;
}

enum rf_fix_step rf_fix_entry_next(const uint8_t *bytes, size_t begin, size_t count, size_t limit, enum rf_fix_run run,
                                   struct rf_fix_entry *entry, size_t *needed)
{
    bool is_limited;
    const struct rf_fix_window window = window_make(bytes, begin, count, limit, run, &is_limited);
    struct rf_fix_start start;
    size_t found;
    size_t debris;
    size_t asked = 0;
    size_t wrong;
    if (bytes[begin] == '\n') { /* a flood of them would take 40 ns each */
        debris_make(bytes, begin, begin, entry);
        entry_end_line(bytes, begin, begin, entry);
        return RF_FIX_ENTRY;
    }
    if (rf_fix_usual(&window, entry, &wrong)) {
        return RF_FIX_ENTRY;
    }
    switch (first_find(&window, begin, &found, &start, &debris)) {
    case FIRST_LINE:
        debris_make(bytes, begin, found, entry);
        entry_end_line(bytes, begin, found, entry);
        return RF_FIX_ENTRY;
    case FIRST_EDGE:
        debris_make(bytes, begin, window.end, entry);
        entry->reason = is_limited ? RF_REASON_LONG : entry->reason;
        return is_limited ? RF_FIX_OVERSIZE : RF_FIX_ENTRY;
    case FIRST_OPEN:
        return step_more(&window, limit, asked, needed);
    case FIRST_START:
        break;
    }
    if (debris > begin) {
        debris_make(bytes, begin, debris, entry);
        return RF_FIX_ENTRY;
    }
    const enum rf_fix_answer answer = message_read(&window, &start, wrong, entry, &asked);
    if (answer == RF_FIX_OPEN) {
        return step_more(&window, limit, asked, needed);
    }
    if (answer == RF_FIX_NO && is_limited) {
        debris_make(bytes, begin, window.end, entry);
        entry->reason = RF_REASON_LONG;
        return RF_FIX_OVERSIZE;
    }
    if (rf_fix_entry_tail(bytes, begin, count, limit, run, entry) == RF_FIX_NEED_MORE) {
        return step_more(&window, limit, asked, needed);
    }
    return RF_FIX_ENTRY;
}

bool rf_fix_resync(const uint8_t *bytes, size_t from, size_t count, enum rf_fix_run run, size_t *at)
{
    const struct rf_fix_window window = {.bytes = bytes, .begin = 0, .end = count, .is_open = run != RF_FIX_LAST};
    for (*at = from; *at < count; ++*at) {
        struct rf_fix_start start;
        if (bytes[*at - 1] == '\n') {
            return true;
        }
        if (bytes[*at] == '8') {
            const enum rf_fix_answer answer = rf_fix_start_at(&window, *at, false, &start);
            if (answer != RF_FIX_NO) {
                return answer == RF_FIX_YES;
            }
        }
    }
    return run == RF_FIX_LAST;
}
