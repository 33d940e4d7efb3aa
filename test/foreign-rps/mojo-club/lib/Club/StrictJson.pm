package Club::StrictJson;
use Mojo::Base -strict, -signatures;
use Exporter 'import';
use Encode ();
use Mojo::JSON qw(decode_json from_json);

our @EXPORT_OK = qw(decode_strict);

use constant MAX_DEPTH => 16;
my $SPACE  = qr/[ \t\r\n]*+/;
my $STRING = qr/"(?:[^"\\\x00-\x1f]++|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*+"/;
my $NUMBER = qr/-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?/;

# Octets to a value, or undef. Mojo::JSON takes the last of two members of one name, so the text is checked first.
sub decode_strict ($octets) {
  return eval {
    my $text = Encode::decode('UTF-8', my $copy = $octets, Encode::FB_CROAK);
    for ($text) {
      _value(0);
      /\G$SPACE\z/gc or die "more than one value\n";
    }
    decode_json($octets);
  };
}

# The text is in $_ and its position says how far the check has come.
sub _value ($depth) {
  die "too deep\n" if $depth > MAX_DEPTH;
  /\G$SPACE/gc;
  if (/\G\{/gc) {
    my %seen;
    return if /\G$SPACE\}/gc;
    while (1) {
      /\G$SPACE($STRING)$SPACE:/gc or die "no member\n";
      # Names are compared as values: an escape does not make another name.
      die "a member is given twice\n" if $seen{from_json($1)}++;
      _value($depth + 1);
      /\G$SPACE,/gc and next;
      return if /\G$SPACE\}/gc;
      die "the object does not end\n";
    }
  }
  if (/\G\[/gc) {
    return if /\G$SPACE\]/gc;
    while (1) {
      _value($depth + 1);
      /\G$SPACE,/gc and next;
      return if /\G$SPACE\]/gc;
      die "the list does not end\n";
    }
  }
  /\G(?:$STRING|$NUMBER|true|false|null)/gc or die "no value\n";
}

1;
