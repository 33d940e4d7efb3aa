#!/usr/bin/env perl
use Mojolicious::Lite -signatures;
use Mojo::File qw(curfile);
use lib curfile->sibling('lib')->to_string;
use Mojo::IOLoop;
use Mojo::JSON qw(encode_json);
use Mojo::Promise;
use Mojo::Util qw(encode trim);
use Text::QRCode;
use Time::HiRes ();
use Club::Service;

use constant {POLL_EVERY => 0.15, MAX_MISSES => 8, MAX_LIFETIME => 3600, KEEP_ENDED => 600, MAX_ATTEMPTS => 1000};

my $base    = $ENV{FIDO_URL} =~ s{/+\z}{}r;
my $service = Club::Service->new(base => $base, key => $ENV{FIDO_KEY}, secret => $ENV{FIDO_SECRET});

my %members;      # number => {passkeys => {credential_id => credential_name}}
my %attempts;     # id => attempt
my %signed_in;    # browser => {number, seen}

app->secrets([token() . token()]);
app->log->level('warn');
app->max_request_size(32_768);
# Cookies do not know ports: two sites on one host must not share a name.
app->sessions->cookie_name("mojo_club_$ENV{PORT}")->samesite('Lax');

hook after_dispatch => sub ($c) {
  my $headers = $c->res->headers;
  $headers->header('Content-Security-Policy' =>
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
  $headers->header('X-Content-Type-Options' => 'nosniff');
  $headers->cache_control('no-store') unless $headers->last_modified;
};

# The session cookie holds a random name of the browser. Who that browser is stands on the server, so that a copy of an old cookie is worth nothing.
helper browser => sub ($c) { $c->session->{browser} //= token() };

helper member => sub ($c) {
  my $entry = $signed_in{$c->browser} or return undef;
  $entry->{seen} = time;
  return $entry->{number};
};

helper refuse => sub ($c, $message) { $c->flash(refusal => $message)->go("/") };

# 303 makes a GET of whatever came before.
helper go => sub ($c, $address) { $c->res->code(303); $c->redirect_to($address) };

# An attempt exists only for the browser that began it.
helper own_attempt => sub ($c) {
  my $attempt = $attempts{$c->param('id')};
  return $attempt if $attempt && $attempt->{browser} eq $c->browser && $attempt->{state} ne 'starting';
  $c->render('message', heading => 'Not found', message => 'There is no such attempt in this browser.', status => 404);
  return undef;
};

get '/' => sub ($c) { $c->render('home', refusal => $c->flash('refusal')) } => 'home';

get '/members/:number' => [number => qr/[0-9]{5}/] => sub ($c) {
  my $number = $c->member;
  return $c->refuse('Please sign in first.') unless defined $number;
  return $c->render('message', heading => 'Not allowed', message => 'This page is another member\'s.', status => 403)
    unless $number eq $c->param('number');
  my $passkeys = $members{$number}{passkeys};
  $c->render('member', number => $number, passkeys => [map { $passkeys->{$_} } sort keys %$passkeys]);
};

get '/attempts/:id' => sub ($c) {
  my $attempt = $c->own_attempt or return;
  return $c->render('attempt', attempt => $attempt, live => !$attempt->{ended}) unless $attempt->{state} eq 'succeeded';

  # The first visit after the success signs in, under a new name of the browser: an older cookie never becomes a signed-in one.
  unless ($attempt->{claimed}++) {
    delete $signed_in{$c->browser};
    my $browser = $attempt->{browser} = $c->session->{browser} = token();
    $signed_in{$browser} = {number => $attempt->{number}, seen => time};
  }
  # The browser may have signed out since: an old address does not sign in again.
  return $c->go('/') unless ($c->member // '') eq $attempt->{number};
  $c->go("/members/$attempt->{number}");
};

get '/attempts/:id/events' => sub ($c) {
  my $attempt = $c->own_attempt or return;
  $c->inactivity_timeout(60);
  $c->res->headers->content_type('text/event-stream; charset=utf-8')->cache_control('no-store');
  $c->write(event_of($attempt));
  return $c->finish if $attempt->{ended};

  $attempt->{listeners}{my $name = token()} = $c;
  my $pulse = Mojo::IOLoop->recurring(15 => sub { $c->write(": still here\n\n") });
  $c->on(finish => sub { Mojo::IOLoop->remove($pulse); delete $attempt->{listeners}{$name} });
};

under sub ($c) {
  return 1 unless $c->req->method eq 'POST' && $c->validation->csrf_protect->has_error('csrf_token');
  $c->render('message', heading => 'Not accepted', message => 'The form was too old. Please go back and try again.', status => 403);
  return undef;
};

post '/register' => sub ($c) { begin($c, 'registration') };
post '/sign-in'  => sub ($c) { begin($c, 'sign-in') };

post '/sign-out' => sub ($c) {
  end_attempts_of($c->browser);
  delete $signed_in{$c->browser};
  $c->session->{browser} = token();
  $c->go('/');
};

any '/*any' => {any => ''} => sub ($c) {
  $c->render('message', heading => 'Not found', message => 'There is no such page.', status => 404);
};

sub begin ($c, $kind) {
  my $typed = trim($c->req->body_params->param('number') // '');
  return $c->refuse('A member number has one to five digits.') unless $typed =~ /\A[0-9]{1,5}\z/ && $typed > 0;
  my $number = sprintf '%05d', $typed;
  my $known  = exists $members{$number};
  my $mine   = ($c->member // '') eq $number;

  if ($kind eq 'sign-in') {
    return $c->refuse("No passkey is registered for member $number.") unless $known;
  }
  else {
    return $c->refuse("Member $number has a passkey already. Sign in with it.") if $known && !$mine;
    return $c->refuse("Member $number is being registered in another browser. Try again in a few minutes.")
      if !$known && reserved($number, $c->browser);
  }
  return $c->refuse('There are too many visitors at the moment. Try again later.') if keys %attempts >= MAX_ATTEMPTS;

  # A browser has one attempt: an older one must not sign it in later.
  end_attempts_of($c->browser);
  my $id      = token();
  my $attempt = $attempts{$id} = {
    id        => $id,
    kind      => $kind,
    number    => $number,
    user_id   => "club.2026.$number",
    browser   => $c->browser,
    adding    => $known,
    state     => 'starting',
    listeners => {},
    misses    => 0,
  };

  my $tx = $c->render_later->tx;
  my $ready = $kind eq 'registration' ? baseline_p($attempt) : Mojo::Promise->resolve;
  $ready->then(sub { options_p($attempt) })->then(
    sub {
      # The browser can have begun something else, or signed out, in the meantime.
      return $c->refuse('Another attempt, or a sign-out, has taken its place.') unless $attempt->{state} eq 'starting';
      $attempt->{state}   = 'waiting';
      $attempt->{expirer} = Mojo::IOLoop->timer($attempt->{expires_at} - Time::HiRes::time,
        sub { $attempt->{settled} = 1; end_attempt($attempt, 'failed', 'The time is over.') });
      Mojo::IOLoop->timer(POLL_EVERY, sub { poll($attempt) });
      $c->go("/attempts/$id");
    }
  )->catch(
    sub ($error) {
      # No code was shown, so that nobody can answer this one.
      delete $attempts{$id};
      $c->app->log->error($error) unless ref $error;
      $c->refuse(ref $error ? $error->{word} : 'Something went wrong. Please try again.');
    }
  );
}

# What the account has before a registration.
sub baseline_p ($attempt) {
  return credentials_p($attempt)->then(
    sub ($list) {
      die {word => 'The sign-in service gives no usable answer. Please try again later.'} unless $list;
      my @ids = sort keys %$list;
      $attempt->{before} = {map { $_ => 1 } @ids};
      return undef if !@ids || $attempt->{adding};

      # A registration that was not confirmed can leave a passkey behind. The club has no account for it, and it must not open the account that is made now.
      return $service->call_p(DELETE => '/rp/credentials', {}, {user_id => $attempt->{user_id}, credential_ids => \@ids})->then(
        sub ($answer) {
          my $total = usable($answer) ? $answer->{data}{total} : undef;
          die {word => 'The sign-in service could not prepare the registration. Please try again later.'}
            unless Club::Service::is_number($total) && $total == @ids;
        }
      );
    }
  );
}

sub options_p ($attempt) {
  my $sign_in = $attempt->{kind} eq 'sign-in';
  return $service->call_p(
    POST => $sign_in ? '/rp/assertion/options' : '/rp/attestation/options',
    {},
    {user_id => $attempt->{user_id}, username => "Member $attempt->{number}", $sign_in ? (method => 'qrcode') : ()}
  )->then(
    sub ($answer) {
      if (!usable($answer)) {
        my $code = $answer ? $answer->{code} : 0;
        die {word => 'The sign-in service knows no passkey of this member.'}              if $code == 40403;
        die {word => 'This member has as many passkeys as are allowed.'}                  if $code == 40901;
        die {word => 'The sign-in service gives no usable answer. Please try again later.'};
      }
      my ($url, $expires_at) = $answer->{data}->@{qw(url expires_at)};
      my $start = "$base/m#" . ($sign_in ? 'a' : 'r');
      die {word => 'The sign-in service gave a code that cannot be trusted. Please try again later.'}
        unless is_text($url) && $url =~ /\A\Q$start\E([A-Za-z0-9_-]{16,100})\z/;
      my $msg_id = $1;
      my $now    = Time::HiRes::time;
      die {word => 'The sign-in service gave no usable time limit. Please try again later.'}
        unless Club::Service::is_number($expires_at) && $expires_at > $now && $expires_at <= $now + MAX_LIFETIME;
      die {word => 'The sign-in service gave a code that was given before. Please try again later.'}
        if grep { ($_->{msg_id} // '') eq $msg_id } values %attempts;
      $attempt->@{qw(msg_id expires_at code)} = ($msg_id, $expires_at, code_of($url));
    }
  );
}

# The next poll begins only after the answer to the one before.
sub poll ($attempt) {
  return if $attempt->{ended};
  my $path = $attempt->{kind} eq 'sign-in' ? '/rp/assertion/result' : '/rp/attestation/result';
  $service->call_p(GET => $path, {msg_id => $attempt->{msg_id}})->then(
    sub ($answer) {
      return if $attempt->{ended};
      my ($word, $detail) = judge($attempt, $answer);
      if ($word eq 'ended') {
        $attempt->{settled} = 1;
        return end_attempt($attempt, 'failed', $detail);
      }
      if ($word eq 'success') {
        $attempt->{settled} = 1;
        return end_attempt($attempt, 'succeeded') if $attempt->{kind} eq 'sign-in';
        # The success was read in time. The rest has a limit of its own.
        Mojo::IOLoop->remove($attempt->{expirer});
        $attempt->{misses} = 0;
        return confirm($attempt);
      }
      if ($word eq 'none') {
        return end_attempt($attempt, 'failed', 'The sign-in service gives no usable answer.') if ++$attempt->{misses} >= MAX_MISSES;
      }
      else {
        $attempt->{misses} = 0;
        announce($attempt, 'scanned', $detail) if $word eq 'bind' && $attempt->{state} eq 'waiting';
      }
      Mojo::IOLoop->timer(POLL_EVERY, sub { poll($attempt) });
    }
  )->catch(sub ($error) { broken($attempt, $error) });
}

# init, bind, success, ended or none, and a word for the user.
sub judge ($attempt, $answer) {
  return 'none' unless $answer;
  return ended => 'The result was read before. Nobody is signed in by it.' if $answer->{code} == 41001;
  return ended => 'The sign-in service does not know this attempt any more.' if $answer->{code} == 40402;
  my $data = $answer->{data};
  return 'none' unless ref $data eq 'HASH' && is_text($data->{status});
  my $status = $data->{status};

  # A final word is final even if the rest of the answer is wrong; but only a flawless success counts.
  return ended => 'The time is over.' if $status eq 'timeout';
  if ($status eq 'fail') {
    my $reason = is_text($data->{error}) ? $data->{error} : '';
    return ended => 'It was rejected on the phone.' if $reason =~ /\Auser_rejected\b/;
    return ended => length $reason ? 'The sign-in service says: ' . substr($reason, 0, 200) : 'The sign-in service refused it.';
  }
  if ($status eq 'success') {
    my $right = usable($answer)
      && is_text($data->{svc_user}) && length $data->{svc_user}
      && no_error($data) && no_error($answer)
      && ($attempt->{kind} ne 'sign-in' || is_text($data->{user_id}) && $data->{user_id} eq $attempt->{user_id});
    return $right ? 'success' : (ended => 'The answer of the sign-in service does not fit.');
  }
  return 'none' unless usable($answer) && ($status eq 'init' || $status eq 'bind');
  return $status => is_text($data->{svc_user}) ? substr($data->{svc_user}, 0, 100) : '';
}

# A registration counts when the list has a passkey that was not there before.
sub confirm ($attempt) {
  return if $attempt->{ended};
  credentials_p($attempt)->then(
    sub ($list) {
      return if $attempt->{ended};
      if ($list && grep { !$attempt->{before}{$_} } keys %$list) {
        my $number = $attempt->{number};
        my $mine   = ($signed_in{$attempt->{browser}} // {number => ''})->{number} eq $number;
        return end_attempt($attempt, 'failed', 'This member has a passkey already.') if $members{$number} && !$mine;
        delete $list->@{keys $attempt->{before}->%*} unless $attempt->{adding};
        $members{$number}{passkeys} = $list;
        return end_attempt($attempt, 'succeeded');
      }
      return end_attempt($attempt, 'failed', 'The sign-in service does not show the new passkey.')
        if ++$attempt->{misses} >= MAX_MISSES;
      Mojo::IOLoop->timer(POLL_EVERY, sub { confirm($attempt) });
    }
  )->catch(sub ($error) { broken($attempt, $error) });
}

# The user's own credentials as {id => name}, or undef.
sub credentials_p ($attempt) {
  return $service->call_p(GET => '/rp/credentials', {user_id => $attempt->{user_id}})->then(
    sub ($answer) {
      return undef unless usable($answer) && ref $answer->{data}{list} eq 'ARRAY';
      my %own;
      for my $entry ($answer->{data}{list}->@*) {
        next unless ref $entry eq 'HASH' && is_text($entry->{user_id}) && $entry->{user_id} eq $attempt->{user_id};
        next unless is_text($entry->{credential_id}) && length $entry->{credential_id};
        $own{$entry->{credential_id}} = is_text($entry->{credential_name}) ? $entry->{credential_name} : 'Passkey';
      }
      return \%own;
    }
  );
}

sub usable ($answer) { $answer && $answer->{http} == 200 && $answer->{code} == 0 && ref $answer->{data} eq 'HASH' }

sub is_text ($value) { defined $value && !ref $value && !Club::Service::is_number($value) }

sub no_error ($object) { !exists $object->{error} || !defined $object->{error} || is_text($object->{error}) && $object->{error} eq '' }

# Another browser's code for this number can still be answered: its passkey would open the account that somebody else makes now.
sub reserved ($number, $browser) {
  return scalar grep {
    $_->{kind} eq 'registration'
      && $_->{number} eq $number
      && $_->{browser} ne $browser
      && !$_->{settled}
      && ($_->{state} eq 'starting' || ($_->{expires_at} // 0) > time)
  } values %attempts;
}

sub end_attempts_of ($browser) {
  end_attempt($_, 'failed', 'Another attempt, or a sign-out, has taken its place.') for grep { $_->{browser} eq $browser } values %attempts;
}

sub end_attempt ($attempt, $state, $detail = '') {
  return if $attempt->{ended};
  $attempt->{ended} = time;
  Mojo::IOLoop->remove($attempt->{expirer}) if $attempt->{expirer};
  announce($attempt, $state, $detail);
  $_->finish for values $attempt->{listeners}->%*;
}

sub broken ($attempt, $error) {
  app->log->error($error);
  end_attempt($attempt, 'failed', 'Something went wrong.');
}

sub announce ($attempt, $state, $detail) {
  $attempt->@{qw(state detail)} = ($state, $detail);
  $_->write(event_of($attempt)) for values $attempt->{listeners}->%*;
}

sub event_of ($attempt) {
  return 'data: ' . encode_json({ended => $attempt->{ended} ? \1 : \0, words => words_of($attempt)}) . "\n\n";
}

sub words_of ($attempt) {
  my $what = $attempt->{kind} eq 'sign-in' ? 'Sign-in' : 'Registration';
  my ($state, $detail) = $attempt->@{qw(state detail)};
  return 'Waiting for the phone.'                                                      if $state eq 'waiting';
  return 'Scanned' . (length $detail ? " by $detail" : '') . '. Confirm on the phone.' if $state eq 'scanned';
  return "$what succeeded."                                                            if $state eq 'succeeded';
  return "$what failed. $detail";
}
helper words_of => sub ($c, $attempt) { words_of($attempt) };

# The code as rows of modules for the template, with a quiet zone of four modules.
sub code_of ($url) {
  my $rows = Text::QRCode->new(level => 'M', casesensitive => 1)->plot(encode('UTF-8', $url));
  my $path = '';
  for my $y (0 .. $#$rows) {
    for my $x (0 .. $#{$rows->[$y]}) {
      $path .= sprintf 'M%d %dh1v1h-1z', $x + 4, $y + 4 if $rows->[$y][$x] eq '*';
    }
  }
  return {size => @$rows + 8, path => $path};
}

sub token {
  open my $source, '<:raw', '/dev/urandom' or die "no source of random octets: $!";
  read($source, my $octets, 16) == 16 or die 'no random octets';
  return unpack 'H*', $octets;
}

# Old entries go. An attempt that reserves a number stays until its time is over.
Mojo::IOLoop->recurring(
  30 => sub {
    my $now = time;
    delete @attempts{grep { my $a = $attempts{$_}; $a->{ended} && $a->{ended} + KEEP_ENDED < $now && ($a->{expires_at} // 0) < $now } keys %attempts};
    delete @signed_in{grep { $signed_in{$_}{seen} + 3600 < $now } keys %signed_in};
  }
);

app->start;
