# frozen_string_literal: true

# The test API of FIDO's conformance program over the gem webauthn (webauthn-ruby 2), from its README and changelog.
# PORT and ORIGIN come from the environment; it prints its address as JSON, and forgets all when it ends.
#
# What this file decides, and not the library:
# - a user handle that is sent must be the user's, a credential must be one of the user's, a known ID is refused;
# - a counter that did not grow is refused: the library tells this apart, and leaves the choice to its caller;
# - every algorithm of the README and the changelog is offered, those too that are off by default;
# - KeysFromDer makes the public keys. Debian 12 pairs the library with the gem cose 1.2.0, which sets the fields of
#   a key; OpenSSL 3 forbids that, so that no registration and no sign-in would be accepted.
# Trust is the library's default: every type of attestation is acceptable and no root certificates are configured, so
# that a certificate of an unknown maker is refused. An error of the library that is no WebAuthn::Error is answered 500,
# as the README has callers rescue that class alone. The library looks at no backup flags, no crossOrigin and no
# extension outputs, nor at the ID in the attestation beside id; neither does this file.
require 'json'
require 'securerandom'
require 'uri'
require 'webauthn'
require 'webrick'
require_relative 'keys_from_der'

class Refusal < StandardError; end
User = Struct.new(:handle, :credentials)
Stored = Struct.new(:id, :public_key, :sign_count)
USERS = {}
SESSIONS = {}
LOCK = Mutex.new

def username(body)
  name = body['username']
  name.is_a?(String) && !name.empty? ? name : raise(Refusal, 'username is missing')
end

def begin_ceremony(session, ceremony, user, options, verification)
  uv = verification == 'required'
  session[:begun] = { ceremony: ceremony, user: user, challenge: options.challenge, user_verification: uv }
  options.as_json
end

def take(session, ceremony)
  begun = session.delete(:begun)
  begun && begun[:ceremony] == ceremony ? begun : raise(Refusal, "no #{ceremony} was begun")
end

def registration_options(body, session)
  name = username(body)
  user = LOCK.synchronize { USERS[name] ||= User.new(WebAuthn.generate_user_id, []) }
  selection = body['authenticatorSelection'] || {}
  options = WebAuthn::Credential.options_for_create(
    user: { id: user.handle, name: name, display_name: body['displayName'] },
    attestation: body['attestation'],
    authenticator_selection: selection,
    exclude: user.credentials.map(&:id),
    extensions: body['extensions']
  )
  begin_ceremony(session, 'registration', user, options, selection['userVerification'])
end

def registration_result(body, session)
  begun = take(session, 'registration')
  credential = WebAuthn::Credential.from_create(body)
  credential.verify(begun[:challenge], user_verification: begun[:user_verification])
  LOCK.synchronize do
    known = USERS.each_value.any? { |user| user.credentials.any? { |stored| stored.id == credential.id } }
    raise Refusal, 'this credential is known' if known

    begun[:user].credentials << Stored.new(credential.id, credential.public_key, credential.sign_count)
  end
  {}
end

def sign_in_options(body, session)
  user = USERS[username(body)] || raise(Refusal, 'no such user')
  options = WebAuthn::Credential.options_for_get(
    allow: user.credentials.map(&:id),
    user_verification: body['userVerification'],
    extensions: body['extensions']
  )
  begin_ceremony(session, 'sign-in', user, options, body['userVerification'])
end

def sign_in_result(body, session)
  begun = take(session, 'sign-in')
  credential = WebAuthn::Credential.from_get(body)
  stored = begun[:user].credentials.find { |one| one.id == credential.id }
  raise Refusal, 'no such credential of this user' unless stored
  raise Refusal, 'the user handle is of another user' unless [nil, begun[:user].handle].include?(credential.user_handle)

  key = { public_key: stored.public_key, sign_count: stored.sign_count }
  credential.verify(begun[:challenge], **key, user_verification: begun[:user_verification])
  stored.sign_count = credential.sign_count
  {}
end

ROUTES = {
  '/attestation/options' => method(:registration_options),
  '/attestation/result' => method(:registration_result),
  '/assertion/options' => method(:sign_in_options),
  '/assertion/result' => method(:sign_in_result)
}.freeze

def read(request)
  body = JSON.parse(request.body || '')
  body.is_a?(Hash) ? body : raise(Refusal, 'the body is no object')
rescue JSON::ParserError
  raise Refusal, 'the body is no JSON'
end

def answer(request, session)
  route = request.request_method == 'POST' && ROUTES[request.path]
  return [404, 'no such route', {}] unless route

  [200, '', route.call(read(request), session)]
rescue Refusal, WebAuthn::Error => e
  [400, "#{e.class}: #{e.message}", {}]
rescue StandardError => e
  [500, "#{e.class}: #{e.message}", {}]
end

server = WEBrick::HTTPServer.new(
  BindAddress: '127.0.0.1',
  Port: Integer(ENV.fetch('PORT', '0')),
  AccessLog: [],
  Logger: WEBrick::Log.new($stderr, WEBrick::Log::WARN)
)
url = "http://localhost:#{server.listeners.first.addr[1]}"

WebAuthn.configure do |config|
  config.origin = ENV.fetch('ORIGIN', url)
  config.rp_id = URI(config.origin).host
  config.rp_name = 'webauthn-ruby'
  config.algorithms = %w[ES256 ES384 ES512 ES256K PS256 PS384 PS512 RS256 RS384 RS512 RS1]
end

server.mount_proc('/') do |request, response|
  sid = request.cookies.find { |cookie| cookie.name == 'sid' }&.value
  sid = SecureRandom.hex(16) unless SESSIONS.key?(sid)
  response.status, message, more = answer(request, SESSIONS[sid] ||= {})
  response['Content-Type'] = 'application/json'
  response['Set-Cookie'] = "sid=#{sid}; HttpOnly; Path=/"
  response.body = JSON.generate({ status: response.status == 200 ? 'ok' : 'failed', errorMessage: message }.merge(more))
end

trap('TERM') { server.shutdown }
puts JSON.generate(url: url)
$stdout.flush
server.start
