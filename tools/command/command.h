/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands of unbound-idn, and how each of them begins. */
#ifndef XN_TOOLS_COMMAND_COMMAND_H
#define XN_TOOLS_COMMAND_COMMAND_H

#include <getopt.h>
#include <stdbool.h>

/* Exit statuses of every subcommand. */
enum { STATUS_FINE = 0, STATUS_FINDING = 1, STATUS_USAGE = 2 };

/* argv[0] is the subcommand's own name. Each returns the exit status. */
int encode_main(int argc, char **argv);
int decode_main(int argc, char **argv);
int enable_main(int argc, char **argv);
int check_main(int argc, char **argv);
int compile_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int filter_main(int argc, char **argv);
int report_main(int argc, char **argv);
int rpz_main(int argc, char **argv);

/* Says on standard error what is wrong with how a subcommand was called. Returns STATUS_USAGE. */
int command_usage_error(const char *command, const char *what);

/* Says on standard error "WHO: FILE: what is wrong". Whatever the name of the file is, a terminal
 * shows it and does nothing else. */
void command_file_error(const char *who, const char *file, const char *what);

/* Reads a subcommand's options up to its arguments, which then begin at argv[optind]. One whose
 * name is a letter may have one hyphen, and has a value. An option with a value has the place of
 * that in `values` as its val, 1 the first; --help has COMMAND_HELP, and the help goes to standard
 * output. Returns the exit status where the options end the subcommand, else -1. */
enum { COMMAND_HELP = 256 /* no option of one letter */ };
int command_read_options(const char *command, const char *help, const struct option *known,
                         const char **values, int argc, char **argv);

/* Opens ICU, or says on standard error why it cannot be. */
struct xn_unicode;
bool command_open_unicode(struct xn_unicode **unicode);

#endif
