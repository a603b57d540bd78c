import FileOutput
import Glibc
import LunaCrypto
import LunaFleet

/// The key pair of this gateway: `gateway.key` in the state directory, which only its owner reads. Its
/// print is what an operator scans.
struct GatewayKeyFile: Sendable {
  static let name = "gateway.key"

  let privateKey: SecretBytes
  let print: GatewayPrint

  /// Reads the key of a state directory, and makes one where there is none.
  init(state directory: String) async throws {
    let path = "\(directory)/\(Self.name)"
    if access(path, F_OK) != 0 {
      try StateDirectoryMaker.make(directory)
      let secret = try SecureRandom.secret(count: Ed25519.keyCount)
      var bytes = secret.withBytes { span in span.indices.map { span[$0] } }
      defer { wipe(&bytes) }
      do throws(FileOutputError) {
        try FileOutput.write(bytes, to: path, replacing: false, isSecret: true)
      } catch {
        // Another process may just have made it.
        guard error.kind == .exists else { throw CommandFailure(error) }
      }
    }
    var bytes = try await InputFile.readOwn(path)
    defer { wipe(&bytes) }
    guard bytes.count == Ed25519.keyCount else {
      throw CommandFailure(
        .unreadableInput, "\(path) is not the key of a gateway",
        hint: "move it away; the gateway then gets another key, and another label")
    }
    privateKey = SecretBytes(copying: bytes.span)
    let key = try Ed25519.publicKey(of: privateKey)
    print = try GatewayPrint(publicKey: key.indices.map { key[$0] })
  }
}
