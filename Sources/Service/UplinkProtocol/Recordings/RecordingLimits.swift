/// How much a recording may hold (UPLINK.md, 4).
public enum RecordingLimits {
  /// The largest file: 16 MiB.
  public static let file = 16 << 20
  /// The most packets, or answers, of a file.
  public static let packets = 100_000
  /// The largest payload of TCP: 1 MiB.
  public static let payload = 1 << 20
  /// The largest payload of UDP: what a datagram over IPv4 carries.
  public static let datagram = 65_507
  /// The longest answer to a packet: 1 GiB.
  public static let answer = 1 << 30
  /// The most connections, or ports of a client.
  public static let pairs = 16
  /// The longest recording, s.
  public static let seconds = 600.0
  /// How many characters a replay name may have.
  public static let name = 80
  /// How deep values may lie in each other (UPLINK.md, 13).
  static let depth = 16
}
