#include "digest.h"

#include <sys/types.h> /* sha2.h names off_t without it */

#include <sha2.h>
#include <xxhash.h>

_Static_assert(RF_SHA256_BYTES == SHA256_DIGEST_LENGTH, "one digest, two names");

uint64_t rf_digest_xxh64(struct rf_str bytes)
{
    /* The library asks for an address even where there is nothing to read. */
    return XXH64(bytes.count == 0 ? "" : bytes.data, bytes.count, 0);
}

uint64_t rf_digest_seeded(struct rf_str bytes, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes.count == 0 ? "" : bytes.data, bytes.count, seed);
}

void rf_digest_sha256(struct rf_str bytes, uint8_t out[RF_SHA256_BYTES])
{
    SHA2_CTX context;
    SHA256Init(&context);
    if (bytes.count != 0) {
        SHA256Update(&context, (const uint8_t *)bytes.data, bytes.count);
    }
    SHA256Final(out, &context);
}
