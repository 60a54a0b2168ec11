/* schema_command.c: riffle schema: the JSON Schema of a kind of file. */
#include "command.h"
#include "flag.h"
#include "log.h"
#include "rules_file.h"
#include "terminal.h"

int rf_command_schema(const struct rf_flags *flags)
{
    static const struct rf_config_table *const table[] = {&rf_rules_table};
    struct rf_error err;
    struct rf_text text = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(flags->arg[0], table[i]->name) != 0) {
            continue;
        }
        int code = RF_EXIT_FAILURE;
        const bool is_markdown = flags->value[RF_FLAG_SCHEMA_FORM].number == RF_SCHEMA_MARKDOWN;
        if ((is_markdown ? rf_config_document(table[i], &text, &err) : rf_config_schema(table[i], &text, &err)) == RF_OK) {
            code = rf_terminal_print(rf_text_str(&text));
        } else {
            rf_log(RF_LOG_ERROR, "%s", err.text);
        }
        rf_text_free(&text);
        return code;
    }
    rf_log(RF_LOG_ERROR, "there is no kind of file '%.100s': riffle schema knows rules", flags->arg[0]);
    return RF_EXIT_USAGE;
}
