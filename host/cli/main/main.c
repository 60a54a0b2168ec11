#include "cli.h"

int main(int argc, char **argv)
{
    return rf_cli_main(argc, argv);
}
