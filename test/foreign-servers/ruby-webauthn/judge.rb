# frozen_string_literal: true

# bench:judges over the gem webauthn: as server.rb calls it, without the server. Arguments: FILE ORIGIN RP-ID.
require 'json'
require 'webauthn'
require_relative 'keys_from_der'

file, origin, rp_id = ARGV
WebAuthn.configure do |config|
  config.origin = origin
  config.rp_id = rp_id
end

STORED = {}

def judge(line)
  body = JSON.parse(line['body'])
  if line['group'] == 'registration'
    credential = WebAuthn::Credential.from_create(body)
    credential.verify(line['challenge'], user_verification: true)
    STORED[line['id']] = { public_key: credential.public_key, sign_count: credential.sign_count }
  else
    WebAuthn::Credential.from_get(body).verify(line['challenge'], **STORED[line['id']], user_verification: true)
  end
  nil
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

groups = {}
File.foreach(file) do |text|
  line = JSON.parse(text)
  began = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  reason = judge(line)
  seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - began
  next if line['warm']

  group = groups[line['group']] ||= { verified: 0, refused: 0, seconds: 0 }
  group[:seconds] += seconds
  group[reason ? :refused : :verified] += 1
  group[:reason] ||= reason if reason
end
rss = File.read('/proc/self/status')[/VmHWM:\s+(\d+)/, 1].to_i * 1024
puts JSON.generate(groups: groups, rss: rss)
