/* digest.h: digests of bytes, by libxxhash and libmd.
 *
 * Data       any bytes.
 * Threads    pure functions.
 * Errors     none.
 * Source     the XXH64 of xxHash 0.8 with seed 0, and its XXH3; FIPS 180-4 for SHA-256.
 */
#ifndef RF_DIGEST_H
#define RF_DIGEST_H

#include <stdint.h>

#include "str.h"

enum { RF_SHA256_BYTES = 32 };

uint64_t rf_digest_xxh64(struct rf_str bytes);
/* XXH3 for tables in memory: with a seed that nobody knows, nobody can choose keys that meet in one place. */
uint64_t rf_digest_seeded(struct rf_str bytes, uint64_t seed);
void rf_digest_sha256(struct rf_str bytes, uint8_t out[RF_SHA256_BYTES]);

#endif
