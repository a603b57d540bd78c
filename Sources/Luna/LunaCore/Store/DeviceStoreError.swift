public import Diagnosis

/// Why a store cannot do what was asked. Never holds key material.
public struct DeviceStoreError: Diagnosed, CustomStringConvertible, Hashable {
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
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// A failure of `kind`; what does not fit on one line is escaped.
  public init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }
}
