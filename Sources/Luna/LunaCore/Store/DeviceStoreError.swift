import SafeText

/// Why a store cannot do what was asked. Never holds key material.
public struct DeviceStoreError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// The files cannot be opened or made: permissions, or no such directory.
    case denied
    /// The disk is full, or a limit on file size is reached.
    case full
    /// Others kept the store busy for too long.
    case busy
    /// The contents are damaged.
    case damaged
    /// A newer version of Luna wrote it.
    case newer
    /// The keys are sealed and the passphrase is not there, or not the right one.
    case locked
    /// A device that the request is about is not in the store.
    case unknownDevice
    /// The counters of control packages for a device are used up.
    case exhausted
    /// The file was deleted, moved or replaced while it was in use.
    case gone
    /// Something else.
    case failed
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened and why.
  public let reason: String
  /// What to do.
  public let hint: String?

  /// A failure.
  public init(_ kind: Kind, _ reason: String, hint: String? = nil) {
    self.kind = kind
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
  }
}

extension DeviceStoreError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
