# frozen_string_literal: true

require 'securerandom'
require_relative 'fido_service'

# A registration or a sign-in under way. A thread of its own asks the service until the attempt has ended.
class Attempt
  PAUSE = 0.15
  MOST_MISSES = 8

  attr_reader :id, :purpose, :method, :mail, :user_id, :url, :state, :text

  # on_success: called once, before the attempt counts as succeeded; it answers false where it must not.
  def initialize(service, purpose, method, mail, user_id, request, &on_success)
    @id = SecureRandom.hex(16)
    @service = service
    @purpose = purpose
    @method = method
    @mail = mail
    @user_id = user_id
    @msg_id = request.msg_id
    @url = request.url
    @expires_at = request.expires_at
    @on_success = on_success
    @state = 'pending'
    @text = 'Waiting for your phone.'
    @lock = Mutex.new
    @scanned = false
  end

  def start
    Thread.new do
      follow
    rescue StandardError => e
      warn "#{e.class}: #{e.message}"
      finish('failed', 'Something went wrong.')
    end
    self
  end

  def cancel
    finish('failed', 'It was given up.')
  end

  private

  def follow
    misses = 0
    while @state == 'pending'
      sleep PAUSE
      left = @expires_at - Time.now.to_f
      return finish('failed', 'The time is over.') if left <= 0

      begin
        # A response is not waited for beyond the end of the attempt.
        step([FidoService::LONGEST_WAIT, left].min)
        misses = 0
      rescue FidoService::Gone
        finish('failed', 'The service has no answer for this request any more.')
      rescue FidoService::NoAnswer
        misses += 1
        finish('failed', 'The service does not answer as it should.') if misses >= MOST_MISSES
      end
    end
  end

  def step(wait)
    return confirm(wait) if @confirming

    data = @purpose == :registration ? @service.registration_result(@msg_id, wait) : @service.sign_in_result(@msg_id, wait)
    case data['status']
    when 'init' then nil
    when 'bind' then say("Scanned by #{line(data['svc_user'])}. Please confirm on the phone.")
    when 'fail' then finish('failed', line(data['error']))
    when 'timeout' then finish('failed', 'The time is over.')
    when 'success' then succeeded(data)
    else raise FidoService::NoAnswer, 'the status is unknown'
    end
  end

  def succeeded(data)
    fits = !line(data['svc_user']).strip.empty? && data['error'] == '' && (@purpose == :registration || data['user_id'] == @user_id)
    return finish('failed', 'The service gave an answer that does not belong to this request.') unless fits

    if @purpose == :registration
      @confirming = true
    else
      finish('success', '')
    end
  end

  # A registration counts only when the service lists the passkey. The user_id is new, so each passkey of it is new.
  def confirm(wait)
    if @service.credential_ids(@user_id, wait).empty?
      finish('failed', 'The service does not list the new passkey.')
    else
      finish('success', '')
    end
  end

  def say(text)
    @lock.synchronize { @text = text if @state == 'pending' }
  end

  # What has ended stays as it is.
  def finish(state, text)
    @lock.synchronize do
      return unless @state == 'pending'

      if state == 'success' && @on_success && !@on_success.call
        state = 'failed'
        text = 'This e-mail has been registered meanwhile.'
      end
      what = @purpose == :registration ? 'registration' : 'sign-in'
      @text = state == 'success' ? "The #{what} succeeded." : "The #{what} failed. #{text}"
      @state = state
    end
  end

  # A text of the service, cut to what fits a line; empty where it is no text.
  def line(value)
    value.is_a?(String) ? value.scrub[0, 200] : ''
  end
end
