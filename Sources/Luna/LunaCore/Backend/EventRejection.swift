public import Diagnosis

/// Why a backend does not take an event.
public enum EventRejection: String, Diagnosed, CaseIterable {
  /// A member is missing, of the wrong type or out of range.
  case malformed
  /// Of a version of the protocol that the backend does not know.
  case unsupportedVersion
  /// Its day is after tomorrow.
  case dayInFuture
  /// Its day is older than what is kept.
  case dayExpired
  /// It has clear fields, which only a backend started for tests takes.
  case debugRefused
  /// There are too many events for its identifier.
  case rateLimited
  /// Where it is to be kept cannot be written now.
  case storageUnavailable

  /// Whether sending it again is of no use.
  public var isPermanent: Bool { self != .rateLimited && self != .storageUnavailable }

  /// Why a backend refuses an event.
  public var diagnosis: Diagnosis { Diagnosis("the backend refuses the event (\(rawValue))") }
}
