#!/usr/bin/perl
# bench:judges over Authen::WebAuthn: as server.pl calls it, without the server. Arguments: FILE ORIGIN RP-ID.
use strict;
use warnings;
use Authen::WebAuthn;
use JSON qw(decode_json encode_json);
use Time::HiRes qw(clock_gettime CLOCK_PROCESS_CPUTIME_ID);

my ( $file, $origin, $rp_id ) = @ARGV;
my $library = Authen::WebAuthn->new( rp_id => $rp_id, origin => $origin );
my ( %groups, %stored );

sub judge {
    my ($line)   = @_;
    my $body     = decode_json( $line->{body} );
    my $response = $body->{response};
    my %common   = (
        challenge_b64        => $line->{challenge},
        requested_uv         => 'required',
        client_data_json_b64 => $response->{clientDataJSON},
    );
    if ( $line->{group} eq 'registration' ) {
        $stored{ $line->{id} } =
          $library->validate_registration( %common, attestation_object_b64 => $response->{attestationObject} );
        return;
    }
    $library->validate_assertion(
        %common,
        credential_pubkey_b64  => $stored{ $line->{id} }{credential_pubkey},
        stored_sign_count      => $stored{ $line->{id} }{signature_count},
        authenticator_data_b64 => $response->{authenticatorData},
        signature_b64          => $response->{signature},
        extension_results      => $body->{clientExtensionResults},
    );
}

open my $lines, '<', $file or die "$file: $!";
while ( my $text = <$lines> ) {
    my $line    = decode_json($text);
    my $began   = clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
    my $good    = eval { judge($line); 1 };
    my $seconds = clock_gettime(CLOCK_PROCESS_CPUTIME_ID) - $began;
    next if $line->{warm};
    my $group = $groups{ $line->{group} } //= { verified => 0, refused => 0, seconds => 0 };
    $group->{seconds} += $seconds;
    $group->{ $good ? 'verified' : 'refused' }++;
    $group->{reason} //= "$@" unless $good;
}
open my $status, '<', '/proc/self/status' or die $!;
my ($kib) = map { /^VmHWM:\s+(\d+)/ ? $1 : () } <$status>;
print encode_json( { groups => \%groups, rss => $kib * 1024 } ), "\n";
