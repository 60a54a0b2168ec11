#include "ring.h"

#include <stdlib.h>

enum { RING_CAPACITY_MAX = 65536 };

enum rf_status rf_ring_open(struct rf_ring *ring, size_t capacity, struct rf_error *err)
{
    *ring = (struct rf_ring){0};
    if (capacity == 0 || capacity > RING_CAPACITY_MAX) {
        RF_FAIL(err, RF_E_USAGE, "a ring of %zu cells: the capacity must be 1 to %d", capacity, RING_CAPACITY_MAX);
    }
    ring->cells = calloc(capacity, sizeof *ring->cells);
    if (ring->cells == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a ring of %zu cells", capacity);
    }
    ring->capacity = capacity;
    /* Default attributes: on Linux these calls have no way to fail. */
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->has_item, NULL);
    pthread_cond_init(&ring->has_room, NULL);
    return RF_OK;
}

void rf_ring_close(struct rf_ring *ring)
{
    if (ring->cells == NULL) {
        return;
    }
    pthread_cond_destroy(&ring->has_room);
    pthread_cond_destroy(&ring->has_item);
    pthread_mutex_destroy(&ring->lock);
    free(ring->cells);
    *ring = (struct rf_ring){0};
}

static enum rf_status ring_push(struct rf_ring *ring, void *item, bool is_waiting)
{
    enum rf_status status = RF_OK;
    pthread_mutex_lock(&ring->lock);
    while (is_waiting && !ring->is_shut && ring->count == ring->capacity) {
        pthread_cond_wait(&ring->has_room, &ring->lock);
    }
    if (ring->is_shut) {
        status = RF_STOP;
    } else if (ring->count == ring->capacity) {
        status = RF_AGAIN;
    } else {
        const size_t room = ring->capacity - ring->head;
        ring->cells[ring->count < room ? ring->head + ring->count : ring->count - room] = item;
        ring->count++;
        pthread_cond_signal(&ring->has_item);
    }
    pthread_mutex_unlock(&ring->lock);
    return status;
}

static enum rf_status ring_pop(struct rf_ring *ring, void **item, bool is_waiting)
{
    enum rf_status status = RF_OK;
    pthread_mutex_lock(&ring->lock);
    while (is_waiting && !ring->is_shut && ring->count == 0) {
        pthread_cond_wait(&ring->has_item, &ring->lock);
    }
    if (ring->count != 0) {
        *item = ring->cells[ring->head];
        ring->head = ring->head + 1 == ring->capacity ? 0 : ring->head + 1;
        ring->count--;
        pthread_cond_signal(&ring->has_room);
    } else {
        status = ring->is_shut ? RF_END : RF_AGAIN;
    }
    pthread_mutex_unlock(&ring->lock);
    return status;
}

enum rf_status rf_ring_push(struct rf_ring *ring, void *item)
{
    return ring_push(ring, item, true);
}

enum rf_status rf_ring_pop(struct rf_ring *ring, void **item)
{
    return ring_pop(ring, item, true);
}

enum rf_status rf_ring_try_push(struct rf_ring *ring, void *item)
{
    return ring_push(ring, item, false);
}

enum rf_status rf_ring_try_pop(struct rf_ring *ring, void **item)
{
    return ring_pop(ring, item, false);
}

void rf_ring_shut(struct rf_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->is_shut = true;
    pthread_cond_broadcast(&ring->has_item);
    pthread_cond_broadcast(&ring->has_room);
    pthread_mutex_unlock(&ring->lock);
}
