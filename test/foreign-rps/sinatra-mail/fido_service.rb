# frozen_string_literal: true

require 'net/http'
require 'openssl'
require 'timeout'
require 'time'
require 'uri'
require_relative 'strict_json'

# The client of the FIDO service. It raises NoAnswer where an answer is missing or cannot be used.
class FidoService
  class NoAnswer < StandardError; end

  # The message has ended, or the service does not know it: there is nothing to ask any more.
  class Gone < StandardError; end

  LONGEST_WAIT = 3.0
  LARGEST_BODY = 65_536
  CODES_OF_THE_END = [41_001, 40_402].freeze

  Request = Struct.new(:msg_id, :url, :expires_at)

  def initialize(base_url, key, secret)
    @base = URI(base_url.chomp('/'))
    @key = key
    @secret = secret
  end

  def begin_registration(user_id, mail, full_name)
    begun('r', call('POST', '/rp/attestation/options', body: { user_id: user_id, username: mail, display_name: full_name }))
  end

  def begin_sign_in(user_id, mail, method)
    begun('a', call('POST', '/rp/assertion/options', body: { user_id: user_id, username: mail, method: method }))
  end

  def registration_result(msg_id, wait)
    call('GET', '/rp/attestation/result', query: { msg_id: msg_id }, wait: wait)
  end

  def sign_in_result(msg_id, wait)
    call('GET', '/rp/assertion/result', query: { msg_id: msg_id }, wait: wait)
  end

  def credential_ids(user_id, wait)
    list = call('GET', '/rp/credentials', query: { user_id: user_id }, wait: wait)['list']
    raise NoAnswer, 'the credentials are no list' unless list.is_a?(Array)

    own = list.select { |one| one.is_a?(Hash) && one['user_id'] == user_id }
    own.map { |one| one['credential_id'] }.select { |id| id.is_a?(String) && !id.empty? }
  end

  private

  # The address must be the service's own and carry the token behind the #, else the code would lead a phone elsewhere.
  def begun(kind, data)
    url = data['url']
    parts = url.is_a?(String) && url.length <= 400 && url.match(%r{\A(https?://[A-Za-z0-9.:\[\]-]+)/[!-~&&[^#"\\]]*##{kind}([A-Za-z0-9_-]{1,100})\z})
    raise NoAnswer, 'the address is not usable' unless parts && parts[1].casecmp?(@base.to_s[%r{\Ahttps?://[^/]+}])

    expires_at = data['expires_at']
    now = Time.now.to_i
    raise NoAnswer, 'the expiry is not usable' unless expires_at.is_a?(Integer) && expires_at > now && expires_at <= now + 900

    Request.new(parts[2], url, expires_at)
  end

  def call(method, path, query: {}, body: nil, wait: LONGEST_WAIT)
    uri = URI("#{@base}#{path}")
    uri.query = URI.encode_www_form(query.sort) unless query.empty?
    status, text = exchange(uri, method, body ? JSON.generate(body) : nil, wait)
    answer = StrictJson.parse(text)
    raise NoAnswer, 'the answer is no object' unless answer.is_a?(Hash)
    raise Gone if CODES_OF_THE_END.include?(answer['code'])

    usable = status == '200' && answer['code'].is_a?(Integer) && answer['code'].zero? && answer['error'] == '' && answer['data'].is_a?(Hash)
    raise NoAnswer, 'the answer is not usable' unless usable

    answer['data']
  rescue NoAnswer, Gone
    raise
  rescue StandardError => e
    # Net::HTTP, sockets, OpenSSL, URI and JSON each have errors of their own; all of them mean the same here.
    raise NoAnswer, e.class.name
  end

  # Net::HTTP follows no redirect by itself. It repeats a lost GET by itself, which would read a result that was delivered.
  def exchange(uri, method, body, wait)
    http = Net::HTTP.new(uri.hostname, uri.port, nil)
    http.use_ssl = uri.scheme == 'https'
    http.max_retries = 0
    http.ignore_eof = false if http.respond_to?(:ignore_eof=)
    http.open_timeout = http.read_timeout = http.write_timeout = wait
    request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri.request_uri, signed_headers(uri, method, body))
    request.body = body
    text = String.new
    # The limits of Net::HTTP count anew with each piece, this one is for the whole exchange.
    Timeout.timeout(wait) do
      http.start do
        http.request(request) do |response|
          response.read_body do |part|
            text << part
            raise NoAnswer, 'the answer is too long' if text.bytesize > LARGEST_BODY
          end
          return [response.code, text]
        end
      end
    end
  end

  def signed_headers(uri, method, body)
    date = Time.now.utc.strftime('%Y%m%dT%H%M%SZ')
    host = uri.port == uri.default_port ? uri.host : "#{uri.host}:#{uri.port}"
    names = 'host;x-svc-date'
    canonical = [method, uri.path, uri.query.to_s, "host:#{host}", "x-svc-date:#{date}", '', names, sha256(body.to_s)].join("\n")
    scope = 'fido-server/'
    to_sign = ['SVC-HMAC-SHA256', date, scope, sha256(canonical)].join("\n")
    signature = OpenSSL::HMAC.hexdigest('SHA256', @secret, to_sign)
    {
      'Host' => host, 'X-Svc-Date' => date, 'Authorization' => "SVC-HMAC-SHA256 #{@key}/#{scope},#{names},#{signature}",
      'Content-Type' => 'application/json', 'Accept-Encoding' => 'identity', 'Connection' => 'close'
    }
  end

  def sha256(text)
    OpenSSL::Digest::SHA256.hexdigest(text)
  end
end
