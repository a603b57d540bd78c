public import Foundation
public import LunaCore
public import LunaProtocol

// Reasons for which bytes and times are refused, by the names that PROTOCOL.md gives them.

extension EventRejection: LocalizedError {
  /// Why a backend refuses an event.
  public var errorDescription: String? { "the backend refuses the event (\(rawValue))" }
}

extension EddystoneEIDRejection: LocalizedError {
  /// Why an identifier cannot be made.
  public var errorDescription: String? { "the Eddystone-EID is refused (\(rawValue))" }
}

extension ESFRejection: LocalizedError {
  /// Why a status cannot be read.
  public var errorDescription: String? { "the encrypted status cannot be read (\(rawValue))" }
}

extension IBeaconFrameRejection: LocalizedError {
  /// Why it is no iBeacon of a LunaTracker.
  public var errorDescription: String? { "this is no iBeacon of a LunaTracker (\(rawValue))" }
}

extension LocationRejection: LocalizedError {
  /// What of a location is out of its range.
  public var errorDescription: String? { "the location is not valid (\(rawValue))" }
}

extension LunaFrameRejection: LocalizedError {
  /// Why it is no frame of a LunaTracker.
  public var errorDescription: String? { "this is no frame of a LunaTracker (\(rawValue))" }
}

extension MissingBranchError: LocalizedError {
  /// Which keys are not there.
  public var errorDescription: String? { "the keys do not hold what is needed (\(rawValue))" }
}

extension OnboardingCodeRejection: LocalizedError {
  /// What is wrong with a code.
  public var errorDescription: String? { "this is no code of a label (\(rawValue))" }
}

extension OnboardingRejection: LocalizedError {
  /// What is wrong with a message of onboarding.
  public var errorDescription: String? { "a message of onboarding is refused (\(reason))" }
}

extension QueryRangeRejection: LocalizedError {
  /// What is wrong with a time.
  public var errorDescription: String? { "the time cannot be asked for (\(rawValue))" }
}

extension ReceiptRejection: LocalizedError {
  /// Why a receipt proves nothing.
  public var errorDescription: String? { "the receipt proves nothing (\(rawValue))" }
}

extension ReportRejection: LocalizedError {
  /// Why a report cannot be opened.
  public var errorDescription: String? { "the report cannot be opened (\(reason))" }
}
