import EventLoop
package import LunaCrypto

/// Hands mails to a server over SMTP (RFC 5321), one after the other, each over a connection of its own.
package final class MailClient: Sendable {
  private let exchange: HTTPExchange
  private let blocking = Blocking(name: "luna.mail")

  /// A client; nothing is sent yet.
  ///
  /// - Throws: ``HTTPError`` of kind `library` when libcurl is missing.
  package init(_ configuration: ClientConfiguration) throws(HTTPError) {
    exchange = try HTTPExchange(configuration)
  }

  /// Sends a mail. One that is watched is broken off where the task is cancelled.
  ///
  /// - Parameters:
  ///   - password: ends with a zero byte.
  ///   - watch: looks on.
  package func deliver(
    _ mail: Mail, password: SecretBytes?, watch: ExchangeWatch?
  ) async -> DeliveryOutcome {
    await withTaskCancellationHandler {
      await blocking.run { [exchange] in
        DeliveryOutcome(mail: exchange.post(mail, password: password, watch: watch))
      }
    } onCancel: {
      watch?.breakOff()
    }
  }
}
