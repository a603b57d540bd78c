import Glibc

extension TokenSource {
  /// As whom a backend is spoken to.
  public enum Role: String, Sendable {
    /// One that uploads and delivers.
    case gateway
    /// One that asks and commands.
    case owner
    /// One that looks after the fleet.
    case admin

    /// The name of the credential of systemd that holds the token.
    public var credential: String { "luna.\(rawValue)-token" }

    /// The name of the file in a state directory that holds the token.
    public var tokenFile: String { "\(rawValue).token" }
  }

  /// Where the token of a role is unless told otherwise: in the credential of systemd where the
  /// service has it, else in the file `gateway.token` or `owner.token` of the state directory.
  public static func standard(_ role: Role, in directory: String) -> TokenSource {
    if let credentials = getenv("CREDENTIALS_DIRECTORY"),
      access(String(cString: credentials) + "/" + role.credential, R_OK) == 0
    {
      return .credential(role.credential)
    }
    return .file("\(directory)/\(role.tokenFile)")
  }
}
