/* cli.h: the program `riffle` without its main.
 *
 * Threads    the main thread, once; argv is permuted.
 * Errors     told on standard error; the exit status is the result (exit.def).
 */
#ifndef RF_CLI_H
#define RF_CLI_H

int rf_cli_main(int argc, char **argv);

#endif
