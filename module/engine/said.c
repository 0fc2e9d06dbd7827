/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/said.h"

#include "module/base/rrtype.h"

enum { OPTION_EDE = 15, CODE_LEN = 2 }; /* RFC 8914, section 2 */

/* Finds the extended error among the options of an OPT record. */
static void find_error(const uint8_t *options, size_t left, struct xnm_reply_error *error)
{
    struct xnm_packet_edns_option option;

    while (!error->is_there && xnm_packet_next_option(&options, &left, &option)) {
        if (option.code == OPTION_EDE && option.len >= CODE_LEN)
            *error =
                (struct xnm_reply_error){true, (uint16_t)(option.data[0] << 8 | option.data[1]),
                                         option.len - CODE_LEN, option.data + CODE_LEN};
    }
}

/* Reads the OPT record. Returns the upper bits of the rcode. */
static int read_opt(struct xnm_said *said, struct xnm_reply *reply)
{
    enum { DNSSEC_OK = 0x8000 }; /* RFC 3225, section 3 */
    struct xnm_packet_walk walk = xnm_packet_walk(&said->packet);
    struct xnm_packet_record *record = &said->record;

    while (said->packet.counts[XNM_IN_ADDITIONAL] > 0 && xnm_packet_next(&walk, record)) {
        if (record->type != XNM_TYPE_OPT || record->section != XNM_IN_ADDITIONAL)
            continue;
        reply->dnssec_ok = record->ttl & DNSSEC_OK;
        find_error(said->packet.octets + record->rdata_at, record->rdata_len, &reply->error);
        return (int)(record->ttl >> 24) << 4;
    }
    return 0;
}

/* answers->at and left are those of a walk over the packet. Signatures are left out, but not what a
 * question for signatures has. */
static bool next_answer(struct xnm_answers *answers, struct xnm_answer *answer)
{
    struct xnm_said *said = (struct xnm_said *)(uintptr_t)answers->source;
    const struct xnm_packet *packet = &said->packet;
    struct xnm_packet_record *record = &said->record;
    struct xnm_packet_walk walk = xnm_packet_walk(packet);

    if (answers->at > 0) {
        walk.at = answers->at;
        walk.left = (unsigned)answers->left;
    }
    do {
        if (walk.left == 0 || !xnm_packet_next(&walk, record))
            return false;
    } while (record->type == XNM_TYPE_RRSIG && packet->qtype != XNM_TYPE_RRSIG);
    answers->at = walk.at;
    answers->left = walk.left;
    *answer = (struct xnm_answer){
        record->owner, record->owner_len, record->type,     record->rclass,
        record->ttl,   packet->octets,    record->rdata_at, record->rdata_at + record->rdata_len};
    return true;
}

int xnm_said_read(struct xnm_said *said, struct xnm_reply *reply)
{
    reply->has_flags = true;
    reply->dnssec_ok = false;
    reply->flags = said->packet.flags;
    reply->error.is_there = false;
    reply->next_answer = next_answer;
    reply->answer_source = said;
    return (said->packet.flags & XNM_PACKET_RCODE) | read_opt(said, reply);
}
