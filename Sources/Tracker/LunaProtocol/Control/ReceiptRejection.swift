public import Diagnosis

/// Why an answer is no receipt.
public enum ReceiptRejection: String, Diagnosed, Sendable {
  /// Neither 17 nor 5 bytes.
  case length
  /// A short answer: anyone can have given it. Its first byte is the status.
  case unauthenticated
  /// The tag is wrong.
  case auth
  /// The package is of no known format, or the keys to verify it are not held.
  case unverifiable

  /// Why a receipt proves nothing.
  public var diagnosis: Diagnosis { Diagnosis("the receipt proves nothing (\(rawValue))") }
}
