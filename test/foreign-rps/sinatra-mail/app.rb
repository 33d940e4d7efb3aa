# frozen_string_literal: true

require 'sinatra/base'
require 'rqrcode_core'
require_relative 'attempt'
require_relative 'mailboxes'

class MailSite < Sinatra::Base
  SERVICE = FidoService.new(ENV.fetch('FIDO_URL'), ENV.fetch('FIDO_KEY'), ENV.fetch('FIDO_SECRET'))
  BOXES = Mailboxes.new
  COOKIE = 'mail_visitor'

  set :root, __dir__
  set :show_exceptions, false
  set :raise_errors, false
  set :static, false
  set :logging, false

  helpers do
    def h(text)
      Rack::Utils.escape_html(text)
    end

    def csrf_field
      %(<input type="hidden" name="csrf" value="#{@visitor.csrf}">)
    end

    def qr_svg(text)
      rows = RQRCodeCore::QRCode.new(text, level: :m).modules
      box = rows.size + 8 # four modules of quiet zone on each side
      dark = rows.each_with_index.map { |row, y| row.each_index.select { |x| row[x] }.map { |x| "M#{x + 4} #{y + 4}h1v1h-1z" }.join }.join
      %(<svg role="img" aria-label="QR code" width="#{box * 6}" height="#{box * 6}" viewBox="0 0 #{box} #{box}" shape-rendering="crispEdges">) +
        %(<rect width="#{box}" height="#{box}" fill="#fff"/><path fill="#000" d="#{dark}"/></svg>)
    end

    def param(name)
      params[name].is_a?(String) ? params[name].strip : ''
    end

    def become(visitor)
      @visitor = visitor
      response.set_cookie(COOKIE, value: visitor.token, path: '/', httponly: true, same_site: :lax)
    end

    def back_with(word, path = '/')
      @visitor.flash = word
      redirect to(path), 303
    end

    def check_token
      halt 403, erb(:problem, locals: { word: 'The form does not belong to this visit. Please start again.' }) unless Rack::Utils.secure_compare(@visitor.csrf, param('csrf'))
    end

    # Begins an attempt with what the block asks of the service, and leads to its page.
    def start(purpose, method, mail, user_id, on_success = nil)
      request = yield
      raise FidoService::NoAnswer, 'the message is not new' unless BOXES.new_message?(request.msg_id)

      # One attempt for each browser: the new one takes the place of the old one.
      @visitor.attempt&.cancel
      @visitor.attempt = Attempt.new(SERVICE, purpose, method, mail, user_id, request, &on_success).start
      redirect to("/attempts/#{@visitor.attempt.id}"), 303
    rescue FidoService::NoAnswer, FidoService::Gone
      back_with('The service gave no usable answer, so nothing has begun. Please try again.', '/next')
    end

    def begin_sign_in(method)
      account = BOXES.account(@visitor.asked_mail)
      back_with('Please give your e-mail first.') unless account
      start(:sign_in, method, account.mail, account.user_id) { SERVICE.begin_sign_in(account.user_id, account.mail, method) }
    end

    def own_attempt(id)
      @visitor.attempt if @visitor.attempt&.id == id
    end
  end

  before do
    cache_control :no_store
    @visitor = BOXES.visitor(request.cookies[COOKIE].to_s)
    become(BOXES.new_visitor) unless @visitor
    check_token if request.post?
  end

  get '/' do
    @visitor.mail ? erb(:inbox) : erb(:mail)
  end

  post '/mail' do
    mail = param('mail').downcase
    back_with('Please give an e-mail address.') unless mail.length <= 128 && mail.match?(/\A[^\s@[:cntrl:]]+@[^\s@[:cntrl:]]+\z/)
    @visitor.asked_mail = mail
    redirect to('/next'), 303
  end

  get '/next' do
    redirect to('/'), 303 if @visitor.mail || @visitor.asked_mail.nil?
    erb(BOXES.account(@visitor.asked_mail) ? :sign_in : :register)
  end

  post '/register' do
    mail = @visitor.asked_mail
    full_name = param('full_name')
    back_with('Please give your e-mail first.') if mail.nil? || @visitor.mail
    back_with('This e-mail has a passkey. Sign in with it.', '/next') if BOXES.account(mail)
    back_with('Please give your full name, with 128 characters at most.', '/next') unless full_name.match?(/\A[^[:cntrl:]]{1,128}\z/)
    user_id = BOXES.new_user_id(mail)
    keep = -> { BOXES.add(Mailboxes::Account.new(mail, full_name, user_id)) }
    start(:registration, 'qrcode', mail, user_id, keep) { SERVICE.begin_registration(user_id, mail, full_name) }
  end

  post '/sign-in' do
    begin_sign_in('push')
  end

  # A link begins the sign-in here, so it carries the token of the forms.
  get '/code' do
    check_token
    begin_sign_in('qrcode')
  end

  get '/attempts/:id' do
    @attempt = own_attempt(params[:id])
    halt 404, erb(:problem, locals: { word: 'This browser has begun no such request.' }) unless @attempt
    next erb(:attempt) unless @attempt.state == 'success'

    # A new token, so that one which somebody else knew before is worth nothing.
    mail = @attempt.mail
    BOXES.forget(@visitor)
    become(BOXES.new_visitor(mail))
    redirect to('/'), 303
  end

  get '/attempts/:id/state' do
    content_type :json
    attempt = own_attempt(params[:id])
    halt 404, JSON.generate(state: 'gone', text: 'This browser has begun no such request.') unless attempt
    JSON.generate(state: attempt.state, text: attempt.text)
  end

  post '/sign-out' do
    BOXES.forget(@visitor)
    become(BOXES.new_visitor)
    redirect to('/'), 303
  end

  not_found do
    erb(:problem, locals: { word: 'There is no such page.' })
  end

  error do
    status 503
    content_type :text
    'Something went wrong. Please try again.'
  end
end
