public import Diagnosis

/// Why nobody is signed in, or a request was not made. Never holds a token.
public struct AccountError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure, with numbers that stay.
  public enum Code: Int, CaseIterable, Sendable {
    /// ``LunaAccount/enable(analyticsRoot:clientId:redirectUrl:configuration:defaultLoginHandler:loginHandler:)``
    /// was not called.
    case platformNotEnabled = -1
    /// Nobody is signed in.
    case notLoggedIn = 10
    /// There is no ID token that holds.
    case jwtNotFound = 11
    /// A server cannot be reached, or is not to be trusted.
    case network = 20
    /// A server fails, is busy, or says something that is not its own.
    case server
    /// An answer cannot be read.
    case undecodable
    /// Client, issuer or their settings do not fit each other.
    case configuration
    /// The person or the issuer said no.
    case denied
    /// Nobody answered in time, or the code is used up.
    case expired
    /// An answer belongs to another attempt.
    case stateMismatch
    /// The attempt was given up.
    case cancelled
    /// The token is not for that host.
    case foreignHost
    /// A redirect is not followed.
    case redirect
    /// The credential cannot be read or kept.
    case storage
    /// Another process has the credential for too long.
    case locked
  }

  /// What is wrong with the credential on disk.
  package enum Storage: Hashable, Sendable {
    /// It may not be read or written.
    case denied
    /// It is damaged, or of a newer version.
    case damaged
    /// Something else, such as a full disk.
    case failed
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis
  /// After how long it may be tried again, s; nil where nobody said.
  public let retryAfter: Int?
  /// For `storage`: what is wrong there.
  package var storage = Storage.failed
  /// For `network`: whether it is the library that speaks HTTP which is missing, or cannot be used.
  package var isLibrary = false

  /// A failure of `code`, which its reason names behind the words; `retryAfter` is in s.
  public init(
    _ code: Code, _ reason: String, retryAfter: Int? = nil, remedy: Remedy? = nil
  ) {
    self.code = code
    self.retryAfter = retryAfter
    diagnosis = Diagnosis("\(reason) (\(code.rawValue))", remedy: remedy)
  }

  /// Whether a person who was asked to sign in ends what was there before by this (FLEET.md, 3): it was called off or
  /// refused, nobody answered, or what came back is of another attempt. A server that cannot be reached or
  /// understood ends nothing.
  var endsSignIn: Bool {
    switch code {
    case .cancelled, .denied, .expired, .stateMismatch, .configuration: true
    case .platformNotEnabled, .notLoggedIn, .jwtNotFound, .network, .server, .undecodable,
      .foreignHost, .redirect, .storage, .locked:
      false
    }
  }

  /// What to do; nil when there is nothing to say.
  public var hint: String? { remedy?.description }

  /// All of it in one line that ends with the number of the code.
  public var description: String {
    guard let hint else { return reason }
    let number = " (\(code.rawValue))"
    return "\(reason.dropLast(number.count)); \(hint)\(number)"
  }
}
