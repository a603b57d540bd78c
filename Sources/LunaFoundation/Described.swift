public import Bluetooth
public import Foundation
public import Gzip
public import LunaCore
public import LunaCrypto
public import LunaJSON
public import LunaLocal
public import LunaLocation
public import SystemBus

// Errors that have a description of their own.

extension ATTProblem: LocalizedError {
  /// What happened.
  public var errorDescription: String? { description }
}

extension BusError: LocalizedError {
  /// What D-Bus says.
  public var errorDescription: String? { description }
}

extension CryptoError: LocalizedError {
  /// What libcrypto says.
  public var errorDescription: String? { description }
}

extension DeviceFileError: LocalizedError {
  /// What is wrong with a file of devices, and where.
  public var errorDescription: String? { description }
  /// What to do.
  public var recoverySuggestion: String? { hint }
}

extension FormatError: LocalizedError {
  /// What is wrong with which member.
  public var errorDescription: String? { description }
}

extension GATTError: LocalizedError {
  /// What was being done, and what happened.
  public var errorDescription: String? { description }
  /// What to do.
  public var recoverySuggestion: String? { remedy }
}

extension GzipError: LocalizedError {
  /// What is wrong with compressed data.
  public var errorDescription: String? { "the compressed data cannot be used (\(self))" }
}

extension JSONError: LocalizedError {
  /// What is wrong, and where.
  public var errorDescription: String? { description }
}

extension LocalProblem: LocalizedError {
  /// What happened, the likely cause and what to do.
  public var errorDescription: String? { description }
}

extension LocationChoiceError: LocalizedError {
  /// What is wrong with the choice of a location source.
  public var errorDescription: String? { problem }
}

extension ProblemDocument: LocalizedError {
  /// What a backend says.
  public var errorDescription: String? { detail.map { "\(title): \($0)" } ?? "\(title)" }
}
