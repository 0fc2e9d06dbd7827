/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/zone/mnemonic.h"

#include <ldns/ldns.h>

/* ldns returns the descriptor of another type for types that it does not know. */
const char *xnm_mnemonic_type(uint16_t type)
{
    const ldns_rr_descriptor *descriptor = ldns_rr_descript(type);

    return descriptor->_type == type ? descriptor->_name : NULL;
}

static const char *find(ldns_lookup_table *table, int id)
{
    const ldns_lookup_table *row = ldns_lookup_by_id(table, id);

    return row ? row->name : NULL;
}

const char *xnm_mnemonic_class(uint16_t rclass)
{
    return find(ldns_rr_classes, rclass);
}

const char *xnm_mnemonic_rcode(int rcode)
{
    return find(ldns_rcodes, rcode);
}
