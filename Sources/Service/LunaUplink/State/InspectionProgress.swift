import Bluetooth
import Diagnosis
import EventLoop
package import FileOutput
import Glibc
package import LunaCrypto
import LunaJSON
package import UplinkProtocol

/// What is known of the bytes of a recording, in a file of the state directory: where an inspection is broken off,
/// another one goes on.
package struct InspectionProgress: Sendable {
  private static let fileName = "uplink-dpi.json"

  private let path: String
  private let name: String
  /// Which bytes it is about.
  private let hash: String

  /// - Parameter directory: that of the state.
  package init(in directory: String, of bytes: InspectedBytes) throws(CryptoError) {
    path = "\(directory)/\(InspectionProgress.fileName)"
    name = bytes.recording.name.text
    let all = bytes.all
    let digest = try SHA256.digest(of: all.span)
    hash = Hex.lower(digest.indices.map { digest[$0] })
  }

  /// The answers of the inspection that was broken off.
  ///
  /// - Throws: ``UplinkError`` of kind `denied`, `unreadable` or `noInspection`.
  package func read() async throws(UplinkError) -> [Bool] {
    guard let bytes = try await UplinkFile.ownBytes(of: path) else { throw missing }
    guard let json = try? JSONReader.read(bytes), case .object(let members) = json,
      members["sha256"] == .string(hash), case .string(let answers)? = members["answers"],
      answers.utf8.count <= MatchSearch.most, answers.allSatisfy({ "01".contains($0) })
    else { throw missing }
    return answers.map { $0 == "1" }
  }

  /// Keeps them.
  package func write(_ answers: [Bool]) async throws(FileOutputError) {
    let document: JSONValue = [
      "replay": .string(name), "sha256": .string(hash),
      "answers": .string(answers.map { $0 ? "1" : "0" }.joined()),
    ]
    let path = path
    try await Blocking.run { () throws(FileOutputError) in
      try FileOutput.write(document.bytes, to: path, replacing: true, isSecret: true)
    }
  }

  /// Forgets them: everything is known.
  package func remove() async {
    let path = path
    _ = await Blocking.run { unlink(path) }
  }

  private var missing: UplinkError {
    UplinkError(
      .noInspection, "no inspection of \(name) was broken off", remedy: "begin one")
  }
}
