import Diagnosis
import EventLoop
import FileOutput
import Glibc
public import LunaCore
public import LunaCrypto
public import LunaStore

/// The key pair of this gateway: `gateway.key` in the state directory, which only its owner reads. Its
/// print is what an operator scans.
public struct GatewayKey: Sendable {
  static let fileName = "gateway.key"

  /// Ed25519 (RFC 8032), 32 bytes.
  public let privateKey: SecretBytes
  /// What a label shows of the public key.
  public let print: GatewayPrint

  /// Reads the key of a state directory, and makes one where there is none.
  ///
  /// - Throws: why it can be neither read nor made; an error of kind `damaged` for a file that is no key.
  public init(in directory: StateDirectory) async throws(DeviceStoreError) {
    self = try await Blocking.run { () throws(DeviceStoreError) in
      let path = "\(directory.path)/\(GatewayKey.fileName)"
      if access(path, F_OK) != 0 { try GatewayKey.make(path, in: directory) }
      return try GatewayKey(path)
    }
  }

  private init(_ path: String) throws(DeviceStoreError) {
    var bytes = try GatewayKey.read(path)
    defer { wipe(&bytes) }
    guard bytes.count == Ed25519.keyCount else {
      throw DeviceStoreError(
        .damaged, "\(path) is not the key of a gateway",
        remedy: "move it away; the gateway then gets another key, and another label")
    }
    privateKey = SecretBytes(copying: bytes.span)
    do throws(CryptoError) {
      let key = try Ed25519.publicKey(of: privateKey)
      print = try GatewayPrint(publicKey: key.indices.map { key[$0] })
    } catch {
      throw DeviceStoreError(.failed, error.description)
    }
  }

  private static func make(
    _ path: String, in directory: StateDirectory
  ) throws(DeviceStoreError) {
    try directory.create(for: fileName)
    var bytes: [UInt8]
    do throws(CryptoError) {
      let secret = try SecureRandom.secret(count: Ed25519.keyCount)
      bytes = secret.withBytes { span in span.indices.map { span[$0] } }
    } catch {
      throw DeviceStoreError(.failed, error.description)
    }
    defer { wipe(&bytes) }
    do throws(FileOutputError) {
      try FileOutput.write(bytes, to: path, replacing: false, isSecret: true)
    } catch {
      // Another process may just have made it.
      guard error.kind != .exists else { return }
      let kind: DeviceStoreError.Kind =
        switch error.kind {
        case .denied: .denied
        case .full: .full
        case .exists, .noDirectory, .failed: .failed
        }
      throw DeviceStoreError(kind, error.reason, remedy: error.remedy)
    }
  }

  /// What is in the file; nothing where it is not there.
  private static func read(_ path: String) throws(DeviceStoreError) -> [UInt8] {
    do throws(FileInputError) {
      return try FileInput.readOwn(path) ?? []
    } catch {
      throw DeviceStoreError(
        error.kind == .denied ? .denied : .damaged, error.reason, remedy: error.remedy)
    }
  }
}
