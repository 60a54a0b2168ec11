/* explain_command.c: riffle explain. */
#include "command.h"
#include "eval_explain.h"
#include "expression.h"
#include "log.h"
#include "terminal.h"

int rf_command_explain(const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_expression expression;
    struct rf_text text = {0};
    int code = rf_expression_open(&expression, flags);
    if (code != RF_EXIT_DONE) {
        return code;
    }
    enum rf_status status = rf_explain(&expression.compiled, &text, &err);
    if (status == RF_OK) {
        status = rf_text_append(&text, RF_STR("\nevaluation\n"), &err);
    }
    if (status == RF_OK) {
        status = rf_eval_explain(&expression.compiled.program, &text, &err);
    }
    if (status == RF_OK) {
        code = rf_terminal_print(rf_text_str(&text));
    } else {
        rf_log(RF_LOG_ERROR, "%s", err.text);
        code = RF_EXIT_FAILURE;
    }
    rf_text_free(&text);
    rf_expression_close(&expression);
    return code;
}
