/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options of `fetch`, and runs the script beside this program, unbound-idn-fetch: curl
 * downloads, and `check` judges. */
#include "module/config/config.h"
#include "tools/check/check.h"
#include "tools/command/command.h"

#include <stdbool.h>
#include <stdlib.h>

static const char help[] =
    "Usage: unbound-idn fetch [OPTION]...\n"
    "\n"
    "Downloads each list whose rule has url=, with curl, and replaces its file if the\n"
    "download is a list that the rule accepts. Otherwise the file stays as it is. For\n"
    "a timer; the resolver reads new files by itself.\n"
    "\n"
    "  --config FILE       the configuration that names the rules\n"
    "                      [$UNBOUND_IDN_CONF or " XNM_CONFIG_DEFAULT_PATH "]\n"
    "  --metrics FILE      write when each list was last downloaded, for Prometheus\n"
    "  --ca FILE           trust these certificates (PEM) [those of the system]\n"
    "  --time-max SECONDS  time for one list, from its name to its last octet [120]\n"
    "  --size-max MIB      size of one list, compressed and decompressed [256]\n"
    "  --allow-http        also download http: URLs, which anyone on the path can\n"
    "                      change\n"
    "\n"
    "Exit status: 0 if each list is now what its server has; 1 if one is not; 2 for\n"
    "wrong usage, or if the configuration or all rules cannot be read.\n";

enum { CONFIG = 1, METRICS, CA, TIME_MAX, SIZE_MAX_MIB, VALUES };
enum { SECONDS_MOST = 86400, MIB_MOST = 1024 };

/* Returns whether the text is a number from 1 to `most`, without zeros before it. */
static bool is_number(const char *text, unsigned long most)
{
    char *rest;
    unsigned long value = strtoul(text, &rest, 10);

    return text[0] >= '1' && text[0] <= '9' && *rest == '\0' && value <= most;
}

int fetch_main(int argc, char **argv)
{
    int allows_http = 0;
    const struct option known[] = {{"config", required_argument, NULL, CONFIG},
                                   {"metrics", required_argument, NULL, METRICS},
                                   {"ca", required_argument, NULL, CA},
                                   {"time-max", required_argument, NULL, TIME_MAX},
                                   {"size-max", required_argument, NULL, SIZE_MAX_MIB},
                                   {"allow-http", no_argument, &allows_http, 1},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    bool is_default;
    const char *values[VALUES] = {[CONFIG] = check_default_config(&is_default),
                                  [METRICS] = "",
                                  [CA] = "",
                                  [TIME_MAX] = "120",
                                  [SIZE_MAX_MIB] = "256"};
    int status = command_read_options("fetch", help, known, values, argc, argv);

    if (status >= 0)
        return status;
    if (optind < argc)
        return command_usage_error("fetch", "expected no file but that of --config");
    if (!is_number(values[TIME_MAX], SECONDS_MOST))
        return command_refuse_value("fetch", "--time-max", values[TIME_MAX],
                                    "expected seconds, 1 to 86400");
    if (!is_number(values[SIZE_MAX_MIB], MIB_MOST))
        return command_refuse_value("fetch", "--size-max", values[SIZE_MAX_MIB],
                                    "expected MiB, 1 to 1024");
    return command_become("unbound-idn-fetch",
                          (char *[]){argv[0], (char *)values[CONFIG], (char *)values[METRICS],
                                     (char *)values[CA], (char *)values[TIME_MAX],
                                     (char *)values[SIZE_MAX_MIB], allows_http ? "http" : "",
                                     NULL});
}
