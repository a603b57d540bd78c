import ChildProcess
import Diagnosis
import EventLoop
import Glibc
package import LunaClient
import LunaCore
import LunaCrypto
package import LunaHome
import SafeText
import Synchronization

/// Takes shipments to the channels of a home's file: over SMTP, over HTTP, or to a program.
package final class ChannelCourier: Courier {
  /// How long a program may take.
  private static let programLimit: Duration = .seconds(30)

  private let settings: NotificationSettings
  private let transcript: Transcript?
  /// The browsers that are told; nil where there is no home yet.
  private let book: (any PushBook)?
  /// Of entries that reached some of somebody's browsers, which.
  private let reached = Mutex<[Int64: Set<String>]>([:])
  /// A client for each server, with its connection.
  private let clients = Mutex<[String: HTTPClient]>([:])

  /// - Parameters:
  ///   - book: the browsers that are told; nil where there is no home yet.
  ///   - transcript: gets what is said; nil where nobody wants to know.
  package init(
    _ settings: NotificationSettings, book: (any PushBook)?, transcript: Transcript? = nil
  ) {
    self.settings = settings
    self.book = book
    self.transcript = transcript
  }

  package func deliver(
    _ shipment: Shipment, at now: Int64, willSend: @escaping @Sendable () -> Void
  ) async -> DeliveryOutcome {
    guard let first = shipment.entries.first else { return .delivered }
    let letter = Letter(
      shipment.entries.map(\.message), isDigest: shipment.isDigest, at: now, settings)
    do throws(Parcel.Problem) {
      if let request = first.request {
        let parcel = try Parcel.action(letter, request, settings, transcript)
        return await send(parcel, nil, willSend)
      }
      guard let channel = settings.channel(first.channel) else { return .refused(nobody(first)) }
      let contact = settings.contact(first.contact)
      guard letter.enclosure == nil || channel.kind == .email else {
        return .refused("\(ForeignText(channel.id)) is no channel for mail any more")
      }
      switch channel.kind {
      case .email:
        return try await mail(letter, channel, contact, first.id, at: now, willSend)
      case .ntfy:
        return await send(
          try Parcel.ntfy(letter, channel, contact, transcript), channel, willSend)
      case .webhook:
        return await send(
          try Parcel.webhook(letter, channel, settings, at: now, transcript), channel, willSend)
      case .sms:
        return await send(
          try Parcel.sms(letter, channel, contact, settings, transcript), channel, willSend)
      case .command: return await run(letter, channel, willSend)
      case .push: return await push(letter, first, at: now, willSend)
      }
    } catch {
      return .refused(error.reason)
    }
  }

  private func nobody(_ entry: OutboxEntry) -> String {
    if !entry.channel.isEmpty {
      return "there is no channel \(ForeignText(entry.channel)) any more"
    }
    return entry.contact.isEmpty
      ? "the rule names nobody, and nobody is told by default"
      : "no channel reaches \(ForeignText(entry.contact))"
  }

  private func watch(_ willSend: @escaping @Sendable () -> Void) -> ExchangeWatch {
    guard let transcript else { return ExchangeWatch(willSend: willSend) }
    return ExchangeWatch(willSend: willSend) { transcript.hear($0, $1) }
  }

  private func configuration(_ authorities: String?, isDirect: Bool) -> ClientConfiguration {
    var configuration = ClientConfiguration(url: "")
    configuration.connectTimeout = settings.timeLimit
    configuration.totalTimeout = settings.timeLimit
    configuration.certificateAuthorities = authorities
    configuration.answerLimit = 1 << 16
    if isDirect { configuration.proxy = "-" }
    return configuration
  }

  private func send(
    _ parcel: Parcel, _ channel: NotificationChannel?, _ willSend: @escaping @Sendable () -> Void
  ) async -> DeliveryOutcome {
    let address: WebhookURL
    let client: HTTPClient
    do throws(BackendError) {
      address = try WebhookURL(parcel.url, allowsInsecure: true)
    } catch {
      return .refused(error.reason)
    }
    do throws(HTTPError) {
      client = try self.client(channel, address)
    } catch {
      return .failed(error.reason, retryAfter: nil)
    }
    return await client.deliver(
      parcel.method, parcel.url, headers: parcel.headers, secrets: parcel.secrets,
      body: parcel.body, watch: watch(willSend))
  }

  private func client(
    _ channel: NotificationChannel?, _ address: WebhookURL
  ) throws(HTTPError) -> HTTPClient {
    let key = channel.map { "channel \($0.id)" } ?? "server \(address.place)"
    if let known = clients.withLock({ $0[key] }) { return known }
    let client = try HTTPClient(
      configuration(
        channel?.authorities, isDirect: address.isLoopback && !address.isEncrypted))
    clients.withLock { $0[key] = client }
    return client
  }

  /// Tells all browsers of a contact. Those that it has reached are not told again when others are.
  private func push(
    _ letter: Letter, _ entry: OutboxEntry, at now: Int64,
    _ willSend: @escaping @Sendable () -> Void
  ) async -> DeliveryOutcome {
    guard let book else { return .refused("no browser has signed in to this home yet") }
    let browsers: [PushTable.Row]
    let identity: PushIdentity?
    do throws(OutboxError) {
      browsers = try await book.browsers(of: entry.contact)
      identity = try await book.identity()
    } catch {
      return .failed("\(error.diagnosis)", retryAfter: nil)
    }
    guard let identity else {
      return .failed("no key for push services can be made", retryAfter: nil)
    }
    guard !browsers.isEmpty else {
      return .refused(
        "no browser is told of what \(ForeignText(entry.contact)) is: turn it on in the app there")
    }
    let before = reached.withLock { $0[entry.id] ?? [] }
    var (done, wrong) = (before, DeliveryOutcome?.none)
    for browser in browsers where !before.contains(browser.id) {
      let outcome: DeliveryOutcome
      do throws(CryptoError) {
        outcome = await send(
          try Parcel.push(letter, browser, identity, settings, at: now, transcript), nil, willSend)
      } catch {
        outcome = .refused("it cannot be sealed: \(error.reason)")
      }
      switch outcome {
      case .delivered: done.insert(browser.id)
      case .gone:
        await book.forget(browser.id)
        wrong = wrong ?? outcome
      case .refused: wrong = wrong ?? outcome
      // What can be tried again comes first.
      case .failed: wrong = outcome
      }
    }
    if case .failed? = wrong {
      reached.withLock { $0[entry.id] = done }
    } else {
      reached.withLock { $0[entry.id] = nil }
      if !done.isEmpty { return .delivered }
    }
    return wrong ?? .delivered
  }

  private func mail(
    _ letter: Letter, _ channel: NotificationChannel, _ contact: NotificationSettings.Contact?,
    _ number: Int64, at now: Int64, _ willSend: @escaping @Sendable () -> Void
  ) async throws(Parcel.Problem) -> DeliveryOutcome {
    guard let from = MailAddress(channel.from) else {
      throw Parcel.Problem("\(ForeignText(channel.from)) is no address of mail")
    }
    var to = from
    if let enclosure = letter.enclosure {
      guard let address = MailAddress(enclosure.address, name: enclosure.person) else {
        throw Parcel.Problem("\(ForeignText(enclosure.address)) is no address of mail")
      }
      to = address
    } else if let contact {
      guard let address = MailAddress(contact.email ?? "", name: contact.name) else {
        throw Parcel.Problem("\(ForeignText(contact.email ?? "")) is no address of mail")
      }
      to = address
    }
    guard channel.security != .none || channel.isLocal else {
      throw Parcel.Problem(
        "\(ForeignText(channel.host)) is not this machine: nothing goes in the clear")
    }
    var password: SecretBytes?
    if let reference = channel.password {
      let secret = try Parcel.secret(reference)
      transcript?.hide(secret)
      password = secret.line()
    }
    let host = channel.host.contains(":") ? "[\(channel.host)]" : channel.host
    guard host.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !"/?#@".utf8.contains($0) }) else {
      throw Parcel.Problem("\(ForeignText(channel.host)) is no name of a server")
    }
    let scheme = channel.security == .tls ? "smtps" : "smtp"
    let mail = Mail(
      url: "\(scheme)://\(host):\(channel.port)", isEncrypted: channel.security != .none,
      from: from.address, to: to.address, user: channel.user,
      message: MailText.bytes(of: letter, from: from, to: to, number: number, at: now))
    do throws(HTTPError) {
      let client = try MailClient(configuration(channel.authorities, isDirect: true))
      return await client.deliver(mail, password: password, watch: watch(willSend))
    } catch {
      return .failed(error.reason, retryAfter: nil)
    }
  }

  private func run(
    _ letter: Letter, _ channel: NotificationChannel, _ willSend: @escaping @Sendable () -> Void
  ) async -> DeliveryOutcome {
    guard let words = settings.programs[channel.program], !words.isEmpty else {
      return .refused("there is no program \(ForeignText(channel.program)) in exec")
    }
    // It waits for the disk.
    await Blocking.run { willSend() }
    let text = letter.link.isEmpty ? letter.text : letter.text + "\n" + letter.link
    do throws(ProgramRun.Failure) {
      let run = try await ProgramRun.run(
        words, input: Array((text + "\n").utf8), keeping: 1024,
        within: ChannelCourier.programLimit)
      transcript?.hear(.inwards, run.output)
      guard !run.isCutOff else {
        return .failed("\(ForeignText(words[0])) took too long", retryAfter: nil)
      }
      if run.status == 0 { return .delivered }
      // EX_TEMPFAIL of sysexits.h.
      if run.status == 75 { return .failed("\(words[0]) asks to be tried later", retryAfter: nil) }
      return .refused("\(ForeignText(words[0])) ended with \(run.status)")
    } catch {
      return .refused("\(ForeignText(words[0])): \(String(cString: strerror(error.code)))")
    }
  }
}
