/* check_command.c: riffle check: whether files are right, with all that is wrong. */
#include "command.h"
#include "eval_explain.h"
#include "flag.h"
#include "log.h"
#include "rules_input.h"
#include "terminal.h"

static int file_check(const char *name, const struct rf_flags *flags, struct rf_text *out)
{
    struct rf_error err;
    struct rf_rules_input input;
    int code = rf_rules_input_open(&input, name, rf_rules_input_format(flags), NULL, flags);
    if (code == RF_EXIT_DONE) {
        (void)rf_text_printf(out, &err, "%s: %u rule%s, %u test%s\n", name, input.rules->rules,
                             input.rules->rules == 1 ? "" : "s", input.rules->tests, input.rules->tests == 1 ? "" : "s");
        if (flags->value[RF_FLAG_EXPLAIN].is_set && rf_eval_explain(&input.program.compiled.program, out, &err) != RF_OK) {
            rf_log(RF_LOG_ERROR, "%s", err.text);
            code = RF_EXIT_FAILURE;
        }
    }
    rf_rules_input_close(&input);
    return code;
}

int rf_command_check(const struct rf_flags *flags)
{
    struct rf_text out = {0};
    int code = RF_EXIT_DONE;
    for (size_t i = 0; i < flags->args; i++) {
        const int one = file_check(flags->arg[i], flags, &out);
        code = one > code ? one : code; /* bad configuration is the largest */
    }
    if (out.count > 0) {
        const int printed = rf_terminal_print(rf_text_str(&out));
        code = printed > code ? printed : code;
    }
    rf_text_free(&out);
    return code;
}
