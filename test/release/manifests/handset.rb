class Handset < Formula
  desc "Scan-and-push FIDO service with the phones to go with it"
  homepage "{{repository}}"
  url "{{address}}"
  sha256 "{{sha256}}"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/handset --version")
  end
end
