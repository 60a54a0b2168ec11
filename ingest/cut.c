#include "cut.h"

#include <string.h>

enum rf_bom rf_cut_bom(const uint8_t *bytes, size_t count)
{
    static const struct {
        enum rf_bom bom;
        size_t count;
        uint8_t bytes[RF_BOM_BYTES];
    } marks[] = {
        {RF_BOM_UTF8, 3, {0xef, 0xbb, 0xbf}},
        {RF_BOM_UTF16, 2, {0xff, 0xfe}},
        {RF_BOM_UTF16, 2, {0xfe, 0xff}},
    };
    for (size_t m = 0; m < sizeof marks / sizeof marks[0]; m++) {
        const size_t known = count < marks[m].count ? count : marks[m].count;
        if (memcmp(bytes, marks[m].bytes, known) == 0) {
            return known == marks[m].count ? marks[m].bom : RF_BOM_SHORT;
        }
    }
    return RF_BOM_NONE;
}

size_t rf_cut_last(const uint8_t *bytes, size_t count)
{
    const uint8_t *last = memrchr(bytes, '\n', count);
    return last == NULL ? 0 : (size_t)(last - bytes) + 1;
}

size_t rf_cut_content(const uint8_t *line, size_t count)
{
    return count >= 2 && line[count - 2] == '\r' ? count - 2 : count - 1;
}

size_t rf_cut_oversize(const uint8_t *bytes, size_t count, size_t record_bytes_max)
{
    size_t begin = 0;
    /* A window of the longest allowed line, CRLF included. Whatever record ends inside it before its last byte is short
     * enough, so only the last line end in the window matters: the records between are never looked at. */
    while (count - begin > record_bytes_max) {
        const size_t left = count - begin;
        const size_t window = left < record_bytes_max + 2 ? left : record_bytes_max + 2;
        const size_t line = rf_cut_last(bytes + begin, window);
        if (line == 0) {
            return begin;
        }
        if (line == record_bytes_max + 2 && bytes[begin + line - 2] != '\r' &&
            rf_cut_last(bytes + begin, line - 1) == 0) {
            return begin;
        }
        begin += line;
    }
    return count;
}
