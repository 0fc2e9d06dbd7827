#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# words.sh TARGET: a dictionary for libFuzzer, of the words in the sources of the readers that TARGET
# calls. Run it from the top of the tree.
set -eu

case $1 in
config) sources='module/config/config.c module/config/whykeys.c' ;;
rules) sources='module/rule/*.c core/lookalike/lookalike.c core/lookalike/script.c' ;;
rpz) sources='module/list/rpzfile.c module/zone/*.c' ;;
rdata) sources='module/zone/*.c' ;;
rpzprint) sources='module/rule/*.c module/list/rpzfile.c module/zone/*.c' ;;
policyfiles) sources='module/rule/*.c module/list/*.c module/zone/*.c core/lookalike/lookalike.c' ;;
list) sources='module/list/list.c module/name/suffix.c' ;;
logline | report | reportline) sources='module/log/logline.c module/log/logjson.c module/rule/ruletable.c core/idna/finding.c tools/logs/*.c' ;;
*) sources='' ;;
esac

# shellcheck disable=SC2086 # separate words
[ -z "$sources" ] || ls $sources >/dev/null # or words would be missing without an error

# Words without blanks: what has them, or an escape, is a message.
# shellcheck disable=SC2086 # separate words
[ -z "$sources" ] || grep -ohE '"[][A-Za-z0-9@$#!|*^.,:;=_/(){}<>-]{2,24}"' $sources | grep -vE '\.[ch]"$' | sort -u

# Names that only ldns and ICU have tables of.
case $1 in
rules | rpz | rpzprint | policyfiles | rdata)
    for type in A AAAA CAA CERT CNAME DNAME DNSKEY DS EUI48 EUI64 HINFO HTTPS L64 LOC MX NAPTR NS NSEC \
        NSEC3 NSEC3PARAM PTR RRSIG SOA SRV SSHFP SVCB TLSA TXT TYPE65280 URI; do
        echo "\" $type \""
    done
    ;;
script)
    for script in Latn Cyrl Grek Hira Jpan Kore Hanb Hebr Arab Deva; do
        echo "\"$script\""
    done
    ;;
esac
