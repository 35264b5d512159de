#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# A bank with Perl's SOAP::Lite and no WSDL: rpc/encoded, named and nameless parameters, Perl's lists as SOAP's arrays.
#
#     bank_with_perl.pl WSDL
use strict;
use warnings;
use utf8;
use SOAP::Lite;

my $text = 'Остаток: 5 < 7 & «ещё» № 1';
my ($address) = split /\?/, $ARGV[0];
binmode STDOUT, ':encoding(UTF-8)';
binmode STDERR, ':encoding(UTF-8)';

sub expect {
    my ($what, $wanted, $found) = @_;
    die "$what: $found in place of $wanted\n" unless $wanted eq $found;
}

# Perl would send what is not ASCII as Base64 if the type were its own to guess.
sub notification {
    my ($id, $badge) = @_;
    my %content = (
        badge => $badge,
        text => SOAP::Data->type(string => $text),
        type => 'UNIVERSAL',
    );
    return { id => $id, recipients => [qw(anna nobody)], timeout => 600, pushContent => \%content };
}

sub calls {
    my ($name, $version, $parameter) = @_;
    my $bus = SOAP::Lite->soapversion($version)->proxy($address)->ns('http://inbound.sbi.pigeon.idamobile.com/');
    $bus->on_fault(sub { });
    my $call = sub { my ($operation, $key, $value) = @_; $bus->call($operation => $parameter->($key, $value)) };

    my $sent = $call->(sendNotification => notification => notification($name, 3));
    die "$name: a fault\n" if $sent->fault;
    expect("$name status", 'OK', $sent->valueof('//return/status'));
    my %statuses = map { $_->{key} => $_->{value} } $sent->valueof('//deliveryStatus/entry');
    expect("$name statuses", 'QUEUED INVALID_SUBSCRIPTION', "@statuses{qw(anna nobody)}");
    my $again = $call->(sendNotification => notification => notification($name, 3));
    expect("$name again", 'DUPLICATED_ENTITY', $again->valueof('//return/status'));
    my @entries = $call->(getDeliveryStatus => id => $name)->valueof('//deliveryStatus/entry');
    expect("$name delivery", 2, scalar @entries);
    my $absent = $call->(getDeliveryStatus => id => 'none');
    expect("$name no such", 'ENTITY_NOT_FOUND', $absent->valueof('//return/status'));
    expect("$name text", $text, $call->(getNotificationDetails => id => $name)->valueof('//pushContent/text'));
    expect("$name anna", 'true', $call->(checkSubscriptionExists => user => 'anna')->valueof('//exists'));
    expect("$name list", 'false', $call->(checkSubscriptionExists => user => [qw(anna nobody)])->valueof('//exists'));
    my $deleted = $call->(deleteSubscription => user => 'nobody');
    expect("$name delete", 'ENTITY_NOT_FOUND', $deleted->valueof('//return/status'));
    my $bad = $call->(sendNotification => notification => notification("$name-bad", -1));
    die "$name: no fault\n" unless $bad->fault;
    my $words = $bad->faultstring // $bad->valueof('//Fault/Reason/Text');
    expect("$name fault", 1, $words =~ /notification\.pushContent\.badge/ ? 1 : 0);
    print "SOAP::Lite, $name: all five operations\n";
}

calls('perl-named', 1.1, sub { SOAP::Data->name(@_) });
calls('perl-nameless', 1.1, sub { $_[1] });
calls('perl-12', 1.2, sub { SOAP::Data->name(@_) });
