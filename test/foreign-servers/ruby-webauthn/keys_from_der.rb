# frozen_string_literal: true

# Makes the public keys of the gem cose 1.2.0 with OpenSSL 3: server.rb says why. For server.rb and judge.rb.
require 'webauthn'

module KeysFromDer
  module EC2
    def to_pkey
      raise "Unsupported curve #{crv}" unless curve

      group = OpenSSL::PKey::EC::Group.new(curve.pkey_name)
      point = OpenSSL::PKey::EC::Point.new(group, OpenSSL::BN.new("\x04" + x + y, 2))
      names = %W[id-ecPublicKey #{curve.pkey_name}].map { |name| OpenSSL::ASN1::ObjectId(name) }
      bits = OpenSSL::ASN1::BitString(point.to_octet_string(:uncompressed))
      OpenSSL::PKey::EC.new(OpenSSL::ASN1::Sequence([OpenSSL::ASN1::Sequence(names), bits]).to_der)
    end
  end

  module RSA
    def to_pkey
      numbers = [n, e].map { |bytes| OpenSSL::ASN1::Integer(OpenSSL::BN.new(bytes, 2)) }
      OpenSSL::PKey::RSA.new(OpenSSL::ASN1::Sequence(numbers).to_der)
    end
  end
end
COSE::Key::EC2.prepend(KeysFromDer::EC2)
COSE::Key::RSA.prepend(KeysFromDer::RSA)
