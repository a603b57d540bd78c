/// How a backend is reached.
public struct ClientConfiguration: Sendable {
  /// The address of the backend, such as `https://luna.example` or `http://127.0.0.1:8080`.
  public var url: String
  /// Whether plain http may go to other machines. Tokens can be read on the way then.
  public var allowsInsecure = false
  /// A proxy, as `http://HOST:PORT` or `socks5h://HOST:PORT`; an empty text for what the environment
  /// says, `-` for none. What goes over plain http to this machine goes through none of the
  /// environment's.
  public var proxy = ""
  /// A file of certificates (PEM) to trust instead of those of the system.
  public var certificateAuthorities: String?
  /// Whether the certificate has to have the server's name. Without that, `certificateAuthorities` has to name who
  /// alone is trusted.
  package var checksName = true
  /// How long connecting may take.
  public var connectTimeout = Duration.seconds(10)
  /// How long a request may take in all.
  public var totalTimeout = Duration.seconds(30)
  /// How long it waits each time before it sends something anew of which nobody knows whether it was done.
  package var pauses: [Duration] = [.seconds(1), .seconds(3)]
  /// How the client calls itself.
  public var userAgent = "luna"
  /// Bytes of an answer that are read.
  public var answerLimit = 8 << 20

  /// The usual settings for a backend.
  public init(url: String) { self.url = url }
}
