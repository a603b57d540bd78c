import Bluetooth
import Diagnosis
import LunaCrypto
import LunaProtocol

/// The name of a command of an owner: 16 random bytes.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
  /// The 16 bytes; as text, 32 hexadecimal digits in lower case.
  public let bytes: [UInt8]

  /// A new one.
  ///
  /// - Throws: ``StorageError`` when the system gives no randomness.
  public init() throws(StorageError) {
    do throws(CryptoError) {
      let random: InlineArray<16, UInt8> = try SecureRandom.bytes()
      bytes = random.indices.map { random[$0] }
    } catch {
      throw StorageError(.failed, error.description)
    }
  }

  /// One from its bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads 32 hexadecimal digits.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: String) {
    guard let bytes = Hex.bytes(text), bytes.count == 16, Hex.lower(bytes) == text else {
      return nil
    }
    self.bytes = bytes
  }

  /// 32 hexadecimal digits.
  public var description: String { Hex.lower(bytes) }
}
