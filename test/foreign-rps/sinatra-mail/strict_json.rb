# frozen_string_literal: true

require 'json'

# JSON as its standard has it. Ruby's parser also takes comments and unknown escapes, and keeps the last of two members.
module StrictJson
  class Invalid < StandardError; end

  # An object that refuses a member given twice.
  class Members < Hash
    def []=(name, value)
      raise Invalid, 'a member is given twice' if key?(name)

      super
    end
  end

  STRING = %r{"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u\h{4}))*+"}.freeze
  OUTSIDE = /\A[ \t\r\n{}\[\]:,0-9eE+.\-a-z"]*\z/.freeze

  def self.parse(octets)
    text = octets.dup.force_encoding(Encoding::UTF_8)
    raise Invalid, 'this is not UTF-8' unless text.valid_encoding?
    raise Invalid, 'this is not JSON' unless text.gsub(STRING, '""').match?(OUTSIDE)

    JSON.parse(text, object_class: Members, max_nesting: 16)
  rescue JSON::ParserError => e
    raise Invalid, e.class.name
  end
end
