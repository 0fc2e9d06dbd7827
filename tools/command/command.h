/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands of unbound-idn, and what each does first: reads options, opens ICU. */
#ifndef XN_TOOLS_COMMAND_COMMAND_H
#define XN_TOOLS_COMMAND_COMMAND_H

#include <getopt.h>
#include <stdbool.h>

/* The exit statuses of every subcommand. */
enum { STATUS_FINE = 0, STATUS_FINDING = 1, STATUS_USAGE = 2 };

/* argv[0] is the subcommand's own name. Each returns the exit status. */
int encode_main(int argc, char **argv);
int decode_main(int argc, char **argv);
int enable_main(int argc, char **argv);
int check_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int fetch_main(int argc, char **argv);
int filter_main(int argc, char **argv);
int report_main(int argc, char **argv);
int rpz_main(int argc, char **argv);
int tap_main(int argc, char **argv);

/* Becomes the script of this name in the folder of this program: argv[0] is for messages, the
 * others are its arguments. Returns only if that fails, after a message: STATUS_USAGE. */
int command_become(const char *script, char **argv);

/* Reports on standard error how a subcommand was misused. Returns STATUS_USAGE. */
int command_usage_error(const char *command, const char *what);

/* Reports that an option cannot have this value, which is written so that it is safe on a terminal,
 * and why. Returns STATUS_USAGE. */
int command_refuse_value(const char *command, const char *option, const char *value,
                         const char *why);

/* Decides about colors by the value of --color (tools/text/color.h: color_choose). Returns
 * STATUS_USAGE, after a message, if there is no such value, else -1. */
int command_choose_color(const char *command, const char *when);

/* Writes "WHO: FILE: what is wrong" to standard error. Any file name is written so that it is safe
 * on a terminal. */
void command_file_error(const char *who, const char *file, const char *what);

/* Reads a subcommand's options up to its arguments, which then begin at argv[optind]. An option
 * whose name is one letter may be written with one hyphen, and takes a value. The val of an option
 * with a value is the index in `values` where the value goes, from 1. That of --help is
 * COMMAND_HELP, for which the help goes to standard output. Returns the exit status if the options
 * end the subcommand, else -1. */
enum { COMMAND_HELP = 256 /* not the value of any letter */ };
int command_read_options(const char *command, const char *help, const struct option *known,
                         const char **values, int argc, char **argv);

/* Opens ICU. Returns false, after a message on standard error, if that fails. */
struct xn_unicode;
bool command_open_unicode(struct xn_unicode **unicode);

#endif
