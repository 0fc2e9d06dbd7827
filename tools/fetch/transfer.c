/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/fetch/transfer.h"

#include "core/text/version.h"
#include "tools/fetch/decode.h"

#include <curl/curl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    HEADERS_MAX = 65536, /* octets, of all answers up to the last redirect */
    REDIRECTS_MAX = 5,
    CONNECT_SECONDS = 20,
    LOOK_MS = 200, /* between two looks at `stop` */
    STATUS_OK = 200,
    STATUS_NOT_MODIFIED = 304
};

struct transfer {
    const struct transfer_options *options;
    struct transfer_answer *answer;
    size_t headers; /* octets */
    const char *refusal;
    CURL *easy;
    CURLM *multi;
    struct curl_slist *fields;
    char error[CURL_ERROR_SIZE];
};

bool transfer_open(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

void transfer_close(void)
{
    curl_global_cleanup();
}

/* --- what comes --- */

static const char too_large[] = "it is too large (--size-max)";

/* Not what was read, if less than `count`, ends the transfer. */
static size_t take_body(char *octets, size_t size, size_t count, void *arg)
{
    struct transfer *transfer = arg;
    struct buffer *body = &transfer->answer->body;

    (void)size; /* 1 */
    if (count > transfer->options->size_max - body->len) {
        transfer->refusal = too_large;
        return 0;
    }
    buffer_add(body, octets, count);
    return count;
}

static size_t take_header(char *octets, size_t size, size_t count, void *arg)
{
    struct transfer *transfer = arg;

    (void)octets, (void)size;
    transfer->headers += count;
    if (transfer->headers <= HEADERS_MAX)
        return count;
    transfer->refusal = "its header fields are too large";
    return 0;
}

/* A field that is not plain ASCII, or too long to be kept, is none. */
static void read_field(const struct transfer *transfer, const char *name,
                       char field[TRANSFER_FIELD_MAX])
{
    struct curl_header *header;

    field[0] = '\0';
    if (curl_easy_header(transfer->easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK ||
        strlen(header->value) >= TRANSFER_FIELD_MAX)
        return;
    for (const char *c = header->value; *c; c++)
        if (*c < ' ' || *c > '~')
            return;
    memcpy(field, header->value, strlen(header->value) + 1);
}

/* --- asking --- */

static void add_field(struct transfer *transfer, const char *name, const char *value)
{
    struct buffer text = {0};

    buffer_format(&text, "%s: %s", name, value);
    struct curl_slist *fields = curl_slist_append(transfer->fields, buffer_string(&text));
    buffer_free(&text);
    if (!fields)
        buffer_out_of_memory();
    transfer->fields = fields;
}

/* Only the server decides from ETag and date whether a list has changed (RFC 9110, section 13.1).
 */
static void add_fields(struct transfer *transfer, const struct transfer_version *known)
{
    add_field(transfer, "Accept-Encoding", DECODE_ENCODINGS);
    if (known && known->etag[0])
        add_field(transfer, "If-None-Match", known->etag);
    if (known && known->modified[0])
        add_field(transfer, "If-Modified-Since", known->modified);
}

static bool set_up(struct transfer *transfer, const char *url)
{
    const struct transfer_options *options = transfer->options;
    bool is_https = strncmp(url, "https:", 6) == 0;
    CURL *easy = transfer->easy;

    return (is_https || options->allows_http) &&
           curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, is_https ? "https" : "http") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, is_https ? "https" : "https,http") ==
               CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) == CURLE_OK &&
           (!options->ca_file ||
            (curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file) == CURLE_OK &&
             curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) == CURLE_OK)) &&
           curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)options->seconds) == CURLE_OK;
}

static void set_rest(struct transfer *transfer)
{
    CURL *easy = transfer->easy;

    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, (long)REDIRECTS_MAX);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)transfer->options->size_max);
    curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L); /* no ticket of one host to another */
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); /* a name server that hangs is not waited for */
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "unbound-idn/" XN_VERSION);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->fields);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
}

/* libcurl's own loop would see a signal only after a second. */
static CURLcode perform(struct transfer *transfer)
{
    int running = 1, left;
    const CURLMsg *message = NULL;

    while (running && !atomic_load(transfer->options->stop))
        if (curl_multi_perform(transfer->multi, &running) != CURLM_OK ||
            (running && curl_multi_poll(transfer->multi, NULL, 0, LOOK_MS, NULL) != CURLM_OK))
            return CURLE_FAILED_INIT;
    if (running)
        return CURLE_ABORTED_BY_CALLBACK;
    message = curl_multi_info_read(transfer->multi, &left);
    return message ? message->data.result : CURLE_FAILED_INIT;
}

/* --- the answer --- */

__attribute__((format(printf, 2, 3))) static bool fail(struct transfer_answer *answer,
                                                       const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(answer->trouble, sizeof answer->trouble, format, arguments);
    va_end(arguments);
    return false;
}

/* libcurl's messages may quote the server. */
static bool fail_as_curl(const struct transfer *transfer, CURLcode code)
{
    const char *what = transfer->error[0] ? transfer->error : curl_easy_strerror(code);
    struct buffer text = {0};

    buffer_visible(&text, what, strcspn(what, "\r\n"));
    fail(transfer->answer, "%.*s", (int)buffer_fitting(text.data, text.len, 300), text.data);
    buffer_free(&text);
    return false;
}

/* Without a length or chunks, the end of the connection ends the body, and whoever can cut the
 * connection can cut the body (RFC 9112, section 8): not every libcurl insists on TLS's own end.
 * Compressed data has an end of its own. */
static bool has_end(const struct transfer *transfer, const char *encoding)
{
    curl_off_t len = -1;
    char coding[TRANSFER_FIELD_MAX];

    curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &len);
    read_field(transfer, "Transfer-Encoding", coding);
    return len >= 0 || strcasecmp(coding, "chunked") == 0 || strcasecmp(encoding, "gzip") == 0 ||
           strcasecmp(encoding, "zstd") == 0;
}

static bool judge(const struct transfer *transfer, CURLcode code, bool was_known)
{
    struct transfer_answer *answer = transfer->answer;
    char encoding[TRANSFER_FIELD_MAX];
    long status = 0;

    if (atomic_load(transfer->options->stop))
        return fail(answer, "stopped by a signal");
    if (transfer->refusal)
        return fail(answer, "%s", transfer->refusal);
    if (code == CURLE_FILESIZE_EXCEEDED)
        return fail(answer, "%s", too_large);
    if (code != CURLE_OK)
        return fail_as_curl(transfer, code);
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    answer->is_unchanged = status == STATUS_NOT_MODIFIED;
    if (answer->is_unchanged && !was_known)
        return fail(answer, "the server says that it has not changed (304), but was not asked so");
    if (answer->is_unchanged)
        return true;
    if (status != STATUS_OK)
        return fail(answer, "the server's answer has the status %ld: expected 200", status);
    read_field(transfer, "Content-Encoding", encoding);
    if (!has_end(transfer, encoding))
        return fail(answer, "it has no length, so nobody can tell whether all of it came");
    read_field(transfer, "ETag", answer->version.etag);
    read_field(transfer, "Last-Modified", answer->version.modified);
    const char *trouble =
        decode_body(encoding, &answer->body, transfer->options->size_max, transfer->options->stop);
    return trouble ? fail(answer, "%s", trouble) : true;
}

bool transfer_get(const struct transfer_options *options, const char *url,
                  const struct transfer_version *known, struct transfer_answer *answer)
{
    struct transfer transfer = {
        .options = options, .answer = answer, .easy = curl_easy_init(), .multi = curl_multi_init()};

    *answer = (struct transfer_answer){0};
    if (!transfer.easy || !transfer.multi)
        buffer_out_of_memory();
    add_fields(&transfer, known);
    bool good = set_up(&transfer, url);
    if (good) {
        set_rest(&transfer);
        good = curl_multi_add_handle(transfer.multi, transfer.easy) == CURLM_OK &&
               judge(&transfer, perform(&transfer), known != NULL);
        curl_multi_remove_handle(transfer.multi, transfer.easy);
    } else {
        fail(answer, "%s",
             strncmp(url, "https:", 6) == 0 ? "this libcurl cannot be told to verify servers"
                                            : "its URL is not https: (--allow-http)");
    }
    curl_easy_cleanup(transfer.easy);
    curl_multi_cleanup(transfer.multi);
    curl_slist_free_all(transfer.fields);
    return good;
}
