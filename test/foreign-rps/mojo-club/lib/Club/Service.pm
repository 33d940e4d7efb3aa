package Club::Service;
use Mojo::Base -base, -signatures;
use Digest::SHA qw(hmac_sha256_hex sha256_hex);
use Mojo::JSON qw(encode_json);
use Mojo::URL;
use Mojo::UserAgent;
use Mojo::Util qw(encode url_escape);
use POSIX qw(strftime);
use Club::StrictJson qw(decode_strict);

has [qw(base key secret)];

has ua => sub {
  my $ua = Mojo::UserAgent->new(
    connect_timeout    => 3,
    inactivity_timeout => 3,
    request_timeout    => 3,
    max_redirects      => 0,
    max_response_size  => 65_536,
    # A kept connection can be dead when the next request needs it, and a begin is not repeated.
    max_connections => 0,
  );
  # A compressed body is not asked for, and a small one can unpack to a very large one.
  $ua->transactor->compressed(0)->name('mojo-club');
  $ua->cookie_jar->ignore(sub ($cookie) {1});
  return $ua;
};

# One signed request. The promise gives {http, code, data}, or undef when the answer cannot be used; it is never rejected.
sub call_p ($self, $method, $path, $query = {}, $body = undef) {
  my $params = join '&', map { _escape($_) . '=' . _escape($query->{$_}) } sort keys %$query;
  my $url    = Mojo::URL->new($self->base . $path . (length $params ? "?$params" : ''));
  my $octets = defined $body ? encode_json($body) : '';

  my %headers = (Host => $url->host_port, 'X-Svc-Date' => strftime('%Y%m%dT%H%M%SZ', gmtime));
  $headers{'Content-Type'} = 'application/json' if defined $body;
  $headers{Authorization} = $self->_authorization($method, $url->path->to_string, $params, \%headers, $octets);

  my $tx = $self->ua->build_tx($method => $url => \%headers => $octets);
  return $self->ua->start_p($tx)->then(
    sub ($tx) {
      my $res    = $tx->res;
      return undef unless _is_whole($res);
      my $answer = decode_strict($res->body);
      return undef unless ref $answer eq 'HASH' && is_number($answer->{code});
      return {http => $res->code, code => $answer->{code}, data => $answer->{data}, error => $answer->{error}};
    }
  )->catch(sub ($error) {undef});
}

# Mojo takes a body that is cut for a whole one. It removes Transfer-Encoding after the last chunk.
sub _is_whole ($res) {
  my $headers = $res->headers;
  return 0 if defined $headers->transfer_encoding || defined $headers->content_encoding;
  my $length = $headers->content_length;
  return !defined $length || $length =~ /\A[0-9]+\z/ && $length == length $res->body;
}

sub _authorization ($self, $method, $path, $params, $headers, $octets) {
  my %signed = map { (lc $_ => $headers->{$_}) } keys %$headers;
  my $names  = join ';', sort keys %signed;
  my $lines  = join '', map {"$_:$signed{$_}\n"} sort keys %signed;
  my $scope  = 'fido-server/';

  my $canonical = join "\n", $method, $path, $params, $lines, $names, sha256_hex($octets);
  my $to_sign   = join "\n", 'SVC-HMAC-SHA256', $signed{'x-svc-date'}, $scope, sha256_hex($canonical);
  return sprintf 'SVC-HMAC-SHA256 %s/%s,%s,%s', $self->key, $scope, $names, hmac_sha256_hex($to_sign, $self->secret);
}

sub _escape ($text) { url_escape(encode('UTF-8', $text), '^A-Za-z0-9\-._~') }

# A JSON number: a string of digits, true and null are none.
sub is_number ($value) {
  no warnings 'experimental::builtin';
  return defined $value && !ref $value && builtin::created_as_number($value);
}

1;
