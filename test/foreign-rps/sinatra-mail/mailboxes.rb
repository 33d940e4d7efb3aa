# frozen_string_literal: true

require 'digest'
require 'securerandom'

# The site's own record of who has a passkey, and of which browser is who.
class Mailboxes
  Account = Struct.new(:mail, :full_name, :user_id)
  Visitor = Struct.new(:token, :csrf, :mail, :asked_mail, :attempt, :flash, :seen_at)
  KEEP = 3600

  def initialize
    @accounts = {}
    @visitors = {}
    @messages = {}
    @lock = Mutex.new
  end

  # Each registration has a salt of its own, so a passkey of a registration that came to nothing fits no account.
  def new_user_id(mail)
    Digest::SHA1.hexdigest("#{SecureRandom.hex(16)}:#{mail.downcase}")
  end

  def account(mail)
    @lock.synchronize { @accounts[mail] }
  end

  # False where the e-mail has an account already: it belongs to whoever was first.
  def add(account)
    @lock.synchronize do
      next false if @accounts.key?(account.mail)

      @accounts[account.mail] = account
      true
    end
  end

  # A message belongs to one attempt. A service that gives one twice is not believed.
  def new_message?(msg_id)
    @lock.synchronize { !@messages.key?(msg_id) && @messages[msg_id] = true }
  end

  def visitor(token)
    @lock.synchronize do
      @visitors[token]&.tap { |one| one.seen_at = Time.now.to_i }
    end
  end

  def new_visitor(mail = nil)
    visitor = Visitor.new(SecureRandom.hex(16), SecureRandom.hex(16), mail, nil, nil, nil, Time.now.to_i)
    @lock.synchronize do
      @visitors.delete_if { |_, one| one.seen_at < Time.now.to_i - KEEP }
      @visitors[visitor.token] = visitor
    end
  end

  def forget(visitor)
    visitor.attempt&.cancel
    @lock.synchronize { @visitors.delete(visitor.token) }
  end
end
