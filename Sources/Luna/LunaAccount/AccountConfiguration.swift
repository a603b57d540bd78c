public import LunaClient
public import LunaCore
public import LunaStore
public import LunaTelemetry

/// How an account signs in, and where its token may go.
public struct AccountConfiguration: Sendable {
  /// Which refusals of the issuer end a sign-in.
  public enum Refusal: String, Sendable {
    /// Only those that say that the grant is over.
    case lenient
    /// Every answer but a good one.
    case strict
  }

  /// Who signs people in, as it calls itself; nil for the ``backend``.
  public var issuer: String?
  /// The backend. It may name another issuer than itself, which is then to be given too.
  public var backend: String?
  /// Where codes for another device are asked for, when the issuer does not tell.
  public var deviceEndpoint: String?
  /// What tokens are asked for.
  public var scope = "openid"
  /// The name of the credential in the state directory.
  public var profile = "default"
  /// Where state is; nil for `$XDG_DATA_HOME/luna`.
  public var state: StateDirectory?
  /// Further hosts, `HOST` or `HOST:PORT`, to which tokens may go.
  public var hosts: [String] = []
  /// Whether the token is sent in `X-Authorization` too, for proxies that keep the other.
  public var duplicateHeader = false
  /// Which refusals end a sign-in.
  public var refusal = Refusal.lenient
  /// A shell command that is run at first and at every change, one at a time and for 30 s at most, with
  /// `LUNA_SIGNED_IN` 1 or 0.
  public var onChange: String?
  /// Whether this machine has a display for a browser; nil to look.
  public var hasDisplay: Bool?
  /// How servers are reached; its address is not looked at.
  public var client = ClientConfiguration(url: "")
  /// Which token telemetry is sent with.
  public var telemetryMode = AuthMode.accessToken
  /// What becomes of telemetry that waits while nobody is signed in.
  public var telemetryWhenSignedOut = TelemetryConfiguration.WhenSignedOut.keep
  /// The clocks by which tokens end; a test has others.
  public var clock = WallClock.system

  /// Settings without a server: ``issuer`` or ``backend`` is to be given.
  public init() {}
}
