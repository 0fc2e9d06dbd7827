/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands of unbound-idn. */
#ifndef XN_TOOLS_COMMAND_H
#define XN_TOOLS_COMMAND_H

/* Exit statuses of every subcommand. */
enum { STATUS_FINE = 0, STATUS_FINDING = 1, STATUS_USAGE = 2 };

/* argv[0] is the subcommand's own name. Each returns the exit status. */
int encode_main(int argc, char **argv);
int decode_main(int argc, char **argv);
int check_main(int argc, char **argv);
int explain_main(int argc, char **argv);

#endif
