/* machine.h: what ran, on what: printed above every result. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

void machine_print(void);

#endif
