/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the client that a forwarder names (reply->subnet) as log-client says: whole, or shortened
 * to the prefix that it shows of any address. */
#ifndef XNM_MODULE_LOG_CLIENT_H
#define XNM_MODULE_LOG_CLIENT_H

struct xnm_config;
struct xnm_reply;

/* Writes it as the first column of a line of text: an address, a network such as 192.0.2.0/24, or
 * "-". At most XNM_FORMAT_ADDRESS_MAX octets. Returns the end. */
char *xnm_client_column(char *dst, const struct xnm_config *config, const struct xnm_reply *reply);

/* Writes it as a member of an object, with a comma before it: client.ip, or client.address for a
 * network of another length than log-client shows; nothing with `log-client: none`. The port is the
 * forwarder's and is left out. Returns the end. */
char *xnm_client_member(char *dst, const struct xnm_config *config, const struct xnm_reply *reply);

#endif
