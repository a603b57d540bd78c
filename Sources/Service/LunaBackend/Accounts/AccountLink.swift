package import Bluetooth
package import HTTPServer
package import WebAccess

/// A link with which a person makes a password, once.
package struct AccountLink: Sendable {
  /// What it is for.
  package enum Kind: String, Sendable {
    /// The first account, which looks after all others.
    case setup
    /// An account that somebody has made already.
    case invitation
  }

  /// What it is for.
  package let kind: Kind
  /// What stands behind `#`, which browsers send to no server.
  package let secret: RandomSecret
  /// Until when it is good.
  package let expiresAt: Timestamp

  /// A new one.
  package init(_ kind: Kind, at time: Timestamp) throws(StorageError) {
    self.kind = kind
    secret = try StorageError.unless(RandomSecret())
    expiresAt = time.advanced(by: .seconds(kind == .setup ? 3600 : 72 * 3600))
  }

  /// As a browser opens it.
  package func text(_ publicURL: PublicURL) -> String {
    "\(publicURL)/ui/\(kind.rawValue)#\(secret.text)"
  }
}
