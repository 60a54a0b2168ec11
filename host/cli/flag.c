/* flag.c: reads argv by the table in flag.def. */
#include "flag.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const struct rf_flag rf_flag_table[RF_FLAGS] = {
#define RF_FLAG(id, name, letter, kind, argument, values, commands, standard, section, help, manual)                   \
    {name, letter, RF_FLAG_KIND_##kind, argument, values, commands, standard, section, help, manual},
#include "flag.def"
#undef RF_FLAG
};

const struct rf_command rf_command_table[RF_COMMAND_COUNT] = {
#define RF_COMMAND(id, name, run, args_min, args_max, synopsis, summary, manual)                                       \
    {name, run, args_min, args_max, synopsis, summary, manual},
#include "command.def"
#undef RF_COMMAND
};

enum { LONG_BASE = 256 }; /* getopt's value of flag i is LONG_BASE + i: above every letter */

struct rf_str rf_flag_choice(const char *values, size_t index)
{
    const char *begin = values;
    for (; index > 0; index--) {
        begin = strchr(begin, '|');
        if (begin == NULL) {
            return (struct rf_str){NULL, 0};
        }
        begin++;
    }
    return (struct rf_str){begin, strcspn(begin, "|")};
}

const char *rf_flag_nearest(const char *text, const char *const *candidates, size_t count)
{
    const struct rf_str wanted = rf_str_of(text);
    const char *best = NULL;
    /* Up to a third of the letters may differ, two at most: more is a guess, not a typing mistake. */
    size_t best_distance = wanted.count >= 6 ? 3 : wanted.count >= 2 ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        const size_t distance = rf_str_distance(wanted, rf_str_of(candidates[i]));
        if (distance < best_distance) {
            best = candidates[i];
            best_distance = distance;
        }
    }
    return best;
}

/* Where messages say the command: "riffle filter". */
static const char *command_title(enum rf_command_id command)
{
    static char title[64];
    (void)snprintf(title, sizeof title, "riffle%s%s", command == RF_COMMAND_TOP ? "" : " ",
                   rf_command_table[command].name);
    return title;
}

static bool choice_find(const char *values, const char *text, uint64_t *index)
{
    const struct rf_str wanted = rf_str_of(text);
    for (size_t i = 0;; i++) {
        const struct rf_str choice = rf_flag_choice(values, i);
        if (choice.data == NULL) {
            return false;
        }
        if (rf_str_equal(choice, wanted)) {
            *index = i;
            return true;
        }
    }
}

/* The choice that text was probably meant to be, as ", did you mean 'x'?"; "" when none is near. */
static const char *choice_hint(const char *values, const char *text)
{
    enum { CHOICES_MAX = 8, CHOICE_BYTES_MAX = 16 };
    static char hint[64];
    char name[CHOICES_MAX][CHOICE_BYTES_MAX];
    const char *candidate[CHOICES_MAX];
    size_t count = 0;
    for (; count < CHOICES_MAX; count++) {
        const struct rf_str choice = rf_flag_choice(values, count);
        if (choice.data == NULL) {
            break;
        }
        (void)snprintf(name[count], CHOICE_BYTES_MAX, "%.*s", RF_STR_ARG(choice));
        candidate[count] = name[count];
    }
    const char *nearest = rf_flag_nearest(text, candidate, count);
    if (nearest == NULL) {
        return "";
    }
    (void)snprintf(hint, sizeof hint, ", did you mean '%s'?", nearest);
    return hint;
}

/* Decimal digits, then with `has_suffix` one of K M G (2^10, 2^20, 2^30). */
static bool number_read(const char *text, bool has_suffix, uint64_t *out)
{
    if (*text < '0' || *text > '9') {
        return false; /* strtoull would take blanks and signs */
    }
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0) {
        return false;
    }
    unsigned shift = 0;
    if (has_suffix && *end != '\0') {
        static const char letters[] = "KMG";
        const char *letter = strchr(letters, *end >= 'a' ? *end - 'a' + 'A' : *end);
        if (letter == NULL) {
            return false;
        }
        shift = 10 * (unsigned)(letter - letters + 1);
        end++;
    }
    if (*end != '\0' || (shift != 0 && value >> (64 - shift) != 0)) {
        return false;
    }
    *out = (uint64_t)value << shift;
    return true;
}

static enum rf_status number_take(const struct rf_flag *flag, struct rf_flag_value *value, struct rf_error *err)
{
    uint64_t least = 0;
    uint64_t most = UINT64_MAX;
    (void)sscanf(flag->values, "%" SCNu64 "..%" SCNu64, &least, &most);
    uint64_t number = 0;
    const bool has_suffix = flag->kind == RF_FLAG_KIND_BYTES;
    if (!number_read(value->text, has_suffix, &number) || number < least || number > most) {
        RF_FAIL(err, RF_E_USAGE, "--%s '%.100s' is not a number from %" PRIu64 " to %" PRIu64 "%s", flag->name,
                value->text, least, most, has_suffix ? " (K, M, G may follow)" : "");
    }
    value->number = number;
    return RF_OK;
}

static enum rf_status policy_take(const struct rf_flag *flag, struct rf_flag_value *value, struct rf_error *err)
{
    if (choice_find(flag->values, value->text, &value->number)) {
        return RF_OK;
    }
    if (value->text[0] == '\0') {
        RF_FAIL(err, RF_E_USAGE, "--%s is empty: it takes %s or the name of a file", flag->name, flag->values);
    }
    /* A slip of the keys must not quietly become a file. */
    const char *hint = choice_hint(flag->values, value->text);
    if (*hint != '\0') {
        RF_FAIL(err, RF_E_USAGE, "--%s '%.100s'%s (a file of that name is written ./%.100s)", flag->name, value->text,
                hint, value->text);
    }
    value->number = RF_BAD_FILE;
    return RF_OK;
}

/* Checks value->text and fills value->number. */
static enum rf_status value_take(const struct rf_flag *flag, struct rf_flag_value *value, struct rf_error *err)
{
    switch (flag->kind) {
    case RF_FLAG_KIND_NUMBER:
    case RF_FLAG_KIND_BYTES:
        return number_take(flag, value, err);
    case RF_FLAG_KIND_POLICY:
        return policy_take(flag, value, err);
    case RF_FLAG_KIND_CHOICE:
    case RF_FLAG_KIND_OPTIONAL:
        if (!choice_find(flag->values, value->text, &value->number)) {
            RF_FAIL(err, RF_E_USAGE, "--%s '%.100s' is not one of %s%s", flag->name, value->text, flag->values,
                    choice_hint(flag->values, value->text));
        }
        return RF_OK;
    case RF_FLAG_KIND_FILE:
        if (value->text[0] == '\0') {
            RF_FAIL(err, RF_E_USAGE, "--%s needs the name of a file, not an empty text", flag->name);
        }
        return RF_OK;
    case RF_FLAG_KIND_NONE:
    case RF_FLAG_KIND_TEXT:
    case RF_FLAG_KIND_LIST:
        break;
    }
    return RF_OK;
}

static enum rf_status defaults_take(struct rf_flags *flags, struct rf_error *err)
{
    for (int i = 0; i < RF_FLAGS; i++) {
        if (rf_flag_table[i].standard[0] != '\0') {
            flags->value[i].text = rf_flag_table[i].standard;
            RF_TRY(value_take(&rf_flag_table[i], &flags->value[i], err));
        }
    }
    return RF_OK;
}

struct option_lists { /* what getopt_long wants */
    char letters[1 + 2 * RF_FLAGS + 1];
    struct option name[RF_FLAGS + 1];
};

static void option_lists_make(struct option_lists *lists, enum rf_command_id command)
{
    size_t letters = 0;
    size_t names = 0;
    lists->letters[letters++] = ':'; /* tells a missing value from an unknown option */
    for (int i = 0; i < RF_FLAGS; i++) {
        const struct rf_flag *flag = &rf_flag_table[i];
        if (!rf_flag_belongs((enum rf_flag_id)i, command)) {
            continue;
        }
        const int has_value = flag->kind == RF_FLAG_KIND_NONE       ? no_argument
                              : flag->kind == RF_FLAG_KIND_OPTIONAL ? optional_argument
                                                                    : required_argument;
        lists->name[names++] = (struct option){flag->name, has_value, NULL, LONG_BASE + i};
        if (flag->letter != 0) {
            lists->letters[letters++] = flag->letter;
            if (has_value == required_argument) {
                lists->letters[letters++] = ':';
            }
        }
    }
    lists->letters[letters] = '\0';
    lists->name[names] = (struct option){NULL, 0, NULL, 0};
}

static int flag_of_letter(int letter, enum rf_command_id command)
{
    for (int i = 0; i < RF_FLAGS; i++) {
        if (rf_flag_table[i].letter == letter && letter != 0 && rf_flag_belongs((enum rf_flag_id)i, command)) {
            return i;
        }
    }
    return -1;
}

/* Says what is wrong with an option that getopt did not take. `word` is the word of argv that it stopped at. */
static enum rf_status option_refuse(enum rf_command_id command, const char *word, struct rf_error *err)
{
    if (optopt >= LONG_BASE) {
        RF_FAIL(err, RF_E_USAGE, "option --%s takes no value: '%.100s'", rf_flag_table[optopt - LONG_BASE].name, word);
    }
    if (optopt != 0) {
        RF_FAIL(err, RF_E_USAGE, "unknown option -%c%s", optopt < ' ' || optopt > '~' ? '?' : optopt,
                rf_command_table[command].args_max != 0 ? "; put -- before an expression that begins with a minus sign"
                                                       : "");
    }
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *candidate[RF_FLAGS];
    size_t count = 0;
    size_t starting = 0;
    int elsewhere = -1;
    for (int i = 0; i < RF_FLAGS; i++) {
        if (rf_flag_belongs((enum rf_flag_id)i, command)) {
            candidate[count++] = rf_flag_table[i].name;
            starting += strncmp(rf_flag_table[i].name, name, strlen(name)) == 0 ? 1 : 0;
        } else if (strcmp(rf_flag_table[i].name, name) == 0) {
            elsewhere = i;
        }
    }
    if (elsewhere >= 0) {
        for (int c = 0; c < RF_COMMAND_COUNT; c++) {
            if (rf_flag_belongs((enum rf_flag_id)elsewhere, (enum rf_command_id)c)) {
                RF_FAIL(err, RF_E_USAGE, "--%s is no option here, but of '%s'", name,
                        command_title((enum rf_command_id)c));
            }
        }
    }
    if (starting > 1) {
        RF_FAIL(err, RF_E_USAGE, "--%s is short for several options; write it in full", name);
    }
    const char *nearest = rf_flag_nearest(name, candidate, count);
    RF_FAIL(err, RF_E_USAGE, "unknown option --%s%s%s%s", name, nearest != NULL ? ", did you mean --" : "",
            nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}

static enum rf_status flag_take(struct rf_flags *flags, int id, int argc, char **argv, struct rf_error *err)
{
    const struct rf_flag *flag = &rf_flag_table[id];
    struct rf_flag_value *value = &flags->value[id];
    value->is_set = true;
    if (optarg != NULL) {
        value->text = optarg;
    } else if (flag->kind == RF_FLAG_KIND_OPTIONAL) {
        value->text = flag->standard;
        uint64_t index = 0;
        if (optind < argc && choice_find(flag->values, argv[optind], &index)) {
            value->text = argv[optind++];
        }
    }
    if (flag->kind == RF_FLAG_KIND_LIST) {
        flags->list[flags->list_count++] = optarg;
    }
    return value_take(flag, value, err);
}

/* With --fix-match an expression may be left out: what is no file is one. */
static size_t inputs_from(const struct rf_flags *flags)
{
    const size_t expressions = rf_command_table[flags->command].args_min > 0 ? 1 : 0;
    if (!flags->value[RF_FLAG_FIX_MATCH].is_set || expressions == 0) {
        return expressions;
    }
    if (rf_command_table[flags->command].args_max == 1) { /* a command without inputs */
        return flags->args;
    }
    return flags->args > 0 && strcmp(flags->arg[0], "-") != 0 && access(flags->arg[0], F_OK) != 0 ? 1 : 0;
}

static enum rf_status args_check(const struct rf_flags *flags, struct rf_error *err)
{
    const struct rf_command *command = &rf_command_table[flags->command];
    if (flags->value[RF_FLAG_HELP].is_set || flags->value[RF_FLAG_VERSION].is_set) {
        return RF_OK;
    }
    if (flags->args < (size_t)command->args_min && !flags->value[RF_FLAG_FIX_MATCH].is_set) {
        const char *what = strstr(command->synopsis, "EXPR") != NULL    ? "an expression"
                           : strstr(command->synopsis, "RULES") != NULL ? "a rules file"
                                                                        : "a file";
        RF_FAIL(err, RF_E_USAGE, "%s is missing: riffle %s %s", what, command->name, command->synopsis);
    }
    if (command->args_max >= 0 && flags->args > (size_t)command->args_max) {
        RF_FAIL(err, RF_E_USAGE, "one argument too many: '%.100s'; usage: riffle %s %s", flags->arg[command->args_max],
                command->name, command->synopsis);
    }
    return RF_OK;
}

enum rf_status rf_flags_parse(struct rf_flags *flags, enum rf_command_id command, int argc, char **argv,
                              struct rf_error *err)
{
    *flags = (struct rf_flags){.command = command};
    flags->list = calloc((size_t)argc + 1, sizeof *flags->list);
    if (flags->list == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %d words of the command line", argc);
    }
    RF_TRY(defaults_take(flags, err));
    struct option_lists lists;
    option_lists_make(&lists, command);
    opterr = 0;
    optind = 0; /* glibc: forget an earlier command line */
    for (;;) {
        optopt = 0;
        const int found = getopt_long(argc, argv, lists.letters, lists.name, NULL);
        if (found == -1) {
            break;
        }
        if (found == ':') {
            const int id = optopt >= LONG_BASE ? optopt - LONG_BASE : flag_of_letter(optopt, command);
            RF_FAIL(err, RF_E_USAGE, "option --%s needs a value: %s", rf_flag_table[id].name,
                    rf_flag_table[id].argument);
        }
        if (found == '?') {
            return option_refuse(command, argv[optind - 1], err);
        }
        RF_TRY(
            flag_take(flags, found >= LONG_BASE ? found - LONG_BASE : flag_of_letter(found, command), argc, argv, err));
    }
    flags->arg = (const char *const *)argv + optind;
    flags->args = (size_t)(argc - optind);
    flags->inputs_from = inputs_from(flags);
    return args_check(flags, err);
}

const char *rf_command_word(enum rf_command_id command, enum rf_command_id parent)
{
    const char *const name = rf_command_table[command].name;
    const char *const head = rf_command_table[parent].name;
    const size_t count = strlen(head);
    if (*head == '\0') {
        return *name == '\0' || strchr(name, ' ') != NULL ? NULL : name;
    }
    return strncmp(name, head, count) == 0 && name[count] == ' ' ? name + count + 1 : NULL;
}

void rf_flags_free(struct rf_flags *flags)
{
    free(flags->list);
    flags->list = NULL;
    flags->list_count = 0;
}
