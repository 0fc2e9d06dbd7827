/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/digest.h"

#include <string.h>

#define XXH_INLINE_ALL /* a state may lie on the stack */
#include <xxhash.h>

/* Two types, which clang-tidy 14 takes for one. NOLINTNEXTLINE(misc-redundant-expression) */
_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct xnm_digest) &&
                   _Alignof(XXH3_state_t) <= _Alignof(struct xnm_digest),
               "a state has room");

static XXH3_state_t *state_of(struct xnm_digest *digest)
{
    /* xnm_digest_open has one that it is about to set. */
    /* cppcheck-suppress ctuuninitvar */
    return (void *)digest->state;
}

void xnm_digest_open(struct xnm_digest *digest)
{
    XXH3_INITSTATE(state_of(digest));
    XXH3_128bits_reset(state_of(digest));
}

void xnm_digest_add(struct xnm_digest *digest, const void *octets, size_t len)
{
    if (len > 0)
        XXH3_128bits_update(state_of(digest), octets, len);
}

void xnm_digest_close(struct xnm_digest *digest, uint8_t dst[XNM_DIGEST])
{
    XXH128_canonical_t canonical;

    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_of(digest)));
    _Static_assert(sizeof canonical.digest == XNM_DIGEST, "all of it");
    memcpy(dst, canonical.digest, XNM_DIGEST);
}
