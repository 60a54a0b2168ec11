/* completion.c: completions for bash, zsh and fish, from the flag table. */
#include "help.h"

#include <stdio.h>

#include "flag.h"

/* What follows an option: choices with blanks between, or "" for a file name or nothing known. */
static enum rf_status choices_write(struct rf_text *out, const struct rf_flag *flag, struct rf_error *err)
{
    for (size_t i = 0;; i++) {
        const struct rf_str choice = rf_flag_choice(flag->values, i);
        if (choice.data == NULL) {
            return RF_OK;
        }
        RF_TRY(rf_text_printf(out, err, "%s%.*s", i == 0 ? "" : " ", RF_STR_ARG(choice)));
    }
}

static bool has_choices(const struct rf_flag *flag)
{
    return flag->kind == RF_FLAG_KIND_CHOICE || flag->kind == RF_FLAG_KIND_OPTIONAL ||
           flag->kind == RF_FLAG_KIND_POLICY;
}

static bool takes_file(const struct rf_flag *flag)
{
    return flag->kind == RF_FLAG_KIND_FILE || flag->kind == RF_FLAG_KIND_POLICY;
}

static bool has_value(const struct rf_flag *flag)
{
    return flag->kind != RF_FLAG_KIND_NONE && flag->kind != RF_FLAG_KIND_OPTIONAL;
}

/* Another command has a flag of that name. */
static bool has_earlier(int id)
{
    for (int i = 0; i < id; i++) {
        if (strcmp(rf_flag_table[i].name, rf_flag_table[id].name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_commands(enum rf_command_id id)
{
    for (int c = RF_COMMAND_TOP; c < RF_COMMAND_COUNT; c++) {
        if (rf_command_word((enum rf_command_id)c, id) != NULL) {
            return true;
        }
    }
    return false;
}

static enum rf_status command_words_write(struct rf_text *out, enum rf_command_id parent, struct rf_error *err)
{
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        const char *word = rf_command_word((enum rf_command_id)c, parent);
        if (word != NULL) {
            RF_TRY(rf_text_printf(out, err, "%s ", word));
        }
    }
    return RF_OK;
}

static enum rf_status bash_value_cases_write(struct rf_text *out, struct rf_error *err)
{
    for (int i = 0; i < RF_FLAGS; i++) {
        const struct rf_flag *flag = &rf_flag_table[i];
        if (flag->kind == RF_FLAG_KIND_NONE || has_earlier(i)) {
            continue;
        }
        RF_TRY(rf_text_printf(out, err, "    --%s", flag->name));
        if (flag->letter != 0) {
            RF_TRY(rf_text_printf(out, err, "|-%c", flag->letter));
        }
        RF_TRY(rf_text_append(out, RF_STR(") "), err));
        if (has_choices(flag)) {
            RF_TRY(rf_text_append(out, RF_STR("mapfile -t COMPREPLY < <(compgen -W '"), err));
            RF_TRY(choices_write(out, flag, err));
            RF_TRY(rf_text_append(out, RF_STR("' -- \"$cur\"); "), err));
        }
        if (takes_file(flag)) {
            RF_TRY(rf_text_append(out, RF_STR("_riffle_files; "), err));
        }
        /* An optional value may be followed by anything else as well. */
        RF_TRY(rf_text_append(out,
                              flag->kind == RF_FLAG_KIND_OPTIONAL ? RF_STR("[ ${#COMPREPLY[@]} -gt 0 ] && return ;;\n")
                                                                  : RF_STR("return ;;\n"),
                              err));
    }
    return RF_OK;
}

static enum rf_status bash_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out,
                          RF_STR("# bash completion for riffle\n"
                                 "_riffle_files() {\n"
                                 "    compopt -o filenames 2>/dev/null\n"
                                 "    local -a found\n"
                                 "    mapfile -t found < <(compgen -f -- \"$cur\")\n"
                                 "    COMPREPLY+=(\"${found[@]}\")\n"
                                 "}\n"
                                 "_riffle() {\n"
                                 "    local cur=${COMP_WORDS[COMP_CWORD]} prev= command=\n"
                                 "    COMPREPLY=()\n"
                                 "    [ \"$COMP_CWORD\" -gt 0 ] && prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                                 "    [ \"$COMP_CWORD\" -gt 1 ] && command=${COMP_WORDS[1]}\n"
                                 "    local bare=$command\n"
                                 "    if [ \"$COMP_CWORD\" -gt 2 ]; then\n"
                                 "        case \"$command ${COMP_WORDS[2]}\" in\n"),
                          err));
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        if (strchr(rf_command_table[c].name, ' ') != NULL) {
            RF_TRY(rf_text_printf(out, err, "        '%s') command='%s' bare= ;;\n", rf_command_table[c].name,
                                  rf_command_table[c].name));
        }
    }
    RF_TRY(rf_text_append(out,
                          RF_STR("        esac\n"
                                 "    fi\n"
                                 "    # bash takes --name=value apart at the sign\n"
                                 "    if [ \"$cur\" = = ]; then\n"
                                 "        cur=\n"
                                 "    elif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
                                 "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                                 "    fi\n"
                                 "    case $prev in\n"),
                          err));
    RF_TRY(bash_value_cases_write(out, err));
    RF_TRY(rf_text_append(out,
                          RF_STR("    esac\n"
                                 "    local words=\n"
                                 "    case $command in\n"),
                          err));
    for (int c = RF_COMMAND_COUNT - 1; c >= RF_COMMAND_TOP; c--) {
        RF_TRY(c == RF_COMMAND_TOP ? rf_text_append(out, RF_STR("    *) words='"), err)
                                   : rf_text_printf(out, err, "    '%s') words='", rf_command_table[c].name));
        RF_TRY(command_words_write(out, (enum rf_command_id)c, err));
        for (int i = 0; i < RF_FLAGS; i++) {
            if (rf_flag_belongs((enum rf_flag_id)i, (enum rf_command_id)c)) {
                RF_TRY(rf_text_printf(out, err, "--%s ", rf_flag_table[i].name));
            }
        }
        RF_TRY(rf_text_append(out, RF_STR("' ;;\n"), err));
    }
    return rf_text_append(out,
                          RF_STR("    esac\n"
                                 "    if [[ $cur == -* || -z $command || $bare == fix ]]; then\n"
                                 "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                                 "    else\n"
                                 "        _riffle_files\n"
                                 "    fi\n"
                                 "}\n"
                                 "complete -F _riffle riffle\n"),
                          err);
}

/* Text inside single quotes and square brackets of an _arguments specification. */
static enum rf_status zsh_quote(struct rf_text *out, const char *text, struct rf_error *err)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            RF_TRY(rf_text_append(out, RF_STR("'\\''"), err));
            continue;
        }
        if (strchr("[]:\\", *text) != NULL) {
            RF_TRY(rf_text_append_char(out, '\\', err));
        }
        RF_TRY(rf_text_append_char(out, *text, err));
    }
    return RF_OK;
}

static enum rf_status zsh_flag_write(struct rf_text *out, const struct rf_flag *flag, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("        "), err));
    const bool is_list = flag->kind == RF_FLAG_KIND_LIST;
    if (flag->letter != 0) {
        /* Either form excludes the other, unless both may be repeated. */
        if (is_list) {
            RF_TRY(rf_text_printf(out, err, "'*'{-%c,--%s=}'[", flag->letter, flag->name));
        } else {
            RF_TRY(rf_text_printf(out, err, "'(-%c --%s)'{-%c,--%s%s}'[", flag->letter, flag->name, flag->letter,
                                  flag->name, has_value(flag) ? "=" : ""));
        }
    } else {
        RF_TRY(rf_text_printf(out, err, "'%s--%s%s[", is_list ? "*" : "", flag->name,
                              has_value(flag)                       ? "="
                              : flag->kind == RF_FLAG_KIND_OPTIONAL ? "=-"
                                                                    : ""));
    }
    RF_TRY(zsh_quote(out, flag->help, err));
    RF_TRY(rf_text_append_char(out, ']', err));
    if (flag->kind != RF_FLAG_KIND_NONE) {
        RF_TRY(rf_text_printf(out, err, "%s%s:", flag->kind == RF_FLAG_KIND_OPTIONAL ? "::" : ":", flag->argument));
        if (flag->kind == RF_FLAG_KIND_POLICY) {
            RF_TRY(rf_text_append(out, RF_STR("{compadd "), err));
            RF_TRY(choices_write(out, flag, err));
            RF_TRY(rf_text_append(out, RF_STR("; _files}"), err));
        } else if (takes_file(flag)) {
            RF_TRY(rf_text_append(out, RF_STR("_files"), err));
        } else if (has_choices(flag)) {
            RF_TRY(rf_text_append_char(out, '(', err));
            RF_TRY(choices_write(out, flag, err));
            RF_TRY(rf_text_append_char(out, ')', err));
        } else {
            RF_TRY(rf_text_append_char(out, ' ', err));
        }
    }
    return rf_text_append(out, RF_STR("' \\\n"), err);
}

static enum rf_status zsh_flags_write(struct rf_text *out, enum rf_command_id command, struct rf_error *err)
{
    for (int i = 0; i < RF_FLAGS; i++) {
        if (rf_flag_belongs((enum rf_flag_id)i, command)) {
            RF_TRY(zsh_flag_write(out, &rf_flag_table[i], err));
        }
    }
    return RF_OK;
}

static enum rf_status zsh_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out,
                          RF_STR("#compdef riffle\n"
                                 "_riffle() {\n"
                                 "    local curcontext=\"$curcontext\" state line\n"
                                 "    local -a commands\n"
                                 "    commands=(\n"),
                          err));
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        if (rf_command_word((enum rf_command_id)c, RF_COMMAND_TOP) == NULL) {
            continue;
        }
        RF_TRY(rf_text_printf(out, err, "        '%s:", rf_command_table[c].name));
        RF_TRY(zsh_quote(out, rf_command_table[c].summary, err));
        RF_TRY(rf_text_append(out, RF_STR("'\n"), err));
    }
    RF_TRY(rf_text_append(out,
                          RF_STR("    )\n"
                                 "    if (( CURRENT > 2 )); then\n"
                                 "        local command=$words[2]\n"
                                 "        shift words\n"
                                 "        (( CURRENT-- ))\n"
                                 "        if [[ $command == fix ]] && (( CURRENT > 2 )); then\n"
                                 "            command+=\" $words[2]\"\n"
                                 "            shift words\n"
                                 "            (( CURRENT-- ))\n"
                                 "        fi\n"
                                 "        case $command in\n"),
                          err));
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        RF_TRY(rf_text_printf(out, err, "        '%s') _arguments -s -S \\\n", rf_command_table[c].name));
        RF_TRY(zsh_flags_write(out, (enum rf_command_id)c, err));
        const int args_max = rf_command_table[c].args_max;
        if (has_commands((enum rf_command_id)c)) {
            RF_TRY(rf_text_append(out, RF_STR("        '1:command:("), err));
            RF_TRY(command_words_write(out, (enum rf_command_id)c, err));
            RF_TRY(rf_text_append(out, RF_STR(")' ;;\n"), err));
            continue;
        }
        if (args_max < 0 && rf_command_table[c].args_min == 0) {
            RF_TRY(rf_text_append(out, RF_STR("        '*:file:_files' ;;\n"), err));
            continue;
        }
        RF_TRY(rf_text_append(out,
                              args_max < 0    ? RF_STR("        '1:expression: ' '*:file:_files' ;;\n")
                              : args_max == 1 ? RF_STR("        '1:expression: ' ;;\n")
                                              : RF_STR("        && return ;;\n"),
                              err));
    }
    RF_TRY(rf_text_append(out,
                          RF_STR("        esac\n"
                                 "        return\n"
                                 "    fi\n"
                                 "    _arguments \\\n"),
                          err));
    RF_TRY(zsh_flags_write(out, RF_COMMAND_TOP, err));
    return rf_text_append(out,
                          RF_STR("        '1:command:{_describe command commands}'\n"
                                 "}\n"
                                 "if [ \"$funcstack[1]\" = _riffle ]; then\n"
                                 "    _riffle \"$@\"\n"
                                 "else\n"
                                 "    compdef _riffle riffle\n"
                                 "fi\n"),
                          err);
}

static enum rf_status fish_quote(struct rf_text *out, const char *text, struct rf_error *err)
{
    RF_TRY(rf_text_append_char(out, '\'', err));
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\') {
            RF_TRY(rf_text_append_char(out, '\\', err));
        }
        RF_TRY(rf_text_append_char(out, *text, err));
    }
    return rf_text_append_char(out, '\'', err);
}

static enum rf_status fish_flag_write(struct rf_text *out, const struct rf_flag *flag, const char *condition,
                                      struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, "complete -c riffle -n '%s' -l %s", condition, flag->name));
    if (flag->letter != 0) {
        RF_TRY(rf_text_printf(out, err, " -s %c", flag->letter));
    }
    if (has_choices(flag)) {
        RF_TRY(rf_text_append(out, RF_STR(" -a '"), err));
        RF_TRY(choices_write(out, flag, err));
        RF_TRY(rf_text_append_char(out, '\'', err));
    }
    if (has_value(flag)) {
        RF_TRY(rf_text_append(out, takes_file(flag) ? RF_STR(" -r -F") : RF_STR(" -x"), err));
    }
    RF_TRY(rf_text_append(out, RF_STR(" -d "), err));
    RF_TRY(fish_quote(out, flag->help, err));
    return rf_text_append_char(out, '\n', err);
}

/* The word of a command, and the condition under which its flags are offered. */
static enum rf_status fish_command_write(struct rf_text *out, enum rf_command_id id, char *condition, size_t room,
                                         struct rf_error *err)
{
    const struct rf_command *command = &rf_command_table[id];
    const char *const space = strchr(command->name, ' ');
    if (id == RF_COMMAND_TOP) {
        (void)snprintf(condition, room, "__fish_use_subcommand");
        return RF_OK;
    }
    if (space == NULL) {
        (void)snprintf(condition, room, "__fish_seen_subcommand_from %s", command->name);
        RF_TRY(rf_text_printf(out, err, "complete -c riffle -n '__fish_use_subcommand' -f -a %s -d ", command->name));
    } else {
        const int head = (int)(space - command->name);
        (void)snprintf(condition, room, "__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s", head,
                       command->name, space + 1);
        RF_TRY(rf_text_printf(out, err, "complete -c riffle -n '__fish_seen_subcommand_from %.*s' -f -a %s -d ", head,
                              command->name, space + 1));
    }
    RF_TRY(fish_quote(out, command->summary, err));
    return rf_text_append_char(out, '\n', err);
}

static enum rf_status fish_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("# fish completion for riffle\n"), err));
    for (int c = RF_COMMAND_TOP; c < RF_COMMAND_COUNT; c++) {
        char condition[128];
        RF_TRY(fish_command_write(out, (enum rf_command_id)c, condition, sizeof condition, err));
        for (int i = 0; i < RF_FLAGS; i++) {
            if (rf_flag_belongs((enum rf_flag_id)i, (enum rf_command_id)c)) {
                RF_TRY(fish_flag_write(out, &rf_flag_table[i], condition, err));
            }
        }
    }
    return RF_OK;
}

enum rf_status rf_completion_write(struct rf_text *out, unsigned shell, struct rf_error *err)
{
    switch (shell) {
    case RF_SHELL_BASH:
        return bash_write(out, err);
    case RF_SHELL_ZSH:
        return zsh_write(out, err);
    default:
        return fish_write(out, err);
    }
}
