#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# What an administrator would write where there is no `unbound-idn filter`: RFC 3492 and a memory of what was decoded.
# Shows whatever it can decode, valid or misleading.
use strict;
use warnings;

sub decode {
    my ($literals, $digits) = $_[0] =~ /^(?:(.+)-)?([a-z0-9]+)$/ or return;
    my @label = map { ord } split //, $literals // '';
    my ($n, $i, $bias, $first) = (128, 0, 72, 1);
    while ($digits ne '') {
        my ($old, $w, $k) = ($i, 1, 36);
        while (1) {
            my $digit = ord substr $digits, 0, 1, '' or return;
            $digit -= $digit >= 97 ? 97 : 22;
            $i += $digit * $w;
            my $t = $k <= $bias ? 1 : $k >= $bias + 26 ? 26 : $k - $bias;
            last if $digit < $t;
            return if $digits eq '';
            $w *= 36 - $t;
            $k += 36;
        }
        my $delta = int(($i - $old) / ($first ? 700 : 2));
        $delta += int($delta / (@label + 1));
        for ($bias = 0; $delta > 455; $bias += 36) { $delta = int($delta / 35) }
        $bias += int(36 * $delta / ($delta + 38));
        $n += int($i / (@label + 1));
        $i %= @label + 1;
        return if $n > 0x10FFFF;
        splice @label, $i++, 0, $n;
        $first = 0;
    }
    my $shown = join '', map { chr } @label;
    utf8::encode($shown);
    return $shown;
}

my %shown;
while (my $line = <STDIN>) {
    $line =~ s/\b(xn--([a-z0-9-]+))/$shown{$1} \/\/= decode(lc $2) \/\/ $1/gie;
    print $line;
}
