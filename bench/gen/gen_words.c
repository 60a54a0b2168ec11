/* Pseudo-words with roughly the letter frequencies of English text; a good third of them holds an "a". */
#include "gen_text.h"

size_t gen_word(struct rf_gen *gen, char *out)
{
    static const char letter[] = "eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnssssssshhhhhhrrrrrrddddllllcccuuu"
                                 "mmmwwffggyyppbbvkjxqz";
    enum { LETTERS = sizeof(letter) - 1, SHORTEST = 2, SPREAD = 18 };
    const uint32_t letters = SHORTEST + gen_skewed(gen, SPREAD);
    for (uint32_t i = 0; i < letters; i++) {
        out[i] = letter[gen_below(gen, LETTERS)];
    }
    out[letters] = '\n';
    return letters + 1;
}
