public import Bluetooth
public import Foundation
public import FileOutput
public import LunaBackend
public import LunaBuzzer
public import LunaCore
public import LunaFinder
public import LunaOnboarder
public import LunaOwner
public import LunaTracker

// A program that uses Foundation imports `LunaFoundation`: then `localizedDescription` of Luna's errors
// says what happened, and `recoverySuggestion` what to do. Nothing else is in this module, since
// whoever links Foundation pays for it with megabytes.

// Errors that have a reason and a hint.

extension BackendError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension BuzzerError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension DeviceStoreError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension FileOutputError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension FinderError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension OnboardingError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension OwnerError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension ServerError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension SourceError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension StorageError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension TrackerError: LocalizedError {
  /// What happened and why.
  public var errorDescription: String? { reason }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}
