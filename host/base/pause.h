/* pause.h: a moment of waiting for another core, for loops that look again and again. */
#ifndef RF_PAUSE_H
#define RF_PAUSE_H

static inline void rf_cpu_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

#endif
