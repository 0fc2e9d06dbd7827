/* SPDX-License-Identifier: BSD-3-Clause */
/* The host of a URL; any other text is a name itself. */
#include "tests/unit/vectors.h"

#include "tools/command/host.h"

/* NULL: the text is a name itself. */
static const struct row {
    const char *text, *host, *fault;
} rows[] = {
    /* names */
    {"", NULL, NULL},
    {"www.example.com.", NULL, NULL},
    {"inner space.example", NULL, NULL},
    {"0/25.2.0.192.in-addr.arpa", NULL, NULL},
    {"example.com/login", NULL, NULL},
    {"user@a.example", NULL, NULL},
    {"mailto:user@a.example?subject=b@c.example", NULL, NULL},
    {"a.example:8080/login", NULL, NULL},
    {"p\\u{430}ypal.com", NULL, NULL},
    {"192.0.2.1", NULL, NULL},
    {"[2001:db8::1]:53", NULL, NULL},
    {"http:/a.example", NULL, NULL},
    {"://a.example", NULL, NULL},
    {" ://a.example", NULL, NULL},
    {"1st://a.example", NULL, NULL},
    {"a b://c.example", NULL, NULL},
    {"a\\://b", NULL, NULL},
    /* URLs */
    {"https://a.example", "a.example", NULL},
    {"HTTPS://A.example/", "A.example", NULL},
    {" \thxxps://a.example ", "a.example", NULL},
    {"git+ssh.x-1://a.example/b", "a.example", NULL},
    {"https://a.example:443/login?next=//b.example/#c", "a.example", NULL},
    {"https://a.example:/", "a.example", NULL},
    {"https://a.example?b@c", "a.example", NULL},
    {"https://a.example#b@c", "a.example", NULL},
    {"https://user:word@a.example:8443/", "a.example", NULL},
    {"https://good.example@a.example/", "a.example", NULL},
    {"https://good.example:443@b@a.example/", "a.example", NULL},
    {"https://a.example\\@good.example/", "a.example", NULL},
    {"https://a.example\\.good.example/", "a.example", NULL},
    {"https://good.example%2F@a.example/", "a.example", NULL},
    {"https://p\\u{430}ypal.com/login", "p\\u{430}ypal.com", NULL},
    {"https://b\xC3\xBC"
     "cher.example/",
     "b\xC3\xBC"
     "cher.example",
     NULL},
    {"https://b%C3%bccher%2Eexample/",
     "b\xC3\xBC"
     "cher.example",
     NULL},
    {"https://a%5Cu{430}%40.example/", "a\\092u{430}\\064.example", NULL},
    {"https://a%.%4.%zz.%2", "a%.%4.%zz.%2", NULL},
    {"https://a.example/\x1B[31m\x07", "a.example", NULL},
    {"https://a\x1B.example/", "a\x1B.example", NULL},
    {"https://", "", "no-host"},
    {"https:///login", "", "no-host"},
    {"https://user@:80/", "", "no-host"},
    {"https://a.example:80:80/", "a.example", NULL},
    {"https://p\\u{430}ypal.com:80/", "p\\u{430}ypal.com", NULL},
    {"https://192.0.2.1:80/", "192.0.2.1", "address"},
    {"https://[2001:db8::1]:8443/", "[2001:db8::1]", "address"},
    {"https://user@[::1]", "[::1]", "address"},
    {"https://[v1.x]/", "[v1.x]", "address"},
    {"https://[", "[", "address"},
};

TEST(test_rows, "rows")
{
    struct host host = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const char *want = row->host ? row->host : row->text;

        print_message("# %s\n", row->text);
        host_find(row->text, strlen(row->text), &host);
        assert_int_equal(host.within, row->host != NULL);
        assert_int_equal(host.len, strlen(want));
        assert_memory_equal(host.name, want, host.len);
        assert_string_equal(host.fault ? host.fault->word : "none",
                            row->fault ? row->fault : "none");
    }
    host_free(&host);
}

TEST_MAIN
