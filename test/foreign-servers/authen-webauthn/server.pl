#!/usr/bin/perl
# The test API of FIDO's conformance program over Authen::WebAuthn (Debian's libauthen-webauthn-perl) and Mojolicious::Lite,
# from Authen::WebAuthn(3pm), and for the algorithms from its table of them.
#
# The library validates a registration and an assertion, and compares the counter. It makes no options, knows no users and
# takes neither a credential's id, rawId and type nor a user handle. The glue of this file: challenge and options; a challenge
# is used once; a sign-in's credential is found by its id among the session's user's own; a user handle that is sent must be
# that user's; a known credential ID is refused. It looks at no rawId and no type, and at no id in a registration, and hands
# over the client extension results as they came. The manual says "ECC/RSA keys"; that table has ES256, RS256, PS256.
# The library verifies no chain of trust. The manual says that it croaks on errors: whatever dies in it is a refusal.
#
# PORT and ORIGIN come from the environment; it prints its address as JSON, and forgets all when it ends.
use Mojolicious::Lite -signatures;
use Authen::WebAuthn;
use Crypt::PRNG qw(random_bytes random_bytes_hex);
use MIME::Base64 qw(encode_base64url);
use Mojo::Server::Daemon;
use Mojo::URL;

my ( %users, %known, %sessions );
my $daemon = Mojo::Server::Daemon->new( app => app, silent => 1, listen => [ 'http://127.0.0.1:' . ( $ENV{PORT} // 0 ) ] );

sub here ()   { 'http://localhost:' . $daemon->ports->[0] }
sub origin () { $ENV{ORIGIN} // here }
sub rp_id ()  { Mojo::URL->new(origin)->host }

sub relying_party () { Authen::WebAuthn->new( rp_id => rp_id, origin => origin ) }

sub descriptors ($user) {
    return [ map { +{ type => 'public-key', id => $_->{id} } } @{ $user->{credentials} } ];
}

# The challenge of a ceremony, once.
sub begun ( $session, $ceremony ) {
    return delete $session->{$ceremony} // die "nothing was begun\n";
}

my %routes = (
    '/attestation/options' => sub ( $body, $session ) {
        my $name = $body->{username};
        die "username is missing\n" unless length $name;
        my $user = $users{$name} //= { handle => encode_base64url( random_bytes(32) ), credentials => [] };
        my $options = {
            rp               => { id => rp_id, name => 'Authen::WebAuthn' },
            user             => { id => $user->{handle}, name => $name, displayName => $body->{displayName} // $name },
            challenge        => encode_base64url( random_bytes(32) ),
            pubKeyCredParams => [ map { +{ type => 'public-key', alg => $_ } } -7, -257, -37 ],
            timeout          => 60000,
            excludeCredentials => descriptors($user),
            attestation        => $body->{attestation} // 'none',
            map { $_ => $body->{$_} } grep { $body->{$_} } qw(authenticatorSelection extensions),
        };
        $session->{attestation} = { user => $user, options => $options };
        return $options;
    },
    '/attestation/result' => sub ( $body, $session ) {
        my ( $user, $options ) = @{ begun( $session, 'attestation' ) }{qw(user options)};
        my $result = relying_party->validate_registration(
            challenge_b64          => $options->{challenge},
            requested_uv           => $options->{authenticatorSelection}{userVerification} // 'preferred',
            client_data_json_b64   => $body->{response}{clientDataJSON},
            attestation_object_b64 => $body->{response}{attestationObject},
        );
        die "this credential is known\n" if $known{ $result->{credential_id} }++;
        push @{ $user->{credentials} }, {
            id    => $result->{credential_id},
            key   => $result->{credential_pubkey},
            count => $result->{signature_count},
        };
        return {};
    },
    '/assertion/options' => sub ( $body, $session ) {
        my $user    = $users{ $body->{username} // '' } // die "no such user\n";
        my $options = {
            challenge        => encode_base64url( random_bytes(32) ),
            timeout          => 60000,
            rpId             => rp_id,
            allowCredentials => descriptors($user),
            userVerification => $body->{userVerification} // 'preferred',
            map { $_ => $body->{$_} } grep { $body->{$_} } qw(extensions),
        };
        $session->{assertion} = { user => $user, options => $options };
        return $options;
    },
    '/assertion/result' => sub ( $body, $session ) {
        my ( $user, $options ) = @{ begun( $session, 'assertion' ) }{qw(user options)};
        my ($credential) = grep { $_->{id} eq ( $body->{id} // '' ) } @{ $user->{credentials} };
        die "no such credential of this user\n" unless $credential;
        my $handle = $body->{response}{userHandle};
        die "the user handle is somebody else's\n" if length $handle && $handle ne $user->{handle};
        my $result = relying_party->validate_assertion(
            challenge_b64          => $options->{challenge},
            credential_pubkey_b64  => $credential->{key},
            stored_sign_count      => $credential->{count},
            requested_uv           => $options->{userVerification},
            client_data_json_b64   => $body->{response}{clientDataJSON},
            authenticator_data_b64 => $body->{response}{authenticatorData},
            signature_b64          => $body->{response}{signature},
            extension_results      => $body->{clientExtensionResults},
        );
        $credential->{count} = $result->{signature_count};
        return {};
    },
);

for my $path ( keys %routes ) {
    post $path => sub ($c) {
        my $sid = $c->cookie('sid') // random_bytes_hex(16);
        $c->cookie( sid => $sid, { httponly => 1, path => '/' } );
        my $answer = eval { $routes{$path}->( $c->req->json // {}, $sessions{$sid} //= {} ) };
        return $c->render( json => { %$answer, status => 'ok', errorMessage => '' } ) if $answer;
        $c->render( status => 400, json => { status => 'failed', errorMessage => "$@" } );
    };
}

app->log->level('fatal');
$daemon->start;
$| = 1;
print '{"url":"', here, qq("}\n);
$daemon->run;
