public import LunaCrypto

/// The branches of a master key, 32 bytes each. Who is given only some of them can do only what
/// those are for (PROTOCOL.md, 3).
public struct TrackerKeys: Equatable, Sendable {
  /// Kid: recognises the tracker.
  public var identification: SecretBytes
  /// Kao: reads its locations, with `identification`.
  public var location: SecretBytes?
  /// Kbo: reads its status and commands it from afar, with the two above.
  public var control: SecretBytes?
  /// Kow: commands it on a connection.
  public var owner: SecretBytes?

  /// The keys that someone holds.
  public init(
    identification: SecretBytes, location: SecretBytes? = nil, control: SecretBytes? = nil,
    owner: SecretBytes? = nil
  ) {
    self.identification = identification
    self.location = location
    self.control = control
    self.owner = owner
  }
}
