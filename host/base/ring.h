/* ring.h: a bounded queue of pointers between threads, with blocking ends.
 *
 * Ownership  the ring owns its cells, never what they point to.
 * Threads    any number of pushers and poppers.
 * Errors     rf_ring_push gives RF_STOP, and rf_ring_pop RF_END (once empty), after rf_ring_shut.
 */
#ifndef RF_RING_H
#define RF_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

struct rf_ring {
    void **cells;
    size_t capacity, head, count;
    bool is_shut;
    pthread_mutex_t lock;
    pthread_cond_t has_item, has_room;
};

enum rf_status rf_ring_open(struct rf_ring *ring, size_t capacity, struct rf_error *err); /* 1..65536 */
void rf_ring_close(struct rf_ring *ring); /* no thread may be inside */
enum rf_status rf_ring_push(struct rf_ring *ring, void *item);           /* waits for room */
enum rf_status rf_ring_pop(struct rf_ring *ring, void **item);           /* waits for an item */
enum rf_status rf_ring_try_push(struct rf_ring *ring, void *item);       /* RF_AGAIN when full */
enum rf_status rf_ring_try_pop(struct rf_ring *ring, void **item);       /* RF_AGAIN when empty */
void rf_ring_shut(struct rf_ring *ring); /* wakes everybody */

#endif
