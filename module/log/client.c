/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/client.h"

#include "module/base/format.h"
#include "module/config/config.h"
#include "module/log/reply.h"

static struct xnm_prefix shown(const struct xnm_config *config, const struct xnm_reply *reply)
{
    struct xnm_prefix client = reply->subnet;

    if (config->log_client == XNM_LOG_CLIENT_PREFIX)
        xnm_prefix_shorten(&client, xnm_format_prefix_len(client.address.len));
    return client;
}

char *xnm_client_column(char *dst, const struct xnm_config *config, const struct xnm_reply *reply)
{
    const struct xnm_prefix client = shown(config, reply);
    char text[XNM_PREFIX_TEXT_MAX];

    if (config->log_client == XNM_LOG_CLIENT_NONE)
        return xnm_format(dst, "-");
    return xnm_format(dst, xnm_prefix_text(&client, text));
}

char *xnm_client_member(char *dst, const struct xnm_config *config, const struct xnm_reply *reply)
{
    struct xnm_prefix client = shown(config, reply);
    uint8_t usual = config->log_client == XNM_LOG_CLIENT_PREFIX
                        ? xnm_format_prefix_len(client.address.len)
                        : (uint8_t)(8 * client.address.len);
    bool is_usual = client.bits == usual;
    char text[XNM_PREFIX_TEXT_MAX];

    if (config->log_client == XNM_LOG_CLIENT_NONE)
        return dst;
    if (is_usual)
        client = xnm_prefix_whole(&client.address);
    dst = xnm_format(dst, is_usual ? ",\"client.ip\":\"" : ",\"client.address\":\"");
    return xnm_format(xnm_format(dst, xnm_prefix_text(&client, text)), "\"");
}
