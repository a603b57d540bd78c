/// Whether advertisers are asked for their scan responses.
public enum ScanMode: String, Sendable {
  /// Active where the path can, else passive.
  case auto
  /// Scan responses are asked for: names and more, and every scanner is noticed by the advertisers.
  case active
  /// Only listen.
  case passive
}
